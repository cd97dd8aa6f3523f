"""Barriers, fences, async copies and printf."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from polycl.backends.interp.access import check_access
from polycl.backends.interp.buffers import NOWHERE, Pointer
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.integers import to_signed
from polycl.backends.interp.state import Frame, run_error
from polycl.backends.interp.translate import OpHandler, Step, Stop, Translator, Wait, Waiting
from polycl.backends.printf import FormatError, PrintfValue, format_printf, string_positions
from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.layout import align_of, size_of, stride_of
from polycl.dialects.ocl.memory import pointer_type


def _barrier(op: ocl.BarrierOp | ocl.WaitEventsOp, t: Translator) -> Waiting:
    """An async copy is complete when its work-item has executed it: a wait is only a barrier."""

    stop = Stop(op, (t.program.position(),))

    def wait(frame: Frame) -> Wait:
        yield stop

    return Waiting(wait)


def _fence(op: ocl.FenceOp, t: Translator) -> None:
    """No effect: one work-item runs at a time, and its writes are visible at once."""


def _order_copies(op: ocl.CommitCopiesOp | ocl.WaitCopiesOp, t: Translator) -> None:
    """No effect: an asynchronous copy of a work-item ends at once."""


def _async_copy(op: ocl.AsyncCopyOp, t: Translator) -> Step:
    """Every work-item copies all elements: all copies but the first change nothing."""
    target, source, count = t.slots((op.target, op.source, op.count))
    result, stride = t.slot(op.result), t.constant_slot(1)
    if op.stride is not None:
        stride = t.slot(op.stride)
    element = pointer_type(op.source).pointee
    size, align = size_of(element), align_of(element)

    def step(frame: Frame) -> None:
        item = frame[0]
        number = to_signed(frame[count], 64)
        if number < 0:
            raise run_error(op, item, f"async copy of {number} elements")
        pairs = copied_elements(op, frame[target], frame[source], number, frame[stride])
        for start, end in pairs:
            read, r = check_access(op, item, start, size, align, writes=False)
            write, w = check_access(op, item, end, size, align, writes=True)
            write.data[w : w + size] = read.data[r : r + size]
        frame[result] = 0

    return step


def copied_elements(
    op: ocl.AsyncCopyOp, target: Pointer, source: Pointer, count: int, stride: int
) -> Iterator[tuple[Pointer, Pointer]]:
    """The source and the target of each element of a copy."""
    (to_buffer, to), (from_buffer, at) = target, source
    type = pointer_type(op.source)
    pitch = stride_of(type.pointee)
    skip = to_signed(stride, 64) * pitch
    # The stride belongs to the side in global memory.
    reads_global = type.address_space != AddressSpace.LOCAL
    from_skip, to_skip = (skip, pitch) if reads_global else (pitch, skip)
    for i in range(count):
        yield (from_buffer, at + i * from_skip), (to_buffer, to + i * to_skip)


def _text(op: ocl.PrintfOp, frame: Frame, pointer: Pointer) -> str:
    """The text, up to its zero, of an argument for `%s`."""
    buffer, start = pointer
    if buffer is NOWHERE and start == 0:
        return "(null)"
    end = bytes(buffer.data).find(0, start) if 0 <= start < buffer.size else -1
    if end < 0:
        raise run_error(op, frame[0], f"%s: no text that ends with a zero in {buffer.what}")
    return bytes(buffer.data[start:end]).decode("latin-1")


def _printf(op: ocl.PrintfOp, t: Translator) -> Step:
    text, result = op.format.data, t.slot(op.result)
    strings = string_positions(text)
    arguments = tuple((t.slot(argument), argument.type) for argument in op.arguments)
    for argument in op.arguments:
        # Refuses what cannot be printed now, not at run time.
        codec_of(argument.type)

    def step(frame: Frame) -> None:
        values: list[PrintfValue] = []
        for position, (slot, type) in enumerate(arguments):
            value = frame[slot]
            if position in strings:
                value = _text(op, frame, value)
            elif isinstance(type, PtrType):
                value = frame[0].addresses.address(value)
            elif not isinstance(type, VectorType) and isinstance(value, bool):
                value = int(value)
            values.append((type, value))
        try:
            sys.stdout.write(format_printf(text, values))
        except FormatError as error:
            raise run_error(op, frame[0], str(error)) from None
        frame[result] = 0

    return step


OPERATIONS: dict[type[Operation], OpHandler] = {
    ocl.BarrierOp: _barrier,
    ocl.WaitEventsOp: _barrier,
    ocl.FenceOp: _fence,
    ocl.AsyncCopyOp: _async_copy,
    ocl.CommitCopiesOp: _order_copies,
    ocl.WaitCopiesOp: _order_copies,
    ocl.PrintfOp: _printf,
}
