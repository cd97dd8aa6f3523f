"""Sums that values of a parallel region lie between: both sides of each selection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
from polycl.symbolic import atom, integer

Hull = tuple[Linear, ...]
"""A value lies between the least and the largest of these sums: `x < 0 ? x + n : x` between x and
x + n."""

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
        for sum in hull:
            self.conditions += [sum - least, -sum + most]

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
            return (integer(signed(number, value.type)),)
        op = value.owner
        if isinstance(op, scf.IfOp) and isinstance(value, OpResult):
            sides = [terminator(side.block).operands[value.index] for side in op.regions]
            return _hull(sum for side in sides for sum in evaluate(side, self))
        loop = WrappingLoop.of(op) if isinstance(op, scf.WhileOp) else None
        return None if loop is None else self._wrapped(loop)

    def _wrapped(self, loop: WrappingLoop) -> Hull | None:
        """What a loop leaves: its start, or a number less than a step from the bound."""
        values = (loop.start, loop.bound, loop.step)
        is_signed = loop.predicate.startswith("s")
        hulls = [self._read(value, evaluate(value, self), is_signed) for value in values]
        start, bound, step = hulls
        self.conditions += [sum - 1 for sum in step]
        last = [b + loop.sign * s for b in bound for s in step]
        # No iteration wraps around.
        self._read(loop.start, tuple(last), is_signed)
        return _hull((*start, *bound, *last))

    def opaque(self, value: SSAValue) -> Hull:
        return (atom(value),)

    def sum(self, op: arith.AddiOp, x: Hull, y: Hull) -> Hull | None:
        return _hull(a + b for a in x for b in y)

    def difference(self, op: arith.SubiOp, x: Hull, y: Hull) -> Hull | None:
        return _hull(a - b for a in x for b in y)

    def product(self, op: arith.MuliOp, x: Hull, y: Hull) -> Hull | None:
        factors = [number for hull in (x, y) if (number := _number(hull)) is not None]
        others = y if _number(x) is not None else x
        return tuple(sum * factors[0] for sum in others) if factors else None

    def shifted(self, op: arith.ShLIOp, x: Hull, y: Hull) -> Hull | None:
        amount = _number(y)
        if amount is None or not 0 <= amount < 31:
            return None
        return tuple(sum * (1 << amount) for sum in x)

    def selected(self, op: arith.SelectOp, condition: Hull, x: Hull, y: Hull) -> Hull | None:
        return None if op.result.type == i1 else _hull((*x, *y))

    def extreme(self, op: Operation, x: Hull, y: Hull) -> Hull | None:
        for value, hull in zip(op.operands, (x, y), strict=True):
            self._read(value, hull, isinstance(op, _SIGNED))
        return _hull((*x, *y))

    def remainder(self, op: arith.RemSIOp | arith.RemUIOp, x: Hull, y: Hull) -> Hull | None:
        ends = [sum - 1 for sum in self._read(op.rhs, y)]
        self.conditions += ends
        if isinstance(op, arith.RemSIOp):
            if not self.are_natural:
                return _hull((*ends, *(-sum for sum in ends)))
            self._read(op.lhs, x, is_signed=False)
        return _hull((*ends, integer(0)))

    def masked(self, op: arith.AndIOp, x: Hull, y: Hull) -> Hull | None:
        if op.result.type == i1:
            return None
        mask = self._read(op.rhs, y, is_signed=False)
        return _hull((*mask, integer(0)))

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


def _number(hull: Hull) -> int | None:
    """The constant that a value is."""
    return hull[0].constant if len(hull) == 1 else None


def _hull(sums: Iterable[Linear]) -> Hull | None:
    """The least and the largest of sums that differ by a number; None if many others are left."""
    kept = tuple(_ends(list(sums)))
    return kept if len(kept) <= _MOST_SUMS else None


def _ends(sums: list[Linear]) -> Iterator[Linear]:
    alike: dict[frozenset[tuple[SSAValue, int]], list[Linear]] = {}
    for sum in sums:
        alike.setdefault(frozenset(sum.factors.items()), []).append(sum)
    for group in alike.values():
        least = min(group, key=lambda sum: sum.number)
        most = max(group, key=lambda sum: sum.number)
        yield from (least,) if least.number == most.number else (least, most)
