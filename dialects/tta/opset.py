"""The semantics of the operations of function units, as one table.

Values are 32-bit patterns, as Python integers 0 ... 2**32 - 1. The names are those of OpenASIP's
base operation set. Cases that OpenASIP leaves to the host are defined here:

- shift amounts count modulo 32;
- floats are IEEE single precision, rounded to nearest even, with subnormal numbers; a NaN result is
  always 0x7FC00000 (but `negf` and `absf` change the sign bit only);
- `cfi` and `cfiu` truncate and saturate, and convert NaN to 0;
- comparisons with NaN are false, except `nef`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Any

import numpy as np

MASK = 0xFFFFFFFF
NAN = 0x7FC00000


class Kind(Enum):
    """The effect of an operation."""

    PURE = auto()
    LOAD = auto()
    """Input: address. Reads memory before the stores of the same cycle."""
    STORE = auto()
    """Inputs: address, value. Writes memory in the cycle of its trigger."""
    CONTROL = auto()
    """Input: address of an instruction."""


@dataclass(frozen=True)
class Operation:
    """Operands are numbered from 1: the inputs, then the output."""

    name: str
    inputs: int
    outputs: int
    kind: Kind
    compute: Callable[..., int] | None = None
    """For a pure operation: the input patterns -> the output pattern."""
    size: int = 0
    """For a load or store: the number of bytes, which aligns the address (little endian)."""
    signed: bool = False
    """For a load: whether the sign is extended."""
    commutative: bool = False


def signed(x: int) -> int:
    """The integer that the 32 bits of `x` represent in two's complement."""
    return x - ((x & 0x80000000) << 1)


def to_float(x: int) -> np.float32:
    """The float of a bit pattern."""
    return np.uint32(x).view(np.float32)


def from_float(x: np.float32) -> int:
    """The bit pattern of a float, `NAN` for each NaN."""
    return NAN if np.isnan(x) else int(x.view(np.uint32))


def _floats(compute: Callable[..., np.float32]) -> Callable[..., int]:
    def bits(*inputs: int) -> int:
        with np.errstate(all="ignore"):
            return from_float(compute(*map(to_float, inputs)))

    return bits


def _compare_floats(compare: Callable[[np.float32, np.float32], bool]) -> Callable[..., int]:
    return lambda a, b: int(compare(to_float(a), to_float(b)))


def _truncate(low: int, high: int) -> Callable[[int], int]:
    def convert(x: int) -> int:
        value = float(to_float(x))
        if value != value:
            return 0
        return int(max(low, min(high, value))) & MASK

    return convert


def _arithmetic() -> dict[str, Callable[[int, int], int]]:
    return {
        "add": lambda a, b: (a + b) & MASK,
        "sub": lambda a, b: (a - b) & MASK,
        "and": operator.and_,
        "ior": operator.or_,
        "xor": operator.xor,
        "shl": lambda a, b: (a << (b & 31)) & MASK,
        "shr": lambda a, b: (signed(a) >> (b & 31)) & MASK,
        "shru": lambda a, b: a >> (b & 31),
        "mul": lambda a, b: (a * b) & MASK,
        "mulhi": lambda a, b: (signed(a) * signed(b) >> 32) & MASK,
        "mulhiu": lambda a, b: a * b >> 32,
        "min": lambda a, b: min(a, b, key=signed),
        "max": lambda a, b: max(a, b, key=signed),
        "minu": min,
        "maxu": max,
    }


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}

_UNARY: dict[str, Callable[[int], int]] = {
    "sxqw": lambda a: ((a & 0xFF) - ((a & 0x80) << 1)) & MASK,
    "sxhw": lambda a: ((a & 0xFFFF) - ((a & 0x8000) << 1)) & MASK,
    "negf": lambda a: a ^ 0x80000000,
    "absf": lambda a: a & 0x7FFFFFFF,
    "sqrtf": _floats(np.sqrt),
    "cif": lambda a: from_float(np.float32(signed(a))),
    "cifu": lambda a: from_float(np.float32(a)),
    "cfi": _truncate(-(2**31), 2**31 - 1),
    "cfiu": _truncate(0, MASK),
}

_COMMUTATIVE = "add and ior xor mul mulhi mulhiu min max minu maxu eq ne addf mulf eqf nef".split()


def _signed_comparison(compare: Callable[[Any, Any], bool]) -> Callable[[int, int], int]:
    return lambda a, b: int(compare(signed(a), signed(b)))


def _unsigned_comparison(compare: Callable[[Any, Any], bool]) -> Callable[[int, int], int]:
    return lambda a, b: int(compare(a, b))


BIG_ENDIAN = {
    **{"ldw": "ld32", "ldh": "ld16", "ldhu": "ldu16", "ldq": "ld8", "ldqu": "ldu8"},
    **{"stw": "st32", "sth": "st16", "stq": "st8"},
}
"""The loads and stores of big-endian machines, and those that are executed in their place: the
simulated memory is little endian, so that it holds the arrays of the host as they are."""

COMPARISONS = frozenset(name + suffix for name in _COMPARISONS for suffix in ("", "f", "u")) - {
    "equ",
    "neu",
}
"""The operations with the results 0 and 1."""

SHIFTS = (1, 2, 4, 8, 16)
"""The numbers of bits of `shl1_32`, `shr1_32`, `shru1_32`, `shl2_32`, ..."""


def _table() -> dict[str, Operation]:
    binary = _arithmetic()
    for name, compare in _COMPARISONS.items():
        binary[name] = _signed_comparison(compare)
        binary[name + "f"] = _compare_floats(compare)
        if name not in ("eq", "ne"):
            binary[name + "u"] = _unsigned_comparison(compare)
    for name in ("add", "sub", "mul"):
        binary[name + "f"] = _floats(getattr(operator, name))
    binary["divf"] = _floats(operator.truediv)
    table = [Operation(name, 1, 1, Kind.PURE, f) for name, f in _UNARY.items()]
    for name, compute in binary.items():
        swap = name in _COMMUTATIVE
        table.append(Operation(name, 2, 1, Kind.PURE, compute, commutative=swap))
    for name in ("shl", "shr", "shru"):
        shift = binary[name]
        for bits in SHIFTS:
            compute = partial(lambda f, count, a: f(a, count), shift, bits)
            table.append(Operation(f"{name}{bits}_32", 1, 1, Kind.PURE, compute))
    for size in (1, 2, 4):
        bits = 8 * size
        table.append(Operation(f"ld{bits}", 1, 1, Kind.LOAD, size=size, signed=True))
        if size < 4:
            table.append(Operation(f"ldu{bits}", 1, 1, Kind.LOAD, size=size))
        table.append(Operation(f"st{bits}", 2, 0, Kind.STORE, size=size))
    table += [Operation(name, 1, 0, Kind.CONTROL) for name in ("jump", "call")]
    return {op.name: op for op in table}


OPSET = _table()
