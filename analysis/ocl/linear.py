"""Integers as sums of other values: `2 * x + 1 - n`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from polycl.analysis.ocl.uniformity import constant_value


@dataclass(frozen=True)
class Linear:
    """`number` and each value times its factor; no factor is 0."""

    factors: dict[SSAValue, int]
    number: int = 0

    def plus(self, other: Linear, times: int = 1) -> Linear:
        """This and another sum times a number."""
        factors = dict(self.factors)
        for value, factor in other.factors.items():
            factors[value] = factors.get(value, 0) + times * factor
        factors = {value: factor for value, factor in factors.items() if factor}
        return Linear(factors, self.number + times * other.number)


def linear(value: SSAValue) -> Linear:
    """`value` as a sum; the values in it are read as signed numbers.

    Signed arithmetic does not overflow in C, and what is narrowed from an index (an id or a loop
    counter) fits: a launch checks the range of the ids.
    """
    return _linear(value, {})


def _linear(value: SSAValue, known: dict[SSAValue, Linear]) -> Linear:
    if value not in known:
        known[value] = _sum(value, known)
    return known[value]


def _sum(value: SSAValue, known: dict[SSAValue, Linear]) -> Linear:
    number = constant_value(value)
    if number is not None:
        return Linear({}, number)
    owner = value.owner
    match owner:
        case arith.AddiOp() | arith.SubiOp():
            sign = 1 if isinstance(owner, arith.AddiOp) else -1
            return _linear(owner.lhs, known).plus(_linear(owner.rhs, known), sign)
        case arith.MuliOp():
            for side, other in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
                factor = constant_value(side)
                if factor is not None:
                    return Linear({}).plus(_linear(other, known), factor)
        case arith.ExtSIOp():
            return _linear(owner.input, known)
        case arith.IndexCastOp() if not _narrower_than_int(owner):
            return _linear(owner.input, known)
        case _:
            pass
    return Linear({value: 1})


def _narrower_than_int(op: arith.IndexCastOp) -> bool:
    type = op.result.type
    return isinstance(type, IntegerType) and type.width.data < 32
