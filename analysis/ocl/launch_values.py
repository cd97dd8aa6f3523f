"""What the numbers of one launch say of a kernel's integers.

The arguments, sizes and buffers of a launch are numbers, so that most integers of a kernel are sums
of ids, each times a number, and of a rest between two numbers. An access whose range is inside of
its object needs no check of its bounds in this launch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.ocl.forward import ForwardAnalysis
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.launch_sums import (
    COUNTERS,
    GLOBAL,
    GROUP,
    LOCAL,
    NO_IDS,
    SHARED,
    SUM_RULES,
    Range,
    Ranges,
    Sum,
    fitting,
    hull,
    id_sum,
    number_sum,
    range_of,
)
from polycl.analysis.ocl.parallel_regions import ops_around_barriers
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.comparisons import OPPOSITES, SWAPPED, predicate_of
from polycl.dialects.inside import operations_in
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.ocl.memory import pointer_type

Size3: TypeAlias = tuple[int, int, int]


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
                self.facts[argument] = fitting(Sum(value, value), argument.type, self._ranges)
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
            self.facts[result] = hull(results[0][place], results[1][place], ranges)

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
        if own.ids != NO_IDS:
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
            sum = fitting(begin + id_sum(place).times(by), argument.type, self._ranges)
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
                self.facts[result] = fitting(total, result.type, self._ranges)

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
        return id_sum(place)

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
        return replace(start + id_sum(place).times(number), within=(first, last))

    def of_operation(self, op: Operation) -> Sum | None:
        if len(op.results) != 1:
            return None
        found = self._computed(op)
        type = op.results[0].type
        return None if found is None else fitting(found, type, self._ranges)

    def _computed(self, op: Operation) -> Sum | None:
        launch = self._launch
        match op:
            case arith.ConstantOp():
                if not isinstance(op.value, IntegerAttr):
                    return None
                number = op.value.value.data
                return Sum(number, number)
            case ocl.GlobalIdOp():
                return id_sum(GLOBAL[op.dimension])
            case ocl.LocalIdOp():
                return id_sum(LOCAL[op.dimension])
            case ocl.GroupIdOp():
                return id_sum(GROUP[op.dimension])
            case ocl.GlobalSizeOp():
                return number_sum(launch.global_size[op.dimension])
            case ocl.LocalSizeOp() | ocl.EnqueuedLocalSizeOp():
                return number_sum(launch.local_size[op.dimension])
            case ocl.NumGroupsOp():
                return number_sum(launch.num_groups[op.dimension])
            case ocl.GlobalOffsetOp():
                return number_sum(launch.global_offset[op.dimension])
            case ocl.AllocaOp() | ocl.LocalAllocOp() | ocl.AddressOfOp():
                return Sum(0, 0)
            case ocl.CastOp():
                return self.of(op.pointer)
            case ocl.MemberOp():
                pointer = self.of(op.pointer)
                return None if pointer is None else pointer + Sum(op.offset, op.offset)
            case ocl.OffsetOp():
                pointer, index = self.of(op.pointer), self.of(op.index)
                if pointer is None or index is None:
                    return None
                return pointer + index.times(stride_of(pointer_type(op.pointer).pointee))
            case arith.SelectOp():
                return self._selected(op)
            case arith.ExtUIOp() | arith.ExtSIOp() | arith.TruncIOp() | arith.IndexCastOp():
                return self._cast(op)
            case _ if type(op) in SUM_RULES and len(op.operands) == 2:
                a, b = map(self.of, op.operands)
                return SUM_RULES[type(op)](a, b, self._ranges)
            case _:
                return None

    def _selected(self, op: arith.SelectOp) -> Sum | None:
        """Where a value is chosen, its range is smaller: `x > 0 ? x - 1 : 0` is not negative."""
        found = hull(self.of(op.lhs), self.of(op.rhs), self._ranges)
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
        if found.ids == NO_IDS:
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
