"""A derivation that `polycl explore` found beside the one that a person wrote.

    python -m bench.explored asum found.deriv --size N=16777216 --threads 2

Both run in turns in one process, on the same arrays, in the same way. The written one runs a second
time, which shows how much of a difference is chance. The ratio is that of each turn.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import polycl
from polycl.lowering.pattern.rules.derivation import Derivation
from polycl.runtime.pattern.explore.data import arguments
from polycl.runtime.program import Program

PROGRAMS = Path(__file__).parent.parent / "examples" / "pattern"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare two derivations of a program.")
    parser.add_argument("name", help="a program in examples/pattern")
    parser.add_argument("found", type=Path, help="the derivation that was found")
    parser.add_argument("--written", type=Path, help="default: NAME.cpu.deriv beside the program")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=N", required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=200)
    args = parser.parse_args()
    written = args.written or PROGRAMS / f"{args.name}.cpu.deriv"
    sizes = {name: int(n) for name, _, n in (size.partition("=") for size in args.size)}
    device = polycl.device("cpu", threads=args.threads)
    runs = {
        "written": runner(args.name, written, sizes, device),
        "found": runner(args.name, args.found, sizes, device),
        "written again": runner(args.name, written, sizes, device),
    }
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(args.rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    print(f"{'':14} {'min ms':>8} {'median':>8} {'of written: min':>16} {'of a round':>11}")
    for name, times in seconds.items():
        rounds = [a / b for a, b in zip(times, seconds["written"], strict=True)]
        print(
            f"{name:14} {min(times) * 1e3:8.3f} {statistics.median(times) * 1e3:8.3f}"
            f" {min(times) / min(seconds['written']):16.3f} {statistics.median(rounds):11.3f}"
        )


def runner(
    name: str, script: Path, sizes: dict[str, int], device: polycl.Device
) -> Callable[[], object]:
    """A call of the program as `script` derives it."""
    high = polycl.load(PROGRAMS / f"{name}.mlir")
    args = arguments(high.function(name), sizes, {}, seed=0)
    low = Program(Derivation.read(script).replay(high.module, name)).function(name)
    lowered = low.lowered(low.sizes(*args))
    return lambda: lowered.run(args, device)


if __name__ == "__main__":
    main()
