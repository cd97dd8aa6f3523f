"""The passes from a kernel to words (`tta-legalize`)."""

from __future__ import annotations

from math import gcd
from typing import Literal, TypeAlias

from xdsl.passes import ModulePass

from polycl.backends.device import NDRange
from polycl.backends.to_regions import passes_to_regions
from polycl.dialects.tta import Machine
from polycl.errors import ArgumentError
from polycl.lowering.llvm.expand_math import ExpandMathPass
from polycl.lowering.llvm.scf_to_cf import ScfToCfPass
from polycl.lowering.ocl.inline_functions import InlineFunctionsPass
from polycl.lowering.ocl.ocl_expand_builtins import OclExpandBuiltinsPass
from polycl.lowering.ocl.remove_dead_values import RemoveDeadValuesPass
from polycl.lowering.tta.tta_count_groups import TtaCountGroupsPass
from polycl.lowering.tta.tta_expand_arith import TtaExpandArithPass
from polycl.lowering.tta.tta_hoist_invariants import TtaHoistInvariantsPass
from polycl.lowering.tta.tta_if_convert import TtaIfConvertPass
from polycl.lowering.tta.tta_legalize import TtaLegalizePass
from polycl.lowering.tta.tta_mark_regions import TtaMarkRegionsPass
from polycl.lowering.tta.tta_narrow_indices import TtaNarrowIndicesPass
from polycl.lowering.tta.tta_reduce_strength import TtaReduceStrengthPass
from polycl.lowering.tta.tta_share_addresses import TtaShareAddressesPass
from polycl.lowering.tta.tta_widen_loops import TtaWidenLoopsPass
from polycl.lowering.wg.wg_interchange import WgInterchangePass
from polycl.lowering.wg.wg_jam import WgJamPass
from polycl.lowering.wg.wg_lower_contexts import WgLowerContextsPass
from polycl.lowering.wg.wg_promote_local import WgPromoteLocalPass
from polycl.lowering.wg.wg_replicate import WgReplicatePass
from polycl.lowering.wg.wg_to_launch import WgToLaunchPass
from polycl.lowering.wg.wg_to_scf import WgToScfPass

WgMethod: TypeAlias = Literal["loops", "horizontal", "replicate"]
"""How work-items share the processor: one after the other; those of a uniform loop's iteration
next to each other; as `horizontal`, and small regions as straight-line code for all of them."""

METHODS: tuple[WgMethod, ...] = ("loops", "horizontal", "replicate")

OPTIONAL = ("mul", "mulhi", "mulhiu", "divf", "sqrtf")
"""Operations that are computed from others where the processor does not have them."""


def operations_of(machine: Machine) -> tuple[str, ...]:
    """Those of OPTIONAL that the machine has."""
    return tuple(name for name in OPTIONAL if machine.units_with(name))


def tta_pipeline(
    ndrange: NDRange, machine: Machine, method: WgMethod = "loops", unroll: int = 1
) -> tuple[ModulePass, ...]:
    """The device's own passes up to words, in order, with what each leaves behind."""
    operations = operations_of(machine)
    return (
        # Parallel regions. All work-items run an iteration of a uniform loop before the next one.
        *passes_to_regions(ndrange, *((WgInterchangePass(),) if method != "loops" else ())),
        # Transcendental functions and builtins are arithmetic, without fused multiply-adds and f64.
        ExpandMathPass(fused=False),
        OclExpandBuiltinsPass(),
        # No context arrays are left: memory.
        WgLowerContextsPass(),
        # Local memory has a known size.
        WgPromoteLocalPass(sizes=ndrange.facts.local_bytes),
        # Accesses say between which barriers they are.
        TtaMarkRegionsPass(),
        *((WgReplicatePass(),) if method == "replicate" else ()),
        # Several work-items share the rounds of a loop.
        *_jam(ndrange, unroll),
        # Counters fit 32 bits.
        TtaWidenLoopsPass(),
        # No parallel regions are left: loops over work-items, and around them one over groups.
        WgToScfPass(),
        WgToLaunchPass(stack=0),
        # Sums and products for indices have 32 bits.
        TtaNarrowIndicesPass(),
        # The ids of groups are counted.
        TtaCountGroupsPass(),
        # The addresses of work-items side by side differ by constants.
        TtaShareAddressesPass(),
        # What is the same in all rounds of a loop is computed before it.
        TtaHoistInvariantsPass(),
        # Addresses are carried from round to round, where they grow by the same each time.
        TtaReduceStrengthPass(),
        TtaShareAddressesPass(),
        RemoveDeadValuesPass(),
        # No operation is left that the processor does not have: there are calls, then loops.
        TtaExpandArithPass(operations),
        InlineFunctionsPass(),
        # No regions are left: blocks and branches, one for each round of a loop.
        ScfToCfPass(rotate=True),
        # Only i32, f32 and i1, and memory with 32-bit addresses.
        TtaLegalizePass(operations, ndrange.facts.distinct_buffers),
        # No small branches are left: selects, guarded stores.
        TtaIfConvertPass(),
    )


def _jam(ndrange: NDRange, unroll: int) -> tuple[ModulePass, ...]:
    """`unroll` work-items next to each other: of a row, then of several rows."""
    vectors = gcd(unroll, ndrange.local_size[0])
    rows = unroll // vectors
    if ndrange.local_size[1] % rows:
        size = "x".join(map(str, ndrange.local_size))
        raise ArgumentError(f"device 'tta': unroll={unroll} does not divide the local size {size}")
    return (WgJamPass(rows, vectors),) if unroll > 1 else ()
