"""The values of each type, as Python values and as bytes in memory.

    integer, index      the unsigned number with the bit pattern (i1: 0 or 1, a bool counts)
    f16, f32, f64       the float that equals it
    vector, array       a tuple of its elements
    struct              a tuple of its fields, in order
    union               its bytes
    pointer             `polycl.backends.interp.buffers.Pointer`
    event               0: every copy has ended when the next operation runs

A signalling NaN becomes quiet when it is read, as Python floats pass through the processor.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute

from polycl.backends.interp.buffers import NULL, AddressMap
from polycl.dialects.ocl.attributes import ArrayType, EventType, PtrType, StructType, UnionType
from polycl.dialects.ocl.layout import align_of, field_offsets, size_of, stride_of

Memory: TypeAlias = bytearray | memoryview

_CODES = {1: "B", 8: "B", 16: "H", 32: "I", 64: "Q"}


class UnsupportedType(Exception):
    """The interpreter has no values of a type."""


class Codec(ABC):
    """Reads and writes values of one type; the caller checks bounds."""

    size: int
    align: int
    zero: Any
    """The value whose bytes are all zero."""

    @abstractmethod
    def read(self, data: Memory, offset: int, addresses: AddressMap) -> Any: ...

    @abstractmethod
    def write(self, data: Memory, offset: int, value: Any, addresses: AddressMap) -> None: ...


class ScalarCodec(Codec):
    """An integer, a float, an index or an event."""

    def __init__(self, code: str, zero: int | float = 0):
        self.layout = struct.Struct("<" + code)
        self.size = self.align = self.layout.size
        self.zero = zero

    def read(self, data: Memory, offset: int, addresses: AddressMap) -> Any:
        return self.layout.unpack_from(data, offset)[0]

    def write(self, data: Memory, offset: int, value: Any, addresses: AddressMap) -> None:
        self.layout.pack_into(data, offset, value)


class VectorCodec(Codec):
    """A vector of scalars; the fourth place of a vector of 3 is neither read nor written."""

    def __init__(self, code: str, count: int, size: int, zero: int | float):
        self.layout = struct.Struct(f"<{count}{code}")
        self.size = self.align = size
        self.zero = (zero,) * count
        element = ScalarCodec(code, zero)
        self.parts = tuple((index * element.size, element) for index in range(count))

    def read(self, data: Memory, offset: int, addresses: AddressMap) -> Any:
        return self.layout.unpack_from(data, offset)

    def write(self, data: Memory, offset: int, value: Any, addresses: AddressMap) -> None:
        self.layout.pack_into(data, offset, *value)


class PointerCodec(Codec):
    """A pointer, as its virtual address."""

    size = align = 8
    zero = NULL

    def read(self, data: Memory, offset: int, addresses: AddressMap) -> Any:
        return addresses.pointer(int.from_bytes(data[offset : offset + 8], "little"))

    def write(self, data: Memory, offset: int, value: Any, addresses: AddressMap) -> None:
        data[offset : offset + 8] = addresses.address(value).to_bytes(8, "little")


class AggregateCodec(Codec):
    """A struct or an array: values at offsets."""

    def __init__(self, type: Attribute, offsets: tuple[int, ...], codecs: tuple[Codec, ...]):
        self.size, self.align = size_of(type), align_of(type)
        self.parts = tuple(zip(offsets, codecs, strict=True))
        self.zero = tuple(codec.zero for codec in codecs)

    def read(self, data: Memory, offset: int, addresses: AddressMap) -> Any:
        return tuple(codec.read(data, offset + at, addresses) for at, codec in self.parts)

    def write(self, data: Memory, offset: int, value: Any, addresses: AddressMap) -> None:
        for (at, codec), part in zip(self.parts, value, strict=True):
            codec.write(data, offset + at, part, addresses)


class UnionCodec(Codec):
    """A union, as its bytes."""

    def __init__(self, type: UnionType):
        self.size, self.align = size_of(type), align_of(type)
        self.zero = bytes(self.size)

    def read(self, data: Memory, offset: int, addresses: AddressMap) -> Any:
        return bytes(data[offset : offset + self.size])

    def write(self, data: Memory, offset: int, value: Any, addresses: AddressMap) -> None:
        data[offset : offset + self.size] = value


@cache
def codec_of(type: Attribute) -> Codec:
    """The codec of a type. i1 and index have one, too: a context of a work-group holds them.

    Raises:
        UnsupportedType: the interpreter has no values of `type`.
    """
    match type:
        case VectorType():
            code, zero = _scalar_code(type.element_type)
            count = type.element_count()
            places = 4 if count == 3 else count
            return VectorCodec(code, count, places * struct.calcsize("<" + code), zero)
        case PtrType():
            return PointerCodec()
        case ArrayType():
            stride, count = stride_of(type.element), type.size.data
            offsets = tuple(index * stride for index in range(count))
            return AggregateCodec(type, offsets, (codec_of(type.element),) * count)
        case StructType():
            codecs = tuple(codec_of(field) for _, field in type.fields)
            return AggregateCodec(type, field_offsets(type), codecs)
        case UnionType():
            return UnionCodec(type)
        case _:
            return ScalarCodec(*_scalar_code(type))


def reinterpret(source: Attribute, target: Attribute) -> Callable[[Any], Any]:
    """The bytes of a scalar or vector as a value of another type; missing bytes are zero."""
    writer, reader = codec_of(source), codec_of(target)
    addresses = AddressMap()  # Empty: a scalar holds no pointer.

    def convert(value: Any) -> Any:
        data = bytearray(max(reader.size, writer.size))
        writer.write(data, 0, value, addresses)
        return reader.read(data, 0, addresses)

    return convert


def _scalar_code(type: Attribute) -> tuple[str, int | float]:
    match type:
        case IntegerType() if type.width.data in _CODES:
            return _CODES[type.width.data], 0
        case IndexType() | EventType():
            return "Q", 0
        case Float16Type():
            return "e", 0.0
        case Float32Type():
            return "f", 0.0
        case Float64Type():
            return "d", 0.0
        case _:
            raise UnsupportedType(f"the interpreter has no values of type {type}")
