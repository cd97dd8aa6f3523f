"""sinpi, cospi, tanpi: functions of x half turns. Their reduction is exact.

|x| = 2k + n/2 + r with |r| <= 1/4: n selects sin(pi r) or cos(pi r), and the sign.
"""

from __future__ import annotations

import math

from polycl.lowering.llvm.expand_math.math_values import Int, Real, Rule, round_to_int
from polycl.lowering.llvm.expand_math.trigonometric import quarter, sin_and_cos


def _reduce(x: Real) -> tuple[Int, Real, Real]:
    """n, sin(pi r) and cos(pi r); NaN for infinities.

    In f32 pi r is not rounded: r pi + r^3 p(r^2) and 1 + r^2 q(r^2).
    """
    size = abs(x)
    turn = size - (size * 0.5).trunc() * 2.0
    n = round_to_int(turn, 2.0)
    r = n.number.fma(-0.5, turn)
    high, low = x.table("PI")
    if x.is_f64:
        return n.bits, *sin_and_cos(r.fma(high, r * low))
    z = r * r
    sin = r.fma(high, r.fma(low, (r * z) * z.polynomial("SINPI")))
    return n.bits, sin, z.fma(z.polynomial("COSPI"), 1.0)


def sinpi(x: Real) -> Real:
    """sin(pi x): of an integer, a zero with the sign of x."""
    n, sin, cos = _reduce(x)
    y = quarter(n, sin, cos)
    return y.equals(0.0).choose(0.0, y).xor_sign(x.sign_bit())


def cospi(x: Real) -> Real:
    """cos(pi x): of an integer and a half, +0."""
    n, sin, cos = _reduce(x)
    y = quarter(n + 1, sin, cos)
    return y.equals(0.0).choose(0.0, y)


def tanpi(x: Real) -> Real:
    """tan(pi x) = sin(pi r) / cos(pi r) for even n, -cos(pi r) / sin(pi r) for odd n.

    For an integer a zero, with the sign of x if it is even, else with the other sign; for n + 1/2
    infinity, for odd n with the other sign (OpenCL 1.2, section 7.5.1).
    """
    n, sin, cos = _reduce(x)
    odd = (n & 1).compare("ne", 0)
    # Elsewhere the signs for n = 2 and 3 cancel in the quotient.
    is_pole = odd & sin.equals(0.0)
    numerator, denominator = odd.choose(cos, sin), odd.choose(-sin, cos)
    quotient = is_pole.choose(math.inf, numerator / denominator)
    turns_back = (is_pole | quotient.equals(0.0)).choose_int((n & 2) << x.pick(30, 62), 0)
    return quotient.xor_sign(turns_back ^ x.sign_bit())


SINGLE: dict[str, Rule] = {"sinpi": sinpi, "cospi": cospi, "tanpi": tanpi}
DOUBLE: dict[str, Rule] = SINGLE
