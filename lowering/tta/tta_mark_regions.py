"""`tta-mark-regions`: marks the memory accesses that are between the same two barriers."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntAttr, ModuleOp
from xdsl.passes import ModulePass

from polycl.dialects import ocl, wg
from polycl.lowering.wg.merged_items.item_emitter import REGION

_SYNCHRONISATION = (ocl.AtomicRMWOp, ocl.AtomicCmpXchgOp, ocl.FenceOp)


@dataclass(frozen=True)
class TtaMarkRegionsPass(ModulePass):
    """Number the parallel regions, and give each load and store the number of its region.

    ```
    wg.parallel (%x, ...) ... {                wg.parallel (%x, ...) ... {
      %v = ocl.load %a[%x]               ->      %v = ocl.load %a[%x] {wg.region = #builtin.int<0>}
    ```

    `wg-jam` and `wg-replicate` mark each access with its work-item. Accesses of different
    work-items in one region need no order: if they overlap, there is a data race. `tta-legalize`
    turns the marks into `#tta.alias`. A region with atomics or fences gets no number, since its
    work-items may synchronise.
    """

    name = "tta-mark-regions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        regions = [o for o in op.walk() if isinstance(o, wg.ParallelOp)]
        for number, region in enumerate(regions):
            operations = list(region.body.walk())
            if any(isinstance(o, _SYNCHRONISATION) for o in operations):
                continue
            for access in operations:
                if isinstance(access, ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp):
                    access.attributes[REGION] = IntAttr(number)
