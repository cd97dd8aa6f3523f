"""The device `opencl`: kernels written as OpenCL C and run by any OpenCL platform."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.device import Device, DeviceArray, KernelArg, NDRange
from polycl.backends.opencl_c.build import build
from polycl.backends.opencl_c.launch import Arguments
from polycl.backends.opencl_c.opencl_platforms import describe, find
from polycl.backends.opencl_c.resident import Resident
from polycl.backends.opencl_c.write_module import Emission, emit
from polycl.backends.pipeline import run_pipeline
from polycl.dialects.ocl import KernelOp
from polycl.errors import ArgumentError, LaunchError


@dataclass(frozen=True)
class KernelTime:
    """How long one launch took on the device, by its own clock."""

    kernel: str
    seconds: float


class OpenclDevice(Device):
    """A device of an OpenCL platform.

    `selection` is a part of the platform's name or vendor (`intel`, `pocl`, `nvidia`), or
    `PLATFORM:DEVICE` as numbers; without it the first device is taken. `contract=False` rounds
    each operation on its own, division and square root exactly where the device can. `options`
    are more build options, say `["-cl-fast-relaxed-math"]`. With `profile`, `times` has the time
    of each launch.
    """

    name = "opencl"

    def __init__(
        self,
        selection: str = "",
        contract: bool = True,
        options: Sequence[str] = (),
        profile: bool = False,
    ):
        # First, as it sets what pyopencl reads when it is imported.
        self.handle = find(selection)
        import pyopencl as cl

        self.title = describe(self.handle)
        self.contract = contract
        self.options = tuple(options)
        self.context = cl.Context([self.handle])
        if profile:
            properties = cl.command_queue_properties.PROFILING_ENABLE
            self.queue = cl.CommandQueue(self.context, properties=properties)
        else:
            self.queue = cl.CommandQueue(self.context)
        self.profile = profile
        self.times: list[KernelTime] = []
        """Of the launches so far, the latest one last; only with `profile`."""
        self._programs: dict[tuple[str, str], cl.Program] = {}

    def array(self, values: NDArray[np.generic]) -> DeviceArray:
        """A copy of `values` in the device's memory, to pass to any number of launches: nothing is
        copied at a launch. `get()` copies it back."""
        return Resident(self, values)

    def memory(self, nbytes: int) -> DeviceArray:
        """So many bytes of the device's memory, not initialised."""
        return Resident(self, nbytes)

    def finish(self) -> None:
        """Wait for all launches."""
        self.queue.finish()

    def program(self, emission: Emission) -> cl.Program:  # type: ignore[name-defined] # noqa: F821
        """What the platform makes of a text. Raises LaunchError with its messages."""
        key = (emission.text, emission.standard)
        if key not in self._programs:
            self._programs[key] = build(self, emission)
        return self._programs[key]

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> OpenclExecutable:
        if pipeline:
            module = module.clone()
            run_pipeline(module, pipeline)
        emission = emit(module, self.contract)
        for op in module.ops:
            if isinstance(op, KernelOp) and op.sym_name.data == kernel:
                return OpenclExecutable(self, emission, op)
        raise ArgumentError(f"there is no kernel '{kernel}' of the level ocl in the module")


class OpenclExecutable:
    """A kernel that a platform has built."""

    def __init__(self, device: OpenclDevice, emission: Emission, kernel: KernelOp):
        import pyopencl as cl

        self.device = device
        self.source = emission.text
        """The OpenCL C that was built."""
        self.name = kernel.sym_name.data
        self.parameters = tuple(
            (name, argument.type, "ocl.const" in attributes)
            for name, argument, attributes in zip(
                kernel.param_names, kernel.args, kernel.param_attrs, strict=True
            )
        )
        self.set_by: QueuedLaunch | None = None
        """The launch whose arguments the kernel object has."""
        try:
            # One for all launches: pyopencl writes Python code for each.
            self.kernel = cl.Kernel(device.program(emission), self.name)
        except cl.Error as error:
            raise LaunchError(f"device '{device.title}': kernel '{self.name}': {error}") from None

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        self.prepare(args, ndrange)()

    def prepare(self, args: Sequence[KernelArg], ndrange: NDRange) -> Callable[[], None]:
        """A launch that can be repeated. It copies arrays to the device and back each time, where
        the device has a memory of its own; a `DeviceArray` stays where it is."""
        import pyopencl as cl

        device = self.device
        try:
            arguments = Arguments(device, self.name, self.parameters, args)
        except cl.Error as error:
            raise LaunchError(f"device '{device.title}': {self.name}: {error}") from None
        rank = ndrange.work_dim
        sizes = (ndrange.global_size[:rank], ndrange.local_size[:rank])
        offset = ndrange.global_offset[:rank] if any(ndrange.global_offset) else None

        def launch() -> None:
            try:
                arguments.write()
                # Others may have set its arguments since.
                self.set_by = None
                self.kernel.set_args(*arguments.values)
                event = cl.enqueue_nd_range_kernel(device.queue, self.kernel, *sizes, offset)
                event.wait()
                arguments.read()
            except cl.Error as error:
                raise LaunchError(f"device '{device.title}': {self.name}: {error}") from None
            if device.profile:
                seconds = (event.profile.end - event.profile.start) * 1e-9
                device.times.append(KernelTime(self.name, seconds))

        return launch

    def prepare_queued(self, args: Sequence[KernelArg], ndrange: NDRange) -> Callable[[], None]:
        """As `prepare`, where all arrays are `DeviceArray`s; it does not wait for the end."""
        if self.device.profile:
            return self.prepare(args, ndrange)
        return QueuedLaunch(self, args, ndrange)


class QueuedLaunch:
    """A launch that is not waited for, and whose arguments are set only where others were."""

    def __init__(self, executable: OpenclExecutable, args: Sequence[KernelArg], ndrange: NDRange):
        import pyopencl as cl

        self._enqueue = cl.enqueue_nd_range_kernel
        self._error = cl.Error
        self._executable = executable
        device = executable.device
        self._title = f"device '{device.title}': {executable.name}"
        rank = ndrange.work_dim
        sizes = (ndrange.global_size[:rank], ndrange.local_size[:rank])
        offset = ndrange.global_offset[:rank] if any(ndrange.global_offset) else None
        try:
            # The kernel object does not keep its buffers alive.
            self._arguments = Arguments(device, executable.name, executable.parameters, args)
        except cl.Error as error:
            raise LaunchError(f"{self._title}: {error}") from None
        self._values = list(self._arguments.values)
        self._call = (device.queue, executable.kernel, *sizes, offset)

    def replace(self, position: int, data: bytes) -> None:
        """Give an argument that is passed by value another one, as many bytes."""
        self._values[position] = data
        if self._executable.set_by is self:
            self._executable.kernel.set_arg(position, data)

    def __call__(self) -> None:
        executable = self._executable
        try:
            if executable.set_by is not self:
                executable.kernel.set_args(*self._values)
                executable.set_by = self
            self._enqueue(*self._call)
        except self._error as error:
            executable.set_by = None
            raise LaunchError(f"{self._title}: {error}") from None
