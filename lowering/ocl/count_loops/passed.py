"""Loops whose condition moves what it tests: `while (n--)`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.terminators import condition_of, passes_all_on
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted, is_hoistable


def pass_all_on(loop: scf.WhileOp) -> scf.WhileOp:
    """Let the condition pass on what the loop carries, as it is, and the iteration compute of it
    what the condition passed: all that moves is at one place then. The loop itself, where that is
    not possible, or another one in its place.
    """
    before, condition = loop.before_region.block, condition_of(loop)
    passed, test = list(condition.args), condition.condition.owner
    is_tested_last = len(loop.after_region.block.ops) == 1
    if is_tested_last or passes_all_on(loop) or not isinstance(test, arith.CmpiOp):
        return loop
    if not any(operand in before.args for operand in test.operands):
        return loop
    if not all(is_hoistable(value, loop, before.args) for value in passed):
        return loop

    def computed(values: Sequence[SSAValue], home: Operation, at: InsertPoint) -> list[SSAValue]:
        known: dict[SSAValue, SSAValue] = dict(zip(before.args, values, strict=True))
        return [hoisted(value, home, known, at) for value in passed]

    old, body = loop.after_region.block, Block(arg_types=[arg.type for arg in before.args])
    for new_arg, arg in zip(body.args, before.args, strict=True):
        new_arg.name_hint = arg.name_hint
    inside = computed(body.args, loop, InsertPoint.at_end(body))
    Rewriter.inline_block(old, InsertPoint.at_end(body), inside)
    Rewriter.replace_op(condition, scf.ConditionOp(condition.condition, *before.args))
    types = [arg.type for arg in before.args]
    new = scf.WhileOp(loop.arguments, types, loop.detach_region(loop.before_region), Region(body))
    new.attributes = dict(loop.attributes)
    Build(loop).emit_void(new)
    Rewriter.replace_op(loop, [], computed(new.results, new, InsertPoint.before(loop)))
    return new
