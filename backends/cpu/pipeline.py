"""The passes from a kernel to the LLVM dialect."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.passes import ModulePass

from polycl.backends.cpu.jit import has_feature
from polycl.backends.device import NDRange
from polycl.backends.specialization import specialization
from polycl.diagnostics import unknown_name
from polycl.errors import ArgumentError
from polycl.lowering.llvm.convert_to_llvm import ConvertToLlvmPass
from polycl.lowering.llvm.expand_math import ExpandMathPass
from polycl.lowering.llvm.scf_to_cf import ScfToCfPass
from polycl.lowering.llvm.widen_indices import WidenIndicesPass
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.lift_cf_to_scf import LiftCfToScfPass
from polycl.lowering.ocl.ocl_expand_builtins import OclExpandBuiltinsPass
from polycl.lowering.ocl.ocl_expand_images import OclExpandImagesPass
from polycl.lowering.ocl.ocl_set_local_size import OclSetLocalSizePass
from polycl.lowering.ocl.ocl_to_wg import OclToWgPass
from polycl.lowering.ocl.promote_loop_memory import PromoteLoopMemoryPass
from polycl.lowering.ocl.promote_private_memory import PromotePrivateMemoryPass
from polycl.lowering.ocl.remove_dead_values import RemoveDeadValuesPass
from polycl.lowering.ocl.simplify_breaks import SimplifyBreaksPass
from polycl.lowering.ocl.simplify_loops import SimplifyLoopsPass
from polycl.lowering.ocl.split_structs import SplitStructsPass
from polycl.lowering.wg.wg_clip_guards import WgClipGuardsPass
from polycl.lowering.wg.wg_interleave import WgInterleavePass
from polycl.lowering.wg.wg_jam import WgJamPass
from polycl.lowering.wg.wg_lower_contexts import WgLowerContextsPass
from polycl.lowering.wg.wg_order_groups import WgOrderGroupsPass
from polycl.lowering.wg.wg_prefetch import WgPrefetchPass
from polycl.lowering.wg.wg_promote_local import WgPromoteLocalPass
from polycl.lowering.wg.wg_rebase_loops import WgRebaseLoopsPass
from polycl.lowering.wg.wg_split_guards import WgSplitGuardsPass
from polycl.lowering.wg.wg_to_launch import WgToLaunchPass
from polycl.lowering.wg.wg_to_scf import WgToScfPass
from polycl.lowering.wg.wg_vectorize import WgVectorizePass
from polycl.universe import PASSES


def cpu_pipeline(
    ndrange: NDRange, *, contract: bool, disable: Sequence[str] = ()
) -> tuple[ModulePass, ...]:
    """The device's own passes, in order, with what each leaves behind for the next.

    `contract` allows what OpenCL C leaves open: fused multiply-adds, and the processor's estimate
    of reciprocal square roots. `disable` names passes to leave out, of those that only make
    kernels faster: FOR_SPEED.

    Raises:
        ArgumentError: `disable` names a pass that is not there, or that cannot be left out.
    """
    for name in disable:
        if name not in FOR_SPEED:
            raise ArgumentError(
                f"{unknown_name('pass', name, FOR_SPEED)}; only these can be left out: "
                f"{', '.join(FOR_SPEED)}"
            )
    passes = _all_passes(ndrange, contract)
    return tuple(step for step in passes if step.name not in disable)


FOR_SPEED = (
    "promote-loop-memory",
    "split-structs",
    "simplify-loops",
    "remove-dead-values",
    "simplify-breaks",
    "widen-indices",
    "wg-order-groups",
    "wg-clip-guards",
    "wg-promote-local",
    "wg-rebase-loops",
    "wg-split-tiles",
    "wg-split-guards",
    "wg-vectorize",
    "wg-prefetch",
    "wg-jam",
    "wg-interleave",
)
"""The passes without which a kernel gives the same results, but later."""


def _all_passes(ndrange: NDRange, contract: bool) -> tuple[ModulePass, ...]:
    return (
        # No images are left: memory and functions that read and write it.
        OclExpandImagesPass(),
        # No branches between blocks (goto) are left: all that follows reads structured control
        # flow, and a call can be replaced by one block.
        LiftCfToScfPass(),
        # No calls are left: barriers inside functions are seen, as are the queries.
        InlineFunctionsPass(),
        # Structs are split into their fields, in memory and in values: vectors hold fields, and
        # a variable is promoted though it is accessed by field.
        SplitStructsPass(),
        # No variable is in memory only because its address went to a function: it is a value,
        # and whether it is uniform is known.
        PromotePrivateMemoryPass(),
        # The local size is constant: loops over work-items can be unrolled, and context arrays
        # and local memory live in registers.
        OclSetLocalSizePass(size=ndrange.local_size),
        # Loops that all work-items run once at most, in steps of the local size, are branches.
        SimplifyLoopsPass(),
        # Nothing is kept or handed on that no result needs, such as fields that are never read.
        RemoveDeadValuesPass(),
        # What a loop updates at one place is in a register meanwhile.
        PromoteLoopMemoryPass(distinct=ndrange.facts.distinct_buffers),
        # What loops count on does not depend on their breaks, and is uniform as long as they run.
        SimplifyBreaksPass(),
        # No barriers are left: parallel regions, and what crosses from one to another.
        OclToWgPass(),
        # Arguments that are known are constants, such as the rounds of a loop.
        *specialization(ndrange),
        # Transcendental functions are arithmetic, which vectorizes. After ocl-to-wg, which
        # recomputes an operation more readily than its expansion; before ocl-expand-builtins,
        # which knows them as calls of libm only.
        ExpandMathPass(),
        # Only arith, math and vector compute, and the few builtins that libm has.
        OclExpandBuiltinsPass(),
        # No context arrays are left: memory, in which neighbours along x are neighbours.
        WgLowerContextsPass(),
        # Work-items that start a loop at different places count from the same one.
        WgRebaseLoopsPass(),
        # Indices are computed in 64 bits: nothing is extended in loops.
        WidenIndicesPass(),
        # Groups that share what their loops read run one after the other.
        WgOrderGroupsPass(),
        # Regions run for the work-items that pass their guards.
        WgClipGuardsPass(),
        # Local memory has a known size and is the group's own.
        WgPromoteLocalPass(sizes=ndrange.facts.local_bytes),
        # Tiles that touch no border read neighbouring elements.
        PASSES["wg-split-tiles"]()(small_buffers=ndrange.facts.small_buffers),
        # Groups in which all work-items pass their guards run without them.
        WgSplitGuardsPass(),
        # Neighbouring work-items run as the lanes of vectors.
        WgVectorizePass(small_buffers=ndrange.facts.small_buffers),
        # What is read from neighbouring ranges is fetched in order.
        WgPrefetchPass(),
        # Several tiles share the body of a region with loops: what is the same is loaded once.
        WgJamPass(),
        # Several tiles are in flight in a region without loops.
        WgInterleavePass(),
        # No parallel regions are left: loops over work-items.
        WgToScfPass(),
        # One function that runs a range of work-groups, its arguments in a block of memory.
        WgToLaunchPass(),
        # No regions are left: blocks and branches.
        ScfToCfPass(),
        # Nothing but the LLVM dialect. The one place that allows fused multiply-adds.
        ConvertToLlvmPass(contract=contract, estimate=contract and has_feature("avx512f")),
    )
