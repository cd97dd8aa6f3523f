"""Two's complement arithmetic on Python integers, for any width in bits.

An integer of width w is held as the unsigned number 0 <= v < 2**w with its bit pattern. Each
function here takes the width and returns the operation on such numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TypeAlias

Unary: TypeAlias = Callable[[int], int]
Binary: TypeAlias = Callable[[int, int], int]


class UndefinedOperation(Exception):
    """An operation without a defined result; the text names it."""


def to_signed(value: int, width: int) -> int:
    """The value of a bit pattern in two's complement."""
    return value - (1 << width) if value >> (width - 1) else value


def signed(width: int) -> Unary:
    half, full = 1 << (width - 1), 1 << width
    return lambda a: a - full if a >= half else a


def add(width: int) -> Binary:
    mask = (1 << width) - 1
    return lambda a, b: (a + b) & mask


def sub(width: int) -> Binary:
    mask = (1 << width) - 1
    return lambda a, b: (a - b) & mask


def mul(width: int) -> Binary:
    mask = (1 << width) - 1
    return lambda a, b: (a * b) & mask


def bit_and(width: int) -> Binary:
    return lambda a, b: a & b


def bit_or(width: int) -> Binary:
    return lambda a, b: a | b


def bit_xor(width: int) -> Binary:
    return lambda a, b: a ^ b


def undefined_division(width: int, *, is_signed: bool) -> Callable[[int, int], str]:
    """What is undefined in a division of two numbers; empty if nothing is."""
    half, mask = 1 << (width - 1), (1 << width) - 1

    def reason(a: int, b: int) -> str:
        if b == 0:
            return "integer division by zero"
        if is_signed and a == half and b == mask:
            return f"integer overflow: {-half} divided by -1 does not fit in i{width}"
        return ""

    return reason


def _unsigned_division(divide: Binary) -> Callable[[int], Binary]:
    """A division of unsigned numbers.

    OpenCL C gives an undefined division some value, and no exception (OpenCL 1.2, section 6.3.a).
    On all devices it is that of a division by 1.
    """
    return lambda width: lambda a, b: divide(a, b or 1)


def _signed_division(divide: Binary) -> Callable[[int], Binary]:
    """See `_unsigned_division`."""

    def make(width: int) -> Binary:
        half, full = 1 << (width - 1), 1 << width
        mask = full - 1

        def divided(a: int, b: int) -> int:
            if b == 0 or (a == half and b == mask):
                b = 1
            x, y = a - full if a >= half else a, b - full if b >= half else b
            return divide(x, y) & mask

        return divided

    return make


def _quotient(x: int, y: int) -> int:
    """Division that rounds toward zero."""
    magnitude = abs(x) // abs(y)
    return magnitude if (x < 0) == (y < 0) else -magnitude


def _ceil_div(x: int, y: int) -> int:
    return -(-x // y)


div_unsigned = _unsigned_division(operator.floordiv)
rem_unsigned = _unsigned_division(operator.mod)
ceil_div_unsigned = _unsigned_division(_ceil_div)
div_signed = _signed_division(_quotient)
rem_signed = _signed_division(lambda x, y: x - _quotient(x, y) * y)
floor_div_signed = _signed_division(operator.floordiv)
ceil_div_signed = _signed_division(_ceil_div)


def _shift(shift: Callable[[int], Binary]) -> Callable[[int], Binary]:
    """A shift by less than the width."""

    def make(width: int) -> Binary:
        function, mask = shift(width), (1 << width) - 1

        def checked(a: int, b: int) -> int:
            if b >= width:
                raise UndefinedOperation(f"shift of i{width} by {b}; expected less than {width}")
            return function(a, b) & mask

        return checked

    return make


shift_left = _shift(lambda width: operator.lshift)
shift_right_unsigned = _shift(lambda width: operator.rshift)
shift_right_signed = _shift(lambda width: lambda a, b: to_signed(a, width) >> b)


def min_unsigned(width: int) -> Binary:
    return lambda a, b: a if a < b else b


def max_unsigned(width: int) -> Binary:
    return lambda a, b: a if a > b else b


def min_signed(width: int) -> Binary:
    # Flipping the sign bit turns the order of signed numbers into that of unsigned ones.
    flip = 1 << (width - 1)
    return lambda a, b: a if a ^ flip < b ^ flip else b


def max_signed(width: int) -> Binary:
    flip = 1 << (width - 1)
    return lambda a, b: a if a ^ flip > b ^ flip else b


def compare(predicate: str, width: int) -> Callable[[int, int], bool]:
    """The comparison of a predicate of `arith.cmpi`."""
    flip = 1 << (width - 1)
    table: dict[str, Callable[[int, int], bool]] = {
        "eq": lambda a, b: a == b,
        "ne": lambda a, b: a != b,
        "slt": lambda a, b: a ^ flip < b ^ flip,
        "sle": lambda a, b: a ^ flip <= b ^ flip,
        "sgt": lambda a, b: a ^ flip > b ^ flip,
        "sge": lambda a, b: a ^ flip >= b ^ flip,
        "ult": lambda a, b: a < b,
        "ule": lambda a, b: a <= b,
        "ugt": lambda a, b: a > b,
        "uge": lambda a, b: a >= b,
    }
    return table[predicate]


def sign_extend(source: int, target: int) -> Unary:
    """From `source` bits to `target` bits; fewer bits are the low ones."""
    mask = (1 << target) - 1
    read = signed(source)
    return lambda a: read(a) & mask


def truncate(width: int) -> Unary:
    """The low bits."""
    mask = (1 << width) - 1
    return lambda a: a & mask


def saturate(value: int, width: int, *, is_signed: bool) -> int:
    """Any integer brought into the range of the type, as a bit pattern."""
    low = -(1 << (width - 1)) if is_signed else 0
    high = (1 << (width - 1)) - 1 if is_signed else (1 << width) - 1
    return min(max(value, low), high) & ((1 << width) - 1)


def leading_zeros(width: int) -> Unary:
    return lambda a: width - a.bit_length()


def trailing_zeros(width: int) -> Unary:
    return lambda a: (a & -a).bit_length() - 1 if a else width


def absolute(width: int) -> Unary:
    """|a|; that of the smallest number is the number itself, as `0 - a` wraps."""
    half, full = 1 << (width - 1), 1 << width
    return lambda a: full - a if a > half else a
