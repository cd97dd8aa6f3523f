"""tgamma, lgamma and lgamma_r; for f32 they are computed in f64, if available. lgamma of f64 is a
call of the C library.

Gamma(1 + a) = b^(a + 1/2) e^-b h(u) for a >= 0, where b = a + 1 and u = (a - 3/2) / (a + 3/2): the
rest of Stirling's formula is smooth in u. An error of b hardly counts, since it nearly cancels
between the power and e^-b. Gamma(x) is Gamma(1 + x) / x for x > 0, and for a = -x > 0 it is
-pi / (sin(pi a) Gamma(1 + a)).
"""

from __future__ import annotations

import math

from polycl.lowering.llvm.expand_math.coefficients import F64
from polycl.lowering.llvm.expand_math.logarithm import log
from polycl.lowering.llvm.expand_math.math_values import (
    Bool,
    Int,
    Real,
    Rule,
    low_bits,
    round_to_int,
    scale,
)
from polycl.lowering.llvm.expand_math.power_of_parts import exp2_of_rest, log2_of_size
from polycl.lowering.llvm.expand_math.turns import sinpi
from polycl.lowering.ocl.float_format import float_format

_UP = 64 * math.log(2.0)


def _rest_of_stirling(a: Real) -> Real:
    """h(u)."""
    return ((a - 1.5) / (a + 1.5)).polynomial(F64["GAMMA"])


def _gamma_of_next(a: Real) -> tuple[Real, Int]:
    """Gamma(1 + a) = m 2^n for 0 <= a < 200: 2^((a + 1/2) log2(b) - b / log(2)) h(u).

    The exponent is up to 1200, so it is computed as a sum of two floats.
    """
    b = a + 1.0
    high, low = log2_of_size(b)
    y = a + 0.5
    y_low = a - (y - 0.5)
    power = y * high
    power_low = y.product_error(high, power) + (y * low + y_low * high)
    factor, factor_low = map(a.constant, a.table("LOG2_E"))
    decay = b * factor
    decay_low = b.product_error(factor, decay) + b * factor_low
    t = power - decay
    t_low = ((power - t) - decay) + (power_low - decay_low)
    n = round_to_int(t)
    r = (t - n.number) + t_low
    return exp2_of_rest(r) * _rest_of_stirling(a), low_bits(n)


def tgamma_of_parts(x: Real) -> Real:
    """NaN for negative integers; infinite from 172 on, 0 below -185 (f32: 36 and -42)."""
    size = abs(x).at_most(x.pick(45.0, 200.0))
    m, n = _gamma_of_next(size)
    # Half of m: where x is so small that Gamma(x) is 1/x, m is 2.
    above = scale((m * 0.5) / size, n + 1)
    sine = sinpi(abs(x))
    below = scale(-math.pi / (sine * m), 0 - n)
    y = (x < 0.0).choose(below, above.copysign(x))
    return ((x < 0.0) & sine.equals(0.0)).choose(math.nan, y)


def tgamma(x: Real) -> Real:
    return tgamma_of_parts(x.to_f64()).to_f32()


def _lgamma(x: Real) -> tuple[Real, Bool]:
    """log|Gamma(x)| of an f32, infinite for infinities and for integers up to 0; Gamma(x) < 0.

    log(Gamma(1 + a)) = (a + 1/2) log(b) - b + log(h(u)); the other factor goes into its logarithm.
    Without f64 the error is relative to the terms, not to their sum: large near 1, 2 and other
    zeros.
    """
    wide = x.to_f64() if x.is_fused else x
    a = abs(wide)
    b = a + 1.0
    stirling = (a + 0.5).fma(log(b), -b)
    h = _rest_of_stirling(a)
    sine = sinpi(a)
    if x.is_fused:
        below = log(math.pi / (abs(sine) * h)) - stirling
        above = log(h / a) + stirling
        y = (x < 0.0).choose(below, above).to_f32()
    else:
        # Quotients and terms may be infinite here, but not in f64.
        is_tiny = a < 2.0**-60
        up, rest = is_tiny.choose(a.constant(2.0**64), 1.0), is_tiny.choose(a.constant(_UP), 0.0)
        below = (log(math.pi / (abs(sine) * up * h)) + rest) - stirling
        above = (log(h / (a * up)) + rest) + stirling
        y = (x < 0.0).choose(below, above)
        y = ((x < 0.0) & sine.equals(0.0)).choose(math.inf, y)
    y = (x.equals(1.0) | x.equals(2.0)).choose(0.0, y)
    return abs(x).equals(math.inf).choose(math.inf, y), (x < 0.0) & (sine > 0.0)


def lgamma(x: Real) -> Real:
    return _lgamma(x)[0]


def lgamma_r(x: Real) -> tuple[Real, Int]:
    """And the sign of Gamma(x): 1 at poles and for NaN; that of 1/x for zeros."""
    y, is_negative = _lgamma(x)
    bits = x.bits()
    is_negative |= bits.compare("eq", float_format(x.type).sign_mask)
    return y, is_negative.choose_int(bits.constant(-1), 1)


SINGLE: dict[str, Rule] = {"tgamma": tgamma, "lgamma": lgamma, "lgamma_r": lgamma_r}
DOUBLE: dict[str, Rule] = {"tgamma": tgamma_of_parts}
UNFUSED: dict[str, Rule] = DOUBLE
"""Of f32, without f64."""
