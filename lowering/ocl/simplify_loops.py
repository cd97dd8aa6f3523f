"""`simplify-loops`: a loop carries what it changes, a loop of one iteration is a branch, and a
branch whose condition is known is the side that runs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
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
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
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
    same way. So is a loop from `y0` to `min(rows, y0 + 1)`, as kernels have it whose number of
    rows for a work-item is a macro. What a loop runs once, before a condition that is false, needs
    no loop. A variable that no iteration changes is replaced by its initial value;
    `remove-dead-values` removes it from the loop. A branch or a selection on numbers that are
    known, such as a function's argument at this call, is the side that runs.
    """

    name = "simplify-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for rest in operations_of(op, arith.RemSIOp, arith.RemUIOp):
            is_scalar = isinstance(rest.result.type, IntegerType | IndexType)
            if is_scalar and constant_value(rest.rhs) == 1:
                Rewriter.replace_op(rest, [], [Build(rest).constant(0, rest.result.type)])
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
        step = constant_value(loop.step)
        if _ends(loop.lb, step, constant_value(loop.ub)) or (
            step is not None
            and UNSIGNED not in loop.attributes
            and _is_near(loop.lb, range(step + 1), loop.ub)
        ):
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


def _is_near(
    start: SSAValue, distances: Container[int], bound: SSAValue, *, is_unsigned: bool = False
) -> bool:
    """Whether `bound` is at most `start` and one of some natural numbers.

    A sum that wraps around is less than `start`, so that there is no iteration.
    """
    op = bound.owner
    match op:
        case arith.MinUIOp() if is_unsigned:
            sides = op.operands
        case arith.MinSIOp() if not is_unsigned:
            sides = op.operands
        case arith.AddiOp():
            return any(
                (distance := constant_value(number)) is not None
                and distance in distances
                and _is_same(value, start)
                for value, number in (op.operands, reversed(op.operands))
            )
        case arith.ExtSIOp() if not is_unsigned:
            sides = (op.input,)
        case arith.ExtUIOp() if isinstance(start.owner, (arith.ExtUIOp, *_IDS)):
            sides = (op.input,)
            is_unsigned = True
        case arith.IndexCastOp() if isinstance(bound.type, IndexType) and not is_unsigned:
            sides = (op.input,)
        case _:
            return False
    begin = start.owner
    if len(sides) == 1 and isinstance(begin, Operation) and type(begin) is type(op):
        start = begin.operands[0]
    return any(_is_near(start, distances, side, is_unsigned=is_unsigned) for side in sides)


def _is_same(value: SSAValue, start: SSAValue) -> bool:
    """Whether `value`, as wide as it is read, is `start`; or less, if it is an id that was cut."""
    if isinstance(value.owner, arith.IndexCastOp) and isinstance(start.owner, _IDS):
        value = value.owner.input
    return value is start


def _has_one_iteration(loop: scf.WhileOp) -> bool:
    """Whether the condition compares a counter with what one step reaches."""
    before, after = loop.before_region.block, loop.after_region.block
    condition = condition_of(loop)
    test = condition.condition.owner
    if not isinstance(test, arith.CmpiOp) or test.lhs not in before.args:
        return False
    predicate = predicate_of(test)
    if predicate not in ("slt", "ult", "sle", "ule"):
        return False
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
    start, distance = loop.arguments[counter], constant_value(step.rhs)
    bound = constant_value(test.rhs)
    if bound is not None:
        return _ends(start, distance, bound + predicate.endswith("e"))
    # A larger step than the distance may wrap around where the bound does not.
    return (
        predicate in ("slt", "ult")
        and distance is not None
        and 0 < distance < _LARGE
        and _is_near(start, (distance,), test.rhs, is_unsigned=predicate == "ult")
    )


def _branch_of_while(loop: scf.WhileOp) -> None:
    before, after = loop.before_region.block, loop.after_region.block
    condition = condition_of(loop)
    first = copy_of(before, loop.arguments, InsertPoint.before(loop))
    start = [first.get(arg, arg) for arg in condition.args]
    end = terminator(after)
    results = copied(before, end.operands, InsertPoint.before(end), condition.args)
    _replace(loop, after, start, first[condition.condition], results, start)


def copy_of(block: Block, args: Sequence[SSAValue], place: InsertPoint) -> dict[SSAValue, SSAValue]:
    """A copy of the operations of a block without its terminator."""
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, args, strict=True))
    for op in block.ops:
        if op is not block.last_op:
            Rewriter.insert_op(op.clone(values), place)
    return values


def copied(
    block: Block,
    args: Sequence[SSAValue],
    place: InsertPoint,
    results: Iterable[SSAValue] | None = None,
) -> list[SSAValue]:
    """What such a copy has instead of `results`, or of what the block yields."""
    values = copy_of(block, args, place)
    results = terminator(block).operands if results is None else results
    return [values.get(value, value) for value in results]


def unroll(loop: scf.ForOp, counters: Iterable[int]) -> None:
    """Replace a loop by copies of its body, one for each of the counter's values."""
    body, values = loop.body.block, list(loop.iter_args)
    for number in counters:
        counter = Build(loop).constant(number, loop.lb.type)
        values = copied(body, [counter, *values], InsertPoint.before(loop))
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
