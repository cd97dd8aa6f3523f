"""Redundancy of merged work-items: Algorithm 1 of [ppopencl19]."""

from __future__ import annotations

from dataclasses import dataclass

from polycl.analysis.host.platforms import Platform
from polycl.dialects import ocl
from polycl.lowering.host.coarsening.coarse_dependence import ACCESSES, KernelDependence, obstacle
from polycl.lowering.host.coarsening.latency import latency, weights
from polycl.lowering.host.coarsening.value_numbers import neighbours_loads


@dataclass(frozen=True)
class Redundancy:
    """The cycles of one work-item, and those that its neighbours along a dimension repeat."""

    dimension: int
    cycles: int
    reducible: int
    in_loops: bool
    """Whether some of them are in a loop: otherwise the kernel is mostly memory-bound."""

    consecutive: int
    """The dynamic count of accesses with unit stride between neighbours."""

    def gain(self, factor: int) -> float:
        """The speedup if `factor` work-items share the redundant operations."""
        return self.cycles / (self.cycles - self.reducible * (factor - 1) / factor)


def redundancy(kernel: ocl.KernelOp, dimension: int, platform: Platform) -> Redundancy:
    """The sum of the latencies of the reducible operations (lines 3 to 13), each as often as it
    runs. An operation is reducible if its du-chains begin at values that do not differ along the
    dimension, and no branch around it does: then merged work-items execute it once. A load that a
    neighbour repeats is reducible, too.

    What is in a branch that neighbours do not share runs half as often, as nothing is known of the
    branch: merging saves none of it, so that the more it counts, the less the rest seems to gain.
    (In cutcp, whose branch a quarter takes, 15 % are reducible so, 13 % if all of it counted.)
    """
    dependence = KernelDependence(kernel, dimension)
    total = reducible = 0.0
    repeated = neighbours_loads(kernel, dimension)
    in_loops, consecutive = False, 0
    for op, weight in weights(kernel.body.block):
        cycles = latency(op, platform) * weight * dependence.share(op)
        total += cycles
        if dependence.is_shared(op) or (op in repeated and dependence.stays_together(op)):
            reducible += cycles
            in_loops |= weight > 1 and cycles > 0
        if isinstance(op, ACCESSES) and dependence.is_consecutive(op):
            consecutive += weight
    if obstacle(kernel, dependence) is not None:
        reducible = 0.0
    return Redundancy(dimension, max(round(total), 1), round(reducible), in_loops, consecutive)
