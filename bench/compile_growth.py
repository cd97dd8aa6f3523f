"""How the time of compilation grows with the size of a kernel: `python -m bench.compile_growth`.

Each group of statements of `bench.compile_shapes` is doubled four times. For each phase that takes
long enough to be measured, a line through the logarithms of groups and times, fitted by least
squares, has the exponent as its slope: n log n has 1.15 here. Each time is the least of the rounds.
`--plot` draws the times of whole compilations.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from math import log
from pathlib import Path

import numpy as np

from bench.compile_phases import Compiled, compile_once
from bench.compile_shapes import SHAPES

WANTED = 1.15
MEASURABLE = 0.02
"""Seconds. A phase that takes less at the largest size is not among the exponents."""
DOUBLINGS = 4


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shapes", nargs="*", help=", ".join(SHAPES))
    parser.add_argument("--groups", type=int, default=8, help="the number before it is doubled")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--plot", type=Path, help="an image of the times")
    arguments = parser.parse_args(argv)
    unknown = set(arguments.shapes) - set(SHAPES)
    if unknown:
        parser.error(f"unknown shape '{unknown.pop()}'; expected one of {', '.join(SHAPES)}")
    sizes = [arguments.groups << doubling for doubling in range(DOUBLINGS + 1)]
    totals: dict[str, list[float]] = {}
    print(
        "| statements | operations | all, s | exponent | phases above 1.15 | largest phases, ms |"
    )
    print("|---|---|---|---|---|---|")
    for name in arguments.shapes or SHAPES:
        runs = [
            [compile_once(SHAPES[name].source(size), [], "k") for _ in range(arguments.rounds)]
            for size in sizes
        ]
        times = {phase: [_least(same, phase) for same in runs] for phase in runs[0][0].seconds}
        totals[name] = [sum(column) for column in zip(*times.values(), strict=True)]
        print(_row(name, sizes, runs[-1][0], totals[name], times), flush=True)
    if arguments.plot is not None:
        plot(sizes, totals, arguments.plot)
    return 0


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of the logarithms of the times over those of the sizes."""
    shown = [(log(size), log(time)) for size, time in zip(sizes, times, strict=True) if time > 0]
    slope, _ = np.polyfit(*zip(*shown, strict=True), 1)
    return float(slope)


def _least(runs: Sequence[Compiled], phase: str) -> float:
    return min(run.seconds[phase] for run in runs)


def _row(
    name: str,
    sizes: Sequence[int],
    largest: Compiled,
    totals: Sequence[float],
    times: Mapping[str, Sequence[float]],
) -> str:
    # The first size is left out: what each compilation takes for itself hides the growth.
    slopes = {
        phase: exponent(sizes[1:], column[1:])
        for phase, column in times.items()
        if column[-1] >= MEASURABLE
    }
    steep = [f"{phase} {slope:.2f}" for phase, slope in slopes.items() if slope > WANTED]
    long = sorted(times, key=lambda phase: -times[phase][-1])[:4]
    cells = (
        name,
        f"{largest.operations} -> {largest.most_operations}",
        " ".join(f"{total:.2f}" for total in totals),
        f"{exponent(sizes[1:], totals[1:]):.2f}",
        ", ".join(steep),
        ", ".join(f"{phase} {times[phase][-1] * 1e3:.0f}" for phase in long),
    )
    return "| " + " | ".join(cells) + " |"


def plot(sizes: Sequence[int], totals: Mapping[str, Sequence[float]], path: Path) -> None:
    """Draw seconds over groups of statements into a PNG or SVG file.

    Raises:
        ImportError: there is no matplotlib.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 6))
    for number, (name, times) in enumerate(totals.items()):
        axes.plot(sizes, times, ("o-", "s--", "^:")[number // 10 % 3], label=name, markersize=4)
    axes.plot(sizes, [0.01 * size / sizes[0] for size in sizes], "k-", linewidth=1, label="linear")
    axes.legend(fontsize=7, ncols=2)
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="groups of statements in one kernel",
        ylabel="seconds from the source to machine code",
    )
    figure.savefig(path, dpi=120, bbox_inches="tight")
    pyplot.close(figure)


if __name__ == "__main__":
    sys.exit(main())
