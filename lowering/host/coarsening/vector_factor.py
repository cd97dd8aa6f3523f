"""The number of work-items in a vector: Algorithm 4 of [ppopencl19]."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, IntegerType, VectorType
from xdsl.ir import Operation, SSAValue

from polycl.analysis.host.platforms import Platform
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.host.coarsening.coarse_dependence import (
    ACCESSES,
    KernelDependence,
    has_barrier,
    obstacle,
)
from polycl.lowering.host.coarsening.coarse_launches import Configuration
from polycl.lowering.host.coarsening.constraints import apply_constraints, kept_values
from polycl.lowering.host.coarsening.latency import class_of, latency, weights
from polycl.lowering.host.coarsening.packing import Packing

X = 0
MOST_LANES = 16
MOST_OPERATIONS = 16000
"""The packed values; the others stay separate for each work-item."""

COMPUTED = ("float", "divide", "math")


def vector_factor(
    kernel: ocl.KernelOp, launch: Configuration, platform: Platform
) -> tuple[int, str]:
    """f_v with an explanation; 1 if a kernel is not vectorized."""
    if not platform.simd_bits:
        return 1, "the platform has no vectors"
    if platform.vectorizes and not platform.weak_in_loops:
        return 1, "the platform's compiler makes vectors of neighbours"
    loops = _has_loops(kernel)
    local = launch.local_size or (None, None, None)
    row = local[X] or platform.least_row
    if platform.vectorizes_without_loops and row >= platform.least_row and not loops:
        return 1, "the platform's compiler makes vectors of neighbours that have no loop"
    dependence = KernelDependence(kernel, X)
    if (reason := obstacle(kernel, dependence)) is not None:
        return 1, reason
    together, apart, bits, explicit = _accesses(kernel, dependence)
    lanes = min(max(platform.simd_bits // bits, 1), MOST_LANES)
    # What is left of a group that is one work-item has no barriers, whatever else it has.
    is_group = not platform.is_gpu and has_barrier(kernel) and local == (lanes, 1, 1)
    if not (is_group and together) and (
        reason := _is_worse(kernel, dependence, platform, together, apart)
    ):
        return 1, reason
    # Algorithm 2 leaves x to a compiler that makes vectors.
    inter = lanes
    if not platform.vectorizes:
        inter = apply_constraints([lanes, 1, 1], local, {X}, platform)[X]
    own, shared = kept_values(kernel, dependence)
    held = platform.registers * (1 if platform.is_gpu else lanes)
    inter = _power_of_two(min(inter, held // max(own + shared, 1)))
    factor = inter // explicit
    size = local[X]
    while factor > 1 and has_barrier(kernel) and (size is None or size % factor):
        factor //= 2
    while factor > 1 and sum(1 for _ in kernel.body.walk()) * factor > MOST_OPERATIONS:
        factor //= 2
    if factor <= 1:
        return 1, f"vectors of {inter} elements, {explicit} of them are the kernel's own"
    return factor, f"{factor} work-items in a vector of {factor * explicit} elements"


def _is_worse(
    kernel: ocl.KernelOp,
    dependence: KernelDependence,
    platform: Platform,
    together: int,
    apart: int,
) -> str:
    """Why vectors of work-items are no faster than the work-items, or nothing."""
    alone, cycles = _cycles_alone(kernel, dependence, platform)
    scattered = together == 0 or apart > together
    if scattered and not _is_worth_packing(kernel, dependence, platform, apart):
        return f"{apart} accesses of neighbours are scattered, {together} continuous"
    in_loop = _continuous_in_loop(kernel, dependence)
    if platform.is_gpu and in_loop:
        return "neighbours of the GPU would no longer access neighbouring elements in a loop"
    if platform.is_gpu and not _has_loops(kernel):
        return "it waits for what neighbours of the GPU access next to each other"
    if platform.vectorizes and not in_loop and not scattered:
        return "the platform's compiler makes vectors of neighbours that access none in loops"
    if 2 * alone > cycles:
        return f"{alone} of {cycles} cycles are in divergent branches"
    return ""


def stays_apart(kernel: ocl.KernelOp, platform: Platform) -> bool:
    """Whether nobody makes vectors of neighbours, as most cycles are in branches and loops that
    they do not share: neither `ocl-holistic-vectorize` nor, on a serial platform, its compiler."""
    if platform.vectorizes_branches and not _has_loops(kernel):
        return False
    alone, cycles = _cycles_alone(kernel, KernelDependence(kernel, X), platform)
    return 2 * alone > cycles


def _has_loops(kernel: ocl.KernelOp) -> bool:
    return any(isinstance(op, scf.ForOp | scf.WhileOp) for op in kernel.body.walk())


def is_worth_packing(kernel: ocl.KernelOp, platform: Platform) -> bool:
    """Whether vectors pay even if all accesses of neighbours are scattered."""
    dependence = KernelDependence(kernel, X)
    together, apart, _, _ = _accesses(kernel, dependence)
    return _is_worth_packing(kernel, dependence, platform, together + apart)


def _is_worth_packing(
    kernel: ocl.KernelOp, dependence: KernelDependence, platform: Platform, apart: int
) -> bool:
    """Scattered elements are loaded one by one, and put into a vector: that takes `packing` times
    the cycles of the loads. What is computed in a branch that neighbours do not share counts half:
    vectors compute it for all work-items, of which half need it.

    Each lane of each merged work-item has an address of its own. Beyond the registers they are read
    from memory again for each access: on PoCL 7.2 cutcp took with vectors 0.98 of the time without
    for 16 addresses, 1.08 for 32, and 1.38 for 64.
    """
    computed = sum(
        latency(op, platform) * weight * dependence.share(op)
        for op, weight in weights(kernel.body.block)
        if class_of(op) in COMPUTED and dependence.of_operation(op)
    )
    scattered = platform.packing * apart * platform.latency["load"]
    addresses = _kept_integers(kernel, dependence) * (platform.simd_bits // 32)
    return _has_loops(kernel) and 0 < scattered < computed and addresses < platform.registers


def _kept_integers(kernel: ocl.KernelOp, dependence: KernelDependence) -> int:
    """The most integers of a work-item that a loop uses and does not change: parts of addresses."""
    most = 0
    for loop in kernel.body.walk():
        if isinstance(loop, scf.ForOp | scf.WhileOp):
            used = {v for op in loop.walk() if op is not loop for v in op.operands}
            most = max(most, sum(_is_kept(value, loop, dependence) for value in used))
    return most


def _is_kept(value: SSAValue, loop: Operation, dependence: KernelDependence) -> bool:
    is_integer = isinstance(value.type, IntegerType | IndexType)
    return is_integer and bool(dependence.of(value)) and not loop.is_ancestor(value.owner)


def _power_of_two(number: int) -> int:
    return 1 << (max(number, 1).bit_length() - 1)


def _accesses(kernel: ocl.KernelOp, dependence: KernelDependence) -> tuple[int, int, int, int]:
    """The dynamic counts of continuous and of other accesses, of those that differ along x; the
    bits of the widest element; and the size of the kernel's own vectors (DetectExpVec)."""
    packing = Packing(kernel, dependence, 2)
    together = apart = 0
    bits, explicit = 32, 1
    for op, weight in weights(kernel.body.block):
        if not isinstance(op, ACCESSES):
            continue
        value = op.result if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else op.value
        if isinstance(value.type, VectorType) and count_of(value.type) != 3:
            explicit = max(explicit, count_of(value.type))
        if not dependence.of_all([op.pointer, *([op.index] if op.index else [])]):
            continue
        if packing.is_continuous(op) and dependence.stays_together(op):
            together += weight
            bits = max(bits, 8 * size_of(element_of(value.type)))
        else:
            apart += weight
    return together, apart, bits, explicit


def _continuous_in_loop(kernel: ocl.KernelOp, dependence: KernelDependence) -> bool:
    """Whether work-items access continuous elements of global memory in a loop: a vector of
    elements that is only aligned as one of them is takes several accesses, each with a stride."""
    packing = Packing(kernel, dependence, 2)
    return any(
        isinstance(op, ACCESSES)
        and ocl.space_of(op.pointer) is ocl.AddressSpace.GLOBAL
        and dependence.of_all([op.pointer, *([op.index] if op.index else [])])
        and packing.is_continuous(op)
        for loop in kernel.body.walk()
        if isinstance(loop, scf.ForOp | scf.WhileOp)
        for op in loop.walk()
    )


def _cycles_alone(
    kernel: ocl.KernelOp, dependence: KernelDependence, platform: Platform
) -> tuple[int, int]:
    """The cycles of a work-item in divergent branches and loops, which are executed for each
    work-item, and all its cycles."""
    alone = cycles = 0
    for op, weight in weights(kernel.body.block):
        cost = latency(op, platform) * weight
        cycles += cost
        alone += 0 if dependence.stays_together(op) else cost
    return alone, cycles
