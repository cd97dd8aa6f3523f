"""Sizes, alignments and field offsets in bytes (OpenCL 1.2, 6.1, 6.2.5).

The layout is that of clang's spir64 target: every OpenCL device with 64-bit addresses shares it.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute

from polycl.dialects.ocl.attributes import (
    ArrayType,
    EventType,
    PtrType,
    RecordType,
    StructType,
    UnionType,
)

POINTER_SIZE = 8


def round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


_SIZES: dict[type[Attribute], int] = {
    Float16Type: 2,
    Float32Type: 4,
    **dict.fromkeys((Float64Type, IndexType, PtrType, EventType), POINTER_SIZE),
}
"""Of types of one size; to match a type with several classes takes long."""


def size_of(type: Attribute) -> int:
    """The size of a value of `type` in bytes; a 3-element vector has that of a 4-element one.

    Raises:
        TypeError: `type` has no layout in memory.
    """
    if (known := _SIZES.get(type.__class__)) is not None:
        return known
    match type:
        case IntegerType() if type.width.data % 8 == 0:
            return type.width.data // 8
        case VectorType():
            count = type.element_count()
            return (4 if count == 3 else count) * size_of(type.element_type)
        case ArrayType():
            return type.size.data * stride_of(type.element)
        case StructType():
            end = max((offset + size_of(t) for offset, t in _fields(type)), default=0)
            return round_up(end, align_of(type))
        case UnionType():
            end = max((size_of(t) for _, t in type.fields), default=0)
            return round_up(end, align_of(type))
        case _:
            raise TypeError(f"{type} has no layout in memory")


def has_padding(type: Attribute) -> bool:
    """Whether a value of `type` has bytes that a store may leave as they were."""
    return _data_size(type) < size_of(type)


def _data_size(type: Attribute) -> int:
    match type:
        case VectorType():
            return type.element_count() * size_of(type.element_type)
        case ArrayType():
            return type.size.data * _data_size(type.element)
        case StructType():
            return sum(_data_size(field) for _, field in type.fields)
        case UnionType():
            return min((_data_size(field) for _, field in type.fields), default=0)
        case _:
            return size_of(type)


def align_of(type: Attribute) -> int:
    """The natural alignment of `type` in bytes: vectors are aligned to their own size."""
    if (known := _SIZES.get(type.__class__)) is not None:
        return known
    match type:
        case ArrayType():
            return align_of(type.element)
        case StructType() | UnionType():
            natural = 1 if type.is_packed else max((align_of(t) for _, t in type.fields), default=1)
            return max(natural, type.alignment.data)
        case _:
            return size_of(type)


def stride_of(type: Attribute) -> int:
    """The distance in bytes between two neighbours in an array of `type`."""
    return round_up(size_of(type), align_of(type))


def field_offset(type: RecordType, name: str) -> int:
    """The byte offset of field `name`. Raises ValueError where there is no such field."""
    return field_offsets(type)[type.field_index(name)]


def field_offsets(type: RecordType) -> tuple[int, ...]:
    """The byte offset of each field in order."""
    if isinstance(type, UnionType):
        return (0,) * len(type.fields)
    return tuple(offset for offset, _ in _fields(type))


def _fields(type: StructType) -> list[tuple[int, Attribute]]:
    placed: list[tuple[int, Attribute]] = []
    end = 0
    for _, field in type.fields:
        offset = end if type.is_packed else round_up(end, align_of(field))
        placed.append((offset, field))
        end = offset + size_of(field)
    return placed
