"""OpenCL C's `printf` (OpenCL 1.2, section 6.12.13), on decoded argument values.

    %[flags][width][.precision][vn][hh|h|hl|l]conversion

All devices format with this function, so they print the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute

PrintfValue: TypeAlias = "tuple[Attribute, Any]"
"""The IR type of an argument and its value: an int (any integer with the value's bit pattern in
two's complement, or a pointer's address), a float, a tuple for a vector, or a str: the text that a
pointer for `%s` points to."""

_SPEC = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?"
    r"(?:v(?P<count>\d+))?(?P<length>hh|hl|h|l|)(?P<conversion>.?)",
    re.DOTALL,
)
_SIGNED, _UNSIGNED, _FLOATS = "di", "ouxX", "fFeEgGaA"
_VECTOR_COUNTS = (2, 3, 4, 8, 16)
_LENGTH_BITS = {"hh": 8, "h": 16, "hl": 32, "l": 64}


class FormatError(Exception):
    """The arguments do not match the format; the text states what was expected."""


@dataclass(frozen=True)
class _Spec:
    """One conversion specification."""

    text: str
    flags: str
    width: int
    precision: int | None
    count: int | None
    """Elements of the vector, or None for a scalar."""

    length: str
    conversion: str

    def pad(self, sign: str, body: str, *, zeros: bool) -> str:
        """`sign` and `body`, padded to the width."""
        missing = self.width - len(sign) - len(body)
        if "-" in self.flags:
            return sign + body + " " * missing
        if zeros and "0" in self.flags:
            return sign + "0" * missing + body
        return " " * missing + sign + body

    def sign(self, negative: bool) -> str:
        if negative:
            return "-"
        return "+" if "+" in self.flags else " " if " " in self.flags else ""


def format_printf(format: str, values: Sequence[PrintfValue]) -> str:
    """The text that `printf(format, values...)` prints.

    Arguments that the format does not use are ignored, as in C.

    Raises:
        FormatError: a specification is malformed, or its argument is missing or has a wrong type.
    """
    arguments = iter(values)
    return _SPEC.sub(lambda match: _convert(_parse(match), arguments), format)


def string_positions(format: str) -> list[int]:
    """The positions of the arguments for `%s`: a device reads the text that they point to."""
    conversions = [match["conversion"] for match in _SPEC.finditer(format)]
    arguments = [conversion for conversion in conversions if conversion != "%"]
    return [position for position, name in enumerate(arguments) if name == "s"]


def _parse(match: re.Match[str]) -> _Spec:
    text, conversion, length = match[0], match["conversion"], match["length"]
    if conversion not in tuple(_SIGNED + _UNSIGNED + _FLOATS + "csp%"):
        raise FormatError(
            f"printf: '{text}' is not a conversion; "
            "expected one of d i o u x X f F e E g G a A c s p"
        )
    count = int(match["count"]) if match["count"] else None
    if count is not None and (count not in _VECTOR_COUNTS or conversion in "csp%"):
        raise FormatError(
            f"printf: '{text}' is not a vector conversion; expected v2, v3, v4, v8 or v16 "
            "and a conversion of numbers"
        )
    if length == "hl" and count is None:
        raise FormatError(f"printf: '{text}': the length hl belongs to vectors")
    precision = match["precision"]
    return _Spec(
        text,
        match["flags"],
        int(match["width"] or 0),
        None if precision is None else int(precision or 0),
        count,
        length,
        conversion,
    )


def _convert(spec: _Spec, arguments: Iterator[PrintfValue]) -> str:
    if spec.conversion == "%":
        return "%"
    argument = next(arguments, None)
    if argument is None:
        raise FormatError(f"printf: there is no argument for '{spec.text}'")
    type, value = argument
    if spec.count is None:
        if isinstance(type, VectorType):
            raise FormatError(f"printf: '{spec.text}' is for a scalar, the argument is {type}")
        return _scalar(spec, type, value)
    if not isinstance(type, VectorType) or type.element_count() != spec.count:
        raise FormatError(
            f"printf: '{spec.text}' is for a vector of {spec.count}, the argument is {type}"
        )
    return ",".join(_scalar(spec, type.element_type, element) for element in value)


def _scalar(spec: _Spec, type: Attribute, value: Any) -> str:
    match spec.conversion:
        case "s":
            if not isinstance(value, str):
                raise _mismatch(spec, "a pointer to constant char", type)
            shown = value if spec.precision is None else value[: spec.precision]
            return spec.pad("", shown, zeros=False)
        case "c":
            _check(spec, type, is_integer=True)
            return spec.pad("", chr(value & 0xFF), zeros=False)
        case "p":
            if not isinstance(value, int):
                raise _mismatch(spec, "a pointer", type)
            return spec.pad("", f"{value:#x}" if value else "(nil)", zeros=False)
        case conversion if conversion in _FLOATS:
            _check(spec, type, is_integer=False)
            return _float(spec, value)
        case _:
            _check(spec, type, is_integer=True)
            return _integer(spec, type, value)


def _check(spec: _Spec, type: Attribute, *, is_integer: bool) -> None:
    if is_integer and not isinstance(type, IntegerType | IndexType):
        raise _mismatch(spec, "an integer", type)
    if not is_integer and not isinstance(type, Float16Type | Float32Type | Float64Type):
        raise _mismatch(spec, "a float", type)


def _mismatch(spec: _Spec, expected: str, got: Attribute) -> FormatError:
    return FormatError(f"printf: '{spec.text}' is for {expected}, the argument is {got}")


def _integer(spec: _Spec, type: Attribute, value: int) -> str:
    own = type.width.data if isinstance(type, IntegerType) else 64
    # Without a length a scalar is an int, after C's promotions; vectors are not promoted.
    wanted = _LENGTH_BITS.get(spec.length, 32 if spec.count is None else own)
    bits = min(own, wanted)
    value &= (1 << bits) - 1
    sign = ""
    if spec.conversion in _SIGNED:
        negative = value >> (bits - 1) == 1
        value = (1 << bits) - value if negative else value
        sign = spec.sign(negative)
    digits = {"o": f"{value:o}", "x": f"{value:x}", "X": f"{value:X}"}.get(
        spec.conversion, str(value)
    )
    if spec.precision is not None:
        digits = "" if spec.precision == 0 and value == 0 else digits.zfill(spec.precision)
    if "#" in spec.flags:
        if spec.conversion == "o" and not digits.startswith("0"):
            digits = "0" + digits
        elif spec.conversion in "xX" and value:
            sign = "0" + spec.conversion
    # A precision disables the flag 0 (C99, section 7.19.6.1).
    return spec.pad(sign, digits, zeros=spec.precision is None)


def _float(spec: _Spec, value: float) -> str:
    conversion = spec.conversion
    negative = str(value).startswith("-")
    if value != value or value in (float("inf"), float("-inf")):
        name = "nan" if value != value else "inf"
        shown = name.upper() if conversion.isupper() else name
        return spec.pad(spec.sign(negative), shown, zeros=False)
    if conversion in "aA":
        prefix, body = _hexadecimal(abs(value), spec.precision, "#" in spec.flags)
        if conversion == "A":
            prefix, body = prefix.upper(), body.upper()
        return spec.pad(spec.sign(negative) + prefix, body, zeros=True)
    precision = 6 if spec.precision is None else spec.precision
    alternate = "#" if "#" in spec.flags else ""
    # Python's conversions of floats are C's.
    body = f"%{alternate}.{precision}{conversion}" % abs(value)
    return spec.pad(spec.sign(negative), body, zeros=True)


def _hexadecimal(value: float, precision: int | None, keep_point: bool) -> tuple[str, str]:
    """`0x` and the rest of C's %a for a finite nonnegative number."""
    # Python writes all 13 digits: 0x1.8000000000000p+1.
    mantissa, exponent = value.hex()[2:].split("p")
    lead, _, digits = mantissa.partition(".")
    digits = digits.ljust(13, "0")
    if precision is None:
        digits = digits.rstrip("0")
    elif precision >= 13:
        digits = digits.ljust(precision, "0")
    else:
        unit = 1 << 4 * (13 - precision)
        whole = int(lead + digits, 16)
        kept, rest = divmod(whole, unit)
        if rest * 2 > unit or (rest * 2 == unit and kept & 1):
            kept += 1
        text = f"{kept:x}".rjust(precision + 1, "0")
        lead, digits = text[: len(text) - precision], text[len(text) - precision :]
    point = "." if digits or keep_point else ""
    return "0x", f"{lead}{point}{digits}p{exponent}"
