"""IEEE 754 binary16, binary32 and binary64 arithmetic on Python floats.

A value of each format is held as the Python float (binary64) that equals it. `+ - * /` and `sqrt`
are computed in binary64 and rounded once more: for binary32 and binary16 that gives the correctly
rounded result, since 53 >= 2p + 2 (S. A. Figueroa, "When is double rounding innocuous?", 1995).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from polycl.backends.libm import libm

_HALF = struct.Struct("<e")
_SINGLE = struct.Struct("<f")


def round_f16(x: float) -> float:
    """`x` rounded to binary16, to nearest even."""
    try:
        return _HALF.unpack(_HALF.pack(x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def round_f32(x: float) -> float:
    """`x` rounded to binary32, to nearest even."""
    try:
        return _SINGLE.unpack(_SINGLE.pack(x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def round_f64(x: float) -> float:
    return x


@dataclass(frozen=True)
class Format:
    """One binary interchange format, with its operations; each result is rounded once."""

    bits: int
    precision: int
    """Bits of the significand, the hidden one included."""

    max_exponent: int
    round: Callable[[float], float]

    @property
    def min_exponent(self) -> int:
        """The exponent of the smallest normal number."""
        return 1 - self.max_exponent

    @property
    def largest(self) -> float:
        """The largest finite number."""
        return math.ldexp(2.0 - 2.0 ** (1 - self.precision), self.max_exponent)

    @property
    def below_one(self) -> float:
        """The largest number below 1."""
        return 1.0 - 2.0**-self.precision

    def add(self, a: float, b: float) -> float:
        return self.round(a + b)

    def sub(self, a: float, b: float) -> float:
        return self.round(a - b)

    def mul(self, a: float, b: float) -> float:
        return self.round(a * b)

    def div(self, a: float, b: float) -> float:
        return self.round(divide(a, b))

    def sqrt(self, x: float) -> float:
        return self.round(square_root(x))

    def fma(self, a: float, b: float, c: float) -> float:
        """`a * b + c`, rounded once."""
        match self.bits:
            case 64:
                return _fma(a, b, c)
            case 32:
                return _fmaf(a, b, c)
            case _:
                # The product is exact in binary64. An inexact sum is not next to a midpoint of
                # binary16: the bits of a sum below 2**16 span at most 40 places there.
                return self.round(_fma(a, b, c))


_fma = libm("fma", 64, 3)
_fmaf = libm("fma", 32, 3)

F16 = Format(16, 11, 15, round_f16)
F32 = Format(32, 24, 127, round_f32)
F64 = Format(64, 53, 1023, round_f64)


def divide(a: float, b: float) -> float:
    """IEEE 754 division in binary64; Python's raises where the divisor is zero."""
    if b != 0.0:
        return a / b
    if a == 0.0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def square_root(x: float) -> float:
    """IEEE 754 square root in binary64; NaN below zero."""
    return math.nan if x < 0.0 else math.sqrt(x)


def min_num(a: float, b: float) -> float:
    """C's `fmin`: the smaller one; a NaN counts as missing; -0 is below +0."""
    if a < b:
        return a
    if b < a:
        return b
    if a != a:
        return b
    if b != b:
        return a
    return a if math.copysign(1.0, a) < 0.0 else b


def max_num(a: float, b: float) -> float:
    """C's `fmax`: the larger one; a NaN counts as missing; +0 is above -0."""
    if a > b:
        return a
    if b > a:
        return b
    if a != a:
        return b
    if b != b:
        return a
    return b if math.copysign(1.0, a) < 0.0 else a


def minimum(a: float, b: float) -> float:
    """IEEE 754-2019 `minimum`: NaN if one is NaN."""
    return math.nan if a != a or b != b else min_num(a, b)


def maximum(a: float, b: float) -> float:
    """IEEE 754-2019 `maximum`: NaN if one is NaN."""
    return math.nan if a != a or b != b else max_num(a, b)


class RoundTo(Enum):
    """The rounding modes of OpenCL 1.2, section 6.2.3.2."""

    NEAREST_EVEN = "rte"
    ZERO = "rtz"
    POSITIVE = "rtp"
    NEGATIVE = "rtn"


def round_scaled(negative: bool, mantissa: int, exponent: int, to: Format, mode: RoundTo) -> float:
    """The exact number +-mantissa * 2**exponent, rounded once to a format.

    `mantissa` is a nonnegative integer of any size.
    """
    sign = -1.0 if negative else 1.0
    if mantissa == 0:
        return sign * 0.0
    # The exponent of the result's last place: p bits from the top, or the subnormals' place.
    top = mantissa.bit_length() + exponent - 1
    place = max(top, to.min_exponent) - to.precision + 1
    shift = place - exponent
    if shift <= 0:
        kept, rest, half = mantissa << -shift, 0, 1
    else:
        kept, rest, half = mantissa >> shift, mantissa & ((1 << shift) - 1), 1 << (shift - 1)
    match mode:
        case RoundTo.NEAREST_EVEN:
            up = rest > half or (rest == half and kept & 1 == 1 and rest > 0)
        case RoundTo.ZERO:
            up = False
        case RoundTo.POSITIVE:
            up = rest > 0 and not negative
        case RoundTo.NEGATIVE:
            up = rest > 0 and negative
    kept += up
    if kept.bit_length() + place - 1 > to.max_exponent:
        stays = {
            RoundTo.NEAREST_EVEN: False,
            RoundTo.ZERO: True,
            RoundTo.POSITIVE: negative,
            RoundTo.NEGATIVE: not negative,
        }[mode]
        return sign * (to.largest if stays else math.inf)
    return sign * math.ldexp(float(kept), place)


def round_float(x: float, to: Format, mode: RoundTo) -> float:
    """`x` rounded to a format."""
    if x != x or math.isinf(x):
        return x
    numerator, denominator = abs(x).as_integer_ratio()
    exponent = 1 - denominator.bit_length()
    return round_scaled(math.copysign(1.0, x) < 0.0, numerator, exponent, to, mode)


def round_int(value: int, to: Format, mode: RoundTo = RoundTo.NEAREST_EVEN) -> float:
    """An integer rounded once to a format."""
    return round_scaled(value < 0, abs(value), 0, to, mode)


_CODES = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}


def bits_of(x: float, bits: int) -> int:
    """The bit pattern of `x`, a value of the format with that many bits."""
    code, word = _CODES[bits]
    return struct.unpack(word, struct.pack(code, x))[0]


def from_bits(pattern: int, bits: int) -> float:
    """The number with this bit pattern in the format with that many bits."""
    code, word = _CODES[bits]
    return struct.unpack(code, struct.pack(word, pattern))[0]


def next_after(x: float, y: float, bits: int) -> float:
    """The neighbour of `x` towards `y` in the format with that many bits."""
    if x != x or y != y:
        return math.nan
    if x == y:
        return y
    if x == 0.0:
        return math.copysign(from_bits(1, bits), y)
    away = (y > x) == (x > 0.0)
    return from_bits(bits_of(x, bits) + (1 if away else -1), bits)
