"""Loops whose number of iterations is known, as counted ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.parents import owner_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.count_loops.turns import (
    Iteration,
    Turns,
    computed_before,
    count,
    goes_on,
    moved,
)
from polycl.lowering.ocl.moving import negated

FEW = 64
"""Iterations, so few that those which do not run are passed by."""


def run(loop: scf.WhileOp, iteration: Iteration, turns: Sequence[Turns]) -> None:
    """Run the iterations of a loop as often as all its tests say. `index-by-counter` finds what
    moves in them.

    Where one test allows a few, and others end the loop at a bound of ids, each iteration is
    guarded: the loop is the same for all work-items.
    """
    size = turns[0].size
    build, turns = Build(loop), [computed_before(each, loop) for each in turns]
    step = _step_of_all(iteration, turns)
    counts = [count(each, build, step) for each in turns]
    least = reduce(partial(build.min, signed=True), counts)
    known = [number for each in counts if (number := constant_value(each)) is not None]
    ends = [pair for pair in zip(turns, counts, strict=True) if constant_value(pair[1]) is None]
    is_few = bool(ends and known) and min(known) <= FEW
    is_guarded = is_few and iteration.is_tested_first and _are_of_ids(ends)
    total = build.index(min(known)) if is_guarded else least
    starts = loop.arguments
    body = Block(arg_types=[IndexType(), *(value.type for value in starts)])
    number, *carried = body.args
    for new, arg in zip(carried, iteration.body.args, strict=True):
        new.name_hint = arg.name_hint
    unit = turns[0].size or build.index(step)
    if size is not None:
        for value in iteration.end:
            _move_by(value, size, unit)
    counted = scf.ForOp(build.index(0), total, unit, starts, Region(body))
    counted.attributes = dict(loop.attributes)
    build.emit_void(counted)
    inside, end = Build(counted, body), terminator(iteration.body)
    if not is_guarded:
        Rewriter.replace_op(end, scf.YieldOp(*iteration.end))
        Rewriter.inline_block(iteration.body, InsertPoint.at_end(body), carried)
        Rewriter.replace_op(loop, [], [counted.results[i] for i in iteration.results])
        return
    outside = Build(counted)
    guard = reduce(inside.and_, [goes_on(*each, outside, inside, number) for each in ends])
    steps = [moved(*each) for each in zip(iteration.end, iteration.start, strict=True)]
    kept = [place for place, step in enumerate(steps) if step is None]
    then, orelse = Block(), Block()
    Rewriter.replace_op(end, scf.YieldOp(*(iteration.end[place] for place in kept)))
    Rewriter.inline_block(iteration.body, InsertPoint.at_end(then), carried)
    Build(counted, orelse).emit_void(scf.YieldOp(*(carried[place] for place in kept)))
    types = [carried[place].type for place in kept]
    branch = scf.IfOp(guard, types, Region(then), Region(orelse) if kept else None)
    inside.emit_void(branch)
    left = dict(zip(kept, branch.results, strict=True))
    # What moves by constants goes on: nobody reads it after the last iteration that runs.
    after: list[SSAValue] = list(carried)
    for place, step in enumerate(steps):
        if step is None:
            after[place] = left[place]
        elif step:
            after[place] = _plus(inside, carried[place], inside.index(step))
    inside.emit_void(scf.YieldOp(*after))
    build = Build(counted, InsertPoint.after(counted))
    results: list[SSAValue] = []
    for place, step in enumerate(steps):
        result: SSAValue = counted.results[place]
        if step and loop.results[place].first_use is not None:
            ran = build.max(least, build.index(0), signed=True)
            result = _plus(build, starts[place], build.mul(ran, build.index(step)))
        results.append(result)
    Rewriter.replace_op(loop, [], results)


def _step_of_all(iteration: Iteration, turns: Sequence[Turns]) -> int:
    """The steps in which a loop that one test ends counts, if all that it moves goes on in
    multiples of them: its elements are at their places in rows then. 1 otherwise."""
    step = abs(turns[0].step)
    if len(turns) > 1 or step <= 1:
        return 1
    for end, start in zip(iteration.end, iteration.start, strict=True):
        if isinstance(start.type, ocl.PtrType | IntegerType | IndexType):
            distance = moved(end, start)
            if distance is None or distance % step:
                return 1
    return step


def _move_by(end: SSAValue, size: SSAValue, unit: SSAValue) -> None:
    """Let an iteration move a value by the step of the counted loop, in the place of `size`."""
    op = end.owner
    if not isinstance(op, arith.AddiOp | arith.SubiOp | ocl.OffsetOp):
        return
    amount, build = op.operands[1], Build(op)
    if same_value(amount, size):
        op.operands[1] = build.index_cast(unit, amount.type)
    elif (less := negated(amount)) is not None and same_value(less, size):
        zero = build.constant(0, amount.type)
        op.operands[1] = build.sub(zero, build.index_cast(unit, amount.type))


def _are_of_ids(ends: Sequence[tuple[Turns, SSAValue]]) -> bool:
    """Whether loops end where ids reach a bound of the group: few of its work-items end early."""
    kernel = owner_of(ends[0][1])
    while not isinstance(kernel, ocl.KernelOp):
        parent = kernel.parent_op()
        if parent is None:
            return False
        kernel = parent
    facts = Uniformity(kernel)
    return any(not facts.is_uniform(turns.start) for turns, _ in ends) and all(
        facts.is_uniform(turns.bound)
        and all(isinstance(stride, int) for stride in facts.lanes(turns.start).strides)
        for turns, _ in ends
    )


def _plus(build: Build, value: SSAValue, amount: SSAValue) -> SSAValue:
    """A number, or a pointer, moved by so many elements."""
    if isinstance(value.type, ocl.PtrType):
        return build.emit(ocl.OffsetOp(value, amount))
    return build.add(value, build.index_cast(amount, value.type))
