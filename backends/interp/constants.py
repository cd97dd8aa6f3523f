"""Program-scope data: `ocl.constant` as buffers."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, ModuleOp
from xdsl.ir import Attribute

from polycl.backends.interp.buffers import NULL, AddressMap, Buffer
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.ops.run_arith import constant_value
from polycl.dialects.ocl import ConstantDataOp, PtrType, UnionType
from polycl.dialects.ocl.kernel import constant_parts
from polycl.dialects.ocl.layout import size_of


def program_constants(module: ModuleOp) -> dict[str, Buffer]:
    """The buffers of all `ocl.constant` operations of the module by symbol name."""
    return {op.sym_name.data: _buffer(op) for op in module.ops if isinstance(op, ConstantDataOp)}


def _buffer(op: ConstantDataOp) -> Buffer:
    data = bytearray(size_of(op.type))
    value = data_value(op.value, op.type)
    codec_of(op.type).write(data, 0, value, AddressMap())  # Pointers in it are null.
    name = op.sym_name.data
    return Buffer(f"constant '{name}'", data, "constant memory is read-only")


def data_value(attribute: Attribute, type: Attribute) -> Any:
    """The value of a constant of any type; its form is that of `ocl.constant`."""
    if isinstance(type, PtrType):
        return NULL
    if isinstance(attribute, IntegerAttr | FloatAttr):
        return constant_value(attribute, type)
    assert isinstance(attribute, ArrayAttr)
    types = constant_parts(type)
    assert types is not None
    if isinstance(type, UnionType):
        data = bytearray(size_of(type))
        first = data_value(attribute.data[0], types[0])
        codec_of(types[0]).write(data, 0, first, AddressMap())
        return bytes(data)
    return tuple(data_value(part, t) for part, t in zip(attribute, types, strict=True))
