"""How often a `while` loop runs that a number or a pointer it moves by constants ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, SSAValue

from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.comparisons import MIRRORED, OPPOSITES, predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.vec import width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted, is_hoistable
from polycl.lowering.ocl.simplify_breaks import ends_loop

LARGEST_STEP = 1 << 16
"""Of a loop that is counted: unsigned numbers may go past the largest one in few iterations."""


@dataclass(frozen=True)
class Iteration:
    """What a loop does in an iteration, wherever it is tested."""

    body: Block
    """Its operations, and one that ends it."""
    start: Sequence[SSAValue]
    """What is carried, at the start of an iteration."""
    end: Sequence[SSAValue]
    """The same at its end."""
    results: Sequence[int]
    """Which of these each result of the loop is."""
    test: SSAValue
    goes_on: bool
    """Whether the loop goes on, or ends, where `test` holds."""
    is_tested_first: bool


def iteration_of(loop: scf.WhileOp) -> Iteration | None:
    """Its iteration; None where operations are before and after the test."""
    before, after = loop.before_region.block, loop.after_region.block
    condition, end = condition_of(loop), terminator(after)
    if len(after.ops) == 1:
        return _tested_last(loop)
    harmless = (op is condition or is_side_effect_free(op) for op in before.ops)
    if not passes_all_on(loop) or not all(harmless):
        return None
    numbers = range(len(loop.results))
    for number, start in enumerate(loop.arguments):
        flag = before.args[number]
        if constant_value(start) == 0 and ends_loop(condition.condition, flag):
            if not isinstance(condition.condition.owner, arith.XOrIOp):
                return None
            test = _sets_flag(end.operands[number], after.args[number])
            if test is None:
                return None
            return Iteration(after, after.args, end.operands, numbers, test, False, False)
    test = condition.condition
    return Iteration(after, after.args, end.operands, numbers, test, True, True)


def _tested_last(loop: scf.WhileOp) -> Iteration | None:
    """Of `do { ... } while (test)`: what follows the test only carries on."""
    before, after = loop.before_region.block, loop.after_region.block
    condition = condition_of(loop)
    places: list[int] = []
    for value in terminator(after).operands:
        if value.owner is not after:
            return None
        places.append(after.args.index(value))  # pyright: ignore[reportArgumentType]
    if any(result.first_use and result.index not in places for result in loop.results):
        return None
    results = [places.index(i) if i in places else 0 for i in range(len(loop.results))]
    end = [condition.args[place] for place in places]
    return Iteration(before, before.args, end, results, condition.condition, True, False)


def _sets_flag(value: SSAValue, flag: SSAValue) -> SSAValue | None:
    """What decides whether a flag that is not set is set at the end: `if (test) break;`."""
    owner = value.owner
    if isinstance(owner, arith.CmpiOp):
        return value
    if not isinstance(owner, scf.IfOp) or not owner.false_region.blocks:
        return None
    number = owner.results.index(value)  # pyright: ignore[reportArgumentType]
    taken = terminator(owner.true_region.block).operands[number]
    other = terminator(owner.false_region.block).operands[number]
    # A constant of one bit that holds is -1.
    is_set = constant_value(taken) in (1, -1)
    return owner.cond if is_set and (other is flag or constant_value(other) == 0) else None


@dataclass(frozen=True)
class Turns:
    """A loop goes on while `first`, plus `step` for each iteration before, is below `bound`, by
    `predicate`. Pointers move by elements."""

    start: SSAValue
    ahead: int
    """How far the number that is tested first is from that at the start."""
    step: int
    predicate: str
    bound: SSAValue
    is_tested_first: bool
    place: int
    """Which of the values that the loop carries is moved."""


def turns_of(loop: scf.WhileOp, iteration: Iteration) -> Turns | None:
    """How often a loop runs, if that is known before it."""
    test = iteration.test.owner
    if not isinstance(test, arith.CmpiOp):
        return None
    for moving, bound, mirrored in ((test.lhs, test.rhs, False), (test.rhs, test.lhs, True)):
        place, ahead = _place(_pointer(moving), loop, iteration)
        if place is None or not is_hoistable(bound, loop):
            continue
        _, step = _moved(iteration.end[place], [iteration.start[place]])
        predicate = predicate_of(test)
        predicate = predicate if iteration.goes_on else OPPOSITES[predicate]
        predicate = MIRRORED[predicate] if mirrored else predicate
        start = loop.arguments[place]
        found = Turns(start, ahead, step, predicate, bound, iteration.is_tested_first, place)
        return found if _is_counted(found) else None
    return None


def _place(moving: SSAValue, loop: scf.WhileOp, iteration: Iteration) -> tuple[int | None, int]:
    """Which carried value is `moving` but for a number, and that number."""
    starts = loop.before_region.block.args if iteration.is_tested_first else iteration.start
    arg, ahead = _moved(moving, starts)
    place = None if arg is None else list(starts).index(arg)
    if place is None or _moved(iteration.end[place], [iteration.start[place]])[0] is None:
        return None, 0
    return place, ahead


def _moved(value: SSAValue, starts: Sequence[SSAValue]) -> tuple[SSAValue | None, int]:
    """The one of `starts` that constants are added to, and their sum."""
    total = 0
    while value not in starts:
        owner = value.owner
        match owner:
            case ocl.OffsetOp(pointer=before, index=amount):
                sign = 1
            case arith.AddiOp(lhs=before, rhs=amount):
                sign = 1
            case arith.SubiOp(lhs=before, rhs=amount):
                sign = -1
            case _:
                return None, 0
        number = constant_value(amount)
        if number is None:
            return None, 0
        value, total = before, total + sign * number
    return value, total


def _pointer(value: SSAValue) -> SSAValue:
    """The pointer whose address `value` is, or `value`."""
    return value.owner.pointer if isinstance(value.owner, ocl.PtrToIntOp) else value


def _is_counted(turns: Turns) -> bool:
    """Whether arithmetic of the width of addresses has the number of iterations: steps of 1 meet
    any bound. Signed numbers, and pointers, do not overflow in C; unsigned ones that are compared
    as signed do, in large steps."""
    is_pointer = isinstance(turns.start.type, ocl.PtrType)
    if is_pointer != isinstance(turns.bound.owner, ocl.PtrToIntOp):
        return False
    if not is_pointer and turns.start.type not in (IntegerType(32), IntegerType(64)):
        return False
    is_unit, order = abs(turns.step) == 1, turns.predicate
    if order == "ne":
        return is_unit
    if turns.step == 0 or (order[1:] in ("lt", "le")) != (turns.step > 0) or order == "eq":
        return False
    if not order.startswith("u"):
        return not is_pointer and abs(turns.step) <= LARGEST_STEP
    # A bound of 2**64 - 1 may be included.
    return is_pointer or is_unit and (order[2] == "t" or turns.start.type == IntegerType(32))


def count(turns: Turns, loop: scf.WhileOp) -> SSAValue:
    """The number of iterations, computed before the loop; it is negative where there is none."""
    build = Build(loop)
    measure = _elements if isinstance(turns.start.type, ocl.PtrType) else _numbers
    left = measure(turns, hoisted(turns.bound, loop), build)
    if turns.predicate in ("sle", "sge", "ule", "uge"):
        left = _plus(build, left, 1)
    if (step := abs(turns.step)) > 1:
        left = _at_least(build, _plus(build, left, step - 1), 0)
        left = _divided(build, left, step)
    return left if turns.is_tested_first else _at_least(build, _plus(build, left, 1), 1)


def _numbers(turns: Turns, bound: SSAValue, build: Build) -> SSAValue:
    """From the number that is tested first to the bound."""
    type, is_signed = turns.start.type, turns.predicate.startswith("s")
    first = _plus(build, turns.start, turns.ahead)
    low, high = (first, bound) if turns.step > 0 else (bound, first)
    if turns.predicate == "ne":
        return index_of(build, _minus(build, high, low), False)
    if type == IntegerType(32):
        return _minus(build, index_of(build, high, is_signed), index_of(build, low, is_signed))
    # The difference of 64-bit numbers may be any number; one less than none, which may be included.
    is_left = build.compare("sle" if is_signed else "ule", low, high)
    left = build.select(is_left, _minus(build, high, low), build.constant(-1, type))
    return build.as_index(left)


def _elements(turns: Turns, bound: SSAValue, build: Build) -> SSAValue:
    """From the element that is tested first to that of the bound, or past a bound in an element."""
    assert isinstance(bound.owner, ocl.PtrToIntOp)
    assert isinstance(turns.start.type, ocl.PtrType)
    low, high = turns.start, bound.owner.pointer
    ahead = turns.ahead if turns.step > 0 else -turns.ahead
    (low_root, behind), (high_root, before) = _root(low), _root(high)
    if low_root is high_root:
        for step in list(behind):
            if step in before:
                behind.remove(step)
                before.remove(step)
        left = build.index(0)
        for step in before:
            left = _sum(build, left, step)
        for step in behind:
            left = _minus(build, left, step)
        if turns.step < 0:
            left = _minus(build, build.index(0), left)
        return _plus(build, left, -ahead)
    ends = (high, low) if turns.step > 0 else (low, high)
    left = build.as_index(build.sub(*(build.emit(ocl.PtrToIntOp(end)) for end in ends)))
    size, is_in = stride_of(turns.start.type.pointee), turns.predicate in ("ule", "uge")
    left = _at_least(build, _plus(build, left, size - (not is_in) - ahead * size), 0)
    # `count` adds the element at the bound.
    return _plus(build, _divided(build, left, size), -is_in)


def _root(pointer: SSAValue) -> tuple[SSAValue, list[SSAValue]]:
    """What a pointer is offset from, and by what."""
    steps: list[SSAValue] = []
    while isinstance(pointer.owner, ocl.OffsetOp):
        steps.append(pointer.owner.index)
        pointer = pointer.owner.pointer
    return pointer, steps


# Arithmetic of which constants are known.


def index_of(build: Build, value: SSAValue, is_signed: bool) -> SSAValue:
    """An integer as an index."""
    number = constant_value(value)
    if number is None:
        return build.as_index(value) if is_signed else build.unsigned_index(value)
    return build.index(number if is_signed else number % (1 << width_of(value.type)))


def _plus(build: Build, value: SSAValue, number: int) -> SSAValue:
    known = constant_value(value)
    if known is not None:
        return build.constant(known + number, value.type) if number else value
    if isinstance(value.type, ocl.PtrType) or not number:
        return value
    if number < 0:
        return build.sub(value, build.constant(-number, value.type))
    return build.add(value, build.constant(number, value.type))


def _sum(build: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    known = constant_value(x)
    return build.add(x, y) if known is None else _plus(build, y, known)


def _minus(build: Build, x: SSAValue, y: SSAValue) -> SSAValue:
    known = constant_value(y)
    return build.sub(x, y) if known is None else _plus(build, x, -known)


def _at_least(build: Build, value: SSAValue, number: int) -> SSAValue:
    known = constant_value(value)
    if known is not None:
        return build.index(max(known, number))
    return build.max(value, build.index(number), signed=True)


def _divided(build: Build, value: SSAValue, number: int) -> SSAValue:
    known = constant_value(value)
    if known is not None:
        return build.index(known // number)
    return build.alike(arith.DivUIOp, value, build.index(number))
