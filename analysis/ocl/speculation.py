"""What may be computed where the program does not compute it."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects.effects import is_side_effect_free

INTEGER_DIVISIONS = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)


def may_fail(op: Operation) -> bool:
    """Whether `op` is an integer division that not all numbers have a result of."""
    return isinstance(op, INTEGER_DIVISIONS) and constant_value(op.rhs) in (None, 0, -1)


def is_speculatable(op: Operation) -> bool:
    """Whether nobody can tell that `op` was done where the program would not do it."""
    return not op.regions and is_side_effect_free(op) and not may_fail(op)
