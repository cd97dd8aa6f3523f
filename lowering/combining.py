"""The operations that combine the values of collective functions."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

from polycl.dialects.ocl import CombineKind
from polycl.dialects.vec import element_of

Combining = (
    type[arith.SignlessIntegerBinaryOperation] | type[arith.FloatingPointLikeBinaryOperation]
)

_INTEGERS: dict[CombineKind, Combining] = {
    CombineKind.ADD: arith.AddiOp,
    CombineKind.MUL: arith.MuliOp,
    CombineKind.MIN: arith.MinSIOp,
    CombineKind.MAX: arith.MaxSIOp,
    CombineKind.UMIN: arith.MinUIOp,
    CombineKind.UMAX: arith.MaxUIOp,
    CombineKind.AND: arith.AndIOp,
    CombineKind.OR: arith.OrIOp,
    CombineKind.XOR: arith.XOrIOp,
}
_FLOATS: dict[CombineKind, Combining] = {
    CombineKind.ADD: arith.AddfOp,
    CombineKind.MUL: arith.MulfOp,
    CombineKind.MIN: arith.MinnumfOp,
    CombineKind.MAX: arith.MaxnumfOp,
}


def combining_operation(kind: CombineKind, type: Attribute) -> Combining:
    """The operation on two values of `type`, a scalar or a vector."""
    return (_INTEGERS if isinstance(element_of(type), IntegerType) else _FLOATS)[kind]
