"""Loops whose counters take known numbers, such as 4, 2, 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.numbers import Numbers
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import take_side
from polycl.lowering.ocl.simplify_loops import copied


def known_steps(
    loop: scf.WhileOp, numbers: Numbers, most: int
) -> list[Mapping[SSAValue, int | None]] | None:
    """What the arguments of a loop are each time its condition is computed, None for those that
    are not known; the condition is false the last time. None if it is not known whether the loop
    goes on, or if it does more than `most` times. `numbers` are known around the loop."""
    before, after = loop.before_region.block, loop.after_region.block
    values = [evaluate(value, numbers) for value in loop.arguments]
    found: list[Mapping[SSAValue, int | None]] = []
    while len(found) <= most:
        inside = Numbers(numbers.known)
        inside.known.update(zip(before.args, values, strict=True))
        goes_on, *passed = [evaluate(operand, inside) for operand in condition_of(loop).operands]
        inside.known.update(zip(after.args, passed, strict=True))
        args = (*before.args, *after.args)
        found.append({arg: inside.known[arg] for arg in args})
        if goes_on is None:
            return None
        if not goes_on:
            return found
        values = [evaluate(operand, inside) for operand in terminator(after).operands]
    return None


def unroll_times(loop: scf.WhileOp, times: int) -> None:
    """Replace a loop of `times` iterations by what it computes, in order."""
    before, after = loop.before_region.block, loop.after_region.block
    point, values = InsertPoint.before(loop), list(loop.arguments)
    for _ in range(times):
        passed = copied(before, values, point, condition_of(loop).args)
        values = copied(after, passed, point)
    Rewriter.replace_op(loop, [], copied(before, values, point, condition_of(loop).args))


def operations_between(
    block: Block, before: Operation | None, after: Operation | None
) -> list[Operation]:
    """The operations of a block after one, or from its start, and before another, or to its end."""
    ops: list[Operation] = []
    op = block.first_op if before is None else before.next_op
    while op is not None and op is not after:
        ops.append(op)
        op = op.next_op
    return ops


def fold_known(ops: Sequence[Operation]) -> None:
    """Make integers that are computed from constants constants, and branches on them the side that
    runs, in neighbouring operations and in those."""
    todo, numbers = list(reversed(ops)), Numbers()
    while todo:
        op = todo.pop()
        taken = constant_value(op.cond) if isinstance(op, scf.IfOp) else None
        if isinstance(op, scf.IfOp) and taken is not None:
            block, before, after = op.parent, op.prev_op, op.next_op
            assert block is not None
            take_side(op, op.regions[0 if taken else 1])
            todo += reversed(operations_between(block, before, after))
            continue
        for region in op.regions:
            for block in region.blocks:
                todo += reversed(list(block.ops))
        _fold(op, numbers)


def _fold(op: Operation, numbers: Numbers) -> None:
    if type(op) not in Numbers.rules or not isinstance(op.results[0].type, IntegerType | IndexType):
        return
    is_zero = isinstance(op, arith.RemUIOp | arith.RemSIOp) and constant_value(op.rhs) == 1
    number = 0 if is_zero else evaluate(op.results[0], numbers)
    if number is None:
        return
    operands = list(op.operands)
    Rewriter.replace_op(op, [], [Build(op).constant(number, op.results[0].type)])
    for operand in operands:
        if isinstance(operand.owner, arith.ConstantOp) and operand.first_use is None:
            Rewriter.erase_op(operand.owner)
