"""`wg-replicate`: a region's body once for each work-item, side by side in straight-line code."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import wg
from polycl.dialects.inside import operations_in
from polycl.errors import error_at
from polycl.lowering.wg.wg_jam import share_body
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class WgReplicatePass(ModulePass):
    """Run all work-items of a small region at once: its body for each, and no loop over them.

    ```
    wg.parallel (%x, ...) in (%c2, %c1, %c1) {      wg.parallel (%x, ...) in ... step (2, 1, 1) {
      %v = ocl.load %a[%x]                            %x1 = %x + 1
      %w = arith.mulf %v, %s                          %v = ocl.load %a[%x]
      ocl.store %w, %a[%x]                     ->     %v1 = ocl.load %a[%x1]
    }                                                 %w = arith.mulf %v, %s
                                                      %w1 = arith.mulf %v1, %s
                                                      ...
    ```

    This is the full replication of work-items for processors that issue several operations at
    once, in an order that the compiler fixes (pocl: Jääskeläinen et al., IJPP 2015, sections 4.2
    and 6.4): the operations of different work-items are independent of each other. What is the
    same for several work-items is done once for them. A loop with the same trip count for all is
    one loop with all bodies inside; another loop or branch stays apart for each work-item.

    It is `wg-jam` along all dimensions, up to the size of the group. In a region that is
    vectorised, the tiles are replicated. `wg-lower-contexts` runs before.

    args:
        max_items: regions with more work-items (tiles, where vectorised) stay as they are, as do
            those whose size is not constant.

    Raises:
        PolyclError: located: a context array.
    """

    name = "wg-replicate"

    max_items: int = 64

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.max_items < 1:
            raise PassFailedException(
                f"{self.name}: max_items must be positive, got {self.max_items}"
            )
        for inner in operations_in(op):
            match inner:
                case wg.ContextOp():
                    # Its size is that of the regions without steps.
                    raise error_at(
                        inner, f"a context array: run wg-lower-contexts before {self.name}"
                    )
                case wg.ParallelOp():
                    self._replicate(inner)
                case _:
                    pass

    def _replicate(self, region: wg.ParallelOp) -> None:
        sizes = [constant_index(size) for size in region.sizes]
        x, y, z = (
            0 if n is None else n // step for n, step in zip(sizes, region.steps, strict=True)
        )
        count = prod((x, y, z))
        if None in sizes:
            emit_remark(region, self.name, "not replicated: its size is not constant")
        elif count > self.max_items:
            emit_remark(
                region, self.name, f"not replicated: {count} copies, max_items is {self.max_items}"
            )
        elif count > 1:
            emit_remark(region, self.name, f"replicated: {count} copies side by side")
            if x * y > 1:
                region = share_body(region, row=1, vector=0, rows=y, vectors=x)
            if z > 1:
                share_body(region, row=None, vector=2, rows=1, vectors=z)
