"""`wg_method="auto"`: chooses the method and the number of unrolled work-items by cycles.

Each candidate is compiled and scheduled, and its cycles are estimated (estimate.py). Those that are
not far from the best run some groups of the first launch (try_methods.py): how often loops run that
depend on arguments or data is known only then. Candidates that are too large to be scheduled in a
few seconds are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.func import FuncOp

from polycl.backends.device import NDRange
from polycl.backends.tta.estimate import estimated_cycles
from polycl.backends.tta.pipeline import WgMethod
from polycl.dialects.tta import Machine
from polycl.errors import PolyclError
from polycl.lowering.tta.tta_schedule import Schedule, schedule
from polycl.remarks import collect_remarks, emit_remark

MOST_ITEMS = 64
"""The most work-items that are replicated."""
MOST_OPERATIONS = 6000
"""The most operations of a candidate: more take too long to schedule."""
FAR = 2
"""An estimate of so many times the best one is not tried: loops with unknown trip counts, and
branches, are in all candidates."""
MOST_SHARED = 4
"""Work-items that share operations are taken to need no less than this part of their number."""


@dataclass(frozen=True)
class Candidate:
    """A way to run the work-items of a group; `function` is legalised for it."""

    method: WgMethod
    unroll: int
    function: FuncOp
    scheduled: Schedule
    """Its schedule, which is not proved right yet."""
    cycles: int
    """As estimated."""

    def __str__(self) -> str:
        return f"{self.method}{'' if self.unroll == 1 else f' unroll {self.unroll}'}"


def contenders(
    legalise: Callable[[WgMethod, int], FuncOp],
    machine: Machine,
    ndrange: NDRange,
    unroll: int,
    pipeline: bool,
) -> list[Candidate]:
    """The candidates that may be the best, by their estimates; a remark has those of all.

    Raises PolyclError if there is no candidate: the error of the first one.
    """
    found = sorted(candidates(legalise, machine, ndrange, unroll, pipeline), key=lambda c: c.cycles)
    best = found[0]
    others = ", ".join(f"{c} {c.cycles}" for c in found[1:])
    message = f"method {best}: {best.cycles} cycles are estimated"
    emit_remark(best.function, "tta", message + (f"; {others}" if others else ""))
    return near(found)


def near(found: Sequence[Candidate]) -> list[Candidate]:
    """Those that may be the best."""
    least = min(candidate.cycles for candidate in found)
    return [candidate for candidate in found if candidate.cycles <= FAR * least]


def candidates(
    legalise: Callable[[WgMethod, int], FuncOp],
    machine: Machine,
    ndrange: NDRange,
    unroll: int,
    pipeline: bool,
) -> Iterator[Candidate]:
    """All that can be scheduled; those with the same operations as an earlier one are left out."""
    seen: set[str] = set()
    first: PolyclError | None = None
    items = prod(ndrange.local_size)
    alone = 0
    found = False
    for method, count in ways(items, unroll):
        copies = items if method == "replicate" else count
        if alone * copies > MOST_SHARED * MOST_OPERATIONS:
            continue
        try:
            with collect_remarks():
                function = legalise(method, count)
                text = str(function)
                if text in seen or (seen and _size(function) > MOST_OPERATIONS):
                    continue
                seen.add(text)
                alone = alone or _size(function)
                scheduled = schedule(function, machine, check=False, pipeline=pipeline)
        except PolyclError as error:
            first = first or error
            continue
        found = True
        cycles = estimated_cycles(function, scheduled)
        yield Candidate(method, count, function, scheduled, cycles)
    if not found and first is not None:
        raise first


def _size(function: FuncOp) -> int:
    return sum(1 for _ in function.walk())


def ways(items: int, unroll: int) -> Iterator[tuple[WgMethod, int]]:
    """The methods and unroll factors that are considered; only `unroll` if that is given."""
    if unroll > 1:
        yield "loops", unroll
        yield "horizontal", unroll
        return
    yield "loops", 1
    yield "horizontal", 1
    if 1 < items <= MOST_ITEMS:
        yield "replicate", 1
    for count in (4, 16):
        if count <= items:
            yield "loops", count
