"""`simplify-breaks`: the counters of a loop do not depend on its `break`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_index, constant_value
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted, is_hoistable, with_results


@dataclass(frozen=True)
class SimplifyBreaksPass(ModulePass):
    """Let a loop with a `break` flag carry on its variables as if it did not break.

    The loop ends when the flag is set, so its values for the next iteration are never read:

    ```
    %x, %break = scf.while (%x1 = %c0, %b1 = %false) ... {
      %go = !%b1 && %x1 < %n
      scf.condition(%go) %x1, %b1
    } do {
      %b2 = ...
      %x2 = scf.if !%b2 { yield %x1 + 1 }       ->       %x2 = %x1 + 1
            else        { yield %x1 }
      scf.yield %x2, %b2
    }
    ```

    Its value is then the same for all work-items that are still in the loop, whichever of them
    break. A variable that is read after the loop is carried twice: once for the iterations, and
    once with the value at which it stopped. The flag is not set at the start of an iteration, so
    the body does not test it.
    """

    name = "simplify-breaks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.WhileOp):
            _simplify(loop)


def _simplify(loop: scf.WhileOp) -> None:
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = condition_of(loop), terminator(after)
    flags = [arg.index for arg in before.args if ends_loop(condition.condition, arg)]
    for index, arg in enumerate(before.args):
        if index in flags or not _is_only_tested(arg, condition):
            continue
        value = end.operands[index]
        for flag in flags:
            value = _without_break(value, end.operands[flag])
        if value is end.operands[index]:
            continue
        results = zip(condition.args, loop.results, strict=True)
        if all(result.first_use is None for passed_on, result in results if passed_on is arg):
            end.operands[index] = value
        elif passes_all_on(loop) and _is_part_of_an_address(after.args[index]):
            loop = _carried_twice(loop, index, value)
    for op in reversed(list(after.ops)):
        if isinstance(op, scf.IfOp) and _is_dead(op):
            Rewriter.erase_op(op)
    for passed_on, arg in zip(condition.args, after.args, strict=True):
        if any(passed_on is before.args[flag] for flag in flags) and arg.first_use is not None:
            unset = Build(loop, InsertPoint.at_start(after)).constant(0, i1)
            arg.replace_all_uses_with(unset)
    for op in after.ops:
        if isinstance(op, scf.IfOp) and _is_condition(op):
            Rewriter.replace_op(op, [], [op.cond])


def _is_condition(op: scf.IfOp) -> bool:
    """Whether all that a branch does is to choose true where its condition holds, else false."""
    chosen: list[bool | None] = []
    if any(result.type != i1 for result in op.results):
        return False
    for side in op.regions:
        if not side.blocks or not all(
            is_side_effect_free(inner)
            for inner in side.block.ops
            if inner is not side.block.last_op
        ):
            return False
        values = [constant_value(value) for value in terminator(side.block).operands]
        chosen += [None if value is None else bool(value) for value in values]
    return chosen == [True, False]


def ends_loop(condition: SSAValue, flag: SSAValue) -> bool:
    """Whether the condition is false where `flag` is set."""
    match condition.owner:
        case arith.AndIOp() as both:
            return ends_loop(both.lhs, flag) or ends_loop(both.rhs, flag)
        case _:
            return is_not(condition, flag)


def is_not(value: SSAValue, flag: SSAValue) -> bool:
    owner = value.owner
    if not isinstance(owner, arith.XOrIOp):
        return False
    sides = [owner.lhs, owner.rhs]
    return any(side is flag and constant_index(sides[1 - i]) for i, side in enumerate(sides))


def _is_only_tested(arg: SSAValue, condition: scf.ConditionOp) -> bool:
    """Whether what the loop executes before its condition only tests the value carried in `arg`, or
    passes it on."""
    values = [arg]
    while values:
        value = values.pop()
        for use in value.uses:
            op = use.operation
            if op is condition:
                if use.index and value is not arg:
                    return False
            elif op.regions or not is_side_effect_free(op):
                return False
            else:
                values.extend(op.results)
    return True


def _is_part_of_an_address(arg: SSAValue) -> bool:
    """Whether an iteration accesses memory at a place that depends on what is carried in `arg`."""
    seen, values = {arg}, [arg]
    while values:
        for use in values.pop().uses:
            op = use.operation
            if isinstance(op, ocl.LoadOp | ocl.StoreOp):
                return True
            if not op.regions and is_side_effect_free(op):
                values += [result for result in op.results if result not in seen]
                seen.update(op.results)
    return False


def _carried_twice(loop: scf.WhileOp, index: int, value: SSAValue) -> scf.WhileOp:
    """The loop with a copy of what it carries at `index` that goes on to `value`, and that the
    iterations read."""
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = condition_of(loop), terminator(after)
    stopped, number = before.args[index], len(before.args)
    counted = before.insert_arg(stopped.type, number)
    inside = after.insert_arg(stopped.type, number)
    counted.name_hint = inside.name_hint = stopped.name_hint
    stopped.replace_uses_with_if(counted, lambda use: use.operation is not condition)
    after.args[index].replace_all_uses_with(inside)
    condition.operands = [*condition.operands, counted]
    end.operands = [*end.operands, inside if value is after.args[index] else value]
    operands = [*loop.operands, loop.operands[index]]
    new = with_results(loop, operands, [*loop.result_types, stopped.type])
    Rewriter.replace_op(loop, [], new.results[:-1])
    return new


def _without_break(value: SSAValue, flag: SSAValue) -> SSAValue:
    """The value that `value` has where the flag is not set."""
    owner = value.owner
    match owner:
        case arith.SelectOp():
            if is_not(owner.cond, flag):
                return _without_break(owner.lhs, flag)
            return _without_break(owner.rhs, flag) if owner.cond is flag else value
        case scf.IfOp():
            if is_not(owner.cond, flag):
                region = owner.true_region
            elif owner.cond is flag:
                region = owner.false_region
            else:
                return value
            taken = terminator(region.block).operands[owner.results.index(value)]
            if not is_hoistable(taken, owner):
                return value
            return _without_break(hoisted(taken, owner), flag)
        case _:
            return value


def _is_dead(op: Operation) -> bool:
    unused = all(result.first_use is None for result in op.results)
    return unused and all(
        is_side_effect_free(inner) or isinstance(inner, scf.YieldOp | scf.IfOp)
        for inner in op.walk()
    )
