"""cbrt and hypot; pow, powr, pown and rootn are in power_of_parts.py."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import f32

from polycl.lowering.llvm.expand_math import power_of_parts
from polycl.lowering.llvm.expand_math.math_values import Real, Rule


def _inverse_cbrt_estimate(a: Real) -> Real:
    """a^(-1/3) to 4 percent: the bits of a float are almost its logarithm.

    The upper 32 bits of an f64 are enough, and an f32 holds them with an error of 2^-24.
    """
    bits, bias, mantissa = a.bits(), a.pick(127, 1023), a.pick(23, 20)
    upper = bits.shift_right_logical(32).resized(32) if a.is_f64 else bits
    third = upper.to_float(f32) * (1 / 3)
    constant = round((4 / 3) * (bias - 0.0450466) * 2**mantissa)
    estimate = constant - third.to_int(32)
    return (estimate.resized(64) << 32 if a.is_f64 else estimate).as_float(a.type)


def cbrt(x: Real) -> Real:
    """z = a^(-1/3) from the bits of a = |x| and one step of fourth order (two in f64), y = a z^2,
    and a step of Newton's with an exact residue: y + (a - y^3) z^2 / 3.

    h = 1 - a z^3: z (1 - h)^(-1/3) = z (1 + h/3 + 2/9 h^2 + 14/81 h^3 + ...).
    """
    # Large enough that the residue does not underflow.
    small = abs(x) < x.pick(2.0**-60, 2.0**-600)
    a = small.choose(abs(x) * x.pick(2.0**96, 2.0**600), abs(x))
    z = _inverse_cbrt_estimate(a)
    for _ in range(x.pick(1, 2)):
        h = (a * z).fma(-(z * z), 1.0)
        z = z.fma(h * h.polynomial((1 / 3, 2 / 9, 14 / 81)), z)
    square = z * z
    y = a * square
    cube_error = y.product_error(y, y * y)
    residue = a.minus_product(y, y * y) - y * cube_error
    y = residue.fma(square * (1 / 3), y)
    y = small.choose(y * x.pick(2.0**-32, 2.0**-200), y)
    exact = x.equals(0.0) | abs(x).compare("uge", math.inf)
    return exact.choose(x, y.copysign(x))


def _hypot(x: Real, y: Real, root: Real) -> Real:
    """The root; infinite if one argument is, even if the other is NaN."""
    infinite = abs(x).equals(math.inf) | abs(y).equals(math.inf)
    return infinite.choose(math.inf, root)


def hypot(x: Real, y: Real) -> Real:
    """sqrt(x^2 + y^2) in f64, which neither overflows nor underflows."""
    a, b = x.to_f64(), y.to_f64()
    return _hypot(x, y, a.fma(a, b * b).sqrt_to_round().to_f32())


def hypot_scaled(x: Real, y: Real) -> Real:
    """sqrt(x^2 + y^2), both scaled if one is large, or if both are small."""
    a, b = abs(x), abs(y)
    limit, factor = x.pick(2.0**60, 2.0**500), x.pick(2.0**80, 2.0**600)
    large = (a > limit) | (b > limit)
    small = (a < 1 / limit) & (b < 1 / limit)
    up = large.choose(1 / factor, small.choose(a.constant(factor), 1.0))
    down = large.choose(factor, small.choose(a.constant(1 / factor), 1.0))
    a, b = a * up, b * up
    return _hypot(x, y, a.fma(a, b * b).sqrt() * down)


SINGLE: dict[str, Rule] = {
    **power_of_parts.RULES,
    "cbrt": cbrt,
    "hypot": hypot,
}
DOUBLE: dict[str, Rule] = {
    **power_of_parts.RULES,
    "cbrt": cbrt,
    "hypot": hypot_scaled,
}
UNFUSED: dict[str, Rule] = DOUBLE
"""Of f32, without f64."""
