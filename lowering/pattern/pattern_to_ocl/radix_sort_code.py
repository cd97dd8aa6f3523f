"""Sorts by the bits of keys, the lowest byte first, by one work-item.

A pass puts elements in the order of one byte and leaves those with equal bytes as they are
(Knuth, The Art of Computer Programming 3, section 5.2.5). It reads the elements in order and
writes each to the next place of its byte, which the number of smaller bytes tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr, Range, integer
from polycl.dialects import ocl, pattern
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.pattern import array
from polycl.lowering.pattern.pattern_to_ocl.bodies import load_scalars, tuple_parts
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import ArrayView, View
from polycl.lowering.pattern.rules.comparisons import Key, keys_of
from polycl.lowering.pattern.rules.rule import Refused

_BITS = 8
_VALUES = 1 << _BITS
_LEAST = 48
"""Elements for each pass; with fewer, most of the time is for the counts of bytes."""
_MOST = 2**31 - 1


@dataclass(frozen=True)
class Byte:
    """A byte of a key; byte 0 is the lowest."""

    key: Key
    number: int
    is_highest: bool


def sorting_bytes(op: pattern.SortOp, size: int) -> list[Byte]:
    """The bytes by which to sort, one pass for each; none where merges are better."""
    try:
        keys = keys_of(op)
    except Refused:
        return []
    found: list[Byte] = []
    for key in reversed(keys):
        bits = _bits_of(op.body.block.args[key.part].type)
        if bits % _BITS:
            return []
        count = bits // _BITS
        found += [Byte(key, number, number == count - 1) for number in range(count)]
    return found if _LEAST * len(found) <= size <= _MOST else []


def _bits_of(type: Attribute) -> int:
    if isinstance(type, AnyFloat):
        return type.bitwidth
    return type.width.data if isinstance(type, IntegerType) else i64.width.data


@dataclass
class RadixSort:
    """A stable sort by `bytes`."""

    gen: KernelGenerator
    op: pattern.SortOp
    scope: Scope
    bytes: Sequence[Byte]

    def __post_init__(self) -> None:
        self.emitter = self.gen.emitter

    def run(self, source: ArrayView, out: ArrayView, other: ArrayView) -> None:
        """Sort `source` to `out`; passes go to `other` in turns with it."""
        counts = self._counts()
        self._count(source, counts)
        self._add_up(counts)
        for number in range(len(self.bytes)):
            # The last pass is to `out`.
            target = other if (len(self.bytes) - number) % 2 == 0 else out
            self._move(source, target, counts, number)
            source = target

    def _counts(self) -> ArrayView:
        type = array(len(self.bytes) * _VALUES, i32)
        counts = self.gen.allocate(self.op, type, self.scope.sizes, AddressSpace.GLOBAL)
        assert isinstance(counts, ArrayView)
        zero = self._number(0, i32)
        self.gen.each(counts.size, lambda i: self._store(zero, counts.at(self.emitter, i)))
        return counts

    def _count(self, source: ArrayView, counts: ArrayView) -> None:
        """How many elements have each value of each byte."""

        def one(i: Expr) -> None:
            element = load_scalars(self.emitter, source.at(self.emitter, i))
            for number in range(len(self.bytes)):
                self._take(counts, self._slot(element, number))

        self.gen.each(source.size, one)

    def _add_up(self, counts: ArrayView) -> None:
        """Replace each number by that of the elements with a smaller value of the byte."""

        def one(value: Expr, before: Sequence[SSAValue]) -> Sequence[SSAValue]:
            after: list[SSAValue] = []
            for number, total in enumerate(before):
                place = counts.at(self.emitter, value + number * _VALUES)
                count = self.emitter.value(place)
                self._store(total, place)
                after.append(self._new(arith.AddiOp(total, count)))
            return after

        zero = self._number(0, i32)
        self.emitter.loop(integer(_VALUES), [zero] * len(self.bytes), one)

    def _move(self, source: ArrayView, target: ArrayView, counts: ArrayView, number: int) -> None:
        """One pass."""

        def one(i: Expr) -> None:
            element = load_scalars(self.emitter, source.at(self.emitter, i))
            place = self._take(counts, self._slot(element, number))
            bounds = Range(integer(0), source.size - 1)
            to = target.at(self.emitter, self.emitter.opaque(place, bounds))
            self.gen.copy(element, to, self.op.element_type, self.scope.sizes)

        self.gen.each(source.size, one)

    def _take(self, counts: ArrayView, slot: Expr) -> SSAValue:
        """A number of `counts`, to which one is added."""
        place = counts.at(self.emitter, slot)
        count = self.emitter.value(place)
        self._store(self._new(arith.AddiOp(count, self._number(1, i32))), place)
        return count

    def _slot(self, element: View, number: int) -> Expr:
        """The place in the counts of the element's byte in this pass."""
        byte = self.bytes[number]
        parts = tuple_parts(element, len(self.op.argument_groups[0]))
        key = self._ordered(self.emitter.value(parts[byte.key.part]), byte)
        if byte.number:
            key = self._new(arith.ShRUIOp(key, self._number(_BITS * byte.number, key.type)))
        if not byte.is_highest:
            key = self._new(arith.AndIOp(key, self._number(_VALUES - 1, key.type)))
        if key.type != i64:
            key = self._new(arith.ExtUIOp(key, i64))
        value = self.emitter.opaque(key, Range(integer(0), integer(_VALUES - 1)))
        return value + number * _VALUES

    def _ordered(self, value: SSAValue, byte: Byte) -> SSAValue:
        """The key as bits whose order as an unsigned number is that of the sort."""
        if isinstance(value.type, IndexType):
            value = self._new(arith.IndexCastOp(value, i64))
        bits = _bits_of(value.type)
        sign, everything = 1 << (bits - 1), (1 << bits) - 1
        flipped = everything if byte.key.largest else 0
        if not isinstance(value.type, AnyFloat):
            # Only the highest byte has the sign.
            if byte.is_highest and not byte.key.unsigned:
                flipped ^= sign
            return self._flip(value, self._number(flipped, value.type))
        value = self._new(ocl.BitcastOp(value, IntegerType(bits)))
        type = value.type
        # Zeros are equal.
        is_zero = self._new(arith.CmpiOp(value, self._number(sign, type), "eq"))
        value = self.emitter.select(is_zero, self._number(0, type), value)
        # Of negative numbers, larger bits are less.
        is_negative = self._new(arith.CmpiOp(value, self._number(0, type), "slt"))
        masks = [self._number(flipped ^ mask, type) for mask in (everything, sign)]
        return self._flip(value, self.emitter.select(is_negative, *masks))

    def _flip(self, value: SSAValue, mask: SSAValue) -> SSAValue:
        return self._new(arith.XOrIOp(value, mask))

    def _number(self, value: int, type: Attribute) -> SSAValue:
        assert isinstance(type, IntegerType)
        bits = type.width.data
        signed = value - (1 << bits) if value >> (bits - 1) else value
        return self._new(arith.ConstantOp.from_int_and_width(signed, type))

    def _new(self, op: Operation) -> SSAValue:
        return self.emitter.result(op)

    def _store(self, value: SSAValue, place: View) -> None:
        self.emitter.store(value, place)
