"""Lower bounds of a whole launch: those of its blocks, as often as they were executed."""

from __future__ import annotations

from polycl.backends.tta.interpreter import Result
from polycl.lowering.tta.tta_schedule import Schedule

_DEPENDENCES = ("latency", "recurrence", "jump")
"""The bounds that more units and buses leave as they are."""


def launch_bounds(scheduled: Schedule, result: Result) -> tuple[int, int]:
    """The cycles that units, buses and ports need at least, and those that dependences need."""
    names = (block.name for block in scheduled.program.blocks)
    counts = dict(zip(names, result.block_counts, strict=True))
    resources = dependences = 0
    for block in scheduled.bounds:
        of_units = [n for name, n in block.bounds if name not in _DEPENDENCES]
        others = [n for name, n in block.bounds if name in _DEPENDENCES]
        resources += counts[block.block] * max(of_units, default=0)
        dependences += counts[block.block] * max(others, default=0)
    return resources, dependences
