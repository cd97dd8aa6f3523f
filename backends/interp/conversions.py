"""Conversions between integers and floats, exact and rounded once."""

from __future__ import annotations

import math
from collections.abc import Callable

from polycl.backends.interp.floats import Format, RoundTo, round_float, round_int
from polycl.backends.interp.integers import saturate, to_signed


def int_to_float(
    width: int, to: Format, *, is_signed: bool, mode: RoundTo = RoundTo.NEAREST_EVEN
) -> Callable[[int], float]:
    """From the bit pattern of an integer to a float."""

    exact = 1 << to.precision  # The format holds every integer up to here.

    def convert(pattern: int) -> float:
        value = to_signed(pattern, width) if is_signed else int(pattern)
        return float(value) if -exact <= value <= exact else round_int(value, to, mode)

    return convert


def float_to_int(
    width: int, *, is_signed: bool, mode: RoundTo = RoundTo.ZERO, saturates: bool = False
) -> Callable[[float], int]:
    """From a float to the bit pattern of an integer.

    With saturation, NaN becomes 0. Otherwise NaN and values that do not fit, undefined in C, become
    the pattern with only the top bit set, as on x86.
    """
    to_integral: Callable[[float], int] = {
        RoundTo.NEAREST_EVEN: round,
        RoundTo.ZERO: math.trunc,
        RoundTo.POSITIVE: math.ceil,
        RoundTo.NEGATIVE: math.floor,
    }[mode]
    low = -(1 << (width - 1)) if is_signed else 0
    high = (1 << (width - 1)) - 1 if is_signed else (1 << width) - 1
    mask = (1 << width) - 1
    undefined = 1 << (width - 1)

    def convert(x: float) -> int:
        if x != x:
            return 0 if saturates else undefined
        if math.isinf(x):
            return (low if x < 0.0 else high) & mask if saturates else undefined
        value = to_integral(x)
        if low <= value <= high:
            return value & mask
        return saturate(value, width, is_signed=is_signed) if saturates else undefined

    return convert


def float_to_float(to: Format, mode: RoundTo = RoundTo.NEAREST_EVEN) -> Callable[[float], float]:
    """From a float of any format to one of format `to`."""
    if mode is RoundTo.NEAREST_EVEN:
        return to.round
    return lambda x: round_float(x, to, mode)


def int_to_int(
    source: int, target: int, *, from_signed: bool, to_signed_type: bool, saturates: bool
) -> Callable[[int], int]:
    """Between bit patterns of integers."""
    mask = (1 << target) - 1

    def convert(pattern: int) -> int:
        value = to_signed(pattern, source) if from_signed else int(pattern)
        if saturates:
            return saturate(value, target, is_signed=to_signed_type)
        return value & mask

    return convert
