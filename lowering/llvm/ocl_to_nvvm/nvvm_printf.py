"""`printf` by the driver's `vprintf`, which takes C's formats and a block of arguments."""

from __future__ import annotations

import re

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    SymbolRefAttr,
    TensorType,
    f64,
    i8,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue

from polycl.dialects import llvm as llvm_ext
from polycl.dialects import ocl
from polycl.dialects.vec import count_of
from polycl.errors import error_at
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.memory_to_llvm import move_bytes
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import POINTER, bits_of

_SPEC = re.compile(
    r"%(?P<before>[-+ #0]*\d*(?:\.\d*)?)"
    r"(?:v(?P<count>\d+))?(?P<length>hh|hl|h|l|)(?P<conversion>.?)",
    re.DOTALL,
)
_LENGTH_BITS = {"hh": 8, "h": 16, "hl": 32, "l": 64}


def _printf(op: ocl.PrintfOp, low: FunctionLowering) -> SSAValue:
    """A vector is printed as its elements, with commas between them (OpenCL 1.2, 6.12.13)."""
    arguments = iter(op.arguments)
    values: list[SSAValue] = []

    def convert(match: re.Match[str]) -> str:
        conversion = match["conversion"]
        if conversion == "%":
            return "%%"
        argument = next(arguments, None)
        if argument is None or not conversion or conversion not in "diouxXfFeEgGaAcsp":
            raise error_at(op, f"printf: '{match[0]}' has no argument, or is no conversion")
        value = low.value(argument)
        count = count_of(value.type)
        if (match["count"] or "1") != str(count):
            raise error_at(op, f"printf: '{match[0]}' does not fit an argument {argument.type}")
        parts = [low.extract_element(value, i) for i in range(count)] if count > 1 else [value]
        parts = [_passed(op, low, part, conversion, match["length"], count) for part in parts]
        values.extend(parts)
        length = "ll" if parts[0].type == i64 else ""
        return ",".join([f"%{match['before']}{length}{conversion}"] * count)

    text = _SPEC.sub(convert, op.format.data)
    block = low.allocate(max(8, 8 * len(values)), 8)
    offset = 0
    for value in values:
        size = 8 if value.type == POINTER else bits_of(value.type) // 8
        offset = -(-offset // size) * size
        low.emit_void(llvm.StoreOp(value, move_bytes(low, block, offset), size))
        offset += size
    low.symbols.declare("vprintf", [POINTER, POINTER], i32, ("nounwind",))
    printed = low.emit(llvm.CallOp("vprintf", _text(low, text), block, return_type=i32))
    failed = low.icmp("slt", printed, low.constant(0, i32))
    return low.select(failed, low.constant(-1, i32), low.constant(0, i32))


def _passed(
    op: ocl.PrintfOp,
    low: FunctionLowering,
    value: SSAValue,
    conversion: str,
    length: str,
    count: int,
) -> SSAValue:
    """A number as C passes it to a function of any number of arguments."""
    type = value.type
    if isinstance(type, llvm.LLVMPointerType):
        if conversion not in "sp":
            raise error_at(op, f"printf: '%{conversion}' is not for a pointer")
        return value if type == POINTER else low.new(llvm_ext.AddrSpaceCastOp, [value], POINTER)
    is_float = not isinstance(type, IntegerType)
    if is_float != (conversion in "fFeEgGaA") or conversion in "sp":
        raise error_at(op, f"printf: '%{conversion}' does not fit an argument {type}")
    if is_float:
        return value if type == f64 else low.emit(llvm.FPExtOp(value, f64))
    own = bits_of(type)
    bits = min(own, _LENGTH_BITS.get(length, 32 if count == 1 else own))
    if bits < own:
        value = low.emit(llvm.TruncOp(value, IntegerType(bits)))
    if bits >= 32:
        return value
    return low.emit((llvm.SExtOp if conversion in "di" else llvm.ZExtOp)(value, i32))


def _text(low: FunctionLowering, text: str) -> SSAValue:
    """The address of a text, which ends with a zero."""
    data = text.encode("latin-1", "replace") + b"\0"
    space = low.conventions.spaces.constant
    texts = [op for op in low.symbols.added if isinstance(op, llvm.GlobalOp)]
    name = f"polycl.format.{len(texts)}"
    values = DenseIntOrFPElementsAttr(TensorType(i8, [len(data)]), BytesAttr(data))
    type = llvm.LLVMArrayType(len(data), i8)
    low.symbols.added.append(
        llvm.GlobalOp(type, name, "internal", space, constant=True, value=values, alignment=1)
    )
    pointer = low.conventions.spaces.pointer(ocl.AddressSpace.CONSTANT)
    address = low.emit(llvm.AddressOfOp(SymbolRefAttr(name), pointer))
    return low.new(llvm_ext.AddrSpaceCastOp, [address], POINTER)


CONVERTERS: dict[type[Operation], Converter] = {ocl.PrintfOp: _printf}
