"""Bounds of integers: by counters of loops between constants; also by types and masks."""

from __future__ import annotations

from math import inf
from typing import TypeAlias

from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Block, SSAValue

from polycl.analysis.ocl.evaluate import Domain, evaluate, same
from polycl.dialects.vec import element_of

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
    return evaluate(value, _Bounds())


def _in_range(x: Interval, type: Attribute) -> Interval:
    """ANY where a number may wrap in its type."""
    element = element_of(type)
    half = LARGEST
    if isinstance(element, IntegerType):
        half = min(half, 1 << element.width.data - 1)
    return x if -half < x[0] and x[1] < half else ANY


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
        if ANY in (x, y):
            return ANY
        ends = [a * b for a in x for b in y]
        return _in_range((min(ends), max(ends)), op.result.type)

    def narrowed(self, op: arith.TruncIOp | arith.IndexCastOp, x: Interval) -> Interval:
        type = element_of(op.result.type)
        half = 1 << type.width.data - 1 if isinstance(type, IntegerType) else LARGEST
        return x if -half <= x[0] and x[1] < half else ANY

    def extended(self, op: arith.ExtUIOp, x: Interval) -> Interval:
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


class _Bounds(_Intervals):
    def extended(self, op: arith.ExtUIOp, x: Interval) -> Interval:
        source = element_of(op.input.type)
        if x[0] >= 0 or not isinstance(source, IntegerType):
            return super().extended(op, x)
        return _in_range((0, (1 << source.width.data) - 1), op.result.type)

    def masked(self, op: arith.AndIOp, x: Interval, y: Interval) -> Interval:
        """No more than either of them that is not negative."""
        ends = [last for first, last in (x, y) if first >= 0]
        return (0, min(ends)) if ends else ANY

    def remainder(self, op: arith.RemUIOp, x: Interval, y: Interval) -> Interval:
        return (0, y[1] - 1) if y[0] > 0 else ANY

    def shifted(self, op: arith.ShRUIOp, x: Interval, y: Interval) -> Interval:
        """By a constant: so many bits are zero."""
        type, bits = element_of(op.result.type), y[0]
        if not isinstance(type, IntegerType) or bits != y[1] or not 0 <= bits < type.width.data:
            return ANY
        return _in_range((0, (1 << type.width.data - int(bits)) - 1), type)

    def element(self, op: vector.ExtractOp, x: Interval, *position: Interval) -> Interval:
        """The bounds of a vector are those of each element."""
        return x

    rules = {
        **_Intervals.rules,
        arith.ExtUIOp: extended,
        arith.AndIOp: masked,
        arith.RemUIOp: remainder,
        arith.ShRUIOp: shifted,
        vector.ExtractOp: element,
    }
