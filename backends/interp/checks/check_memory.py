"""Memory with checks: every access is located, compared with others, and recorded."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from polycl.backends.device import Size3
from polycl.backends.interp.access import AccessFault, resolve_access
from polycl.backends.interp.buffers import Buffer, Pointer
from polycl.backends.interp.checks.arrays import limits_of
from polycl.backends.interp.checks.checked_launch import CheckedLaunch
from polycl.backends.interp.checks.poison import Poison, poison_in, read_value, write_value
from polycl.backends.interp.checks.remedies import OTHER_PLACES, of_bounds, wrapped_index
from polycl.backends.interp.checks.shadow import PEEK, READ, UPDATE, WRITE
from polycl.backends.interp.codec import Codec, codec_of
from polycl.backends.interp.ops.run_atomics import new_value
from polycl.backends.interp.ops.run_memory import Place, place_of_access
from polycl.backends.interp.ops.run_work_group import ContextArray, context, slot_finder
from polycl.backends.interp.state import Frame, WorkItem
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.ocl.memory import pointer_type

ADDRESS = "an address depends on an uninitialised value"
_SIGN, _WRAP = 1 << 63, 1 << 64

Locate: TypeAlias = Callable[[Frame], "Pointer | None"]
"""The place of an access; None after a finding."""


def _alloca(op: ocl.AllocaOp, t: Translator) -> Step:
    target, size = t.slot(op.result), size_of(pointer_type(op.result).pointee)
    name = op.result.name_hint
    what = f"private memory '{name}'" if name else "private memory"

    def step(frame: Frame) -> None:
        buffer = Buffer.allocate(what, size, ocl.AddressSpace.PRIVATE)
        buffer.valid = bytearray(size)
        frame[target] = (buffer, 0)

    return step


def _local_alloc(op: ocl.LocalAllocOp, t: Translator) -> Step:
    target, size = t.slot(op.result), size_of(pointer_type(op.result).pointee)
    name = op.result.name_hint or ""

    def step(frame: Frame) -> None:
        item: WorkItem = frame[0]
        memory = item.group.local_memory
        if op not in memory:
            memory[op] = checked(item).new_local(name, size)
        frame[target] = (memory[op], 0)

    return step


def checked(item: WorkItem) -> CheckedLaunch:
    """The launch of a work-item."""
    assert isinstance(item.launch, CheckedLaunch)
    return item.launch


def _locate(
    op: ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp,
    place: Place,
    t: Translator,
    *,
    writes: bool,
) -> Locate:
    pointer, index, stride = place.pointer, place.index, place.stride
    size, align = place.size, place.align
    wrapped = wrapped_index(op, t)

    def locate(frame: Frame) -> Pointer | None:
        at, count = frame[pointer], frame[index]
        if type(at) is Poison or type(count) is Poison:
            unset = at if type(at) is Poison else count
            frame[0].launch.unset(unset, op, frame[0], ADDRESS)
            return None
        buffer, offset = at
        offset += (count if count < _SIGN else count - _WRAP) * stride
        end = buffer.writable_size if writes else buffer.readable_size
        if offset < 0 or offset + size > end or offset % align:
            at = buffer, offset
            return find(op, frame[0], at, size, align, writes=writes, why=lambda: wrapped(frame))
        return buffer, offset

    limits = limits_of(op, t)
    if not limits:
        return locate

    def locate_in_arrays(frame: Frame) -> Pointer | None:
        at = locate(frame)
        if at is None:
            return None
        for limit in limits:
            fault = limit.fault(frame)
            if fault is not None:
                item, verb = frame[0], "write" if writes else "read"
                checked(item).error("bounds", op, item, f"{verb} out of bounds: {fault}")
                return None
        return at

    return locate_in_arrays


def find(
    op: Operation,
    item: WorkItem,
    pointer: Pointer,
    size: int,
    align: int,
    *,
    writes: bool,
    why: Callable[[], str] = str,
) -> Pointer | None:
    """The place of an access; None after a finding. `why`: what is wrong with its index."""
    place = resolve_access(item, pointer, size, align, writes=writes)
    if isinstance(place, AccessFault):
        kind = place.kind

        def remedy() -> str:
            if kind != "bounds":
                return OTHER_PLACES.get(kind, "")
            buffer, offset = pointer
            return why() or of_bounds(buffer, offset, size, math.prod(item.group.size))

        checked(item).error(place.kind, op, item, place.text, remedy)
        if place.kind != "alignment":
            return None
        # There is memory, and most hardware can read it.
        place = resolve_access(item, pointer, size, 1, writes=writes)
        return None if isinstance(place, AccessFault) else place
    return place


def _load(op: ocl.LoadOp | ocl.VLoadOp, t: Translator) -> Step:
    target = t.slot(op.result)
    place = place_of_access(op, op.result.type, t)
    locate = _locate(op, place, t, writes=False)
    codec, size = place.codec, place.size

    def step(frame: Frame) -> None:
        at = locate(frame)
        frame[target] = codec.zero if at is None else read_at(at, codec, size, op, frame[0])

    return step


def read_at(at: Pointer, codec: Codec, size: int, op: Operation, item: WorkItem) -> Any:
    """Read `size` bytes at a place that exists, and record the read of `item`."""
    buffer, offset = at
    value = read_value(codec, size, buffer, offset, op, item.addresses)
    shadow = buffer.shadow
    if shadow is not None:
        launch: Any = item.launch
        if launch.group.pending:
            launch.touches(buffer, offset, size, op, item, writes=False)
        shadow.access(READ, offset, size, op, item, launch)
    return value


def _store(op: ocl.StoreOp | ocl.VStoreOp, t: Translator) -> Step:
    value = t.slot(op.value)
    place = place_of_access(op, op.value.type, t)
    locate = _locate(op, place, t, writes=True)
    codec, size = place.codec, place.size

    def step(frame: Frame) -> None:
        at = locate(frame)
        if at is not None:
            write_at(at, codec, size, frame[value], op, frame[0])

    return step


def write_at(
    at: Pointer, codec: Codec, size: int, value: Any, op: Operation, item: WorkItem
) -> None:
    """Write `size` bytes at a place that exists, and record the write of `item`."""
    buffer, offset = at
    launch: Any = item.launch
    shadow, end = buffer.shadow, offset + size
    before = bytes(buffer.data[offset:end]) if shadow is not None else b""
    unset = write_value(codec, size, buffer, offset, value, item.addresses)
    if unset is None and buffer.valid is not None and shadow is not None:
        # It is marked, but the host can read it.
        unset = None if shadow.is_local else poison_in(value)
    if unset is not None:
        launch.unset(unset, op, item, f"an uninitialised value is stored in {_name(buffer)}")
    if shadow is not None:
        if launch.group.pending:
            launch.touches(buffer, offset, size, op, item, writes=True)
        after = bytes(buffer.data[offset:end])
        shadow.access(WRITE, offset, size, op, item, launch, before, after)


def _name(buffer: Buffer) -> str:
    return buffer.what if buffer.shadow is None else buffer.shadow.name


def _atomic(op: ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp, t: Translator) -> Step:
    pointer, target = t.slot(op.pointer), t.slot(op.result)
    codec = codec_of(op.result.type)
    size, align = codec.size, codec.align
    new = new_value(op, t)
    others = t.slots(op.operands[1:])
    # It may be the first write: then only its result is unset.
    exchanges = isinstance(op, ocl.AtomicRMWOp) and op.kind.data is ocl.AtomicKind.XCHG
    compares, only_loads = isinstance(op, ocl.AtomicCmpXchgOp), _only_loads(op)
    expected = others[0]

    def step(frame: Frame) -> None:
        item, launch = frame[0], frame[0].launch
        frame[target] = codec.zero
        place = frame[pointer]
        if type(place) is Poison:
            launch.unset(place, op, item, ADDRESS)
            return
        for slot in others:
            if type(frame[slot]) is Poison:
                launch.unset(frame[slot], op, item, "an atomic is given an uninitialised value")
                return
        at = find(op, item, place, size, align, writes=True)
        if at is None:
            return
        buffer, offset = at
        launch.atomic(item)
        old = read_value(codec, size, buffer, offset, op, item.addresses)
        shadow = buffer.shadow
        if shadow is not None:
            if launch.group.pending:
                launch.touches(buffer, offset, size, op, item, writes=True)
            writes = not only_loads and not (compares and frame[expected] != old)
            shadow.access(UPDATE if writes else PEEK, offset, size, op, item, launch)
        if type(old) is Poison and not exchanges:
            launch.unset(
                old, op, item, f"an atomic reads an uninitialised value of {_name(buffer)}"
            )
            old = codec.zero
        write_value(codec, size, buffer, offset, new(frame, old), item.addresses)
        frame[target] = old

    return step


def _only_loads(op: ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp) -> bool:
    """Whether it is an `or` with a constant 0: the importer's form of `atomic_load`."""
    return (
        isinstance(op, ocl.AtomicRMWOp)
        and op.kind.data is ocl.AtomicKind.OR
        and isinstance(op.value.owner, arith.ConstantOp)
        and isinstance(value := op.value.owner.value, IntegerAttr)
        and value.value.data == 0
    )


class _MarkedArray(ContextArray):
    """A context array that records which bytes of its slots have been written."""

    def slot(self, ids: Size3) -> Buffer | None:
        is_new = ids not in self.slots
        buffer = super().slot(ids)
        if buffer is not None and is_new:
            buffer.valid = bytearray(buffer.size)
        return buffer


def _context(op: wg.ContextOp, t: Translator) -> Step:
    return context(op, t, _MarkedArray)


def _put(op: wg.PutOp, t: Translator) -> Step:
    value, find_slot = t.slot(op.value), slot_finder(op, t)

    def step(frame: Frame) -> None:
        array, buffer = find_slot(frame)
        codec = array.codec
        write_value(codec, codec.size, buffer, 0, frame[value], frame[0].addresses)

    return step


def _get(op: wg.GetOp, t: Translator) -> Step:
    target, find_slot = t.slot(op.result), slot_finder(op, t)

    def step(frame: Frame) -> None:
        array, buffer = find_slot(frame)
        codec = array.codec
        frame[target] = read_value(codec, codec.size, buffer, 0, op, frame[0].addresses)

    return step


OPERATIONS: dict[type[Operation], OpHandler] = {
    ocl.AllocaOp: _alloca,
    ocl.LocalAllocOp: _local_alloc,
    ocl.LoadOp: _load,
    ocl.VLoadOp: _load,
    ocl.StoreOp: _store,
    ocl.VStoreOp: _store,
    ocl.AtomicRMWOp: _atomic,
    ocl.AtomicCmpXchgOp: _atomic,
    wg.ContextOp: _context,
    wg.PutOp: _put,
    wg.GetOp: _get,
}
