"""pow, powr and pown with a constant exponent: a few products, a root, a reciprocal.

Each operation is off by half of an ulp and x^8 is three squares, so that the largest error is below
8 ulp; OpenCL allows 16. A reciprocal that is denormal has a power that is 0 or one step of it.
"""

from __future__ import annotations

import math

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import SSAValue

from polycl.lowering.llvm.expand_math.math_values import Real

LARGEST = 8.0
"""Of exponents, by size."""


def known_exponent(value: SSAValue) -> float | None:
    """An exponent that is the same constant in all elements, and a multiple of a half."""
    if not isinstance(value.owner, arith.ConstantOp):
        return None
    attribute = value.owner.value
    if isinstance(attribute, FloatAttr | IntegerAttr):
        numbers = {float(attribute.value.data)}
    elif isinstance(attribute, DenseIntOrFPElementsAttr):
        numbers = set(np.asarray(attribute.get_values(), float).tolist())
    else:
        return None
    if len(numbers) != 1:
        return None
    (number,) = numbers
    return number if abs(number) <= LARGEST and (2 * number).is_integer() else None


def known_power(x: Real, exponent: float) -> Real:
    """x^exponent, as pow has it: even for -0 and -inf if the exponent is not an integer."""
    whole, is_half = int(abs(exponent)), exponent % 1 != 0
    root: Real | None = None
    if is_half:
        x = x.equals(-math.inf).choose(math.inf, x + 0.0)
        root = x.sqrt()
    if exponent < 0:
        # Not of the product, which could be denormal or infinite where its reciprocal is a number.
        x, root = 1.0 / x, root and 1.0 / root
    return _product(x, whole, root)


def known_powr(x: Real, exponent: float) -> Real:
    """The same for x of 0 or more; NaN below."""
    return (x < 0.0).choose(math.nan, known_power(x + 0.0, exponent))


def _product(x: Real, count: int, product: Real | None) -> Real:
    """x^count times `product`, by squares."""
    while count:
        if count % 2:
            product = x if product is None else product * x
        count //= 2
        if count:
            x = x * x
    return x.constant(1.0) if product is None else product
