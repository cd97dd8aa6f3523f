"""`index-by-counter`: a loop computes addresses from its counter instead of moving them."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.carry_distances import Step, steps_between
from polycl.lowering.ocl.moving import hoisted, is_hoistable
from polycl.lowering.ocl.remove_dead_values import remove_dead_values
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class IndexByCounterPass(ModulePass):
    """Compute pointers and integers that a counted loop moves by the same amount each time.

    ```
    scf.for %i = %c0 to %n step %c1               scf.for %i = %c0 to %n step %c1 {
        iter_args(%q = %start) {                    %d = arith.muli %i, %m
      ... %q ...                              ->    %q = ocl.offset %start[%d]
      %r = ocl.offset %q[%m]                        ... %q ...
      scf.yield %r                                }
    }
    ```

    `*p++` is `p[i]` then, for all that reads strides and rows. Sums of integers wrap in the same
    way in any order. Work-items move by the same amount. Where the counter goes in other steps than
    1, the amount is a multiple of the step.
    """

    name = "index-by-counter"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            if len(kernel.body.blocks) != 1:
                continue
            changed = False
            loops = [loop for loop in operations_of(kernel.body, scf.ForOp) if loop.results]
            if not loops:
                continue
            facts = Uniformity(kernel)
            # The innermost first: an outer loop adds what they have moved.
            for loop in reversed(loops):
                replaced = False
                for number in range(len(loop.results)):
                    if distance := _distance(loop, number, facts):
                        _replace(loop, number, distance)
                        replaced = changed = True
                if replaced:
                    facts.visit_new(loop)
            if changed:
                remove_dead_values(kernel)


@dataclass(frozen=True)
class _Distance:
    """How far a loop has moved a value: the counter from its start times an amount and a number."""

    amounts: list[Step]
    """Empty: only the number."""
    number: int


def _distance(loop: scf.ForOp, number: int, facts: Uniformity) -> _Distance | None:
    moved, step = loop.body.block.args[number + 1], constant_value(loop.step)
    if not isinstance(moved.type, ocl.PtrType | IntegerType | IndexType):
        return None
    amounts = steps_between(terminator(loop.body.block).operands[number], moved, facts)
    if not amounts:
        return None
    known = [constant_value(amount) for amount, _ in amounts]
    if step and None not in known:
        total = sum(-n if less else n for n, (_, less) in zip(known, amounts, strict=True) if n)
        return _Distance([], total // step) if total % step == 0 else None
    if step == 1:
        is_known = all(is_hoistable(amount, loop) for amount, _ in amounts)
        return _Distance(amounts, 1) if is_known else None
    # How far it is at the end would need a division.
    (amount, less), *others = amounts
    if others or loop.results[number].first_use or not _is_same(amount, loop.step):
        return None
    return _Distance([], -1 if less else 1)


def _is_same(amount: SSAValue, step: SSAValue) -> bool:
    while isinstance(amount.owner, arith.IndexCastOp) and amount.type != step.type:
        amount = amount.owner.input
    while isinstance(step.owner, arith.IndexCastOp) and amount.type != step.type:
        step = step.owner.input
    return same_value(amount, step)


def _replace(loop: scf.ForOp, number: int, distance: _Distance) -> None:
    body, result = loop.body.block, loop.results[number]
    start, moved = loop.iter_args[number], body.args[number + 1]
    type: Attribute = IndexType() if isinstance(start.type, ocl.PtrType) else start.type
    build = Build(loop)
    amount: SSAValue | None = None
    for value, less in distance.amounts:
        value = hoisted(value, loop)
        if amount is None:
            amount = build.sub(build.constant(0, type), value) if less else value
        else:
            amount = (build.sub if less else build.add)(amount, value)

    def moved_by(at: Build, count: SSAValue) -> SSAValue:
        count = at.index_cast(count, type)
        if amount is not None:
            count = at.mul(count, amount)
        elif distance.number != 1:
            count = at.mul(count, at.constant(distance.number, type))
        if isinstance(start.type, ocl.PtrType):
            return at.emit(ocl.OffsetOp(start, count))
        return count if constant_value(start) == 0 else at.add(start, count)

    is_from_0 = constant_value(loop.lb) == 0
    if result.first_use is not None:
        at = Build(loop, InsertPoint.after(loop))
        count = _whole_steps(at, loop, is_from_0)
        last = moved_by(at, count)
        last.name_hint = result.name_hint
        result.replace_all_uses_with(last)
    at = Build(loop, InsertPoint.at_start(body))
    now = moved_by(at, body.args[0] if is_from_0 else at.sub(body.args[0], loop.lb))
    now.name_hint = moved.name_hint
    end = terminator(body)
    moved.replace_uses_with_if(now, lambda use: use.operation is not end or use.index != number)
    end.operands[number] = moved
    hint = moved.name_hint or "a value"
    emit_remark(loop, IndexByCounterPass.name, f"computes '{hint}' from the counter")


def _whole_steps(at: Build, loop: scf.ForOp, is_from_0: bool) -> SSAValue:
    """How far the counter of a loop is from its start when the loop ends."""
    step = constant_value(loop.step)
    assert step is not None
    if (count := trip_count(loop)) is not None:
        return at.index(count * step)
    # There may be no iteration.
    distance = at.max(loop.ub, loop.lb, signed=True)
    if not is_from_0:
        distance = at.sub(distance, loop.lb)
    if step == 1:
        return distance
    rounded = at.add(distance, at.index(step - 1))
    return at.mul(at.alike(arith.DivUIOp, rounded, at.index(step)), at.index(step))
