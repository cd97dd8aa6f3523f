"""The logarithm of pow, powr, pown and rootn by tables, as a sum of two floats.

As in logarithm_by_table.py, log2(x) = (e + l) + log2(1 + f), with l = -log2(c) = l_short + l_rest.
f = m c - 1 is a sum of two floats without an error. The first two terms of log(1 + f) = f - f^2/2
(1 + f p(f)) are computed to twice the precision, the others are small.
"""

from __future__ import annotations

from polycl.lowering.llvm.expand_math.logarithm import split
from polycl.lowering.llvm.expand_math.logarithm_by_table import LEAST, place_of
from polycl.lowering.llvm.expand_math.math_values import Real


def log2_of_parts(size: Real) -> tuple[Real, Real]:
    """log2 of a positive number, which is finite."""
    e, m, offset = split(size, LEAST)
    place = place_of(offset, m)
    c, short, rest = (
        place.choose_number(m.table(f"LOG2_{name}"), m.type) for name in ("C", "L", "L_REST")
    )
    product = m * c
    f, f_low = product - 1.0, m.product_error(c, product)
    # s + s_low = f - f^2/2 (1 + f p(f))
    half = f * -0.5
    square = half * f
    s = f + square
    s_low = (f - s) + square
    if f.is_f64:
        s_low = s_low + half.product_error(f, square)
    # That of f_low is f_low / (1 + f), nearly f_low (1 - f + f^2).
    s_low = s_low + f_low.fma(f.fma(f, -f), f_low)
    s_low = (f * square).fma(f.polynomial("POW_REST"), s_low)
    # s / log(2)
    slope, slope_low = map(m.constant, m.table("LOG2_SLOPE"))
    u = s * slope
    u_low = s.fma(slope_low, s_low.fma(slope, s.product_error(slope, u)))
    short = e + short
    sum = short + u
    rest = ((short - sum) + u) + (u_low + rest)
    high = sum + rest
    return high, (sum - high) + rest
