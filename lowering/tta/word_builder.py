"""A builder of arithmetic on 32-bit words, which folds constants."""

from __future__ import annotations

import struct
from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f32, i1, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from polycl.dialects.tta import AliasAttr, ComputeOp

MASK = 0xFFFFFFFF

_FOLD: dict[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.AndIOp: lambda a, b: a & b,
    arith.OrIOp: lambda a, b: a | b,
    arith.XOrIOp: lambda a, b: a ^ b,
    arith.ShLIOp: lambda a, b: a << b,
    arith.ShRUIOp: lambda a, b: a >> b,
    arith.ShRSIOp: lambda a, b: signed(a) >> b,
}

_RIGHT_NEUTRAL: dict[type[Operation], int] = {
    arith.AddiOp: 0,
    arith.SubiOp: 0,
    arith.MuliOp: 1,
    arith.AndIOp: MASK,
    arith.OrIOp: 0,
    arith.XOrIOp: 0,
    arith.ShLIOp: 0,
    arith.ShRUIOp: 0,
    arith.ShRSIOp: 0,
}

_SHIFTS = (arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp)

_COMMUTATIVE = (arith.AddiOp, arith.MuliOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp)

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ult": lambda a, b: a < b,
    "ule": lambda a, b: a <= b,
    "ugt": lambda a, b: a > b,
    "uge": lambda a, b: a >= b,
    "slt": lambda a, b: signed(a) < signed(b),
    "sle": lambda a, b: signed(a) <= signed(b),
    "sgt": lambda a, b: signed(a) > signed(b),
    "sge": lambda a, b: signed(a) >= signed(b),
}


_ALWAYS = {("uge", 0), ("ule", MASK)}
_NEVER = {("ult", 0), ("ugt", MASK)}
"""Comparisons with constants whose result no word changes."""


def signed(pattern: int) -> int:
    """The integer that 32 bits represent in two's complement."""
    return pattern - ((pattern & 0x80000000) << 1)


def constant_of(value: SSAValue) -> int | None:
    """The bits of a constant; None for other values."""
    if not isinstance(value.owner, arith.ConstantOp):
        return None
    match value.owner.value:
        case IntegerAttr() as number:
            return number.value.data & (1 if value.type == i1 else MASK)
        case FloatAttr() as number:
            return struct.unpack("<I", struct.pack("<f", number.value.data))[0]
        case _:
            return None


class WordBuilder:
    """Adds operations on i32, f32 and i1 to `block` (which may change), with `anchor`'s location.

    Numbers are bit patterns, 0 ... 2**32 - 1 or negative.
    """

    def __init__(self, block: Block, anchor: Operation):
        self.block = block
        self.anchor = anchor
        self.alias: AliasAttr | None = None
        """The alias facts of the loads and stores that are added next."""
        self.multiplies = False
        """Whether the machine has `mul` and `mulhiu`."""
        self._constants: dict[tuple[Block, Attribute, int], SSAValue] = {}

    def emit(self, op: Operation) -> SSAValue:
        self.emit_void(op)
        return op.results[0]

    def emit_void(self, op: Operation) -> None:
        op.location = self.anchor.location
        self.block.add_op(op)

    # Constants

    def constant(self, number: int) -> SSAValue:
        return self._constant(number & MASK, i32)

    def flag(self, number: bool) -> SSAValue:
        return self._constant(int(number), i1)

    def float_constant(self, number: float) -> SSAValue:
        pattern = struct.unpack("<I", struct.pack("<f", number))[0]
        return self.as_float(self.constant(pattern))

    def _constant(self, pattern: int, type: Attribute) -> SSAValue:
        key = (self.block, type, pattern)
        if key not in self._constants:
            number = pattern if type == i1 else signed(pattern)
            attribute = IntegerAttr(number, 1 if type == i1 else 32)
            self._constants[key] = self.emit(arith.ConstantOp(attribute))
        return self._constants[key]

    # Integers

    def _binary(self, op: type[Operation], a: SSAValue, b: SSAValue | int) -> SSAValue:
        if isinstance(b, int):
            b = self.constant(b)
        x, y = constant_of(a), constant_of(b)
        if x is not None and y is not None:
            return self.constant(_FOLD[op](x, y))
        if x is not None and op in _COMMUTATIVE:
            a, b, x, y = b, a, y, x
        if y == _RIGHT_NEUTRAL[op]:
            return a
        if y == 0 and op in (arith.AndIOp, arith.MuliOp):
            return b
        if x == 0 and op in _SHIFTS:
            return a
        if y is not None and op is arith.AndIOp and isinstance(a.owner, arith.AndIOp):
            inner = constant_of(a.owner.rhs)
            if inner is not None:
                return self.and_(a.owner.lhs, inner & y)
        return self.emit(op(a, b))  # pyright: ignore[reportCallIssue]

    def add(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        return self._binary(arith.AddiOp, a, b)

    def sub(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        return self._binary(arith.SubiOp, a, b)

    def and_(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        return self._binary(arith.AndIOp, a, b)

    def or_(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        return self._binary(arith.OrIOp, a, b)

    def xor(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        return self._binary(arith.XOrIOp, a, b)

    def shl(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        """A shift by less than 32, as `shru` and `shr`."""
        return self._binary(arith.ShLIOp, a, b)

    def shru(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        if isinstance(a.owner, arith.ExtUIOp):
            count = b if isinstance(b, int) else constant_of(b)
            if count:
                return self.constant(0)
        return self._binary(arith.ShRUIOp, a, b)

    def shr(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        if isinstance(a.owner, arith.ExtUIOp):
            # A flag as a word: it has no sign.
            return self.shru(a, b)
        return self._binary(arith.ShRSIOp, a, b)

    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """For a machine with a multiplier."""
        return self._binary(arith.MuliOp, a, b)

    def times(self, a: SSAValue, factor: int) -> SSAValue:
        """A product as shifts, additions and subtractions: one term for each run of ones."""
        factor &= MASK
        known = constant_of(a)
        if known is not None:
            return self.constant(known * factor)
        total: SSAValue | None = None
        for shift, positive in digits(factor, 32):
            term = self.shl(a, shift)
            if total is None:
                total = term if positive else self.sub(self.constant(0), term)
            else:
                total = self.add(total, term) if positive else self.sub(total, term)
        return self.constant(0) if total is None else total

    def compare(self, predicate: str, a: SSAValue, b: SSAValue | int) -> SSAValue:
        if isinstance(b, int):
            b = self.constant(b)
        x, y = constant_of(a), constant_of(b)
        if x is not None and y is not None:
            return self.flag(_COMPARE[predicate](x, y))
        if a is b or (predicate, y) in _ALWAYS:
            return self.flag(_COMPARE[predicate](0, 0))
        if (predicate, y) in _NEVER:
            return self.flag(False)
        return self.emit(arith.CmpiOp(a, b, predicate))

    def compute(self, operation: str, *operands: SSAValue, to: Attribute = i32) -> SSAValue:
        """An operation of the machine by its name."""
        return self.emit(ComputeOp(operation, operands, to))

    # Flags

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        for x, y in ((a, b), (b, a)):
            known = constant_of(x)
            if known is not None:
                return y if known else x
        return self.emit(arith.AndIOp(a, b))

    def either(self, a: SSAValue, b: SSAValue) -> SSAValue:
        for x, y in ((a, b), (b, a)):
            known = constant_of(x)
            if known is not None:
                return x if known else y
        return self.emit(arith.OrIOp(a, b))

    def differ(self, a: SSAValue, b: SSAValue) -> SSAValue:
        x, y = constant_of(a), constant_of(b)
        if x is not None and y is not None:
            return self.flag(x != y)
        return self.emit(arith.XOrIOp(a, b))

    def invert(self, a: SSAValue) -> SSAValue:
        return self.differ(a, self.flag(True))

    def extend(self, flag: SSAValue) -> SSAValue:
        """0 or 1 as a word."""
        known = constant_of(flag)
        return self.constant(known) if known is not None else self.emit(arith.ExtUIOp(flag, i32))

    def odd(self, word: SSAValue) -> SSAValue:
        """The lowest bit as a flag."""
        return self.compare("ne", self.and_(word, 1), 0)

    def select(self, flag: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        known = constant_of(flag)
        if known is not None:
            return a if known else b
        return a if a is b else self.emit(arith.SelectOp(flag, a, b))

    # Floats

    def bits(self, value: SSAValue) -> SSAValue:
        """The bits of a float, as a word."""
        if value.type != f32:
            return value
        if isinstance(value.owner, arith.BitcastOp):
            return value.owner.input
        return self.emit(arith.BitcastOp(value, i32))

    def as_float(self, word: SSAValue) -> SSAValue:
        if word.type == f32:
            return word
        if isinstance(word.owner, arith.BitcastOp):
            return word.owner.input
        return self.emit(arith.BitcastOp(word, f32))

    def compare_floats(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emit(arith.CmpfOp(a, b, predicate))


def digits(factor: int, width: int) -> list[tuple[int, bool]]:
    """The non-adjacent form of `factor` in `width` bits: shifts, each added (True) or subtracted,
    the added ones first."""
    found: list[tuple[int, bool]] = []
    shift = 0
    while factor and shift < width:
        if factor & 1:
            digit = 2 - (factor & 3)
            found.append((shift, digit > 0))
            factor -= digit
        factor >>= 1
        shift += 1
    return sorted(found, key=lambda term: not term[1])
