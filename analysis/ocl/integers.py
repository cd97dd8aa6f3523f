"""The semantics of `arith` on Python integers.

A value is the signed integer of its bits, but an `i1` is 0 or 1. `index` has 64 bits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects.comparisons import is_unsigned, predicate_of


def bits_of(type: Attribute) -> int:
    """The width of an integer or of an `index`."""
    return type.width.data if isinstance(type, IntegerType) else 64


def unsigned(number: int, type: Attribute) -> int:
    """The unsigned integer of the bits."""
    return number % (1 << bits_of(type))


def signed(number: int, type: Attribute) -> int:
    """The signed integer of the lowest bits of a number, in the width of a type."""
    bits = bits_of(type)
    number = unsigned(number, type)
    return number - (1 << bits) if bits > 1 and number >> (bits - 1) else number


def _truncated(a: int, b: int) -> int | None:
    """The quotient rounded to zero, as in C; None for a division by zero."""
    if b == 0:
        return None
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int | None:
    quotient = _truncated(a, b)
    return None if quotient is None else a - b * quotient


def _shift(change: Callable[[int, int], int]) -> _Operation:
    """A shift by the width or more is undefined."""
    return lambda a, b, type: change(a, b) if 0 <= b < bits_of(type) else None


def _on_unsigned(change: Callable[[int, int], int | None]) -> _Operation:
    return lambda a, b, type: change(unsigned(a, type), unsigned(b, type))


_Operation = Callable[[int, int, Attribute], int | None]

BY_BITS: Mapping[type[Operation], Callable[[Any, Any, Attribute], Any]] = {
    arith.AddiOp: lambda a, b, _: a + b,
    arith.SubiOp: lambda a, b, _: a - b,
    arith.MuliOp: lambda a, b, _: a * b,
    arith.AndIOp: lambda a, b, _: a & b,
    arith.OrIOp: lambda a, b, _: a | b,
    arith.XOrIOp: lambda a, b, _: a ^ b,
}
"""Operations whose lowest bits do not depend on signs: of integers, and of numpy's arrays."""

OPERATIONS: Mapping[type[Operation], _Operation] = {
    **BY_BITS,
    arith.DivSIOp: lambda a, b, _: _truncated(a, b),
    arith.RemSIOp: lambda a, b, _: _remainder(a, b),
    arith.FloorDivSIOp: lambda a, b, _: a // b if b else None,
    arith.CeilDivSIOp: lambda a, b, _: -(-a // b) if b else None,
    arith.MaxSIOp: lambda a, b, _: max(a, b),
    arith.MinSIOp: lambda a, b, _: min(a, b),
    arith.DivUIOp: _on_unsigned(_truncated),
    arith.RemUIOp: _on_unsigned(_remainder),
    arith.CeilDivUIOp: _on_unsigned(lambda a, b: -(-a // b) if b else None),
    arith.MaxUIOp: _on_unsigned(max),
    arith.MinUIOp: _on_unsigned(min),
    arith.ShLIOp: _shift(lambda a, b: a << b),
    arith.ShRSIOp: _shift(lambda a, b: a >> b),
    arith.ShRUIOp: lambda a, b, type: unsigned(a, type) >> b if 0 <= b < bits_of(type) else None,
}
"""The result before truncation to the type; None if it is undefined."""

BUILTINS: Mapping[str, Callable[..., Any]] = {
    "s_abs": abs,
    "s_clamp": lambda x, low, high: min(max(x, low), high),
    "s_mul24": lambda a, b: a * b,
    "s_mad24": lambda a, b, c: a * b + c,
}
"""Functions of OpenCL C that compute indices, before truncation; what the last two do to longer
numbers is not defined."""


def compared(op: arith.CmpiOp, a: int, b: int) -> int:
    """The result of a comparison, 0 or 1."""
    if is_unsigned(op):
        a, b = unsigned(a, op.lhs.type), unsigned(b, op.lhs.type)
    elif bits_of(op.lhs.type) == 1:
        a, b = -a, -b
    return int(getattr(operator, predicate_of(op)[-2:])(a, b))


def wrapped(value: SSAValue) -> SSAValue:
    """The unsigned number that a signed one is, which the frontend extends and truncates, as it may
    be a sum that wraps; any other value itself."""
    match value.owner:
        case arith.TruncIOp(input=wide) if isinstance(wide.owner, arith.ExtUIOp):
            return wide.owner.input if wide.owner.input.type == value.type else value
        case _:
            return value
