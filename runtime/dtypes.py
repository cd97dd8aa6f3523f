"""Types of the `ocl` dialect as numpy types, and which numpy types fit which of them.

Integers of a kernel have no sign, so the C spelling of a type decides: with "uint" an i32 is
`uint32` only, without a known spelling both `int32` and `uint32` fit. The fields of a structure
have no spelling; either sign fits there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
    VectorType,
)
from xdsl.ir import Attribute

from polycl.dialects.ocl import ArrayType, PtrType, StructType, UnionType
from polycl.dialects.ocl.layout import field_offsets, size_of, stride_of

_SIGNED = {
    **dict.fromkeys(("char", "short", "int", "long", "ptrdiff_t", "intptr_t"), True),
    **dict.fromkeys(("bool", "uchar", "ushort", "uint", "ulong", "size_t", "uintptr_t"), False),
}
_SPELLING = re.compile(r"([a-z_]+?)(\d*)[\s*]*")


def element_name(spelling: str) -> str:
    """The scalar in a C type: "uint" for "uint4*"; "" where there is none."""
    match = _SPELLING.fullmatch(spelling)
    return "" if match is None else match[1]


def signedness(spelling: str) -> bool | None:
    """Whether the integers of a C type such as "uint4*" are signed; None where unknown."""
    return _SIGNED.get(element_name(spelling))


@dataclass(frozen=True)
class Element:
    """An element of a buffer: `base` in `shape`, the trailing dimensions of an array."""

    base: Attribute
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        return math.prod(self.shape)


def element_of(pointee: Attribute) -> Element:
    """The scalar or structure that `pointee` repeats: a `float4` is 4 times `float`.

    A 3-element vector occupies 4 elements in memory.
    """
    match pointee:
        case VectorType():
            return Element(pointee.element_type, (_stored(pointee),))
        case ArrayType():
            inner = element_of(pointee.element)
            return Element(inner.base, (pointee.size.data, *inner.shape))
        case _:
            return Element(pointee, ())


def _stored(vector: VectorType) -> int:
    count = vector.element_count()
    return 4 if count == 3 else count


def dtype_of(
    type: Attribute,
    signed: bool | None = None,
    *,
    in_buffer: bool = True,
    unsigned: Collection[str] = (),
) -> np.dtype[Any]:
    """The numpy type of one `type` in a buffer (there a 3-element vector has 4) or by value.

    A vector and an array are subarray types, so `np.zeros(8, dtype)` has a trailing dimension;
    a structure and a union are structured types with C's offsets and size. Integers are
    signed unless `signed` is False, those in structures unless `unsigned` has the path to them,
    for example "inner.flags". Pointers in structures are `uint64`.

    Raises:
        TypeError: `type` has no layout in memory.
    """
    return _dtype(type, signed is not False, in_field=not in_buffer, unsigned=unsigned)


def _dtype(
    type: Attribute,
    signed: bool,
    in_field: bool,
    unsigned: Collection[str] = (),
    path: str = "",
) -> np.dtype[Any]:
    match type:
        case IntegerType() | Float16Type() | Float32Type() | Float64Type() | PtrType():
            return np.dtype(f"<{_kind(type, signed)}{size_of(type)}")
        case VectorType():
            # A field has room for the 4th element as padding.
            count = type.element_count() if in_field else _stored(type)
            return np.dtype((_dtype(type.element_type, signed, True), (count,)))
        case ArrayType():
            element = _dtype(type.element, signed, False, unsigned, path)
            return np.dtype((element, (type.size.data,)))
        case StructType() | UnionType():
            return np.dtype(
                {
                    "names": [name for name, _ in type.fields],
                    "formats": [
                        _dtype(field, path + name not in unsigned, True, unsigned, f"{path}{name}.")
                        for name, field in type.fields
                    ],
                    "offsets": list(field_offsets(type)),
                    "itemsize": stride_of(type),
                }
            )
        case _:
            raise TypeError(f"{type} has no layout in memory")


def _kind(type: Attribute, signed: bool) -> str:
    match type:
        case IntegerType():
            sign = type.signedness.data
            signed = signed if sign is Signedness.SIGNLESS else sign is Signedness.SIGNED
            return "i" if signed else "u"
        case PtrType():
            return "u"
        case _:
            return "f"


def describe_dtype(dtype: np.dtype[Any]) -> str:
    """`dtype` as a user writes it: `float32`, `float32[4]`, `{pos: float32[4], id: int32}`."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return describe_dtype(base) + "".join(f"[{n}]" for n in shape)
    if dtype.names is not None:
        fields = (f"{name}: {describe_dtype(field)}" for name, field, _ in dtype_fields(dtype))
        return "{" + ", ".join(fields) + "}"
    return dtype.name if dtype.isnative else f"{dtype.name} with swapped bytes"


def dtype_fields(dtype: np.dtype[Any]) -> list[tuple[str, np.dtype[Any], int]]:
    """The name, type and byte offset of each field of a structured type."""
    fields: Any = dtype.fields
    return [(name, *fields[name][:2]) for name in dtype.names or ()]


def scalar_fits(dtype: np.dtype[Any], type: Attribute, spelling: str) -> bool:
    """Whether a scalar of `dtype` has the representation of the scalar or pointer `type`."""
    if dtype.itemsize != size_of(type) or not dtype.isnative:
        return False
    if element_name(spelling) == "bool" or (not spelling and dtype.itemsize == 1):
        return dtype.kind in "biu"
    match type:
        case IntegerType():
            signed = signedness(spelling)
            return dtype.kind in ("iu" if signed is None else "i" if signed else "u")
        case PtrType():
            return dtype.kind in "iu"
        case _:
            return dtype.kind == "f"


@lru_cache(maxsize=256)
def layout_mismatch(dtype: np.dtype[Any], type: Attribute, spelling: str) -> str | None:
    """The reason why a structured `dtype` has not the layout of `type`, or None where it has.

    Field names do not matter. Fields of `dtype` may lie in padding; a union takes anything.
    """
    if dtype.itemsize != stride_of(type):
        return f"it has {dtype.itemsize} bytes, expected {stride_of(type)}"
    wanted = list(_leaves(type, 0, ""))
    found = {offset: (leaf, path) for offset, leaf, path in _dtype_leaves(dtype, 0, "")}
    for leaf in wanted:
        if leaf.type is None:
            continue
        what = f"'{leaf.path}'" if leaf.path else "the element"
        have = found.pop(leaf.offset, None)
        if have is None:
            return f"it has no field at byte {leaf.offset} for {what}"
        if not scalar_fits(have[0], leaf.type, spelling):
            expected = describe_dtype(_dtype(leaf.type, signedness(spelling) is not False, True))
            got = describe_dtype(have[0])
            return f"field '{have[1]}' at byte {leaf.offset} is {got}, expected {expected}"
    for offset, (leaf, path) in found.items():
        for taken in wanted:
            overlaps = offset < taken.end and taken.offset < offset + leaf.itemsize
            if taken.type is not None and overlaps:
                return f"field '{path}' at byte {offset} overlaps '{taken.path}'"
    return None


def without_padding(type: Attribute, data: bytes) -> bytes:
    """`data`, the bytes of one `type`, with zeros between the fields."""
    result = bytearray(len(data))
    for leaf in _leaves(type, 0, ""):
        result[leaf.offset : leaf.end] = data[leaf.offset : leaf.end]
    return bytes(result)


@dataclass(frozen=True)
class _Leaf:
    """A scalar at a byte offset; the space of a union has `type` None."""

    offset: int
    end: int
    type: Attribute | None
    path: str


def _leaves(type: Attribute, offset: int, path: str) -> Iterator[_Leaf]:
    match type:
        case VectorType():
            size = size_of(type.element_type)
            for i in range(type.element_count()):
                at = offset + i * size
                yield _Leaf(at, at + size, type.element_type, f"{path}[{i}]")
        case ArrayType():
            for i in range(type.size.data):
                yield from _leaves(
                    type.element, offset + i * stride_of(type.element), f"{path}[{i}]"
                )
        case StructType():
            offsets = field_offsets(type)
            for (name, field), at in zip(type.fields, offsets, strict=True):
                yield from _leaves(field, offset + at, f"{path}.{name}" if path else name)
        case UnionType():
            yield _Leaf(offset, offset + size_of(type), None, path)
        case _:
            yield _Leaf(offset, offset + size_of(type), type, path)


def _dtype_leaves(
    dtype: np.dtype[Any], offset: int, path: str
) -> Iterator[tuple[int, np.dtype[Any], str]]:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        for i in range(math.prod(shape)):
            yield from _dtype_leaves(base, offset + i * base.itemsize, f"{path}[{i}]")
    elif dtype.names is not None:
        for name, field, at in dtype_fields(dtype):
            yield from _dtype_leaves(field, offset + at, f"{path}.{name}" if path else name)
    else:
        yield offset, dtype, path
