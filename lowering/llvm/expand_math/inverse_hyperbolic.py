"""asinh, acosh and atanh by log1p, whose relative error does not grow with that of its argument."""

from __future__ import annotations

import math

from polycl.lowering.llvm.expand_math.logarithm import log1p
from polycl.lowering.llvm.expand_math.math_values import Real, Rule


def _log1p_or_log2x(size: Real, argument: Real) -> Real:
    """log1p(argument), or log(size) + log(2) where the square of size might be infinite."""
    is_large = size > size.pick(2.0**62, 2.0**510)
    y = log1p(is_large.choose(size, argument))
    return is_large.choose(y + size.table("LN2")[0], y)


def asinh(x: Real) -> Real:
    """log1p(|x| + x^2 / (1 + sqrt(1 + x^2))), with the sign of x."""
    size = abs(x)
    square = size * size
    argument = size + square / ((square + 1.0).sqrt() + 1.0)
    return _log1p_or_log2x(size, argument).copysign(x)


def acosh(x: Real) -> Real:
    """log1p(t + sqrt(2t + t^2)), t = x - 1; NaN below 1."""
    t = x - 1.0
    argument = t + t.fma(t, t * 2.0).sqrt()
    return (x < 1.0).choose(math.nan, _log1p_or_log2x(x, argument))


def atanh(x: Real) -> Real:
    """log1p(2|x| / (1 - |x|)) / 2, with the sign of x; NaN above 1."""
    size = abs(x)
    y = log1p((size * 2.0) / (1.0 - size)) * 0.5
    return (size > 1.0).choose(math.nan, y.copysign(x))


SINGLE: dict[str, Rule] = {"asinh": asinh, "acosh": acosh, "atanh": atanh}
DOUBLE: dict[str, Rule] = SINGLE
