"""The passes from a kernel to the LLVM dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.passes import ModulePass

from polycl.backends.cpu.codegen import processor_name
from polycl.backends.cpu.jit import (
    divides_slowly,
    has_feature,
    has_masks,
    has_tables,
    scales_quickly,
)
from polycl.backends.device import INLINING_BUDGET, MAX_GROUP, NDRange
from polycl.backends.to_regions import passes_to_regions
from polycl.diagnostics import unknown_name
from polycl.errors import ArgumentError
from polycl.lowering.llvm.carry_indices import CarryIndicesPass
from polycl.lowering.llvm.carry_masks import CarryMasksPass
from polycl.lowering.llvm.carry_pieces import CarryPiecesPass
from polycl.lowering.llvm.convert_to_llvm import ConvertToLlvmPass
from polycl.lowering.llvm.expand_math import ExpandMathPass
from polycl.lowering.llvm.scf_to_cf import ScfToCfPass
from polycl.lowering.llvm.widen_indices import WidenIndicesPass
from polycl.lowering.ocl.carry_chosen import CarryChosenPass
from polycl.lowering.ocl.carry_distances import CarryDistancesPass
from polycl.lowering.ocl.carry_remainders import CarryRemaindersPass
from polycl.lowering.ocl.carry_stores import CarryStoresPass
from polycl.lowering.ocl.count_from_zero import CountFromZeroPass
from polycl.lowering.ocl.count_up import CountUpPass
from polycl.lowering.ocl.fuse_products import FuseProductsPass
from polycl.lowering.ocl.hoist_loads import HoistLoadsPass
from polycl.lowering.ocl.hoist_while_loads import HoistWhileLoadsPass
from polycl.lowering.ocl.index_by_counter import IndexByCounterPass
from polycl.lowering.ocl.join_bytes import JoinBytesPass
from polycl.lowering.ocl.join_components import JoinComponentsPass
from polycl.lowering.ocl.load_chosen import LoadChosenPass
from polycl.lowering.ocl.nest_loops import NestLoopsPass
from polycl.lowering.ocl.ocl_any_local_size import OclAnyLocalSizePass
from polycl.lowering.ocl.ocl_expand_builtins import OclExpandBuiltinsPass
from polycl.lowering.ocl.ocl_free_groups import OclFreeGroupsPass
from polycl.lowering.ocl.ocl_own_atomics import OclOwnAtomicsPass
from polycl.lowering.ocl.ocl_round_guards import OclRoundGuardsPass
from polycl.lowering.ocl.ocl_set_local_size import OclSetLocalSizePass
from polycl.lowering.ocl.ocl_split_guards import OclSplitGuardsPass
from polycl.lowering.ocl.pass_on_loads import PassOnLoadsPass
from polycl.lowering.ocl.peel_loops import PeelLoopsPass
from polycl.lowering.ocl.promote_private_arrays import PromotePrivateArraysPass
from polycl.lowering.ocl.remove_dead_stores import RemoveDeadStoresPass
from polycl.lowering.ocl.select_truths import SelectTruthsPass
from polycl.lowering.ocl.select_values import SelectValuesPass
from polycl.lowering.ocl.share_values import ShareValuesPass
from polycl.lowering.ocl.simplify_breaks import SimplifyBreaksPass
from polycl.lowering.ocl.sink_stores import SinkStoresPass
from polycl.lowering.ocl.split_vectors import SplitVectorsPass
from polycl.lowering.wg.index_arithmetic import IndexArithmeticPass
from polycl.lowering.wg.wg_arrays_by_lane import WgArraysByLanePass
from polycl.lowering.wg.wg_carry_loads import WgCarryLoadsPass
from polycl.lowering.wg.wg_clip_guards import WgClipGuardsPass
from polycl.lowering.wg.wg_clip_items import WgClipItemsPass
from polycl.lowering.wg.wg_compact_trees import WgCompactTreesPass
from polycl.lowering.wg.wg_copy_rows import WgCopyRowsPass
from polycl.lowering.wg.wg_drop_volatile import WgDropVolatilePass
from polycl.lowering.wg.wg_fold_columns import WgFoldColumnsPass
from polycl.lowering.wg.wg_hoist_grid_loops import WgHoistGridLoopsPass
from polycl.lowering.wg.wg_interleave import WgInterleavePass
from polycl.lowering.wg.wg_jam import WgJamPass
from polycl.lowering.wg.wg_join_elements import WgJoinElementsPass
from polycl.lowering.wg.wg_keep_loops import WgKeepLoopsPass
from polycl.lowering.wg.wg_keep_rows import WgKeepRowsPass
from polycl.lowering.wg.wg_local_atomics import WgLocalAtomicsPass
from polycl.lowering.wg.wg_lower_contexts import WgLowerContextsPass
from polycl.lowering.wg.wg_mask_rows import WgMaskRowsPass
from polycl.lowering.wg.wg_merge_groups import WgMergeGroupsPass
from polycl.lowering.wg.wg_narrow_values import WgNarrowValuesPass
from polycl.lowering.wg.wg_order_groups import WgOrderGroupsPass
from polycl.lowering.wg.wg_order_tables import WgOrderTablesPass
from polycl.lowering.wg.wg_part_rows import WgPartRowsPass
from polycl.lowering.wg.wg_prefetch import WgPrefetchPass
from polycl.lowering.wg.wg_private_counters import WgPrivateCountersPass
from polycl.lowering.wg.wg_promote_local import WgPromoteLocalPass
from polycl.lowering.wg.wg_read_ahead import WgReadAheadPass
from polycl.lowering.wg.wg_read_rows import WgReadRowsPass
from polycl.lowering.wg.wg_rebase_loops import WgRebaseLoopsPass
from polycl.lowering.wg.wg_roll_elements import WgRollElementsPass
from polycl.lowering.wg.wg_row_vectors import WgRowVectorsPass
from polycl.lowering.wg.wg_run_once import WgRunOncePass
from polycl.lowering.wg.wg_scan_rows import WgScanRowsPass
from polycl.lowering.wg.wg_search_blocks import WgSearchBlocksPass
from polycl.lowering.wg.wg_select_loads import WgSelectLoadsPass
from polycl.lowering.wg.wg_select_loops import WgSelectLoopsPass
from polycl.lowering.wg.wg_share_arguments import WgShareArgumentsPass
from polycl.lowering.wg.wg_shorten_loops import WgShortenLoopsPass
from polycl.lowering.wg.wg_skip_atomics import WgSkipAtomicsPass
from polycl.lowering.wg.wg_skip_updates import WgSkipUpdatesPass
from polycl.lowering.wg.wg_skip_zeros import WgSkipZerosPass
from polycl.lowering.wg.wg_specialize import WgSpecializePass
from polycl.lowering.wg.wg_split_borders import WgSplitBordersPass
from polycl.lowering.wg.wg_split_contexts import WgSplitContextsPass
from polycl.lowering.wg.wg_split_guards import WgSplitGuardsPass
from polycl.lowering.wg.wg_split_ids import WgSplitIdsPass
from polycl.lowering.wg.wg_split_rows import WgSplitRowsPass
from polycl.lowering.wg.wg_spread_loops import WgSpreadLoopsPass
from polycl.lowering.wg.wg_tile_rows import WgTileRowsPass
from polycl.lowering.wg.wg_to_launch import WgToLaunchPass
from polycl.lowering.wg.wg_to_scf import WgToScfPass
from polycl.lowering.wg.wg_turn_loops import WgTurnLoopsPass
from polycl.lowering.wg.wg_unit_strides import WgUnitStridesPass
from polycl.lowering.wg.wg_unroll_rows import WgUnrollRowsPass
from polycl.lowering.wg.wg_unroll_steps import WgUnrollStepsPass
from polycl.lowering.wg.wg_unroll_twos import WgUnrollTwosPass
from polycl.lowering.wg.wg_unswitch import WgUnswitchPass
from polycl.lowering.wg.wg_update_in_turn import WgUpdateInTurnPass
from polycl.lowering.wg.wg_vectorize import WgVectorizePass
from polycl.lowering.wg.wg_vectorize.cycles import cycles_of, table_of
from polycl.lowering.wg.wg_widen_shorts import WgWidenShortsPass
from polycl.universe import PASSES

MATH_BUDGET = 2000
"""Operations that all expansions of one function of the math library may have together."""


def cpu_pipeline(
    ndrange: NDRange,
    *,
    contract: bool,
    disable: Sequence[str] = (),
    enable: Sequence[str] = (),
    inlining_budget: int = INLINING_BUDGET,
    any_size: bool = False,
    debug: bool = False,
) -> tuple[ModulePass, ...]:
    """The device's own passes, in order, and the result of each.

    `contract` allows fused multiply-adds and the processor's estimate of reciprocal square roots,
    which OpenCL C permits. `disable` names passes of FOR_SPEED to leave out, `enable` ways of
    WITH_SOME_DATA. A kernel that would
    have more than `inlining_budget` operations with all that it calls, calls functions, which
    compile once; below that, to inline everything makes the fastest code. Code for `any_size`
    reads the local size at the launch, and is compiled without the passes of FOR_SPEED. For a
    debugger, it has none of these, and functions are called.

    Raises:
        ArgumentError: `disable` names an unknown pass, or a pass that cannot be left out.
    """
    for name in disable:
        if name not in FOR_SPEED:
            raise ArgumentError(
                f"{unknown_name('pass', name, FOR_SPEED)}; only these can be left out: "
                f"{', '.join(FOR_SPEED)}"
            )
    if ndrange.wide_ids:
        disable = (*disable, *FOR_SMALL_IDS)
    if debug:
        inlining_budget = 0
    if any_size:
        return _any_size_passes(ndrange, contract, inlining_budget)
    passes = _all_passes(ndrange, contract, inlining_budget, enable)
    passes = _for_processor(passes, table_of(processor_name()))
    if debug:
        passes = _without_speed(passes)
    return tuple(step for step in passes if step.name not in disable)


def named_pipeline(launch: NDRange) -> tuple[ModulePass, ...]:
    """`ocl-opt -p cpu`: the passes of the device `cpu` as it is by default."""
    return cpu_pipeline(launch, contract=True)


def _any_size_passes(
    ndrange: NDRange, contract: bool, inlining_budget: int
) -> tuple[ModulePass, ...]:
    """Those of `_all_passes` that code must have, for a local size that the launch gives."""
    replaced: dict[str, ModulePass] = {
        OclSetLocalSizePass.name: OclAnyLocalSizePass(),
        WgLowerContextsPass.name: WgLowerContextsPass(most=MAX_GROUP),
    }
    passes = _without_speed(_all_passes(ndrange, contract, inlining_budget))
    return tuple(
        replaced.get(step.name, step) for step in passes if step.name != WgSpecializePass.name
    )


def _without_speed(passes: Sequence[ModulePass]) -> tuple[ModulePass, ...]:
    return tuple(
        step
        for step in passes
        # Without ocl-free-groups, work-items outside of the global size would run.
        if step.name == OclFreeGroupsPass.name or step.name not in FOR_SPEED
    )


def _for_processor(passes: Sequence[ModulePass], name: str) -> tuple[ModulePass, ...]:
    """The same with the costs of a processor, where passes have such."""
    return tuple(
        replace(step, processor=name) if hasattr(step, "processor") else step for step in passes
    )


FOR_SMALL_IDS = (
    "ocl-split-guards",
    "count-from-zero",
    "simplify-loops",
    "index-arithmetic",
    "widen-indices",
    "wg-rebase-loops",
    "wg-hoist-grid-loops",
    "wg-spread-loops",
    "wg-turn-loops",
    "wg-select-loops",
    "wg-split-borders",
    "wg-split-tiles",
    "wg-split-guards",
    "wg-split-rows",
    "wg-tile-rows",
    "wg-widen-shorts",
)
"""The passes whose sums of ids do not overflow because ids are below 2^31."""


NEEDED = (
    "fuse-products",
    "ocl-find-global-ids",
    "ocl-expand-images",
    "ocl-expand-pipes",
    "lift-cf-to-scf",
    "inline-functions",
    "promote-private-memory",
    "ocl-resolve-spaces",
    "ocl-set-local-size",
    "ocl-expand-sub-groups",
    "ocl-to-wg",
    "wg-specialize",
    "expand-math",
    "ocl-expand-builtins",
    "wg-lower-contexts",
    "wg-update-in-turn",
    "wg-to-scf",
    "wg-to-launch",
    "scf-to-cf",
    "convert-to-llvm",
)
"""The passes without which there is no code, or none with the same results."""


def _selected_loads(ndrange: NDRange) -> tuple[ModulePass, ...]:
    """The pass that needs loads under masks, where there are some."""
    if not has_feature("avx2"):
        return ()
    bits, ends = (8, False) if has_masks() else (32, True)
    return (WgSelectLoadsPass(bits, ends, ndrange.facts.small_buffers),)


def _all_passes(
    ndrange: NDRange, contract: bool, inlining_budget: int, enable: Sequence[str] = ()
) -> tuple[ModulePass, ...]:
    # Without FMA instructions a fused operation would be a call of libm.
    fuse = (FuseProductsPass(),) if contract and has_feature("fma") else ()
    return (
        # Code for one work-item and for vectors is to have the same results.
        *fuse,
        # Where no other thread sees memory, nothing is atomic.
        *((OclOwnAtomicsPass(),) if ndrange.facts.alone else ()),
        # Parallel regions. The trip count of a loop does not depend on its breaks, and is uniform
        # while they do not happen; nor on its start because it runs at least once. Private arrays
        # that live across barriers are values, not memory of each work-item. Pointers that move
        # alike are a start and one distance, or the loop's counter. Rows that are written downwards
        # are written upwards. Guards of groups are the same for their work-items. Groups in which
        # all work-items pass a guard reach the barriers after it together. Loops that write rows
        # are vectors of one work-item, whatever is best for others. Numbers are read at once, not
        # byte by byte.
        *passes_to_regions(
            ndrange,
            SimplifyBreaksPass(),
            PeelLoopsPass(),
            CarryDistancesPass(),
            # Rows that begin elsewhere for each work-item are counted alike.
            CountFromZeroPass(),
            IndexByCounterPass(),
            CountUpPass(distinct=ndrange.facts.distinct_buffers),
            PromotePrivateArraysPass(),
            # Loops over windows are over rows and columns, whatever the counter is divided by.
            NestLoopsPass(),
            JoinBytesPass(),
            WgPartRowsPass(),
            OclRoundGuardsPass(),
            OclSplitGuardsPass(),
            inlining_budget=inlining_budget,
        ),
        # What work-items see after a barrier only is memory as any other.
        WgDropVolatilePass(),
        # Structs that are arguments are there once for all work-items of a group.
        WgShareArgumentsPass(),
        # A clamp is the same however it is written.
        SelectValuesPass(),
        # Nothing is computed twice: all that follows has less to do.
        ShareValuesPass(distinct=ndrange.facts.distinct_buffers),
        # Nor is anything stored that nobody reads.
        RemoveDeadStoresPass(distinct=ndrange.facts.distinct_buffers),
        # An element of a vector that a loop's counter chooses is one in memory.
        LoadChosenPass(distinct=ndrange.facts.distinct_buffers),
        # Elements at places that loops carry are carried, too: of the largest one, say.
        CarryChosenPass(distinct=ndrange.facts.distinct_buffers),
        # Transcendental functions are arithmetic, which vectorizes. After ocl-to-wg, which prefers
        # to recompute an operation to its expansion; before ocl-expand-builtins, which makes calls
        # of libm of them.
        ExpandMathPass(budget=MATH_BUDGET),
        # Only arith, math and vector compute, the few builtins that libm has, and dot products
        # of bytes if there is an instruction for them.
        OclExpandBuiltinsPass(keep_dots=has_feature("avx512vnni") and has_feature("avx512vl")),
        # So are the products and sums of these.
        *fuse,
        # Components of vectors that are computed alike are vectors.
        JoinComponentsPass(),
        # Sums over short vectors in rows are sums over scalars, of which LLVM makes vectors.
        WgRollElementsPass(),
        # Private arrays lie as vectors of work-items read them.
        WgArraysByLanePass(),
        # Elements of pairs that are kept lie with those of neighbours.
        WgSplitContextsPass(),
        # No context arrays are left: they are memory, in which neighbours along x are adjacent.
        WgLowerContextsPass(),
        # Coordinates in vectors are indices like others.
        SplitVectorsPass(),
        # A clamp without a branch is like one with it.
        SelectTruthsPass(),
        # Ids that are computed from group and local ids are like the others.
        IndexArithmeticPass(),
        # Loops that reflect a coordinate once are like selections.
        WgSelectLoopsPass(),
        # Ids in integers of 16 bits are like others, where they fit.
        WgWidenShortsPass(),
        # Work-items with several neighbouring outputs become as many work-items.
        WgSpreadLoopsPass(distinct=ndrange.facts.distinct_buffers),
        # Groups of a transpose or a product of matrices that divides ids are tiles.
        WgTileRowsPass(),
        # Rows of work-items need no divisions of their ids by constants.
        WgSplitIdsPass(),
        # All work-items choose between two addresses, before these are compared with borders.
        WgUnswitchPass(loops=False),
        # Work-items inside of an array run without its border; before ids are divided.
        WgSplitBordersPass(small_buffers=ndrange.facts.small_buffers),
        # Inside of an array neighbouring outputs may have neighbouring inputs.
        WgSpreadLoopsPass(distinct=ndrange.facts.distinct_buffers),
        # Groups in one row of a divided id divide once.
        WgSplitRowsPass(),
        # Work-items whose loops have different lower bounds count from a common one.
        WgRebaseLoopsPass(),
        # Grid-stride loops go through memory in its order.
        WgHoistGridLoopsPass(),
        # The same rows, in grid-stride loops.
        WgSplitRowsPass(),
        # Neighbours are adjacent where the stride that an argument gives is 1.
        WgUnitStridesPass(),
        # Windows that move by known steps count alike.
        WgRebaseLoopsPass(),
        # Indices are computed in 64 bits, without extensions in loops.
        WidenIndicesPass(),
        # Work-items that each write a row become one for each element of it.
        WgTurnLoopsPass(distinct=ndrange.facts.distinct_buffers, masks=has_masks()),
        # Groups whose loops read the same data are consecutive.
        WgOrderGroupsPass(),
        # Work-items that all do the same run once.
        WgRunOncePass(distinct=ndrange.facts.distinct_buffers),
        # Regions run for the work-items that pass their guards.
        WgClipGuardsPass(),
        # Levels of a tree know the distances of what they add.
        WgUnrollStepsPass(),
        # Local memory has a known size and belongs to the group.
        WgPromoteLocalPass(sizes=ndrange.facts.local_bytes),
        # They run for the work-items whose sums are read.
        WgClipItemsPass(),
        # So are sums of ids that are multiples of a number now, and their guards.
        IndexArithmeticPass(),
        # Steps that divide ids by constants now are rows, too.
        WgSplitIdsPass(),
        WgClipGuardsPass(),
        # Elements of constant tables that neighbours read are neighbours.
        WgOrderTablesPass(),
        # Work-items inside of an array run without its border, for coordinates that were divided.
        WgSplitBordersPass(small_buffers=ndrange.facts.small_buffers),
        # Interior tiles read neighbouring elements.
        PASSES["wg-split-tiles"]()(small_buffers=ndrange.facts.small_buffers),
        # Groups in which all work-items pass their guards run without guards.
        WgSplitGuardsPass(),
        # These lie side by side.
        WgCompactTreesPass(),
        # Sums in arrays are carried, and rows are read and written in order.
        CarryStoresPass(distinct=ndrange.facts.distinct_buffers),
        # Groups of which one work-item has most to do run together.
        WgMergeGroupsPass(),
        # All work-items choose between two addresses before their loops.
        WgUnswitchPass(addresses=False),
        # Work-items that transpose have several columns each, which are rows to read.
        WgFoldColumnsPass(
            distinct=ndrange.facts.distinct_buffers, small_buffers=ndrange.facts.small_buffers
        ),
        # Rows that one work-item reads again are read once.
        WgKeepRowsPass(
            distinct=ndrange.facts.distinct_buffers, small_buffers=ndrange.facts.small_buffers
        ),
        # Short rows of work-items that run one by one are vectors.
        WgRowVectorsPass(
            distinct=ndrange.facts.distinct_buffers,
            small_buffers=ndrange.facts.small_buffers,
            masks=has_masks(),
        ),
        # Loops that lanes leave after one or two iterations are branches.
        WgUnrollTwosPass(),
        # What short loops access beside each other is in one block.
        WgUnrollRowsPass(small_buffers=ndrange.facts.small_buffers),
        # Rows of one work-item each are read several elements at once.
        WgReadRowsPass(
            distinct=ndrange.facts.distinct_buffers, small_buffers=ndrange.facts.small_buffers
        ),
        # So are rows whose ends are seen in reading them.
        WgReadAheadPass(
            distinct=ndrange.facts.distinct_buffers, small_buffers=ndrange.facts.small_buffers
        ),
        # Records are read several elements at once.
        WgJoinElementsPass(
            distinct=ndrange.facts.distinct_buffers, small_buffers=ndrange.facts.small_buffers
        ),
        # Both sides of a branch share one store, which needs no mask.
        SinkStoresPass(distinct=ndrange.facts.distinct_buffers),
        # They share loads, too.
        HoistLoadsPass(),
        # What loops read again and again is in a register.
        HoistWhileLoadsPass(distinct=ndrange.facts.distinct_buffers),
        # Loops around a ring do not divide.
        CarryRemaindersPass(),
        # Tiles at a border load the rows on either side of it, under masks.
        *_selected_loads(ndrange),
        # Bytes are computed with in 16 bits.
        WgNarrowValuesPass(small_buffers=ndrange.facts.small_buffers),
        # Searches in one array skip blocks of it, which all lanes do together.
        WgSearchBlocksPass(),
        # What a loop's condition has read, lanes do not gather again.
        PassOnLoadsPass(distinct=ndrange.facts.distinct_buffers),
        # Neighbouring work-items run as the lanes of vectors.
        WgVectorizePass(
            small_buffers=ndrange.facts.small_buffers,
            distinct=ndrange.facts.distinct_buffers,
            masks=has_masks(),
            tables=has_tables(),
            always="vectors" in enable,
            both=has_feature("avx2"),
            fuse=bool(fuse),
        ),
        # Neighbouring ranges of memory are read or prefetched in order.
        WgPrefetchPass(),
        # Several tiles share the body of a region with loops: common values are loaded once.
        WgJamPass(avx512=has_feature("avx512f")),
        # Several tiles are in flight in a region without loops.
        WgInterleavePass(avx512=has_feature("avx512f")),
        # Lanes that add to counters do so one after the other.
        WgUpdateInTurnPass(
            together="counters" in enable and has_feature("avx512cd") and has_masks()
        ),
        # Others are left out where they change nothing.
        *((WgSkipZerosPass(),) if "zeros" in enable else ()),
        # Atomics that change nothing take no lock, and store nothing.
        WgSkipAtomicsPass(),
        # Only memory that other threads see is accessed atomically.
        WgLocalAtomicsPass(),
        # Tiles and lanes share constants and addresses: there is less to lower. Not before wg-jam,
        # which expects that each access has its own.
        ShareValuesPass(distinct=ndrange.facts.distinct_buffers),
        # Rows that lie a power of two apart are copied: they would not stay in the cache.
        WgCopyRowsPass(),
        # What an iteration reads that the next one would read again stays in registers.
        WgCarryLoadsPass(avx512=has_feature("avx512f")),
        # Iterations that a guard stops are not run.
        WgShortenLoopsPass(),
        # Loops that end elsewhere for each work-item are predicted once.
        WgKeepLoopsPass(),
        # Running sums, and the like, of one work-item are of vectors.
        WgScanRowsPass(
            distinct=ndrange.facts.distinct_buffers,
            register_bits=512 if has_feature("avx512f") else 256,
        ),
        # Searches for the largest element, and the like, go over most elements by vectors.
        WgSkipUpdatesPass(register_bits=512 if has_feature("avx512f") else 256),
        # Rows that do not fill a vector are one under a mask.
        WgMaskRowsPass(masks=has_masks()),
        # No parallel regions are left: they are loops over work-items.
        WgToScfPass(),
        # One function runs a range of work-groups; its arguments are in a block of memory.
        WgToLaunchPass(),
        # Each thread counts for itself, and adds its counters to those in global memory.
        WgPrivateCountersPass(distinct=ndrange.facts.distinct_buffers),
        # Loops wait for no sign extension of an index that they carry.
        CarryIndicesPass(),
        # No regions are left, only blocks and branches.
        ScfToCfPass(),
        # Only the LLVM dialect is left.
        ConvertToLlvmPass(
            contract=contract,
            estimate=contract and has_feature("avx512vl"),
            slow_division=divides_slowly(),
            relaxed=contract,
            scales=scales_quickly(),
            masks=has_masks(),
            tables=has_tables(),
            lookups=512 if has_feature("avx512f") else 256 if has_feature("avx2") else 0,
            words=has_masks() and cycles_of(table_of(processor_name())).gathers_words,
            converts=has_masks() and has_feature("avx512dq"),
        ),
        # Vectors of 3 or 48 elements stay in registers.
        CarryPiecesPass(),
        # Masks keep the form in which the processor computes them.
        *(() if has_masks() else (CarryMasksPass(),)),
    )


WITH_SOME_DATA = ("counters", "zeros", "vectors")
"""What makes kernels faster or slower, depending on their data: `polycl port` tries it."""

FOR_SPEED = tuple(
    dict.fromkeys(
        step.name
        for step in _all_passes(
            NDRange((1, 1, 1), (1, 1, 1), guarded=()), contract=True, inlining_budget=0
        )
        if step.name not in NEEDED
    )
)
"""The passes that only make kernels faster: all others, so that a new one can be left out."""
