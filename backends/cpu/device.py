"""The device `cpu`: kernels compiled to native code of this machine."""

from __future__ import annotations

import os

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, Region
from xdsl.passes import ModulePass

from polycl.backends.cpu.jit import compile_object, link_object
from polycl.backends.cpu.launch import CpuExecutable
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.cpu.printf import read_formats
from polycl.backends.device import Device, NDRange, Size3
from polycl.backends.pipeline import run_passes, run_pipeline
from polycl.diagnostics import unknown_name
from polycl.dialects.ocl import KernelLike
from polycl.errors import ArgumentError, LaunchError
from polycl.lowering.launch_abi import PRINTF_FORMATS, SCRATCH_BYTES
from polycl.lowering.ocl_expand_images import expand_images


class CpuDevice(Device):
    """Native code. `threads` run work-groups (default: one for each core of this machine);
    `contract` allows fused multiply-adds, as OpenCL C does by default; with `debug_info` the
    code says its source lines, which debuggers show."""

    name = "cpu"

    def __init__(self, threads: int | None = None, contract: bool = True, debug_info: bool = False):
        if threads is None:
            threads = len(os.sched_getaffinity(0))
        if threads < 1:
            raise ArgumentError(f"device 'cpu': threads must be at least 1, got {threads}")
        self.threads = threads
        self.contract = contract
        self.debug_info = debug_info

    def own_passes(self, local_size: Size3) -> tuple[ModulePass, ...]:
        return cpu_pipeline(local_size, contract=self.contract)

    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> CpuExecutable:
        program = only_kernel(module, kernel)
        expand_images(program)
        types = find_kernel(program, kernel).function_type.inputs.data
        if pipeline is None:
            run_passes(program, self.own_passes(ndrange.local_size))
        else:
            run_pipeline(program, pipeline)
        function = _launch_function(program, kernel)
        scratch = function.attributes.get(SCRATCH_BYTES)
        code = link_object(compile_object(llvm_ir(program, self.debug_info)), [kernel])
        return CpuExecutable(
            kernel,
            types,
            ndrange.local_size,
            code,
            scratch_bytes=scratch.value.data if isinstance(scratch, IntegerAttr) else 0,
            formats=read_formats(function.attributes.get(PRINTF_FORMATS)),
            threads=self.threads,
        )


def find_kernel(module: ModuleOp, name: str) -> KernelLike:
    """The kernel of that name. Raises ArgumentError where there is none."""
    kernels = {op.sym_name.data: op for op in module.ops if isinstance(op, KernelLike)}
    if name not in kernels:
        raise ArgumentError(f"{unknown_name('kernel', name, kernels)}; the module has no such one")
    return kernels[name]


def only_kernel(module: ModuleOp, name: str) -> ModuleOp:
    """A copy of `module` without its other kernels."""
    wanted = find_kernel(module, name)
    ops = [op.clone() for op in module.ops if op is wanted or not isinstance(op, KernelLike)]
    return ModuleOp(Region(Block(ops)), attributes=dict(module.attributes))


def _launch_function(module: ModuleOp, name: str) -> llvm.FuncOp:
    for op in module.ops:
        if isinstance(op, llvm.FuncOp) and op.sym_name.data == name:
            return op
    raise LaunchError(
        f"the pipeline did not make a function of kernel '{name}'; it must end in wg-to-launch, "
        "scf-to-cf, convert-to-llvm"
    )
