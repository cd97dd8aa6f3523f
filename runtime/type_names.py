"""Types of the `ocl` dialect as short text (`f32`, `u8x4`, `i32[8]`, `{pos:f32x4,id:i32}`).

A structure after `packed` has no padding: `packed{tag:i8,id:i32}`. Sizes and alignments are those
of OpenCL C: a vector is aligned to its size, a 3-element vector takes the space of 4, members of a
structure lie as C lays them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
    VectorType,
)
from xdsl.ir import Attribute

from polycl.dialects.ocl import ArrayType, StructType, UnionType
from polycl.dialects.ocl.attributes import VECTOR_WIDTHS, is_scalar
from polycl.dialects.ocl.layout import field_offsets, size_of, stride_of
from polycl.errors import ArgumentError
from polycl.runtime.dtypes import dtype_of

SCALAR_TYPES: dict[str, Attribute] = {
    **{f"i{bits}": IntegerType(bits, Signedness.SIGNED) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": IntegerType(bits, Signedness.UNSIGNED) for bits in (8, 16, 32, 64)},
    "f16": Float16Type(),
    "f32": Float32Type(),
    "f64": Float64Type(),
}


def parse_type(text: str) -> Attribute:
    """The type that `text` describes. Its integers have a sign. Raises ArgumentError."""
    if text.endswith("}"):
        for prefix in ("", "packed"):
            if text.startswith(f"{prefix}{{"):
                return _structure(text.removeprefix(prefix), packed=bool(prefix))
    if array := re.fullmatch(r"(.+?)((\[[1-9]\d*\])+)", text):
        type = parse_type(array[1])
        # The leftmost size is the outermost, as in C.
        for size in reversed(re.findall(r"\d+", array[2])):
            type = ArrayType(int(size), type)
        return type
    if vector := re.fullmatch(r"([iuf]\d+)x(\d+)", text):
        element = parse_type(vector[1])
        if not is_scalar(element) or int(vector[2]) not in VECTOR_WIDTHS:
            raise ArgumentError(f"'{text}': a vector has 2, 3, 4, 8 or 16 elements")
        return VectorType(element, [int(vector[2])])
    if text not in SCALAR_TYPES:
        raise ArgumentError(
            f"unknown type '{text}'; expected one of {', '.join(SCALAR_TYPES)}, "
            "a vector such as f32x4, an array such as f32[8], or {name:type,...}"
        )
    return SCALAR_TYPES[text]


def _structure(text: str, *, packed: bool) -> StructType:
    members: list[tuple[str, Attribute]] = []
    for member in split(text[1:-1], ","):
        name, colon, type_text = member.partition(":")
        if not colon or not name.isidentifier() or not name.isascii():
            raise ArgumentError(f"'{member}' is not a member; expected name:type")
        members.append((name, parse_type(type_text)))
    if len({name for name, _ in members}) != len(members):
        raise ArgumentError(f"'{text}' has two members of one name")
    return StructType("", members, packed=packed)


def split(text: str, separator: str) -> Sequence[str]:
    """Split at `separator` outside of brackets. Raises ArgumentError where they do not match."""
    parts: list[str] = []
    open_brackets: list[str] = []
    start = 0
    for i, c in enumerate(text):
        if c in "({[":
            open_brackets.append(c)
        elif c in ")}]":
            if not open_brackets or open_brackets.pop() + c not in ("()", "{}", "[]"):
                raise ArgumentError("the brackets do not match")
        elif c == separator and not open_brackets:
            parts.append(text[start:i])
            start = i + 1
    if open_brackets:
        raise ArgumentError("the brackets do not match")
    return [*parts, text[start:]]


def parts_of(type: Attribute) -> list[Attribute] | None:
    """The types of the elements or members of `type`; None for a scalar."""
    match type:
        case VectorType():
            return [type.element_type] * type.element_count()
        case ArrayType():
            return [type.element] * type.size.data
        case StructType():
            return [field for _, field in type.fields]
        case _:
            return None


def type_name(type: Attribute, signed: bool) -> str:
    """The text of `type`, whose integers without a sign are signed or not.

    A union is written as its largest member. A type that is not laid out as C would do it is
    packed, with bytes between the members.
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
            offsets = field_offsets(type)
            made = _structure(plain, packed=False)
            if field_offsets(made) == offsets and size_of(made) == stride_of(type):
                return plain
            return _packed(list(zip(names, offsets, strict=True)), stride_of(type))
        case UnionType():
            names = [(name, type_name(field, True)) for name, field in type.fields]
            largest = max(names, key=lambda name: size_of(parse_type(name[1])))
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
        end = offset + size_of(parse_type(member[1]))
    if size > end:
        all.append((f"_{end}", f"u8[{size - end}]"))
    return "packed{" + _members(all) + "}"


def value_text(type: str, numbers: Iterator[int]) -> str:
    """A value of a type that `type_name` wrote: `f32x2(1,2)`, `{a:i32[2]}((1,2))`."""
    return type + _nested(parse_type(type), numbers)


def _nested(type: Attribute, numbers: Iterator[int]) -> str:
    parts = parts_of(type)
    if parts is None:
        return str(next(numbers))
    return f"({','.join(_nested(part, numbers) for part in parts)})"
