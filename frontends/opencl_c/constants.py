"""C's arithmetic on constants, so that no conversion of a literal reaches the IR."""

from __future__ import annotations

import math
import struct

from polycl.frontends.opencl_c.tree import Const, Expr
from polycl.frontends.opencl_c.types import CType, Kind

_FLOAT_FORMATS = {16: "e", 32: "f"}


def wrap(value: int, type: CType) -> int:
    """`value` modulo 2**width, in the range of the integer type."""
    bits = type.width
    value &= (1 << bits) - 1
    return value - (1 << bits) if type.signed and value >> (bits - 1) else value


def round_to(value: float, type: CType) -> float:
    """`value` rounded to nearest even in a float type, an overflow to infinity."""
    code = _FLOAT_FORMATS.get(type.width)
    if code is None or math.isinf(value) or math.isnan(value):
        return value
    try:
        return struct.unpack(f"<{code}", struct.pack(f"<{code}", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def convert(value: int | float, type: CType) -> int | float | None:
    """A constant converted to a scalar type, or None where C leaves the result undefined."""
    match type.kind:
        case Kind.BOOL:
            return int(value != 0)
        case Kind.FLOAT:
            try:
                return round_to(float(value), type)
            except OverflowError:
                return None
        case Kind.INT if isinstance(value, int):
            return wrap(value, type)
        case Kind.INT if math.isfinite(value) and wrap(int(value), type) == int(value):
            return int(value)
        case _:
            return None


def fold_cast(operand: Expr, type: CType) -> Const | None:
    """The converted constant if the operand is one and the target is a scalar."""
    if not isinstance(operand, Const) or not type.is_scalar:
        return None
    # A large long is rounded once, to float, not first to double.
    if type.kind is Kind.FLOAT and isinstance(operand.value, int) and abs(operand.value) >= 2**53:
        return None
    value = convert(operand.value, type)
    return None if value is None else Const(operand.location, type, value)


def fold_unary(op: str, operand: Expr, type: CType) -> Const | None:
    """`-` and `~` of a constant."""
    if not isinstance(operand, Const):
        return None
    value = operand.value
    match op:
        case "-" if type.kind is Kind.FLOAT:
            return Const(operand.location, type, -value)
        case "-" if isinstance(value, int):
            return Const(operand.location, type, wrap(-value, type))
        case "~" if isinstance(value, int):
            return Const(operand.location, type, wrap(~value, type))
        case _:
            return None


def fold_binary(op: str, left: Expr, right: Expr, type: CType) -> Const | None:
    """Arithmetic on two integer constants; division by zero is left to run time."""
    if not (isinstance(left, Const) and isinstance(right, Const) and type.kind is Kind.INT):
        return None
    a, b = left.value, right.value
    if not (isinstance(a, int) and isinstance(b, int)):
        return None
    match op:
        case "+":
            value = a + b
        case "-":
            value = a - b
        case "*":
            value = a * b
        case "/" | "%" if b != 0:
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            value = quotient if op == "/" else a - quotient * b
        case "<<":
            value = a << (b % type.width)
        case ">>":
            value = a >> (b % type.width)
        case "&":
            value = a & b
        case "|":
            value = a | b
        case "^":
            value = a ^ b
        case _:
            return None
    return Const(left.location, type, wrap(value, type))
