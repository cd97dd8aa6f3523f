"""pow, powr, pown and rootn of f64.

An error of y log2|x| counts up to 1074 times in the result, so the logarithm is a sum of two f64,
right to about 2^-63: log2(1 + f) = 2/log(2) atanh(s) with s = f / (2 + f), whose first two terms
s + s^3/3 are computed to twice the precision.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import f64

from polycl.lowering.math import constants as c
from polycl.lowering.math.exponential import exp_of_rest
from polycl.lowering.math.logarithm import split
from polycl.lowering.math.power_edges import signed_pow, signed_pown, signed_powr, signed_rootn
from polycl.lowering.math.values import Int, Real, round_to_int, scale


def log2_of_size(x: Real) -> tuple[Real, Real]:
    """log2|x| as high + low: -inf for zeros, inf for infinities, NaN for NaN."""
    size = abs(x)
    e, m = split(size)
    f = m - 1.0
    # s + s_low = f / (d + d_low)
    d = f + 2.0
    d_low = f - (d - 2.0)
    s = f / d
    s_low = ((-s).fma(d, f) - s * d_low) / d
    # a + a_low = z/3 + z^2 p(z), where z + z_low = s^2
    z = s * s
    z_low = s.fma(s, -z) + s * s_low * 2.0
    third, third_low = c.THIRD_F64
    a = z * third
    a_low = z.fma(third, -a) + (z * third_low + z_low * third)
    a_low = a_low + z * z * z.polynomial(c.POW_F64)
    # t + t_low = s (1 + a)
    product = s * a
    t = s + product
    t_low = (s - t) + product
    t_low = t_low + (s.fma(a, -product) + (s * a_low + s_low * (a + 1.0)))
    # e + 2/log(2) t
    factor, factor_low = c.TWO_OVER_LN2_F64
    u = t * factor
    u_low = t.fma(factor, -u) + (t * factor_low + t_low * factor)
    high = e + u
    low = ((e - high) + u) + u_low
    high = size.equals(0.0).choose(-math.inf, high)
    return size.compare("uge", math.inf).choose(size, high), low


def _size(x: Real, y: Real, y_low: Real | None = None) -> Real:
    """|x|^(y + y_low) = 2^n e^(r log(2)). Out of +-1100 the result is infinite or 0."""
    high, low = log2_of_size(x)
    t = y * high
    t_low = y.fma(high, -t) + y * low
    if y_low is not None:
        t_low = t_low + y_low * high
    inside = abs(t) < 1100.0
    t = t.at_most(1100.0).at_least(-1100.0)
    n = round_to_int(t)
    r = (t - n.number) + inside.choose(t_low, 0.0)
    return scale(exp_of_rest(r * c.LN2_F64[0]), n.bits)


def pow(x: Real, y: Real) -> Real:
    return signed_pow(x, y, _size(x, y))


def powr(x: Real, y: Real) -> Real:
    return signed_powr(x, _size(x, y))


def pown(x: Real, n: Int) -> Real:
    return signed_pown(x, n, _size(x, n.to_float(f64)))


def rootn(x: Real, n: Int) -> Real:
    """|x|^(i + i_low) with 1/n = i + i_low."""
    number = n.to_float(f64)
    inverse = 1.0 / number
    return signed_rootn(x, n, _size(x, inverse, (-inverse).fma(number, 1.0) * inverse))
