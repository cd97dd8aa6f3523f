"""pow, powr, pown and rootn.

An error of y log2|x| counts up to 1074 times in the result (149 times in f32), so the logarithm is
a sum of two floats. power_by_table.py has it by tables. Without them, log2(1 + f) = 2/log(2)
atanh(s) with s = f / (2 + f): in f64 it is right to about 2^-63, the first two terms s + s^3/3 are
computed to twice the precision; in f32 to 2^-30, by s alone, so that f32 needs no f64, of which a
vector has half as many.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import f32, f64

from polycl.lowering.llvm.expand_math.exponential import exp_of_rest
from polycl.lowering.llvm.expand_math.exponential_by_table import power_of_base
from polycl.lowering.llvm.expand_math.logarithm import split
from polycl.lowering.llvm.expand_math.math_values import (
    Int,
    Real,
    Rule,
    round_to_int,
    scale_near_one,
    zero_exponent,
)
from polycl.lowering.llvm.expand_math.power_by_table import log2_of_parts
from polycl.lowering.llvm.expand_math.power_edges import (
    signed_pow,
    signed_pown,
    signed_powr,
    signed_rootn,
)
from polycl.lowering.ocl.float_format import float_format


def log2_of_size(x: Real) -> tuple[Real, Real]:
    """log2|x| as high + low: -inf for zeros, inf for infinities, NaN for NaN."""
    size = abs(x)
    if x.e.tables:
        high, low = log2_of_parts(size)
        return _at_edges(size, high), low
    e, m, _ = split(size)
    f = m - 1.0
    # s + s_low = f / (d + d_low)
    d = f + 2.0
    d_low = f - (d - 2.0)
    inverse = 1.0 / d
    s = f * inverse
    s_low = (-s).fma(d_low, f.minus_product(s, d)) * inverse
    if not x.is_f64:
        return _log2_f32(size, e, s, s_low)
    # a + a_low = z/3 + z^2 p(z), where z + z_low = s^2
    z = s * s
    z_low = s.product_error(s, z) + s * s_low * 2.0
    third, third_low = map(x.constant, x.table("THIRD"))
    a = z * third
    a_low = z.product_error(third, a) + (z * third_low + z_low * third)
    a_low = a_low + z * z * z.polynomial("POW")
    # t + t_low = s (1 + a)
    product = s * a
    t = s + product
    t_low = (s - t) + product
    t_low = t_low + (s.product_error(a, product) + (s * a_low + s_low * (a + 1.0)))
    # e + 2/log(2) t
    factor, factor_low = map(x.constant, x.table("TWO_OVER_LN2"))
    u = t * factor
    u_low = t.product_error(factor, u) + (t * factor_low + t_low * factor)
    high = e + u
    return _at_edges(size, high), ((e - high) + u) + u_low


def _log2_f32(size: Real, e: Real, s: Real, s_low: Real) -> tuple[Real, Real]:
    """e + 2/log(2) (s (1 + p(s^2)) + s_low) to 2^-30: p is at most 0.01, so one f32 holds it."""
    z = s * s
    p = z * z.fma(z.polynomial("POW"), z.table("THIRD")[0])
    factor, factor_low = map(s.constant, s.table("TWO_OVER_LN2"))
    u = s * factor
    u_low = u.fma(p, s_low.fma(factor, s.fma(factor_low, s.product_error(factor, u))))
    sum = e + u
    rest = ((e - sum) + u) + u_low
    high = sum + rest
    return _at_edges(size, high), (sum - high) + rest


def _at_edges(size: Real, high: Real) -> Real:
    high = size.equals(0.0).choose(-math.inf, high)
    return size.compare("uge", math.inf).choose(size, high)


def _size(x: Real, y: Real, y_low: Real | None = None) -> Real:
    """|x|^(y + y_low) = 2^n 2^r. Out of the bounds of t the result is infinite or 0."""
    high, low = log2_of_size(x)
    t = y * high
    if y.is_fused:
        t_low = y.fma(low, y.product_error(high, t))
    else:
        # The result for a larger y is infinite, or 0.
        z = y.at_most(2.0**60).at_least(-(2.0**60))
        t_low = z.product_error(high, z * high) + z * low
    if y_low is not None:
        t_low = t_low + y_low * high
    most, least = x.pick(129.0, 1025.0), float(zero_exponent(x.type))
    inside = (t < most) & (t > least)
    t = t.at_most(most).at_least(least)
    n = round_to_int(t, fraction=x.pick(4, 3) if x.e.tables else 0)
    r = (t - n.number) + inside.choose(t_low, 0.0)
    if x.e.tables:
        return power_of_base(n, r, "EXP2_REST", t)
    return scale_near_one(exp2_of_rest(r), n, t)


def exp2_of_rest(r: Real) -> Real:
    """2^r for |r| <= 1/2."""
    if r.is_f64:
        return exp_of_rest(r * r.table("LN2")[0])
    return r.fma(r.polynomial("EXP2"), 1.0)


def pow(x: Real, y: Real) -> Real:
    """Arguments that are negative, infinite or NaN, and exponents of 0, take the branch."""
    size, infinite = _size(x, y), float_format(x.type).exponent_mask
    is_other = x.bits().compare("uge", infinite)
    is_other |= (abs(y).bits() - 1).compare("uge", infinite - 1)

    def edges(x: Real) -> tuple[Real]:
        return (signed_pow(x, Real(x.e, y.ssa), Real(x.e, size.ssa)),)

    return is_other.if_rare(edges, x, (size,))[0]


def powr(x: Real, y: Real) -> Real:
    return signed_powr(x, _size(x, y))


def pown(x: Real, n: Int) -> Real:
    number, rest = _parts(x, n)
    return signed_pown(x, n, _size(x, number, rest))


def rootn(x: Real, n: Int) -> Real:
    """|x|^(i + i_low) with 1/n = i + i_low."""
    number, _ = _parts(x, n)
    inverse = 1.0 / number
    error = x.constant(1.0).minus_product(inverse, number) * inverse
    return signed_rootn(x, n, _size(x, inverse, error))


def _parts(x: Real, n: Int) -> tuple[Real, Real | None]:
    """A number as a sum of two floats of the format of x; f64 has all of its bits."""
    if x.is_f64:
        return n.to_float(f64), None
    high = (n >> 12 << 12).to_float(f32)
    low = (n & 0xFFF).to_float(f32)
    number = high + low
    return number, (high - number) + low


RULES: dict[str, Rule] = {"pow": pow, "powr": powr, "pown": pown, "rootn": rootn}
