"""Loops that look for an element of a small array."""

from __future__ import annotations

from xdsl.dialects import scf

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.ocl.memory import pointee_of
from polycl.lowering.ocl.counted_searches import CountedSearch
from polycl.lowering.ocl.promote_private_arrays.accesses import accesses_of, count_of, loop_of
from polycl.lowering.ocl.promote_private_arrays.limits import MOST_CHOSEN


def count_searches(alloca: ocl.AllocaOp) -> None:
    """Let loops have a known number of iterations that look for an element of a small array."""
    pointee = pointee_of(alloca.result)
    if not isinstance(pointee, ocl.ArrayType) or count_of(pointee) > MOST_CHOSEN:
        return
    done: set[scf.WhileOp] = set()
    for value in dict.fromkeys(
        value for access in accesses_of(alloca.result) or () for value in access.place.factors
    ):
        search = CountedSearch.of(value)
        if search is not None and search.loop not in done and _is_short(search):
            done.add(search.loop)
            search.as_for()


def _is_short(search: CountedSearch) -> bool:
    """Whether a search has at most as many iterations as an array has elements, from any start."""
    rounds = search.rounds
    most = rounds.number
    for value, factor in rounds.factors.items():
        loop = loop_of(value)
        bounds = [constant_value(bound) for bound in (loop.lb, loop.ub)] if loop else [None]
        if any(bound is None for bound in bounds):
            return False
        most += max(factor * bound for bound in bounds if bound is not None)
    return most <= MOST_CHOSEN
