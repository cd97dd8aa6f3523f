"""Math and common builtins (OpenCL 1.2, sections 6.12.2 and 6.12.4).

Each is a formula whose operations round to the type, one by one, in the order written. Functions
of pi and `pown`, `rootn`, `atan2pi` are computed in binary64 and rounded once at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from polycl.analysis.llvm.libm import LIBM_BUILTINS, MATH_OPS
from polycl.backends.interp.floats import (
    Format,
    RoundTo,
    bits_of,
    divide,
    from_bits,
    max_num,
    min_num,
    next_after,
    round_scaled,
)
from polycl.backends.interp.integers import to_signed
from polycl.backends.interp.ops.run_math import library_function, root
from polycl.backends.libm import libm, libm_lgamma_r
from polycl.dialects.ocl.builtins import BUILTINS

Maker: TypeAlias = Callable[[Format], Callable[..., Any]]

_INT_MIN, _INT_MAX = 0x8000_0000, 0x7FFF_FFFF
"""As bit patterns of i32."""


def _scaled(factor: float) -> Maker:
    def make(f: Format) -> Callable[..., float]:
        constant = f.round(factor)
        return lambda x: f.mul(x, constant)

    return make


def _smoothstep(f: Format, edge0: float, edge1: float, x: float) -> float:
    ratio = f.div(f.sub(x, edge0), f.sub(edge1, edge0))
    t = min_num(max_num(ratio, 0.0), 1.0)
    return f.mul(f.mul(t, t), f.sub(3.0, f.mul(2.0, t)))


def _sign(x: float) -> float:
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x if x == x else 0.0


def _floor(x: float) -> float:
    """C's floor, which keeps infinities, NaN and -0."""
    return float(math.floor(x)) if math.isfinite(x) and x else x


def _trunc(x: float) -> float:
    """C's trunc, which keeps infinities, NaN and the sign of zero."""
    return math.copysign(float(math.trunc(x)), x) if math.isfinite(x) else x


def _fract(f: Format, x: float) -> tuple[float, float]:
    if math.isinf(x):
        return math.copysign(0.0, x), x
    if x != x or x == 0.0:
        return x, x
    floor = _floor(x)
    return min_num(f.sub(x, floor), f.below_one), floor


def _modf(f: Format, x: float) -> tuple[float, float]:
    whole = _trunc(x)
    part = 0.0 if math.isinf(x) else f.sub(x, whole)
    return math.copysign(part, x), whole


def _frexp(x: float) -> tuple[float, int]:
    fraction, exponent = math.frexp(x)
    # For infinities and NaN the exponent is unspecified: 0, as for zero.
    return fraction, exponent & 0xFFFF_FFFF if math.isfinite(x) else 0


def _ldexp(f: Format, x: float, n: int) -> float:
    if not math.isfinite(x):
        return x
    # Beyond these limits every number overflows or vanishes.
    by = min(max(to_signed(n, 32), -5000), 5000)
    numerator, denominator = abs(x).as_integer_ratio()
    exponent = 1 - denominator.bit_length() + by
    is_negative = math.copysign(1.0, x) < 0.0
    return round_scaled(is_negative, numerator, exponent, f, RoundTo.NEAREST_EVEN)


def _ilogb(x: float) -> int:
    if not math.isfinite(x):
        return _INT_MAX
    return (math.frexp(x)[1] - 1) & 0xFFFF_FFFF if x else _INT_MIN


def _logb(x: float) -> float:
    if not math.isfinite(x):
        return abs(x)
    return float(math.frexp(x)[1] - 1) if x else -math.inf


def _nan(f: Format) -> Callable[..., float]:
    """A quiet NaN that holds the lower bits of the argument."""
    stored = f.precision - 1
    infinity = bits_of(math.inf, f.bits)
    quiet = infinity | 1 << (stored - 1)
    return lambda payload: from_bits(quiet | payload & ((1 << (stored - 1)) - 1), f.bits)


def _maxmag(x: float, y: float) -> float:
    a, b = abs(x), abs(y)
    return x if a > b else y if b > a else max_num(x, y)


def _minmag(x: float, y: float) -> float:
    a, b = abs(x), abs(y)
    return x if a < b else y if b < a else min_num(x, y)


def _remquo(f: Format) -> Callable[..., tuple[float, int]]:
    """The remainder, and the 7 low bits of the quotient with its sign."""
    remainder = library_function("remainder", f, 2)

    def remquo(x: float, y: float) -> tuple[float, int]:
        rest = remainder(x, y)
        if rest != rest or math.isinf(y):
            return rest, 0
        quotient = round(Fraction(x) / Fraction(y))
        bits = abs(quotient) & 0x7F
        return rest, (-bits if quotient < 0 else bits) & 0xFFFF_FFFF

    return remquo


def _lgamma_r(f: Format) -> Callable[..., tuple[float, int]]:
    function, rounding = libm_lgamma_r(max(f.bits, 32)), f.round

    def lgamma_r(x: float) -> tuple[float, int]:
        value, sign = function(x)
        return rounding(value), sign & 0xFFFF_FFFF

    return lgamma_r


def _powr(f: Format) -> Callable[..., float]:
    """exp(y * log(x)): pow(|x|, y), but NaN where that has no limit."""
    power = library_function("pow", f, 2)

    def powr(x: float, y: float) -> float:
        if x < 0.0 or x != x or y != y:
            return math.nan
        if (y == 0.0 and (x == 0.0 or math.isinf(x))) or (x == 1.0 and math.isinf(y)):
            return math.nan
        return power(abs(x), y)

    return powr


_pow64 = libm("pow", 64, 2)


def _rootn(x: float, n: int) -> float:
    if n == 0 or (x < 0.0 and not n & 1):
        return math.nan
    y = root(x, to_signed(n, 32))
    return y if n & 1 else abs(y)


def _turn(x: float) -> tuple[float, float, int]:
    """sin and cos of pi * r, and the quarter q, where x = r + q/2 (mod 2) and |r| <= 1/4."""
    angle = math.fmod(x, 2.0)
    quarters = round(angle * 2.0)
    radians = (angle - quarters * 0.5) * math.pi
    return libm("sin", 64)(radians), libm("cos", 64)(radians), quarters % 4


def _sin_turn(x: float) -> float:
    """sin(pi * x); a zero has the sign of x."""
    if not math.isfinite(x):
        return math.nan
    sin, cos, quarter = _turn(x)
    result = (sin, cos, -sin, -cos)[quarter]
    return result if result else math.copysign(0.0, x)


def _cos_turn(x: float) -> float:
    """cos(pi * x); a zero is +0."""
    if not math.isfinite(x):
        return math.nan
    sin, cos, quarter = _turn(x)
    return (cos, -sin, -cos, sin)[quarter] or 0.0


def _tan_turn(x: float) -> float:
    return divide(_sin_turn(x), _cos_turn(x))


def _over_pi(base: str, arity: int = 1) -> Callable[..., float]:
    function = libm(base, 64, arity)
    return lambda *arguments: function(*arguments) / math.pi


def _in_f64(function: Callable[..., float]) -> Maker:
    """Evaluated in binary64, rounded once."""
    return lambda f: lambda *arguments: f.round(function(*arguments))


def _exact(function: Callable[..., Any]) -> Maker:
    """A function whose result needs no rounding."""
    return lambda _: function


def _rounding(function: Callable[..., Any]) -> Maker:
    """A function that takes the format as its first argument."""
    return lambda f: partial(function, f)


def _library(base: str, arity: int = 1) -> Maker:
    return lambda f: library_function(base, f, arity)


def _sincos(f: Format) -> Callable[..., tuple[float, float]]:
    sin, cos = library_function("sin", f, 1), library_function("cos", f, 1)
    return lambda x: (sin(x), cos(x))


# The functions that `native_f` and `half_f` compute, besides the functions below.
_PLAIN: dict[str, Maker] = {
    "divide": lambda f: f.div,
    "recip": lambda f: lambda x: f.div(1.0, x),
    "rsqrt": lambda f: lambda x: f.div(1.0, f.sqrt(x)),
    "sqrt": lambda f: f.sqrt,
    **{name: _library(name) for name in MATH_OPS.values()},
}

ONE_RESULT: dict[str, Maker] = {
    "clamp": _exact(lambda x, low, high: min_num(max_num(x, low), high)),
    "degrees": _scaled(180 / math.pi),
    "mix": lambda f: lambda x, y, a: f.add(x, f.mul(f.sub(y, x), a)),
    "radians": _scaled(math.pi / 180),
    "sign": _exact(_sign),
    "smoothstep": _rounding(_smoothstep),
    "step": _exact(lambda edge, x: 0.0 if x < edge else 1.0),
    "fdim": lambda f: lambda x, y: 0.0 if x <= y else f.sub(x, y),
    "ilogb": _exact(_ilogb),
    "ldexp": _rounding(_ldexp),
    "logb": _exact(_logb),
    "mad": lambda f: lambda a, b, c: f.add(f.mul(a, b), c),
    "maxmag": _exact(_maxmag),
    "minmag": _exact(_minmag),
    "nan": _nan,
    "nextafter": lambda f: lambda x, y: next_after(x, y, f.bits),
    "pown": _in_f64(lambda x, n: _pow64(x, float(to_signed(n, 32)))),
    "powr": _powr,
    "rootn": _in_f64(_rootn),
    "acospi": _in_f64(_over_pi("acos")),
    "asinpi": _in_f64(_over_pi("asin")),
    "atanpi": _in_f64(_over_pi("atan")),
    "atan2pi": _in_f64(_over_pi("atan2", 2)),
    "cospi": _in_f64(_cos_turn),
    "sinpi": _in_f64(_sin_turn),
    "tanpi": _in_f64(_tan_turn),
    **{name: _library(name, len(row.arguments)) for name, row in LIBM_BUILTINS.items()},
}
"""Functions of each element on its own, with one result."""

for _row in BUILTINS.values():
    if _row.plain != _row.name:
        ONE_RESULT[_row.name] = (_PLAIN | ONE_RESULT)[_row.plain]

TWO_RESULTS: dict[str, Maker] = {
    "fract": _rounding(_fract),
    "frexp": _exact(_frexp),
    "lgamma_r": _lgamma_r,
    "modf": _rounding(_modf),
    "remquo": _remquo,
    "sincos": _sincos,
}
"""Functions of each element on its own, with two results."""
