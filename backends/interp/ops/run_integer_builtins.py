"""Integer builtins (OpenCL 1.2, section 6.12.3, and the extensions for bit fields and dot
products): the exact integer, brought into the type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from polycl.backends.interp.integers import absolute, saturate, signed

ExactFunction: TypeAlias = Callable[..., int]
"""A function of integers of any size and sign."""


_WRAPPING: dict[str, ExactFunction] = {
    "abs_diff": lambda x, y: abs(x - y),
    "hadd": lambda x, y: (x + y) >> 1,
    "rhadd": lambda x, y: (x + y + 1) >> 1,
    # Defined for operands of 24 bits, for which the product modulo 2**32 is the same.
    "mul24": lambda x, y: x * y,
    "mad24": lambda x, y, z: x * y + z,
    "clamp": lambda x, low, high: min(max(x, low), high),
}

_SATURATING: dict[str, ExactFunction] = {
    "add_sat": lambda x, y: x + y,
    "sub_sat": lambda x, y: x - y,
    "mad_sat": lambda a, b, c: a * b + c,
}


def _bytes(number: int, sign: str) -> list[int]:
    """The bytes of a number of 32 bits, from the lowest; `sign` is "s" or "u"."""
    read = signed(8) if sign == "s" else int
    return [read(number >> shift & 0xFF) for shift in (0, 8, 16, 24)]


def _dot(name: str) -> ExactFunction:
    """`dot_4x8packed_SS_...`, where SS are the signs of both arguments."""
    left, right = name.split("_")[2]
    return lambda x, y: (
        sum(a * b for a, b in zip(_bytes(x, left), _bytes(y, right), strict=True)) & 0xFFFF_FFFF
    )


def _bit_field(name: str, width: int) -> ExactFunction:
    """The functions of cl_khr_extended_bit_ops on `count` bits that start at `offset`."""
    full = (1 << width) - 1

    def insert(base: int, field: int, offset: int, count: int) -> int:
        mask = ((1 << count) - 1) << offset & full
        return (base & ~mask) | (field << offset & mask)

    def extract(base: int, offset: int, count: int) -> int:
        field = base >> offset & ((1 << count) - 1)
        if name.endswith("_signed") and count and field >> (count - 1):
            field -= 1 << count
        return field & full

    return insert if name == "bitfield_insert" else extract


def integer_builtin(name: str, width: int) -> Callable[..., int] | None:
    """The function on bit patterns of `width` bits; None if `name` is unknown."""
    match name:
        case "s_abs":
            return absolute(width)
        case "rotate":
            mask = (1 << width) - 1
            return lambda x, n: (x << n % width | x >> (width - n % width)) & mask
        case "upsample":
            return lambda high, low: high << width | low
        case "bit_reverse":
            return lambda x: int(f"{x:0{width}b}"[::-1], 2)
        case _ if name.startswith("bitfield_"):
            return _bit_field(name, width)
        case _ if name.startswith("dot_4x8packed_"):
            return _dot(name)
        case _:
            pass
    prefix, _, rest = name.partition("_")
    if prefix not in ("s", "u"):
        return None
    is_signed = prefix == "s"
    read, mask = signed(width) if is_signed else int, (1 << width) - 1
    if saturating := _SATURATING.get(rest):
        return lambda *numbers: saturate(
            saturating(*map(read, numbers)), width, is_signed=is_signed
        )
    high: dict[str, ExactFunction] = {
        "mul_hi": lambda x, y: (x * y) >> width,
        "mad_hi": lambda a, b, c: ((a * b) >> width) + c,
    }
    if wrapping := (_WRAPPING | high).get(rest):
        return lambda *numbers: wrapping(*map(read, numbers)) & mask
    return None
