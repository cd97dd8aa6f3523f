"""`ocl-reorganize-threads`: thread coarsening of kernels with redundant work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.host.platforms import Platform, platform_option
from polycl.dialects import ocl
from polycl.lowering.host.coarsening.coarse_dependence import has_barrier, sees_groups
from polycl.lowering.host.coarsening.coarse_kernel import CannotMerge, Merge
from polycl.lowering.host.coarsening.coarse_launches import Configuration
from polycl.lowering.host.coarsening.coarse_module import coarse_kernel, coarsen_launches
from polycl.lowering.host.coarsening.constraints import MOST_MERGED, apply_constraints, profitable
from polycl.lowering.host.coarsening.redundancy import Redundancy, redundancy
from polycl.lowering.host.coarsening.vector_factor import X, vector_factor
from polycl.remarks import emit_remark

DIMENSIONS = "xyz"


@dataclass(frozen=True)
class OclReorganizeThreadsPass(ModulePass):
    """Coarsen kernels, and their launches, along the dimension in which work-items repeat most.

    Two neighbours of a matrix product along y use the same elements of `B`:

    ```
    host.launch @sgemm global [%n, %n] local [16, 16] (..)    host.launch @sgemm global [%n, %m] ..
    s = 0                                                    s = 0, t = 0
    for p: s += A[y, p] * B[p, x]                      ->    for p: b = B[p, x]
                                                               s += A[2y, p] * b
                                                               t += A[2y + 1, p] * b
    ```

    This is Algorithm 1 of [ppopencl19] (section 3.3.1):

    ```
    for each operation whose value is the same along dimension d:      Cycle_red[d] += latency
    F_c[d] = local_size(d), where there is any;  F_c = ApplyConstraints(F_c)
    d = the dimension with the largest Cycle_red[d] * F_c[d];   CoarsenThreads(kernel, d, F_c[d])
                                                                ChangeNDRange(host, d, F_c[d])
    ```

    with these additions, which avoid slowdowns: latencies are multiplied by execution counts; a
    load that a neighbour repeats is redundant; a factor is limited by the gain of the model, by the
    registers, and by 16; if a kernel does not see its groups (no barrier, no local memory or id),
    neighbours of different groups may be merged on CPUs, for any local size. If the factor does not
    divide the size, the result is rounded up, with a guard; in kernels with a barrier, factors
    divide the size. A kernel gets a copy for each group of launches with another choice. If the
    platform's compiler vectorizes over neighbours, dimensions with more consecutive accesses than x
    are not coarsened.

    args:
        platform: a name of analysis/host/platforms.toml.
        before_vectors: leave x to ocl-holistic-vectorize if that will merge work-items along it,
            also after those along another dimension are merged.
        dimension, factor: coarsen along this dimension by this factor, instead of the algorithm's.
    """

    name = "ocl-reorganize-threads"

    platform: str = "pocl-cpu"
    before_vectors: bool = False
    dimension: str | None = None
    factor: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = platform_option(self.platform, self.name)
        if (self.dimension is None) != (self.factor is None):
            raise PassFailedException(f"{self.name}: dimension and factor come together")
        if self.dimension is not None and self.dimension not in DIMENSIONS:
            raise PassFailedException(
                f"{self.name}: dimension is x, y or z, got '{self.dimension}'"
            )
        if self.factor is not None and self.factor < 2:
            raise PassFailedException(f"{self.name}: factor is at least 2, got {self.factor}")
        coarsen_launches(op, lambda k, launch: self._choose(k, launch, target), self.name)

    def _choose(
        self, kernel: ocl.KernelOp, launch: Configuration, target: Platform
    ) -> Merge | None:
        if self.dimension is not None and self.factor is not None:
            return launch.merge(kernel, DIMENSIONS.index(self.dimension), self.factor)
        dims = list(range(launch.rank))
        if self.before_vectors and vector_factor(kernel, launch, target)[0] > 1:
            found = self._best(kernel, launch, target, [d for d in dims if d != X])
            if found is None or _leaves_vectors(kernel, launch, target, found):
                return found
            emit_remark(kernel, self.name, "vectors along x would not pay any more")
        return self._best(kernel, launch, target, dims)

    def _best(
        self, kernel: ocl.KernelOp, launch: Configuration, target: Platform, dims: Sequence[int]
    ) -> Merge | None:
        """The algorithm's choice among these dimensions."""
        if not dims:
            return None
        found = {d: redundancy(kernel, d, target) for d in dims}
        factors = [
            self._largest(kernel, d, launch, target) if d in dims and found[d].reducible else 1
            for d in range(3)
        ]
        sizes = launch.local_size or (None, None, None)
        factors = apply_constraints(factors, sizes, dims, target)
        if target.vectorizes:
            # Its compiler vectorizes where neighbours access consecutive elements.
            along_x = (found.get(X) or redundancy(kernel, X, target)).consecutive
            factors = [
                1 if d in dims and found[d].consecutive > along_x else factors[d] for d in range(3)
            ]
        for d in dims:
            divide = sizes[d] if has_barrier(kernel) else None
            factors[d] = profitable(kernel, found[d], factors[d], target, divide=divide)
        self._remark(kernel, found, factors)
        best = max(dims, key=lambda d: found[d].reducible * factors[d] * (factors[d] > 1))
        if factors[best] == 1:
            return None
        return launch.merge(kernel, best, factors[best])

    def _largest(
        self, kernel: ocl.KernelOp, d: int, launch: Configuration, target: Platform
    ) -> int:
        """F_c[d]: the local size, or more if groups are not observable."""
        local = (launch.local_size or (None, None, None))[d] or 1
        if target.is_gpu or sees_groups(kernel, d):
            return local
        whole = launch.global_size[d]
        return max(local, min(whole if whole is not None else MOST_MERGED, MOST_MERGED))

    def _remark(
        self, kernel: ocl.KernelOp, found: dict[int, Redundancy], factors: Sequence[int]
    ) -> None:
        parts = [
            f"{DIMENSIONS[d]}: {r.reducible} of {r.cycles} cycles are the same, factor {factors[d]}"
            for d, r in found.items()
        ]
        emit_remark(kernel, self.name, "; ".join(parts))


def _leaves_vectors(
    kernel: ocl.KernelOp, launch: Configuration, target: Platform, merge: Merge
) -> bool:
    """Whether ocl-holistic-vectorize makes vectors of the kernel after `merge`, too."""
    copy = ModuleOp([kernel.clone()])
    try:
        merged = coarse_kernel(cast(ocl.KernelOp, copy.body.block.first_op), merge)
    except CannotMerge:
        return True
    return vector_factor(merged, launch, target)[0] > 1
