"""Kernels that reach an OpenCL platform as PTX or as SPIR-V, and not as OpenCL C."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from polycl.analysis.ocl.module_parts import find_kernel
from polycl.backends.cpu.llvm_process import LlvmAborted
from polycl.backends.cuda.compile import launch_value, ptx_kernel
from polycl.backends.cuda.pipeline import work_item_kernel, work_item_passes
from polycl.backends.cuda.target import SM
from polycl.backends.device import NDRange
from polycl.backends.opencl_c.launch import Parameter
from polycl.backends.pipeline import run_passes
from polycl.backends.spirv.target import spirv
from polycl.errors import LaunchError, error_at
from polycl.lowering.llvm.ocl_to_spir import OclToSpirPass

if TYPE_CHECKING:
    import pyopencl as cl

    from polycl.backends.opencl_c.device import OpenclDevice

Passes = tuple[Any, ...]


class Binary:
    """A kernel in one of these forms: what the device `opencl` needs to build and to launch it."""

    def __init__(
        self,
        text: bytes,
        parameters: Sequence[Parameter],
        launch_arguments: Sequence[str] = (),
    ):
        self.text = text
        self.parameters = tuple(parameters)
        self._launch_arguments = tuple(launch_arguments)

    def more_arguments(self, ndrange: NDRange) -> list[Any]:
        """The arguments after those of the kernel."""
        return [np.int64(launch_value(ndrange, name)) for name in self._launch_arguments]


def binary(
    device: OpenclDevice, module: ModuleOp, kernel: str, ndrange: NDRange, passes: Passes | None
) -> Binary:
    """Compile `kernel` of `module`, which is not changed, for the device's `via`.

    Raises:
        PolyclError: located: the kernel has no form there.
    """
    make: dict[str, Callable[..., Binary]] = {"ptx": _ptx, "spirv": _spirv}
    return make[device.via](device, module, kernel, ndrange, passes)


def _ptx(
    device: OpenclDevice, module: ModuleOp, kernel: str, ndrange: NDRange, passes: Passes | None
) -> Binary:
    compiled = ptx_kernel(
        module,
        kernel,
        ndrange,
        _processor(device.handle),
        contract=device.contract,
        local_pointers=True,
        passes=passes,
    )
    names = [name for name, _ in _named(module, kernel)]
    parameters = zip(names, compiled.types, compiled.reads_only, strict=True)
    return Binary(compiled.text.encode() + b"\0", list(parameters), compiled.launch_arguments)


def _processor(handle: cl.Device) -> str:
    """The processor of NVIDIA's device (cl_nv_device_attribute_query)."""
    try:
        return f"sm_{handle.compute_capability_major_nv}{handle.compute_capability_minor_nv}"
    except Exception:
        return SM


def _spirv(
    device: OpenclDevice, module: ModuleOp, kernel: str, ndrange: NDRange, passes: Passes | None
) -> Binary:
    if not ndrange.is_uniform:
        raise LaunchError(
            f"kernel '{kernel}': the last groups are smaller, which SPIR-V does not support here "
            "yet; take a local size that divides the global size"
        )
    program, found = work_item_kernel(module, kernel)
    parameters = [
        (name, type, "ocl.const" in attributes)
        for (name, type), attributes in zip(_named(program, kernel), found.param_attrs, strict=True)
    ]
    steps = work_item_passes(ndrange) if passes is None else passes
    last = OclToSpirPass(contract=device.contract)
    try:
        return Binary(run_passes(program, (*steps, last), spirv), parameters)
    except LlvmAborted as error:
        raise error_at(find_kernel(module, kernel), str(error)) from error


def _named(module: ModuleOp, kernel: str) -> list[tuple[str, Attribute]]:
    found = find_kernel(module, kernel)
    types = found.function_type.inputs
    return list(zip(found.param_names, types, strict=True))


def program(device: OpenclDevice, found: Binary) -> cl.Program:
    """Build it on the platform.

    Raises:
        LaunchError: the platform does not take it; the message has its log.
    """
    import pyopencl as cl

    try:
        if device.via == "spirv":
            made = cl.Program(device.context, found.text)
        else:
            made = cl.Program(device.context, [device.handle], [found.text])
        return made.build(list(device.options))
    except (cl.Error, ValueError) as error:
        raise LaunchError(f"device '{device.title}' rejects the {device.via}: {error}") from None
