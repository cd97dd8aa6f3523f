"""Results as a table, and as JSON."""

from __future__ import annotations

import math
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.measure import Result, Timing
from bench.runtimes import Spec


@dataclass(frozen=True)
class Row:
    """One case: our times and the peers', in seconds (medians)."""

    result: Result
    limit: float | None
    """Seconds below which this machine cannot do it."""
    specs: Sequence[Spec]
    first: Row | None = None
    """The same case with the first number of threads, where this is not it."""

    @property
    def ours(self) -> list[Timing]:
        """One for each form of the source that worked."""
        return self.result.of("polycl")

    @property
    def best_peer(self) -> Timing | None:
        peers = [t for spec in self.specs if not spec.is_ours for t in self.result.of(spec.name)]
        return min(peers, key=lambda timing: timing.median, default=None)

    @property
    def fastest(self) -> Timing | None:
        """Of our forms of the source."""
        return min(self.ours, key=lambda timing: timing.median, default=None)

    def ratio(self, timing: Timing) -> float | None:
        """How many times as fast as the best peer; above 1, it is faster."""
        return self.best_peer and self.best_peer.median / timing.median

    @property
    def speedup(self) -> float | None:
        """How many times as fast as with the first number of threads."""
        if self.first is None or self.first.fastest is None or self.fastest is None:
            return None
        return self.first.fastest.median / self.fastest.median

    @property
    def worst_ratio(self) -> float | None:
        """The ratio of our slowest form of the source."""
        ratios = [ratio for timing in self.ours if (ratio := self.ratio(timing)) is not None]
        return min(ratios, default=None)

    def cells(self) -> list[str]:
        slowest = max(self.ours, key=lambda timing: timing.median, default=None)
        ours = [f"{milliseconds(t)} {t.variant}".rstrip() for t in self.ours]
        others: list[str] = []
        for spec in self.specs:
            if spec.name != "polycl":
                times = self.result.of(spec.name)
                best = min(times, key=lambda timing: timing.median, default=None)
                others.append(f"{milliseconds(best)} {best.variant}".rstrip() if best else "-")
        ratios = [f"{ratio:.2f}" for t in self.ours if (ratio := self.ratio(t)) is not None]
        share = f"{self.limit / slowest.median:.0%}" if self.limit and slowest else "-"
        return [
            self.result.case.name,
            " / ".join(ours) or "-",
            *others,
            " / ".join(ratios) or "-",
            share,
            f"{self.speedup:.2f}" if self.speedup else "-",
        ]


def milliseconds(timing: Timing) -> str:
    return f"{timing.median * 1e3:.4g}"


def print_table(rows: Sequence[Row]) -> None:
    """One thread count; all times in ms."""
    specs = rows[0].specs
    others = [spec.name for spec in specs if spec.name != "polycl"]
    print(f"\n{rows[0].result.threads} thread(s); medians in ms, with the source form and local")
    print("size that were best; ratio: best peer / ours, for each form; limit: the share of what")
    print("the machine can do; speed-up: over our time in the first table")
    head = ["kernel", "polycl", *others, "ratio", "limit", "speed-up"]
    print_columns([head, *(row.cells() for row in rows)])
    suites = [row for row in rows if row.result.case.small is not None]
    print_mean("bench/kernels", [row for row in rows if row not in suites and row.limit])
    print_mean("the suites", suites)
    for row in rows:
        for failure in row.result.failures:
            print(f"  {row.result.case.name}: left out: {failure}")


def print_mean(name: str, rows: Sequence[Row]) -> None:
    ratios = [ratio for row in rows if (ratio := row.worst_ratio) is not None]
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"ratios in {name}: geometric mean {mean:.2f}, lowest {min(ratios):.2f}")


def print_columns(lines: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)))


def as_json(rows: Sequence[Row], titles: dict[str, str], limits: dict[str, Any]) -> dict[str, Any]:
    return {
        "machine": {"processor": processor(), **limits},
        "runtimes": titles,
        "results": [_row_json(row) for row in rows],
    }


def _row_json(row: Row) -> dict[str, Any]:
    case = row.result.case
    return {
        "kernel": case.name,
        "threads": row.result.threads,
        "global_size": case.global_size,
        "flops": case.flops,
        "bytes": case.bytes,
        "limit_seconds": row.limit,
        "checked_against": row.result.judge,
        "tolerance": str(case.tolerance),
        "worst_ratio": row.worst_ratio,
        "speedup": row.speedup,
        "failures": row.result.failures,
        "times": [
            {
                "runtime": timing.runtime,
                "form": timing.variant.form,
                "local_size": timing.variant.local_size,
                "minimum": timing.minimum,
                "median": timing.median,
                "ratio": row.ratio(timing) if timing.runtime == "polycl" else None,
                "launches": sum(each.count for each in timing.rounds),
            }
            for timing in row.result.timings
        ],
    }


def processor() -> str:
    """The processor's name, where the system tells."""
    try:
        with open("/proc/cpuinfo") as file:
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor()
