"""`simplify-loops`: a loop carries what it changes, a loop of one iteration is a branch, and a
branch whose condition is known is the side that runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.integers import compared
from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import replace_by_block, take_side
from polycl.remarks import emit_remark

_IDS = (ocl.GlobalIdOp, ocl.LocalIdOp, ocl.GroupIdOp)
_CASTS = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)
_LARGE = 1 << 31


@dataclass(frozen=True)
class SimplifyLoopsPass(ModulePass):
    """Replace loops of at most one iteration by branches; forward what loops do not change.

    The work-items of a group often share a loop, each of them in steps of the local size. Where
    one iteration is enough for all, as here with a local size of 128 (`ocl-set-local-size` runs
    before):

    ```
    scf.while (%i = %lid) {                          %go = arith.cmpi slt, %lid, %c100
      %go = arith.cmpi slt, %i, %c100                scf.if %go {
      scf.condition(%go) %i                     ->     ... %lid ...
    } do {                                           }
      ... %i ...
      scf.yield %i + %c128
    }
    ```

    An id is 0 or more, so after one step of 128 it is not below 100. `scf.for` is treated in the
    same way. What a loop runs once, before a condition that is false, needs no loop. A variable
    that no iteration changes is replaced by its initial value; `remove-dead-values` removes it
    from the loop. A branch or a selection on numbers that are known, such as a function's argument
    at this call, is the side that runs.
    """

    name = "simplify-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Outer loops first: an inner loop may carry a value that its outer loop does not change.
        for loop in operations_of(op, scf.ForOp, scf.WhileOp):
            _forward_unchanged(loop)
            _make_branch(loop)
        # Inner ones first: a side that does not run is erased with what is in it.
        for branch in reversed(operations_of(op, scf.IfOp)):
            outcome = known_outcome(branch.cond)
            if outcome is not None:
                take_side(branch, branch.regions[0 if outcome else 1])
        for select in operations_of(op, arith.SelectOp):
            outcome = known_outcome(select.cond)
            if outcome is not None:
                Rewriter.replace_op(select, [], [select.lhs if outcome else select.rhs])


def _forward_unchanged(loop: scf.ForOp | scf.WhileOp) -> None:
    if isinstance(loop, scf.ForOp):
        body = loop.body.block
        for i, (start, next) in enumerate(
            zip(loop.iter_args, terminator(body).operands, strict=True)
        ):
            if next in (start, body.args[i + 1]):
                body.args[i + 1].replace_all_uses_with(start)
                loop.results[i].replace_all_uses_with(start)
        return
    before, after = loop.before_region.block, loop.after_region.block
    condition = condition_of(loop)
    for i, (start, next) in enumerate(zip(loop.arguments, terminator(after).operands, strict=True)):
        passed_on = next in after.args and condition.args[after.args.index(next)] is before.args[i]  # pyright: ignore[reportArgumentType]
        if next is start or passed_on:
            before.args[i].replace_all_uses_with(start)
    for i, value in enumerate(condition.args):
        if not loop.is_ancestor(value.owner):
            after.args[i].replace_all_uses_with(value)
            loop.results[i].replace_all_uses_with(value)


def known_outcome(condition: SSAValue) -> bool | None:
    """What a condition on known numbers is."""
    number = constant_value(condition)
    if number is None and isinstance(condition.owner, arith.XOrIOp):
        sides = [constant_value(side) for side in condition.owner.operands]
        return None if None in sides else bool(sides[0]) != bool(sides[1])
    if number is not None or not isinstance(condition.owner, arith.CmpiOp):
        return None if number is None else number != 0
    sides = [linear(side) for side in condition.owner.operands]
    if any(side.factors or not 0 <= side.number < _LARGE for side in sides):
        return None
    lhs, rhs = (side.number for side in sides)
    return bool(compared(condition.owner, lhs, rhs))


def _make_branch(loop: scf.ForOp | scf.WhileOp) -> None:
    if isinstance(loop, scf.ForOp):
        if _ends(loop.lb, constant_value(loop.step), constant_value(loop.ub)):
            _branch_of_for(loop)
    elif constant_value(condition_of(loop).condition) == 0:
        _run_once(loop)
    elif _has_one_iteration(loop):
        _branch_of_while(loop)


def _run_once(loop: scf.WhileOp) -> None:
    """Replace a loop that ends after its condition, as `do { ... } while (0)` of a macro does."""
    before = loop.before_region.block
    condition = condition_of(loop)
    results = condition.args
    Rewriter.erase_op(condition)
    Rewriter.inline_block(before, InsertPoint.before(loop), loop.arguments)
    Rewriter.replace_op(loop, [], results)


def _ends(start: SSAValue, step: int | None, bound: int | None) -> bool:
    """Whether `start + step` is not below `bound`."""
    least = _least(start)
    if least is None or step is None or bound is None:
        return False
    return 0 < step < _LARGE and 0 <= bound < _LARGE and least + step >= bound


def _least(value: SSAValue) -> int | None:
    """A known lower bound of `value`, which is 0 or more."""
    constant = constant_value(value)
    if constant is not None:
        return constant if constant >= 0 else None
    while isinstance(value.owner, _CASTS):
        if isinstance(value.type, IntegerType) and value.type.width.data < 32:
            return None
        value = value.owner.operands[0]
    # A launch checks that ids fit the type that they are cast to.
    return 0 if isinstance(value.owner, _IDS) and value.type == IndexType() else None


def _has_one_iteration(loop: scf.WhileOp) -> bool:
    """Whether the condition compares a counter with a constant that one step reaches."""
    before, after = loop.before_region.block, loop.after_region.block
    condition = condition_of(loop)
    test = condition.condition.owner
    if not isinstance(test, arith.CmpiOp) or test.lhs not in before.args:
        return False
    predicate = predicate_of(test)
    bound = constant_value(test.rhs)
    if predicate not in ("slt", "ult", "sle", "ule") or bound is None:
        return False
    bound += predicate.endswith("e")
    if not all(
        is_side_effect_free(op) and not op.regions for op in before.ops if op is not condition
    ):
        return False
    counter = before.args.index(test.lhs)  # pyright: ignore[reportArgumentType]
    step = terminator(after).operands[counter].owner
    if not isinstance(step, arith.AddiOp) or step.lhs not in after.args:
        return False
    passed_on = condition.args[after.args.index(step.lhs)]  # pyright: ignore[reportArgumentType]
    if passed_on is not test.lhs:
        return False
    return _ends(loop.arguments[counter], constant_value(step.rhs), bound)


def _branch_of_while(loop: scf.WhileOp) -> None:
    before, after = loop.before_region.block, loop.after_region.block
    condition = condition_of(loop)
    first = copy_of(before, loop.arguments, InsertPoint.before(loop))
    start = [first.get(arg, arg) for arg in condition.args]
    end = terminator(after)
    last = copy_of(before, end.operands, InsertPoint.before(end))
    results = [last.get(arg, arg) for arg in condition.args]
    _replace(loop, after, start, first[condition.condition], results, start)


def copy_of(block: Block, args: Sequence[SSAValue], place: InsertPoint) -> dict[SSAValue, SSAValue]:
    """A copy of the operations of a block without its terminator."""
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, args, strict=True))
    for op in block.ops:
        if op is not block.last_op:
            copy = op.clone(values)
            Rewriter.insert_op(copy, place)
            values.update(zip(op.results, copy.results, strict=True))
    return values


def unroll(loop: scf.ForOp, counters: Iterable[int]) -> None:
    """Replace a loop by copies of its body, one for each of the counter's values."""
    body, values = loop.body.block, list(loop.iter_args)
    for number in counters:
        counter = Build(loop).constant(number, loop.lb.type)
        copies = copy_of(body, [counter, *values], InsertPoint.before(loop))
        values = [copies.get(value, value) for value in terminator(body).operands]
    Rewriter.replace_op(loop, [], values)


def _branch_of_for(loop: scf.ForOp) -> None:
    body = loop.body.block
    start, bound = constant_value(loop.lb), constant_value(loop.ub)
    if start is not None and bound is not None and start < bound:
        emit_remark(loop, SimplifyLoopsPass.name, "runs once: no loop")
        replace_by_block(loop, body, [loop.lb, *loop.iter_args])
        return
    test = Build(loop).compare("slt", loop.lb, loop.ub)
    args = [loop.lb, *loop.iter_args]
    _replace(loop, body, args, test, terminator(body).operands, loop.iter_args)


def _replace(
    loop: scf.ForOp | scf.WhileOp,
    body: Block,
    args: Sequence[SSAValue],
    condition: SSAValue,
    results: Sequence[SSAValue],
    otherwise: Sequence[SSAValue],
) -> None:
    """Replace the loop by a branch: its body with `args`, or nothing."""
    emit_remark(loop, SimplifyLoopsPass.name, "runs once at most: a branch")
    then = Block([_yield(loop, results)])
    end = terminator(body)
    Rewriter.erase_op(end)
    Rewriter.inline_block(body, InsertPoint.before(terminator(then)), args)
    types = [result.type for result in loop.results]
    orelse = Region(Block([_yield(loop, otherwise)])) if types else None
    branch = scf.IfOp(condition, types, Region(then), orelse)
    branch.location = loop.location
    Rewriter.replace_op(loop, branch)


def _yield(loop: Operation, values: Sequence[SSAValue]) -> scf.YieldOp:
    end = scf.YieldOp(*values)
    end.location = loop.location
    return end
