"""`wg-skip-updates`: loops that seldom change what they carry compare many elements at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_of
from polycl.dialects.vec import width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import erase_unused
from polycl.lowering.wg.loop_rows import LoopRows, computed_in, is_row, whole_rows
from polycl.remarks import emit_remark

_BLOCK = 64
"""Iterations whose conditions are tested together."""


@dataclass(frozen=True)
class WgSkipUpdatesPass(ModulePass):
    """Leave out 64 iterations at a time that change nothing, as most of an argmax do.

    ```
    %b, %k = scf.for %i = %c0 to %n step %c1 iter_args(%best = %z, %place = %none) {
      %e = ocl.load %x[%i]
      %c = arith.cmpf ogt, %e, %best
      %b1 = arith.select %c, %e, %best
      %k1 = arith.select %c, %i, %place
      scf.yield %b1, %k1
    }
    ```

    becomes a loop over blocks of 64 elements, and the same loop for the rest. Vectors compare all
    elements of a block with what is carried into it. If no comparison holds, the first iteration
    changes nothing, nor does the second one, which has the same values, and so on: the block is
    left out. Otherwise the loop goes through it, so that the result is the same for any condition.

    An iteration changes things by selections only, or in one branch of an `scf.if`, whose
    conditions depend on what is carried, and are computed from rows of elements. Other conditions,
    as that of a filter, do not become less likely as the loop goes on, and stay.
    """

    name = "wg-skip-updates"

    register_bits: int = 512

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            updates = _updates_of(loop)
            count = trip_count(loop)
            if updates is not None and (count is None or count >= 2 * _BLOCK):
                emit_remark(loop, self.name, f"tested {_BLOCK} elements at a time")
                _skip_blocks(loop, updates, self.register_bits)


@dataclass(frozen=True)
class _Updates:
    """When an iteration changes something: one of some values is true, or false."""

    conditions: dict[SSAValue, bool]
    loads: Sequence[ocl.LoadOp]
    steps: Sequence[Operation]
    """What computes the conditions from the loads."""


def _updates_of(loop: scf.ForOp) -> _Updates | None:
    body = loop.body.block
    _, *carried = body.args
    if not carried or constant_value(loop.step) != 1:
        return None
    conditions: dict[SSAValue, bool] = {}
    for op in body.ops:
        if isinstance(op, scf.IfOp):
            idle = [when for _, when in _idle_branches(op)]
            if not idle or len(idle) == 1 and conditions.setdefault(op.cond, idle[0]) != idle[0]:
                return None
        elif isinstance(op, ocl.LoadOp):
            if op.volatile is not None:
                return None
        elif not isinstance(op, scf.YieldOp) and (op.regions or not is_side_effect_free(op)):
            return None
    for arg, following in zip(carried, terminator(body).operands, strict=True):
        found = _conditions_of_change(arg, following, loop)
        if found is None or any(conditions.get(c, when) != when for c, when in found.items()):
            return None
        conditions.update(found)
    steps = computed_in(list(conditions), loop)
    if steps is None or not all(_depends_on(c, carried, loop) for c in conditions):
        return None
    used = [value.owner for op in steps for value in op.operands] + [c.owner for c in conditions]
    loads = [op for op in body.ops if isinstance(op, ocl.LoadOp) and op in used]
    if not conditions or not loads or not all(is_row(op, loop) for op in loads):
        return None
    return _Updates(conditions, loads, steps)


def _idle_branches(op: scf.IfOp) -> list[tuple[Region, bool]]:
    """The branches that only yield, and the condition of the other one."""
    branches = ((op.false_region, True), (op.true_region, False))
    return [(r, when) for r, when in branches if not r.blocks or len(r.block.ops) == 1]


def _conditions_of_change(
    arg: SSAValue, value: SSAValue, loop: scf.ForOp
) -> dict[SSAValue, bool] | None:
    """The conditions without which `value` is what is carried; None if there are none."""
    if value is arg:
        return {}
    op = value.owner
    if not isinstance(op, Operation) or op.parent is not loop.body.block:
        return None
    match op:
        case arith.SelectOp(cond=condition, lhs=x, rhs=y):
            ways = [(y, True), (x, False)]
        case scf.IfOp(cond=condition):
            number = op.results.index(value)
            ways = [(terminator(r.block).operands[number], when) for r, when in _idle_branches(op)]
        case _:
            return None
    for other, when in ways:
        found = _conditions_of_change(arg, other, loop)
        if found is not None and found.get(condition, when) == when:
            return {condition: when} | found
    return None


def _depends_on(value: SSAValue, carried: Sequence[SSAValue], loop: scf.ForOp) -> bool:
    steps = computed_in([value], loop)
    return steps is not None and any(v in carried for op in steps for v in op.operands)


def _skip_blocks(loop: scf.ForOp, updates: _Updates, register_bits: int) -> None:
    before, end = whole_rows(loop, _BLOCK)
    type = loop.lb.type
    block = Block(arg_types=[type, *(value.type for value in loop.iter_args)])
    build = Build(loop, block)
    counter, *carried = block.args
    widest = max(width_of(op.result.type) for op in updates.loads)
    lanes = min(16, register_bits // widest)
    masks: list[SSAValue] = []
    for number in range(0, _BLOCK, lanes):
        first = build.add(counter, build.constant(number, type)) if number else counter
        rows = LoopRows(loop, lanes, build, first)
        # What is carried into a block is that of all its iterations, if none changes it.
        rows.scalars.update(zip(loop.body.block.args[1:], carried, strict=True))
        for load in updates.loads:
            rows.load(load)
        for op in updates.steps:
            rows.compute(op)
        for condition, when in updates.conditions.items():
            mask = rows.vector(condition)
            masks.append(mask if when else build.not_(mask))
    changes = build.emit(wg.AnyLaneOp(reduce(build.or_, masks)))

    def one_by_one() -> Sequence[SSAValue]:
        steps = loop.clone()
        following = build.add(counter, build.constant(_BLOCK, type))
        steps.operands = [counter, following, loop.step, *carried]
        return build.emit_all(steps)

    build.emit_void(scf.YieldOp(*build.choose(changes, one_by_one, lambda: carried)))
    blocks = scf.ForOp(loop.lb, end, before.constant(_BLOCK, type), list(loop.iter_args), block)
    before.emit_void(blocks)
    erase_unused(blocks.body)
    loop.operands = [end, loop.ub, loop.step, *blocks.results]
