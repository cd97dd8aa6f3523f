"""`cf`, calls and returns."""

from __future__ import annotations

from functools import cache
from typing import Any

from xdsl.dialects import cf, func, llvm, ub
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, UnitAttr, i32
from xdsl.ir import Attribute, Block, Operation

from polycl.dialects.ocl import UNROLL
from polycl.dialects.wg.attributes import LIKELY
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import (
    Converter,
    FunctionLowering,
    Results,
)
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import returned_type

_BY_PASSES = tuple(IntegerAttr(hint, i32) for hint in (-1, -2, -3, -4, -5, -6, -7))
"""Hints of passes, which are meant for the loop as it is."""


@cache
def _segments(then: int, orelse: int) -> dict[str, Attribute]:
    """The properties of a conditional branch that passes so many values."""
    return {"operandSegmentSizes": DenseArrayBase.from_list(i32, (1, then, orelse))}


def _branch(op: cf.BranchOp, low: FunctionLowering) -> None:
    values, target = low.values_of(op.operands), low.blocks[op.successor]
    branch = llvm.BrOp.create(operands=values, successors=[target])
    hint = op.attributes.get(UNROLL)
    if hint is not None and (low.conventions.unroll_hints or hint in _BY_PASSES):
        branch.attributes[UNROLL] = hint
    low.emit_void(branch)


def _conditional_branch(op: cf.ConditionalBranchOp, low: FunctionLowering) -> None:
    condition = low.value(op.cond)
    then_block, else_block = low.blocks[op.then_block], low.blocks[op.else_block]
    then_values = low.values_of(op.then_arguments)
    else_values = low.values_of(op.else_arguments)
    if then_block is else_block:
        # In LLVM a phi has one value for each predecessor: two edges cannot pass two values.
        values = [
            low.select(condition, x, y) for x, y in zip(then_values, else_values, strict=True)
        ]
        low.emit_void(llvm.BrOp(then_block, *values))
        return
    branch = llvm.CondBrOp.create(
        operands=[condition, *then_values, *else_values],
        successors=[then_block, else_block],
        properties=_segments(len(then_values), len(else_values)),
    )
    if LIKELY in op.attributes:
        branch.attributes[LIKELY] = UnitAttr()
    low.emit_void(branch)


def _switch(op: cf.SwitchOp, low: FunctionLowering) -> None:
    """One comparison after another; LLVM makes a jump table where that is faster."""
    flag = low.value(op.flag)
    cases: Any = op.case_values
    values = cases.get_values() if cases is not None else ()
    for value, target, arguments in zip(values, op.case_blocks, op.case_operand, strict=True):
        following = Block()
        low.append_block(following)
        low.emit_void(
            llvm.CondBrOp(
                low.icmp("eq", flag, low.constant(int(value), flag.type)),
                low.blocks[target],
                low.values_of(arguments),
                following,
                [],
            )
        )
        low.block = following
    low.emit_void(llvm.BrOp(low.blocks[op.default_block], *low.values_of(op.default_operands)))


def _return(op: func.ReturnOp, low: FunctionLowering) -> None:
    values = low.values_of(op.arguments)
    if len(values) > 1:
        struct = returned_type([value.type for value in op.arguments], low.conventions.spaces)
        assert struct is not None
        result = low.poison(struct)
        for position, value in enumerate(values):
            result = low.insert_value(result, value, position)
        values = [result]
    low.emit_void(llvm.ReturnOp(*values))


def _call(op: func.CallOp, low: FunctionLowering) -> Results:
    name = op.callee.string_value()
    args = low.values_of(op.arguments)
    if not op.res:
        low.emit_void(llvm.CallOp(name, *args))
        return None
    type = returned_type(op.result_types, low.conventions.spaces)
    returned = low.emit(llvm.CallOp(name, *args, return_type=type))
    if len(op.res) == 1:
        return returned
    return [low.extract_value(returned, i, low.type(r.type)) for i, r in enumerate(op.res)]


CONVERTERS: dict[type[Operation], Converter] = {
    cf.BranchOp: _branch,
    cf.ConditionalBranchOp: _conditional_branch,
    cf.SwitchOp: _switch,
    func.ReturnOp: _return,
    func.CallOp: _call,
    ub.UnreachableOp: lambda _, low: low.emit_void(llvm.UnreachableOp()),
}
