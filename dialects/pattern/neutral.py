"""Whether the initial value of a reduction is neutral: f(z, x) = x for all x.

A reduction in several parts starts at z several times, which is correct for a neutral z only: with
z = 5, a sum in two parts is 5 too large.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from polycl.dialects.pattern.access import TupleOp
from polycl.dialects.pattern.types import is_scalar, scalar_of
from polycl.dialects.pattern.vectors import VectOp

if TYPE_CHECKING:
    from polycl.dialects.pattern.reductions import ReduceBase
    from polycl.dialects.pattern.scatter import ScatterOp

Number = int | float
Element = Callable[[Attribute], Number | None]
"""The neutral element for a scalar type, or None."""


def _number(value: Number) -> Element:
    return lambda type: value


def _all_ones(type: Attribute) -> Number | None:
    return -1 if isinstance(type, IntegerType) else None


def _smallest(type: Attribute) -> Number | None:
    if isinstance(type, AnyFloat):
        return -math.inf
    return -(2 ** (type.width.data - 1)) if isinstance(type, IntegerType) else None


def _largest(type: Attribute) -> Number | None:
    if isinstance(type, AnyFloat):
        return math.inf
    return 2 ** (type.width.data - 1) - 1 if isinstance(type, IntegerType) else None


# A zero of either sign counts as neutral for sums: 0 + -0 is 0, which equals -0.
NEUTRAL: dict[type[Operation], Element] = {
    arith.AddfOp: _number(0),
    arith.AddiOp: _number(0),
    arith.MulfOp: _number(1),
    arith.MuliOp: _number(1),
    arith.OrIOp: _number(0),
    arith.XOrIOp: _number(0),
    arith.AndIOp: _all_ones,
    arith.MaximumfOp: _smallest,
    arith.MaxnumfOp: _smallest,
    arith.MaxSIOp: _smallest,
    arith.MaxUIOp: _number(0),
    arith.MinimumfOp: _largest,
    arith.MinnumfOp: _largest,
    arith.MinSIOp: _largest,
    arith.MinUIOp: _all_ones,
}
"""The operations with a neutral element, and that element."""


def is_neutral(op: ReduceBase) -> bool:
    """Whether the initial value of a reduction is declared to be neutral, or proven to be.

    It is proven where the function is one known operation of the accumulator and the element, or
    one for each part of a tuple, and the initial value is a constant.
    """
    if "neutral" in op.properties:
        return True
    accumulators, elements = op.argument_groups
    inits = _parts(op.init)
    yielded = op.yielded
    if not len(accumulators) == len(elements) == len(inits) == len(yielded):
        return False
    return all(
        _folds(value, a, e, init)
        for value, a, e, init in zip(yielded, accumulators, elements, inits, strict=True)
    )


def _folds(value: SSAValue, accumulator: SSAValue, element: SSAValue, init: SSAValue) -> bool:
    """Whether `value` is the element where the accumulator is `init`."""
    owner, number, both = value.owner, _constant(init), {accumulator, element}
    if isinstance(value, OpResult) and isinstance(owner, VectOp) and set(owner.inputs) == both:
        args = dict(zip(owner.inputs, owner.body.block.args, strict=True))
        inner = owner.yielded[value.index]
        return _folds(inner, args[accumulator], args[element], init)
    if not isinstance(owner, Operation) or number is None:
        return False
    scalar = scalar_of(init.type)
    neutral = _element(owner, both, scalar)
    return neutral is not None and _is_same(number, neutral, scalar)


def neutral_elements(op: ReduceBase | ScatterOp) -> list[Number] | None:
    """The neutral element of the function of a pattern, a number for each part of a tuple.

    None where the parts are not scalars, each of one known operation.
    """
    accumulators, elements = op.argument_groups
    if not len(accumulators) == len(elements) == len(op.yielded):
        return None
    found = [
        _element(value.owner, {a, e}, value.type) if isinstance(value.owner, Operation) else None
        for value, a, e in zip(op.yielded, accumulators, elements, strict=True)
    ]
    known = [element for element in found if element is not None]
    return known if len(known) == len(found) else None


def _element(op: Operation, operands: set[SSAValue], type_: Attribute) -> Number | None:
    """The neutral element of an operation of these two operands."""
    element = NEUTRAL.get(type(op))
    if element is None or len(op.operands) != 2 or set(op.operands) != operands:
        return None
    return element(type_) if is_scalar(type_) else None


def _is_same(a: Number, b: Number, type: Attribute) -> bool:
    """Whether two constants are equal; integers of a width wrap."""
    if isinstance(type, IntegerType) and isinstance(a, int) and isinstance(b, int):
        return (a - b) % 2**type.width.data == 0
    return a == b


def _parts(value: SSAValue) -> list[SSAValue]:
    owner = value.owner
    return list(owner.inputs) if isinstance(owner, TupleOp) else [value]


def _constant(value: SSAValue) -> Number | None:
    """The number of a constant; that of each lane for a vector."""
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp):
        return None
    match owner.value:
        case IntegerAttr() | FloatAttr() as number:
            return number.value.data
        case DenseIntOrFPElementsAttr() as dense if dense.is_splat():
            first = dense.get_values()[0]
            return None if isinstance(first, tuple) else first
        case _:
            return None
