"""`ocl-tail-duplicate`: the code after a branch with a barrier moves into both of its sides."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.parallel_regions import CUTS, ops_around_barriers
from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.parents import parents
from polycl.lowering.build import Build
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class OclTailDuplicatePass(ModulePass):
    """Give each side of a branch with a barrier its own copy of what follows the branch.

    Without it, the join after a conditional barrier begins a new parallel region, and the results
    of the branch cross to it through memory. With it, the last region of each side extends to the
    next barrier that all work-items reach ([pocl15], section 4.4, Algorithm 2, step 3: tails merge
    at that barrier, so barriers are never copied).

    ```
    scf.if %c {                         scf.if %c {
      A; ocl.barrier; B                   A; ocl.barrier; B; C
    } else {                     ->     } else {
      D                                   D; C
    }                                   }
    C; ocl.barrier; E                   ocl.barrier; E
    ```

    args:
        max_ops: a tail of more operations, including nested ones, is not duplicated; the code
            grows by at most that number for each branch with a barrier.
    """

    name = "ocl-tail-duplicate"

    max_ops: int = 64

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            around = ops_around_barriers(kernel.body)
            # Outer branches first: the copies of their tail then are a part of the inner tails.
            branches = operations_of(kernel.body, scf.IfOp)
            for branch in branches:
                if branch in around:
                    self._duplicate(branch, around)

    def _duplicate(self, branch: scf.IfOp, around: set[Operation]) -> None:
        tail = _tail(branch, around)
        size = sum(1 for op in tail for _ in op.walk())
        if not tail:
            return
        if size > self.max_ops:
            emit_remark(
                branch,
                self.name,
                f"the tail of {size} operations is not duplicated: max_ops is {self.max_ops}",
            )
            return
        around.add(_with_tail(branch, tail))
        emit_remark(branch, self.name, f"each side gets the tail of {size} operations")


def _tail(branch: scf.IfOp, around: set[Operation]) -> list[Operation]:
    """The operations after `branch` up to the next barrier or the end of its block."""
    tail: list[Operation] = []
    op = branch.next_op
    while op is not None and not isinstance(op, CUTS) and op not in around:
        if op.has_trait(IsTerminator):
            break
        tail.append(op)
        op = op.next_op
    return tail


def _with_tail(branch: scf.IfOp, tail: list[Operation]) -> scf.IfOp:
    """Replace `branch` and `tail` by a branch that has the tail on each side."""
    inside = {branch, *tail}
    leaving: list[SSAValue] = [
        value
        for op in (branch, *tail)
        for value in op.results
        if any(inside.isdisjoint([use.operation, *parents(use.operation)]) for use in value.uses)
    ]
    then, otherwise = (_side(branch, region, tail, leaving) for region in branch.regions)
    new = scf.IfOp(branch.cond, [value.type for value in leaving], then, otherwise)
    new.attributes = dict(branch.attributes)
    Build(branch).emit_void(new)
    for old, result in zip(leaving, new.results, strict=True):
        old.replace_all_uses_with(result)
    for op in reversed(tail):
        Rewriter.erase_op(op)
    Rewriter.erase_op(branch)
    return new


def _side(
    branch: scf.IfOp, region: Region, tail: list[Operation], leaving: list[SSAValue]
) -> Region:
    block = Block()
    values: dict[SSAValue, SSAValue] = {}
    if region.blocks:
        old_yield = terminator(region.block)
        values.update(zip(branch.results, old_yield.operands, strict=True))
        for op in list(region.block.ops):
            op.detach()
            if op is not old_yield:
                block.add_op(op)
        old_yield.drop_all_references()
    for op in tail:
        block.add_op(op.clone(values))
    block.add_op(scf.YieldOp(*(values[value] for value in leaving)))
    return Region(block)
