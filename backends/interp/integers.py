"""Two's complement arithmetic on Python integers, for any width in bits.

An integer of width w is held as the unsigned number 0 <= v < 2**w with its bit pattern. Each
function here takes the width and returns the operation on such numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Unary: TypeAlias = Callable[[int], int]
Binary: TypeAlias = Callable[[int, int], int]
Ternary: TypeAlias = Callable[[int, int, int], int]


class UndefinedOperation(Exception):
    """The program does what has no defined result; the text says what."""


def to_signed(value: int, width: int) -> int:
    """The number that the bit pattern means in two's complement."""
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


def _check_divisor(b: int) -> None:
    if b == 0:
        raise UndefinedOperation("integer division by zero")


def _signed_pair(a: int, b: int, width: int) -> tuple[int, int]:
    """Both numbers, signed, for a division that has a result."""
    _check_divisor(b)
    x, y = to_signed(a, width), to_signed(b, width)
    if y == -1 and x == -(1 << (width - 1)):
        raise UndefinedOperation(f"integer overflow: {x} divided by -1 does not fit in i{width}")
    return x, y


def _quotient(x: int, y: int) -> int:
    """Division that rounds toward zero."""
    magnitude = abs(x) // abs(y)
    return magnitude if (x < 0) == (y < 0) else -magnitude


def div_unsigned(width: int) -> Binary:
    def div(a: int, b: int) -> int:
        _check_divisor(b)
        return a // b

    return div


def rem_unsigned(width: int) -> Binary:
    def rem(a: int, b: int) -> int:
        _check_divisor(b)
        return a % b

    return rem


def div_signed(width: int) -> Binary:
    mask = (1 << width) - 1

    def div(a: int, b: int) -> int:
        return _quotient(*_signed_pair(a, b, width)) & mask

    return div


def rem_signed(width: int) -> Binary:
    mask = (1 << width) - 1

    def rem(a: int, b: int) -> int:
        x, y = _signed_pair(a, b, width)
        return (x - _quotient(x, y) * y) & mask

    return rem


def floor_div_signed(width: int) -> Binary:
    mask = (1 << width) - 1

    def div(a: int, b: int) -> int:
        x, y = _signed_pair(a, b, width)
        return (x // y) & mask

    return div


def ceil_div_signed(width: int) -> Binary:
    mask = (1 << width) - 1

    def div(a: int, b: int) -> int:
        x, y = _signed_pair(a, b, width)
        return -(-x // y) & mask

    return div


def ceil_div_unsigned(width: int) -> Binary:
    def div(a: int, b: int) -> int:
        _check_divisor(b)
        return -(-a // b)

    return div


def _check_shift(amount: int, width: int) -> None:
    if amount >= width:
        raise UndefinedOperation(f"shift of i{width} by {amount}; expected less than {width}")


def shift_left(width: int) -> Binary:
    mask = (1 << width) - 1

    def shift(a: int, b: int) -> int:
        _check_shift(b, width)
        return (a << b) & mask

    return shift


def shift_right_unsigned(width: int) -> Binary:
    def shift(a: int, b: int) -> int:
        _check_shift(b, width)
        return a >> b

    return shift


def shift_right_signed(width: int) -> Binary:
    mask = (1 << width) - 1

    def shift(a: int, b: int) -> int:
        _check_shift(b, width)
        return (to_signed(a, width) >> b) & mask

    return shift


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
    """The comparison that `arith.cmpi` calls `predicate`."""
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
    """From `source` bits to `target` bits; to fewer bits it keeps the low ones."""
    mask = (1 << target) - 1
    read = signed(source)
    return lambda a: read(a) & mask


def zero_extend(source: int, target: int) -> Unary:
    """From `source` bits to `target` bits; to fewer bits it keeps the low ones."""
    mask = (1 << target) - 1
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
    """|a|; the smallest number stays what it is, as `0 - a` wraps."""
    half, full = 1 << (width - 1), 1 << width
    return lambda a: full - a if a > half else a
