"""Bounds of integers that depend on nothing but counters of loops between constants."""

from __future__ import annotations

from math import inf
from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, SSAValue

from polycl.analysis.ocl.evaluate import Domain, evaluate, same

Interval: TypeAlias = tuple[float, float]
"""Inclusive bounds of a number."""

ANY: Interval = -inf, inf
LARGEST = 1 << 31
"""Numbers up to here do not wrap in the type of an index."""


def interval(value: SSAValue) -> Interval:
    """The bounds of a value; ANY where it depends on anything else."""
    return evaluate(value, _Intervals())


def _in_range(x: Interval) -> Interval:
    return x if -LARGEST < x[0] and x[1] < LARGEST else ANY


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
        return _in_range((x[0] + y[0], x[1] + y[1]))

    def difference(self, op: arith.SubiOp, x: Interval, y: Interval) -> Interval:
        return _in_range((x[0] - y[1], x[1] - y[0]))

    def product(self, op: arith.MuliOp, x: Interval, y: Interval) -> Interval:
        if ANY in (x, y):
            return ANY
        ends = [a * b for a in x for b in y]
        return _in_range((min(ends), max(ends)))

    def narrowed(self, op: arith.TruncIOp | arith.IndexCastOp, x: Interval) -> Interval:
        type = op.result.type
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
