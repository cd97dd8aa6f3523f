"""BLAS functions as pattern programs at many sizes, by the public call, against BLAS libraries.

`python -m bench.lift_sizes` calls `function(x, device=..., out=...)` on ordinary numpy arrays, and
the functions of OpenBLAS and MKL on the same ones, in turns. A size is a number of elements, or
`rows x columns` of a matrix, or `m x k x n` of a product. A ratio above 1: ours is faster than the
fastest library, each by its least time.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
VECTORS = (1000, 4096, 10007, 65536, 100003, 262144, 1000003, 4194304, 16777213)
SIDES = (32, 64, 100, 257, 512, 1000, 1024, 2048, 4096)
"""Of matrices, which are square."""

PRODUCTS = (
    *((n, n, n) for n in (*SIDES, 1023, 2047)),
    *((300, 700, 50), (700, 50, 300), (30, 1000, 500), (1000, 1000, 30)),
    *((rows, 1000, 1000) for rows in (1, 2, 3, 4, 5, 8)),
    *((1, 997, 1009), (3, 997, 1009), (7, 1013, 1009), (4, 3000, 3000), (32, 1000, 1000)),
)
_TURN = 0.002
"""The seconds of a turn: at least one call."""

_SLOW = 0.1
"""Calls of so many seconds are fewer in a turn."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.lift_sizes", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PROGRAM", help="default: all")
    parser.add_argument(
        "--size", nargs="+", metavar="SIZE", help="of these sizes only: 1000, 512x512, 300x700x50"
    )
    parser.add_argument("--threads", type=int, default=1, help="of all (default: 1)")
    parser.add_argument("--rounds", type=int, default=25, help="turns of each (default: 25)")
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "lift_sizes.json")
    parser.add_argument("--plot", type=Path, help="a picture of the ratios, .svg or .png")
    args = parser.parse_args()
    for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ[variable] = str(args.threads)
    rows = measure_all(args.names, args.size, args.threads, args.rounds)
    args.json.parent.mkdir(parents=True, exist_ok=True)
    args.json.write_text(json.dumps({"threads": args.threads, "rows": rows}, indent=1) + "\n")
    if args.plot is not None:
        plot(rows, args.plot)


def measure_all(
    names: Sequence[str], sizes: Sequence[str] | None, threads: int, rounds: int
) -> list[dict[str, Any]]:
    """A row for each program and size, without any: all: microseconds of ours and of each peer."""
    # The libraries read the environment when they are loaded.
    import polycl
    from bench.lift_blas import libraries
    from bench.lift_ours import public_call
    from bench.lift_works import sized_works

    blas, missing = libraries()
    for name, why in missing.items():
        print(f"{name}: left out: {why}")
    device = polycl.device("cpu", threads=threads)
    rows: list[dict[str, Any]] = []
    for work in sized_works(VECTORS, SIDES, PRODUCTS):
        if (names and work.name not in names) or (sizes and work.size not in sizes):
            continue
        values = work.inputs()
        right = work.expected(values)
        calls: dict[str, Callable[[], object]] = {}
        for contender in [public_call(work, values, device)] + [
            each for library in blas if (each := library.contender(work, values)) is not None
        ]:
            contender.call()
            error = work.error(values, right, contender.result())
            assert error <= work.tolerance, f"{work.label}, {contender.name}: wrong by {error}"
            if work.in_place:
                # -1 times: what it was before.
                contender.call()
            calls[contender.name] = contender.call
        micros = {name: 1e6 * seconds for name, seconds in in_turns(calls, rounds).items()}
        ours = micros["polycl"]
        best = min((m, name) for name, m in micros.items() if name != "polycl")
        rows.append(
            {"program": work.name, "size": work.size, "us": micros, "ratio": best[0] / ours}
        )
        print(
            f"{work.name:7} {work.size:>14}  {ours:10.2f} us  {best[0]:10.2f} us {best[1]:17}"
            f" {best[0] / ours:5.2f}",
            flush=True,
        )
    return rows


def in_turns(
    calls: dict[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """The least seconds of a call by `clock`, of turns of several calls."""
    counts: dict[str, int] = {}
    parts = 4
    for name, call in calls.items():
        call()
        start = clock()
        call()
        seconds = clock() - start
        counts[name] = max(1, math.ceil(_TURN / max(1e-7, seconds)))
        if seconds > _SLOW:
            parts = 1
    least = dict.fromkeys(calls, math.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            if parts > 1:
                call()
            for _ in range(parts):
                repeats = range(max(1, counts[name] // parts))
                start = clock()
                for _ in repeats:
                    call()
                least[name] = min(least[name], (clock() - start) / len(repeats))
    return least


def plot(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """The ratios over the number of elements."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for program in dict.fromkeys(row["program"] for row in rows):
        mine = [row for row in rows if row["program"] == program]
        axes.plot([_elements(r["size"]) for r in mine], [r["ratio"] for r in mine], "o-", ms=3)
        axes.lines[-1].set_label("gemm" if program == "matmul" else program)
    axes.axhline(1, color="0.6", lw=0.8)
    axes.set_xscale("log")
    axes.set_ylim(0)
    axes.set_xlabel("elements of the largest array")
    axes.set_ylabel("speed over that of the fastest library")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


def _elements(size: str) -> int:
    return math.prod(map(int, size.split("x")[:2]))


if __name__ == "__main__":
    main()
