"""Pointers and memory: allocation, loads and stores, address arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation

from polycl.analysis.ocl.addresses import required_alignment
from polycl.backends.interp.access import check_access
from polycl.backends.interp.buffers import NOWHERE, Buffer, Pointer
from polycl.backends.interp.codec import Codec, codec_of
from polycl.backends.interp.elementwise import handlers, whole, zero
from polycl.backends.interp.state import Frame, place_of
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import align_of, size_of, stride_of
from polycl.dialects.ocl.memory import pointer_type

_SIGN, _WRAP = 1 << 63, 1 << 64


def _alloca(op: ocl.AllocaOp, t: Translator) -> Step:
    target, size = t.slot(op.result), size_of(pointer_type(op.result).pointee)
    what = f"the private memory allocated at {place_of(op)}"

    def step(frame: Frame) -> None:
        frame[target] = (Buffer.allocate(what, size, ocl.AddressSpace.PRIVATE), 0)

    return step


def _local_alloc(op: ocl.LocalAllocOp, t: Translator) -> Step:
    target, size = t.slot(op.result), size_of(pointer_type(op.result).pointee)
    what = f"the local memory allocated at {place_of(op)}"

    def step(frame: Frame) -> None:
        memory = frame[0].group.local_memory
        if op not in memory:
            memory[op] = Buffer.allocate(what, size, ocl.AddressSpace.LOCAL)
        frame[target] = (memory[op], 0)

    return step


def _address_of(op: ocl.AddressOfOp, t: Translator) -> Step:
    target, name = t.slot(op.result), op.symbol.string_value()

    def step(frame: Frame) -> None:
        frame[target] = (frame[0].launch.constants[name], 0)

    return step


@dataclass(frozen=True)
class Place:
    """The place of a load or store: slot `pointer` + slot `index` * `stride` bytes."""

    pointer: int
    index: int
    stride: int
    size: int
    align: int
    codec: Codec


def place_of_access(
    op: ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp, type: Attribute, t: Translator
) -> Place:
    """The place of a value of `type`."""
    codec = codec_of(type)
    # Without an index: that of a zero.
    index = t.constant_slot(0) if op.index is None else t.slot(op.index)
    if isinstance(op, ocl.VLoadOp | ocl.VStoreOp):
        # A vector of 3 has 3 elements here, not 4.
        stride = size = _packed_size(type)
        natural = align_of(pointer_type(op.pointer).pointee)
    else:
        stride, size, natural = stride_of(type), codec.size, codec.align
    align = required_alignment(op.pointer, natural)
    return Place(t.slot(op.pointer), index, stride, size, align, codec)


def _packed_size(type: Attribute) -> int:
    """The bytes of a vector's elements without padding."""
    assert isinstance(type, VectorType)
    return type.element_count() * size_of(type.element_type)


def _load(op: ocl.LoadOp | ocl.VLoadOp, t: Translator) -> Step:
    target = t.slot(op.result)
    place = place_of_access(op, op.result.type, t)
    pointer, index, stride = place.pointer, place.index, place.stride
    size, align, read = place.size, place.align, place.codec.read

    def step(frame: Frame) -> None:
        buffer, offset = frame[pointer]
        count = frame[index]
        offset += (count if count < _SIGN else count - _WRAP) * stride
        if offset < 0 or offset + size > buffer.size or offset % align:
            at = (buffer, offset)
            buffer, offset = check_access(op, frame[0], at, size, align, writes=False)
        frame[target] = read(buffer.data, offset, frame[0].addresses)

    return step


def _store(op: ocl.StoreOp | ocl.VStoreOp, t: Translator) -> Step:
    value = t.slot(op.value)
    place = place_of_access(op, op.value.type, t)
    pointer, index, stride = place.pointer, place.index, place.stride
    size, align, write = place.size, place.align, place.codec.write

    def step(frame: Frame) -> None:
        buffer, offset = frame[pointer]
        count = frame[index]
        offset += (count if count < _SIGN else count - _WRAP) * stride
        if offset < 0 or offset + size > buffer.writable_size or offset % align:
            at = (buffer, offset)
            buffer, offset = check_access(op, frame[0], at, size, align, writes=True)
        write(buffer.data, offset, frame[value], frame[0].addresses)

    return step


def _offset(op: ocl.OffsetOp, t: Translator) -> Step:
    pointer, index = t.slots(op.operands)
    target, stride = t.slot(op.result), stride_of(pointer_type(op.pointer).pointee)

    def step(frame: Frame) -> None:
        buffer, offset = frame[pointer]
        count = frame[index]
        frame[target] = (buffer, offset + (count if count < _SIGN else count - _WRAP) * stride)

    return step


def _member(op: ocl.MemberOp) -> Callable[[Pointer], Pointer]:
    distance = op.offset
    return lambda pointer: (pointer[0], pointer[1] + distance)


def _ptr_to_int(op: ocl.PtrToIntOp, t: Translator) -> Step:
    source, target = t.slot(op.pointer), t.slot(op.result)

    def step(frame: Frame) -> None:
        frame[target] = frame[0].addresses.address(frame[source])

    return step


def _is_in(op: ocl.IsInOp, t: Translator) -> Step:
    source, target, space = t.slot(op.pointer), t.slot(op.result), op.space

    def step(frame: Frame) -> None:
        buffer = frame[source][0]
        frame[target] = int(buffer is not NOWHERE and buffer.space is space)

    return step


def _int_to_ptr(op: ocl.IntToPtrOp, t: Translator) -> Step:
    source, target = t.slot(op.address), t.slot(op.result)

    def step(frame: Frame) -> None:
        frame[target] = frame[0].addresses.pointer(frame[source])

    return step


def _prefetch(op: ocl.PrefetchOp, t: Translator) -> None:
    """A hint without an effect."""


OPERATIONS: dict[type[Operation], OpHandler] = {
    ocl.AllocaOp: _alloca,
    ocl.LocalAllocOp: _local_alloc,
    ocl.AddressOfOp: _address_of,
    ocl.LoadOp: _load,
    ocl.StoreOp: _store,
    ocl.VLoadOp: _load,
    ocl.VStoreOp: _store,
    ocl.OffsetOp: _offset,
    **handlers(whole, {ocl.MemberOp: _member, ocl.CastOp: lambda op: lambda pointer: pointer}),
    ocl.PtrToIntOp: _ptr_to_int,
    ocl.IsInOp: _is_in,
    ocl.IntToPtrOp: _int_to_ptr,
    ocl.NullOp: zero,
    ocl.NullEventOp: zero,
    ocl.PrefetchOp: _prefetch,
}
