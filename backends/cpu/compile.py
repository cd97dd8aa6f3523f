"""A kernel of a module -> an object file with the facts that launches need."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.module_parts import find_kernel, only_kernel
from polycl.backends.cpu.jit import OPTIMISATION_LEVEL, compile_object
from polycl.backends.cpu.launch import CompiledKernel, sizes_of
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.backends.cpu.llvm_process import LlvmAborted
from polycl.backends.cpu.printf import read_formats
from polycl.backends.device import NDRange
from polycl.backends.phases import phase
from polycl.backends.pipeline import run_passes
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import AddressOfOp, ConstantDataOp
from polycl.dialects.ocl.debug import has_lines, is_debug_build
from polycl.errors import LaunchError, error_at
from polycl.lowering.ocl.ocl_expand_images import expand_images
from polycl.lowering.ocl.ocl_expand_pipes import expand_pipes
from polycl.lowering.wg.launch_abi import PRINTF_FORMATS, SCRATCH_BYTES


def compile_kernel(
    module: ModuleOp,
    kernel: str,
    ndrange: NDRange,
    passes: tuple[ModulePass, ...],
    *,
    debug_info: bool = False,
    level: int = OPTIMISATION_LEVEL,
) -> CompiledKernel:
    """Compile `kernel` of `module`, which is not changed, by `passes` down to the LLVM dialect.

    `level` is that of LLVM's optimiser. A module for a debugger is not optimised, and has debug
    information.

    Raises:
        PolyclError: a pass failed, or LLVM does not accept the result.
    """

    debug_info |= has_lines(module)
    if is_debug_build(module):
        level = 0

    def copy() -> ModuleOp:
        program = only_kernel(module, kernel)
        expand_images(program, dict(ndrange.facts.images))
        expand_pipes(program)
        _drop_unused_data(program)
        return program

    with no_collection():
        with phase("copy"):
            program = copy()
        types = find_kernel(program, kernel).function_type.inputs.data

        def finish(program: ModuleOp) -> CompiledKernel:
            return _compile(program, kernel, types, ndrange, debug_info, level)

        try:
            # The last module is not verified: LLVM verifies the text made of it.
            return run_passes(program, passes, finish, copy)
        except LlvmAborted as error:
            raise error_at(find_kernel(module, kernel), str(error)) from error


def _compile(
    program: ModuleOp,
    kernel: str,
    types: tuple[Attribute, ...],
    ndrange: NDRange,
    debug_info: bool,
    level: int,
) -> CompiledKernel:
    function = _launch_function(program, kernel)
    scratch = function.attributes.get(SCRATCH_BYTES)
    with phase("LLVM IR"):
        text = llvm_ir(program, debug_info)
    return CompiledKernel(
        kernel,
        types,
        sizes_of(ndrange),
        ndrange.facts,
        scratch.value.data if isinstance(scratch, IntegerAttr) else 0,
        read_formats(function.attributes.get(PRINTF_FORMATS)),
        compile_object(text, level),
        is_debug_build(program),
    )


@contextmanager
def no_collection() -> Generator[None]:
    """Disable Python's collector of cyclic garbage, which would visit live modules repeatedly."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _drop_unused_data(module: ModuleOp) -> None:
    """Erase data whose address nothing takes, such as the initial values of the program's
    variables: each byte takes time."""
    used = {op.symbol.root_reference.data for op in operations_of(module, AddressOfOp)}
    for op in list(module.ops):
        if isinstance(op, ConstantDataOp) and op.sym_name.data not in used:
            Rewriter.erase_op(op)


def _launch_function(module: ModuleOp, name: str) -> llvm.FuncOp:
    for op in module.ops:
        if isinstance(op, llvm.FuncOp) and op.sym_name.data == name:
            return op
    raise LaunchError(
        f"the pipeline did not make a function of kernel '{name}'; it must end in wg-to-launch, "
        "scf-to-cf, convert-to-llvm"
    )
