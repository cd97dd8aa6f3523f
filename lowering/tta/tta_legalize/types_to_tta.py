"""The 32-bit words that represent a value of each type."""

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
    """The scalar types of the parts of a value of `type`, in order.

    Raises:
        TypeError: the processor does not support a part.
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
        case IntegerType() if type.width.data in (1, 8, 16, 32, 64):
            return [type]
        case Float16Type() | Float32Type() | Float64Type() | IndexType() | PtrType() | EventType():
            return [type]
        case _:
            raise TypeError(f"{type} has no values on this processor")


def words_of(type: Attribute) -> list[Attribute]:
    """The types of the words that hold a value of `type`: i32, f32 or i1.

    A 64-bit integer or float has two words, the lower one first. The upper bits of 8- and 16-bit
    integers are zero. An `index` has 32 bits, as a pointer.
    """
    return [word for part in parts_of(type) for word in _words_of_part(part)]


def _words_of_part(type: Attribute) -> list[Attribute]:
    if type in (i1, f32):
        return [type]
    return [i32] * (2 if width_of(type) == 64 else 1)


def width_of(type: Attribute) -> int:
    """The number of bits of a scalar in registers."""
    match type:
        case IntegerType():
            return type.width.data
        case Float16Type():
            return 16
        case Float64Type():
            return 64
        case _:
            return 32
