"""`python -m bench.explain`: what the advice of `ocl-run --explain` brings.

Each file of tests/explain has a slow kernel and the form that the advice leads to. Both run in
turns, as often as fits `SECONDS`; the fastest launch of each counts. Kernels whose advice is about
threads run on two, the others on one.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from tests.launches import launches_of

import polycl
from bench.machine import undisturbed

FOLDER = Path(__file__).parents[1] / "tests" / "explain"
SECONDS = 1.0
ON_TWO_THREADS = ("few-groups",)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--realtime", action="store_true", help="go before other programs")
    parser.add_argument("names", nargs="*", help="files of tests/explain, without .cl")
    args = parser.parse_args()
    print("| kernel | causes named | slow (ms) | advised (ms) | times as fast |")
    print("|---|---|---|---|---|")
    with undisturbed(args.realtime):
        for path in sorted(FOLDER.glob("*.cl")):
            if not args.names or path.stem in args.names:
                print(_row(path), flush=True)


def _row(path: Path) -> str:
    launches = launches_of(path)
    slow, _ = launches
    causes = [advice.cause for advice in slow.bound(polycl.device("cpu")).explain().advice]
    threads = 2 if set(causes) & set(ON_TWO_THREADS) else 1
    bound = [launch.bound(polycl.device("cpu", threads=threads)) for launch in launches]
    times = _fastest(bound)
    figures = " | ".join(f"{seconds * 1e3:.3f}" for seconds in times)
    return f"| `{path.stem}` | {', '.join(causes)} | {figures} | {times[0] / times[1]:.1f} |"


def _fastest(bound: Sequence[polycl.BoundKernel]) -> list[float]:
    fastest = [float("inf")] * len(bound)
    end = perf_counter() + SECONDS
    while perf_counter() < end:
        for number, kernel in enumerate(bound):
            start = perf_counter()
            kernel.launch()
            fastest[number] = min(fastest[number], perf_counter() - start)
    return fastest


if __name__ == "__main__":
    main()
