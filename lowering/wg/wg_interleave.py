"""`wg-interleave`: several vectors are in flight where one waits for itself."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from polycl.dialects import wg
from polycl.dialects.inside import operations_of
from polycl.lowering.wg.wg_jam import choose_and_jam, jam


@dataclass(frozen=True)
class WgInterleavePass(ModulePass):
    """Run `vectors` tiles of a vectorised region side by side, operation by operation.

    Long chains of operations that wait for each other (a polynomial, say) leave the processor
    idle: it does not look far enough ahead to find the next tile. Here it is next to the first:

    ```
    %e = arith.mulf %d, %c : vector<16xf32>        %e = arith.mulf %d, %c : vector<16xf32>
    %f = arith.addf %e, %b : vector<16xf32>   ->   %e1 = arith.mulf %d1, %c : vector<16xf32>
                                                   %f = arith.addf %e, %b : vector<16xf32>
                                                   %f1 = arith.addf %e1, %b : vector<16xf32>
    ```

    Without `vectors` a cost model chooses, for regions without loops; `wg-jam` is for the others
    and explains `avx512`. It chooses several rows, too, where a row reads what the row before
    writes in place under a mask, as red and black points do.
    """

    name = "wg-interleave"

    vectors: int | None = None
    avx512: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.vectors is not None and self.vectors < 1:
            raise PassFailedException(f"{self.name}: vectors must be positive, got {self.vectors}")
        for region in operations_of(op, wg.ParallelOp):
            if self.vectors is not None:
                jam(region, 1, self.vectors, self.name)
            elif region.step is not None:
                choose_and_jam(region, self.name, loops=False, avx512=self.avx512)
