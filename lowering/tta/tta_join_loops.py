"""`tta-join-loops`: several work-items execute a uniform loop together."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import wg
from polycl.dialects.inside import operations_of
from polycl.lowering.wg.merged_items.item_dependence import Axes, Dependence, dependence_of
from polycl.lowering.wg.wg_jam import row_dimension, share_body, vector_dimension
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class TtaJoinLoopsPass(ModulePass):
    """Execute an iteration of a uniform loop for several work-items before the next iteration.

    ```
    wg.parallel (%x, ...) in (%c8, ...) {       wg.parallel (%x, ...) in (%c8, ...) step (2, 1, 1) {
      %s = scf.for %k = ...                       %s, %t = scf.for %k = ...
           iter_args(%s0 = %zero) {                       iter_args(%s0 = %zero, %t0 = %zero) {
        %v = ocl.load %a[%x]               ->       %v = ocl.load %a[%x]
        %s1 = arith.addf %s0, %v                    %w = ocl.load %a[%x + 1]
        ...                                         %s1 = arith.addf %s0, %v
                                                    %t1 = arith.addf %t0, %w
    ```

    This is the horizontal parallelization of inner loops (pocl: Jääskeläinen et al., IJPP 2015,
    section 4.6). `wg-interchange` does it for the whole group, so that sums are in memory; a few
    work-items keep them in registers, and share what is the same for them. A region without a loop
    that all work-items execute equally often stays as it is. `wg-lower-contexts` runs before.

    args:
        items: the most work-items that a loop is joined for.
        registers: those of the processor; half of them may hold what differs between the work-items
            in a joined loop.
    """

    name = "tta-join-loops"

    items: int = 16
    registers: int = 128

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.items < 1:
            raise PassFailedException(f"{self.name}: items must be positive, got {self.items}")
        for region in operations_of(op, wg.ParallelOp):
            self._join(region)

    def _join(self, region: wg.ParallelOp) -> None:
        vector = vector_dimension(region)
        row = row_dimension(region, vector)
        dependence = dependence_of(region, row, vector)
        loops = operations_of(region.body, scf.ForOp, scf.WhileOp)
        joined = [loop for loop in loops if not dependence.splits(loop)]
        if not joined:
            return
        live = [_live(loop, dependence) for loop in joined]

        def fits(rows: int, vectors: int) -> bool:
            needed = max(sum(_copies(axes, rows, vectors) for axes in found) for found in live)
            return rows * vectors <= self.items and needed <= self.registers // 2

        vectors = max(n for n in _divisors(region, vector) if n == 1 or fits(1, n))
        rows = max(n for n in _divisors(region, row) if n == 1 or fits(n, vectors))
        if rows * vectors > 1:
            emit_remark(region, self.name, f"loops joined for {rows * vectors} work-items")
            share_body(region, row, vector, rows, vectors)


def _live(loop: scf.ForOp | scf.WhileOp, dependence: Dependence) -> list[Axes]:
    """Along which axes each value differs that a loop carries, or reads from outside."""
    found = set(loop.regions[0].block.args)
    for op in loop.walk():
        found |= {value for value in op.operands if not loop.is_ancestor(value.owner)}
    return [axes for value in found if (axes := dependence.of(value))]


def _copies(axes: Axes, rows: int, vectors: int) -> int:
    return (rows if axes.row else 1) * (vectors if axes.vector else 1)


def _divisors(region: wg.ParallelOp, dimension: int | None) -> list[int]:
    """The numbers of neighbours along a dimension that divide the work-group."""
    size = None if dimension is None else constant_index(region.sizes[dimension])
    if dimension is None or not size:
        return [1]
    count = size // region.steps[dimension]
    return [n for n in range(1, count + 1) if count % n == 0]
