"""`vec.lookup`: permutations of registers, or loads from a constant array."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    SymbolRefAttr,
    TensorType,
    VectorType,
    i8,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue

from polycl.dialects import vec
from polycl.dialects.vec import count_of, width_of
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.memory_to_llvm import load, move
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import POINTER

_PERMUTATIONS = {
    (32, 256): "llvm.x86.avx2.permps",
    (64, 256): "llvm.x86.avx2.permd",
    (32, 512): "llvm.x86.avx512.permvar.sf.512",
    (64, 512): "llvm.x86.avx512.permvar.df.512",
}
"""Of one register, by the bits of a number and of the register; `permd` is for 32-bit words."""

_OF_TWO = {32: "llvm.x86.avx512.vpermi2var.ps.512", 64: "llvm.x86.avx512.vpermi2var.pd.512"}
"""Of two registers of 512 bits."""


def _lookup(op: vec.LookupOp, low: FunctionLowering) -> SSAValue:
    index, register = low.value(op.index), low.conventions.lookups
    if isinstance(index.type, VectorType) and (width_of(index.type), register) in _PERMUTATIONS:
        return _in_registers(low, index, op, register // width_of(index.type))
    symbol, element = SymbolRefAttr(_constant_array(low, op)), op.table.elt_type
    size = width_of(element) // 8

    def number(at: SSAValue) -> SSAValue:
        at = low.emit(llvm.AndOp(at, low.constant(len(op.table) - 1, at.type)))
        if at.type != i64:
            at = low.emit(llvm.ZExtOp(at, i64))
        address = move(low, low.emit(llvm.AddressOfOp(symbol, POINTER)), at, size)
        return load(low, address, element, size, invariant=True)

    return low.each_element(number, [index], low.type(op.result.type))


def _constant_array(low: FunctionLowering, op: vec.LookupOp) -> str:
    """The name of the constant with the numbers, which is made where it is not there yet."""
    data = op.table.data
    value = DenseIntOrFPElementsAttr(TensorType(i8, [len(data.data)]), data)
    arrays = [array for array in low.symbols.added if array.constant is not None]
    for array in arrays:
        if array.value == value:
            return array.sym_name.data
    name, type = f"polycl.table.{len(arrays)}", llvm.LLVMArrayType(len(data.data), i8)
    low.symbols.added.append(
        llvm.GlobalOp(type, name, "internal", constant=True, value=value, alignment=64)
    )
    return name


def _in_registers(low: FunctionLowering, index: SSAValue, op: vec.LookupOp, lanes: int) -> SSAValue:
    """The numbers at the indices, a register of `lanes` indices at a time."""
    count = count_of(index.type)
    parts: list[SSAValue] = []
    for start in range(0, count, lanes):
        mask = [i if i < count else -1 for i in range(start, start + lanes)]
        part = index if count == lanes else low.shuffle(index, index, mask)
        parts.append(_permuted(low, part, list(op.table.get_values()), op.table.elt_type))
    while len(parts) > 1:
        if len(parts) % 2:
            parts.append(low.poison(parts[0].type))
        order = range(2 * count_of(parts[0].type))
        parts = [low.shuffle(x, y, order) for x, y in zip(parts[::2], parts[1::2], strict=True)]
    [found] = parts
    return found if count_of(found.type) == count else low.resized(found, count)


def _permuted(
    low: FunctionLowering, index: SSAValue, numbers: Sequence[float], element: AnyFloat
) -> SSAValue:
    """An instruction chooses by the low bits of each index among the numbers of one register, or,
    with AVX-512, of two; the next bits choose between such registers."""
    lanes, width = count_of(index.type), width_of(element)
    type = VectorType(element, [lanes])
    numbers = [*numbers] * max(1, lanes // len(numbers))
    registers = [
        _constant(low, numbers[at : at + lanes], type) for at in range(0, len(numbers), lanes)
    ]
    bit, register = lanes, lanes * width
    if register == 512 and len(registers) > 1:
        pairs = zip(registers[::2], registers[1::2], strict=True)
        found = [low.intrinsic_named(_OF_TWO[width], [x, index, y], type) for x, y in pairs]
        bit *= 2
    else:
        name = _PERMUTATIONS[width, register]
        if name == _PERMUTATIONS[64, 256]:
            found = _permuted_words(low, index, registers)
        else:
            found = [low.intrinsic_named(name, [x, index], type) for x in registers]
    while len(found) > 1:
        on = low.emit(llvm.AndOp(index, low.constant(bit, index.type)))
        is_second = low.icmp("ne", on, low.constant(0, index.type))
        found = [low.select(is_second, y, x) for x, y in zip(found[::2], found[1::2], strict=True)]
        bit *= 2
    return found[0]


def _permuted_words(
    low: FunctionLowering, index: SSAValue, registers: Sequence[SSAValue]
) -> list[SSAValue]:
    """Numbers of 64 bits by an instruction for their halves, of AVX2."""
    words, type = VectorType(i32, [8]), registers[0].type
    index = low.emit(llvm.BitcastOp(index, words))
    first = low.shuffle(index, index, [0, 0, 2, 2, 4, 4, 6, 6])
    doubled = low.emit(llvm.AddOp(first, first))
    halves = DenseIntOrFPElementsAttr.from_list(words, [0, 1] * 4)
    places = low.emit(llvm.AddOp(doubled, low.new(llvm.ConstantOp, [], words, {"value": halves})))
    found: list[SSAValue] = []
    for register in registers:
        source = low.emit(llvm.BitcastOp(register, words))
        moved = low.intrinsic_named(_PERMUTATIONS[64, 256], [source, places], words)
        found.append(low.emit(llvm.BitcastOp(moved, type)))
    return found


def _constant(
    low: FunctionLowering, numbers: Sequence[float], type: VectorType[AnyFloat]
) -> SSAValue:
    value = DenseIntOrFPElementsAttr.from_list(type, numbers)
    return low.new(llvm.ConstantOp, [], type, {"value": value})


CONVERTERS: dict[type[Operation], Converter] = {vec.LookupOp: _lookup}
