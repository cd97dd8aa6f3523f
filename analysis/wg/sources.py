"""The backward slice of a value: the operands of its operations, and their operands."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, OpResult, SSAValue

from polycl.analysis.ocl.terminators import terminator
from polycl.dialects import wg


def sources(values: Iterable[SSAValue]) -> set[SSAValue]:
    """`values` and all values that they are computed from, the addresses of loads included.

    The sources of a value carried by a loop are its initial value and that of the previous
    iteration, of a counter the lower bound and the step. Trip counts and conditions do not count.
    """
    found: set[SSAValue] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending += direct_sources(value)
    return found


def direct_sources(value: SSAValue) -> Iterable[SSAValue]:
    """The operands that `value` is computed from, or the values that it carries."""
    owner = value.owner
    if isinstance(value, OpResult):
        assert isinstance(owner, Operation)
        return _of_result(owner, value.index)
    assert isinstance(owner, Block)
    index = owner.args.index(value)  # pyright: ignore[reportArgumentType]
    match owner.parent_op():
        case scf.ForOp() as loop if index == 0:
            return (loop.lb, loop.step)
        case scf.ForOp() as loop:
            return (loop.iter_args[index - 1], terminator(owner).operands[index - 1])
        case scf.WhileOp() as loop if owner is loop.before_region.block:
            return (loop.arguments[index], terminator(loop.after_region.block).operands[index])
        case scf.WhileOp() as loop:
            return (terminator(loop.before_region.block).operands[index + 1],)
        case _:
            return ()


def _of_result(op: Operation, index: int) -> Iterable[SSAValue]:
    match op:
        case scf.IfOp():
            return [terminator(region.block).operands[index] for region in op.regions]
        case scf.ForOp():
            return (op.iter_args[index], terminator(op.body.block).operands[index])
        case scf.WhileOp():
            return (terminator(op.before_region.block).operands[index + 1],)
        case wg.ParallelOp():
            return (terminator(op.body.block).operands[index],)
        case _:
            return op.operands
