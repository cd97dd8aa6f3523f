"""`python -m bench.lift`: derived pattern programs on the cpu device against BLAS libraries.

All work on the same arrays, in one process, in turns, with as many threads as the process may
use cores (`taskset -c 0 python -m bench.lift`: one). On a machine that others use,
`chrt -f 1 python -m bench.lift` goes before all else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import polycl
from bench.lift_blas import Blas, libraries
from bench.lift_contender import Contender, in_huge_pages
from bench.lift_naive import Launch, naive_contender, our_launch, pocl_launch
from bench.lift_ours import public_call
from bench.lift_works import Work, works
from bench.machine import reader
from bench.report import print_columns, processor
from bench.runtimes import ROOT

PAUSE = 0.2
"""Seconds before a turn, in which the threads of the last one go to sleep. Those of OpenBLAS look
out for work for 50 to 150 ms: before that, what comes next has one core less."""
CALLS = 4
"""In a turn, after one that does not count."""
SLOW_ROUNDS = 2
"""Of those that take long, with one call."""
THREADS = len(os.sched_getaffinity(0))


@dataclass
class Row:
    """The results of one work."""

    work: Work
    ours: Contender
    peers: Sequence[Contender]
    """BLAS libraries."""
    naive: Sequence[Contender]
    read: Contender | None
    """Reads the arrays of a work that does not write much."""

    @property
    def contenders(self) -> list[Contender]:
        read = [self.read] if self.read else []
        return [self.ours, *self.peers, *self.naive, *read]

    def ratios(self, statistic: str) -> dict[str, float]:
        """Our speed over those of others, by their "minimum" or "median"."""

        def seconds(each: Contender) -> float:
            return getattr(each, statistic)

        found = {each.name: seconds(each) / seconds(self.ours) for each in self.contenders[1:]}
        best = min(map(seconds, self.peers), default=None)
        return found | ({"best library": best / seconds(self.ours)} if best else {})

    def print(self) -> None:
        lines = [["", "min ms", "median ms", "GB/s", "GFLOP/s", "ours is faster", "error"]]
        lowest, middle = self.ratios("minimum"), self.ratios("median")
        for each in self.contenders:
            ratio = (
                f"{lowest[each.name]:.2f} {middle[each.name]:.2f}" if each.name in lowest else ""
            )
            right = "" if each.error <= self.work.tolerance else " WRONG"
            lines.append(
                [
                    each.name,
                    f"{each.minimum * 1e3:.3f}",
                    f"{each.median * 1e3:.3f}",
                    f"{self.work.bytes / each.minimum / 1e9:.1f}",
                    f"{self.work.flops / each.minimum / 1e9:.1f}" if self.work.flops else "",
                    ratio,
                    f"{each.error:.1e}{right}",
                ]
            )
        print(f"\n{self.work.label}")
        print_columns(lines)

    def as_json(self) -> dict[str, Any]:
        return {
            "work": self.work.label,
            "bytes": self.work.bytes,
            "flops": self.work.flops,
            "tolerance": self.work.tolerance,
            "ratios": {name: self.ratios(name) for name in ("minimum", "median")},
            "times": [
                {
                    "name": each.name,
                    "minimum": each.minimum,
                    "median": each.median,
                    "calls": len(each.seconds),
                    "error": each.error,
                    "right": each.error <= self.work.tolerance,
                }
                for each in self.contenders
            ],
        }


def print_summary(rows: Sequence[Row]) -> None:
    """One line a work, by the least times."""
    print("\nleast times in ms; how many times as fast ours is as the best library, as reading at")
    print("this machine's bandwidth, and as naive OpenCL on PoCL")
    lines = [["", "polycl", "best library", "library", "reading", "naive"]]
    for row in rows:
        ratios = row.ratios("minimum")
        best = min(row.peers, key=lambda peer: peer.minimum, default=None)
        shown = [ratios.get(name) for name in ("best library", "reading", "naive OpenCL, PoCL")]
        lines.append(
            [
                row.work.label,
                f"{row.ours.minimum * 1e3:.3f}",
                f"{best.minimum * 1e3:.3f} {best.name}" if best else "",
                *(f"{ratio:.2f}" if ratio else "" for ratio in shown),
            ]
        )
    print_columns(lines)


class Reading:
    """How long it takes to read arrays, with all threads."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS)
        self._read, self._step = reader()

    def contender(self, work: Work, values: dict[str, Any]) -> Contender:
        arrays: list[NDArray[Any]] = [v for v in values.values() if isinstance(v, np.ndarray)]
        # So that waking the threads is not what is measured.
        passes = max(1, (256 << 20) // sum(array.nbytes for array in arrays))
        parts: list[list[tuple[int, int]]] = [[] for _ in range(THREADS)]
        for array in arrays:
            share = array.nbytes // THREADS // self._step * self._step
            if share:
                for thread, part in enumerate(parts):
                    part.append((array.ctypes.data + thread * share, share))

        def work_of(part: list[tuple[int, int]]) -> None:
            for _ in range(passes):
                for address, nbytes in part:
                    self._read(address, nbytes, 1)

        def call() -> None:
            list(self._pool.map(work_of, parts))

        return Contender("reading", call, lambda: np.zeros(0), passes=passes)


def measure(row: Row, values: dict[str, Any], rounds: int) -> None:
    """Fills in the contenders' times and errors."""
    work = row.work
    right = None if work.in_place else work.expected(values)

    def check(each: Contender) -> None:
        if each is row.read:
            return
        # Where calls change the data, so they do the right result.
        wanted = work.expected(values) if right is None else right
        each.call()
        each.error = max(each.error, work.error(values, wanted, each.result()))

    for each in row.contenders:
        check(each)
    for number in range(rounds):
        turns = row.contenders
        random.Random(number).shuffle(turns)
        for each in turns:
            if each.slow and number >= SLOW_ROUNDS:
                continue
            time.sleep(PAUSE)
            if not each.slow:
                each.call()
            for _ in range(1 if each.slow or each.passes > 1 else CALLS):
                start = time.perf_counter()
                each.call()
                each.seconds.append((time.perf_counter() - start) / each.passes)
    for each in row.contenders:
        check(each)


def run(
    work: Work,
    blas: Sequence[Blas],
    launches: dict[str, Launch],
    reading: Reading,
    device: polycl.Device,
    rounds: int,
) -> Row:
    values = in_huge_pages(work.inputs())
    ours = public_call(work, values, device)
    peers = [found for library in blas if (found := library.contender(work, values))]
    naive = [
        found
        for name, launch in launches.items()
        if (found := naive_contender(name, launch, work, values))
    ]
    read = reading.contender(work, values) if work.reads_only else None
    row = Row(work, ours, peers, naive, read)
    measure(row, values, rounds)
    return row


def main() -> None:
    every = works()
    parser = argparse.ArgumentParser(prog="python -m bench.lift", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="WORK", help="'asum', 'dot 16M'; default: all")
    parser.add_argument("--rounds", type=int, default=9, help="turns of each (default: 9)")
    parser.add_argument(
        "--realtime", action="store_true", help="go before all else (may need root)"
    )
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "lift.json")
    args = parser.parse_args()
    chosen = [w for w in every if not args.names or {w.name, w.label} & set(args.names)]
    if not chosen:
        parser.error(f"no such work; there are: {', '.join(w.label for w in every)}")
    blas, missing = libraries()
    device = polycl.device("cpu", threads=THREADS)
    launches = {"naive OpenCL, polycl": our_launch(device)}
    try:
        launches["naive OpenCL, PoCL"] = pocl_launch(THREADS)
    except RuntimeError as error:
        missing["PoCL"] = str(error)
    print(f"{processor()}, {THREADS} threads")
    for name, why in missing.items():
        print(f"{name}: left out: {why}")
    reading = Reading()
    rows: list[Row] = []
    for work in chosen:
        rows.append(run(work, blas, launches, reading, device, args.rounds))
        rows[-1].print()
    print_summary(rows)
    args.json.parent.mkdir(parents=True, exist_ok=True)
    machine = {"processor": processor(), "threads": THREADS}
    text = json.dumps({"machine": machine, "works": [row.as_json() for row in rows]}, indent=1)
    args.json.write_text(text + "\n")
    print(f"\nall figures: {args.json}")


if __name__ == "__main__":
    main()
