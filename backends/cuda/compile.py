"""A kernel of a module -> PTX with the facts that launches need."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from polycl.analysis.ocl.module_parts import find_kernel
from polycl.backends.cpu.compile import no_collection
from polycl.backends.cpu.llvm_process import LlvmAborted
from polycl.backends.cuda.pipeline import work_item_kernel, work_item_passes
from polycl.backends.cuda.target import ptx
from polycl.backends.device import NDRange, Size3
from polycl.backends.pipeline import run_passes
from polycl.dialects.ocl.kernel import NON_UNIFORM
from polycl.errors import LaunchError, error_at
from polycl.lowering.llvm.ocl_to_nvvm import OclToNvvmPass
from polycl.lowering.llvm.ocl_to_nvvm.nvvm_ids import LAUNCH_ARGUMENTS
from polycl.lowering.llvm.ocl_to_nvvm.nvvm_memory import LOCAL_BYTES


@dataclass(frozen=True)
class PtxKernel:
    """A kernel for one size of groups."""

    name: str
    text: str
    types: tuple[Attribute, ...]
    """The types of its parameters, without images and pipes, which are memory."""

    reads_only: tuple[bool, ...]
    """Whether it only reads what a parameter points to."""

    sizes: tuple[Size3, Size3]
    """The local size of the groups, and the one given at the launch."""

    launch_arguments: tuple[str, ...]
    """What follows the parameters, as 64-bit integers (`launch_value`)."""

    local_bytes: int
    """Local memory that each launch adds for the kernel."""

    prints: bool


def ptx_kernel(
    module: ModuleOp,
    kernel: str,
    ndrange: NDRange,
    sm: str,
    *,
    contract: bool,
    local_pointers: bool = False,
    passes: tuple[ModulePass, ...] | None = None,
) -> PtxKernel:
    """Compile `kernel` of `module`, which is not changed; `passes` replace the ones before
    `ocl-to-nvvm`.

    Raises:
        PolyclError: located: the kernel has no form on the GPU.
    """
    last = OclToNvvmPass(contract=contract, estimate=contract, local_pointers=local_pointers)
    steps = work_item_passes(ndrange) if passes is None else passes
    with no_collection():
        program, found = work_item_kernel(module, kernel)
        if ndrange.is_uniform_part:
            # Its groups have the ids that they have in the whole launch.
            found.attributes[NON_UNIFORM] = UnitAttr()
        types = found.function_type.inputs.data
        reads_only = tuple("ocl.const" in attributes for attributes in found.param_attrs)
        try:
            return run_passes(
                program,
                (*steps, last),
                lambda program: _compiled(program, kernel, types, reads_only, ndrange, sm),
            )
        except LlvmAborted as error:
            raise error_at(find_kernel(module, kernel), str(error)) from error


def _compiled(
    program: ModuleOp,
    kernel: str,
    types: tuple[Attribute, ...],
    reads_only: tuple[bool, ...],
    ndrange: NDRange,
    sm: str,
) -> PtxKernel:
    functions = {op.sym_name.data: op for op in program.ops if isinstance(op, llvm.FuncOp)}
    if kernel not in functions:
        raise LaunchError(f"the pipeline did not make a function of kernel '{kernel}'")
    attributes = functions[kernel].attributes
    fields, added = attributes.get(LAUNCH_ARGUMENTS), attributes.get(LOCAL_BYTES)
    return PtxKernel(
        kernel,
        ptx(program, sm),
        types,
        reads_only,
        (ndrange.groups.size, ndrange.local_size),
        tuple(f.data for f in fields if isinstance(f, StringAttr))
        if isinstance(fields, ArrayAttr)
        else (),
        added.value.data if isinstance(added, IntegerAttr) else 0,
        "vprintf" in functions,
    )


def launch_value(ndrange: NDRange, name: str) -> int:
    """A value of `PtxKernel.launch_arguments`."""
    query, _, dimension = name.partition(".")
    if query == "work_dim":
        return ndrange.work_dim
    sizes = {
        "global_size": ndrange.global_size,
        "global_offset": ndrange.global_offset,
        "num_groups": ndrange.num_groups,
        "enqueued_local_size": ndrange.local_size,
        "first_group": ndrange.groups.first,
    }
    return sizes[query][int(dimension)]
