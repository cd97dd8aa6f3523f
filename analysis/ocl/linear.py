"""Integers as sums of other values: `2 * x + 1 - n`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from polycl.analysis.ocl.cut_sums import may_wrap
from polycl.analysis.ocl.evaluate import SUMS, Domain, evaluate, same
from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.uniformity import constant_value, is_narrow
from polycl.symbolic import Poly, atom, integer

Linear: TypeAlias = Poly[SSAValue, int]
"""A number and each value times its factor: `number` and `factors`; there are no products."""


def linear(value: SSAValue, ranges: Mapping[SSAValue, range] | None = None) -> Linear:
    """`value` as a sum; the values in it are read as signed numbers.

    Signed arithmetic does not overflow in C, and a narrowed index (an id, a loop counter, or a sum
    of them with small numbers) fits: a launch checks the range of the ids. An unsigned sum may
    wrap: widened, it is a value of its own, unless the `ranges` of the values in it say that it
    fits.
    """
    return evaluate(value, Sums(ranges))


class Sums(Domain[Linear]):
    """What `linear` finds of many values of one program, each of which is computed once."""

    def __init__(self, ranges: Mapping[SSAValue, range] | None = None):
        super().__init__()
        self._ranges = ranges or {}

    def number(self, number: int, value: SSAValue) -> Linear:
        return integer(number)

    def opaque(self, value: SSAValue) -> Linear:
        return atom(value)

    def product(self, op: arith.MuliOp, x: Linear, y: Linear) -> Linear | None:
        has_number = any(constant_value(operand) is not None for operand in op.operands)
        return x * y if has_number else None

    def widened(self, op: arith.IndexCastOp, x: Linear) -> Linear | None:
        return None if is_narrow(op.result) or may_wrap(op) else x

    def unsigned(self, op: arith.ExtUIOp, x: Linear) -> Linear | None:
        ends = [x.number, x.number]
        for value, factor in x.factors.items():
            numbers = self._ranges.get(value)
            if not numbers:
                return None
            low, high = sorted((factor * numbers[0], factor * numbers[-1]))
            ends = [ends[0] + low, ends[1] + high]
        return x if ends[0] >= 0 and ends[1] < 1 << bits_of(op.input.type) else None

    rules = {
        **SUMS,
        arith.MuliOp: product,
        arith.ExtSIOp: same,
        arith.ExtUIOp: unsigned,
        arith.IndexCastOp: widened,
    }
