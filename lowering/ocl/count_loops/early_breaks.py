"""`if (i >= n) break;` at the start of an iteration, as a part of the loop's condition."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import OPPOSITES, predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.lowering.build import Build
from polycl.lowering.ocl.count_loops.turns import conjuncts
from polycl.lowering.ocl.moving import hoisted, is_hoistable, take_side
from polycl.lowering.ocl.simplify_breaks import is_not


def test_first(loop: scf.WhileOp) -> None:
    """Move a comparison that ends a loop before an iteration has had any effect.

    ```
    while (k < 4) { j = i + k; if (j >= n) break; ... }  ->  while (k < 4 && i + k < n) { ... }
    ```
    """
    before, after = loop.before_region.block, loop.after_region.block
    if not passes_all_on(loop) or not all(map(_is_harmless, before.ops)):
        return
    for place, start in enumerate(loop.arguments):
        if constant_value(start) == 0 and loop.results[place].first_use is None:
            tests = conjuncts(condition_of(loop).condition)
            others = [test for test in tests if not is_not(test, before.args[place])]
            branch = terminator(after).operands[place].owner
            if len(others) < len(tests) and isinstance(branch, scf.IfOp):
                if _ends_at_once(loop, place, branch):
                    _move(loop, place, branch, others)
                    return


def _ends_at_once(loop: scf.WhileOp, place: int, branch: scf.IfOp) -> bool:
    """Whether a branch sets the flag at `place` and nothing else, before anything is done."""
    after = loop.after_region.block
    flag = terminator(after).operands[place]
    if branch.parent is not after or not branch.false_region.blocks:
        return False
    taken, other = (terminator(region.block) for region in branch.regions)
    number = branch.results.index(flag)  # pyright: ignore[reportArgumentType]
    left = other.operands[number]
    if constant_value(taken.operands[number]) not in (1, -1):
        return False
    if left is not after.args[place] and constant_value(left) != 0:
        return False
    if not all(map(_is_harmless, branch.true_region.block.ops)):
        return False
    test, others = branch.cond, [arg for arg in after.args if arg is not after.args[place]]
    if not isinstance(test.owner, arith.CmpiOp) or not is_hoistable(test, loop, others):
        return False
    if test.owner.parent is not after:
        return False
    is_before = True
    for op in after.ops:
        if op is branch:
            is_before = False
        elif not _is_harmless(op) and not (_is_load(op) and is_before):
            if not isinstance(op, scf.IfOp) or not _runs_without(op, flag):
                return False
    # What is read after the loop is as it was before the iteration.
    return all(
        result.first_use is None
        or _at_break(terminator(after).operands[result.index], branch, flag)
        is after.args[result.index]
        for result in loop.results
    )


def _is_harmless(op: Operation) -> bool:
    return isinstance(op, scf.YieldOp | scf.ConditionOp) or (
        not op.regions and is_side_effect_free(op)
    )


def _is_load(op: Operation) -> bool:
    return isinstance(op, ocl.LoadOp) and op.volatile is None


def _runs_without(branch: scf.IfOp, flag: SSAValue) -> bool:
    """Whether a branch does something only where the flag is not set."""
    if not is_not(branch.cond, flag):
        return False
    other = branch.false_region
    return not other.blocks or all(map(_is_harmless, other.block.ops))


def _at_break(value: SSAValue, branch: scf.IfOp, flag: SSAValue) -> SSAValue:
    """The value where the flag is set."""
    owner = value.owner
    if not isinstance(owner, scf.IfOp):
        return value
    number = owner.results.index(value)  # pyright: ignore[reportArgumentType]
    if owner is branch:
        return terminator(owner.true_region.block).operands[number]
    if is_not(owner.cond, flag):
        other = terminator(owner.false_region.block).operands[number]
        return _at_break(other, branch, flag)
    return value


def _move(loop: scf.WhileOp, place: int, branch: scf.IfOp, others: list[SSAValue]) -> None:
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = condition_of(loop), terminator(after)
    test = branch.cond.owner
    assert isinstance(test, arith.CmpiOp)
    at = Build(test, InsertPoint.before(condition))
    known: dict[SSAValue, SSAValue] = dict(zip(after.args, before.args, strict=True))
    sides = (hoisted(side, loop, known, at.point) for side in (test.lhs, test.rhs))
    goes_on = at.compare(OPPOSITES[predicate_of(test)], *sides)
    for other in others:
        goes_on = at.and_(other, goes_on)
    condition.operands[0] = goes_on
    # The flag is never set.
    flag = end.operands[place]
    for op in list(after.ops):
        if isinstance(op, scf.IfOp) and is_not(op.cond, flag):
            take_side(op, op.true_region)
    take_side(branch, branch.false_region)
    unset = Build(loop).constant(0, flag.type)
    terminator(after).operands[place] = unset
    after.args[place].replace_all_uses_with(unset)
    for block in (before, after):
        for op in reversed(list(block.ops)):
            if op.results and all(result.first_use is None for result in op.results):
                if _is_harmless(op):
                    Rewriter.erase_op(op)
