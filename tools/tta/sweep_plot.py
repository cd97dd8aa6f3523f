"""Plots of a sweep: speed-ups over one key, and cycles against the cost of the machine."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from polycl.runtime.figures.figure import Axis, Figure, Layer, Lines, Points

PAPER = 5.2
"""[pocl15], section 6.4: DCT on their processor, 5.35 against 1.02 million cycles, without and with
horizontal parallelization of inner loops."""

COLOURS = ("#2f5f9e", "#b5452c", "#1b7f5f", "#8c6d5a", "#b486b8", "#b9b04f", "#444444", "#e8a33d")


def sweep_plot(
    keys: Mapping[str, Sequence[str]],
    speedups: Sequence[tuple[Mapping[str, str], float | None]],
    title: str,
) -> Figure:
    """`speedups` has the speed-up of each point; None is left out."""
    across = max(keys, key=lambda key: (keys[key][0].isdecimal(), len(keys[key]), key == "unroll"))
    values = keys[across]
    at = {value: i for i, value in enumerate(values)}
    lines: dict[tuple[str, ...], list[tuple[float, float]]] = {}
    for point, speedup in speedups:
        if speedup is not None:
            rest = tuple(f"{key} {value}" for key, value in point.items() if key != across)
            lines.setdefault(rest, []).append((at[point[across]], speedup))
    layers: list[Layer] = [
        Lines(
            "paper",
            [(-0.5, PAPER, len(values) - 0.5, PAPER)],
            colour="#444444",
            dashed=True,
            legend=f"{PAPER}: DCT in [pocl15]",
        )
    ]
    for i, (rest, places) in enumerate(lines.items()):
        colour = COLOURS[i % len(COLOURS)]
        segments = [(*a, *b) for a, b in pairwise(places)]
        layers.append(Lines("variant", segments, colour=colour, width=1.6))
        layers.append(Points("variant", places, colour, legend=", ".join(rest) or "speed-up"))
    top = max(PAPER, *(y for places in lines.values() for _, y in places)) * 1.08
    step = 1 if top < 12 else 2 if top < 24 else 5
    return Figure(
        title,
        Axis(
            across.replace("_", "-"),
            -0.5,
            len(values) - 0.5,
            tuple((i, value) for value, i in at.items()),
        ),
        Axis("speed-up", 0, top, tuple((n, str(n)) for n in range(0, math.ceil(top), step))),
        layers,
        note="cycles of one work-item after another on the same machine, divided by those of each "
        "variant",
    )


def pareto_plot(measured: Sequence[tuple[float, float]], title: str, launches: int = 1) -> Figure:
    """Cost and cycles; a line connects the variants that no other one beats in both."""
    best: list[tuple[float, float]] = []
    for cost, cycles in sorted(measured):
        if not best or cycles < best[-1][1]:
            best.append((cost, cycles))
    most, top = max(cost for cost, _ in measured), max(cycles for _, cycles in measured)
    others = [point for point in measured if point not in best]
    kind = "cycles" if launches == 1 else f"cycles, geometric mean of {launches} launches"
    steps = [(*a, *b) for a, b in pairwise(best)]
    return Figure(
        title,
        Axis("cost", 0, most * 1.05, _round_ticks(most)),
        Axis(kind, 0, top * 1.05, _round_ticks(top)),
        [
            Lines("front", steps, colour=COLOURS[1], width=1.6),
            Points("other", others, COLOURS[0], legend="other variants"),
            Points("best", best, COLOURS[1], legend="no variant is cheaper and faster"),
        ],
        note="the cost is that of backends/tta/cost.py, in gate equivalents",
    )


def _round_ticks(most: float) -> tuple[tuple[float, str], ...]:
    step = 10 ** math.floor(math.log10(max(most, 1)))
    step *= 1 if most / step >= 4 else 0.5
    return tuple((n * step, f"{n * step:.0f}") for n in range(int(most / step) + 1))
