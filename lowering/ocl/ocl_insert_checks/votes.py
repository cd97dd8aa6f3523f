"""Branches and loops around barriers for which some work-items of a group may decide otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, UnitAttr, i1, i32, i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.parallel_regions import ops_around_barriers
from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.collectives import CombineKind, GroupScope
from polycl.dialects.parents import parents
from polycl.errors import error_at
from polycl.lowering.build import Build

DECIDES_OTHERWISE = "check.decides_otherwise"
"""Key of the attribute of a branch, still without a body, that is taken if work-items differ."""


def decide_together(kernel: ocl.KernelOp) -> None:
    """Let a group take a branch, or an iteration, with a barrier only where all of its work-items
    do; where they differ, suspect the group.

    What the group leaves out then, the interpreter runs: it finds work-items at different barriers,
    or none, and the launch has its results. Loops that may not end without what is left out are
    refused: those that test a condition, or count up to what memory holds.

    Raises:
        PolyclError: located: there is such a loop.
    """
    around = ops_around_barriers(kernel.body)
    facts: Uniformity | None = None
    for op in operations_in(kernel.body):
        if op not in around:
            continue
        facts = facts or Uniformity(kernel)
        differing = [value for value in _decisions(op) if not facts.is_uniform(value)]
        if not differing:
            continue
        if any(_may_not_end(loop, op, kernel) for loop in operations_in(kernel.body)):
            raise error_at(
                op,
                "a barrier that some work-items may not reach, beside a loop that may not end "
                "without it, is checked by the interpreter only",
            )
        _vote(op, differing)
        facts = None


def _decisions(op: Operation) -> Sequence[SSAValue]:
    """What decides where control goes."""
    match op:
        case scf.IfOp():
            return [op.cond]
        case scf.ForOp():
            return [op.lb, op.ub, op.step]
        case scf.WhileOp():
            return [condition_of(op).condition]
        case _:
            return []


def _may_not_end(loop: Operation, branch: Operation, kernel: ocl.KernelOp) -> bool:
    """Whether a loop may not end if a group leaves a branch out."""
    block = kernel.body.block
    first, last = (_in_block(op, block) for op in (loop, branch))
    is_left_out = branch is last and branch in parents(loop)
    if loop is branch or is_left_out or first.is_before_in_block(last):
        return False
    match loop:
        case scf.WhileOp():
            return True
        case scf.ForOp():
            return any(_reads_memory(value, set()) for value in (loop.lb, loop.ub, loop.step))
        case _:
            return False


def _in_block(op: Operation, block: Block) -> Operation:
    """The operation of a block that is, or has inside, another one."""
    return next(around for around in (op, *parents(op)) if around.parent is block)


def _reads_memory(value: SSAValue, seen: set[SSAValue]) -> bool:
    """Whether a number depends on what memory holds."""
    if value in seen:
        return False
    seen.add(value)
    owner = value.owner
    if isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        if isinstance(loop, ocl.KernelLike):
            return False
        if not isinstance(loop, scf.ForOp) or value.index:
            return True
        return any(_reads_memory(end, seen) for end in (loop.lb, loop.ub, loop.step))
    assert isinstance(owner, Operation)
    if isinstance(owner, ocl.LoadOp | ocl.VLoadOp | ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp):
        return True
    return bool(owner.regions) or any(_reads_memory(operand, seen) for operand in owner.operands)


def _vote(op: Operation, differing: Sequence[SSAValue]) -> None:
    """Decide by numbers that are the same for the whole group."""
    if isinstance(op, scf.WhileOp):
        condition = condition_of(op)
        build = Build(condition)
        everyone, differs = _agreed(build, condition.condition)
        _suspect_where(build, differs)
        condition.operands[0] = everyone
        return
    build = Build(op)
    if isinstance(op, scf.IfOp):
        everyone, differs = _agreed(build, op.cond)
        _suspect_where(build, differs)
        # The side with a barrier is left out.
        waits = any(isinstance(inner, ocl.BarrierOp) for inner in op.true_region.walk())
        op.operands[0] = everyone if waits else build.or_(everyone, differs)
        return
    assert isinstance(op, scf.ForOp)
    for place, value in enumerate((op.lb, op.ub, op.step)):
        if value not in differing:
            continue
        agreed, differs = _agreed(build, value)
        _suspect_where(build, differs)
        op.operands[place] = agreed
        op.operands[1] = build.select(differs, op.lb, op.ub)


def _agreed(build: Build, value: SSAValue) -> tuple[SSAValue, SSAValue]:
    """A number of the whole group, which is that of each work-item if they agree; and whether they
    differ."""
    type = value.type
    number = build.index_cast(value, i64) if isinstance(type, IndexType) else value
    if type == i1:
        number = build.resize(value, 32, signed=False)

    def combined(kind: CombineKind) -> SSAValue:
        return build.emit(ocl.GroupReduceOp(GroupScope.WORK_GROUP, kind, number))

    every, some = combined(CombineKind.AND), combined(CombineKind.OR)
    differs = build.compare("ne", every, some)
    if type == i1:
        every = build.compare("ne", every, build.constant(0, i32))
    return (build.as_index(every) if isinstance(type, IndexType) else every), differs


def _suspect_where(build: Build, differs: SSAValue) -> None:
    body = Block()
    branch = scf.IfOp(differs, (), [body])
    Build(build.source, InsertPoint.at_end(body)).emit_void(scf.YieldOp())
    branch.attributes[DECIDES_OTHERWISE] = UnitAttr()
    build.emit_void(branch)
