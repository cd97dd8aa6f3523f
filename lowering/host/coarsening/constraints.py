"""The factors of coarsening: Algorithm 2 of [ppopencl19], and a cost model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod

from xdsl.dialects import scf
from xdsl.dialects.builtin import AnyFloat, VectorType
from xdsl.ir import SSAValue

from polycl.analysis.host.platforms import Platform
from polycl.dialects import ocl
from polycl.lowering.host.coarsening.coarse_dependence import KernelDependence
from polycl.lowering.host.coarsening.redundancy import Redundancy

X = 0
MOST_MERGED = 16
"""The largest factor: beyond it, the code grows and little more is saved."""

MOST_OPERATIONS = 1500
"""The maximum in a kernel with all merged bodies."""

LEAST_GAIN_OF_MEMORY = 1.5
"""The least gain if the savings are outside loops: such kernels are memory-bound (a stencil whose
neighbours share loads, with a modelled gain of 1.2, took twice the time on PoCL and Intel's)."""

ENOUGH = 1.03
"""The choice is the smallest factor with at most this slowdown against the best factor."""


def factors_up_to(most: int) -> list[int]:
    """The candidate factors: powers of two, and the number of all work-items."""
    powers = [1 << n for n in range(1, 16) if 1 << n <= most]
    return sorted({*powers, most} - {0, 1})


def apply_constraints(
    factors: Sequence[int], sizes: Sequence[int | None], dims: Collection[int], platform: Platform
) -> list[int]:
    """Algorithm 2: the largest factors, at most `factors`, that leave enough parallelism.

    `sizes` is the local size. A GPU's group keeps at least `min_items` work-items and a multiple
    of `multiple`; where the platform's compiler makes vectors along x, x is not coarsened.
    """
    new = list(factors)
    if platform.is_gpu:
        for d in dims:
            allowed = [f for f in factors_up_to(factors[d]) if _keeps_groups(sizes, d, f, platform)]
            new[d] = max(allowed, default=1)
    elif platform.vectorizes and 0 in dims:
        new[0] = 1
    return new


def _keeps_groups(sizes: Sequence[int | None], d: int, factor: int, platform: Platform) -> bool:
    if None in sizes:
        return False
    known = [size or 1 for size in sizes]
    known[d] = -(-known[d] // factor)
    items = prod(known)
    return items >= platform.min_items and items % platform.multiple == 0


def profitable(
    kernel: ocl.KernelOp, found: Redundancy, most: int, platform: Platform, *, divide: int | None
) -> int:
    """The factor along one dimension, at most `most`, or 1. `divide` is the size of the group if
    the kernel has barriers: the factor divides it.

    The registers hold the values carried by loops for all merged work-items.
    """
    most = min(most, MOST_MERGED)
    dependence = KernelDependence(kernel, found.dimension)
    copied = [not dependence.is_shared(op) for op in kernel.body.walk()]
    own, shared = kept_values(kernel, dependence)
    allowed = [
        f
        for f in factors_up_to(most)
        if (divide is None or divide % f == 0)
        and own * f + shared < platform.registers
        and sum(copied) * f + copied.count(False) <= MOST_OPERATIONS
    ]
    if not allowed:
        return 1
    best = found.gain(max(allowed))
    # Merging turns unit-stride accesses of a GPU's warp into strided ones.
    scatters = platform.is_gpu and found.dimension == X and found.consecutive
    if best < (platform.least_gain if found.in_loops and not scatters else LEAST_GAIN_OF_MEMORY):
        return 1
    return next(f for f in allowed if found.gain(f) * ENOUGH >= best)


def kept_values(kernel: ocl.KernelOp, dependence: KernelDependence) -> tuple[int, int]:
    """The maximal number of values carried by a loop: for each merged work-item, and for all."""
    fullest = (0, 0)
    for loop in kernel.body.walk():
        if not isinstance(loop, scf.ForOp | scf.WhileOp):
            continue
        values: dict[SSAValue, None] = {}
        for region in loop.regions:
            values |= dict.fromkeys(region.block.args)
            values |= dict.fromkeys(
                value
                for inner in region.walk()
                for value in inner.operands
                if _is_float(value) and not region.is_ancestor(value.owner)  # pyright: ignore
            )
        own = sum(1 for value in values if dependence.of(value))
        fullest = max(fullest, (own, len(values) - own))
    return fullest


def _is_float(value: SSAValue) -> bool:
    type = value.type
    return isinstance(type.element_type if isinstance(type, VectorType) else type, AnyFloat)
