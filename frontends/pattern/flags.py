"""Whether a function of a reduction is known to be associative and commutative."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, Region, SSAValue

from polycl.dialects.pattern.lambdas import yielded
from polycl.dialects.pattern.neutral import NEUTRAL


def is_associative(body: Region) -> bool:
    """Whether each part of the result is one operation, associative and commutative, of the same
    part of the accumulator and of the element. Floats are meant up to their rounding.
    """
    args, values = body.block.args, yielded(body)
    if len(args) != 2 * len(values):
        return False
    half = len(values)
    return all(
        _combines(value, args[number], args[half + number]) for number, value in enumerate(values)
    )


def _combines(value: SSAValue, a: BlockArgument, b: BlockArgument) -> bool:
    op = value.owner
    # All operations that have a neutral element on both sides are associative and commutative.
    return isinstance(op, Operation) and type(op) in NEUTRAL and set(op.operands) == {a, b}
