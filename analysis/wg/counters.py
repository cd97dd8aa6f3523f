"""Counters of `while` loops: `for (uint k = 1; k <= r; k++)`, which may not end for some r."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.ir import BlockArgument, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects.comparisons import predicate_of

_MOST_STEP = 1 << 10


@dataclass(frozen=True)
class CounterRange:
    """A counter in the body of a loop is from `first` to `bound`, without it if `is_strict`.

    Unsigned numbers are known if both are below the half of their range, so that no sum wraps.
    """

    first: SSAValue
    bound: SSAValue
    is_strict: bool
    is_unsigned: bool


def counter_range(loop: scf.WhileOp, value: SSAValue) -> CounterRange | None:
    """The range of an argument of the second block of a loop; None if it is not a counter."""
    before, after = loop.before_region.block, loop.after_region.block
    if not isinstance(value, BlockArgument) or value.block is not after:
        return None
    end = condition_of(loop)
    counter, compare = end.args[value.index], end.condition.owner
    if not isinstance(counter, BlockArgument) or counter.block is not before:
        return None
    if not isinstance(compare, arith.CmpiOp) or compare.lhs is not counter:
        return None
    predicate = predicate_of(compare)
    next = terminator(after).operands[counter.index].owner
    if predicate not in ("slt", "sle", "ult", "ule") or not isinstance(next, arith.AddiOp):
        return None
    step = constant_value(next.rhs)
    if next.lhs is not value or step is None or not 0 < step <= _MOST_STEP:
        return None
    first = loop.arguments[counter.index]
    return CounterRange(first, compare.rhs, predicate.endswith("t"), predicate.startswith("u"))
