"""pow, powr, pown and rootn of f32; cbrt and hypot. Without f64 see power_of_parts.py.

x^y = 2^(y log2(x)): an error of the exponent is multiplied by up to 150, so f32 is computed in
f64, where it is small. Zeros, infinities and NaN are as in C99, annex F.9.4.4, and OpenCL 1.2,
section 7.5.1.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import f32, f64

from polycl.lowering.llvm.expand_math import power_of_parts
from polycl.lowering.llvm.expand_math.logarithm import split_normal
from polycl.lowering.llvm.expand_math.math_values import Int, Real, Rule, round_to_int
from polycl.lowering.llvm.expand_math.power_edges import (
    signed_pow,
    signed_pown,
    signed_powr,
    signed_rootn,
)
from polycl.lowering.ocl.float_format import float_format


def log2_of_size(x: Real) -> Real:
    """log2|x| in f64 of an f32: -inf for zeros, inf for infinities, NaN for NaN."""
    size = abs(x)
    wide = size.to_f64()
    exponent, m = split_normal(wide)
    f = m - 1.0
    # 32 bits hold the exponent; a conversion from 64 bits is slow.
    result = f.fma(f.polynomial("POW_LOG2"), exponent.resized(32).to_float(f64))
    result = size.equals(0.0).choose(-math.inf, result)
    return size.compare("uge", math.inf).choose(wide, result)


def exp2_to_f32(t: Real) -> Real:
    """2^t of an f64, rounded to f32 once. The bounds are out of the range of f32.

    Below 2^-151 it is 0 before it is rounded, which would underflow: see `scale_near_one`.
    """
    t = t.at_most(200.0).at_least(-200.0)
    n = round_to_int(t)
    y = (t - n.number).polynomial("POW_EXP2")
    power = (y.bits() + (n.bits << 52)).as_float(y.type)
    return (t < -151.0).choose(0.0, power).to_f32()


def _size(x: Real, y: Real) -> Real:
    """|x|^y of f32 with y in f64."""
    return exp2_to_f32(log2_of_size(x) * y)


def pow(x: Real, y: Real) -> Real:
    """Arguments that are negative, infinite or NaN, and exponents of 0, take the branch."""
    size = _size(x, y.to_f64())
    infinite = float_format(x.type).exponent_mask
    is_other = x.bits().compare("uge", infinite)
    is_other |= (abs(y).bits() - 1).compare("uge", infinite - 1)

    def edges(x: Real) -> tuple[Real]:
        return (signed_pow(x, Real(x.e, y.ssa), Real(x.e, size.ssa)),)

    return is_other.if_rare(edges, x, (size,))[0]


def powr(x: Real, y: Real) -> Real:
    return signed_powr(x, _size(x, y.to_f64()))


def pown(x: Real, n: Int) -> Real:
    return signed_pown(x, n, _size(x, n.to_float(f64)))


def rootn(x: Real, n: Int) -> Real:
    """In f64 the reciprocal is exact enough."""
    return signed_rootn(x, n, _size(x, 1.0 / n.to_float(f64)))


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
    return _hypot(x, y, a.fma(a, b * b).sqrt().to_f32())


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
    "pow": pow,
    "powr": powr,
    "pown": pown,
    "rootn": rootn,
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
