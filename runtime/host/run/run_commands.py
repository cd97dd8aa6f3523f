"""Steps of the host's commands, for the interpreter of `polycl.backends.interp`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Attribute, Operation, SSAValue

from polycl.backends.device import LocalMemory
from polycl.backends.interp.buffers import AddressMap
from polycl.backends.interp.buffers import Buffer as HostArray
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.state import Frame, run_error
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import host, ocl
from polycl.dialects.host.buffers import element_type
from polycl.dialects.ocl.layout import stride_of
from polycl.runtime.host.run.device_memory import Buffer, ImageBuffer, host_bytes, new_image
from polycl.runtime.host.run.run_launches import Number, is_memory, launch_step

Take = Callable[[Frame], Any]

_NO_ADDRESSES = AddressMap()
"""Values of the host are never pointers."""


def bytes_of(type: Attribute) -> Callable[[Any], bytes]:
    """A value of the interpreter as a kernel's argument."""
    codec = codec_of(type)

    def encode(value: Any) -> bytes:
        data = bytearray(codec.size)
        codec.write(data, 0, value, _NO_ADDRESSES)
        return bytes(data)

    return encode


def timed(label: str, step: Step) -> Step:
    """`step`, whose time is added to that of `label`."""

    def run(frame: Frame) -> None:
        clock = frame[0].clock
        start = clock()
        step(frame)
        frame[0].add_time(label, clock() - start)

    return run


def _named(op: Operation, value: SSAValue) -> str:
    return f"{op.name} %{value.name_hint}" if value.name_hint else op.name


def _event(op: Operation, t: Translator) -> None:
    # A command has ended when the next one starts.
    for result in op.results:
        if isinstance(result.type, ocl.EventType):
            t.constant(result, 0)


def _buffer(op: host.BufferOp, t: Translator) -> Step:
    count, target, stride = t.slot(op.count), t.slot(op.result), stride_of(element_type(op.result))

    def step(frame: Frame) -> None:
        if not 0 < frame[count] < 1 << 48:
            raise run_error(op, frame[0], f"a buffer of {_signed(frame[count])} elements")
        frame[target] = frame[0].new_buffer(frame[count] * stride)

    return timed(_named(op, op.result), step)


def _image(op: host.ImageOp, t: Translator) -> Step:
    target = t.slot(op.result)

    def step(frame: Frame) -> None:
        image = new_image(op.kind.data, op.shape, op.order.data, op.channel.data)
        frame[target] = ImageBuffer(image)

    return timed(_named(op, op.result), step)


def _signed(number: int) -> int:
    return number if number < 1 << 63 else number - (1 << 64)


def _offset(value: SSAValue | None, stride: int, t: Translator) -> Take:
    """A number of elements as bytes."""
    if value is None:
        return lambda frame: 0
    slot = t.slot(value)
    return lambda frame: _signed(frame[slot]) * stride


def _transfer(op: host.WriteOp | host.ReadOp | host.CopyOp, t: Translator) -> Step:
    _event(op, t)
    source, target = t.slot(op.source), t.slot(op.target)
    from_ = _offset(op.source_offset, stride_of(element_type(op.source)), t)
    to = _offset(op.target_offset, stride_of(element_type(op.target)), t)
    into_buffer = op.buffer is op.target
    step_bytes = stride_of(element_type(op.buffer))
    count = None if op.count is None else _offset(op.count, step_bytes, t)

    def step(frame: Frame) -> None:
        a, b = frame[source], frame[target]
        start, place = from_(frame), to(frame)
        if count is None:
            nbytes = (b.nbytes if into_buffer else a.nbytes) - (place if into_buffer else start)
        else:
            nbytes = count(frame)
        for side, offset, size in (("source", start, _size(a)), ("target", place, _size(b))):
            if offset < 0 or nbytes < 0 or offset + nbytes > size:
                raise run_error(
                    op,
                    frame[0],
                    f"copies {nbytes} bytes, the {side} at {offset} has {max(0, size - offset)}",
                )
        if nbytes == 0:
            return
        if isinstance(a, HostArray):
            b.write(place, host_bytes(a)[start : start + nbytes])
        elif isinstance(b, HostArray):
            if b.read_only:
                raise run_error(op, frame[0], f"{b.what} must not be written: {b.read_only}")
            a.read(start, host_bytes(b)[place : place + nbytes])
        else:
            b.copy(place, a, start, nbytes)

    return timed(_named(op, op.buffer), step)


def _size(memory: HostArray | Buffer) -> int:
    return memory.size if isinstance(memory, HostArray) else memory.nbytes


def _fill(op: host.FillOp, t: Translator) -> Step:
    _event(op, t)
    stride = stride_of(op.value.type)
    target, value, start = t.slot(op.target), t.slot(op.value), _offset(op.offset, stride, t)
    count = None if op.count is None else _offset(op.count, 1, t)
    encode = bytes_of(op.value.type)

    def step(frame: Frame) -> None:
        buffer: Buffer = frame[target]
        offset = start(frame)
        wanted = (buffer.nbytes - offset) // stride if count is None else count(frame)
        if offset < 0 or wanted < 0 or offset + wanted * stride > buffer.nbytes:
            raise run_error(
                op,
                frame[0],
                f"fills {wanted} elements from {offset // stride} on, the buffer has "
                f"{buffer.nbytes // stride}",
            )
        buffer.fill(offset, encode(frame[value]).ljust(stride, b"\0"), wanted)

    return timed(_named(op, op.target), step)


def _local_memory(op: host.LocalMemoryOp, t: Translator) -> Step:
    nbytes, target = t.slot(op.nbytes), t.slot(op.result)

    def step(frame: Frame) -> None:
        if not 0 < frame[nbytes] < 1 << 48:
            raise run_error(op, frame[0], f"local memory of {_signed(frame[nbytes])} bytes")
        frame[target] = LocalMemory(frame[nbytes])

    return step


def _bytes(op: host.BytesOp, t: Translator) -> None:
    if isinstance(op.result.type, ocl.SamplerType):
        t.constant(op.result, op.data)
        return
    codec = codec_of(op.result.type)
    t.constant(op.result, codec.read(memoryview(op.data), 0, _NO_ADDRESSES))


def _null(op: host.NullOp, t: Translator) -> None:
    t.constant(op.result, None)


def number(value: SSAValue, t: Translator) -> Number:
    """An argument of a kernel that is passed by value."""
    slot = t.slot(value)
    if isinstance(value.type, ocl.SamplerType):
        return lambda frame: frame[slot]
    encode = bytes_of(value.type)
    return lambda frame: encode(frame[slot])


def _launch(op: host.LaunchOp, t: Translator) -> Step:
    _event(op, t)
    name = op.kernel.string_value()
    arguments = [value if is_memory(value) else number(value, t) for value in op.arguments]
    sizes = (op.global_size, op.local_size, op.global_offset)
    step = launch_step(op, t, lambda run: run.kernels[name], arguments, *sizes)
    return timed(f"{op.name} @{name}", step)


def _finish(op: host.FinishOp | host.WaitOp, t: Translator) -> Step:
    def step(frame: Frame) -> None:
        frame[0].finish()

    return timed(op.name, step)


def _release(op: host.ReleaseOp, t: Translator) -> Step:
    buffer = t.slot(op.buffer)

    def step(frame: Frame) -> None:
        frame[0].release(op, frame[buffer])

    return step


def _opaque(op: host.OpaqueOp, t: Translator) -> Step:
    arguments, results = t.slots(op.arguments), t.slots(op.results_)

    def step(frame: Frame) -> None:
        values = frame[0].call_opaque(op, [frame[slot] for slot in arguments])
        for slot, value in zip(results, values, strict=True):
            frame[slot] = value

    return timed(f'{op.name} "{op.function.data}"', step)


OPERATIONS: dict[type[Operation], OpHandler | Any] = {
    host.BufferOp: _buffer,
    host.ImageOp: _image,
    host.WriteOp: _transfer,
    host.ReadOp: _transfer,
    host.CopyOp: _transfer,
    host.FillOp: _fill,
    host.LocalMemoryOp: _local_memory,
    host.BytesOp: _bytes,
    host.NullOp: _null,
    host.LaunchOp: _launch,
    host.FinishOp: _finish,
    host.WaitOp: _finish,
    host.ReleaseOp: _release,
    host.OpaqueOp: _opaque,
}
