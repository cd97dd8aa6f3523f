"""exp, exp2, exp10 and expm1.

b^x = 2^n b^r with n = round(x log2(b)) and r = x - n log_b(2), which is small: a polynomial gives
b^r, the exponent n is added to its bits. The upper bound of x is where the result is infinite for
certain, the lower one where n is `zero_exponent` (-170, in f64 -1364) and the result 0 without an
underflow, or where it is -1; NaN passes them. exponential_by_table.py rounds n to fractions: at the
lower bound they are above that number and below the next one.
"""

from __future__ import annotations

from collections.abc import Sequence

from polycl.lowering.llvm.expand_math.coefficients import F32, F64
from polycl.lowering.llvm.expand_math.math_values import (
    Real,
    Rounding,
    Rule,
    minus_multiple,
    power_of_two,
    round_to_int,
    scale_near_one,
)


def _reduce(x: Real, inverse: float, step: Sequence[float]) -> tuple[Rounding, Real]:
    """n = round(x * inverse) and r = x - n * step, where the step is a sum of two floats."""
    n = round_to_int(x, inverse)
    return n, minus_multiple(x, n.number, step, 8)


_BOUNDS = {
    "exp": ((-117.8, 89.0), (-945.4, 710.0)),
    "exp2": ((-170.0, 129.0), (-1364.0, 1025.0)),
    "exp10": ((-51.17, 39.0), (-410.6, 309.0)),
}
"""Of each function for f32 and f64."""


def bounded(x: Real, function: str) -> Real:
    """x, or the bound of that function that it exceeds."""
    least, most = x.pick(*_BOUNDS[function])
    return x.at_most(most).at_least(least)


def exp(x: Real) -> Real:
    """e^x = 2^n (1 + r (1 + r p(r)))."""
    x = bounded(x, "exp")
    n, r = _reduce(x, x.table("LOG2_E")[0], x.table("LN2"))
    return scale_near_one(r.fma(r.fma(r.polynomial("EXP"), 1.0), 1.0), n, x)


def exp2(x: Real) -> Real:
    """2^x = 2^n (1 + r p(r)), r = x - n without an error."""
    x = bounded(x, "exp2")
    n = round_to_int(x)
    r = x - n.number
    return scale_near_one(r.fma(r.polynomial("EXP2"), 1.0), n, x)


def exp10(x: Real) -> Real:
    """10^x = 2^n (1 + r p(r)), r = x - n log10(2)."""
    x = bounded(x, "exp10")
    n, r = _reduce(x, 1.0 / x.table("LOG10_2")[0], x.table("LOG10_2"))
    return scale_near_one(r.fma(r.polynomial("EXP10"), 1.0), n, x)


def expm1(argument: Real) -> Real:
    """e^x - 1 = 2^n p + (2^n - 1), p = e^r - 1 = r + r^2 q(r).

    With 2^(n-1), doubled at the end: n reaches 128. Where x^2/2 is below half a unit in the last
    place the result is x itself.
    """
    x = argument.at_most(argument.pick(89.0, 710.0)).at_least(argument.pick(-20.0, -40.0))
    n, r = _reduce(x, x.table("LOG2_E")[0], x.table("LN2"))
    p = (r * r).fma(r.polynomial(x.pick(F32["EXPM1"], F64["EXP"])), r)
    half_power = power_of_two(n.bits - 1, x.type)
    y = half_power.fma(p, half_power - 0.5) * 2.0
    return (abs(argument) < x.pick(2.0**-25, 2.0**-54)).choose(argument, y)


def exp_f64(x: Real) -> Real:
    """e^x = 2^n (1 + r + r^2 p(r))."""
    x = bounded(x, "exp")
    n, r = _reduce(x, x.table("LOG2_E")[0], x.table("LN2"))
    return scale_near_one(exp_of_rest(r), n, x)


def exp2_f64(x: Real) -> Real:
    """2^x = 2^n e^(r log(2))."""
    x = bounded(x, "exp2")
    n = round_to_int(x)
    r = x - n.number
    return scale_near_one(exp_of_rest(r * r.table("LN2")[0]), n, x)


def exp10_f64(x: Real) -> Real:
    """10^x = 2^n e^(r log(10)), r = x - n log10(2)."""
    x = bounded(x, "exp10")
    n, r = _reduce(x, 1.0 / x.table("LOG10_2")[0], x.table("LOG10_2"))
    return scale_near_one(exp_of_rest(r * r.table("LN10")[0]), n, x)


def exp_of_rest(r: Real) -> Real:
    """e^r = 1 + r + r^2 p(r) for |r| <= log(2)/2."""
    return (r + (r * r) * r.polynomial("EXP")) + 1.0


SINGLE: dict[str, Rule] = {"exp": exp, "exp2": exp2, "exp10": exp10, "expm1": expm1}
DOUBLE: dict[str, Rule] = {
    "exp": exp_f64,
    "exp2": exp2_f64,
    "exp10": exp10_f64,
    "expm1": expm1,
}
