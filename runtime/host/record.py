"""Recording the OpenCL commands of a Python program: `with polycl.record() as program:`.

    with polycl.record("step") as program:
        scale(x, 2.0, global_size=n)
        add(x, y, global_size=n)
    print(program.module)                      # both launches, x and y in buffers in between
    program.host()(x, y, device="interp")

Launches of kernels of this package are recorded while they run. The arrays become arguments of the
program, in the order of their first use, and stay in buffers from launch to launch; arrays that a
kernel may write are read at the end. Scalars and sizes are constants. If Python has changed an
array between two launches, its new contents are another argument: the code that changed it is not
a part of the program. `program.pyopencl` is pyopencl with recorded calls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.device import Device, DeviceArray, KernelArg, NDRange
from polycl.diagnostics import verify_module
from polycl.dialects.ocl import KernelLike
from polycl.errors import ArgumentError, PolyclError
from polycl.runtime.host.recorded import (
    Command,
    HostArray,
    Launch,
    LaunchArgument,
    RecordedBuffer,
    Transfer,
    build,
    contents,
    is_written,
    name_arrays,
    note_types,
)
from polycl.runtime.kernel import Kernel
from polycl.runtime.observers import OBSERVERS
from polycl.runtime.program import Program

if TYPE_CHECKING:
    from polycl.runtime.host.host_program import HostFunction
    from polycl.runtime.host.record_pyopencl import PyOpenCL


@contextmanager
def record(name: str = "recorded") -> Generator[Recording]:
    """Record the launches in the `with` block as the program `name`.

    Raises:
        PolyclError: something in the block cannot be recorded.
    """
    recording = Recording(name)
    OBSERVERS.append(recording)
    try:
        yield recording
    finally:
        OBSERVERS.remove(recording)
    recording.close()


class _Known:
    """A used array: its present argument, and its buffer."""

    def __init__(self, array: NDArray[Any] | DeviceArray, argument: HostArray):
        self.array = array
        self.argument = argument
        self.first = argument
        self.seen = contents(_values(array))
        self.buffer: RecordedBuffer | None = None
        self.is_written = False


class Recording:
    """A program during recording, or after it, when it has a module."""

    def __init__(self, name: str):
        if not name.isidentifier():
            raise ArgumentError(f"the program's name must be an identifier, got {name!r}")
        self.name = name
        self.arguments: list[HostArray] = []
        self._commands: list[Command] = []
        self._known: dict[tuple[int, int], _Known] = {}
        self._is_open = True

    @cached_property
    def module(self) -> ModuleOp:
        """The kernels, and a function of the program's name. Raises PolyclError before the end."""
        if self._is_open:
            raise PolyclError("the program is still recorded; its module exists after 'with'")
        module = build(self.name, self._commands, self.arguments)
        verify_module(module)
        return module

    @cached_property
    def program(self) -> Program:
        """The result of `polycl.load` for the module's text."""
        return Program(self.module, f"<recorded {self.name}>")

    def host(self) -> HostFunction:
        """The program's function; its arguments are the arrays."""
        return self.program.host(self.name)

    def replay(self, device: Device | str = "cpu") -> list[NDArray[Any]]:
        """Run the program on copies of the arrays' contents at first use; returns the copies.

        The recorded arrays are not changed.
        """
        arrays = [argument.first.copy() for argument in self.arguments]
        self.host()(*arrays, device=device)
        return arrays

    @cached_property
    def pyopencl(self) -> PyOpenCL:
        """The module pyopencl, whose calls are recorded; needs the package."""
        from polycl.runtime.host.record_pyopencl import PyOpenCL

        return PyOpenCL(self)

    def __repr__(self) -> str:
        return f"<polycl.Recording {self.name}: {len(self._commands)} commands>"

    # For recorders

    def add(self, command: Command) -> None:
        """Record a command."""
        if not self._is_open:
            return
        if isinstance(command, Launch):
            note_types(command)
        self._commands.append(command)

    def use(self, array: NDArray[Any] | DeviceArray) -> tuple[HostArray, bool]:
        """The present argument of an array, and whether it is new."""
        known = self._find(array)
        if known is None:
            known = _Known(array, self._new_argument(array))
            self._known[_key(array)] = known
            return known.argument, True
        values = contents(_values(array))
        if np.array_equal(values, known.seen):
            return known.argument, False
        known.seen = values
        known.argument = self._new_argument(array)
        return known.argument, True

    def changed(self, array: NDArray[Any] | DeviceArray) -> None:
        """A command has changed an array: the program knows its contents."""
        known = self._find(array)
        assert known is not None
        known.seen = contents(_values(array))

    def launch(
        self,
        kernel: Kernel,
        args: Sequence[KernelArg],
        ndrange: NDRange,
        has_local_size: bool,
        run: Callable[[], None],
    ) -> None:
        """A launch of this package (`polycl.runtime.observers`)."""
        kernels = (op for op in kernel.module.ops if isinstance(op, KernelLike))
        op = next(op for op in kernels if op.sym_name.data == kernel.name)
        arguments: list[LaunchArgument] = []
        written: list[_Known] = []
        for index, argument in enumerate(args):
            if not isinstance(argument, np.ndarray | DeviceArray):
                arguments.append(argument)
                continue
            known = self._in_buffer(argument)
            assert known.buffer is not None
            arguments.append(known.buffer)
            if is_written(op, index):
                written.append(known)
        run()
        for known in written:
            known.is_written = True
            known.seen = contents(_values(known.array))
        local = ndrange.local_size if has_local_size else None
        sizes = ndrange.global_size, local, ndrange.global_offset, ndrange.work_dim
        self.add(Launch(op, arguments, *sizes))

    def close(self) -> None:
        """The end of the program: arrays that kernels have written are read."""
        for known in self._known.values():
            if known.is_written and known.buffer is not None:
                self.add(Transfer(known.buffer, known.first, known.buffer.nbytes))
        name_arrays(self._commands, self.arguments)
        self._is_open = False

    def _in_buffer(self, array: NDArray[Any] | DeviceArray) -> _Known:
        """The array; its buffer has the same contents."""
        argument, is_new = self.use(array)
        known = self._find(array)
        assert known is not None
        if known.buffer is None:
            known.buffer = RecordedBuffer(array.nbytes)
        if is_new:
            self.add(Transfer(argument, known.buffer, array.nbytes))
        return known

    def _new_argument(self, array: NDArray[Any] | DeviceArray) -> HostArray:
        argument = HostArray(np.array(_values(array)))
        self.arguments.append(argument)
        return argument

    def _find(self, array: NDArray[Any] | DeviceArray) -> _Known | None:
        start, size = key = _key(array)
        found = self._known.get(key)
        if found is None and isinstance(array, np.ndarray):
            for other, length in self._known:
                if other < start + size and start < other + length:
                    raise ArgumentError(
                        "arrays that overlap cannot be recorded; use copies of the parts"
                    )
        return found


def _key(array: NDArray[Any] | DeviceArray) -> tuple[int, int]:
    """The identity of memory: address and size."""
    if isinstance(array, DeviceArray):
        # No address of the host is negative.
        return -id(array), 0
    return array.__array_interface__["data"][0], array.nbytes


def _values(array: NDArray[Any] | DeviceArray) -> NDArray[Any]:
    return array.get() if isinstance(array, DeviceArray) else array
