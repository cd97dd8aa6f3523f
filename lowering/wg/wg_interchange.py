"""`wg-interchange`: the work-items of a group run uniform loops in lock-step."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.parallel_regions import CUTS
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_to_wg import check_structured, in_lock_step
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class WgInterchangePass(ModulePass):
    """Make loops over work-items the inner ones: a uniform loop gets a barrier without fences.

    ```
    %s = scf.for %k = ... iter_args(...) {        %s = scf.for %k = ... iter_args(...) {
      ...                                    ->     ocl.barrier
    }                                               ...
                                                  }
    ```

    `ocl-to-wg`, which runs after it, cuts the kernel at barriers, so that the loop
    contains a parallel region then. Without the pass, the region contains the loop:

    ```
    wg.parallel (%x, %y, %z) in ... {             wg.parallel ... { before }
      before                                      scf.for %k = ... {
      scf.for %k = ... { body }              ->     wg.parallel ... { body }
      after                                       }
    }                                             wg.parallel ... { after }
    ```

    This is the horizontal parallelization of inner loops (pocl: Jääskeläinen et al., IJPP 2015,
    section 4.6): the body has the parallelism of the work-items, whatever the trip count. It costs
    memory: what differs between work-items and goes around the loop is in a context array.

    Work-items between barriers are independent, so that any order of them is right; but all must
    reach a barrier. So only loops are interchanged for which the uniformity analysis proves that
    all work-items enter them and do equally many iterations. Of loops in loops the innermost ones
    are taken; those around them get their barrier with it.

    This works on kernels, not on the wg form: cutting at barriers and what crosses them is the
    business of `ocl-to-wg` already, and would be written twice. `inline-functions` runs before.

    Raises:
        PolyclError: located: calls, or branches between blocks.
    """

    name = "wg-interchange"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            check_structured(kernel)
            facts = Uniformity(kernel)
            # Inner loops come first: the barrier that they get is one of the loops around them.
            for loop in kernel.body.walk(region_first=True):
                if isinstance(loop, scf.ForOp | scf.WhileOp):
                    self._interchange(loop, facts)

    def _interchange(self, loop: scf.ForOp | scf.WhileOp, facts: Uniformity) -> None:
        if operations_of(loop, *CUTS):
            return
        if not in_lock_step(loop, facts):
            emit_remark(
                loop,
                self.name,
                "not interchanged: not proven that all work-items enter the loop and run it "
                "equally often",
            )
            return
        body = loop.body if isinstance(loop, scf.ForOp) else loop.after_region
        Build(loop, InsertPoint.at_start(body.block)).emit_void(ocl.BarrierOp())
        emit_remark(loop, self.name, "interchanged: each iteration runs for all work-items")
