"""The passes from a kernel to parallel regions, which the devices that compile share."""

from __future__ import annotations

from xdsl.passes import ModulePass

from polycl.backends.device import NDRange, Size3
from polycl.lowering.ocl.count_loops import CountLoopsPass
from polycl.lowering.ocl.find_popcounts import FindPopcountsPass
from polycl.lowering.ocl.forward_spaces import ForwardSpacesPass
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.lift_cf_to_scf import LiftCfToScfPass
from polycl.lowering.ocl.ocl_expand_images import OclExpandImagesPass
from polycl.lowering.ocl.ocl_expand_pipes import OclExpandPipesPass
from polycl.lowering.ocl.ocl_expand_sub_groups import OclExpandSubGroupsPass
from polycl.lowering.ocl.ocl_find_global_ids import OclFindGlobalIdsPass
from polycl.lowering.ocl.ocl_free_groups import OclFreeGroupsPass
from polycl.lowering.ocl.ocl_resolve_spaces import OclResolveSpacesPass
from polycl.lowering.ocl.ocl_set_local_size import OclSetLocalSizePass
from polycl.lowering.ocl.ocl_to_wg import OclToWgPass
from polycl.lowering.ocl.promote_loop_memory import PromoteLoopMemoryPass
from polycl.lowering.ocl.promote_private_memory import PromotePrivateMemoryPass
from polycl.lowering.ocl.remove_dead_values import RemoveDeadValuesPass
from polycl.lowering.ocl.simplify_loops import SimplifyLoopsPass
from polycl.lowering.ocl.split_carried_vectors import SplitCarriedVectorsPass
from polycl.lowering.ocl.split_structs import SplitStructsPass
from polycl.lowering.wg.wg_specialize import WgSpecializePass


def passes_to_regions(
    ndrange: NDRange, *loop_passes: ModulePass, inlining_budget: int | None = None
) -> tuple[ModulePass, ...]:
    """The passes up to `ocl-to-wg`, in order, and the result of each; `loop_passes` run right
    before it. Where inlining would exceed `inlining_budget` operations, functions stay."""
    return (
        # A kernel that runs in groups of another size sees none of them: in the form in which that
        # was decided.
        *_global_ids(ndrange),
        # No images are left: they are memory and functions that read and write it.
        OclExpandImagesPass(),
        # Nor pipes, for the same reason.
        OclExpandPipesPass(),
        # No branches between blocks (goto) are left: all following passes read structured control
        # flow, and a call can be replaced by one block.
        LiftCfToScfPass(),
        # No calls are left, except of functions that would be there too often: barriers and queries
        # inside functions are visible.
        InlineFunctionsPass(inlining_budget),
        # Arguments that functions took by generic pointers are in the space of the caller's memory.
        ForwardSpacesPass(),
        # Structs are split into their fields, in memory and in values: vectors hold fields, and
        # a variable is promoted even if it is accessed by field.
        SplitStructsPass(),
        # A variable whose address was only passed to a function is a value, not memory, and its
        # uniformity is known.
        PromotePrivateMemoryPass(),
        # Nothing asks for the address space of a generic pointer: it is known, or a comparison of
        # addresses.
        OclResolveSpacesPass(),
        # Work-items of the last groups that are outside of the global size do nothing.
        *_free_groups(ndrange),
        # The local size is constant: loops over work-items can be unrolled, and context arrays
        # and local memory live in registers.
        OclSetLocalSizePass(size=ndrange.groups.size, enqueued=_enqueued(ndrange)),
        # No queries of sub-groups are left: there is arithmetic on local ids.
        OclExpandSubGroupsPass(),
        # Loops with at most one iteration for each work-item, whose step is the local size, are
        # branches.
        SimplifyLoopsPass(),
        # Loops that count bits are population counts.
        FindPopcountsPass(),
        # Coordinates that loops move are numbers.
        SplitCarriedVectorsPass(),
        # No value is kept or carried that no result needs, such as a field that is never read.
        RemoveDeadValuesPass(),
        # A bound that is in memory is read once before its loop.
        CountLoopsPass(distinct=ndrange.facts.distinct_buffers),
        # A memory location that a loop updates is in a register during the loop.
        PromoteLoopMemoryPass(distinct=ndrange.facts.distinct_buffers),
        *loop_passes,
        # No barriers are left: there are parallel regions, and values that cross between them.
        OclToWgPass(),
        # Known arguments are constants, such as the number of iterations of a loop.
        *_specialization(ndrange),
    )


def _global_ids(ndrange: NDRange) -> tuple[ModulePass, ...]:
    return () if ndrange.guarded is None else (OclFindGlobalIdsPass(),)


def _free_groups(ndrange: NDRange) -> tuple[ModulePass, ...]:
    if ndrange.guarded is None:
        return ()
    return (OclFreeGroupsPass(ndrange.local_size, ndrange.guarded),)


def _enqueued(ndrange: NDRange) -> Size3 | tuple[()]:
    return () if ndrange.groups.size == ndrange.local_size else ndrange.local_size


def _specialization(ndrange: NDRange) -> tuple[ModulePass, ...]:
    if not ndrange.facts.constants:
        return ()
    positions, values = zip(*ndrange.facts.constants, strict=True)
    return (WgSpecializePass(positions, values),)
