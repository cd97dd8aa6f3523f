"""Makes it safe to write the arguments of both successors before a jump is decided.

A block writes the registers of both successors' arguments. That must not overwrite a value that
the other successor reads: in a loop `cf.cond_br %c, ^loop(%next), ^end` whose `^end` reads the
loop's argument, this value becomes an argument of `^end`, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import cf, func
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl.dominance import DominanceInfo

from polycl.errors import error_at


def separate_arguments(
    function: func.FuncOp, live_in: dict[Block, dict[SSAValue, None]]
) -> tuple[SSAValue, SSAValue] | None:
    """Resolves one conflict (a live value is overwritten): returns the value, and the argument that
    some blocks read instead. None if there is no conflict."""
    for block in function.body.blocks:
        op = block.last_op
        if not isinstance(op, cf.ConditionalBranchOp):
            continue
        for target, other in ((op.then_block, op.else_block), (op.else_block, op.then_block)):
            for argument in target.args:
                if argument in live_in[other]:
                    return argument, _pass(op, argument, other)
    return None


def _pass(op: cf.ConditionalBranchOp, value: SSAValue, target: Block) -> SSAValue:
    """Makes `value` an argument of a successor, for all uses that the successor dominates."""
    block = op.parent
    assert block is not None
    region = block.parent
    assert region is not None
    sources = [b for b in region.blocks if b.last_op and target in b.last_op.successors]
    if sources != [block]:
        raise error_at(
            op,
            "one successor reads a value that is overwritten for the other, and has several "
            "predecessors: expected the value as an argument",
        )
    dominance = DominanceInfo(region)
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
