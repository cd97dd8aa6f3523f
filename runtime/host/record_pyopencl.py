"""pyopencl with recorded calls: `cl = program.pyopencl` for `import pyopencl as cl`.

A thin adapter: each call goes to pyopencl and runs there; buffers, programs, launches and copies
are recorded. Other attributes of pyopencl are unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from polycl.backends.device import LocalMemory
from polycl.dialects.ocl import KernelLike
from polycl.errors import ArgumentError
from polycl.frontends.opencl_c import import_source
from polycl.runtime.host.recorded import Fill, Launch, RecordedBuffer, Transfer

if TYPE_CHECKING:
    from polycl.runtime.host.record import Recording

_MOST_DIMENSIONS = 3


class PyOpenCL:
    """Replaces the module pyopencl."""

    def __init__(self, recording: Recording):
        import pyopencl

        self._cl: Any = pyopencl
        self._recording = recording
        self._buffers: dict[int, RecordedBuffer] = {}
        """Recorded buffers by the handles of pyopencl's buffers."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cl, name)

    def Buffer(self, context: Any, flags: Any, size: int = 0, hostbuf: Any = None) -> Any:
        """`pyopencl.Buffer`."""
        real = self._cl.Buffer(context, flags, size, hostbuf)
        buffer = self._buffers[real.int_ptr] = RecordedBuffer(real.size)
        if hostbuf is not None and flags & (
            self._cl.mem_flags.COPY_HOST_PTR | self._cl.mem_flags.USE_HOST_PTR
        ):
            argument, _ = self._recording.use(hostbuf)
            self._recording.add(Transfer(argument, buffer, hostbuf.nbytes))
        return real

    def Program(self, context: Any, source: str) -> _Program:
        """`pyopencl.Program` of a source text."""
        return _Program(self, self._cl.Program(context, source), source)

    def Kernel(self, program: _Program, name: str) -> _Kernel:
        """`pyopencl.Kernel`."""
        return program.kernel(name)

    def enqueue_copy(self, queue: Any, dest: Any, src: Any, **options: Any) -> Any:
        """`pyopencl.enqueue_copy` between an array and a buffer, or two buffers."""
        target, source = self._recorded(dest), self._recorded(src)
        unknown = set(options) - {
            "is_blocking",
            "wait_for",
            "device_offset",
            "dst_offset",
            "src_offset",
            "byte_count",
        }
        if unknown:
            raise ArgumentError(f"enqueue_copy: option '{unknown.pop()}' cannot be recorded")
        if source is not None and target is not None:
            start, end = options.get("src_offset", 0), options.get("dst_offset", 0)
            left = min(source.nbytes - start, target.nbytes - end)
            nbytes = options.get("byte_count")
            nbytes = left if nbytes is None else nbytes
            self._recording.add(Transfer(source, target, nbytes, start, end))
            return self._cl.enqueue_copy(queue, dest, src, **options)
        offset = options.get("device_offset", options.get("src_offset", 0))
        if target is not None:
            offset = options.get("device_offset", options.get("dst_offset", 0))
            argument, _ = self._recording.use(src)
            self._recording.add(Transfer(argument, target, src.nbytes, 0, offset))
            return self._cl.enqueue_copy(queue, dest, src, **options)
        if source is None:
            raise ArgumentError("enqueue_copy: neither side is a buffer that was recorded")
        argument, _ = self._recording.use(dest)
        event = self._cl.enqueue_copy(queue, dest, src, **options)
        queue.finish()
        self._recording.changed(dest)
        self._recording.add(Transfer(source, argument, dest.nbytes, offset, 0))
        return event

    def enqueue_fill_buffer(
        self, queue: Any, mem: Any, pattern: Any, offset: int, size: int, wait_for: Any = None
    ) -> Any:
        """`pyopencl.enqueue_fill_buffer`."""
        buffer = self._buffers[mem.int_ptr]
        self._recording.add(Fill(buffer, np.asarray(pattern).tobytes(), offset, size))
        return self._cl.enqueue_fill_buffer(queue, mem, pattern, offset, size, wait_for)

    def enqueue_nd_range_kernel(
        self,
        queue: Any,
        kernel: _Kernel,
        global_work_size: Sequence[int],
        local_work_size: Sequence[int] | None,
        global_work_offset: Sequence[int] | None = None,
        **options: Any,
    ) -> Any:
        """`pyopencl.enqueue_nd_range_kernel`."""
        kernel.record(global_work_size, local_work_size, global_work_offset)
        return self._cl.enqueue_nd_range_kernel(
            queue, kernel.real, global_work_size, local_work_size, global_work_offset, **options
        )

    def _recorded(self, memory: Any) -> RecordedBuffer | None:
        return self._buffers.get(memory.int_ptr) if hasattr(memory, "int_ptr") else None

    def new_kernel(self, program: Any, name: str) -> Any:
        """A kernel of pyopencl itself."""
        return self._cl.Kernel(program, name)

    def record_launch(self, launch: Launch) -> None:
        """Add a launch to the program."""
        self._recording.add(launch)

    def argument(self, kernel: str, index: int, value: Any) -> RecordedBuffer | LocalMemory | bytes:
        """The recorded form of a kernel's argument."""
        if isinstance(value, self._cl.LocalMemory):
            return LocalMemory(value.size)
        if hasattr(value, "int_ptr"):
            buffer = self._buffers.get(value.int_ptr)
            if buffer is not None:
                return buffer
        elif isinstance(value, np.generic | np.ndarray):
            return value.tobytes()
        raise ArgumentError(
            f"kernel '{kernel}', argument {index}: {type(value).__name__} cannot be recorded; "
            "expected a buffer, local memory or a number of numpy"
        )


class _Program:
    """A program of pyopencl; its kernels are attributes."""

    def __init__(self, owner: PyOpenCL, real: Any, source: str):
        self.owner = owner
        self.real = real
        self._source = source
        self._kernels: dict[str, KernelLike] = {}
        self._made: dict[str, Any] = {}

    def build(self, options: str | Sequence[str] = (), *args: Any, **named: Any) -> _Program:
        """`pyopencl.Program.build`."""
        self.real.build(list(options) if not isinstance(options, str) else options, *args, **named)
        texts = [options] if isinstance(options, str) else list(options)
        module = import_source(self._source, "<pyopencl>.cl", texts)
        self._kernels = {op.sym_name.data: op for op in module.ops if isinstance(op, KernelLike)}
        return self

    def kernel(self, name: str) -> _Kernel:
        """The kernel `name`."""
        if name not in self._kernels:
            raise ArgumentError(f"there is no kernel '{name}' in the program, or it is not built")
        if name not in self._made:
            # An attribute of pyopencl's program is a new kernel each time, with a warning.
            self._made[name] = self.owner.new_kernel(self.real, name)
        return _Kernel(self.owner, self._made[name], self._kernels[name])

    def __getattr__(self, name: str) -> Any:
        return self.kernel(name) if name in self._kernels else getattr(self.real, name)


class _Kernel:
    """A kernel of pyopencl."""

    def __init__(self, owner: PyOpenCL, real: Any, op: KernelLike):
        self.real = real
        self._owner = owner
        self._op = op
        self._arguments: dict[int, RecordedBuffer | LocalMemory | bytes] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def __call__(
        self,
        queue: Any,
        global_size: Sequence[int],
        local_size: Sequence[int] | None,
        *args: Any,
        **options: Any,
    ) -> Any:
        self._set(args)
        self.record(global_size, local_size, options.get("global_offset"))
        return self.real(queue, global_size, local_size, *args, **options)

    def set_args(self, *args: Any) -> None:
        """`pyopencl.Kernel.set_args`."""
        self._set(args)
        self.real.set_args(*args)

    def set_arg(self, index: int, value: Any) -> None:
        """`pyopencl.Kernel.set_arg`."""
        self._arguments[index] = self._owner.argument(self._name, index, value)
        self.real.set_arg(index, value)

    @property
    def _name(self) -> str:
        return self._op.sym_name.data

    def _set(self, args: Sequence[Any]) -> None:
        for index, value in enumerate(args):
            self._arguments[index] = self._owner.argument(self._name, index, value)

    def record(
        self,
        global_size: Sequence[int],
        local_size: Sequence[int] | None,
        offset: Sequence[int] | None,
    ) -> None:
        """Record a launch with the arguments that are set."""
        count = len(self._op.param_names)
        missing = [n for n in range(count) if n not in self._arguments]
        if missing:
            raise ArgumentError(f"kernel '{self._name}': argument {missing[0]} is not set")
        x, y, z = (_sizes(sizes, fill) for sizes, fill in _fills(global_size, local_size, offset))
        self._owner.record_launch(
            Launch(
                self._op,
                [self._arguments[n] for n in range(count)],
                x or (1, 1, 1),
                y,
                z or (0, 0, 0),
                len(global_size),
            )
        )


def _fills(*sizes: Sequence[int] | None) -> list[tuple[Sequence[int] | None, int]]:
    return list(zip(sizes, (1, 1, 0), strict=True))


def _sizes(sizes: Sequence[int] | None, fill: int) -> tuple[int, int, int] | None:
    if sizes is None:
        return None
    padded = [*map(int, sizes), *[fill] * _MOST_DIMENSIONS]
    return padded[0], padded[1], padded[2]
