"""Which launches have checks in native code: `python -m bench.check_coverage [--suites DIR]`.

The others run on the interpreter as a whole, which takes 10,000 times as long: why, and how many
launches of the tests, examples and benchmarks. Then those in which native code suspects groups in
vain, which the interpreter runs, too.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.launches import all_launches

import polycl
from bench.case import LocalBytes
from bench.own_cases import own_cases
from bench.suite_kernels import suite_cases
from polycl.backends.cpu.checked import CheckedExecutable
from polycl.backends.device import LocalMemory
from polycl.backends.interp.checks import CheckError

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT / "tests" / "oracle", ROOT / "tests" / "kernels", ROOT / "examples")


def main() -> None:
    parser = argparse.ArgumentParser(description="Which launches have checks in native code.")
    parser.add_argument("--suites", type=Path, metavar="DIR", help="Rodinia and Parboil, too")
    parser.add_argument("--launch", action="store_true", help="launch, to see what is suspected")
    args = parser.parse_args()
    reasons: dict[str, list[str]] = defaultdict(list)
    count = 0
    for name, bound in bindings(args.suites):
        count += 1
        if isinstance(bound, polycl.PolyclError):
            reasons[f"not compiled: {_reason(str(bound))}"].append(name)
            continue
        executable = bound.compiled
        assert isinstance(executable, CheckedExecutable)
        why = executable.why_judged(bound.args, bound.ndrange)
        if why:
            reasons[_reason(why)].append(name)
        elif args.launch:
            try:
                bound.launch()
            except CheckError:
                pass
            if executable.suspects and not executable.findings:
                reasons["suspected in vain"].append(name)
    print("launches  why the interpreter runs them")
    for why, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):8}  {why}: {', '.join(names)}")
    print(f"{sum(map(len, reasons.values()))} of {count} launches")


def bindings(suites: Path | None) -> Iterator[tuple[str, polycl.BoundKernel | polycl.PolyclError]]:
    device = polycl.device("cpu", check=True, threads=1)
    for launch in all_launches(*FOLDERS):
        try:
            yield f"{launch.path.parent.name}/{launch}", launch.bound(device)
        except polycl.PolyclError as error:
            yield f"{launch.path.parent.name}/{launch}", error
    for whole in [*own_cases(), *(suite_cases(suites) if suites else [])]:
        case = whole.small or whole
        variant = case.variants()[0]
        values = [LocalMemory(a.nbytes) if isinstance(a, LocalBytes) else a for a in case.args()]
        try:
            yield (
                f"bench/{case.name}",
                polycl.load(case.path, case.forms[variant.form])
                .kernel(case.kernel)
                .bind(
                    *values,
                    global_size=case.global_size,
                    local_size=variant.local_size,
                    device=device,
                ),
            )
        except polycl.PolyclError as error:
            yield f"bench/{case.name}", error


def _reason(message: str) -> str:
    return message.splitlines()[0].split("error: ")[-1]


if __name__ == "__main__":
    main()
