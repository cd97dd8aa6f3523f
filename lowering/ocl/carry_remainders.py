"""`carry-remainders`: `(a + k) % n` in a loop that moves `k` is carried, without a division; so is
`k = (k + 1) % n`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType, ModuleOp, UnitAttr
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.integers import signed
from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.parents import owner_of
from polycl.dialects.vec import width_of
from polycl.dialects.wg.attributes import LIKELY
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import carry_also, hoisted, is_hoistable
from polycl.remarks import emit_remark

_Loop = scf.ForOp | scf.WhileOp
_Rest = arith.RemSIOp | arith.RemUIOp

FEWEST = 3
"""Iterations of a loop that pay for what is computed before it."""

DEEPEST = 8
"""Operations one after the other that may lead from the counter to the dividend."""


@dataclass(frozen=True)
class CarryRemaindersPass(ModulePass):
    """Carry the remainder of a number that a loop moves by a constant.

    ```
                                                 %r0 = arith.remui %a, %n
    scf.for %k = %c0 to %m step %c1 {            scf.for %k = ... iter_args(%r = %r0) {
      %x = arith.addi %a, %k                ->
      %r = arith.remui %x, %n                      ... of %r
      ...                                          %next = arith.addi %r, %c1
    }                                              %is_n = arith.cmpi eq, %next, %n
                                                   scf.yield (arith.select %is_n, %c0, %next)
                                                 }
    ```

    Where the number is negative or has wrapped, a branch that is hardly ever taken divides: it is
    exact for all numbers. The divisor is not known to the compiler, as products divide by
    constants; the loop has no division of the same numbers, whose remainder is free; and each
    iteration computes the remainder, but for a test that ends the loop before.
    """

    name = "carry-remainders"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # The innermost first: what moves in a loop around it does not move there.
        for loop in reversed(operations_of(op, scf.ForOp, scf.WhileOp)):
            current: _Loop = loop
            found = _next_remainder(current)
            while found is not None:
                emit_remark(found.op, self.name, "a remainder is carried")
                current = _carry(current, found)
                found = _next_remainder(current)
            for rest, step, name in list(_ring_steps(current)):
                emit_remark(rest, self.name, "a remainder moves without a division")
                next = _next(Build(rest), rest, step, name, name, may_be_more=True)
                Rewriter.replace_op(rest, [], next[1:])


@dataclass(frozen=True)
class _Counter:
    """What a loop moves by a constant: where it begins, and what it is in each block."""

    start: SSAValue
    names: Sequence[BlockArgument]
    step: int

    def name_in(self, block: Block) -> SSAValue:
        return next(name for name in self.names if name.owner is block)


@dataclass(frozen=True)
class _Remainder:
    op: _Rest
    block: Block
    """Of the loop: the remainder is one of its operations, or inside of one where it is a test."""
    counter: _Counter
    step: int
    """By which the dividend moves."""


def _blocks(loop: _Loop) -> Sequence[Block]:
    return [region.block for region in loop.regions]


def _ring_steps(loop: _Loop) -> Iterator[tuple[_Rest, int, SSAValue]]:
    """The remainders that a loop moves itself: `r = (r + 1) % n`."""
    if isinstance(loop, scf.WhileOp) and not passes_all_on(loop):
        return
    block = loop.regions[-1].block
    moved = terminator(block).operands
    for name, next in zip(block.args[len(block.args) - len(moved) :], moved, strict=True):
        op = next.owner
        if isinstance(op, _Rest) and _may_be_carried(op, loop):
            step = _constant_step(op.lhs, name)
            if abs(step) in range(1, 1 << width_of(name.type) - 1):
                yield op, step, name


def _constant_step(next: SSAValue, name: SSAValue) -> int:
    """What is added to a number; 0 if that is not known."""
    match next.owner:
        case arith.AddiOp(lhs=lhs, rhs=rhs) if lhs is name:
            return constant_value(rhs) or 0
        case arith.SubiOp(lhs=lhs, rhs=rhs) if lhs is name:
            return -(constant_value(rhs) or 0)
        case _:
            return 0


def _counters(loop: _Loop) -> Iterator[_Counter]:
    if isinstance(loop, scf.ForOp):
        if step := constant_value(loop.step):
            yield _Counter(loop.lb, loop.body.block.args[:1], step)
    elif passes_all_on(loop):
        before, after = _blocks(loop)
        moved = terminator(after).operands
        for start, *names, next in zip(loop.operands, before.args, after.args, moved, strict=True):
            if step := _constant_step(next, names[1]):
                yield _Counter(start, names, step)


def _next_remainder(loop: _Loop) -> _Remainder | None:
    count = trip_count(loop) if isinstance(loop, scf.ForOp) else None
    if count is not None and count < FEWEST:
        return None
    candidates = [
        (op, block)
        for block in _blocks(loop)
        for op in (block.ops if block is loop.regions[-1].block else operations_in(block))
        if isinstance(op, _Rest) and _may_be_carried(op, loop)
    ]
    for counter in _counters(loop) if candidates else ():
        for op, block in candidates:
            name = counter.name_in(block)
            factor = _factor(op.lhs, name, loop, DEEPEST)
            step = signed((factor or 0) * counter.step, op.result.type)
            fits = 0 < abs(step) < 1 << width_of(op.result.type) - 1
            if fits and is_hoistable(op.lhs, loop, [name]):
                return _Remainder(op, block, counter, step)
    return None


def _may_be_carried(op: _Rest, loop: _Loop) -> bool:
    if not isinstance(op.result.type, IntegerType):
        return False
    if constant_value(op.rhs) is not None or loop.is_ancestor(op.rhs.owner):
        return False
    return not any(
        isinstance(use.operation, arith.DivSIOp | arith.DivUIOp) and use.operation.rhs is op.rhs
        for use in op.lhs.uses
    )


def _factor(value: SSAValue, counter: SSAValue, loop: _Loop, depth: int) -> int | None:
    """By how much a number moves if the counter moves by 1, in the bits that it has; None if not by
    a constant. What the loop does not change moves by 0."""
    if value is counter:
        return 1
    if is_hoistable(value, loop):
        return 0
    if not depth:
        return None
    match value.owner:
        case arith.AddiOp(lhs=x, rhs=y) | arith.SubiOp(lhs=x, rhs=y):
            first, second = (_factor(each, counter, loop, depth - 1) for each in (x, y))
            if first is None or second is None:
                return None
            return first + second if isinstance(value.owner, arith.AddiOp) else first - second
        case arith.MuliOp(lhs=x, rhs=y):
            for number, times in ((x, constant_value(y)), (y, constant_value(x))):
                factor = None if times is None else _factor(number, counter, loop, depth - 1)
                if times is not None and factor is not None:
                    return factor * times
        case arith.TruncIOp(input=x):
            return _factor(x, counter, loop, depth - 1)
        case arith.IndexCastOp(input=x) if isinstance(value.type, IntegerType):
            return _factor(x, counter, loop, depth - 1)
        case ocl.BitcastOp(source=x) if x.type == value.type:
            return _factor(x, counter, loop, depth - 1)
        case _:
            pass
    return None


def _carry(loop: _Loop, found: _Remainder) -> _Loop:
    """The loop, which carries the dividend and its remainder."""
    op, step = found.op, found.step
    before, divisor = Build(op, InsertPoint.before(loop)), op.rhs
    name = found.counter.name_in(found.block)
    number = hoisted(op.lhs, loop, {name: found.counter.start})
    starts = [number, before.alike(op.__class__, number, divisor)]
    carried = {
        block: [block.insert_arg(start.type, len(block.args)) for start in starts]
        for block in _blocks(loop)
    }
    last = loop.regions[-1].block
    number, rest = carried[last]
    next = _next(Build(op, InsertPoint.before(terminator(last))), op, step, number, rest)
    Rewriter.replace_op(op, [], carried[found.block][1:])
    if isinstance(loop, scf.WhileOp):
        condition = condition_of(loop)
        condition.operands = [*condition.operands, *carried[loop.before_region.block]]
    terminator(last).operands = [*terminator(last).operands, *next]
    return carry_also(loop, starts)


def _next(
    build: Build,
    op: _Rest,
    step: int,
    number: SSAValue,
    rest: SSAValue,
    *,
    may_be_more: bool = False,
) -> Sequence[SSAValue]:
    """The next dividend and its remainder; `rest` may be anything at first, if it is the number."""
    type = number.type
    # What depends on the divisor only.
    once = Build.after(op.rhs)
    size = op.rhs
    if isinstance(op, arith.RemSIOp):
        size = once.select(once.is_negative(size), once.sub(once.constant(0, type), size), size)
    # Of a division by zero any result will do, but it does not trap.
    safe = once.max(size, once.constant(1, type), signed=False)
    up = down = once.alike(arith.RemUIOp, once.constant(abs(step), type), safe)
    if step > 0:
        down = once.sub(size, up)
    else:
        up = once.sub(size, down)
    number = build.add(number, build.constant(step, type))
    is_less = build.compare("ult", rest, down)
    moved = build.select(is_less, build.add(rest, up), build.sub(rest, down))
    # This number and the one before are not negative, and nothing has wrapped.
    least, most = 0, (1 << width_of(type) - isinstance(op, arith.RemSIOp)) - 1
    if step > 0:
        least = step
    else:
        most += step
    place = build.sub(number, build.constant(least, type)) if least else number
    is_known = build.compare("ule", place, build.constant(most - least, type))
    if may_be_more:
        is_known = build.and_(is_known, build.compare("ult", rest, size))
    (rest,) = build.choose(
        is_known, lambda: [moved], lambda: [build.alike(op.__class__, number, op.rhs)]
    )
    owner_of(rest).attributes[LIKELY] = UnitAttr()
    return number, rest
