"""Expressions of OpenCL C as text with a type, and the casts between them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from polycl.backends.opencl_c.c_types import INT, LONG, UINT, ULONG, Number

# How tightly an expression binds (C99, section 6.5), from the loosest.
TERNARY, OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUAL, LESS, SHIFT, SUM, PRODUCT, UNARY, ATOM = range(
    13
)


@dataclass(frozen=True)
class Expr:
    """An expression; `type` is its type in C, None where that is not arithmetic."""

    text: str
    type: Number | None = None
    level: int = ATOM
    reads: frozenset[str] = frozenset()
    """The variables in it."""

    literal: int | None = None
    """The value of an integer literal, which takes the type that it is used with."""

    inner: Expr | None = None
    """The operand of a cast between scalars."""

    splat: Expr | None = None
    """The element of a vector whose elements are equal."""

    parts: tuple[str, str, str] | None = None
    """The left operand of a binary operation, the operator, and the right operand."""

    def at(self, level: int) -> str:
        """The text as an operand of an operator of this level."""
        return self.text if self.level >= level else f"({self.text})"

    @property
    def number(self) -> Number:
        assert self.type is not None, f"{self.text} is not a number"
        return self.type


@dataclass(frozen=True)
class Pointer(Expr):
    """A pointer: `base + offset`, or the address of `place` where that is not empty.

    With `decays`, `base` is an array: it is indexed rather than dereferenced.
    """

    base: Expr | None = None
    offset: Expr | None = None
    place: str = ""
    decays: bool = False
    vector: str = ""
    """The prefix of an element, `v.` or `p->`, where the pointer is to elements of a vector."""

    lanes: int = 0
    """The number of elements of that vector."""


def as_pointer(base: Expr) -> Pointer:
    """An expression whose value is a pointer."""
    return Pointer(base.text, None, base.level, base.reads, base=base)


def reads_of(*parts: Expr) -> frozenset[str]:
    return frozenset[str]().union(*(part.reads for part in parts))


def call(name: str, *arguments: Expr, type: Number | None = None) -> Expr:
    text = f"{name}({', '.join(argument.text for argument in arguments)})"
    return Expr(text, type, ATOM, reads_of(*arguments))


def unary(operator: str, a: Expr, type: Number | None) -> Expr:
    """`operator a`; the operator may be a cast."""
    return Expr(f"{operator}{a.at(UNARY)}", type, UNARY, a.reads)


def binary(operator: str, level: int, a: Expr, b: Expr, type: Number) -> Expr:
    """`a operator b`; C groups operators of one level from the left."""
    left, right = a.at(level), b.at(level + 1)
    if level in (BIT_OR, BIT_XOR, BIT_AND, SHIFT):
        # Few readers remember the levels of these operators: any operand gets parentheses.
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
    # A literal that does not fit in an int needs its suffix everywhere.
    return found if abs(value) < 1 << 31 else replace(typed(found), literal=value)


_SUFFIXES = {"int": "", "uint": "u", "long": "L", "ulong": "UL"}


def _plain(value: int) -> str:
    return hex(value) if value > 0xFFFF and bin(value).count("1") > 8 else str(value)


def typed(expr: Expr) -> Expr:
    """`expr` with exactly its type in C: literals get their suffix."""
    if expr.literal is None:
        return expr
    value, type = expr.literal, expr.number
    if type in (INT, LONG) and value == -(1 << (type.width - 1)):
        text = f"{type.name.upper()}_MIN"
    elif type.name in _SUFFIXES:
        text = f"{_plain(value)}{_SUFFIXES[type.name]}"
    else:
        text = f"({type}){value}"
    level = ATOM if text[0] not in "-(" else UNARY
    return replace(expr, text=text, level=level, literal=None)


_NAN_BITS = {
    "half": ("<eH", "(ushort){:#x}"),
    "float": ("<fI", "{:#x}u"),
    "double": ("<dQ", "{:#x}UL"),
}
"""How to read the bits of a NaN and to write them, by type."""


def floating(value: float, type: Number) -> Expr:
    """A literal of a floating type that has exactly the value."""
    name = type.name
    if value != value:
        # The sign and the payload of `NAN` differ between implementations.
        (order, as_float, as_integer), shown = _NAN_BITS[name]
        bits = struct.unpack(order + as_integer, struct.pack(order + as_float, value))[0]
        return Expr(f"as_{type}({shown.format(bits)})", type)
    if value in (float("inf"), float("-inf")):
        text = "-" * (value < 0) + ("" if name == "float" else f"({type})") + "INFINITY"
    else:
        shown = str(np.float32(value)) if name == "float" else repr(float(value))
        text = "(half)" * (name == "half") + _decimal(shown) + "f" * (name != "double")
    return Expr(text, type, UNARY if text[0] in "-(" else ATOM)


def _decimal(text: str) -> str:
    """A number of Python as a literal of C, which has a point or an exponent."""
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
    return replace(unary(f"({type})", expr, type), inner=expr)


def _cast_is_void(source: Expr, middle: Number, target: Number) -> bool:
    """Whether a cast to `middle` before one to `target` changes nothing."""
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
    """A scalar operand is widened to the vector of the other operand (OpenCL 1.2, section 6.3)."""
    if a.number.width >= 32 or a.number.is_float:
        if b.splat is not None and a.splat is None:
            return a, typed(b.splat)
        if a.splat is not None and b.splat is None:
            return typed(a.splat), b
    return a, b


def of_sign(expr: Expr, type: Number) -> Expr:
    """`expr` such that C reads it as `type` where the sign matters: in comparisons, quotients
    and shifts to the right. A narrower type keeps its value."""
    found = expr.number
    if type.lanes > 1:
        return reinterpret(expr, type)
    if expr.literal is not None:
        value = integer(expr.literal, type)
        return typed(value) if type.is_unsigned else value
    # C extends a narrower operand by the sign of its own type.
    keeps = found.width < type.width >= 32 and type.is_unsigned <= found.is_unsigned
    return expr if found == type or found.is_float or keeps else cast(expr, type)


def swizzle(lanes: Sequence[int], width: int) -> str:
    """The suffix for elements of a vector: `.xyz` for up to four elements, else `.s0123`."""
    if width <= 4:
        return "." + "".join("xyzw"[lane] for lane in lanes)
    return ".s" + "".join(f"{lane:x}" for lane in lanes)
