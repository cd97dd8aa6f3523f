"""Unset values.

A `Poison` is an unset scalar or pointer. Vectors, arrays and structs stay tuples, whose
elements may be poison. `Buffer.valid` has one byte for each byte of memory, 1 if it has been
written: an unset value may be copied through private and local memory, so that a structure with
unset fields can be passed around; only its use is an error.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation

from polycl.backends.interp.buffers import AddressMap, Buffer
from polycl.backends.interp.codec import (
    AggregateCodec,
    Codec,
    UnionCodec,
    VectorCodec,
    codec_of,
)
from polycl.dialects.ocl import ArrayType, StructType, UnionType


class Poison:
    """An unset value, and its origin."""

    __slots__ = ("buffer", "division", "offset", "op")

    def __init__(
        self, op: Operation, buffer: Buffer | None = None, offset: int = 0, division: str = ""
    ):
        self.op = op
        """The operation that read it, or the place where a variable has no value."""
        self.buffer = buffer
        self.offset = offset
        self.division = division
        """Of an element of a vector: why its division is undefined."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poison)

    def __hash__(self) -> int:
        return 0

    def describe(self) -> str:
        """The text of a note at `op`."""
        if self.buffer is None:
            return "the value comes from here, where a variable has none on the path taken"
        return (
            f"the value is read here, from byte offset {self.offset} of {self.buffer.what}, "
            "which holds none"
        )


Unset: TypeAlias = "Poison | tuple[Unset, ...] | PartialBytes"


class PartialBytes(bytes):
    """The bytes of a union of which some are unset."""

    valid: bytearray

    @classmethod
    def of(cls, data: bytes, valid: bytearray) -> PartialBytes:
        made = cls(data)
        made.valid = valid
        return made


_UNSET = frozenset((Poison,))


def poison_in(value: Any) -> Poison | None:
    """The first unset part of a value. Unions count as set."""
    if type(value) is Poison:
        return value
    if type(value) is not tuple:
        return None
    if not _UNSET.isdisjoint(map(type, value)):
        return next(part for part in value if type(part) is Poison)
    if tuple not in map(type, value):
        return None
    return next((p for part in value if (p := poison_in(part)) is not None), None)


def poison_of(type: Attribute, poison: Poison) -> Any:
    """An unset value of `type`."""
    match type:
        case VectorType():
            return (poison,) * type.element_count()
        case ArrayType():
            return (poison_of(type.element, poison),) * type.size.data
        case StructType():
            return tuple(poison_of(field, poison) for _, field in type.fields)
        case UnionType():
            size = codec_of(type).size
            return PartialBytes.of(bytes(size), bytearray(size))
        case _:
            return poison


def read_value(
    codec: Codec, size: int, buffer: Buffer, offset: int, op: Operation, addresses: AddressMap
) -> Any:
    """Read `size` bytes; the value is unset where they are."""
    value = codec.read(buffer.data, offset, addresses)
    valid = buffer.valid
    if valid is None or valid.find(0, offset, offset + size) < 0:
        return value
    return _masked(codec, value, valid, offset, Poison(op, buffer, offset))


def _masked(codec: Codec, value: Any, valid: bytearray, offset: int, poison: Poison) -> Any:
    match codec:
        case VectorCodec() | AggregateCodec():
            return tuple(
                _masked(part, element, valid, offset + at, poison)
                for element, (at, part) in zip(value, codec.parts, strict=True)
            )
        case UnionCodec():
            bits = valid[offset : offset + codec.size]
            return PartialBytes.of(value, bits) if 0 in bits else value
        case _:
            return poison if valid.find(0, offset, offset + codec.size) >= 0 else value


def write_value(
    codec: Codec, size: int, buffer: Buffer, offset: int, value: Any, addresses: AddressMap
) -> Poison | None:
    """Write a value; unset parts become zero, and are marked if the buffer has marks.

    Returns an unset part of the value if it cannot be marked.
    """
    valid = buffer.valid
    poison = poison_in(value)
    if poison is None and not isinstance(codec, AggregateCodec | UnionCodec):
        codec.write(buffer.data, offset, value, addresses)
        if valid is not None:
            valid[offset : offset + size] = b"\1" * size
        return None
    codec.write(buffer.data, offset, _filled(codec, value), addresses)
    if valid is None:
        return poison
    valid[offset : offset + size] = b"\1" * size
    _mark(codec, value, valid, offset)
    return None


def _filled(codec: Codec, value: Any) -> Any:
    """The value with zeros for its unset parts."""
    if type(value) is Poison:
        return codec.zero
    match codec:
        case VectorCodec() | AggregateCodec():
            pairs = zip(value, codec.parts, strict=True)
            return tuple(_filled(part, element) for element, (_, part) in pairs)
        case _:
            return value


def _mark(codec: Codec, value: Any, valid: bytearray, offset: int) -> None:
    """Mark the bytes of the unset parts of a value."""
    if type(value) is Poison:
        valid[offset : offset + codec.size] = bytes(codec.size)
        return
    match codec:
        case VectorCodec() | AggregateCodec():
            for element, (at, part) in zip(value, codec.parts, strict=True):
                _mark(part, element, valid, offset + at)
        case UnionCodec():
            if isinstance(value, PartialBytes):
                valid[offset : offset + codec.size] = value.valid
        case _:
            pass
