"""The device `opencl`: kernels are written as OpenCL C, and an OpenCL platform runs them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.device import Device, DeviceArray, KernelArg, KernelTime, NDRange
from polycl.backends.opencl_c.build import build
from polycl.backends.opencl_c.launch import Arguments, Parameter
from polycl.backends.opencl_c.opencl_platforms import describe, find
from polycl.backends.opencl_c.resident import Resident
from polycl.backends.opencl_c.write_module import Emission, emit
from polycl.backends.pipeline import parse_passes, run_pipeline
from polycl.dialects.ocl import KernelOp
from polycl.errors import ArgumentError, LaunchError

if TYPE_CHECKING:
    import pyopencl as cl

    from polycl.backends.opencl_c.via import Binary

_Sizes = tuple[int, ...]

VIA = ("ptx", "spirv")
"""The forms, other than OpenCL C, in which a kernel can reach a platform."""


class OpenclDevice(Device):
    """A device of an OpenCL platform.

    `selection` is a part of the platform's name or vendor (`intel`, `pocl`, `nvidia`), or
    `PLATFORM:DEVICE` as numbers; the default is the first device. `contract=False` rounds each
    operation separately, and division and square root correctly where the device can. `options`
    are more build options, say `["-cl-fast-relaxed-math"]`. With `profile`, `times` has the time
    of each launch. `via="ptx"` (NVIDIA's platform) or `via="spirv"` gives the platform kernels in
    that form, which LLVM makes, in place of OpenCL C.
    """

    name = "opencl"

    def __init__(
        self,
        selection: str = "",
        contract: bool = True,
        options: Sequence[str] = (),
        profile: bool = False,
        via: str = "",
    ):
        if via not in ("", *VIA):
            raise ArgumentError(f"device 'opencl': via='{via}'; expected {' or '.join(VIA)}")
        # This comes first: it sets variables that pyopencl reads when it is imported.
        self.handle = find(selection)
        import pyopencl as cl

        self.cl = cl
        """pyopencl, which is imported with the first device."""
        self.title = describe(self.handle)
        self.contract = contract
        self.via = via
        self.compiles_parts = via == "ptx"
        exact = cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT
        if not contract and self.handle.single_fp_config & exact:
            options = [*options, "-cl-fp32-correctly-rounded-divide-sqrt"]
        self.options = tuple(options)
        self.context = cl.Context([self.handle])
        if profile:
            properties = cl.command_queue_properties.PROFILING_ENABLE
            self.queue = cl.CommandQueue(self.context, properties=properties)
        else:
            self.queue = cl.CommandQueue(self.context)
        self.profile = profile
        self.times: list[KernelTime] = []
        """The times of the launches so far, in order; only with `profile`."""
        self._programs: dict[tuple[str, str], cl.Program] = {}

    def array(self, values: NDArray[np.generic]) -> DeviceArray:
        """A copy of `values` in the device's memory. Launches use it without a copy; `get()` copies
        it back."""
        return Resident(self, values)

    def memory(self, nbytes: int) -> DeviceArray:
        """`nbytes` bytes of the device's memory, not initialised."""
        return Resident(self, nbytes)

    def finish(self) -> None:
        """Wait for all launches."""
        self.queue.finish()

    def program(self, emission: Emission) -> cl.Program:
        """The program built from a text. Raises LaunchError with the platform's messages."""
        key = (emission.text, emission.standard)
        if key not in self._programs:
            self._programs[key] = build(self, emission)
        return self._programs[key]

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> BuiltExecutable:
        if self.via:
            # LLVM is loaded with it, which may not share a process with a platform's.
            from polycl.backends.opencl_c.via import binary

            passes = parse_passes(pipeline) if pipeline else None
            return BinaryExecutable(self, kernel, binary(self, module, kernel, ndrange, passes))
        if pipeline:
            module = module.clone()
            run_pipeline(module, pipeline)
        emission = emit(module, self.contract)
        if not ndrange.is_uniform:
            emission = replace(emission, standard="CL2.0")
        for op in module.ops:
            if isinstance(op, KernelOp) and op.sym_name.data == kernel:
                return OpenclExecutable(self, emission, op)
        raise ArgumentError(f"there is no kernel '{kernel}' of the level ocl in the module")


@contextmanager
def _errors_of(where: str) -> Generator[None]:
    """Errors of the platform in the `with` block are LaunchErrors."""
    import pyopencl as cl

    try:
        yield
    except cl.Error as error:
        raise LaunchError(f"{where}: {error}") from None


def _sizes(ndrange: NDRange) -> tuple[_Sizes, _Sizes, _Sizes | None]:
    """The global size, the local size and the offset, as pyopencl takes them."""
    rank = ndrange.work_dim
    offset = ndrange.global_offset[:rank] if any(ndrange.global_offset) else None
    return ndrange.global_size[:rank], ndrange.local_size[:rank], offset


class BuiltExecutable:
    """A kernel that a platform has built."""

    def __init__(
        self,
        device: OpenclDevice,
        name: str,
        parameters: Sequence[Parameter],
        build: Callable[[], cl.Program],
    ):
        import pyopencl as cl

        self.device = device
        self.name = name
        self.title = f"device '{device.title}': kernel '{self.name}'"
        self.parameters = tuple(parameters)
        self.set_by: QueuedLaunch | None = None
        """The launch whose arguments the kernel object has."""
        with _errors_of(self.title):
            # All launches share it: pyopencl writes Python code for each kernel object.
            self.kernel = cl.Kernel(build(), self.name)

    def sizes(self, ndrange: NDRange) -> tuple[_Sizes, _Sizes, _Sizes | None]:
        """The global size, the local size and the offset of a launch."""
        return _sizes(ndrange)

    def more_arguments(self, ndrange: NDRange) -> list[Any]:
        """The arguments after those of the kernel."""
        return []

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        self.prepare(args, ndrange)()

    def prepare(self, args: Sequence[KernelArg], ndrange: NDRange) -> Callable[[], None]:
        """A launch that can be repeated. Each time it copies arrays to the device and back, if the
        device has its own memory; a `DeviceArray` is not copied."""
        import pyopencl as cl

        device = self.device
        arguments = self.arguments(args)
        values = [*arguments.values, *self.more_arguments(ndrange)]
        sizes = self.sizes(ndrange)

        def launch() -> None:
            with _errors_of(self.title):
                arguments.write()
                # Another launch may have set other arguments.
                self.set_by = None
                self.kernel.set_args(*values)
                event = cl.enqueue_nd_range_kernel(device.queue, self.kernel, *sizes)
                event.wait()
                arguments.read()
            if device.profile:
                seconds = (event.profile.end - event.profile.start) * 1e-9
                device.times.append(KernelTime(self.name, seconds))

        return launch

    def prepare_queued(self, args: Sequence[KernelArg], ndrange: NDRange) -> Callable[[], None]:
        """Like `prepare` if all arrays are `DeviceArray`s; the launch does not wait for the end."""
        if self.device.profile:
            return self.prepare(args, ndrange)
        return QueuedLaunch(self, args, ndrange)

    def arguments(self, args: Sequence[KernelArg]) -> Arguments:
        with _errors_of(self.title):
            return Arguments(self.device, self.name, self.parameters, args)


class OpenclExecutable(BuiltExecutable):
    """A kernel that a platform has built from OpenCL C."""

    def __init__(self, device: OpenclDevice, emission: Emission, kernel: KernelOp):
        self.source = emission.text
        """The OpenCL C that was built."""
        parameters = [
            (name, argument.type, "ocl.const" in attributes)
            for name, argument, attributes in zip(
                kernel.param_names, kernel.args, kernel.param_attrs, strict=True
            )
        ]
        name = kernel.sym_name.data
        super().__init__(device, name, parameters, lambda: device.program(emission))


class BinaryExecutable(BuiltExecutable):
    """A kernel that a platform has built from PTX or from SPIR-V."""

    def __init__(self, device: OpenclDevice, name: str, found: Binary):
        from polycl.backends.opencl_c.via import program

        self.source = found.text
        """The text of PTX, or the words of SPIR-V."""
        self._binary = found
        super().__init__(device, name, found.parameters, lambda: program(device, found))

    def sizes(self, ndrange: NDRange) -> tuple[_Sizes, _Sizes, _Sizes | None]:
        if self.device.via != "ptx":
            return _sizes(ndrange)
        # A part of a launch: the kernel adds the offset, and the ids of its first group.
        rank, groups = ndrange.work_dim, ndrange.groups
        whole = [n * size for n, size in zip(groups.groups, groups.size, strict=True)]
        return tuple(whole[:rank]), groups.size[:rank], None

    def more_arguments(self, ndrange: NDRange) -> list[Any]:
        return self._binary.more_arguments(ndrange)


class QueuedLaunch:
    """A launch that does not wait for the end. It sets its arguments only after another launch."""

    def __init__(self, executable: BuiltExecutable, args: Sequence[KernelArg], ndrange: NDRange):
        import pyopencl as cl

        self._enqueue = cl.enqueue_nd_range_kernel
        self._error = cl.Error
        self._executable = executable
        # The kernel object does not keep its buffers alive.
        self._arguments = executable.arguments(args)
        self._values = [*self._arguments.values, *executable.more_arguments(ndrange)]
        self._call = (executable.device.queue, executable.kernel, *executable.sizes(ndrange))

    def replace(self, position: int, data: bytes) -> None:
        """Replace an argument that is passed by value by `data`, which has the same size."""
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
            raise LaunchError(f"{executable.title}: {error}") from None
