"""Operations that may be executed where the program does not execute them."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation

from polycl.analysis.ocl.uniformity import element_number
from polycl.dialects.effects import is_side_effect_free

INTEGER_DIVISIONS = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)


def may_fail(op: Operation) -> bool:
    """Whether `op` is an integer division that may have no result."""
    return isinstance(op, INTEGER_DIVISIONS) and element_number(op.rhs) in (None, 0, -1)


def is_shift_or_mask(op: Operation) -> bool:
    """Whether `op` is an unsigned division by a power of two, or its remainder."""
    if not isinstance(op, arith.DivUIOp | arith.RemUIOp):
        return False
    divisor = element_number(op.rhs)
    return divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0


def is_speculatable(op: Operation) -> bool:
    """Whether `op` has no effect that is visible where the program would not execute it."""
    return not op.regions and is_side_effect_free(op) and not may_fail(op)
