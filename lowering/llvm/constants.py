"""Program-scope data as bytes."""

from __future__ import annotations

import struct

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    TensorType,
    VectorType,
    i8,
    i64,
)
from xdsl.ir import Attribute

from polycl.dialects.ocl import ArrayType, ConstantDataOp, PtrType, StructType, UnionType
from polycl.dialects.ocl.layout import align_of, field_offsets, size_of, stride_of

_FLOAT_CODES = {2: "<e", 4: "<f", 8: "<d"}


def constant_bytes(type: Attribute, value: Attribute) -> bytes:
    """The memory of a constant of `type`, little-endian; padding is zero. An address in it is the
    number of bytes from the start of this memory, which whoever places it has to add."""
    return _memory(type, value)[0]


def address_places(type: Attribute, value: Attribute) -> tuple[int, ...]:
    """Where the memory of a constant holds addresses."""
    return tuple(_memory(type, value)[1])


def _memory(type: Attribute, value: Attribute) -> tuple[bytes, list[int]]:
    data, places = bytearray(size_of(type)), list[int]()
    _fill(data, places, 0, type, value)
    return bytes(data), places


def _fill(data: bytearray, places: list[int], at: int, type: Attribute, value: Attribute) -> None:
    size = size_of(type)
    match type, value:
        case PtrType(), ArrayAttr(data=(_, IntegerAttr() as offset)):
            places.append(at)
            _fill(data, places, at, i64, offset)
        case _, FloatAttr():
            data[at : at + size] = struct.pack(_FLOAT_CODES[size], value.value.data)
        case _, IntegerAttr():
            number = value.value.data % (1 << 8 * size)
            data[at : at + size] = number.to_bytes(size, "little")
        case ArrayType(), ArrayAttr():
            for i, element in enumerate(value):
                _fill(data, places, at + i * stride_of(type.element), type.element, element)
        case VectorType(), ArrayAttr():
            for i, element in enumerate(value):
                _fill(data, places, at + i * size_of(type.element_type), type.element_type, element)
        case StructType() | UnionType(), ArrayAttr():
            fields = zip(field_offsets(type), type.field_types, value, strict=False)
            for offset, field, element in fields:
                _fill(data, places, at + offset, field, element)
        case _:
            raise AssertionError(f"{value} is not a constant of {type}")


def convert_constant(op: ConstantDataOp, space: int = 0) -> llvm.GlobalOp:
    """An `ocl.constant` as a global of bytes in the address space with that number."""
    data = constant_bytes(op.type, op.value)
    values = DenseIntOrFPElementsAttr(TensorType(i8, [len(data)]), BytesAttr(data))
    new = llvm.GlobalOp(
        llvm.LLVMArrayType(len(data), i8),
        op.sym_name,
        "internal",
        constant=True,
        value=values,
        addr_space=space,
        alignment=align_of(op.type),
    )
    new.location = op.location
    return new
