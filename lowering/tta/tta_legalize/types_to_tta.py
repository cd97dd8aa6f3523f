"""What a value is in 32-bit words."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
    f32,
    i1,
    i32,
)
from xdsl.ir import Attribute

from polycl.dialects.ocl import ArrayType, EventType, PtrType, StructType, UnionType
from polycl.dialects.ocl.layout import size_of


def parts_of(type: Attribute) -> list[Attribute]:
    """The scalar types that a value of `type` consists of, in order.

    Raises:
        TypeError: there is one that the processor cannot hold.
    """
    match type:
        case VectorType():
            return parts_of(type.element_type) * type.element_count()
        case StructType():
            return [part for field in type.field_types for part in parts_of(field)]
        case ArrayType():
            return parts_of(type.element) * type.size.data
        case UnionType():
            return [IntegerType(8)] * size_of(type)
        case Float64Type():
            raise TypeError("double precision is not supported: the processor has no such units")
        case IntegerType() if type.width.data in (1, 8, 16, 32, 64):
            return [type]
        case Float16Type() | Float32Type() | IndexType() | PtrType() | EventType():
            return [type]
        case _:
            raise TypeError(f"{type} has no values on this processor")


def words_of(type: Attribute) -> list[Attribute]:
    """The types of the words that hold a value of `type`: i32, f32 or i1.

    A number of 64 bits has two, the lower one first. One of 8 or 16 bits has its upper bits zero.
    An `index`, which is how far memory reaches, has 32 bits here, as a pointer has.
    """
    return [word for part in parts_of(type) for word in _words_of_part(part)]


def _words_of_part(type: Attribute) -> list[Attribute]:
    if type in (i1, f32):
        return [type]
    return [i32] * (2 if width_of(type) == 64 else 1)


def width_of(type: Attribute) -> int:
    """The bits of a scalar in registers."""
    match type:
        case IntegerType():
            return type.width.data
        case Float16Type():
            return 16
        case _:
            return 32
