"""The study's results: times, speed-ups, and the means that [split16] gives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench.measure import Result, Timing
from bench.report import print_columns, processor
from bench.study.settings import SETTINGS

FIGURES = (
    (12, "Splitting and scoring", ("intel", "scalar", "vec-only", "split+score", "ours")),
    (13, "Splitting or scoring alone", ("vec-only", "split-only", "score-only", "split+score")),
)
"""Of [split16]: number, title, settings. The first one has the cpu device's own code, too."""

Means = tuple[str, Callable[["Row"], float | None]]


@dataclass(frozen=True)
class Row:
    """One kernel in all settings."""

    result: Result

    @property
    def name(self) -> str:
        return self.result.case.name

    def timing(self, setting: str) -> Timing | None:
        found = self.result.of(setting)
        return found[0] if found else None

    def median(self, setting: str) -> float | None:
        """Seconds; None where it does not work."""
        timing = self.timing(setting)
        return timing and timing.median

    def best(self, settings: Sequence[str]) -> float | None:
        times = [time for setting in settings if (time := self.median(setting)) is not None]
        return min(times, default=None)

    def speedup(self, setting: str, settings: Sequence[str]) -> float | None:
        """Normalised to the fastest of `settings`, which has 1."""
        time, best = self.median(setting), self.best(settings)
        return best / time if time is not None and best is not None else None

    def __str__(self) -> str:
        return "  ".join(
            [self.name, *(f"{t.runtime} {t.median * 1e3:.4g}" for t in self.result.timings)]
        )


def ratio(a: float | None, b: float | None) -> float | None:
    return a / b if a is not None and b is not None else None


MEANS: tuple[Means, ...] = (
    (
        "best setting / vec-only",
        lambda row: ratio(row.median("vec-only"), row.best([*SETTINGS, "ours"])),
    ),
    (
        "best of the settings of [split16] / vec-only",
        lambda row: ratio(row.median("vec-only"), row.best([*SETTINGS])),
    ),
    (
        "split+score / vec-only",
        lambda row: ratio(row.median("vec-only"), row.median("split+score")),
    ),
    ("score-only / vec-only", lambda row: ratio(row.median("vec-only"), row.median("score-only"))),
    ("split-only / vec-only", lambda row: ratio(row.median("vec-only"), row.median("split-only"))),
    ("split+score / intel", lambda row: ratio(row.median("intel"), row.median("split+score"))),
    ("ours / split+score", lambda row: ratio(row.median("split+score"), row.median("ours"))),
    ("ours / intel", lambda row: ratio(row.median("intel"), row.median("ours"))),
)
"""How many times as fast, by what is compared with what."""


def print_report(rows: Sequence[Row], settings: Sequence[str]) -> None:
    print("\none thread; medians in ms, and in brackets the speed-up normalised to the fastest")
    lines = [["kernel", *settings]]
    for row in rows:
        cells = [cell(row, setting, settings) for setting in settings]
        lines.append([row.name, *cells])
    print_columns(lines)
    print()
    lines = [["how many times as fast", "geometric mean", "least", "most"]]
    for title, of in MEANS:
        found = [(value, row.name) for row in rows if (value := of(row)) is not None]
        if found:
            mean = math.exp(sum(math.log(value) for value, _ in found) / len(found))
            ends = [f"{value:.2f} ({name})" for value, name in (min(found), max(found))]
            lines.append([title, f"{mean:.2f}", *ends])
    print_columns(lines)
    for row in rows:
        for failure in row.result.failures:
            print(f"  {row.name}: left out: {failure}")


def cell(row: Row, setting: str, settings: Sequence[str]) -> str:
    time, speedup = row.median(setting), row.speedup(setting, settings)
    return "-" if time is None else f"{time * 1e3:.4g} ({speedup:.2f})"


def as_json(rows: Sequence[Row], width: int) -> dict[str, Any]:
    return {"processor": processor(), "width": width, "results": [_row_json(row) for row in rows]}


def _row_json(row: Row) -> dict[str, Any]:
    case = row.result.case
    return {
        "kernel": row.name,
        "global_size": case.global_size,
        "local_size": case.local_sizes[0],
        "checked_against": row.result.judge,
        "tolerance": str(case.tolerance),
        "failures": row.result.failures,
        "times": {
            timing.runtime: {
                "form": timing.variant.form,
                "minimum": timing.minimum,
                "median": timing.median,
                "launches": sum(each.count for each in timing.rounds),
            }
            for timing in row.result.timings
        },
        "ratios": {title: of(row) for title, of in MEANS},
    }
