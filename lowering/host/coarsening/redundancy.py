"""Redundancy of merged work-items: Algorithm 1 of [ppopencl19]."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import scf

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
    dimension: then all merged work-items compute the same. A load that a neighbour repeats is
    reducible, too.
    """
    dependence = KernelDependence(kernel, dimension)
    total = reducible = 0
    repeated = neighbours_loads(kernel, dimension)
    in_loops, consecutive = False, 0
    for op, weight in weights(kernel.body.block):
        cycles = latency(op, platform) * weight
        total += cycles
        is_control = isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp)
        differs = dependence.splits(op) if is_control else dependence.of_operation(op)
        if not differs or op in repeated:
            reducible += cycles
            in_loops |= weight > 1 and cycles > 0
        if isinstance(op, ACCESSES) and dependence.is_consecutive(op):
            consecutive += weight
    if obstacle(kernel, dependence) is not None:
        reducible = 0
    return Redundancy(dimension, max(total, 1), reducible, in_loops, consecutive)
