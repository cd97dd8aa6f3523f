"""How often a `while` loop runs that a number or a pointer it moves by constants ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Block, SSAValue

from polycl.analysis.ocl.cut_sums import LARGEST_FACTOR, LARGEST_NUMBER, may_wrap
from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.of_arguments import IDS, is_of_arguments, is_size
from polycl.analysis.ocl.terminators import condition_of, passes_all_on, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.wg.wrapping_loops import WrappingLoop
from polycl.dialects import ocl
from polycl.dialects.comparisons import MIRRORED, OPPOSITES, predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.vec import width_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted, is_hoistable, negated
from polycl.lowering.ocl.simplify_breaks import ends_loop

_COUNTED = (IntegerType(32), IntegerType(64))

MOST = 1 << 62
"""Iterations, of which another test ends loops with more."""

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
    """Before the loop, or in it, computed of what the first test sees."""
    ahead: int
    """How far the number that is tested first is from that at the start."""
    step: int
    predicate: str
    bound: SSAValue
    is_tested_first: bool
    size: SSAValue | None = None
    """By which `step`, 1 or -1, is multiplied: a size of the launch, or what the loop does not
    change, which is positive where the loop ends."""
    length: SSAValue | None = None
    """The number of iterations, where it is known otherwise."""


def turns_of(loop: scf.WhileOp, iteration: Iteration) -> Sequence[Turns]:
    """How often a loop runs by each of its tests, if that is known before it, else nothing."""
    tests = conjuncts(iteration.test) if iteration.goes_on else [iteration.test]
    ranges: dict[SSAValue, range] = {}
    found = {test: turns for test in tests if (turns := _turns(test, loop, iteration, ranges))}
    # Sums with counters between constants do not wrap.
    for test in tests:
        if test not in found and (turns := _turns(test, loop, iteration, ranges)):
            found[test] = turns
    turns = list(found.values())
    if len(turns) < len(tests):
        return []
    if len(turns) > 1 and any(not _is_one_of_several(each) for each in turns):
        return []
    return turns


def _is_one_of_several(turns: Turns) -> bool:
    return turns.size is None and is_certain(turns) and not _may_never_end(turns)


def _may_never_end(turns: Turns) -> bool:
    """Whether a test may hold whatever is counted, so that only another one ends the loop: unsigned
    `i <= n` where `n` is the largest number, or `p != end` where a pointer moves away."""
    if isinstance(turns.start.type, ocl.PtrType):
        return turns.predicate == "ne"
    if turns.predicate not in ("ule", "uge"):
        return False
    bound, count = constant_value(turns.bound), 1 << width_of(turns.start.type)
    last = 0 if turns.predicate == "uge" else count - 1
    return bound is None or bound % count == last


def conjuncts(test: SSAValue) -> list[SSAValue]:
    """The tests that all hold where `test` does, in their order."""
    owner = test.owner
    if not isinstance(owner, arith.AndIOp):
        return [test]
    return list(dict.fromkeys((*conjuncts(owner.lhs), *conjuncts(owner.rhs))))


def _turns(
    value: SSAValue, loop: scf.WhileOp, iteration: Iteration, ranges: dict[SSAValue, range]
) -> Turns | None:
    """How often a loop runs by one test; between which constants a counter is goes to `ranges`."""
    test = value.owner
    if not isinstance(test, arith.CmpiOp):
        return None
    for moving, bound, mirrored in ((test.lhs, test.rhs, False), (test.rhs, test.lhs, True)):
        if not is_hoistable(bound, loop):
            continue
        predicate = predicate_of(test)
        predicate = predicate if iteration.goes_on else OPPOSITES[predicate]
        predicate = MIRRORED[predicate] if mirrored else predicate
        place, ahead = _place(_pointer(moving), loop, iteration)
        if place is None and (turns := _by_size(moving, bound, predicate, loop, iteration)):
            return turns
        if place is None:
            found = _of_sum(moving, loop, iteration, ranges)
            if found is None:
                continue
            first, step = moving, found
        else:
            _, step = _moved(iteration.end[place], [iteration.start[place]])
            first = loop.arguments[place]
        turns = Turns(first, ahead, step, predicate, bound, iteration.is_tested_first)
        if not _is_counted(turns):
            return None
        low, high = constant_value(first), constant_value(bound)
        if place is not None and ahead == 0 and low is not None and high is not None:
            if (high - low) * step >= 0:
                ranges[_starts(loop, iteration)[place]] = range(min(low, high), max(low, high) + 1)
        return turns
    return None


def _by_size(
    moving: SSAValue, bound: SSAValue, predicate: str, loop: scf.WhileOp, iteration: Iteration
) -> Turns | None:
    """Of a number, or a pointer, that each iteration moves by a size of the launch, or by a number
    that is computed from the kernel's arguments."""
    pointer, starts = _pointer(moving), list(_starts(loop, iteration))
    if not iteration.is_tested_first or pointer not in starts:
        return None
    place = starts.index(pointer)
    match iteration.end[place].owner:
        case ocl.OffsetOp(pointer=before, index=size) | arith.AddiOp(lhs=before, rhs=size):
            step = 1
        case arith.SubiOp(lhs=before, rhs=size):
            step = -1
        case _:
            return None
    if (less := negated(size)) is not None:
        size, step = less, -step
    if before is not iteration.start[place]:
        return None
    if not is_size(size) and WrappingLoop.of(loop) is not None:
        # `wg-split-borders` and `wg-split-rows` know what is left of a coordinate.
        return None
    if pointer is moving:
        is_signed = predicate[0] == "s" and moving.type in _COUNTED
        if not (is_signed and is_size(size) or _may_be_tested(moving, bound, size)):
            return None
    elif not (is_size(size) or is_of_arguments(size)):
        return None
    turns = Turns(loop.arguments[place], 0, step, predicate, bound, True, size)
    return turns if predicate != "ne" and _is_counted(turns) else None


def _may_be_tested(moving: SSAValue, bound: SSAValue, size: SSAValue) -> bool:
    """Whether the group can ask if a number goes past the largest one."""
    if moving.type == IntegerType(32):
        return is_of_arguments(size) and is_of_arguments(bound)
    # Of 32 bits, it does so after 2^31 iterations, if at all.
    while isinstance(size.owner, arith.IndexCastOp) and size.owner.input.type != IntegerType(32):
        size = size.owner.input
    is_small = isinstance(size.owner, arith.ExtUIOp | arith.ExtSIOp | arith.IndexCastOp)
    return is_size(size) or is_small and is_of_arguments(size)


def is_certain(turns: Turns) -> bool:
    """Whether the step is known to be positive, and not to go past the largest number."""
    if isinstance(turns.start.type, ocl.PtrType):
        return True
    if turns.size is None:
        return abs(turns.step) == 1 or turns.predicate[0] != "u"
    is_wide = turns.start.type != IntegerType(32)
    if is_size(turns.size):
        return is_wide or turns.predicate[0] == "s"
    return is_wide and isinstance(turns.size.owner, arith.ExtUIOp)


def end_surely(turns: Turns, loop: scf.WhileOp) -> SSAValue:
    """Whether steps are positive, and none goes past the largest number, or the smallest one."""
    if turns.size is None:
        return _end_before_wrapping(turns, hoisted(turns.bound, loop), Build(loop))
    build, is_int = Build(loop), turns.start.type == IntegerType(32)
    # An index may have 32 bits.
    wide, is_signed = IntegerType(64), turns.predicate[0] == "s"
    step = build.resize(hoisted(turns.size, loop), 64, signed=is_signed)
    is_positive = build.compare("sgt", step, build.constant(0, wide))
    if not is_int:
        return is_positive
    bound = build.resize(hoisted(turns.bound, loop), 64, signed=is_signed)
    if turns.step > 0:
        most = build.constant((1 << 31 if is_signed else 1 << 32) - 1, wide)
        return build.and_(is_positive, build.compare("sle", build.add(bound, step), most))
    least = build.constant(-(1 << 31) if is_signed else 0, wide)
    return build.and_(is_positive, build.compare("sge", build.sub(bound, step), least))


def _end_before_wrapping(turns: Turns, bound: SSAValue, build: Build) -> SSAValue:
    """Whether constant steps of an unsigned number meet its bound before they wrap."""
    if turns.step < 0:
        return build.compare("uge", bound, build.constant(-turns.step, bound.type))
    return build.compare("ule", bound, build.constant(-1 - turns.step, bound.type))


def _starts(loop: scf.WhileOp, iteration: Iteration) -> Sequence[SSAValue]:
    """What a test sees of the values that are carried."""
    return loop.before_region.block.args if iteration.is_tested_first else iteration.start


def _of_sum(
    moving: SSAValue, loop: scf.WhileOp, iteration: Iteration, ranges: dict[SSAValue, range]
) -> int | None:
    """By how much an iteration moves a sum of a carried value, times a number, and fixed ones."""
    starts = _starts(loop, iteration)
    if not iteration.is_tested_first or not is_hoistable(moving, loop, starts):
        return None
    cut = moving.owner if isinstance(moving.owner, arith.TruncIOp) else None
    if cut is not None and may_wrap(cut):
        return None
    sum = linear(moving if cut is None else cut.input, ranges)
    carried = [value for value in sum.factors if value in starts]
    if len(carried) != 1 or not all(is_hoistable(v, loop) for v in sum.atoms - set(carried)):
        return None
    place = list(starts).index(carried[0])
    arg, step = _moved(iteration.end[place], [iteration.start[place]])
    return None if arg is None else step * sum.factors[carried[0]]


def _place(moving: SSAValue, loop: scf.WhileOp, iteration: Iteration) -> tuple[int | None, int]:
    """Which carried value is `moving` but for a number, and that number."""
    starts = _starts(loop, iteration)
    arg, ahead = _moved(moving, starts)
    place = None if arg is None else list(starts).index(arg)
    if place is None or _moved(iteration.end[place], [iteration.start[place]])[0] is None:
        return None, 0
    return place, ahead


def moved(end: SSAValue, start: SSAValue) -> int | None:
    """By which constant an iteration moves what it carries."""
    arg, step = _moved(end, [start])
    return None if arg is None else step


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
    as signed do, in large steps. Other unsigned ones may wrap (`end_surely`)."""
    is_pointer = isinstance(turns.start.type, ocl.PtrType)
    if is_pointer != isinstance(turns.bound.owner, ocl.PtrToIntOp):
        return False
    if not is_pointer and turns.start.type not in _COUNTED:
        return False
    is_unit, order = abs(turns.step) == 1, turns.predicate
    if order == "ne":
        return is_unit
    if turns.step == 0 or (order[1:] in ("lt", "le")) != (turns.step > 0) or order == "eq":
        return False
    if not order.startswith("u"):
        return not is_pointer and abs(turns.step) <= LARGEST_STEP
    if is_unit or is_pointer:
        # A bound of 2**64 - 1 may be included.
        return is_pointer or order[2] == "t" or turns.start.type == IntegerType(32)
    # Whether the steps go past the largest number is tested.
    return order[2] == "t" and abs(turns.step) <= LARGEST_STEP and is_of_arguments(turns.bound)


def computed_before(turns: Turns, loop: scf.WhileOp) -> Turns:
    """The same with numbers that are computed before the loop."""
    carried = zip(loop.before_region.block.args, loop.arguments, strict=True)
    known: dict[SSAValue, SSAValue] = dict(carried)
    start, bound = hoisted(turns.start, loop, known), hoisted(turns.bound, loop)
    size, build = turns.size, Build(loop)
    if size is not None:
        is_signed = turns.predicate[0] == "s" or start.type != IntegerType(32)
        fixed = index_of(build, hoisted(size, loop), is_signed)
        size = fixed if is_size(size) else _at_least(build, fixed, 1)
    return replace(turns, start=start, bound=bound, size=size)


def count(turns: Turns, build: Build, unit: int = 1) -> SSAValue:
    """The number of iterations, or to where a counter goes from 0 in steps of `unit`, or of a size
    of the launch; it is negative where there is no iteration."""
    if turns.length is not None:
        return turns.length
    measure = _elements if isinstance(turns.start.type, ocl.PtrType) else _numbers
    left = measure(turns, turns.bound, build)
    if turns.predicate in ("sle", "sge", "ule", "uge"):
        left = _plus(build, left, 1)
    if (step := abs(turns.step)) > unit:
        left = _at_least(build, _plus(build, left, step - 1), 0)
        left = _divided(build, left, step)
    return left if turns.is_tested_first else _at_least(build, _plus(build, left, unit), unit)


def goes_on(turns: Turns, count: SSAValue, build: Build, at: Build, number: SSAValue) -> SSAValue:
    """Whether an iteration runs, by its number, however large that is.

    Numbers are compared rather than counts: passes know for which ids that holds. What is the same
    in all iterations is computed by `build`.
    """
    first, bound = turns.start, turns.bound
    is_signed, is_int = turns.predicate[0] == "s", first.type == IntegerType(32)
    is_near = is_int or turns.step > 0 and _is_sum_of_ids(first)
    if turns.predicate == "ne" or not is_near:
        return at.compare("slt", number, count)
    # What is tested first may have wrapped; what follows it does not before the loop ends.
    first = _plus(build, first, turns.ahead)
    first, bound = (index_of(build, value, is_signed) for value in (first, bound))
    if turns.step != 1:
        number = at.mul(number, at.index(turns.step))
    moved = at.add(first, number)
    # Numbers of 32 bits are extended.
    predicate = "s" + turns.predicate[1:] if is_int else turns.predicate
    return at.compare(predicate, moved, bound)


def _is_sum_of_ids(value: SSAValue) -> bool:
    """Whether a number is far from the largest one, and not negative."""
    sum = linear(value)
    return (
        value.type == IntegerType(64)
        and 0 <= sum.number <= LARGEST_NUMBER
        and all(0 < factor <= LARGEST_FACTOR for factor in sum.factors.values())
        and all(isinstance(atom.owner, IDS) for atom in sum.factors)
    )


def _numbers(turns: Turns, bound: SSAValue, build: Build) -> SSAValue:
    """From the number that is tested first to the bound."""
    type, is_signed = turns.start.type, turns.predicate.startswith("s")
    first = _plus(build, turns.start, turns.ahead)
    low, high = (first, bound) if turns.step > 0 else (bound, first)
    distance = (linear(high) - linear(low)).constant
    if distance is not None and not turns.predicate.startswith("u"):
        is_exact = turns.predicate == "ne"
        return build.index(min(distance % (1 << width_of(type)), MOST) if is_exact else distance)
    if turns.predicate == "ne":
        return _most(build, index_of(build, _minus(build, high, low), False), type)
    if type == IntegerType(32):
        return _minus(build, index_of(build, high, is_signed), index_of(build, low, is_signed))
    if turns.step > 0 and _is_sum_of_ids(first):
        # A bound between -1 and MOST: the difference grows by a number between work-items.
        if is_signed:
            near = build.max(high, build.constant(-1, type), signed=True)
        else:
            near = build.min(high, build.constant(MOST, type), signed=False)
        return _minus(build, build.as_index(near), build.as_index(low))
    # The difference of 64-bit numbers may be any number; one less than none, which may be included.
    is_left = build.compare("sle" if is_signed else "ule", low, high)
    left = _most(build, _minus(build, high, low), type)
    return build.as_index(build.select(is_left, left, build.constant(-1, type)))


def _most(build: Build, left: SSAValue, type: Attribute) -> SSAValue:
    """An unsigned number of iterations, as a signed one: another test ends loops of so many."""
    if type == IntegerType(32) or constant_value(left) is not None:
        return left
    return build.min(left, build.constant(MOST, left.type), signed=False)


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
