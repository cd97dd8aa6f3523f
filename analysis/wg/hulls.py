"""Sums that values of a parallel region lie between: both sides of each selection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, OpResult, SSAValue

from polycl.analysis.ocl.evaluate import Domain, evaluate
from polycl.analysis.ocl.integers import bits_of, signed
from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.analysis.wg.borders import LARGEST_ID, Chosen, Typical
from polycl.analysis.wg.wrapping_loops import WrappingLoop
from polycl.dialects import wg
from polycl.dialects.comparisons import predicate_of
from polycl.symbolic import atom, integer


@dataclass(frozen=True)
class Hull:
    """A value is at least the least of some sums, and at most the largest of others.

    `x < 0 ? x + n : x` lies between x and x + n, `max(x, 0)` between 0 and the larger of 0 and x.
    """

    low: tuple[Linear, ...]
    high: tuple[Linear, ...]

    @classmethod
    def of(cls, sums: Iterable[Linear]) -> Hull | None:
        """Of a value between the least and the largest of some sums."""
        return cls.between(sums := list(sums), sums)

    @classmethod
    def between(cls, low: Iterable[Linear], high: Iterable[Linear]) -> Hull | None:
        """None if there are many sums, of which none is known to be the least or the largest."""
        ends = tuple(_ends(low, 1)), tuple(_ends(high, -1))
        return cls(*ends) if max(map(len, ends)) <= _MOST_SUMS else None

    @property
    def sums(self) -> tuple[Linear, ...]:
        """Sums whose least and largest one the value lies between."""
        return tuple(dict.fromkeys(self.low + self.high))

    @property
    def number(self) -> int | None:
        """The constant that a value is."""
        sums = self.sums
        return sums[0].constant if len(sums) == 1 else None

    def times(self, factor: int) -> Hull:
        low, high = (tuple(sum * factor for sum in end) for end in (self.low, self.high))
        return Hull(low, high) if factor >= 0 else Hull(high, low)


Extension = arith.ExtSIOp | arith.ExtUIOp | arith.IndexCastOp

_MOST_SUMS = 8

_SIGNED = (arith.MaxSIOp, arith.MinSIOp)
_UNSIGNED = (arith.MaxUIOp, arith.MinUIOp)


class Hulls(Domain[Hull]):
    """The hulls of values; what they assume is in `conditions`.

    A value with n bits is known modulo 2^n: a number of the hull has these bits. What reads it, as
    a maximum or a remainder does, asks that the hull is in the range of its type.
    """

    def __init__(self, region: wg.ParallelOp):
        super().__init__()
        self._chosen = Chosen({}, region, Typical(region, frozenset()))
        self.conditions = self._chosen.conditions
        """Sums that are not negative where all that was evaluated is right."""
        self.are_natural = False
        """Whether what is divided is asked not to be negative, so that no remainder is."""

    def strongest(self) -> list[Linear]:
        """The conditions without those that always hold, or that others imply."""
        return self._chosen.strongest()

    def is_natural(self, sum: Linear) -> bool:
        """Whether a sum is never negative, whatever the launch."""
        return self._chosen.is_natural(sum)

    def bounded(self, conditions: list[Linear]) -> list[Linear]:
        """Conditions, and those that their values are not too wide to add."""
        return self._chosen.bounded(conditions)

    def require(self, value: SSAValue, least: int, most: int) -> None:
        """Add the conditions for a value to be in a range."""
        self._in_range(evaluate(value, self), least, most)

    def _in_range(self, hull: Hull, least: int, most: int) -> None:
        self.conditions += [*(sum - least for sum in hull.low), *(-sum + most for sum in hull.high)]

    def _read(self, value: SSAValue, hull: Hull, is_signed: bool = True) -> Hull:
        """The same sums, which are asked to be in the range of its type, and of ids."""
        bits = bits_of(value.type)
        most = min((1 << bits - is_signed) - 1, LARGEST_ID)
        self._in_range(hull, -most - 1 if is_signed else 0, most)
        return hull

    # The domain

    def leaf(self, value: SSAValue) -> Hull | None:
        number = constant_value(value)
        if number is not None:
            return Hull.of([integer(signed(number, value.type))])
        op = value.owner
        if isinstance(op, scf.IfOp) and isinstance(value, OpResult):
            sides = [terminator(side.block).operands[value.index] for side in op.regions]
            return _either(*(evaluate(side, self) for side in sides))
        loop = WrappingLoop.of(op) if isinstance(op, scf.WhileOp) else None
        return None if loop is None else self._wrapped(loop)

    def _wrapped(self, loop: WrappingLoop) -> Hull | None:
        """What a loop leaves: its start, or a number less than a step from the bound."""
        values = (loop.start, loop.bound, loop.step)
        is_signed = loop.predicate.startswith("s")
        hulls = [self._read(value, evaluate(value, self), is_signed) for value in values]
        start, bound, step = hulls
        self.conditions += [sum - 1 for sum in step.low]
        last = _sum(bound, step.times(loop.sign))
        if last is None:
            return None
        # No iteration wraps around.
        self._read(loop.start, last, is_signed)
        return _either(start, bound, last)

    def opaque(self, value: SSAValue) -> Hull:
        return Hull((atom(value),), (atom(value),))

    def sum(self, op: arith.AddiOp, x: Hull, y: Hull) -> Hull | None:
        return _sum(x, y)

    def difference(self, op: arith.SubiOp, x: Hull, y: Hull) -> Hull | None:
        return _sum(x, y.times(-1))

    def product(self, op: arith.MuliOp, x: Hull, y: Hull) -> Hull | None:
        if x.number is not None:
            return y.times(x.number)
        return None if y.number is None else x.times(y.number)

    def shifted(self, op: arith.ShLIOp, x: Hull, y: Hull) -> Hull | None:
        amount = y.number
        return None if amount is None or not 0 <= amount < 31 else x.times(1 << amount)

    def selected(self, op: arith.SelectOp, condition: Hull, x: Hull, y: Hull) -> Hull | None:
        if op.result.type == i1:
            return None
        hull = _either(x, y)
        if hull is None or not _is_absolute(op):
            return hull
        # Its sign is known where x does not wrap.
        self._read(op.lhs, hull)
        return Hull.between([integer(0)], hull.high)

    def extreme(self, op: Operation, x: Hull, y: Hull) -> Hull | None:
        for value, hull in zip(op.operands, (x, y), strict=True):
            self._read(value, hull, isinstance(op, _SIGNED))
        hull = _either(x, y)
        numbers = [integer(number) for each in (x, y) if (number := each.number) is not None]
        if hull is None or not numbers:
            return hull
        if isinstance(op, arith.MaxSIOp | arith.MaxUIOp):
            return Hull.between(numbers, hull.high)
        return Hull.between(hull.low, numbers)

    def remainder(self, op: arith.RemSIOp | arith.RemUIOp, x: Hull, y: Hull) -> Hull | None:
        self._read(op.rhs, y)
        self.conditions += (sum - 1 for sum in y.low)
        most = [sum - 1 for sum in y.high]
        if isinstance(op, arith.RemSIOp):
            if not self.are_natural:
                return Hull.between([-sum for sum in most], most)
            self._read(op.lhs, x, is_signed=False)
        return Hull.between([integer(0)], most)

    def masked(self, op: arith.AndIOp, x: Hull, y: Hull) -> Hull | None:
        if op.result.type == i1:
            return None
        return Hull.between([integer(0)], self._read(op.rhs, y, is_signed=False).high)

    def cast(self, op: arith.TruncIOp | arith.IndexCastOp, x: Hull) -> Hull | None:
        if bits_of(op.results[0].type) <= bits_of(op.operands[0].type):
            return x
        assert isinstance(op, arith.IndexCastOp)
        return self.extended(op, x)

    def extended(self, op: Extension, x: Hull) -> Hull | None:
        if op.input.type == i1:
            return None
        return self._read(op.input, x, not isinstance(op, arith.ExtUIOp))

    rules = {
        arith.AddiOp: sum, arith.SubiOp: difference, arith.MuliOp: product,
        arith.ShLIOp: shifted, arith.SelectOp: selected, arith.AndIOp: masked,
        arith.RemSIOp: remainder, arith.RemUIOp: remainder,
        **dict.fromkeys((*_SIGNED, *_UNSIGNED), extreme),
        arith.TruncIOp: cast, arith.IndexCastOp: cast,
        arith.ExtSIOp: extended, arith.ExtUIOp: extended,
    }  # fmt: skip


def _sum(x: Hull, y: Hull) -> Hull | None:
    return Hull.between(
        (a + b for a in x.low for b in y.low), (a + b for a in x.high for b in y.high)
    )


def _either(*hulls: Hull) -> Hull | None:
    """Of a value that is one of several."""
    return Hull.between(
        (sum for hull in hulls for sum in hull.low), (sum for hull in hulls for sum in hull.high)
    )


def _is_absolute(op: arith.SelectOp) -> bool:
    """Whether a selection is `x < 0 ? 0 - x : x`."""
    test, x, negated = op.cond.owner, op.rhs, op.lhs
    if not isinstance(test, arith.CmpiOp) or constant_value(test.rhs) != 0:
        return False
    if predicate_of(test) in ("sgt", "sge"):
        x, negated = negated, x
    elif predicate_of(test) not in ("slt", "sle"):
        return False
    match negated.owner:
        case arith.SubiOp(lhs=zero, rhs=value):
            return test.lhs is x is value and constant_value(zero) == 0
        case _:
            return False


def _ends(sums: Iterable[Linear], sign: int) -> Iterator[Linear]:
    """The least of sums that differ by a number, or the largest if the sign is -1."""
    alike: dict[frozenset[tuple[SSAValue, int]], list[Linear]] = {}
    for sum in sums:
        alike.setdefault(frozenset(sum.factors.items()), []).append(sum)
    for group in alike.values():
        yield min(group, key=lambda sum: sign * sum.number)
