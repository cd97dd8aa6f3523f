"""`ocl-holistic-vectorize`: neighbours along x become one work-item that works on vectors."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.host.platforms import platform_option
from polycl.dialects import ocl
from polycl.lowering.host.coarsening.coarse_dependence import KernelDependence
from polycl.lowering.host.coarsening.coarse_kernel import Merge
from polycl.lowering.host.coarsening.coarse_launches import Configuration
from polycl.lowering.host.coarsening.coarse_module import coarsen_launches
from polycl.lowering.host.coarsening.packing import Packing
from polycl.lowering.host.coarsening.vector_factor import X, vector_factor
from polycl.lowering.host.ocl_holistic_vectorize.packed_emitter import VectorEmitter
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class OclHolisticVectorizePass(ModulePass):
    """Merge work-items along x, and execute their common operations on vector types.

    ```
    host.launch @k global [%n]                        host.launch @k global [%n4]
    %i = ocl.global_id 0                             %i = 4 * ocl.global_id 0
    %v = ocl.load %a[%i] : f32               ->      %v = ocl.vload %a + %i : vector<4xf32>
    %w = arith.mulf %v, %v : f32                     %w = arith.mulf %v, %v : vector<4xf32>
    ocl.store %w, %b[%i] : f32                       ocl.vstore %w, %b + %i : vector<4xf32>
    ```

    This is Algorithm 4 of [ppopencl19] (section 3.3.3):

    ```
    InterFactor = ApplyConstraints(SIMD width, {x});  min(.., registers / those of a work-item)
    ExpFactor = the elements of the vectors that the kernel has;      f_v = InterFactor / ExpFactor
    if f_v > 1: CoarsenThreads(kernel, x, f_v); ChangeNDRange(host, x, f_v)
                GenerateSIMD(A, f_v) for each object A that is accessed continuously
    ```

    If the platform's own compiler vectorizes over neighbours, nothing is done. A kernel is also
    left as it is if most accesses of neighbours are scattered and not enough is computed with them
    (`packing` of the platform), or if they diverge; unless its group becomes one work-item, whose
    barriers are then free. On a GPU, one without a loop waits for memory, and is left. On a CPU a
    register holds the same variable of all work-items of a vector, so the bound of registers counts
    vectors. A size that the factor does not divide is rounded up: the last work-item of a row then
    executes the remaining ones one by one, so no buffer is padded.

    args:
        platform: a name of analysis/host/platforms.toml.
        factor: the number of work-items, for all kernels, instead of the algorithm's.
    """

    name = "ocl-holistic-vectorize"

    platform: str = "pocl-cpu"
    factor: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = platform_option(self.platform, self.name)
        if self.factor is not None and self.factor not in (2, 4, 8, 16):
            raise PassFailedException(f"{self.name}: factor is 2, 4, 8 or 16, got {self.factor}")

        def choose(kernel: ocl.KernelOp, launch: Configuration) -> Merge | None:
            if self.factor is not None:
                return launch.merge(kernel, X, self.factor)
            factor, why = vector_factor(kernel, launch, target)
            emit_remark(kernel, self.name, why if factor > 1 else f"not vectorised: {why}")
            return launch.merge(kernel, X, factor) if factor > 1 else None

        coarsen_launches(op, choose, self.name, _vectors)


def _vectors(
    kernel: ocl.KernelOp, dependence: KernelDependence, block: Block, factor: int
) -> VectorEmitter:
    return VectorEmitter(dependence, block, Packing(kernel, dependence, factor))
