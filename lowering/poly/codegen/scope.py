"""A builder of index arithmetic with constant folding, common subexpressions and hoisting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import Linear
from polycl.analysis.ocl.uniformity import constant_value
from polycl.symbolic import atom, integer

Condition: TypeAlias = SSAValue | bool
"""An i1, or a known value."""

_IndexOp: TypeAlias = type[
    arith.MaxSIOp
    | arith.MinSIOp
    | arith.MuliOp
    | arith.ShRSIOp
    | arith.DivSIOp
    | arith.DivUIOp
    | arith.RemSIOp
    | arith.RemUIOp
    | arith.AndIOp
]

_SHIFTED = {("sge", -1): "sgt", ("sle", 1): "slt", ("sgt", 1): "sge", ("slt", -1): "sle"}
"""Equal comparisons such as `x >= n + 1` and `x > n`, by the difference of the sides."""


class Scope:
    """A place for new operations, which are added to the outermost scope that has their operands.

    Each operation is added once. Only operations that are always defined are added.
    """

    def __init__(self, anchor: Operation, point: InsertPoint, outer: Scope | None = None):
        self._point = point
        self._anchor = anchor
        self._root: Scope = self if outer is None else outer._root
        self._depth = 0 if outer is None else outer._depth + 1
        self._home: dict[SSAValue, Scope] = {} if outer is None else outer._home
        self._known: dict[tuple[object, ...], SSAValue] = {}

    def inside(self, block: Block) -> Scope:
        """A scope at the end of `block`; the arguments of the block are available there only."""
        scope = Scope(self._anchor, InsertPoint.at_end(block), self)
        scope._home.update(dict.fromkeys(block.args, scope))
        return scope

    def add_void(self, op: Operation) -> None:
        """Add an operation with an effect, here."""
        op.location = self._anchor.location
        Rewriter.insert_op(op, self._point)

    def number(self, value: int) -> SSAValue:
        """A constant."""
        return self._share(_index_constant, value)

    def condition(self, value: Condition) -> SSAValue:
        """The i1 of a condition, a constant if it is known."""
        if not isinstance(value, bool):
            return value
        return self._share(_bit_constant, int(value))

    def value(self, sum: Linear) -> SSAValue:
        """The value of a sum: outer terms first, subtracted terms last."""

        def order(item: tuple[SSAValue, int]) -> tuple[int, bool]:
            return self._home_of(item[0])._depth, item[1] < 0

        number, result = sum.number, None
        for value, factor in sorted(sum.factors.items(), key=order):
            if result is None and factor < 0:
                result, number = self.number(number), 0
            term = value
            if abs(factor) != 1:
                term = self._op(arith.MuliOp, value, self.number(abs(factor)))
            if result is None:
                result = term
            else:
                kind = arith.AddiOp if factor > 0 else arith.SubiOp
                result = self._share(kind, result, term)
        if result is None:
            return self.number(number)
        if number == 0:
            return result
        kind = arith.AddiOp if number > 0 else arith.SubiOp
        term = self.number(abs(number))
        return self._share(kind, result, term)

    def most(self, sums: Sequence[Linear]) -> Linear:
        """The largest."""
        return self._extreme(arith.MaxSIOp, sums)

    def least(self, sums: Sequence[Linear]) -> Linear:
        """The smallest."""
        return self._extreme(arith.MinSIOp, sums)

    def product(self, one: Linear, other: Linear) -> Linear:
        """The product of two sums."""
        if not one.factors or not other.factors:
            return one * other
        return sum_of(self._op(arith.MuliOp, self.value(one), self.value(other)))

    def floor(self, sum: Linear, by: int) -> Linear:
        """The quotient by a positive number, rounded down."""
        if not sum.factors:
            return integer(sum.number // by)
        value = self.value(sum)
        if by & (by - 1) == 0:
            return sum_of(self._op(arith.ShRSIOp, value, self.number(by.bit_length() - 1)))
        # -1 - (-1 - a) / n where a is negative: division rounds to zero.
        opposite = self.value(-atom(value) - 1)
        below = self.value(-atom(self._op(arith.DivSIOp, opposite, self.number(by))) - 1)
        above = self._op(arith.DivSIOp, value, self.number(by))
        is_negative = self.compare("slt", sum_of(value), integer(0))
        return self.choice(is_negative, sum_of(below), sum_of(above))

    def quotient(self, sum: Linear, by: int) -> Linear:
        """The quotient of a sum that is nonnegative or a multiple, by a positive number."""
        if not sum.factors:
            return integer(sum.number // by)
        if by & (by - 1) == 0:
            return self.floor(sum, by)
        return sum_of(self._op(arith.DivSIOp, self.value(sum), self.number(by)))

    def remainder(self, sum: Linear, by: int, *, natural: bool) -> Linear:
        """The remainder of a `natural` (nonnegative) sum; of others only whether it is 0 counts."""
        if not sum.factors:
            return integer(sum.number % by)
        if by & (by - 1) == 0:
            return sum_of(self._op(arith.AndIOp, self.value(sum), self.number(by - 1)))
        kind = arith.RemUIOp if natural else arith.RemSIOp
        return sum_of(self._op(kind, self.value(sum), self.number(by)))

    def compare(self, predicate: str, lhs: Linear, rhs: Linear) -> Condition:
        """A comparison such as `lhs < rhs`, folded if the difference is a number."""
        difference = lhs - rhs
        if not difference.factors:
            by = difference.number
            return {
                "eq": by == 0, "slt": by < 0, "sle": by <= 0, "sgt": by > 0, "sge": by >= 0
            }[predicate]  # fmt: skip
        other = _SHIFTED.get((predicate, difference.number))
        if other is not None and rhs.factors:
            predicate, rhs = other, rhs + difference.number
        left, right = self.value(lhs), self.value(rhs)
        return self._share(arith.CmpiOp, left, right, predicate)

    def all_of(self, conditions: Sequence[Condition]) -> Condition:
        """Whether each holds."""
        left = [c for c in conditions if c is not True]
        if False in left:
            return False
        return self._joined(arith.AndIOp, left) if left else True

    def any_of(self, conditions: Sequence[Condition]) -> Condition:
        """Whether one of them holds."""
        left = [c for c in conditions if c is not False]
        if True in left:
            return True
        return self._joined(arith.OrIOp, left) if left else False

    def choice(self, condition: Condition, one: Linear, other: Linear) -> Linear:
        """`one` where the condition holds, else `other`."""
        if isinstance(condition, bool):
            return one if condition else other
        values = self.value(one), self.value(other)
        return sum_of(self._share(arith.SelectOp, condition, *values))

    def _joined(self, kind: type[arith.AndIOp | arith.OrIOp], parts: list[Condition]) -> SSAValue:
        values = [self.condition(part) for part in parts]
        return reduce(lambda a, b: self._share(kind, a, b), values)

    def _extreme(self, kind: type[arith.MaxSIOp | arith.MinSIOp], sums: Sequence[Linear]) -> Linear:
        pick = max if kind is arith.MaxSIOp else min
        # Of sums that differ by a number only, one is the extreme.
        best: list[Linear] = []
        for sum in sums:
            for i, other in enumerate(best):
                if sum.factors == other.factors:
                    best[i] = pick(sum, other, key=lambda s: s.number)
                    break
            else:
                best.append(sum)
        values = [self.value(sum) for sum in best]
        if len(values) == 1:
            return best[0]
        return sum_of(reduce(lambda a, b: self._op(kind, a, b), values))

    def _op(self, kind: _IndexOp, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        if constant_value(rhs) == (0 if kind is arith.ShRSIOp else 1) and kind in (
            arith.MuliOp,
            arith.ShRSIOp,
            arith.DivSIOp,
            arith.DivUIOp,
        ):
            return lhs
        return self._share(kind, lhs, rhs)

    def _home_of(self, value: SSAValue) -> Scope:
        """The scope of a value; values from outside are available everywhere."""
        return self._home.get(value, self._root)

    def _share(self, kind: Callable[..., Operation], *operands: SSAValue | str | int) -> SSAValue:
        """The result of `kind(*operands)`, an existing one if possible."""
        values = [operand for operand in operands if isinstance(operand, SSAValue)]
        homes = [self._home_of(value) for value in values] or [self._root]
        home = max(homes, key=lambda scope: scope._depth)
        key = (kind, *operands)
        if key not in home._known:
            op = kind(*operands)
            home.add_void(op)
            home._known[key] = op.results[0]
            self._home[op.results[0]] = home
        return home._known[key]


def _index_constant(value: int) -> Operation:
    return arith.ConstantOp(IntegerAttr(value, IndexType()))


def _bit_constant(value: int) -> Operation:
    return arith.ConstantOp(IntegerAttr(value, i1))


def sum_of(value: SSAValue) -> Linear:
    """A value as a sum, a number if it is constant."""
    number = constant_value(value)
    return atom(value) if number is None else integer(number)
