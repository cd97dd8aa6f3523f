"""Gathers from small tables of constants: permutations of registers, which access no memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerType,
    VectorType,
    i8,
    i16,
    i32,
)
from xdsl.ir import SSAValue

from polycl.analysis.ocl.tables import PAIR_BYTES, WORD_LANES, in_planes, pairs_of, table_of
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import FunctionLowering

_4 = range(4)

_NAMES = {1: "qi", 2: "hi", 4: "d", 8: "q"}
"""Of the instructions, by the bytes of an element."""


def look_up(op: wg.GatherOp, low: FunctionLowering) -> SSAValue | None:
    """The elements of a gather, in 0 where a lane is off; None if it is not of a small table.

    An instruction of AVX-512 chooses among the elements of two registers by the low bits of each
    lane's index; the next bits choose between the pairs of registers of a larger table. Words of a
    table of more than four pairs are put together of their bytes, 64 of which are looked up at
    once.
    """
    pointer, offsets = op.pointer, list[SSAValue]()
    while isinstance(pointer.owner, ocl.OffsetOp):
        offsets.append(pointer.owner.index)
        pointer = pointer.owner.pointer
    address, element = table_of(pointer), element_of(op.result.type)
    size, stride = size_of(element), wg.stride_in_bytes(op)
    is_number = ocl.pointee_of(op.pointer) == element == ocl.pointee_of(pointer)
    if address is None or not is_number or stride % size or count_of(op.result.type) != _lanes(op):
        return None
    number, lanes = IntegerType(8 * size), _lanes(op)
    memory = low.symbols.memory(address.symbol.string_value())
    if in_planes(address):
        planes = [_registers(low, i8, memory[byte::size], 2) for byte in range(size)]
        indices = _element_indices(low, op, offsets, stride // size, i8)
        parts = [_words(low, planes, part) for part in _parts(low, indices, WORD_LANES)]
    else:
        registers = _registers(low, number, memory, pairs_of(address))
        indices = _element_indices(low, op, offsets, stride // size, number)
        width = count_of(registers[0].type)
        parts = [_permuted(low, registers, part) for part in _parts(low, indices, width)]
    found = low.resized(_joined(low, parts), lanes)
    if element != number:
        found = low.emit(llvm.BitcastOp(found, VectorType(element, [lanes])))
    if op.mask is None:
        return found
    return low.select(low.value(op.mask), found, low.constant(0, found.type))


def _lanes(op: wg.GatherOp) -> int:
    return count_of(op.indices.type)


def _registers(
    low: FunctionLowering, number: IntegerType, memory: bytes, pairs: int
) -> list[SSAValue]:
    """The registers that hold a table."""
    return [
        low.new(llvm.ConstantOp, [], value.type, {"value": value})
        for value in _register_values(number, memory, pairs)
    ]


@lru_cache(256)
def _register_values(
    number: IntegerType, memory: bytes, pairs: int
) -> list[DenseIntOrFPElementsAttr]:
    """Attributes are checked when they are made, which takes time for each element."""
    memory, size = memory.ljust(pairs * PAIR_BYTES, b"\0"), number.width.data // 8
    type = VectorType(number, [PAIR_BYTES // 2 // size])
    elements = [
        int.from_bytes(memory[at : at + size], "little", signed=True)
        for at in range(0, len(memory), size)
    ]
    count = type.element_count()
    return [
        DenseIntOrFPElementsAttr.from_list(type, elements[at : at + count])
        for at in range(0, len(elements), count)
    ]


def _element_indices(
    low: FunctionLowering,
    op: wg.GatherOp,
    offsets: list[SSAValue],
    factor: int,
    number: IntegerType,
) -> SSAValue:
    """The low bits of the number of each lane's element: a byte has all of an index below 256."""
    type = VectorType(number, [_lanes(op)])

    def narrow(indices: SSAValue) -> SSAValue:
        return indices if indices.type == type else low.emit(llvm.TruncOp(indices, type))

    indices = narrow(low.value(op.indices))
    if factor != 1:
        indices = low.emit(llvm.MulOp(indices, low.constant(factor, type)))
    for offset in offsets:
        index = low.value(offset)
        wide = VectorType(index.type, [_lanes(op)])
        first = low.insert_element(low.poison(wide), index, 0)
        indices = low.emit(llvm.AddOp(indices, narrow(low.shuffle(first, first, [0] * _lanes(op)))))
    return indices


def _parts(low: FunctionLowering, indices: SSAValue, width: int) -> list[SSAValue]:
    """The indices of as many lanes as a register holds, in order."""
    lanes = count_of(indices.type)
    if lanes <= width:
        return [low.resized(indices, width)]
    return [
        low.shuffle(indices, indices, list(range(at, at + width))) for at in range(0, lanes, width)
    ]


def _joined(low: FunctionLowering, parts: Sequence[SSAValue]) -> SSAValue:
    while len(parts) > 1:
        order = list(range(2 * count_of(parts[0].type)))
        parts = [low.shuffle(x, y, order) for x, y in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


def _words(low: FunctionLowering, planes: Sequence[list[SSAValue]], indices: SSAValue) -> SSAValue:
    """64 words, of which `planes` have the first, second, third and fourth bytes.

    Instructions that interleave two registers do so in each quarter of them: the lanes are in such
    an order before that they are in theirs after.
    """
    order = [16 * part + 4 * quarter + k for quarter in _4 for part in _4 for k in _4]
    indices = low.shuffle(indices, indices, order)
    first, second, third, fourth = (_permuted(low, plane, indices) for plane in planes)
    low_halves = _interleaved(low, first, second, i16)
    high_halves = _interleaved(low, third, fourth, i16)
    words = [
        word
        for pair in zip(low_halves, high_halves, strict=True)
        for word in _interleaved(low, *pair, i32)
    ]
    return _joined(low, words)


def _interleaved(
    low: FunctionLowering, x: SSAValue, y: SSAValue, type: IntegerType
) -> list[SSAValue]:
    """Elements of two registers alternately, as twice as wide ones: of the first halves of all
    quarters, and of the second halves."""
    count = count_of(x.type)
    found: list[SSAValue] = []
    for half in range(2):
        starts = [quarter * (count // 4) + half * (count // 8) for quarter in _4]
        order = [
            at
            for start in starts
            for i in range(count // 8)
            for at in (start + i, count + start + i)
        ]
        pairs = low.shuffle(x, y, order)
        found.append(low.emit(llvm.BitcastOp(pairs, VectorType(type, [count // 2]))))
    return found


def _permuted(low: FunctionLowering, registers: list[SSAValue], indices: SSAValue) -> SSAValue:
    type = indices.type
    assert isinstance(type, VectorType)
    name = f"llvm.x86.avx512.vpermi2var.{_NAMES[size_of(type.element_type)]}.512"
    found = [
        low.intrinsic_named(name, [first, indices, second], type)
        for first, second in zip(registers[::2], registers[1::2], strict=True)
    ]
    bit = 2 * count_of(type)
    while len(found) > 1:
        on = low.emit(llvm.AndOp(indices, low.constant(bit, type)))
        is_second = low.icmp("ne", on, low.constant(0, type))
        found = [
            low.select(is_second, second, first)
            for first, second in zip(found[::2], found[1::2], strict=True)
        ]
        bit *= 2
    return found[0]
