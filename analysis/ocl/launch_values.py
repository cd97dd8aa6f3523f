"""What the numbers of one launch prove of a kernel's accesses.

The arguments, sizes and buffers of a launch are numbers, so that most integers of a kernel are sums
of ids, each times a number, and of a rest between two numbers. An access whose range is inside of
its object needs no check of its bounds in this launch. If all accesses to an object that several
work-items share go to parts that are different for each work-item, no two of them race on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from itertools import product as pairs_of
from typing import TypeAlias

import numpy as np
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.analysis.ocl.forward import ForwardAnalysis
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.parallel_regions import ops_around_barriers
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.comparisons import OPPOSITES, SWAPPED, predicate_of
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.layout import field_offset, stride_of
from polycl.dialects.ocl.memory import pointer_type

Size3: TypeAlias = tuple[int, int, int]
Range: TypeAlias = tuple[int, int]
"""The least and the largest number."""

GLOBAL, LOCAL, GROUP = range(0, 3), range(3, 6), range(6, 9)
"""The places of the ids of three dimensions among all."""
SHARED = range(9, 13)
"""The places of a few numbers that loops carry and that are the same for all work-items of a group:
their ranges are known, and what they are compared with."""
COUNTERS = range(13, 17)
"""The places of the iterations of a few other loops, counted from 0: of each work-item its own."""
_NO_IDS = (0,) * 17

_FEW = 12
"""Guards of which two together are tried."""

_MOST_DISTANCES = 1 << 20
"""Distances between work-items and iterations that are looked at one by one."""


@dataclass(frozen=True)
class Sum:
    """A number: each id times a factor, and a rest between `low` and `high`."""

    low: int
    high: int
    ids: tuple[int, ...] = _NO_IDS
    within: Range | None = None
    """A range of the whole that is known otherwise."""

    def __add__(self, other: Sum) -> Sum:
        ids = tuple(a + b for a, b in zip(self.ids, other.ids, strict=True))
        within: Range | None = None
        for sum, number in ((self, other.number), (other, self.number)):
            if sum.within is not None and number is not None:
                within = sum.within[0] + number, sum.within[1] + number
        return Sum(self.low + other.low, self.high + other.high, ids, within)

    def times(self, number: int) -> Sum:
        low, high = sorted((self.low * number, self.high * number))
        within: Range | None = None
        if self.within is not None:
            first, last = sorted(number * end for end in self.within)
            within = first, last
        return Sum(low, high, tuple(number * factor for factor in self.ids), within)

    @property
    def number(self) -> int | None:
        """Its value if it is one number."""
        return self.low if self.low == self.high and self.ids == _NO_IDS else None


Ranges: TypeAlias = tuple[Range, ...]
"""Of each id."""


def range_of(sum: Sum, ranges: Ranges) -> Range:
    low, high = sum.low, sum.high
    for factor, (first, last) in zip(sum.ids, ranges, strict=True):
        if factor:
            ends = factor * first, factor * last
            low, high = low + min(ends), high + max(ends)
    if sum.within is not None:
        first, last = max(low, sum.within[0]), min(high, sum.within[1])
        return (first, last) if first <= last else (low, high)
    return low, high


@dataclass(frozen=True)
class Part:
    """A part of an object that a work-item accesses."""

    place: Sum
    size: int
    ranges: Ranges
    """Of the ids that access one."""
    guards: tuple[Sum, ...]
    """Sums that are not positive for these."""
    rivals: frozenset[int]
    """The kinds of accesses that it may race with."""
    kind: int

    def may_race(self, other: Part) -> bool:
        return other.kind in self.rivals

    @property
    def range(self) -> Range:
        """The least and the largest place. Guards, times positive numbers, may be added where each
        takes an id away: the place is not less than the sum."""
        return self._range(self.place, self.guards, 2 if len(self.guards) <= _FEW else 1)

    def _range(self, place: Sum, guards: tuple[Sum, ...], most: int) -> Range:
        low, high = range_of(place, self.ranges)
        for number, guard in enumerate(guards[: len(guards) if most else 0]):
            others = (*guards[:number], *guards[number + 1 :])
            pairs = zip(place.ids, guard.ids, strict=True)
            for times in {
                own // other for own, other in pairs if own and other and own % other == 0
            }:
                moved = place + guard.times(-times)
                first, last = self._range(moved, others, most - 1)
                if times < 0:
                    low = max(low, first)
                else:
                    high = min(high, last)
        return low, high


@dataclass(frozen=True)
class LaunchNumbers:
    """What is known of a launch: sizes, and the arguments that are integers."""

    global_size: Size3
    local_size: Size3
    num_groups: Size3
    global_offset: Size3
    arguments: tuple[int | None, ...]
    """The value of each argument; of an array the number of its bytes; None: anything else."""


class LaunchValues(ForwardAnalysis[Sum | None]):
    """The numbers in a kernel, and the ranges of the ids at its operations `at`."""

    unknown = None

    def __init__(
        self, kernel: ocl.KernelLike, launch: LaunchNumbers, at: Callable[[Operation], bool]
    ):
        super().__init__()
        self._launch = launch
        self._at = at
        self._uniform = Uniformity(kernel)
        self._around_barriers = ops_around_barriers(kernel.body)
        self._shared: dict[SSAValue, int] = {}
        self._counters: dict[Operation, int] = {}
        self._shared_ranges: dict[int, Range] = {}
        self._guards: tuple[Sum, ...] = ()
        self.guards_at: dict[Operation, tuple[Sum, ...]] = {}
        """Sums that are not positive where operations run."""
        self.ranges_at: dict[Operation, Ranges] = {}
        """The ranges of the ids where operations run."""
        self.index_at: dict[Operation, Sum | None] = {}
        self._ranges: Ranges = tuple(
            (first, first + size - 1)
            for first, size in zip(
                (*launch.global_offset, 0, 0, 0, 0, 0, 0),
                (*launch.global_size, *launch.local_size, *launch.num_groups),
                strict=True,
            )
        ) + ((0, 0),) * (len(SHARED) + len(COUNTERS))
        for argument, value in zip(kernel.args, launch.arguments, strict=True):
            if isinstance(argument.type, ocl.PtrType):
                self.facts[argument] = Sum(0, 0)
            elif isinstance(argument.type, IntegerType) and value is not None:
                self.facts[argument] = _fitting(Sum(value, value), argument.type, self._ranges)
        self.visit_block(kernel.body.block)

    def visit(self, op: Operation) -> None:
        if self._at(op):
            self.ranges_at[op] = self._ranges
            self.guards_at[op] = self._guards
            index: SSAValue | None = getattr(op, "index", None)
            self.index_at[op] = None if index is None else self.of(index)
        if isinstance(op, scf.IfOp):
            self._visit_branch(op)
            return
        super().visit(op)

    def _visit_branch(self, op: scf.IfOp) -> None:
        ranges, guards = self._ranges, self._guards
        results: list[list[Sum | None]] = []
        for side, region in zip((True, False), op.regions, strict=True):
            outer: dict[SSAValue, Sum | None] = {}
            for left, predicate, right in _facts_of(op.cond, side):
                self._learn(left, predicate, right, outer)
            for block in region.blocks:
                self.visit_block(block)
                assert block.last_op is not None
                results.append([self.of(value) for value in block.last_op.operands])
            self._ranges, self._guards = self._with_new_shared(ranges), guards
            self.facts.update(outer)
        for place, result in enumerate(op.results):
            self.facts[result] = _hull(results[0][place], results[1][place], ranges)

    def _learn(
        self, left: SSAValue, predicate: str, right: SSAValue, outer: dict[SSAValue, Sum | None]
    ) -> None:
        """Use that `left predicate right` holds; `outer` keeps the facts that it replaces."""
        a, b = self.of(left), self.of(right)
        if a is None or b is None:
            return
        (low_a, _), (low_b, _) = range_of(a, self._ranges), range_of(b, self._ranges)
        if predicate[0] == "u":
            if low_b < 0:
                return
            if low_a < 0:
                # Below a number that is not negative: not negative either.
                self._at_most(a.times(-1))
        if predicate in ("slt", "ult"):
            self._at_most(a + b.times(-1) + Sum(1, 1))
        elif predicate in ("sle", "ule"):
            self._at_most(a + b.times(-1))
        elif predicate == "eq":
            self._at_most(a + b.times(-1))
            self._at_most(b + a.times(-1))
        elif predicate == "ne":
            # Next to an end of its range, it is on the other side.
            difference = a + b.times(-1)
            low, high = range_of(difference, self._ranges)
            if low == 0:
                self._at_most(difference.times(-1) + Sum(1, 1))
            if high == 0:
                self._at_most(difference + Sum(1, 1))
            return
        self._narrow(left, a, b, predicate, outer)
        self._narrow(right, b, a, "above" if predicate[1:] in ("lt", "le") else predicate, outer)

    def _narrow(
        self,
        value: SSAValue,
        own: Sum,
        other: Sum,
        predicate: str,
        outer: dict[SSAValue, Sum | None],
    ) -> None:
        """The range of a value without ids that is compared."""
        if own.ids != _NO_IDS:
            return
        low, high = own.low, own.high
        first, last = range_of(other, self._ranges)
        if predicate[1:] in ("lt", "le"):
            high = min(high, last - (predicate[1:] == "lt"))
            low = max(low, 0) if predicate[0] == "u" else low
        elif predicate == "above":
            low = max(low, first)
        elif predicate == "eq":
            low, high = max(low, first), min(high, last)
        if low <= high:
            outer.setdefault(value, self.facts.get(value))
            self.facts[value] = Sum(low, high)

    def _at_most(self, sum: Sum) -> None:
        """Narrow the ranges of ids since `sum` is not positive."""
        self._guards = (*self._guards, sum)
        for place, factor in enumerate(sum.ids):
            if not factor:
                continue
            others = Sum(
                sum.low, sum.high, tuple(0 if i == place else f for i, f in enumerate(sum.ids))
            )
            rest = -range_of(others, self._ranges)[0]
            first, last = self._ranges[place]
            if factor > 0:
                last = min(last, rest // factor)
            else:
                first = max(first, -(rest // -factor))
            # A side that no work-item takes: any range will do.
            new = (first, max(first, last))
            self._ranges = (*self._ranges[:place], new, *self._ranges[place + 1 :])

    def joined(self, a: Sum | None, b: Sum | None) -> Sum | None:
        return a if a == b else None

    def _loop(
        self, carried: Sequence[SSAValue], start: Sequence[SSAValue], blocks: Sequence[Block]
    ) -> None:
        """First try that what is carried stays between 0 and where it starts, or is the same."""
        self._forget(carried, blocks)
        ranges, facts = self._ranges, dict(self.facts)
        guesses: dict[SSAValue, Range] = {}
        counted = self._counted(carried, start, blocks[0])
        for argument, value in zip(carried, start, strict=True):
            known = None if argument in counted else self.of(value)
            if known is None or not isinstance(argument.type, IntegerType | IndexType):
                continue
            low, high = range_of(known, self._ranges)
            guesses[argument] = min(low, 0), max(high, 0)
        while guesses or counted:
            self.facts.update(counted)
            for argument, (low, high) in guesses.items():
                self.facts[argument] = self._guess(argument, low, high)
            others = [a for a in carried if a not in guesses and a not in counted]
            self.set_all(others, None)
            for block, next_block in zip(blocks, [*blocks[1:], None], strict=True):
                self.visit_block(block)
                if next_block is not None:
                    self._set_from(next_block.args, terminator(block).operands[1:])
            ends = zip(carried, terminator(blocks[-1]).operands, strict=True)
            wrong = [
                argument
                for argument, value in ends
                if argument in guesses and not self._is_within(value, guesses[argument])
            ]
            if not wrong:
                return
            for argument in wrong:
                del guesses[argument]
        self._ranges, self.facts = self._with_new_shared(ranges), facts
        super()._loop(carried, start, blocks)

    def _forget(self, carried: Sequence[SSAValue], blocks: Sequence[Block]) -> None:
        """A loop around this one may have been visited with guesses that were wrong."""
        for value in carried:
            self.facts.pop(value, None)
        for block in blocks:
            for op in operations_in(block):
                if not isinstance(op, arith.ConstantOp):
                    for result in op.results:
                        self.facts.pop(result, None)

    def _counted(
        self, carried: Sequence[SSAValue], start: Sequence[SSAValue], body: Block
    ) -> dict[SSAValue, Sum]:
        """What a loop moves by the same number in each iteration."""
        loop = body.parent_op()
        assert loop is not None
        place = self._counters.get(loop)
        found: dict[SSAValue, Sum] = {}
        for argument, first, next in zip(carried, start, terminator(body).operands, strict=False):
            begin, by = self.of(first), self._step(argument, next)
            if place is None or begin is None or by is None:
                continue
            sum = _fitting(begin + _id(place).times(by), argument.type, self._ranges)
            if sum is not None:
                found[argument] = sum
        return found

    def _step(self, argument: SSAValue, next: SSAValue) -> int | None:
        """The number that is added to a carried value in each iteration."""
        match next.owner:
            case arith.AddiOp(lhs=a, rhs=b) if argument in (a, b):
                by = self.of(b if a is argument else a)
                return None if by is None else by.number
            case arith.SubiOp(lhs=a, rhs=b) if a is argument:
                by = self.of(b)
                return None if by is None or by.number is None else -by.number
            case ocl.OffsetOp(pointer=a, index=b) if a is argument:
                by = self.of(b)
                if by is None or by.number is None:
                    return None
                return by.number * stride_of(pointer_type(argument).pointee)
            case _:
                return None

    def _leave(
        self, op: Operation, values: Sequence[SSAValue], decisions: Sequence[SSAValue]
    ) -> None:
        super()._leave(op, values, decisions)
        place = self._counters.get(op)
        if place is None or not isinstance(op, scf.ForOp):
            return
        # After the last iteration it has moved once more; without one, it has not moved.
        last = self._shared_ranges[place][1] + 1
        for result, value, start in zip(op.results, values, op.iter_args, strict=True):
            found, begin = self.facts.get(value), self.of(start)
            by = self._step(value, terminator(op.body.block).operands[result.index])
            if found is not None and begin is not None and by is not None and found.ids[place]:
                first = last if self._is_exact(op) else 0
                total = begin + Sum(min(by * first, by * last), max(by * first, by * last))
                self.facts[result] = _fitting(total, result.type, self._ranges)

    def _is_exact(self, loop: scf.ForOp) -> bool:
        """Whether the number of iterations is known, and not 0."""
        start, end = self.of(loop.lb), self.of(loop.ub)
        if start is None or end is None or start.number is None or end.number is None:
            return False
        return start.number < end.number

    def _guess(self, argument: SSAValue, low: int, high: int) -> Sum:
        """A carried value between two numbers: a shared one if all work-items have the same."""
        if not self._uniform.is_uniform(argument) or low == high:
            return Sum(low, high)
        if argument not in self._shared:
            taken = {*self._counters.values(), *self._shared.values()}
            free = [place for place in SHARED if place not in taken]
            if free:
                self._shared[argument] = free[0]
        place = self._shared.get(argument)
        if place is None:
            return Sum(low, high)
        self._shared_ranges[place] = low, high
        self._ranges = (*self._ranges[:place], (low, high), *self._ranges[place + 1 :])
        return _id(place)

    def _with_new_shared(self, ranges: Ranges) -> Ranges:
        """Ranges before a branch, and those of the shared numbers in it, which nothing but a loop
        there has."""
        return (
            *ranges[: SHARED[0]],
            *(self._shared_ranges.get(place, (0, 0)) for place in (*SHARED, *COUNTERS)),
        )

    def _is_within(self, value: SSAValue, allowed: Range) -> bool:
        found = self.of(value)
        if found is None:
            return False
        low, high = range_of(found, self._ranges)
        return allowed[0] <= low and high <= allowed[1]

    def decided(self, fact: Sum | None, by: Sequence[SSAValue]) -> Sum | None:
        if fact is not None and any(fact.ids[place] for place in (*SHARED, *COUNTERS)):
            # After the loop it is another number.
            return Sum(*range_of(fact, self._ranges))
        return fact

    def counter(self, loop: scf.ForOp) -> Sum | None:
        start, end, step = self.of(loop.lb), self.of(loop.ub), self.of(loop.step)
        if start is None or end is None or step is None or not step.low > 0:
            return None
        first = range_of(start, self._ranges)[0]
        last = range_of(end, self._ranges)[1] - 1
        last = max(first, last)
        argument = loop.body.block.args[0]
        number = step.number
        # Only in loops with barriers are all work-items in the same iteration.
        is_shared = loop in self._around_barriers and self._uniform.is_uniform(argument)
        if number is None:
            return Sum(first, last)
        if loop not in self._counters:
            places = SHARED if is_shared else COUNTERS
            taken = {*self._counters.values(), *self._shared.values()}
            free = [place for place in places if place not in taken]
            if not free:
                return Sum(first, last)
            self._counters[loop] = free[0]
        place = self._counters[loop]
        rounds = (last - first) // number
        self._shared_ranges[place] = 0, rounds
        self._ranges = (*self._ranges[:place], (0, rounds), *self._ranges[place + 1 :])
        return replace(start + _id(place).times(number), within=(first, last))

    def of_operation(self, op: Operation) -> Sum | None:
        if len(op.results) != 1:
            return None
        found = self._computed(op)
        type = op.results[0].type
        return None if found is None else _fitting(found, type, self._ranges)

    def _computed(self, op: Operation) -> Sum | None:
        launch = self._launch
        match op:
            case arith.ConstantOp():
                if not isinstance(op.value, IntegerAttr):
                    return None
                number = op.value.value.data
                return Sum(number, number)
            case ocl.GlobalIdOp():
                return _id(GLOBAL[op.dimension])
            case ocl.LocalIdOp():
                return _id(LOCAL[op.dimension])
            case ocl.GroupIdOp():
                return _id(GROUP[op.dimension])
            case ocl.GlobalSizeOp():
                return _number(launch.global_size[op.dimension])
            case ocl.LocalSizeOp() | ocl.EnqueuedLocalSizeOp():
                return _number(launch.local_size[op.dimension])
            case ocl.NumGroupsOp():
                return _number(launch.num_groups[op.dimension])
            case ocl.GlobalOffsetOp():
                return _number(launch.global_offset[op.dimension])
            case ocl.AllocaOp() | ocl.LocalAllocOp() | ocl.AddressOfOp():
                return Sum(0, 0)
            case ocl.CastOp():
                return self.of(op.pointer)
            case ocl.MemberOp():
                record = pointer_type(op.pointer).pointee
                assert isinstance(record, ocl.StructType | ocl.UnionType)
                at = field_offset(record, op.field.data)
                pointer = self.of(op.pointer)
                return None if pointer is None else pointer + Sum(at, at)
            case ocl.OffsetOp():
                pointer, index = self.of(op.pointer), self.of(op.index)
                if pointer is None or index is None:
                    return None
                return pointer + index.times(stride_of(pointer_type(op.pointer).pointee))
            case arith.SelectOp():
                return self._selected(op)
            case arith.ExtUIOp() | arith.ExtSIOp() | arith.TruncIOp() | arith.IndexCastOp():
                return self._cast(op)
            case _ if type(op) in _RULES and len(op.operands) == 2:
                a, b = map(self.of, op.operands)
                return _RULES[type(op)](a, b, self._ranges)
            case _:
                return None

    def _selected(self, op: arith.SelectOp) -> Sum | None:
        """Where a value is chosen, its range is smaller: `x > 0 ? x - 1 : 0` is not negative."""
        found = _hull(self.of(op.lhs), self.of(op.rhs), self._ranges)
        if found is None:
            return None
        ranges, guards = self._ranges, self._guards
        ends: list[int] = []
        for value, holds in ((op.lhs, True), (op.rhs, False)):
            outer: dict[SSAValue, Sum | None] = {}
            for left, predicate, right in _facts_of(op.cond, holds):
                self._learn(left, predicate, right, outer)
            sum = self.of(value)
            assert sum is not None
            ends += range_of(sum, self._ranges)
            self._ranges, self._guards = ranges, guards
            self.facts.update(outer)
        if found.ids == _NO_IDS:
            return Sum(max(found.low, min(ends)), min(found.high, max(ends)))
        return replace(found, within=(min(ends), max(ends)))

    def _cast(self, op: Operation) -> Sum | None:
        found = self.of(op.operands[0])
        width = bits_of(op.operands[0].type)
        if isinstance(op, arith.ExtUIOp):
            if found is not None and range_of(found, self._ranges)[0] >= 0:
                return found
            return Sum(0, (1 << width) - 1)
        if isinstance(op, arith.ExtSIOp) and found is None:
            return Sum(-(1 << (width - 1)), (1 << (width - 1)) - 1)
        return found


def _id(place: int) -> Sum:
    return Sum(0, 0, tuple(int(i == place) for i in range(len(_NO_IDS))))


def _number(number: int) -> Sum:
    return Sum(number, number)


def _fitting(sum: Sum, type: Attribute, ranges: Ranges) -> Sum | None:
    """None where the type cannot hold the number."""
    if isinstance(type, ocl.PtrType):
        return sum
    low, high = range_of(sum, ranges)
    half = 1 << (bits_of(type) - 1)
    return sum if -half <= low and high < max(half, 2) else None


def _hull(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    """What covers both."""
    if a is None or b is None:
        return None
    if a.ids == b.ids:
        return Sum(min(a.low, b.low), max(a.high, b.high), a.ids)
    ends = (*range_of(a, ranges), *range_of(b, ranges))
    return Sum(min(ends), max(ends))


Rule: TypeAlias = Callable[[Sum | None, Sum | None, Ranges], Sum | None]


def _total(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if a is None or b is None:
        return None
    (low_a, high_a), (low_b, high_b) = range_of(a, ranges), range_of(b, ranges)
    return _narrower(a + b, (low_a + low_b, high_a + high_b), ranges)


def _narrower(sum: Sum, known: Range, ranges: Ranges) -> Sum:
    """With a range of the whole, if it is a part of what follows from the ids."""
    low, high = range_of(sum, ranges)
    first, last = max(low, known[0]), min(high, known[1])
    return (
        replace(sum, within=(first, last)) if low < first <= last or first <= last < high else sum
    )


def _product(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if a is None or b is None:
        return None
    if b.number is not None:
        return a.times(b.number)
    if a.number is not None:
        return b.times(a.number)
    ends = [x * y for x, y in pairs_of(range_of(a, ranges), range_of(b, ranges))]
    return Sum(min(ends), max(ends))


def _remainder(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    """Signed; of numbers that are not negative the same as unsigned."""
    if b is None or b.number is None or b.number <= 0:
        return None
    by = b.number
    if a is None:
        return Sum(1 - by, by - 1)
    low, high = range_of(a, ranges)
    if low < 0:
        return Sum(1 - by, by - 1)
    return a if high < by else Sum(0, by - 1)


def _unsigned_remainder(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if b is None or b.number is None or b.number <= 0:
        return None
    if a is not None and range_of(a, ranges)[0] >= 0:
        return _remainder(a, b, ranges)
    return Sum(0, b.number - 1)


def _quotient(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if a is None or b is None or b.number is None or b.number <= 0:
        return None
    low, high = range_of(a, ranges)
    return None if low < 0 else Sum(low // b.number, high // b.number)


def _shifted_left(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if a is None or b is None or b.number is None or not 0 <= b.number < 64:
        return None
    return a.times(1 << b.number)


def _shifted_right(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if b is None or b.number is None or not 0 <= b.number < 64:
        return None
    return _quotient(a, Sum(1 << b.number, 1 << b.number), ranges)


def _masked(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    for value, mask in ((a, b), (b, a)):
        if mask is None or mask.number is None or mask.number < 0:
            continue
        if value is not None and not mask.number & (mask.number + 1):
            low, high = range_of(value, ranges)
            if low >= 0 and high <= mask.number:
                return value
        return Sum(0, mask.number)
    return None


def _united(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    """Of `or` and `xor`."""
    if a is None or b is None:
        return None
    (low_a, high_a), (low_b, high_b) = range_of(a, ranges), range_of(b, ranges)
    if low_a < 0 or low_b < 0:
        return None
    return Sum(0, (1 << max(high_a, high_b).bit_length()) - 1)


def _extreme(choose: Callable[..., int]) -> Rule:
    def rule(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
        if a is None or b is None:
            return None
        (low_a, high_a), (low_b, high_b) = range_of(a, ranges), range_of(b, ranges)
        return Sum(choose(low_a, low_b), choose(high_a, high_b))

    return rule


def _of_natural(rule: Rule) -> Rule:
    """The same for numbers that are read as unsigned."""

    def of_natural(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
        if any(x is None or range_of(x, ranges)[0] < 0 for x in (a, b)):
            return None
        return rule(a, b, ranges)

    return of_natural


_RULES: Mapping[type[Operation], Rule] = {
    arith.AddiOp: _total,
    arith.SubiOp: lambda a, b, ranges: _total(a, None if b is None else b.times(-1), ranges),
    arith.MuliOp: _product,
    arith.RemSIOp: _remainder,
    arith.RemUIOp: _unsigned_remainder,
    arith.DivSIOp: _quotient,
    arith.FloorDivSIOp: _quotient,
    arith.DivUIOp: _quotient,
    arith.ShLIOp: _shifted_left,
    arith.ShRSIOp: _shifted_right,
    arith.ShRUIOp: _shifted_right,
    arith.AndIOp: _masked,
    arith.OrIOp: _united,
    arith.XOrIOp: _united,
    arith.MaxSIOp: _extreme(max),
    arith.MinSIOp: _extreme(min),
    arith.MaxUIOp: _of_natural(_extreme(max)),
    arith.MinUIOp: _of_natural(_extreme(min)),
}


def _facts_of(condition: SSAValue, holds: bool) -> list[tuple[SSAValue, str, SSAValue]]:
    """The comparisons that hold where a condition does, or does not."""
    owner = condition.owner
    match owner:
        case arith.CmpiOp():
            predicate = predicate_of(owner)
            predicate = predicate if holds else OPPOSITES[predicate]
            left, right = owner.lhs, owner.rhs
            if predicate in SWAPPED:
                left, right, predicate = right, left, SWAPPED[predicate]
            return [(left, predicate, right)]
        case arith.AndIOp() if holds:
            return [*_facts_of(owner.lhs, True), *_facts_of(owner.rhs, True)]
        case arith.OrIOp() if not holds:
            return [*_facts_of(owner.lhs, False), *_facts_of(owner.rhs, False)]
        case arith.XOrIOp() if _is_true(owner.rhs):
            return _facts_of(owner.lhs, not holds)
        case _:
            return []


def _is_true(value: SSAValue) -> bool:
    owner = value.owner
    return (
        isinstance(owner, arith.ConstantOp)
        and isinstance(owner.value, IntegerAttr)
        and owner.value.value.data in (1, -1)
        and owner.value.type == IntegerType(1)
    )


def are_disjoint(parts: Sequence[Part], launch: LaunchNumbers) -> bool:
    """Whether no two work-items of the launch race on a byte of the parts.

    Parts that depend on the ids in the same way are compared by them, others by their ranges.
    """
    if any(_is_shared(part.place) for part in parts):
        return False
    moved = (replace(part, place=_by_global_id(part.place, launch)) for part in parts)
    different = list(dict.fromkeys(moved))
    return all(
        _are_alike_apart([a, b], launch) or (a is not b and _are_elsewhere(a, b))
        for a, b in combinations_with_replacement(different, 2)
        if a.may_race(b)
    )


def _are_elsewhere(a: Part, b: Part) -> bool:
    """Whether two parts are different ranges of the object, or of all rows of some length."""
    (low_a, high_a), (low_b, high_b) = a.range, b.range
    if high_a + a.size <= low_b or high_b + b.size <= low_a:
        return True
    for row in {abs(factor) for part in (a, b) for factor in part.place.ids if factor}:
        first, second = _in_row(a, row), _in_row(b, row)
        if first is None or second is None:
            continue
        if first[1] <= second[0] or second[1] <= first[0]:
            return True
    return False


def _in_row(part: Part, row: int) -> Range | None:
    """The first byte and the end of a part in each row of so many bytes that it is in."""
    start = _row_start(part, row)
    if start is None:
        return None
    low, high = range_of(_without_rows(part.place, row), part.ranges)
    return low - start, high + part.size - start


def _row_start(part: Part, row: int) -> int | None:
    """Where the row begins in which all of a part is; None if it is in several. Ids that move it by
    whole rows are left out."""
    low, high = range_of(_without_rows(part.place, row), part.ranges)
    start = low // row * row
    return start if high + part.size - start <= row else None


def _without_rows(place: Sum, row: int) -> Sum:
    ids = tuple(0 if factor % row == 0 else factor for factor in place.ids)
    return Sum(place.low, place.high, ids)


def _are_alike_apart(parts: Sequence[Part], launch: LaunchNumbers) -> bool:
    """Whether different ids lead to different bytes of parts that they move alike; iterations may
    move them by whole rows."""
    ids = [part.place.ids[: COUNTERS[0]] for part in parts]
    if ids[0] != ids[-1]:
        return False
    factors = {abs(part.place.ids[place]) for part in parts for place in COUNTERS}
    return any(_are_apart_in_rows(parts, row, launch) for row in (0, *sorted(factors - {0})))


def _are_apart_in_rows(parts: Sequence[Part], row: int, launch: LaunchNumbers) -> bool:
    """Whether different work-items access different bytes of rows of so many bytes; 0: of a single
    one."""
    ids = parts[0].place.ids
    extents = _extents(parts)
    digits: list[tuple[int, int]] = []
    for d in range(3):
        by_group = ids[LOCAL[d]] or ids[GROUP[d]]
        if ids[GLOBAL[d]] and by_group:
            return False
        if ids[GLOBAL[d]]:
            digits.append((abs(ids[GLOBAL[d]]), extents[GLOBAL[d]]))
        else:
            # The global ids tell how many groups there can be, and in a single one how many local
            # ids; those of two groups may be far from each other.
            local, groups = extents[LOCAL[d]], _groups_of(parts, d, launch)
            digits += [
                (abs(ids[LOCAL[d]]), min(local, extents[GLOBAL[d]]) if groups == 1 else local),
                (abs(ids[GROUP[d]]), min(extents[GROUP[d]], groups)),
            ]
    digits += [digit for digit in _counter_digits(parts) if not row or digit[0] % row]
    starts = [part.place.low for part in parts]
    if row:
        if any(factor % row == 0 and extent > 1 for factor, extent in digits):
            return False
        for number, part in enumerate(parts):
            start = _row_start(part, row)
            if start is None:
                return False
            starts[number] -= start
    rests = [part.place.high - part.place.low + part.size for part in parts]
    span = max(map(sum, zip(starts, rests, strict=True))) - min(starts)
    # Different ids lead to different bytes: each moves the parts by more than all before it.
    for factor, extent in sorted(digits):
        if extent <= 1:
            continue
        if factor < span:
            return False
        span += factor * (extent - 1)
    return True


def _groups_of(parts: Sequence[Part], d: int, launch: LaunchNumbers) -> int:
    """How many groups have the global ids of the parts in a dimension."""
    ranges = [part.ranges[GLOBAL[d]] for part in parts]
    first, last = min(low for low, _ in ranges), max(high for _, high in ranges)
    size, offset = launch.local_size[d], launch.global_offset[d]
    return (last - offset) // size - (first - offset) // size + 1


def _counter_digits(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """How far iterations move the parts, and how often, in any of them."""
    ends: dict[int, Range] = {}
    for part in parts:
        for place in COUNTERS:
            if factor := part.place.ids[place]:
                low, high = sorted(end if factor > 0 else -end for end in part.ranges[place])
                first, last = ends.get(abs(factor), (0, 0))
                ends[abs(factor)] = min(first, low), max(last, high)
    return [(factor, last - first + 1) for factor, (first, last) in ends.items()]


def are_disjoint_in_group(
    parts: tuple[Part, Part], launch: LaunchNumbers, *, same_iteration: bool
) -> bool:
    """Whether no two work-items of a group share a byte of two parts; `same_iteration`: what loops
    carry is the same number in both."""
    if not same_iteration and any(_is_shared(part.place) for part in parts):
        return False
    a, b = (replace(part, place=_by_local_id(part.place, launch)) for part in parts)
    if a.place.ids[: COUNTERS[0]] == b.place.ids[: COUNTERS[0]]:
        return _never_meet(a, b)
    a, b = parts
    return _is_below(a, b, launch) or _is_below(b, a, launch)


def _never_meet(a: Part, b: Part) -> bool:
    """Whether different work-items of a group access different bytes, for all distances of theirs
    and all iterations: the parts depend on local ids in the same way."""
    extents = _extents([a, b])
    moved, is_same = np.zeros(1, np.int64), np.ones(1, np.bool_)
    for place in LOCAL:
        extent = min(extents[place], extents[place - LOCAL[0]])
        distances = np.arange(1 - extent, extent)
        moved = np.add.outer(moved, a.place.ids[place] * distances).ravel()
        is_same = np.logical_and.outer(is_same, distances == 0).ravel()
    # Ids that are the same need no look at iterations.
    moved = moved[~is_same]
    low, high = a.place.low - b.place.high, a.place.high - b.place.low
    for part, sign in ((a, 1), (b, -1)):
        for place in COUNTERS:
            factor = sign * part.place.ids[place]
            first, last = part.ranges[place]
            if not factor or moved.size * (last - first + 1) > _MOST_DISTANCES:
                ends = sorted((factor * first, factor * last))
                low, high = low + ends[0], high + ends[1]
            else:
                moved = np.add.outer(moved, factor * np.arange(first, last + 1)).ravel()
    return not bool(np.any((moved + high > -a.size) & (moved + low < b.size)))


def covered_range(place: Sum, size: int, ranges: Ranges) -> Range | None:
    """The first byte and the end of what the work-items of a group access together, if there are no
    gaps: each id moves the part by no more than all before it together."""
    others = (*GLOBAL, *GROUP, *SHARED, *COUNTERS)
    if place.low != place.high or any(place.ids[i] for i in others):
        return None
    span = size
    for i in sorted(LOCAL, key=lambda i: abs(place.ids[i])):
        if not place.ids[i]:
            continue
        if abs(place.ids[i]) > span:
            return None
        span += abs(place.ids[i]) * (ranges[i][1] - ranges[i][0])
    first = range_of(place, ranges)[0]
    return first, first + span


def _is_shared(sum: Sum) -> bool:
    return any(sum.ids[place] for place in SHARED)


def _by_local_id(sum: Sum, launch: LaunchNumbers) -> Sum:
    """Within a group, global ids differ as local ids do."""
    ids = list(sum.ids)
    for d in range(3):
        ids[LOCAL[d]] += ids[GLOBAL[d]]
        ids[GROUP[d]] += ids[GLOBAL[d]] * launch.local_size[d]
        ids[GLOBAL[d]] = 0
    return Sum(sum.low, sum.high, tuple(ids))


def _is_below(a: Part, b: Part, launch: LaunchNumbers) -> bool:
    """Whether a part of any work-item ends before that of another one begins."""
    own, other = _by_local_id(a.place, launch), _by_local_id(b.place, launch)
    if any(own.ids[place] != other.ids[place] for place in GROUP):
        return False
    for guard, of_own in [
        (Sum(0, 0), True),
        *((guard, True) for guard in a.guards),
        *((guard, False) for guard in b.guards),
    ]:
        guard = _by_local_id(guard, launch)
        factor = 0
        for place in SHARED:
            more = own.ids[place] - other.ids[place]
            if more and guard.ids[place] and more % guard.ids[place] == 0:
                factor = more // guard.ids[place]
        if factor < 0 or (guard.ids != _NO_IDS and not factor):
            continue
        # A positive multiple of what is not positive may be taken away from each side.
        left, right = own + Sum(a.size, a.size), other
        if of_own:
            left = left + guard.times(-factor)
        else:
            right = right + guard.times(factor)
        shared = [left.ids[place] - right.ids[place] for place in (*SHARED, *GROUP)]
        if any(shared):
            continue
        highest = range_of(_without_shared(left), a.ranges)[1]
        lowest = range_of(_without_shared(right), b.ranges)[0]
        if highest <= lowest:
            return True
    return False


def _without_shared(sum: Sum) -> Sum:
    gone = (*GROUP, *SHARED)
    ids = tuple(0 if place in gone else factor for place, factor in enumerate(sum.ids))
    return Sum(sum.low, sum.high, ids)


def _extents(parts: Sequence[Part]) -> list[int]:
    """How many values each id may have in the parts."""
    return [
        max(part.ranges[place][1] for part in parts)
        - min(part.ranges[place][0] for part in parts)
        + 1
        for place in range(len(_NO_IDS))
    ]


def _by_global_id(sum: Sum, launch: LaunchNumbers) -> Sum:
    """Local and group ids that make up global ids, as these."""
    ids = list(sum.ids)
    low, high = sum.low, sum.high
    for d in range(3):
        factor = ids[LOCAL[d]]
        size = launch.local_size[d]
        if ids[GROUP[d]] == factor * size or (size == 1 and not factor):
            factor = ids[GROUP[d]] // size
            ids[GLOBAL[d]] += factor
            ids[LOCAL[d]] = ids[GROUP[d]] = 0
            low -= factor * launch.global_offset[d]
            high -= factor * launch.global_offset[d]
        elif launch.num_groups[d] == 1 and not ids[GROUP[d]]:
            ids[GLOBAL[d]] += factor
            ids[LOCAL[d]] = 0
            low -= factor * launch.global_offset[d]
            high -= factor * launch.global_offset[d]
    return Sum(low, high, tuple(ids))
