"""Types of the `ocl` dialect as the texts of `polycl.runtime.dataspec`."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from polycl.dialects.ocl import ArrayType, StructType, UnionType
from polycl.dialects.ocl.layout import field_offsets, stride_of
from polycl.runtime import datatypes
from polycl.runtime.datatypes import DataType, StructureType, parse_type
from polycl.runtime.dtypes import dtype_of


def type_name(type: Attribute, signed: bool) -> str:
    """`type` as `polycl.runtime.dataspec` writes it: `f32`, `u8x4`, `{pos:f32x4,id:i32}`.

    A union is one of its members, and what is laid out otherwise than C would do it is packed,
    with bytes between the members.
    """
    match type:
        case VectorType():
            return f"{type_name(type.element_type, signed)}x{type.element_count()}"
        case ArrayType():
            sizes = ""
            while isinstance(type, ArrayType):
                sizes += f"[{type.size.data}]"
                type = type.element
            return type_name(type, signed) + sizes
        case StructType():
            names = [(name, type_name(field, True)) for name, field in type.fields]
            plain = "{" + _members(names) + "}"
            offsets = list(field_offsets(type))
            made = parse_type(plain)
            assert isinstance(made, StructureType)
            if made.offsets == offsets and made.size == stride_of(type):
                return plain
            return _packed(list(zip(names, offsets, strict=True)), stride_of(type))
        case UnionType():
            names = [(name, type_name(field, True)) for name, field in type.fields]
            largest = max(names, key=lambda name: parse_type(name[1]).size)
            return _packed([(largest, 0)], stride_of(type))
        case _:
            dtype = dtype_of(type, signed)
            return f"{dtype.kind.lower()}{8 * dtype.itemsize}"


def _members(names: list[tuple[str, str]]) -> str:
    return ",".join(f"{name}:{text}" for name, text in names)


def _packed(members: list[tuple[tuple[str, str], int]], size: int) -> str:
    """A structure of `size` bytes with members at these offsets."""
    all: list[tuple[str, str]] = []
    end = 0
    for member, offset in members:
        if offset > end:
            all.append((f"_{end}", f"u8[{offset - end}]"))
        all.append(member)
        end = offset + parse_type(member[1]).size
    if size > end:
        all.append((f"_{end}", f"u8[{size - end}]"))
    return "packed{" + _members(all) + "}"


def value_text(type: str, numbers: Iterator[int]) -> str:
    """A value of a type that `type_name` wrote: `f32x2(1,2)`, `{a:i32[2]}((1,2))`."""
    return type + _nested(parse_type(type), numbers)


def _nested(type: DataType, numbers: Iterator[int]) -> str:
    match type:
        case datatypes.VectorType() | datatypes.ArrayType():
            inner = [_nested(type.element, numbers) for _ in range(type.count)]
        case StructureType():
            inner = [_nested(member, numbers) for _, member in type.members]
        case _:
            return str(next(numbers))
    return f"({','.join(inner)})"
