"""What indices are inside of an array, and for which work-items.

An index such as `x > 0 ? x - 1 : 0` is piecewise linear: a *choice* of one piece for each
selection, minimum, remainder and comparison makes it linear. Conditions tell for which work-items
the choices are right: sums that must not be negative.

A value with n bits is known modulo 2^n: its sum is one number of that residue. So additions,
products and truncations of unsigned numbers need no condition, and reading the number does: to
extend or to compare it asks that the sum is in the range of the type. For signed numbers nothing is
asked, as they do not overflow in C, and ids fit. A number of 64 bits that is cut to 32 is to fit.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, i1
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from polycl.analysis.ocl.evaluate import SUMS, Domain, evaluate
from polycl.analysis.ocl.integers import bits_of, signed
from polycl.analysis.ocl.linear import Linear, linear
from polycl.analysis.ocl.numbers import NUMBERS
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.analysis.wg.clamps import bits_of as sign_and_bits_of
from polycl.analysis.wg.wrapping_loops import WrappingLoop
from polycl.dialects import ocl, wg
from polycl.dialects.comparisons import OPPOSITES, SWAPPED, predicate_of
from polycl.dialects.inside import operations_of
from polycl.dialects.parents import parents
from polycl.symbolic import atom, integer

Choices = Mapping[Operation, int]
"""The outcome of a comparison, the operand that a selection, minimum or maximum is, the quotient of
a remainder, and 0 for a mask that changes nothing; that of a loop that wraps a value is how often
it subtracts; any other one has no iteration, which is 0."""

Remainder = arith.RemSIOp | arith.RemUIOp | arith.AndIOp | scf.WhileOp
"""A number less the product of its quotient and its divisor: `x & mask` is the remainder of x by
mask + 1, a power of two, and `while (x >= n) x -= n` leaves that by n."""
Quotients = tuple[int, int]
"""The least and the largest one, rounded down."""

LARGEST_ID = (1 << 31) - 1
"""A launch checks it."""
_SMALL = (ocl.GroupIdOp, ocl.GlobalOffsetOp, ocl.GlobalSizeOp, ocl.NumGroupsOp)
WIDE = 1 << 40
"""Numbers of 64 bits that may be anything are asked to be smaller."""
_LARGEST_QUOTIENT = 4
PLACE = 1 << 16
"""A typical id."""
_SIZE, _DISTANCE = 1 << 24, 3
"""Typical values of arguments that are sizes, and of those that are distances."""


# A typical work-item


class Typical(Domain[int]):
    """The values for one work-item that is far from all borders."""

    def __init__(
        self,
        region: wg.ParallelOp,
        distances: frozenset[SSAValue],
        place: int = PLACE,
        *,
        are_last: bool = False,
    ):
        """`place` is its id in each dimension; `are_last` are the iterations of all loops, which
        are first ones otherwise."""
        super().__init__()
        self._region = region
        self._distances = distances
        self._place, self._are_last = place, are_last
        self._others: dict[tuple[int, bool], Typical] = {}

    def quotient(self, op: Remainder) -> int | None:
        """Rounded down: -1 for a negative number, whose signed remainder is itself."""
        if isinstance(op, scf.WhileOp):
            return self._quotient_of_loop(op)
        x, n = evaluate(op.lhs, self), self._divisor(op)
        least = -1 if isinstance(op, arith.RemUIOp) else -n
        return x // n if x > least and n > 0 else None

    def _quotient_of_loop(self, op: scf.WhileOp) -> int | None:
        """How often it subtracts, negative if it adds; None if it wraps nothing or runs often."""
        loop = WrappingLoop.of(op)
        if loop is None:
            return None
        x, bound, n = (evaluate(v, self) for v in (loop.start, loop.bound, loop.step))
        continues = getattr(operator, loop.predicate[1:])
        trips = (t for t in range(_LARGEST_QUOTIENT) if not continues(x + loop.sign * t * n, bound))
        found = next(trips, None)
        return None if found is None else -loop.sign * found

    def _divisor(self, op: Remainder) -> int:
        if isinstance(op, scf.WhileOp):
            loop = WrappingLoop.of(op)
            return 0 if loop is None else evaluate(loop.step, self)
        return evaluate(op.rhs, self) + isinstance(op, arith.AndIOp)

    def quotients(self, op: Remainder) -> Quotients | None:
        """Of the work-items from the first one of an array to its last one, in all iterations."""
        all = [self.quotient(op)]
        for at in product((0, self._divisor(op) - 1), (False, True)):
            if at not in self._others:
                place, are_last = at
                other = Typical(self._region, self._distances, place, are_last=are_last)
                self._others[at] = other
            all.append(self._others[at].quotient(op))
        known = [quotient for quotient in all if quotient is not None]
        are_all = len(known) == len(all) and max(known) <= _LARGEST_QUOTIENT
        return (min(known), max(known)) if are_all else None

    def leaf(self, value: SSAValue) -> int | None:
        owner = value.owner
        match owner:
            case scf.IfOp() if isinstance(value, OpResult) and value.type != i1:
                side = owner.regions[0 if evaluate(owner.cond, self) else 1]
                return evaluate(terminator(side.block).operands[value.index], self)
            case scf.WhileOp():
                quotient = self.quotient(owner)
                if quotient is None:
                    return self._where_it_starts(owner, value)
                return evaluate(owner.arguments[0], self) - quotient * self._divisor(owner)
            case ocl.GroupIdOp():
                return self._place // self._size(owner.dimension)
            case ocl.GlobalOffsetOp():
                return 0
            case Block():
                return self._of_argument(owner, value)
            case _:
                number = constant_value(value)
                return None if number is None else signed(number, value.type)

    def has_no_iteration(self, loop: scf.WhileOp) -> bool:
        """Whether the first test of a loop fails, and comparisons of integers decide it."""
        condition = condition_of(loop).condition
        compares = list(comparisons_of(condition))
        are_known = None not in compares and bool(compares)
        return are_known and not evaluate(condition, self)

    def _where_it_starts(self, loop: scf.WhileOp, value: SSAValue) -> int | None:
        assert isinstance(value, OpResult)
        passed = condition_of(loop).args[value.index]
        return evaluate(passed, self) if self.has_no_iteration(loop) else None

    def _of_argument(self, block: Block, value: SSAValue) -> int | None:
        assert isinstance(value, BlockArgument)
        match block.parent_op():
            case wg.ParallelOp():
                return self._place % self._size(value.index)
            case scf.ForOp() as loop if value.index == 0:
                return self._of_counter(loop)
            case scf.WhileOp() as loop if block is loop.after_region.block:
                return evaluate(condition_of(loop).args[value.index], self)
            case scf.WhileOp() as loop:
                return evaluate(loop.arguments[value.index], self)
            case _:
                return None

    def _of_counter(self, loop: scf.ForOp) -> int:
        first, end, step = (evaluate(value, self) for value in (loop.lb, loop.ub, loop.step))
        if not self._are_last or not first < end or step <= 0:
            return first
        return end - 1 - (end - 1 - first) % step

    def _size(self, dimension: int) -> int:
        """Of the group, of which the region may be a part."""
        known = constant_value(self._region.sizes[dimension])
        function = next((op for op in parents(self._region) if isinstance(op, wg.FuncOp)), None)
        if known is None and function is not None and function.local_size is not None:
            known = function.local_size.get_values()[dimension]
        return known or 1

    def opaque(self, value: SSAValue) -> int:
        return _DISTANCE if value in self._distances else _SIZE

    def cut(self, op: arith.TruncIOp | arith.IndexCastOp, x: int) -> int:
        """A typical size, which is larger than those of fewer bits are, fits what it is cut to."""
        type = op.results[0].type
        return signed(x, type) if bits_of(type) >= 32 else x

    rules = {**NUMBERS, arith.TruncIOp: cut, arith.IndexCastOp: cut}


def choices_of(
    values: Sequence[SSAValue], typical: Typical, facts: Uniformity, region: wg.ParallelOp
) -> dict[Operation, int]:
    """The choices of a typical work-item in what `values` are computed from."""
    found: dict[Operation, int] = {}
    seen: set[SSAValue] = set()
    todo = list(values)
    divisions = operations_of(region.body, arith.DivSIOp, arith.DivUIOp)
    quotients = {tuple(op.operands) for op in divisions}
    while todo:
        value = todo.pop()
        op = value.owner
        is_known = value in seen or facts.is_uniform(value)
        if is_known or not isinstance(op, Operation) or not region.is_ancestor(op):
            continue
        if not isinstance(value.type, IntegerType | IndexType):
            continue
        seen.add(value)
        match op:
            case scf.IfOp() | arith.SelectOp():
                cond = op.cond if isinstance(op, scf.IfOp) else op.operands[0]
                compares = list(comparisons_of(cond))
                are_known = all(c is not None and region.is_ancestor(c) for c in compares)
                if value.type == i1 or not compares or not are_known:
                    continue
                for compare in compares:
                    assert compare is not None
                    found[compare] = evaluate(compare.result, typical)
                    todo += compare.operands
                found[op] = 0 if evaluate(cond, typical) else 1
                assert isinstance(value, OpResult)
                todo.append(_side(op, found[op], value))
            case arith.MaxSIOp() | arith.MinSIOp() | arith.MaxUIOp() | arith.MinUIOp():
                found[op] = int(evaluate(value, typical) != evaluate(op.lhs, typical))
                todo += op.operands
            case arith.RemSIOp() | arith.RemUIOp():
                quotient = typical.quotient(op)
                # Of an id that is divided, too, the remainder is a coordinate.
                is_coordinate = tuple(op.operands) in quotients or _is_taken_away(op)
                is_small = quotient is not None and quotient <= _LARGEST_QUOTIENT
                if quotient is not None and is_small and not is_coordinate:
                    found[op] = max(quotient, 0)
                todo.append(op.lhs)
            case scf.WhileOp():
                quotient = typical.quotient(op)
                if quotient is not None:
                    found[op] = quotient
                    todo += op.arguments
                elif typical.has_no_iteration(op):
                    found[op] = 0
                    condition = condition_of(op)
                    compares = comparisons_of(condition.condition)
                    todo += (x for compare in compares if compare for x in compare.operands)
                    assert isinstance(value, OpResult)
                    todo += (condition.args[value.index], *op.arguments)
            case arith.AndIOp() if facts.is_uniform(op.rhs):
                if not _is_taken_away(op):
                    found[op] = 0
                todo.append(op.lhs)
            case _:
                todo += op.operands
    return found


def _is_taken_away(op: Operation) -> bool:
    """Whether a remainder is taken from what was divided, as in `2 * i - i % n`: rows are left."""
    atoms = linear(op.operands[0]).atoms
    users = [use.operation for use in op.results[0].uses]
    return any(
        isinstance(user, arith.SubiOp)
        and user.rhs is op.results[0]
        and not atoms.isdisjoint(linear(user.lhs).atoms)
        for user in users
    )


def _side(op: Operation, choice: int, value: OpResult) -> SSAValue:
    """What a selection or branch with a result is, by the choice."""
    if isinstance(op, scf.IfOp):
        return terminator(op.regions[choice].block).operands[value.index]
    return op.operands[1 + choice]


def comparisons_of(condition: SSAValue) -> Iterator[arith.CmpiOp | None]:
    """The comparisons that decide a condition; None for anything else that does."""
    owner = condition.owner
    match owner:
        case arith.CmpiOp():
            yield owner
        case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
            for operand in owner.operands:
                yield from comparisons_of(operand)
        case _:
            if constant_value(condition) is None:
                yield None


# Sums and conditions


class Chosen(Domain[Linear]):
    """The sums that values are under choices; what they assume is in `conditions`."""

    def __init__(
        self,
        choices: Choices,
        region: wg.ParallelOp,
        typical: Typical,
        kept: Collection[arith.ExtUIOp] = (),
    ):
        """`kept` are zero extensions of which nothing is assumed, so that they are opaque."""
        super().__init__()
        self._kept = kept
        self.conditions: list[Linear] = []
        """Sums that are not negative where all that was evaluated is right."""
        self.masks: list[SSAValue] = []
        """Values that are a power of two less one, or 0."""
        self.widened: list[arith.ExtUIOp] = []
        """Zero extensions of numbers that are not negative."""
        self._choices = choices
        self._region = region
        self._typical = typical

    def require(self, op: Operation) -> None:
        """Adds the conditions under which the choice for an operation is right."""
        choice = self._choices[op]
        match op:
            case arith.CmpiOp():
                predicate = predicate_of(op)
                self._compare(predicate if choice else OPPOSITES[predicate], op.lhs, op.rhs)
            case arith.MaxSIOp() | arith.MinSIOp() | arith.MaxUIOp() | arith.MinUIOp():
                chosen, other = op.operands[choice], op.operands[1 - choice]
                kind = "s" if isinstance(op, arith.MaxSIOp | arith.MinSIOp) else "u"
                is_max = isinstance(op, arith.MaxSIOp | arith.MaxUIOp)
                self._compare(f"{kind}{'ge' if is_max else 'le'}", chosen, other)
            case arith.RemSIOp() | arith.RemUIOp():
                # A negative number is its own remainder.
                is_itself = choice == 0 and isinstance(op, arith.RemSIOp)
                self.require_quotient(op, (-1 if is_itself else choice, choice))
            case scf.WhileOp() if WrappingLoop.of(op) is None:
                self._require_no_iteration(op)
            case arith.AndIOp() | scf.WhileOp():
                self.require_quotient(op, (choice, choice))
            case _:
                pass

    def require_quotient(self, op: Remainder, quotients: Quotients) -> None:
        """Adds the conditions under which the quotient of a remainder is in a range."""
        (least, most), bits = quotients, bits_of(op.results[0].type)
        if isinstance(op, scf.WhileOp):
            self._require_trips(op, quotients)
            return
        x, n = evaluate(op.lhs, self), evaluate(op.rhs, self)
        if isinstance(op, arith.AndIOp):
            # Sums that are a few divisors apart fit the type, if any are computed.
            self._below_two_to(bits - 3 if bits < 64 and least < most else bits, n)
            self.masks.append(op.rhs)
            n += 1
            self.conditions += [x - n * least, n * (most + 1) - x - 1]
            return
        self._below_two_to(bits, x, n)
        # They imply that n is positive.
        self.conditions += [x - n * least - int(least < 0), n * (most + 1) - x - 1]

    def _require_trips(self, op: scf.WhileOp, quotients: Quotients) -> None:
        """Adds the conditions under which a loop subtracts so often, or adds if it is negative."""
        loop, x, bound, n = self._loop(op)
        least, most = sorted(-loop.sign * quotient for quotient in quotients)
        # That `x >= bound` continues, is that `-x <= -bound` does.
        stops_from = loop.stops_from(bound)
        self.conditions.append((x * loop.sign) + n * most - stops_from)
        if least > 0:
            self.conditions += [n, stops_from - x * loop.sign - n * (least - 1) - 1]
        if loop.predicate.startswith("u"):
            bits = bits_of(op.results[0].type)
            self.conditions += [x, bound]
            self._below_two_to(bits, x, bound)
            if most > 0:
                # No difference wraps.
                self.conditions += [n, bound - n]

    def _require_no_iteration(self, loop: scf.WhileOp) -> None:
        """Adds the conditions under which a loop compares at first as it typically does."""
        if not self._typical.has_no_iteration(loop):
            self.conditions.append(integer(-1))
        for compare in comparisons_of(condition_of(loop).condition):
            assert compare is not None
            predicate, outcome = predicate_of(compare), evaluate(compare.result, self._typical)
            self._compare(predicate if outcome else OPPOSITES[predicate], compare.lhs, compare.rhs)

    def _loop(self, op: scf.WhileOp) -> tuple[WrappingLoop, Linear, Linear, Linear]:
        """A loop, its start, its bound and its step."""
        loop = WrappingLoop.of(op)
        assert loop is not None
        x, bound, n = (evaluate(v, self) for v in (loop.start, loop.bound, loop.step))
        return loop, x, bound, n

    def forget_remainders(self, known: Mapping[Remainder, Quotients]) -> None:
        """Make conditions about remainders, as of `x % n + n`, conditions about their divisors.

        Some have quotients that are known to be in a range.
        """
        at = 0
        while at < len(self.conditions):
            sum = self.conditions[at]
            for value, factor in sum.factors.items():
                op = value.owner
                if bounds := self._bounds(op, factor > 0, known):
                    first, *others = ((bound - atom(value)) * factor + sum for bound in bounds)
                    self.conditions[at] = first
                    self.conditions += others
                    break
            else:
                at += 1

    def _bounds(
        self, op: Operation | Block, below: bool, known: Mapping[Remainder, Quotients]
    ) -> list[Linear]:
        """Sums of which a remainder is none below, or else one or none above; none if unknown."""
        if isinstance(op, Block) or not self._region.is_ancestor(op):
            # The group knows it, as the first column of a row.
            return []
        match op:
            case arith.RemSIOp() | arith.RemUIOp():
                n, (quotient, _) = evaluate(op.rhs, self), known.get(op, (-1, 0))
                self.conditions.append(n - 1)
                self._below_two_to(bits_of(op.result.type), n)
                may_be_negative = isinstance(op, arith.RemSIOp) and quotient < 0
                least = 1 - n if may_be_negative else integer(0)
                return [least if below else n - 1]
            case scf.WhileOp() if op in known:
                loop, x, bound, n = self._loop(op)
                end = loop.stops_from(bound)
                if below == (loop.sign > 0):
                    return [end * loop.sign]
                # It did not run, or its last iteration began before the end.
                return [x, (end + n - 1) * loop.sign]
            case _:
                return []

    def _compare(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> None:
        bits = bits_of(lhs.type)
        if predicate in SWAPPED:
            predicate, lhs, rhs = SWAPPED[predicate], rhs, lhs
        x, y = evaluate(lhs, self), evaluate(rhs, self)
        match predicate:
            case "eq":
                # Only at a border.
                self.conditions.append(integer(-1))
            case "ne":
                # A typical work-item is on one side; numbers 2^n apart have the same bits.
                if evaluate(lhs, self._typical) > evaluate(rhs, self._typical):
                    x, y = y, x
                self.conditions.append(y - x - 1)
                if bits < 64:
                    self.conditions.append((x - y) + ((1 << bits) - 1))
            case _:
                if predicate.startswith("u"):
                    self.conditions.append(x)
                    self._below_two_to(bits, y)
                self.conditions.append(y - x - int(predicate.endswith("t")))

    def _below_two_to(self, bits: int, *sums: Linear) -> None:
        """Sums of 64 bits do not reach 2^63, as none of their values is wide."""
        if bits < 64:
            self.conditions += [-sum + ((1 << bits) - 1) for sum in sums]

    # The domain

    def leaf(self, value: SSAValue) -> Linear | None:
        number = constant_value(value)
        if number is not None:
            return integer(signed(number, value.type))
        op = value.owner
        if isinstance(op, Block):
            return self._of_first_test(op, value)
        if op not in self._choices:
            return None
        choice = self._choices[op]
        match op:
            case arith.SelectOp() | scf.IfOp():
                assert isinstance(value, OpResult)
                return evaluate(_side(op, choice, value), self)
            case arith.RemSIOp() | arith.RemUIOp():
                return evaluate(op.lhs, self) - evaluate(op.rhs, self) * choice
            case arith.AndIOp():
                return evaluate(op.lhs, self)
            case scf.WhileOp() if WrappingLoop.of(op) is None:
                assert isinstance(value, OpResult)
                return evaluate(condition_of(op).args[value.index], self)
            case scf.WhileOp():
                _, x, _, n = self._loop(op)
                return x - n * choice
            case arith.CmpiOp():
                return integer(choice)
            case _:
                return evaluate(op.operands[choice], self)

    def _of_first_test(self, block: Block, value: SSAValue) -> Linear | None:
        """What a loop without iterations tests."""
        loop = block.parent_op()
        if not isinstance(loop, scf.WhileOp) or loop not in self._choices:
            return None
        if block is not loop.before_region.block or WrappingLoop.of(loop) is not None:
            return None
        assert isinstance(value, BlockArgument)
        return evaluate(loop.arguments[value.index], self)

    def opaque(self, value: SSAValue) -> Linear:
        return atom(value)

    def product(self, op: arith.MuliOp, x: Linear, y: Linear) -> Linear | None:
        return x * y if x.constant is not None or y.constant is not None else None

    def shifted(self, op: arith.ShLIOp, x: Linear, y: Linear) -> Linear | None:
        amount = y.constant
        return None if amount is None or not 0 <= amount < 31 else x * (1 << amount)

    def truncated(self, op: arith.TruncIOp | arith.IndexCastOp, x: Linear) -> Linear | None:
        bits = bits_of(op.results[0].type)
        if bits < 32:
            return None
        if bits < bits_of(op.operands[0].type):
            # A larger number would be another one, also where it is read with a sign.
            half = 1 << bits - 1
            self.conditions += [x + half, -x + (half - 1)]
        return x

    def extended(self, op: arith.ExtSIOp, x: Linear) -> Linear | None:
        return None if bits_of(op.input.type) < 32 else x

    def unsigned(self, op: arith.ExtUIOp, x: Linear) -> Linear | None:
        is_inside = self._region.is_ancestor(op)
        if bits_of(op.input.type) < 32 or op in self._kept or not is_inside:
            return None
        # Then the sign does not matter either.
        self.widened.append(op)
        self.conditions += [x, -x + LARGEST_ID]
        return x

    rules = {
        **SUMS,
        arith.MuliOp: product, arith.ShLIOp: shifted,
        arith.TruncIOp: truncated, arith.IndexCastOp: truncated,
        arith.ExtSIOp: extended, arith.ExtUIOp: unsigned,
    }  # fmt: skip

    # Ranges

    def strongest(self) -> list[Linear]:
        """The conditions without those that always hold, or that others imply."""
        least: dict[frozenset[tuple[SSAValue, int]], Linear] = {}
        for sum in self.bounded(self.conditions):
            key = frozenset(sum.factors.items())
            if key not in least or sum.number < least[key].number:
                least[key] = sum
        return [sum for sum in least.values() if not self.is_natural(sum)]

    def bounded(self, conditions: Sequence[Linear]) -> list[Linear]:
        """Conditions, and those that their values are between -WIDE and WIDE."""
        values = dict.fromkeys(value for sum in conditions for value in sum.factors)
        wide = [value for value in values if self.range_of(value)[1] > WIDE]
        return [*conditions, *(sign * atom(v) + WIDE for v in wide for sign in (1, -1))]

    def is_natural(self, sum: Linear) -> bool:
        """Whether a sum is never negative, whatever the launch."""
        low = sum.number
        left = dict(sum.factors)
        # The global ids of a launch are below 2^31, which is less than what their parts could be.
        for value, factor in sum.factors.items():
            owner = value.owner
            if not isinstance(owner, ocl.GroupIdOp):
                continue
            d = owner.dimension
            size = constant_value(self._region.sizes[d]) or 1
            if factor % size or factor > 0:
                continue
            for other in list(left):
                part = other.owner
                is_offset = isinstance(part, ocl.GlobalOffsetOp) and part.dimension == d
                is_part = is_offset or other is value or other is self._region.local_ids[d]
                if is_part and left[other] in (factor, factor // size):
                    del left[other]
            low += factor // size * LARGEST_ID
        for value, factor in left.items():
            least, most = self.range_of(value)
            low += factor * (least if factor > 0 else most)
        return low >= 0

    def range_of(self, value: SSAValue) -> tuple[int, int]:
        """The least and the largest number that a value may be."""
        owner = value.owner
        if owner is self._region.body.block:
            assert isinstance(value, BlockArgument)
            return 0, (constant_value(self._region.sizes[value.index]) or LARGEST_ID) - 1
        if isinstance(owner, _SMALL):
            return 0, LARGEST_ID
        if isinstance(owner, arith.ExtUIOp):
            return 0, (1 << bits_of(owner.input.type)) - 1
        bits = sign_and_bits_of(value)
        return -(1 << bits - 1), (1 << bits - 1) - 1
