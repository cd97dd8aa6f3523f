"""Expressions of OpenCL C as text with a type, and the casts between them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from polycl.backends.opencl_c.c_types import INT, LONG, UINT, ULONG, Number

# How tightly an expression binds (C99, section 6.5), from the loosest on.
TERNARY, OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUAL, LESS, SHIFT, SUM, PRODUCT, UNARY, ATOM = range(
    13
)


@dataclass(frozen=True)
class Expr:
    """An expression that has type `type` in C; None where that is no number."""

    text: str
    type: Number | None = None
    level: int = ATOM
    reads: frozenset[str] = frozenset()
    """The variables in it."""

    literal: int | None = None
    """Of an integer literal: its value. It takes the type that it is used with."""

    inner: Expr | None = None
    """Of a cast between scalars: what is cast."""

    splat: Expr | None = None
    """Of a vector of equal elements: the element."""

    parts: tuple[str, str, str] | None = None
    """Of `a + b` and its like: a, the operator, and b as it may stand alone."""

    def at(self, level: int) -> str:
        """As an operand of something that binds like `level`."""
        return self.text if self.level >= level else f"({self.text})"

    @property
    def number(self) -> Number:
        assert self.type is not None, f"{self.text} is no number"
        return self.type


@dataclass(frozen=True)
class Pointer(Expr):
    """A pointer: `base + offset`, or the address of `place` where that is not empty.

    `decays` says that `base` is an array: it is indexed rather than dereferenced.
    """

    base: Expr | None = None
    offset: Expr | None = None
    place: str = ""
    decays: bool = False
    vector: str = ""
    """Of a pointer to the elements of a vector: what stands before one, `v.` or `p->`."""

    lanes: int = 0
    """Of that vector."""


def reads_of(*parts: Expr | None) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for part in parts:
        if part is not None:
            found |= part.reads
    return found


def call(name: str, *arguments: Expr, type: Number | None = None) -> Expr:
    text = f"{name}({', '.join(argument.text for argument in arguments)})"
    return Expr(text, type, ATOM, reads_of(*arguments))


def binary(operator: str, level: int, a: Expr, b: Expr, type: Number) -> Expr:
    """`a operator b`; C groups operators of one level from the left."""
    left, right = a.at(level), b.at(level + 1)
    if level in (BIT_OR, BIT_XOR, BIT_AND, SHIFT):
        # What binds tighter here is not what everyone remembers.
        same = a.level == level and level != SHIFT
        left, right = a.at(level if same else UNARY), b.at(UNARY)
    if level == OR and a.level == AND:
        left = f"({a.text})"
    if level == OR and b.level == AND:
        right = f"({b.text})"
    parts = (a.text, operator, b.text) if level not in (EQUAL, LESS, AND, OR) else None
    return Expr(f"{left} {operator} {right}", type, level, reads_of(a, b), parts=parts)


def assignment(target: str, value: Expr) -> str:
    """`target = value`, or `target += b` where the value is `target + b`."""
    if value.parts is not None and value.parts[0] == target:
        _, operator, right = value.parts
        return f"{target} {operator}= {right};"
    return f"{target} = {value.text};"


def choice(condition: Expr, a: Expr, b: Expr, type: Number | None) -> Expr:
    text = f"{condition.at(OR)} ? {a.at(OR)} : {b.at(TERNARY)}"
    return Expr(text, type, TERNARY, reads_of(condition, a, b))


def integer(value: int, type: Number) -> Expr:
    """A literal of an integer type, or of bool."""
    if type.name == "bool":
        return Expr("true" if value & 1 else "false", type)
    value %= 1 << type.width
    if not type.is_unsigned and value >> (type.width - 1):
        value -= 1 << type.width
    found = Expr(_plain(value), type, UNARY if value < 0 else ATOM, literal=value)
    # What is no int needs its suffix everywhere.
    return found if abs(value) < 1 << 31 else replace(typed(found), literal=value)


def _plain(value: int) -> str:
    return hex(value) if value > 0xFFFF and bin(value).count("1") > 8 else str(value)


def typed(expr: Expr) -> Expr:
    """`expr` with exactly its type in C: literals get their suffix."""
    if expr.literal is None:
        return expr
    value, type = expr.literal, expr.number
    match type.name:
        case "int":
            text = _plain(value) if value != -(1 << 31) else "INT_MIN"
        case "uint":
            text = f"{_plain(value)}u"
        case "long":
            text = f"{_plain(value)}L" if value != -(1 << 63) else "LONG_MIN"
        case "ulong":
            text = f"{_plain(value)}UL"
        case _:
            text = f"({type}){value}"
    level = ATOM if text[0] not in "-(" else UNARY
    return replace(expr, text=text, level=level, literal=None)


def floating(value: float, type: Number) -> Expr:
    """A literal of a floating type that has exactly the value."""
    match type.name:
        case "float":
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            shown = _decimal(str(np.float32(value)))
            text, suffix, cast = shown, "f", ""
        case "double":
            bits = struct.unpack("<Q", struct.pack("<d", value))[0]
            text, suffix, cast = _decimal(repr(float(value))), "", ""
        case _:
            bits = struct.unpack("<H", struct.pack("<e", value))[0]
            text, suffix, cast = _decimal(repr(float(value))), "f", "(half)"
    if value != value:
        # The sign and the payload of `NAN` differ between implementations.
        unsigned = {"float": "u", "double": "UL"}.get(type.name)
        number = f"{bits:#x}{unsigned}" if unsigned else f"(ushort){bits:#x}"
        return Expr(f"as_{type}({number})", type)
    if value in (float("inf"), float("-inf")):
        cast = "" if type.name == "float" else f"({type})"
        text = f"{'-' * (value < 0)}{cast}INFINITY"
        return Expr(text, type, UNARY if cast or value < 0 else ATOM)
    negative = text.startswith("-")
    return Expr(f"{cast}{text}{suffix}", type, UNARY if cast or negative else ATOM)


def _decimal(text: str) -> str:
    """The shortest text that reads as the number, as C wants it: with a point or an exponent."""
    if "e" in text:
        mantissa, exponent = text.split("e")
        return f"{mantissa}e{int(exponent)}"
    return text if "." in text else f"{text}.0"


def cast(expr: Expr, type: Number) -> Expr:
    """The value of `expr` as C converts it to a scalar `type`."""
    if expr.literal is not None and not type.is_float:
        return integer(expr.literal, type)
    if expr.type == type:
        return expr
    if expr.inner is not None and _cast_is_void(expr.inner, expr.number, type):
        expr = expr.inner
        if expr.type == type:
            return expr
    text = f"({type}){expr.at(UNARY)}"
    return Expr(text, type, UNARY, expr.reads, inner=expr)


def _cast_is_void(source: Expr, middle: Number, target: Number) -> bool:
    """Whether a cast between integers on the way to a narrower or equal one changes nothing."""
    integers = not (source.number.is_float or middle.is_float or target.is_float)
    return integers and "bool" not in (middle.name, target.name) and target.width <= middle.width


def reinterpret(expr: Expr, type: Number) -> Expr:
    """The bits of `expr` as `type`: a cast between integers, else `as_type`."""
    if expr.type == type:
        return expr
    source = expr.number
    if type.lanes == source.lanes == 1 and not (source.is_float or type.is_float):
        return cast(expr, type)
    if expr.splat is not None and not (source.is_float or type.is_float):
        return splat(cast(expr.splat, type.element), type)
    return call(f"as_{type}", typed(expr), type=type)


def splat(element: Expr, type: Number) -> Expr:
    """A vector of equal elements."""
    text = f"({type})({typed(element).text})"
    return Expr(text, type, ATOM, element.reads, splat=element)


def widened(*operands: Expr) -> Number:
    """The type of C's arithmetic on scalar integers (C99, section 6.3.1.8)."""
    types = [_promoted(operand) for operand in operands]
    width = max(type.width for type in types)
    unsigned = any(type.is_unsigned and type.width == width for type in types)
    return (ULONG if unsigned else LONG) if width == 64 else (UINT if unsigned else INT)


def _promoted(operand: Expr) -> Number:
    type = operand.number
    if operand.literal is not None:
        return INT if -(1 << 31) < operand.literal < 1 << 31 else type
    return INT if type.width < 32 else type


def arithmetic(a: Expr, b: Expr, type: Number) -> tuple[Expr, Expr]:
    """Two integer operands such that C computes on them in `type`, or in the unsigned type of its
    width, which gives the same bits; vectors: in `type`."""
    if type.lanes > 1:
        return vector_operands(reinterpret(a, type), reinterpret(b, type))
    wanted = INT if type.width < 32 else type
    if a.literal is not None and b.literal is not None:
        return typed(a), typed(b)
    found = widened(a, b)
    mixed = {_promoted(a), _promoted(b)} == {INT, UINT} and wanted.width == 64
    if found.width == wanted.width and not mixed:
        if found == wanted or found.is_unsigned:
            return a, b
    if a.literal is not None:
        return a, cast(b, wanted)
    return cast(a, wanted), b


def vector_operands(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """A scalar beside a vector stands for a vector of it (OpenCL 1.2, section 6.3)."""
    if a.number.width >= 32 or a.number.is_float:
        if b.splat is not None and a.splat is None:
            return a, typed(b.splat)
        if a.splat is not None and b.splat is None:
            return typed(a.splat), b
    return a, b


def of_sign(expr: Expr, type: Number) -> Expr:
    """`expr` such that C takes it as `type` where the sign matters: in comparisons, quotients
    and shifts to the right. A narrower type keeps its value."""
    found = expr.number
    if type.lanes > 1:
        return reinterpret(expr, type)
    if expr.literal is not None:
        value = integer(expr.literal, type)
        return typed(value) if type.is_unsigned else value
    if found == type or found.is_float:
        return expr
    if found.width < type.width and type.width >= 32:
        # A narrower one holds its value, be it signed or not.
        return expr if not (type.is_unsigned and not found.is_unsigned) else cast(expr, type)
    return cast(expr, type)


def swizzle(lanes: Sequence[int], width: int) -> str:
    """Elements of a vector: `.xyz` where it has up to four, else `.s0123`."""
    if width <= 4:
        return "." + "".join("xyzw"[lane] for lane in lanes)
    return ".s" + "".join(f"{lane:x}" for lane in lanes)
