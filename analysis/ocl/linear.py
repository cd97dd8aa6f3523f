"""Integers as sums of other values: `2 * x + 1 - n`."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from polycl.analysis.ocl.evaluate import SUMS, Domain, evaluate, same
from polycl.analysis.ocl.uniformity import constant_value, is_narrow
from polycl.symbolic import Poly, atom, integer

Linear: TypeAlias = Poly[SSAValue, int]
"""A number and each value times its factor: `number` and `factors`; there are no products."""


def linear(value: SSAValue) -> Linear:
    """`value` as a sum; the values in it are read as signed numbers.

    Signed arithmetic does not overflow in C, and a narrowed index (an id or a loop counter) fits: a
    launch checks the range of the ids.
    """
    return evaluate(value, _Sums())


class _Sums(Domain[Linear]):
    def number(self, number: int, value: SSAValue) -> Linear:
        return integer(number)

    def opaque(self, value: SSAValue) -> Linear:
        return atom(value)

    def product(self, op: arith.MuliOp, x: Linear, y: Linear) -> Linear | None:
        has_number = any(constant_value(operand) is not None for operand in op.operands)
        return x * y if has_number else None

    def widened(self, op: arith.IndexCastOp, x: Linear) -> Linear | None:
        return None if is_narrow(op.result) else x

    rules = {**SUMS, arith.MuliOp: product, arith.ExtSIOp: same, arith.IndexCastOp: widened}
