"""The passes from a kernel to the LLVM dialect of a target that launches work-items itself."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.ocl.module_parts import find_kernel, only_kernel
from polycl.backends.device import NDRange
from polycl.dialects.ocl import KernelOp
from polycl.errors import error_at
from polycl.lowering.llvm.expand_math import ExpandMathPass
from polycl.lowering.llvm.scf_to_cf import ScfToCfPass
from polycl.lowering.llvm.widen_indices import WidenIndicesPass
from polycl.lowering.ocl.forward_spaces import ForwardSpacesPass
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.leave_unrolling import LeaveUnrollingPass
from polycl.lowering.ocl.lift_cf_to_scf import LiftCfToScfPass
from polycl.lowering.ocl.ocl_expand_builtins import OclExpandBuiltinsPass
from polycl.lowering.ocl.ocl_expand_collectives import OclExpandCollectivesPass
from polycl.lowering.ocl.ocl_expand_images import OclExpandImagesPass, expand_images
from polycl.lowering.ocl.ocl_expand_pipes import OclExpandPipesPass, expand_pipes
from polycl.lowering.ocl.ocl_expand_sub_groups import OclExpandSubGroupsPass
from polycl.lowering.ocl.ocl_set_local_size import OclSetLocalSizePass
from polycl.lowering.ocl.promote_loop_memory import PromoteLoopMemoryPass
from polycl.lowering.ocl.promote_private_memory import PromotePrivateMemoryPass
from polycl.lowering.ocl.remove_dead_values import RemoveDeadValuesPass
from polycl.lowering.ocl.simplify_breaks import SimplifyBreaksPass
from polycl.lowering.ocl.simplify_loops import SimplifyLoopsPass
from polycl.lowering.ocl.split_structs import SplitStructsPass


def work_item_kernel(module: ModuleOp, kernel: str) -> tuple[ModuleOp, KernelOp]:
    """A copy of what `kernel` of `module` needs, and the kernel in it. Images and pipes are memory.

    Raises:
        PolyclError: located: it is not at the level of work-items.
    """
    program = only_kernel(module, kernel)
    expand_images(program, {})
    expand_pipes(program)
    found = find_kernel(program, kernel)
    if not isinstance(found, KernelOp):
        raise error_at(found, f"kernel '{kernel}' is not at the level of work-items (ocl)")
    return program, found


def work_item_passes(ndrange: NDRange, *last: ModulePass) -> tuple[ModulePass, ...]:
    """The passes, in order, and the result of each; `last` converts to the LLVM dialect."""
    enqueued = () if ndrange.groups.size == ndrange.local_size else ndrange.local_size
    small_ids: tuple[ModulePass, ...] = ()
    if not ndrange.wide_ids:
        # Indices are computed in 64 bits, without extensions in loops.
        small_ids = (WidenIndicesPass(),)
    return (
        # Images and pipes are memory, and functions that read and write it.
        OclExpandImagesPass(),
        OclExpandPipesPass(),
        # No branches between blocks (goto) are left.
        LiftCfToScfPass(),
        # No calls are left: queries and barriers are in the kernel.
        InlineFunctionsPass(),
        # Arguments that functions took by generic pointers are in the space of the caller's memory.
        ForwardSpacesPass(),
        # Structs are their fields, and private variables are values where that is possible.
        SplitStructsPass(),
        PromotePrivateMemoryPass(),
        # The local size is constant.
        OclSetLocalSizePass(size=ndrange.groups.size, enqueued=enqueued),
        # Of collective operations, those of sub-groups are left.
        OclExpandSubGroupsPass(),
        OclExpandCollectivesPass(),
        # Loops count, and end where they are left; what no result needs is gone.
        *(() if ndrange.wide_ids else (SimplifyLoopsPass(),)),
        RemoveDeadValuesPass(),
        PromoteLoopMemoryPass(distinct=ndrange.facts.distinct_buffers),
        SimplifyBreaksPass(),
        # Only what processors compute is left.
        ExpandMathPass(tables=False),
        OclExpandBuiltinsPass(),
        *small_ids,
        # Loops that ptxas unrolls better are left to it.
        LeaveUnrollingPass(),
        # No regions are left, only blocks and branches.
        ScfToCfPass(),
        *last,
    )


def named_pipeline(launch: NDRange) -> tuple[ModulePass, ...]:
    """`ocl-opt -p gpu`: the passes before PTX is made."""
    # Late: the passes for SPIR-V do without it.
    from polycl.lowering.llvm.ocl_to_nvvm import OclToNvvmPass

    return work_item_passes(launch, OclToNvvmPass())
