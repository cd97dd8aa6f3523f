"""The passes from a kernel to 32-bit words (`tta-legalize`)."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd, prod
from typing import Literal, TypeAlias

from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from polycl.backends.device import NDRange
from polycl.backends.to_regions import passes_to_regions
from polycl.backends.tta.limit_size import TooLargeError
from polycl.dialects.tta import OPSET, Machine
from polycl.dialects.tta.core import constant_bits, guards_words
from polycl.dialects.tta.opset import SHIFTS
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
from polycl.lowering.tta.tta_join_loops import TtaJoinLoopsPass
from polycl.lowering.tta.tta_legalize import TtaLegalizePass
from polycl.lowering.tta.tta_mark_regions import TtaMarkRegionsPass
from polycl.lowering.tta.tta_narrow_indices import TtaNarrowIndicesPass
from polycl.lowering.tta.tta_pair_iterations import TtaPairIterationsPass
from polycl.lowering.tta.tta_reduce_strength import TtaReduceStrengthPass
from polycl.lowering.tta.tta_select_operations import TtaSelectOperationsPass
from polycl.lowering.tta.tta_share_addresses import TtaShareAddressesPass
from polycl.lowering.tta.tta_widen_loops import TtaWidenLoopsPass
from polycl.lowering.wg.wg_interchange import WgInterchangePass
from polycl.lowering.wg.wg_jam import WgJamPass
from polycl.lowering.wg.wg_lower_contexts import WgLowerContextsPass
from polycl.lowering.wg.wg_promote_local import WgPromoteLocalPass
from polycl.lowering.wg.wg_replicate import WgReplicatePass
from polycl.lowering.wg.wg_to_launch import WgToLaunchPass
from polycl.lowering.wg.wg_to_scf import WgToScfPass
from polycl.remarks import emit_remark

WgMethod: TypeAlias = Literal["loops", "interchange", "horizontal", "replicate", "replicate-only"]
"""How work-items share the processor: `loops` executes them one by one; `horizontal` executes an
iteration of a uniform loop for some of them, whose values are in registers, and `interchange` for
all; `replicate` also unrolls small regions, and `replicate-only` does that without interchanging
loops."""

METHODS: tuple[WgMethod, ...] = (
    "loops",
    "interchange",
    "horizontal",
    "replicate",
    "replicate-only",
)

PAIRED = 64
"""Registers of 32 bits for two iterations in one: what they load is twice as much."""

MOST_REPLICATED = 40_000
"""The most operations of all work-items side by side: these take up to 20 s to schedule."""

JOINED = 16
"""The work-items whose loops are joined by `horizontal`, unless `unroll` is another number."""

OPTIONAL = ("mul", "mulhi", "mulhiu", "divf", "sqrtf")
"""Operations that are expanded if the processor does not have them."""


FLOAT = ("addf", "subf", "mulf", "cif", "cifu", "cfi", "cfiu")
"""Operations on floats that are expanded to integers if the processor does not have them."""


def operations_of(machine: Machine) -> tuple[str, ...]:
    """The operations of OPTIONAL that the machine has."""
    return tuple(name for name in OPTIONAL if machine.units_with(name))


def _lacking(machine: Machine) -> tuple[str, ...]:
    return tuple(name for name in FLOAT if not machine.units_with(name))


def _selection(machine: Machine) -> tuple[ModulePass, ...]:
    """Replaces operations that the machine lacks, if there are any."""
    has = tuple(name for name in OPSET if machine.units_with(name))
    optional = {*OPTIONAL, *FLOAT, "call", "negf", "absf"}
    optional |= {f"{name}{n}_32" for name in ("shl", "shr", "shru") for n in SHIFTS}
    bits, guards = constant_bits(machine), guards_words(machine)
    if set(has) | optional >= OPSET.keys() and bits >= 32 and guards:
        return ()
    return (TtaSelectOperationsPass(has, bits, machine.apart, guards),)


def tta_pipeline(
    ndrange: NDRange,
    machine: Machine,
    method: WgMethod = "loops",
    unroll: int = 1,
    overlap: bool = False,
) -> tuple[ModulePass, ...]:
    """The device's passes up to `tta-legalize`; comments state what holds after each.

    `overlap`: whether the iterations of loops will overlap.
    """
    operations = operations_of(machine)
    return (
        # Parallel regions. All work-items run an iteration of a uniform loop before the next one.
        *passes_to_regions(
            ndrange, *((WgInterchangePass(),) if method in ("interchange", "replicate") else ())
        ),
        # Transcendental functions and builtins are arithmetic, without fused multiply-adds and f64.
        ExpandMathPass(fused=False),
        OclExpandBuiltinsPass(),
        # No context arrays are left: they are memory.
        WgLowerContextsPass(),
        # Local memory has a known size.
        WgPromoteLocalPass(sizes=ndrange.facts.local_bytes),
        # Accesses have the number of their region.
        TtaMarkRegionsPass(),
        *((WgReplicatePass(),) if method.startswith("replicate") else ()),
        # Several work-items share the iterations of a loop.
        *_shared(ndrange, machine, method, unroll),
        # Counters fit 32 bits.
        TtaWidenLoopsPass(),
        # No parallel regions are left: there are loops over work-items in a loop over groups.
        WgToScfPass(),
        WgToLaunchPass(stack=0),
        # Arithmetic of indices has 32 bits.
        TtaNarrowIndicesPass(),
        # The ids of groups are counted without divisions; the first group is 0.
        TtaCountGroupsPass(whole=True),
        # The addresses of neighbouring work-items differ by constants.
        TtaShareAddressesPass(),
        # Loop-invariant operations are before the loop.
        TtaHoistInvariantsPass(),
        # Addresses that are linear in a loop's counter are carried by the loop.
        TtaReduceStrengthPass(),
        TtaShareAddressesPass(),
        # Sums in memory are loaded and stored once for two iterations: fewer moves, longer chains.
        *((TtaPairIterationsPass(),) if overlap and _registers(machine) >= PAIRED else ()),
        RemoveDeadValuesPass(),
        # All operations are in the operation set: others became calls, which are inlined.
        TtaExpandArithPass(operations, _lacking(machine)),
        InlineFunctionsPass(),
        # No regions are left: there are blocks and branches, one per iteration of a loop.
        ScfToCfPass(rotate=True),
        # Types are i32, f32 and i1; addresses have 32 bits.
        TtaLegalizePass(operations, ndrange.facts.distinct_buffers),
        # No small branches are left: they are selects and guarded stores.
        *((TtaIfConvertPass(),) if guards_words(machine) else (TtaIfConvertPass(most=0),)),
        # All operations are those of a unit.
        *_selection(machine),
    )


Legalise: TypeAlias = Callable[[tuple[ModulePass, ...], int | None], FuncOp]
"""Runs passes on a kernel. Raises TooLargeError if it has more operations than the number."""


def legalised(
    legalise: Legalise,
    ndrange: NDRange,
    machine: Machine,
    method: WgMethod = "loops",
    unroll: int = 1,
    overlap: bool = False,
) -> FuncOp:
    """The function of a kernel.

    Where all work-items side by side are more than MOST_REPLICATED operations, as many as fit share
    the iterations of a loop over them instead, and a remark says so.
    """
    passes = tta_pipeline(ndrange, machine, method, unroll, overlap)
    if not method.startswith("replicate"):
        return legalise(passes, None)
    try:
        return legalise(passes, MOST_REPLICATED)
    except TooLargeError as error:
        size = error.size
    alone: WgMethod = "interchange" if method == "replicate" else "loops"
    items = prod(ndrange.local_size)
    # What the work-items share is small in such kernels.
    count = max(1, min(items // 2, items * MOST_REPLICATED // size))
    while not _is_unrolled(count, ndrange):
        count -= 1
    function = legalise(tta_pipeline(ndrange, machine, alone, count, overlap), None)
    emit_remark(
        function,
        "tta",
        f"{count} of {items} work-items side by side: all of them are {size} operations, more than "
        f"the {MOST_REPLICATED} that are scheduled",
    )
    return function


def _is_unrolled(count: int, ndrange: NDRange) -> bool:
    """Whether so many work-items can share an iteration."""
    x, y, _ = ndrange.local_size
    return x % gcd(count, x) == 0 and y % (count // gcd(count, x)) == 0


def _shared(
    ndrange: NDRange, machine: Machine, method: WgMethod, unroll: int
) -> tuple[ModulePass, ...]:
    """Thread coarsening by `unroll` work-items: of a row, then of several rows."""
    if method == "horizontal":
        most = JOINED if unroll == 1 else unroll
        return (TtaJoinLoopsPass(most, _registers(machine)),)
    vectors = gcd(unroll, ndrange.local_size[0])
    rows = unroll // vectors
    if ndrange.local_size[1] % rows:
        size = "x".join(map(str, ndrange.local_size))
        raise ArgumentError(f"device 'tta': unroll={unroll} does not divide the local size {size}")
    return (WgJamPass(rows, vectors),) if unroll > 1 else ()


def named_pipeline(launch: NDRange) -> tuple[ModulePass, ...]:
    """`ocl-opt -p tta`: the passes of the device `tta`, and a schedule for the machine `paper`."""
    from polycl.dialects.tta.presets import parse_machine
    from polycl.lowering.tta.tta_schedule import TtaSchedulePass

    return *tta_pipeline(launch, parse_machine("paper")), TtaSchedulePass(machine="paper")


def _registers(machine: Machine) -> int:
    """How many registers of 32 bits a machine has for values."""
    files = (file for file in machine.register_files if file.width == 32)
    return sum(len(file.allocatable) for file in files)
