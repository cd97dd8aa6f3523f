"""`peel-loops`: the first iteration of a `do` loop is before it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.parallel_regions import CUTS
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.simplify_loops import copied
from polycl.remarks import emit_remark

MOST_OPERATIONS = 100
"""Of a body that there is twice afterwards."""


@dataclass(frozen=True)
class PeelLoopsPass(ModulePass):
    """Run the first iteration of a loop before it, where work-items begin at different numbers.

    ```
    %first = arith.addi %id, %c1                      ... %id ...
    %end = arith.maxsi %n, %first                     %second = arith.addi %id, %size
    scf.for %i = %id to %end step %size {      ->     scf.for %i = %second to %n step %size {
      ... %i ...                                        ... %i ...
    }                                                 }
    ```

    A `do` loop runs at least once, so that its end depends on its start, and is another one for
    each work-item. Without the first iteration the end is the same for all of them.
    """

    name = "peel-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            facts = None
            for loop in operations_of(kernel.body, scf.ForOp):
                if (end := _end(loop)) is not None:
                    facts = facts or Uniformity(kernel)
                    if not facts.is_uniform(loop.lb):
                        _peel(loop, end)


def _end(loop: scf.ForOp) -> SSAValue | None:
    """Where a loop ends if it has more than one iteration, if it has one in any case."""
    if not isinstance(loop.ub.owner, arith.MaxSIOp):
        return None
    if operations_of(loop.body, *CUTS, scf.ForOp, scf.WhileOp):
        return None
    if len(operations_of(loop.body)) > MOST_OPERATIONS:
        return None
    for end, first in ((0, 1), (1, 0)):
        after = loop.ub.owner.operands[first].owner
        if isinstance(after, arith.AddiOp) and constant_value(after.rhs) == 1:
            if same_value(after.lhs, loop.lb):
                return loop.ub.owner.operands[end]
    return None


def _peel(loop: scf.ForOp, end: SSAValue) -> None:
    emit_remark(loop, PeelLoopsPass.name, "its first iteration is before it")
    starts = copied(loop.body.block, [loop.lb, *loop.iter_args], InsertPoint.before(loop))
    second = Build(loop).add(loop.lb, loop.step)
    loop.operands = [second, end, loop.step, *starts]
