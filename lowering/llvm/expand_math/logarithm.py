"""log, log2, log10 and log1p.

x = 2^e (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), so log(x) = e log(2) + log(1 + f). The sum does
not cancel much: it is 0 only where both are. e and f come from the bits of x; a denormal x is
made normal first. That, and the special cases, is in a branch that is skipped if all x are positive
and normal.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from xdsl.dialects.builtin import f32, f64

from polycl.lowering.llvm.expand_math.math_values import Int, Real, Rule, power_of_two
from polycl.lowering.ocl.float_format import float_format

_LEAST = math.sqrt(0.5), math.sqrt(0.5)
"""The bounds of m, for f32 and f64."""


def split(x: Real, least: tuple[float, float] = _LEAST) -> tuple[Real, Real, Int]:
    """e and m = 1 + f of a positive finite x, as floats, and the bits of m above those of `least`,
    below multiples of the mantissa.

    The bits of a float are almost its logarithm: the exponent of x / least rounded down is that of
    the difference of the bits.
    """
    form = float_format(x.type)
    is_denormal = x < form.smallest_normal
    x = is_denormal.choose(x * 2.0**form.mantissa, x)
    exponent, m, offset = split_normal(x, least)
    number = _number(exponent, x)
    return is_denormal.choose(number - float(form.mantissa), number), m, offset


def _number(exponent: Int, x: Real) -> Real:
    """An exponent in the format of x.

    32 bits hold it, and become an f64 in one instruction, which 64 do not everywhere.
    """
    return exponent.resized(32).to_float(x.pick(f32, f64))


def split_normal(x: Real, least: tuple[float, float] = _LEAST) -> tuple[Int, Real, Int]:
    """As `split`, with the exponent as an integer, for x that are not denormal."""
    form = float_format(x.type)
    bits = x.bits()
    integer, float = x.pick(("<i", "<f"), ("<q", "<d"))
    offset = bits - struct.unpack(integer, struct.pack(float, x.pick(*least)))[0]
    exponent = offset >> form.mantissa
    return exponent, (bits - (exponent << form.mantissa)).as_float(x.type), offset


def _rest_of_log1p(f: Real) -> Real:
    """log(1 + f) - f."""
    return _rest_of_log1p_f64(f) if f.is_f64 else (f * f) * _rest_by_square(f)


def _rest_by_square(f: Real) -> Real:
    """(log(1 + f) - f) / f^2 = f p(f) - 1/2."""
    return f.fma(f.polynomial("LOG"), -0.5)


def _log_edges(x: Real, y: Real) -> Real:
    """+inf and NaN are kept; -inf for zeros, NaN below."""
    y = x.compare("uge", math.inf).choose(x, y)
    y = x.equals(0.0).choose(-math.inf, y)
    return (x < 0.0).choose(math.nan, y)


def log_of_parts(e: Real, f: Real) -> Real:
    """e log(2) + log(1 + f)."""
    high, low = e.table("LN2")
    if f.is_f64:
        rest = e.fma(low, _rest_of_log1p_f64(f))
    else:
        rest = (f * f).fma(_rest_by_square(f), e * low)
    return e.fma(high, f + rest)


def log2_of_parts(e: Real, f: Real) -> Real:
    """e + log(1 + f) / log(2)."""
    high, low = f.table("LOG2_E")
    return e + f.fma(high, f.fma(low, _rest_of_log1p(f) * high))


def log10_of_parts(e: Real, f: Real) -> Real:
    """e log10(2) + log(1 + f) / log(10)."""
    high, low = f.table("LOG10_E")
    y = f.fma(high, f.fma(low, _rest_of_log1p(f) * high))
    high, low = f.table("LOG10_2")
    return e.fma(high, e.fma(low, y))


def log_by_parts(
    of_parts: Callable[[Real, Real, Int], Real], least: tuple[float, float] = _LEAST
) -> Callable[[Real], Real]:
    """The logarithm as `of_parts` computes it of what `split` gives."""

    def any_log(x: Real) -> tuple[Real]:
        return (_log_edges(x, of_parts(*split(x, least))),)

    def log(x: Real) -> Real:
        """Arguments that are not positive and normal take the branch."""
        exponent, m, offset = split_normal(x, least)
        usual = of_parts(_number(exponent, x), m, offset)
        form = float_format(x.type)
        smallest = 1 << form.mantissa
        is_other = (x.bits() - smallest).compare("uge", form.exponent_mask - smallest)
        return is_other.if_rare(any_log, x, (usual,))[0]

    return log


def _log(of_parts: Callable[[Real, Real], Real]) -> Callable[[Real], Real]:
    return log_by_parts(lambda e, m, _: of_parts(e, m - 1.0))


log = _log(log_of_parts)


def log1p(x: Real) -> Real:
    """log(1 + x) = e log(2) + log(1 + f), f = x 2^-e + (2^-e - 1), rounded once.

    e is that of 1 + x rounded, which may put f a little outside of its interval. If 1 is lost in
    1 + x, f is computed from x only.
    """
    exponent, m, _ = split_normal(x + 1.0)
    down = power_of_two(0 - exponent, x.type)
    f = (x > 2.0**64).choose(m - 1.0, x.fma(down, down - 1.0))
    y = log_of_parts(_number(exponent, x), f)
    y = x.compare("uge", math.inf).choose(x, y)
    y = x.equals(-1.0).choose(-math.inf, y)
    y = (x < -1.0).choose(math.nan, y)
    # The sign of zero; and denormals.
    return (abs(x) < x.pick(2.0**-26, 2.0**-54)).choose(x, y)


def _rest_of_log1p_f64(f: Real) -> Real:
    """log(1 + f) - f = s (f^2/2 + 2 z p(z)) - f^2/2, where s = f / (2 + f) and z = s^2.

    log(1 + f) = 2 atanh(s) = 2s + 2s z p(z), and 2s = f - f^2/2 + s f^2/2.
    """
    s = f / (f + 2.0)
    z = s * s
    half_square = f * f * 0.5
    return s.fma(half_square + z * 2.0 * z.polynomial("LOG"), -half_square)


SINGLE: dict[str, Rule] = {
    "log": log,
    "log2": _log(log2_of_parts),
    "log10": _log(log10_of_parts),
    "log1p": log1p,
}
DOUBLE: dict[str, Rule] = SINGLE
