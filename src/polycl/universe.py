"""The one registry: every dialect, pass and target of polycl, by name.

xDSL finds it through the entry point group `xdsl.universe`, so plain `xdsl-opt` and every
other project on xDSL see all of it; `ocl-opt` and the standard pipelines read it too. Each
entry is `"name": late("module:attribute")`: nothing is imported before it is used, so a tool
starts without paying for libclang, islpy or llvmlite. The tables are sorted by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.universe import Universe

from polycl.columns import late

DIALECTS = {
    "host": late("polycl.dialects.host:HOST"),
    "llvm_ext": late("polycl.dialects.llvm:LLVM_EXT"),
    "ocl": late("polycl.dialects.ocl:OCL"),
    "pattern": late("polycl.dialects.pattern:PATTERN"),
    "poly": late("polycl.dialects.poly:POLY"),
    "tta": late("polycl.dialects.tta:TTA"),
    "vec": late("polycl.dialects.vec:VEC"),
    "wg": late("polycl.dialects.wg:WG"),
}

PASSES: dict[str, Callable[[], Any]] = {
    "affine-to-scf": late("polycl.lowering.ocl.affine_to_scf:AffineToScfPass"),
    "carry-chosen": late("polycl.lowering.ocl.carry_chosen:CarryChosenPass"),
    "carry-distances": late("polycl.lowering.ocl.carry_distances:CarryDistancesPass"),
    "carry-indices": late("polycl.lowering.llvm.carry_indices:CarryIndicesPass"),
    "carry-masks": late("polycl.lowering.llvm.carry_masks:CarryMasksPass"),
    "carry-pieces": late("polycl.lowering.llvm.carry_pieces:CarryPiecesPass"),
    "carry-remainders": late("polycl.lowering.ocl.carry_remainders:CarryRemaindersPass"),
    "carry-stores": late("polycl.lowering.ocl.carry_stores:CarryStoresPass"),
    "convert-gpu-launches": late(
        "polycl.lowering.host.convert_gpu_launches:ConvertGpuLaunchesPass"
    ),
    "convert-gpu-to-ocl": late("polycl.lowering.ocl.convert_gpu_to_ocl:ConvertGpuToOclPass"),
    "convert-to-llvm": late("polycl.lowering.llvm.convert_to_llvm:ConvertToLlvmPass"),
    "count-from-zero": late("polycl.lowering.ocl.count_from_zero:CountFromZeroPass"),
    "count-loops": late("polycl.lowering.ocl.count_loops:CountLoopsPass"),
    "count-up": late("polycl.lowering.ocl.count_up:CountUpPass"),
    "expand-math": late("polycl.lowering.llvm.expand_math:ExpandMathPass"),
    "find-popcounts": late("polycl.lowering.ocl.find_popcounts:FindPopcountsPass"),
    "forward-spaces": late("polycl.lowering.ocl.forward_spaces:ForwardSpacesPass"),
    "fuse-products": late("polycl.lowering.ocl.fuse_products:FuseProductsPass"),
    "hoist-loads": late("polycl.lowering.ocl.hoist_loads:HoistLoadsPass"),
    "hoist-while-loads": late("polycl.lowering.ocl.hoist_while_loads:HoistWhileLoadsPass"),
    "index-arithmetic": late("polycl.lowering.wg.index_arithmetic:IndexArithmeticPass"),
    "index-by-counter": late("polycl.lowering.ocl.index_by_counter:IndexByCounterPass"),
    "inline-functions": late("polycl.lowering.ocl.inline_functions:InlineFunctionsPass"),
    "join-bytes": late("polycl.lowering.ocl.join_bytes:JoinBytesPass"),
    "join-components": late("polycl.lowering.ocl.join_components:JoinComponentsPass"),
    "leave-unrolling": late("polycl.lowering.ocl.leave_unrolling:LeaveUnrollingPass"),
    "lift-cf-to-scf": late("polycl.lowering.ocl.lift_cf_to_scf:LiftCfToScfPass"),
    "linalg-to-parallel": late("polycl.lowering.ocl.linalg_to_parallel:LinalgToParallelPass"),
    "load-chosen": late("polycl.lowering.ocl.load_chosen:LoadChosenPass"),
    "loops-to-parallel": late("polycl.lowering.ocl.loops_to_parallel:LoopsToParallelPass"),
    "nest-loops": late("polycl.lowering.ocl.nest_loops:NestLoopsPass"),
    "ocl-annotate-uniformity": late(
        "polycl.analysis.ocl.ocl_annotate_uniformity:OclAnnotateUniformityPass"
    ),
    "ocl-any-local-size": late("polycl.lowering.ocl.ocl_any_local_size:OclAnyLocalSizePass"),
    "ocl-data-layout": late("polycl.lowering.host.ocl_data_layout:OclDataLayoutPass"),
    "ocl-expand-builtins": late("polycl.lowering.ocl.ocl_expand_builtins:OclExpandBuiltinsPass"),
    "ocl-expand-collectives": late(
        "polycl.lowering.ocl.ocl_expand_collectives:OclExpandCollectivesPass"
    ),
    "ocl-expand-images": late("polycl.lowering.ocl.ocl_expand_images:OclExpandImagesPass"),
    "ocl-expand-pipes": late("polycl.lowering.ocl.ocl_expand_pipes:OclExpandPipesPass"),
    "ocl-expand-sub-groups": late(
        "polycl.lowering.ocl.ocl_expand_sub_groups:OclExpandSubGroupsPass"
    ),
    "ocl-find-global-ids": late("polycl.lowering.ocl.ocl_find_global_ids:OclFindGlobalIdsPass"),
    "ocl-free-groups": late("polycl.lowering.ocl.ocl_free_groups:OclFreeGroupsPass"),
    "ocl-holistic-vectorize": late(
        "polycl.lowering.host.ocl_holistic_vectorize:OclHolisticVectorizePass"
    ),
    "ocl-insert-checks": late("polycl.lowering.ocl.ocl_insert_checks:OclInsertChecksPass"),
    "ocl-lower-transpose": late("polycl.lowering.host.ocl_lower_transpose:OclLowerTransposePass"),
    "ocl-own-atomics": late("polycl.lowering.ocl.ocl_own_atomics:OclOwnAtomicsPass"),
    "ocl-print-aliases": late("polycl.analysis.host.ocl_print_aliases:OclPrintAliasesPass"),
    "ocl-print-def-use": late("polycl.analysis.host.ocl_print_def_use:OclPrintDefUsePass"),
    "ocl-print-liveness": late("polycl.analysis.host.ocl_print_liveness:OclPrintLivenessPass"),
    "ocl-print-reuse": late("polycl.analysis.host.ocl_print_reuse:OclPrintReusePass"),
    "ocl-print-wii": late("polycl.analysis.host.ocl_print_wii:OclPrintWiiPass"),
    "ocl-rebase-arguments": late("polycl.lowering.ocl.ocl_rebase_arguments:OclRebaseArgumentsPass"),
    "ocl-remove-transfers": late(
        "polycl.lowering.host.ocl_remove_transfers:OclRemoveTransfersPass"
    ),
    "ocl-reorganize-threads": late(
        "polycl.lowering.host.ocl_reorganize_threads:OclReorganizeThreadsPass"
    ),
    "ocl-resolve-spaces": late("polycl.lowering.ocl.ocl_resolve_spaces:OclResolveSpacesPass"),
    "ocl-round-guards": late("polycl.lowering.ocl.ocl_round_guards:OclRoundGuardsPass"),
    "ocl-set-local-size": late("polycl.lowering.ocl.ocl_set_local_size:OclSetLocalSizePass"),
    "ocl-split-guards": late("polycl.lowering.ocl.ocl_split_guards:OclSplitGuardsPass"),
    "ocl-tail-duplicate": late("polycl.lowering.ocl.ocl_tail_duplicate:OclTailDuplicatePass"),
    "ocl-to-nvvm": late("polycl.lowering.llvm.ocl_to_nvvm:OclToNvvmPass"),
    "ocl-to-spir": late("polycl.lowering.llvm.ocl_to_spir:OclToSpirPass"),
    "ocl-to-wg": late("polycl.lowering.ocl.ocl_to_wg:OclToWgPass"),
    "outline-host-code": late("polycl.lowering.host.outline_host_code:OutlineHostCodePass"),
    "outline-launches": late("polycl.lowering.ocl.outline_launches:OutlineLaunchesPass"),
    "parallel-to-launch": late("polycl.lowering.ocl.parallel_to_launch:ParallelToLaunchPass"),
    "pass-on-loads": late("polycl.lowering.ocl.pass_on_loads:PassOnLoadsPass"),
    "pattern-apply": late("polycl.lowering.pattern.pattern_apply:PatternApplyPass"),
    "pattern-derive": late("polycl.lowering.pattern.pattern_derive:PatternDerivePass"),
    "pattern-inline-calls": late(
        "polycl.lowering.pattern.pattern_inline_calls:PatternInlineCallsPass"
    ),
    "pattern-set-sizes": late("polycl.lowering.pattern.pattern_set_sizes:PatternSetSizesPass"),
    "pattern-to-ocl": late("polycl.lowering.pattern.pattern_to_ocl:PatternToOclPass"),
    "pattern-verify-hierarchy": late(
        "polycl.analysis.pattern.pattern_verify_hierarchy:PatternVerifyHierarchyPass"
    ),
    "peel-loops": late("polycl.lowering.ocl.peel_loops:PeelLoopsPass"),
    "poly-classify": late("polycl.lowering.poly.poly_classify:PolyClassifyPass"),
    "poly-extract": late("polycl.lowering.poly.poly_extract:PolyExtractPass"),
    "poly-fix-launch": late("polycl.lowering.poly.poly_fix_launch:PolyFixLaunchPass"),
    "poly-lower-codelet": late("polycl.lowering.poly.poly_lower_codelet:PolyLowerCodeletPass"),
    "poly-lower-values": late("polycl.lowering.poly.poly_lower_values:PolyLowerValuesPass"),
    "poly-materialize": late("polycl.lowering.poly.poly_materialize:PolyMaterializePass"),
    "poly-normalize": late("polycl.lowering.poly.poly_normalize:PolyNormalizePass"),
    "poly-print": late("polycl.analysis.poly.poly_print:PolyPrintPass"),
    "poly-score": late("polycl.lowering.poly.poly_score:PolyScorePass"),
    "poly-split": late("polycl.lowering.poly.poly_split:PolySplitPass"),
    "poly-to-affine": late("polycl.lowering.poly.poly_to_affine:PolyToAffinePass"),
    "poly-verify": late("polycl.analysis.poly.poly_verify:PolyVerifyPass"),
    "ppopencl": late("polycl.lowering.host.ppopencl:PpopenclPass"),
    "promote-loop-memory": late("polycl.lowering.ocl.promote_loop_memory:PromoteLoopMemoryPass"),
    "promote-private-arrays": late(
        "polycl.lowering.ocl.promote_private_arrays:PromotePrivateArraysPass"
    ),
    "promote-private-memory": late(
        "polycl.lowering.ocl.promote_private_memory:PromotePrivateMemoryPass"
    ),
    "remove-dead-stores": late("polycl.lowering.ocl.remove_dead_stores:RemoveDeadStoresPass"),
    "remove-dead-values": late("polycl.lowering.ocl.remove_dead_values:RemoveDeadValuesPass"),
    "scf-to-cf": late("polycl.lowering.llvm.scf_to_cf:ScfToCfPass"),
    "select-truths": late("polycl.lowering.ocl.select_truths:SelectTruthsPass"),
    "select-values": late("polycl.lowering.ocl.select_values:SelectValuesPass"),
    "share-values": late("polycl.lowering.ocl.share_values:ShareValuesPass"),
    "simplify-breaks": late("polycl.lowering.ocl.simplify_breaks:SimplifyBreaksPass"),
    "simplify-loops": late("polycl.lowering.ocl.simplify_loops:SimplifyLoopsPass"),
    "sink-stores": late("polycl.lowering.ocl.sink_stores:SinkStoresPass"),
    "split-carried-vectors": late(
        "polycl.lowering.ocl.split_carried_vectors:SplitCarriedVectorsPass"
    ),
    "split-structs": late("polycl.lowering.ocl.split_structs:SplitStructsPass"),
    "split-vectors": late("polycl.lowering.ocl.split_vectors:SplitVectorsPass"),
    "tta-count-groups": late("polycl.lowering.tta.tta_count_groups:TtaCountGroupsPass"),
    "tta-expand-arith": late("polycl.lowering.tta.tta_expand_arith:TtaExpandArithPass"),
    "tta-hoist-invariants": late("polycl.lowering.tta.tta_hoist_invariants:TtaHoistInvariantsPass"),
    "tta-if-convert": late("polycl.lowering.tta.tta_if_convert:TtaIfConvertPass"),
    "tta-join-loops": late("polycl.lowering.tta.tta_join_loops:TtaJoinLoopsPass"),
    "tta-legalize": late("polycl.lowering.tta.tta_legalize:TtaLegalizePass"),
    "tta-mark-regions": late("polycl.lowering.tta.tta_mark_regions:TtaMarkRegionsPass"),
    "tta-narrow-indices": late("polycl.lowering.tta.tta_narrow_indices:TtaNarrowIndicesPass"),
    "tta-pair-iterations": late("polycl.lowering.tta.tta_pair_iterations:TtaPairIterationsPass"),
    "tta-reduce-strength": late("polycl.lowering.tta.tta_reduce_strength:TtaReduceStrengthPass"),
    "tta-schedule": late("polycl.lowering.tta.tta_schedule:TtaSchedulePass"),
    "tta-select-operations": late(
        "polycl.lowering.tta.tta_select_operations:TtaSelectOperationsPass"
    ),
    "tta-share-addresses": late("polycl.lowering.tta.tta_share_addresses:TtaShareAddressesPass"),
    "tta-widen-loops": late("polycl.lowering.tta.tta_widen_loops:TtaWidenLoopsPass"),
    "wg-arrays-by-lane": late("polycl.lowering.wg.wg_arrays_by_lane:WgArraysByLanePass"),
    "wg-carry-loads": late("polycl.lowering.wg.wg_carry_loads:WgCarryLoadsPass"),
    "wg-clip-guards": late("polycl.lowering.wg.wg_clip_guards:WgClipGuardsPass"),
    "wg-clip-items": late("polycl.lowering.wg.wg_clip_items:WgClipItemsPass"),
    "wg-compact-trees": late("polycl.lowering.wg.wg_compact_trees:WgCompactTreesPass"),
    "wg-copy-rows": late("polycl.lowering.wg.wg_copy_rows:WgCopyRowsPass"),
    "wg-drop-volatile": late("polycl.lowering.wg.wg_drop_volatile:WgDropVolatilePass"),
    "wg-fold-columns": late("polycl.lowering.wg.wg_fold_columns:WgFoldColumnsPass"),
    "wg-hoist-grid-loops": late("polycl.lowering.wg.wg_hoist_grid_loops:WgHoistGridLoopsPass"),
    "wg-interchange": late("polycl.lowering.wg.wg_interchange:WgInterchangePass"),
    "wg-interleave": late("polycl.lowering.wg.wg_interleave:WgInterleavePass"),
    "wg-jam": late("polycl.lowering.wg.wg_jam:WgJamPass"),
    "wg-join-elements": late("polycl.lowering.wg.wg_join_elements:WgJoinElementsPass"),
    "wg-keep-loops": late("polycl.lowering.wg.wg_keep_loops:WgKeepLoopsPass"),
    "wg-keep-rows": late("polycl.lowering.wg.wg_keep_rows:WgKeepRowsPass"),
    "wg-local-atomics": late("polycl.lowering.wg.wg_local_atomics:WgLocalAtomicsPass"),
    "wg-lower-contexts": late("polycl.lowering.wg.wg_lower_contexts:WgLowerContextsPass"),
    "wg-mask-rows": late("polycl.lowering.wg.wg_mask_rows:WgMaskRowsPass"),
    "wg-merge-groups": late("polycl.lowering.wg.wg_merge_groups:WgMergeGroupsPass"),
    "wg-narrow-values": late("polycl.lowering.wg.wg_narrow_values:WgNarrowValuesPass"),
    "wg-order-groups": late("polycl.lowering.wg.wg_order_groups:WgOrderGroupsPass"),
    "wg-order-tables": late("polycl.lowering.wg.wg_order_tables:WgOrderTablesPass"),
    "wg-part-rows": late("polycl.lowering.wg.wg_part_rows:WgPartRowsPass"),
    "wg-prefetch": late("polycl.lowering.wg.wg_prefetch:WgPrefetchPass"),
    "wg-private-counters": late("polycl.lowering.wg.wg_private_counters:WgPrivateCountersPass"),
    "wg-promote-local": late("polycl.lowering.wg.wg_promote_local:WgPromoteLocalPass"),
    "wg-read-ahead": late("polycl.lowering.wg.wg_read_ahead:WgReadAheadPass"),
    "wg-read-rows": late("polycl.lowering.wg.wg_read_rows:WgReadRowsPass"),
    "wg-rebase-loops": late("polycl.lowering.wg.wg_rebase_loops:WgRebaseLoopsPass"),
    "wg-replicate": late("polycl.lowering.wg.wg_replicate:WgReplicatePass"),
    "wg-roll-elements": late("polycl.lowering.wg.wg_roll_elements:WgRollElementsPass"),
    "wg-row-vectors": late("polycl.lowering.wg.wg_row_vectors:WgRowVectorsPass"),
    "wg-run-once": late("polycl.lowering.wg.wg_run_once:WgRunOncePass"),
    "wg-scan-rows": late("polycl.lowering.wg.wg_scan_rows:WgScanRowsPass"),
    "wg-search-blocks": late("polycl.lowering.wg.wg_search_blocks:WgSearchBlocksPass"),
    "wg-select-loads": late("polycl.lowering.wg.wg_select_loads:WgSelectLoadsPass"),
    "wg-select-loops": late("polycl.lowering.wg.wg_select_loops:WgSelectLoopsPass"),
    "wg-share-arguments": late("polycl.lowering.wg.wg_share_arguments:WgShareArgumentsPass"),
    "wg-shorten-loops": late("polycl.lowering.wg.wg_shorten_loops:WgShortenLoopsPass"),
    "wg-skip-atomics": late("polycl.lowering.wg.wg_skip_atomics:WgSkipAtomicsPass"),
    "wg-skip-updates": late("polycl.lowering.wg.wg_skip_updates:WgSkipUpdatesPass"),
    "wg-skip-zeros": late("polycl.lowering.wg.wg_skip_zeros:WgSkipZerosPass"),
    "wg-specialize": late("polycl.lowering.wg.wg_specialize:WgSpecializePass"),
    "wg-split-borders": late("polycl.lowering.wg.wg_split_borders:WgSplitBordersPass"),
    "wg-split-contexts": late("polycl.lowering.wg.wg_split_contexts:WgSplitContextsPass"),
    "wg-split-guards": late("polycl.lowering.wg.wg_split_guards:WgSplitGuardsPass"),
    "wg-split-ids": late("polycl.lowering.wg.wg_split_ids:WgSplitIdsPass"),
    "wg-split-rows": late("polycl.lowering.wg.wg_split_rows:WgSplitRowsPass"),
    "wg-split-tiles": late("polycl.lowering.poly.wg_split_tiles:WgSplitTilesPass"),
    "wg-spread-loops": late("polycl.lowering.wg.wg_spread_loops:WgSpreadLoopsPass"),
    "wg-tile-rows": late("polycl.lowering.wg.wg_tile_rows:WgTileRowsPass"),
    "wg-to-launch": late("polycl.lowering.wg.wg_to_launch:WgToLaunchPass"),
    "wg-to-scf": late("polycl.lowering.wg.wg_to_scf:WgToScfPass"),
    "wg-turn-loops": late("polycl.lowering.wg.wg_turn_loops:WgTurnLoopsPass"),
    "wg-unit-strides": late("polycl.lowering.wg.wg_unit_strides:WgUnitStridesPass"),
    "wg-unroll-rows": late("polycl.lowering.wg.wg_unroll_rows:WgUnrollRowsPass"),
    "wg-unroll-steps": late("polycl.lowering.wg.wg_unroll_steps:WgUnrollStepsPass"),
    "wg-unroll-twos": late("polycl.lowering.wg.wg_unroll_twos:WgUnrollTwosPass"),
    "wg-unswitch": late("polycl.lowering.wg.wg_unswitch:WgUnswitchPass"),
    "wg-update-in-turn": late("polycl.lowering.wg.wg_update_in_turn:WgUpdateInTurnPass"),
    "wg-vectorize": late("polycl.lowering.wg.wg_vectorize:WgVectorizePass"),
    "wg-widen-shorts": late("polycl.lowering.wg.wg_widen_shorts:WgWidenShortsPass"),
    "widen-indices": late("polycl.lowering.llvm.widen_indices:WidenIndicesPass"),
}

TARGETS: dict[str, Callable[[], Any]] = {
    "cpu-assembly": late("polycl.backends.cpu.targets:CpuAssemblyTarget"),
    "llvm-ir": late("polycl.backends.cpu.targets:LlvmIrTarget"),
    "opencl-c": late("polycl.backends.opencl_c.target:OpenclCTarget"),
    "opencl-host-c": late("polycl.backends.host.host_c:OpenclHostCTarget"),
    "pattern-paper": late("polycl.backends.pattern.pattern_paper:PatternPaperTarget"),
    "ptx": late("polycl.backends.cuda.target:PtxTarget"),
    "pyopencl": late("polycl.backends.host.host_python:PyopenclTarget"),
    "spirv": late("polycl.backends.spirv.target:SpirvTarget"),
    "tceasm": late("polycl.backends.tta.target:TceasmTarget"),
}

UNIVERSE = Universe(all_dialects=DIALECTS, all_passes=PASSES, all_targets=TARGETS)
