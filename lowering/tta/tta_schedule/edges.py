"""Makes it safe to write the arguments of both successors before a jump is decided.

A block writes the registers of both successors' arguments. That must not overwrite a value that
the other successor reads: in a loop `cf.cond_br %c, ^loop(%next), ^end` whose `^end` reads the
loop's argument, this value becomes an argument of `^end`, too. Where blocks read it that are
reached without `^end` as well, they read a copy of it, which the loop makes in each iteration.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import IntegerAttr, f32, i1, i32
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.irdl.dominance import DominanceInfo


def separate_arguments(
    function: func.FuncOp, live_in: dict[Block, dict[SSAValue, None]]
) -> tuple[SSAValue, SSAValue] | None:
    """Resolves one conflict (a live value is overwritten): returns the value, and the value that
    some blocks read instead. None if there is no conflict."""
    for block in function.body.blocks:
        op = block.last_op
        if not isinstance(op, cf.ConditionalBranchOp):
            continue
        for target, other in ((op.then_block, op.else_block), (op.else_block, op.then_block)):
            for argument in target.args:
                if argument in live_in[other]:
                    dominance = DominanceInfo(function.body)
                    if _may_pass(block, argument, other, live_in, dominance):
                        return argument, _pass(op, argument, other, dominance)
                    return argument, _copy(argument)
    return None


def _may_pass(
    block: Block,
    value: SSAValue,
    target: Block,
    live_in: dict[Block, dict[SSAValue, None]],
    dominance: DominanceInfo,
) -> bool:
    """Whether all blocks after `target` that read a value are reached through it from `block`."""
    for other in live_in:
        inside = other is target or dominance.strictly_dominates(target, other)
        for successor in other.last_op.successors if other.last_op is not None else ():
            if successor is target:
                if other is not block:
                    return False
            elif inside and value in live_in[successor]:
                if not dominance.strictly_dominates(target, successor):
                    return False
    return True


def _copy(value: BlockArgument) -> SSAValue:
    """Makes other blocks read a copy of an argument."""
    block = value.owner
    zero = arith.ConstantOp(IntegerAttr(0, i1 if value.type == i1 else i32))
    ops: list[Operation] = [zero]
    word: SSAValue = value
    if value.type == f32:
        ops.append(arith.BitcastOp(word, i32))
        word = ops[-1].results[0]
    ops.append(arith.AddiOp(word, zero))
    if value.type == f32:
        ops.append(arith.BitcastOp(ops[-1], f32))
    assert block.first_op is not None
    block.insert_ops_before(ops, block.first_op)
    copy = ops[-1].results[0]
    value.replace_uses_with_if(copy, lambda use: use.operation.parent is not block)
    return copy


def _pass(
    op: cf.ConditionalBranchOp, value: SSAValue, target: Block, dominance: DominanceInfo
) -> SSAValue:
    """Makes `value` an argument of a successor, for all uses that the successor dominates."""
    block = op.parent
    assert block is not None
    argument = target.insert_arg(value.type, len(target.args))
    for use in list(value.uses):
        user = use.operation.parent
        if user is not None and (user is target or dominance.strictly_dominates(target, user)):
            use.operation.operands[use.index] = argument
    then_arguments: Sequence[SSAValue] = op.then_arguments
    else_arguments: Sequence[SSAValue] = op.else_arguments
    if target is op.then_block:
        then_arguments = (*then_arguments, value)
    else:
        else_arguments = (*else_arguments, value)
    branch = cf.ConditionalBranchOp(
        op.cond, op.then_block, then_arguments, op.else_block, else_arguments
    )
    branch.location = op.location
    block.insert_op_before(branch, op)
    Operation.detach(op)
    op.erase()
    return argument
