"""Zeros of the types of loads."""

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
    """A zero, or None for a type without one, such as a pointer or a structure."""
    if isinstance(type, IntegerType | IndexType):
        return arith.ConstantOp(IntegerAttr(0, type))
    if isinstance(type, AnyFloat):
        return arith.ConstantOp(FloatAttr(0.0, type))
    if isinstance(type, VectorType):
        zero = 0.0 if isinstance(type.element_type, AnyFloat) else 0
        return arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, [zero]))
    return None
