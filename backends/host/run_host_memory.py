"""The host's memory: `memref` of one dimension, a `Buffer` of the interpreter."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Operation

from polycl.backends.cpu.aligned_memory import aligned_memory
from polycl.backends.interp.buffers import Buffer
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.state import Frame, place_of, run_error
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.errors import error_at

_SIGN, _WRAP = 1 << 63, 1 << 64


def element_stride(type: Attribute) -> int:
    """The distance of the elements of an array in bytes; an i1 takes a byte."""
    assert isinstance(type, MemRefType)
    return codec_of(type.element_type).size


def _index(op: memref.LoadOp | memref.StoreOp, t: Translator) -> int:
    if len(op.indices) != 1:
        raise error_at(op, f"the host's arrays are one-dimensional, got {op.memref.type}")
    return t.slot(op.indices[0])


def _load(op: memref.LoadOp, t: Translator) -> Step:
    array, index, target = t.slot(op.memref), _index(op, t), t.slot(op.res)
    codec, stride = codec_of(op.res.type), element_stride(op.memref.type)
    read = codec.read

    def step(frame: Frame) -> None:
        buffer, number = frame[array], frame[index]
        offset = (number if number < _SIGN else number - _WRAP) * stride
        if offset < 0 or offset + stride > buffer.size:
            raise _outside(op, frame, "read", buffer, offset // stride, stride)
        frame[target] = read(buffer.data, offset, frame[0].addresses)

    return step


def _store(op: memref.StoreOp, t: Translator) -> Step:
    array, index, value = t.slot(op.memref), _index(op, t), t.slot(op.value)
    codec, stride = codec_of(op.value.type), element_stride(op.memref.type)
    write = codec.write

    def step(frame: Frame) -> None:
        buffer, number = frame[array], frame[index]
        offset = (number if number < _SIGN else number - _WRAP) * stride
        if offset < 0 or offset + stride > buffer.writable_size:
            raise _outside(op, frame, "write", buffer, offset // stride, stride)
        write(buffer.data, offset, frame[value], frame[0].addresses)

    return step


def _outside(
    op: Operation, frame: Frame, verb: str, buffer: Buffer, index: int, stride: int
) -> Exception:
    if buffer.read_only and 0 <= index < buffer.size // stride:
        return run_error(op, frame[0], f"{buffer.what} must not be written: {buffer.read_only}")
    return run_error(
        op,
        frame[0],
        f"{verb} of element {index} is out of bounds: {buffer.what} has "
        f"{buffer.size // stride} elements",
    )


def _alloc(op: memref.AllocOp | memref.AllocaOp, t: Translator) -> Step:
    type = op.memref.type
    assert isinstance(type, MemRefType)
    if type.get_num_dims() != 1:
        raise error_at(op, f"the host's arrays are one-dimensional, got {type}")
    (size,) = type.get_shape()
    is_open = size == DYNAMIC_INDEX
    count = t.slot(op.dynamic_sizes[0]) if is_open else t.constant_slot(size)
    target, stride = t.slot(op.memref), element_stride(type)
    what = f"'{op.memref.name_hint}'" if op.memref.name_hint else f"the array of {place_of(op)}"

    def step(frame: Frame) -> None:
        if frame[count] >= _SIGN:
            raise run_error(op, frame[0], f"an array of {frame[count] - _WRAP} elements")
        frame[target] = Buffer.of_array(what, aligned_memory(frame[count] * stride))

    return step


def _dealloc(op: memref.DeallocOp, t: Translator) -> Step:
    array = t.slot(op.memref)

    def step(frame: Frame) -> None:
        buffer: Buffer = frame[array]
        buffer.data, buffer.size, buffer.writable_size = bytearray(), 0, 0
        buffer.what = f"{buffer.what}, which was freed at {place_of(op)},"

    return step


def _cast(op: memref.CastOp, t: Translator) -> Step:
    source, target = t.slot(op.source), t.slot(op.dest)
    type, wanted = op.dest.type, None
    assert isinstance(type, MemRefType)
    if type.get_num_dims() == 1 and type.get_shape()[0] != DYNAMIC_INDEX:
        wanted = type.get_shape()[0] * element_stride(type)

    def step(frame: Frame) -> None:
        buffer: Buffer = frame[source]
        if wanted is not None and buffer.size != wanted:
            raise run_error(op, frame[0], f"{buffer.what} has {buffer.size} bytes, not {wanted}")
        frame[target] = buffer

    return step


def _dim(op: memref.DimOp, t: Translator) -> Step:
    array, target, stride = t.slot(op.source), t.slot(op.result), element_stride(op.source.type)

    def step(frame: Frame) -> None:
        frame[target] = frame[array].size // stride

    return step


def _copy(op: memref.CopyOp, t: Translator) -> Step:
    source, target = t.slot(op.source), t.slot(op.destination)

    def step(frame: Frame) -> None:
        a, b = frame[source], frame[target]
        if a.size != b.writable_size:
            raise run_error(
                op, frame[0], f"{a.what} with {a.size} bytes is copied to {b.what} with {b.size}"
            )
        b.data[:] = bytes(a.data)

    return step


OPERATIONS: dict[type[Operation], OpHandler | Any] = {
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    memref.AllocOp: _alloc,
    memref.AllocaOp: _alloc,
    memref.DeallocOp: _dealloc,
    memref.CastOp: _cast,
    memref.DimOp: _dim,
    memref.CopyOp: _copy,
}
