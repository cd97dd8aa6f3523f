"""What checks in compiled code cost: `python -m bench.checks [NAME...] [--suites DIR]`.

Each kernel of the benchmarks is launched with and without checks, in turns: the least time of each,
their ratio, how many groups the interpreter had to judge, and the share of the accesses that are
proved to need no check. All kinds of errors, unless `--kinds`; one thread, unless `--threads`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import polycl
from bench.case import Case, LocalBytes
from bench.own_cases import own_cases
from bench.suite_kernels import suite_cases
from polycl.backends.cpu.checked import CheckedExecutable
from polycl.backends.device import LocalMemory
from polycl.backends.interp.checks import CheckError

SECONDS = 0.1
"""Of launches of each kind."""


def main() -> None:
    parser = argparse.ArgumentParser(description="What checks in compiled code cost.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only cases that contain it")
    parser.add_argument("--suites", type=Path, metavar="DIR", help="Rodinia and Parboil, too")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--kinds", default="all", help="such as bounds, or race,bounds")
    args = parser.parse_args()
    cases = [*own_cases(), *(suite_cases(args.suites) if args.suites else [])]
    ratios: list[float] = []
    print("    ratio   without us      with us  judged  proved  kernel")
    for case in cases:
        if args.names and not any(name in case.name for name in args.names):
            continue
        small = case.small or case
        try:
            without, with_checks, executable, note = measure(case, small, args)
        except polycl.PolyclError as error:
            print(f"        -  {case.name}: {error}", flush=True)
            continue
        if with_checks:
            ratios.append(with_checks / without)
        ratio = f"{ratios[-1]:9.2f}" if with_checks else "        -"
        times = f"{without * 1e6:11.0f}  {with_checks * 1e6:11.0f}"
        judged = f"{executable.suspects:6}  {share(executable):>6}"
        print(f"{ratio}  {times}  {judged}  {case.name}  {note}", flush=True)
    if ratios:
        mean = statistics.geometric_mean(ratios)
        print(f"{len(ratios)} kernels: geometric mean {mean:.2f}, most {max(ratios):.2f}")


def share(executable: CheckedExecutable) -> str:
    """Of the accesses of the last launch, how many are proved."""
    if executable.decisions is None:
        return "-"
    proved = sum(decision.verdict == "proved" for decision in executable.decisions)
    return f"{proved}/{len(executable.decisions)}"


def measure(
    case: Case, small: Case, args: argparse.Namespace
) -> tuple[float, float, CheckedExecutable, str]:
    """Seconds without and with checks; no seconds with checks where the interpreter would run it
    all."""
    plain = polycl.device("cpu", threads=args.threads)
    checked = polycl.device("cpu", threads=args.threads, check=args.kinds)
    variant = case.variants()[0]
    kernel = polycl.load(case.path, case.forms[variant.form]).kernel(case.kernel)

    def bound(device: polycl.Device, of: Case) -> polycl.BoundKernel:
        values = [LocalMemory(a.nbytes) if isinstance(a, LocalBytes) else a for a in of.args()]
        size = of.global_size
        return kernel.bind(*values, global_size=size, local_size=variant.local_size, device=device)

    first = bound(plain, case)
    first.launch()
    without = least(first.launch, case.restore)
    second = bound(checked, case)
    executable = second.compiled
    assert isinstance(executable, CheckedExecutable)
    if executable.why:
        return without, 0, executable, executable.why.splitlines()[0].split("error: ")[-1]
    try:
        second.launch()
    except CheckError as error:
        return without, 0, executable, str(error).splitlines()[0]
    if executable.suspects:
        return without, 0, executable, "judged, nothing found"
    return (
        min(without, least(first.launch, case.restore)),
        least(second.launch, case.restore),
        executable,
        "",
    )


def least(launch: Callable[[], None], once: bool) -> float:
    times: list[float] = []
    end = time.perf_counter() + SECONDS
    while not times or (time.perf_counter() < end and not once):
        start = time.perf_counter()
        launch()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
