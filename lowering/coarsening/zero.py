"""Zeros of the types that a load may have."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute


def zero_of(type: Attribute) -> arith.ConstantOp | None:
    """A zero, or None for a type that has none, say a pointer or a structure."""
    match type:
        case IntegerType() | IndexType():
            return arith.ConstantOp(IntegerAttr(0, type))
        case AnyFloat():
            return arith.ConstantOp(FloatAttr(0.0, type))
        case VectorType(element_type=IntegerType()):
            return arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, [0]))
        case VectorType(element_type=AnyFloat()):
            return arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, [0.0]))
        case _:
            return None
