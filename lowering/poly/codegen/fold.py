"""Folds operations whose result is known for all work-items of a codelet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import islpy as isl
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1
from xdsl.ir import Operation, Region
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.poly.model import Model, model_of
from polycl.dialects import poly
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.poly.isl_context import BudgetExceeded, isl_budget

BUDGET = 300_000
"""The budget of isl for the codelets of a kernel."""

_Extreme: TypeAlias = arith.MaxSIOp | arith.MinSIOp | arith.MaxUIOp | arith.MinUIOp

_WINS: dict[type[_Extreme], tuple[str, str]] = {
    arith.MaxSIOp: ("sge", "sle"),
    arith.MinSIOp: ("sle", "sge"),
    arith.MaxUIOp: ("uge", "ule"),
    arith.MinUIOp: ("ule", "uge"),
}
"""The comparisons for which the result is the left operand, and the right one."""


_Decision: TypeAlias = bool | int | type[arith.SubiOp]
"""The value of an i1, the index of the operand that equals the result, or that the result is the
difference of the operands."""

_Question: TypeAlias = tuple[isl.Set, _Decision | None, _Decision | None]
"""A set, the decision if all work-items are in it, and the decision if none are."""

_Found: TypeAlias = dict[poly.CodeletOp, list[tuple[Operation, _Decision]]]


def fold_codelets(kernel: poly.KernelOp, codelets: Sequence[poly.CodeletOp]) -> None:
    """Folds minima, maxima, comparisons and selects that are uniform in a codelet.

    Branches with a known condition are inlined, and dead operations are erased. If the budget of
    isl is exceeded, the rest is not folded.
    """
    found: _Found = {}
    try:
        with isl_budget(BUDGET):
            for alike in _alike(codelets):
                _decide(kernel, alike, found)
    except BudgetExceeded:
        pass
    for codelet, decisions in found.items():
        for op, decision in decisions:
            if codelet.is_ancestor(op):
                _apply(op, decision)
        erase_dead(codelet.body)


def _alike(codelets: Sequence[poly.CodeletOp]) -> list[list[poly.CodeletOp]]:
    """Groups of codelets with the same code: after poly-split, all codelets."""
    groups: list[list[poly.CodeletOp]] = []
    for codelet in codelets:
        for group in groups:
            if codelet.body.is_structurally_equivalent(group[0].body):
                group.append(codelet)
                break
        else:
            groups.append([codelet])
    return groups


def _decide(
    kernel: poly.KernelOp,
    codelets: Sequence[poly.CodeletOp],
    found: _Found,
) -> None:
    """The decisions for each codelet, in the order of their operations.

    There is one model, of the first codelet; operations of the others correspond by position.
    """
    first = codelets[0].body
    for codelet in codelets:
        found[codelet] = []
    if not any(isinstance(op, _ASKED) for op in first.walk()):
        return
    model = model_of(kernel, first)
    items = [codelet.covered.set_tuple_name("R") for codelet in codelets]
    copies = [list(codelet.body.walk()) for codelet in codelets]
    for place, op in enumerate(list(first.walk())):
        questions = _questions(model, op)
        if not questions:
            continue
        domain = model.domain_at(op)
        for codelet, where, ops in zip(codelets, items, copies, strict=True):
            decision = _answer(questions, domain.intersect(_lifted(where, domain)))
            if decision is not None:
                found[codelet].append((ops[place], decision))


_ASKED = (
    *_WINS,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.CmpiOp,
    scf.IfOp,
    arith.SelectOp,
    arith.AndIOp,
    arith.OrIOp,
)
"""The operations that may be folded; without any of them no model is needed."""


def _questions(model: Model, op: Operation) -> list[_Question]:
    match op:
        case arith.MaxSIOp() | arith.MinSIOp() | arith.MaxUIOp() | arith.MinUIOp():
            asked = [
                (_compared(model, op, predicate), place, None)
                for place, predicate in enumerate(_WINS[type(op)])
            ]
        case arith.RemSIOp() | arith.RemUIOp():
            same, once = model.remainder_cases(op) or (None, None)
            asked = [(same, 0, None), (once, arith.SubiOp, None)]
        case arith.CmpiOp():
            asked = [(model.condition_of(op.result), True, False)]
        case scf.IfOp():
            asked = [(model.condition_of(op.cond), True, False)]
        case arith.SelectOp():
            where = model.condition_of(op.cond)
            if where is not None:
                # It may be computed outside of the loops around `op`.
                where = _lifted(where, model.domain_at(op))
            asked = [(where, 1, 2)]
            equal = None
            if where is not None and isinstance(op.result.type, IntegerType | IndexType):
                equal = _compared(model, op, "eq")
            if where is not None and equal is not None:
                # `x > 2 ? x - 2 : 0` is `x - 2` from 2, not from 3.
                asked.append((where.union(equal), 1, None))
                asked.append((where.complement().union(equal), 2, None))
        case arith.AndIOp() | arith.OrIOp() if op.result.type == i1:
            asked: list[tuple[isl.Set | None, _Decision | None, _Decision | None]] = [
                (model.condition_of(op.result), True, False)
            ]
            for place, side in enumerate(op.operands):
                where, other = model.condition_of(side), 1 - place
                is_and = isinstance(op, arith.AndIOp)
                asked.append((where, other, None) if is_and else (where, None, other))
        case _:
            return []
    return [(where, yes, no) for where, yes, no in asked if where is not None]


def _compared(model: Model, op: _Extreme | arith.SelectOp, predicate: str) -> isl.Set | None:
    compare = arith.CmpiOp(op.lhs, op.rhs, predicate)
    Rewriter.insert_op(compare, InsertPoint.before(op))
    where = model.condition_of(compare.result)
    Rewriter.erase_op(compare)
    return where


def _answer(questions: Sequence[_Question], domain: isl.Set) -> _Decision | None:
    for where, yes, no in questions:
        if yes is not None and domain.is_subset(where):
            return yes
        if no is not None and domain.is_disjoint(where):
            return no
    return None


def _lifted(items: isl.Set, domain: isl.Set) -> isl.Set:
    """Work-items as a set of the domain's space, for all iterations of the loops around."""
    more = domain.dim(isl.dim_type.set) - items.dim(isl.dim_type.set)
    return items.add_dims(isl.dim_type.set, more).set_tuple_name("R")


def _apply(op: Operation, decision: _Decision) -> None:
    if isinstance(decision, type):
        difference = decision(op.operands[0], op.operands[1])
        difference.location = op.location
        Rewriter.replace_op(op, difference)
    elif not isinstance(decision, bool):
        Rewriter.replace_op(op, [], [op.operands[decision]])
    elif isinstance(op, scf.IfOp):
        _take(op, op.regions[0 if decision else 1])
    else:
        constant = arith.ConstantOp(IntegerAttr(int(decision), i1))
        constant.location = op.location
        Rewriter.replace_op(op, constant)


def _take(op: scf.IfOp, side: Region) -> None:
    """Replaces a branch by one side."""
    if not side.blocks:
        Rewriter.erase_op(op)
        return
    end = terminator(side.block)
    results = list(end.operands)
    Rewriter.erase_op(end)
    Rewriter.inline_block(side.block, InsertPoint.before(op))
    Rewriter.replace_op(op, [], results)


def erase_dead(body: Region) -> None:
    """Erases dead operations."""
    for op in list(body.walk(reverse=True)):
        unused = all(result.first_use is None for result in op.results)
        if unused and is_side_effect_free(op) and not op.has_trait(IsTerminator):
            Rewriter.erase_op(op)
