"""Loops that run at most once, as reflections of a coordinate do, and what is asked for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, SSAValue

from polycl.analysis.ocl.evaluate import SUMS, Domain, evaluate
from polycl.analysis.ocl.integers import bits_of, signed
from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.wg.borders import LARGEST_ID, Typical
from polycl.analysis.wg.hulls import Extension, Hulls
from polycl.dialects import wg
from polycl.dialects.comparisons import MIRRORED, OPPOSITES, SWAPPED, predicate_of
from polycl.symbolic import atom, integer

_MOST_PATHS = 32
_PLACE = 8
"""The typical id for which a condition must hold: what asks for more holds hardly anywhere."""


class SingleIterations:
    """Asks of hulls that a loop, whose first iteration is computed, has no second one."""

    def __init__(self, region: wg.ParallelOp, hulls: Hulls, starts: Sequence[SSAValue]):
        self._region, self._hulls, self._starts = region, hulls, starts
        self._typical = Typical(region, frozenset(), _PLACE)

    def require_none(self, runs: SSAValue) -> bool:
        """Add the conditions under which the loop has no iteration.

        False if there are none, or none that a typical work-item meets.
        """
        path = _Path(self._region, self._starts, {})
        try:
            goals = list(_conditions(path, runs))
        except (_Undecided, _Unknown):
            return False
        return self._ask(goals, path.conditions)

    def require(self, runs: SSAValue, again: SSAValue) -> bool:
        """The same for `again` to be false where `runs` is true."""
        ranges: dict[Linear, None] = {}
        asked: dict[Linear, None] = {}
        todo: list[dict[Linear, bool]] = [{}]
        for _ in range(_MOST_PATHS):
            if not todo:
                break
            decided = todo.pop()
            path = _Path(self._region, self._starts, decided)
            try:
                goals = list(_conditions(path, again)) if path.is_true(runs) else []
            except _Undecided as open:
                todo += [{**decided, open.sum: outcome} for outcome in (True, False)]
                continue
            except _Unknown:
                return False
            # What is compared is in the range of its type, so that these are facts about numbers.
            ranges |= dict.fromkeys(path.conditions)
            facts = [sum if outcome else -sum - 1 for sum, outcome in decided.items()]
            if not any(self._never_holds(fact) for fact in facts):
                asked |= dict.fromkeys(goal for goal in goals if not _follows(goal, facts))
        return not todo and self._ask(asked, ranges)

    def _ask(self, goals: Iterable[Linear], ranges: Iterable[Linear]) -> bool:
        """Add conditions for what the values are at first, if a typical work-item meets them."""
        conditions = [sum for goal in goals for sum in self._for_starts(goal)]
        if not all(map(self._typically_holds, conditions)):
            return False
        self._hulls.conditions += conditions
        self._hulls.conditions += (sum for each in ranges for sum in self._for_starts(each))
        return True

    def _for_starts(self, sum: Linear) -> Iterator[Linear]:
        """A sum for each of the numbers between which the values are at first."""
        for numbers in product(*(evaluate(value, self._hulls).sums for value in self._starts)):
            known = dict(zip(self._starts, numbers, strict=True))
            whole = _total(sum, lambda value, known=known: known.get(value, atom(value)))
            yield integer(0) + whole

    def _never_holds(self, fact: Linear) -> bool:
        """Whether a sum is negative whatever the launch."""
        return all(self._hulls.is_natural(-sum - 1) for sum in self._for_starts(fact))

    def _typically_holds(self, sum: Linear) -> bool:
        return _total(sum, lambda value: evaluate(value, self._typical)) >= 0


def _total(sum: Linear, value: Callable[[SSAValue], Any]) -> Any:
    """A sum with numbers or other sums in place of its values, which need not have an order."""
    total: Any = sum.number
    for each, factor in sum.factors.items():
        total += value(each) * factor
    return total


def _follows(goal: Linear, facts: Sequence[Linear]) -> bool:
    """Whether a sum is not negative where others are not, whatever its values."""
    left = [goal, *(goal - fact for fact in facts)]
    return any(sum.constant is not None and sum.constant >= 0 for sum in left)


class _Undecided(Exception):
    """There are paths on which a sum is negative, and others."""

    def __init__(self, sum: Linear):
        super().__init__()
        self.sum = sum


class _Unknown(Exception):
    """A condition is none of comparisons of sums."""


class _Path(Domain[Linear]):
    """The sums that values are where some sums are negative, and others are not.

    As for hulls, a value with n bits is known modulo 2^n, and what reads it asks for its range.
    """

    def __init__(
        self, region: wg.ParallelOp, starts: Sequence[SSAValue], decided: Mapping[Linear, bool]
    ):
        super().__init__()
        self._region, self._starts, self._decided = region, starts, decided
        self.conditions: list[Linear] = []
        """Sums that are not negative if what was evaluated is right."""

    def is_true(self, condition: SSAValue) -> bool:
        number = constant_value(condition)
        if number is not None:
            return bool(number)
        op = condition.owner
        match op:
            case arith.CmpiOp():
                return self._compares(op)
            case arith.AndIOp():
                return self.is_true(op.lhs) and self.is_true(op.rhs)
            case arith.OrIOp():
                return self.is_true(op.lhs) or self.is_true(op.rhs)
            case arith.XOrIOp():
                return self.is_true(op.lhs) != self.is_true(op.rhs)
            case _:
                raise _Unknown

    def _compares(self, op: arith.CmpiOp) -> bool:
        predicate, x, y = self.sides(op)
        if predicate.startswith("u") and predicate in SWAPPED:
            return not all(map(self._is_natural, _sums(OPPOSITES[predicate], x, y)))
        return all(map(self._is_natural, _sums(predicate, x, y)))

    def _is_natural(self, sum: Linear) -> bool:
        if sum.constant is not None:
            return sum.constant >= 0
        if sum not in self._decided and -sum - 1 not in self._decided:
            raise _Undecided(sum)
        return self._decided[sum] if sum in self._decided else not self._decided[-sum - 1]

    def sides(self, op: arith.CmpiOp) -> tuple[str, Linear, Linear]:
        """A comparison of sums that are asked to be in the ranges of their types.

        Unsigned, the right one is asked not to be negative, and the left one is read as signed.
        """
        predicate, x, y = predicate_of(op), evaluate(op.lhs, self), evaluate(op.rhs, self)
        is_signed = not predicate.startswith("u")
        if not is_signed and not y.atoms.isdisjoint(self._starts):
            predicate, x, y = MIRRORED[predicate], y, x
        self._in_range(x, op.lhs.type)
        self._in_range(y, op.rhs.type)
        if not is_signed:
            self.conditions.append(y)
        return predicate, x, y

    def _in_range(self, sum: Linear, type: Attribute) -> None:
        most = min((1 << bits_of(type) - 1) - 1, LARGEST_ID)
        self.conditions += [sum + most + 1, -sum + most]

    # The domain

    def leaf(self, value: SSAValue) -> Linear | None:
        if value in self._starts:
            return atom(value)
        number = constant_value(value)
        if number is not None:
            return integer(signed(number, value.type))
        op = value.owner
        if not isinstance(op, arith.SelectOp) or value.type == i1:
            return None
        return evaluate(op.lhs if self.is_true(op.cond) else op.rhs, self)

    def opaque(self, value: SSAValue) -> Linear:
        return atom(value)

    def product(self, op: arith.MuliOp, x: Linear, y: Linear) -> Linear | None:
        return x * y if x.constant is not None or y.constant is not None else None

    def cast(self, op: arith.TruncIOp | arith.IndexCastOp, x: Linear) -> Linear | None:
        if not self._region.is_ancestor(op):
            return None
        if bits_of(op.results[0].type) > bits_of(op.operands[0].type):
            self._in_range(x, op.operands[0].type)
        return x

    def extended(self, op: Extension, x: Linear) -> Linear | None:
        if op.input.type == i1 or not self._region.is_ancestor(op):
            return None
        self._in_range(x, op.input.type)
        if isinstance(op, arith.ExtUIOp):
            self.conditions.append(x)
        return x

    rules = {
        **SUMS, arith.MuliOp: product,
        arith.TruncIOp: cast, arith.IndexCastOp: cast,
        arith.ExtSIOp: extended, arith.ExtUIOp: extended,
    }  # fmt: skip


def _sums(predicate: str, x: Linear, y: Linear) -> list[Linear]:
    """What is not negative where a comparison of sums holds."""
    if predicate in SWAPPED and not predicate.startswith("u"):
        predicate, x, y = SWAPPED[predicate], y, x
    difference = y - x - int(predicate.endswith("t"))
    match predicate:
        case "slt" | "sle":
            return [difference]
        case "ult" | "ule":
            return [x, difference]
        case _:
            raise _Unknown


def _conditions(path: _Path, condition: SSAValue, outcome: bool = False) -> Iterator[Linear]:
    """Sums that are not negative if a condition has an outcome."""
    op = condition.owner
    match op:
        case arith.CmpiOp():
            predicate, x, y = path.sides(op)
            yield from _sums(predicate if outcome else OPPOSITES[predicate], x, y)
        case arith.XOrIOp() if constant_value(op.rhs) in (1, -1):
            yield from _conditions(path, op.lhs, not outcome)
        case arith.AndIOp() | arith.OrIOp() if outcome == isinstance(op, arith.AndIOp):
            yield from _conditions(path, op.lhs, outcome)
            yield from _conditions(path, op.rhs, outcome)
        case _:
            raise _Unknown
