"""Bounds of integers: by counters of loops between constants; also by types and masks."""

from __future__ import annotations

from itertools import permutations
from math import inf
from typing import TypeAlias

from xdsl.dialects import arith, math, scf, ub, vector
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Block, SSAValue

from polycl.analysis.ocl.evaluate import Domain, evaluate, same
from polycl.analysis.ocl.uniformity import element_number
from polycl.dialects import vec
from polycl.dialects.vec import element_of, with_vectors

Interval: TypeAlias = tuple[float, float]
"""Inclusive bounds of a number."""

ANY: Interval = -inf, inf
LARGEST = 1 << 31
"""Numbers up to here do not wrap in the type of an index."""


def interval(value: SSAValue) -> Interval:
    """The bounds of a value that depends on counters of loops between constants, else ANY."""
    return evaluate(value, _Intervals())


def bounds(value: SSAValue) -> Interval:
    """The bounds of a value that may depend on anything: of a byte, say, or of `x & 15`."""
    return evaluate(value, Bounds())


def _in_range(x: Interval, type: Attribute) -> Interval:
    """ANY where a number may wrap in its type."""
    element = element_of(type)
    half = LARGEST
    if isinstance(element, IntegerType):
        half = min(half, 1 << element.width.data - 1)
    return x if -half < x[0] and x[1] < half else ANY


def _are_finite(*intervals: Interval) -> bool:
    return all(-inf < low and high < inf for low, high in intervals)


class _Intervals(Domain[Interval]):
    def number(self, number: int, value: SSAValue) -> Interval:
        return number, number

    def opaque(self, value: SSAValue) -> Interval:
        owner = value.owner
        loop = owner.parent_op() if isinstance(owner, Block) else None
        if not isinstance(loop, scf.ForOp) or value is not loop.body.block.args[0]:
            return ANY
        (first, _), (_, end) = evaluate(loop.lb, self), evaluate(loop.ub, self)
        return (first, end - 1) if first < end else (first, first)

    def sum(self, op: arith.AddiOp, x: Interval, y: Interval) -> Interval:
        return _in_range((x[0] + y[0], x[1] + y[1]), op.result.type)

    def difference(self, op: arith.SubiOp, x: Interval, y: Interval) -> Interval:
        return _in_range((x[0] - y[1], x[1] - y[0]), op.result.type)

    def product(self, op: arith.MuliOp, x: Interval, y: Interval) -> Interval:
        if not _are_finite(x, y):
            return ANY
        ends = [a * b for a in x for b in y]
        return _in_range((min(ends), max(ends)), op.result.type)

    def narrowed(self, op: arith.TruncIOp | arith.IndexCastOp, x: Interval) -> Interval:
        type = element_of(op.result.type)
        half = 1 << type.width.data - 1 if isinstance(type, IntegerType) else LARGEST
        return x if -half <= x[0] and x[1] < half else ANY

    def extended(self, op: vec.AnyExtUI, x: Interval) -> Interval:
        return x if x[0] >= 0 else ANY

    rules = {
        arith.AddiOp: sum,
        arith.SubiOp: difference,
        arith.MuliOp: product,
        arith.IndexCastOp: narrowed,
        arith.TruncIOp: narrowed,
        arith.ExtSIOp: same,
        arith.ExtUIOp: extended,
    }


class Bounds(_Intervals):
    """The bounds of values that may depend on anything."""

    def leaf(self, value: SSAValue) -> Interval | None:
        number = element_number(value)
        return None if number is None else self.number(number, value)

    def extended(self, op: vec.AnyExtUI, x: Interval) -> Interval:
        source = element_of(op.input.type)
        if x[0] >= 0 or not isinstance(source, IntegerType):
            return super().extended(op, x)
        return _in_range((0, (1 << source.width.data) - 1), op.result.type)

    def sign_extended(self, op: vec.AnyExtSI, x: Interval) -> Interval:
        source = element_of(op.input.type)
        if x != ANY or not isinstance(source, IntegerType):
            return x
        half = 1 << source.width.data - 1
        return _in_range((-half, half - 1), op.result.type)

    def sum(self, op: arith.AddiOp, x: Interval, y: Interval) -> Interval:
        """Of `a * k + b * (most - k)`, no more than `most` times the larger of `a` and `b`."""
        found = super().sum(op, x, y)
        blend = _blend(op)
        if blend is None or found == ANY:
            return found
        a, b, k, most = blend
        share = self.known[k]
        if share[0] < 0 or share[1] > most:
            return found
        (low_a, high_a), (low_b, high_b) = self.known[a], self.known[b]
        return min(low_a, low_b) * most, max(high_a, high_b) * most

    def masked(self, op: arith.AndIOp | arith.MinUIOp, x: Interval, y: Interval) -> Interval:
        """No more than either of them that is not negative; ones above a number change nothing."""
        for number, mask in ((x, y), (y, x)):
            if mask[0] == mask[1] and 0 <= number[0] and number[1] <= mask[0]:
                if (int(mask[0]) + 1) & int(mask[0]) == 0:
                    return number
        ends = [last for first, last in (x, y) if first >= 0]
        return (0, min(ends)) if ends else ANY

    def joined(self, op: arith.OrIOp | arith.XOrIOp, x: Interval, y: Interval) -> Interval:
        """Below the next power of two."""
        if not _are_finite(x, y) or min(x[0], y[0]) < 0:
            return ANY
        return 0, (1 << int(max(x[1], y[1])).bit_length()) - 1

    def remainder(self, op: arith.RemUIOp, x: Interval, y: Interval) -> Interval:
        return (0, y[1] - 1) if y[0] > 0 else ANY

    def quotient(self, op: arith.DivUIOp | arith.DivSIOp, x: Interval, y: Interval) -> Interval:
        """Of what is not negative, by a constant."""
        if not _are_finite(x, y) or x[0] < 0 or y[0] != y[1] or y[0] <= 0:
            return ANY
        return x[0] // y[0], x[1] // y[0]

    def shifted(self, op: arith.ShRUIOp, x: Interval, y: Interval) -> Interval:
        """By a constant: so many bits are zero."""
        type, bits = element_of(op.result.type), y[0]
        if not isinstance(type, IntegerType) or bits != y[1] or not 0 <= bits < type.width.data:
            return ANY
        if _are_finite(x) and x[0] >= 0:
            return int(x[0]) >> int(bits), int(x[1]) >> int(bits)
        return _in_range((0, (1 << type.width.data - int(bits)) - 1), type)

    def divided(self, op: arith.ShRSIOp, x: Interval, y: Interval) -> Interval:
        if not _are_finite(x, y) or y[0] != y[1] or not 0 <= y[0] < 64:
            return ANY
        return int(x[0]) >> int(y[0]), int(x[1]) >> int(y[0])

    def multiplied(self, op: arith.ShLIOp, x: Interval, y: Interval) -> Interval:
        if not _are_finite(x, y) or y[0] != y[1] or not 0 <= y[0] < 64:
            return ANY
        return _in_range((int(x[0]) << int(y[0]), int(x[1]) << int(y[0])), op.result.type)

    def larger(self, op: arith.MaxSIOp, x: Interval, y: Interval) -> Interval:
        return max(x[0], y[0]), max(x[1], y[1])

    def smaller(self, op: arith.MinSIOp, x: Interval, y: Interval) -> Interval:
        return min(x[0], y[0]), min(x[1], y[1])

    def larger_unsigned(self, op: arith.MaxUIOp, x: Interval, y: Interval) -> Interval:
        return (max(x[0], y[0]), max(x[1], y[1])) if min(x[0], y[0]) >= 0 else ANY

    def chosen(self, op: vec.AnySelect, _: Interval, x: Interval, y: Interval) -> Interval:
        return min(x[0], y[0]), max(x[1], y[1])

    def absolute(self, op: math.AbsIOp, x: Interval) -> Interval:
        if not _are_finite(x):
            return ANY
        low = 0 if x[0] <= 0 <= x[1] else min(map(abs, x))
        return _in_range((low, max(map(abs, x))), op.result.type)

    def element(self, op: vector.ExtractOp, x: Interval, *position: Interval) -> Interval:
        """The bounds of a vector are those of each element."""
        return x

    def inserted(
        self, op: vector.InsertOp | vector.ShuffleOp, x: Interval, y: Interval, *position: Interval
    ) -> Interval:
        return min(x[0], y[0]), max(x[1], y[1])

    def undefined(self, op: ub.PoisonOp) -> Interval:
        """It may be taken for any number."""
        return 0, 0

    rules = with_vectors(
        {
            **_Intervals.rules,
            arith.AddiOp: sum,
            arith.ExtUIOp: extended,
            arith.ExtSIOp: sign_extended,
            arith.AndIOp: masked,
            arith.OrIOp: joined,
            arith.XOrIOp: joined,
            arith.RemUIOp: remainder,
            arith.DivUIOp: quotient,
            arith.DivSIOp: quotient,
            arith.ShRUIOp: shifted,
            arith.ShRSIOp: divided,
            arith.ShLIOp: multiplied,
            arith.MaxSIOp: larger,
            arith.MinSIOp: smaller,
            arith.MaxUIOp: larger_unsigned,
            arith.MinUIOp: masked,
            arith.SelectOp: chosen,
            math.AbsIOp: absolute,
            vector.ExtractOp: element,
            vector.InsertOp: inserted,
            vector.ShuffleOp: inserted,
            vector.BroadcastOp: same,
            ub.PoisonOp: undefined,
        }
    )


def _blend(op: arith.AddiOp) -> tuple[SSAValue, SSAValue, SSAValue, int] | None:
    """`a`, `b`, `k` and `most` of `a * k + b * (most - k)`."""
    first, second = op.lhs.owner, op.rhs.owner
    if not (isinstance(first, arith.MuliOp) and isinstance(second, arith.MuliOp)):
        return None
    for one, other in ((first, second), (second, first)):
        for b, rest in permutations(other.operands):
            difference = _for_all(rest).owner
            if not isinstance(difference, arith.SubiOp):
                continue
            most, k = element_number(difference.lhs), difference.rhs
            for a, share in permutations(one.operands):
                if most is not None and _for_all(share) is _for_all(k):
                    return a, b, k, most
    return None


def _for_all(value: SSAValue) -> SSAValue:
    """The scalar of which a vector has copies."""
    return value.owner.source if isinstance(value.owner, vector.BroadcastOp) else value
