"""Legalisation of `cf` and returns: block arguments are words, a switch is a comparison chain."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import cf, func, ub
from xdsl.ir import Block, Operation

from polycl.lowering.tta.tta_legalize import integers_to_tta as integers
from polycl.lowering.tta.tta_legalize.function_to_tta import FunctionLowering
from polycl.lowering.tta.tta_legalize.types_to_tta import width_of
from polycl.lowering.tta.word_builder import constant_of


def _branch(op: cf.BranchOp, low: FunctionLowering) -> None:
    low.emit_void(cf.BranchOp(low.blocks[op.successor], *low.flat(op.arguments)))


def _conditional_branch(op: cf.ConditionalBranchOp, low: FunctionLowering) -> None:
    condition = low.word(op.cond)
    then = low.blocks[op.then_block], low.flat(op.then_arguments)
    otherwise = low.blocks[op.else_block], low.flat(op.else_arguments)
    known = constant_of(condition)
    if known is not None:
        block, arguments = then if known else otherwise
        low.emit_void(cf.BranchOp(block, *arguments))
    else:
        low.emit_void(cf.ConditionalBranchOp(condition, *then, *otherwise))


def _switch(op: cf.SwitchOp, low: FunctionLowering) -> None:
    flag, width = low.values[op.flag], width_of(op.flag.type)
    cases: Any = op.case_values
    values = cases.get_values() if cases is not None else ()
    for value, target, arguments in zip(values, op.case_blocks, op.case_operand, strict=True):
        number = [low.constant(int(value) >> shift) for shift in range(0, max(width, 32), 32)]
        if width < 32:
            number = [low.constant(int(value) & (1 << width) - 1)]
        following = Block()
        is_case = integers.compare(low, "eq", width, flag, number)
        low.emit_void(
            cf.ConditionalBranchOp(is_case, low.blocks[target], low.flat(arguments), following, [])
        )
        low.append_block(following)
    default = low.blocks[op.default_block]
    low.emit_void(cf.BranchOp(default, *low.flat(op.default_operands)))


def _return(op: Operation, low: FunctionLowering) -> None:
    low.emit_void(func.ReturnOp())


def _unreachable(op: Operation, low: FunctionLowering) -> None:
    """An endless loop that is never reached: a function has only one return."""
    loop = Block()
    low.emit_void(cf.BranchOp(loop))
    low.append_block(loop)
    low.emit_void(cf.BranchOp(loop))


CONVERTERS: dict[type[Operation], Any] = {
    cf.BranchOp: _branch,
    cf.ConditionalBranchOp: _conditional_branch,
    cf.SwitchOp: _switch,
    func.ReturnOp: _return,
    ub.UnreachableOp: _unreachable,
}
