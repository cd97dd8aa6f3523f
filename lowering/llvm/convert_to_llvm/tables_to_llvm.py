"""Gathers from small tables of constants: permutations of registers, which access no memory."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, VectorType
from xdsl.ir import SSAValue

from polycl.analysis.ocl.tables import PAIR_BYTES, pairs_of, table_of
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.llvm.constants import constant_bytes
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import FunctionLowering

_NAMES = {1: "qi", 2: "hi", 4: "d", 8: "q"}
"""Of the instructions, by the bytes of an element."""


def look_up(op: wg.GatherOp, low: FunctionLowering) -> SSAValue | None:
    """The elements of a gather, in 0 where a lane is off; None if it is not of a small table.

    An instruction of AVX-512 chooses among the elements of two registers by the low bits of each
    lane's index; the next bits choose between the pairs of registers of a larger table.
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
    number = IntegerType(8 * size)
    data = low.symbols.constants[address.symbol.string_value()]
    memory = constant_bytes(data.type, data.value).ljust(pairs_of(address) * PAIR_BYTES, b"\0")
    registers = [
        _register(low, number, memory[at : at + PAIR_BYTES // 2])
        for at in range(0, len(memory), PAIR_BYTES // 2)
    ]
    indices = _element_indices(low, op, offsets, stride // size, number)
    lanes, width = _lanes(op), count_of(registers[0].type)
    parts = [
        _permuted(low, registers, low.resized(_part(low, indices, at, width), width))
        for at in range(0, lanes, width)
    ]
    while len(parts) > 1:
        order = list(range(2 * count_of(parts[0].type)))
        parts = [low.shuffle(x, y, order) for x, y in zip(parts[::2], parts[1::2], strict=True)]
    found = low.resized(parts[0], lanes)
    if element != number:
        found = low.emit(llvm.BitcastOp(found, VectorType(element, [lanes])))
    if op.mask is None:
        return found
    return low.select(low.value(op.mask), found, low.constant(0, found.type))


def _lanes(op: wg.GatherOp) -> int:
    return count_of(op.indices.type)


def _register(low: FunctionLowering, number: IntegerType, memory: bytes) -> SSAValue:
    size = number.width.data // 8
    elements = [
        int.from_bytes(memory[at : at + size], "little", signed=True)
        for at in range(0, len(memory), size)
    ]
    type = VectorType(number, [len(elements)])
    value = DenseIntOrFPElementsAttr.from_list(type, elements)
    return low.new(llvm.ConstantOp, [], type, {"value": value})


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


def _part(low: FunctionLowering, indices: SSAValue, at: int, width: int) -> SSAValue:
    """Those of the lanes from `at` on that a register holds."""
    if count_of(indices.type) <= width:
        return indices
    return low.shuffle(indices, indices, list(range(at, at + width)))


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
