"""What is the same for all work-items of a codelet, known before it runs."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator, is_side_effect_free

from polycl.analysis.polyhedral.model import Model, model_of
from polycl.analysis.terminators import terminator
from polycl.analysis.uniformity import constant_value
from polycl.dialects import poly
from polycl.dialects.poly.isl_context import BudgetExceeded, isl_budget

BUDGET = 1_000_000
"""Operations of isl for one codelet."""

_Extreme: TypeAlias = arith.MaxSIOp | arith.MinSIOp | arith.MaxUIOp | arith.MinUIOp

_WINS: dict[type[_Extreme], tuple[str, str]] = {
    arith.MaxSIOp: ("sge", "sle"),
    arith.MinSIOp: ("sle", "sge"),
    arith.MaxUIOp: ("uge", "ule"),
    arith.MinUIOp: ("ule", "uge"),
}
"""When the result is the left operand, and when it is the right one."""


def fold_codelet(kernel: poly.KernelOp, codelet: poly.CodeletOp) -> None:
    """Replace minima, maxima, comparisons and choices that its work-items agree about.

    Branches that are decided then are inlined, and what nothing needs is erased. Where isl needs
    too long, the rest stays.
    """
    try:
        with isl_budget(BUDGET):
            _fold(model_of(kernel, codelet.body, codelet.covered), codelet.body.block)
    except BudgetExceeded:
        pass
    erase_dead(codelet.body)


def _fold(model: Model, block: Block) -> None:
    for op in list(block.ops):
        match op:
            case arith.MaxSIOp() | arith.MinSIOp() | arith.MaxUIOp() | arith.MinUIOp():
                _fold_extreme(model, op)
            case arith.CmpiOp():
                outcome = _outcome(model, op, op.result)
                if outcome is not None:
                    Rewriter.replace_op(op, _boolean(outcome))
            case arith.AndIOp() | arith.OrIOp() if op.result.type == i1:
                _fold_connective(model, op)
            case arith.SelectOp():
                outcome = _outcome(model, op, op.cond)
                if outcome is not None:
                    Rewriter.replace_op(op, [], [op.lhs if outcome else op.rhs])
            case scf.IfOp():
                _fold_branch(model, op)
            case _:
                for region in op.regions:
                    for inner in region.blocks:
                        _fold(model, inner)


def _fold_extreme(model: Model, op: _Extreme) -> None:
    for predicate, side in zip(_WINS[type(op)], (op.lhs, op.rhs), strict=True):
        compare = arith.CmpiOp(op.lhs, op.rhs, predicate)
        Rewriter.insert_op(compare, InsertPoint.before(op))
        outcome = _outcome(model, op, compare.result)
        Rewriter.erase_op(compare)
        if outcome is True:
            Rewriter.replace_op(op, [], [side])
            return


def _fold_connective(model: Model, op: arith.AndIOp | arith.OrIOp) -> None:
    neutral = isinstance(op, arith.AndIOp)
    for side, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        outcome = _outcome(model, op, side)
        if outcome is not None:
            Rewriter.replace_op(op, [], [other if outcome is neutral else side])
            return


def _fold_branch(model: Model, op: scf.IfOp) -> None:
    outcome = _outcome(model, op, op.cond)
    if outcome is None:
        for region in op.regions:
            for inner in region.blocks:
                _fold(model, inner)
        return
    side = op.regions[0 if outcome else 1]
    if not side.blocks:
        Rewriter.erase_op(op)
        return
    _fold(model, side.block)
    end = terminator(side.block)
    results = list(end.operands)
    Rewriter.erase_op(end)
    Rewriter.inline_block(side.block, InsertPoint.before(op))
    Rewriter.replace_op(op, [], results)


def _outcome(model: Model, at: Operation, value: SSAValue) -> bool | None:
    """What an i1 is whenever `at` runs, if it is always the same."""
    number = constant_value(value)
    if number is not None:
        return number != 0
    holds = model.condition_of(value)
    if holds is None:
        return None
    domain = model.domain_at(at)
    if domain.is_subset(holds):
        return True
    return False if domain.is_disjoint(holds) else None


def _boolean(value: bool) -> Operation:
    return arith.ConstantOp(IntegerAttr(int(value), i1))


def erase_dead(body: Region) -> None:
    """Erase what has no effect and no use."""
    for op in list(body.walk(reverse=True)):
        unused = all(result.first_use is None for result in op.results)
        if unused and is_side_effect_free(op) and not op.has_trait(IsTerminator):
            Rewriter.erase_op(op)
