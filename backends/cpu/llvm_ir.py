"""The LLVM dialect as text of LLVM IR.

xDSL's own conversion does most of it. `_CONVERTERS` has what it lacks (`llvm_ext`) and what it
drops: alignment of globals and volatile stores; its `getelementptr` adds a cast that opaque
pointers do not need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from llvmlite import ir
from llvmlite.ir import instructions
from xdsl.backend.llvm.convert_op import convert_op
from xdsl.backend.llvm.convert_type import convert_type
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, DenseIntOrFPElementsAttr, ModuleOp, StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import LLVMTranslationException

from polycl.backends.cpu.debug_info import DebugInfo
from polycl.dialects import llvm as llvm_ext
from polycl.errors import error_at, location_of


class _Instruction(instructions.Instruction):
    """An instruction given by its text; `{0}` is its first operand with type, `{0.name}` without.

    llvmlite has no class for it, or one that lacks a part of its syntax.
    """

    def __init__(self, parent: Any, type: Any, text: str, operands: Sequence[Any]):
        super().__init__(parent, type, text.partition(" ")[0], list(operands))
        self._text = text

    def descr(self, buf: list[str]) -> None:
        texts = [_Operand(operand) for operand in self.operands]
        buf.append(self._text.format(*texts) + self._stringify_metadata(leading_comma=True) + "\n")


class _Operand:
    def __init__(self, value: Any):
        self.name = value.get_reference()
        self._text = f"{value.type} {self.name}"

    def __str__(self) -> str:
        return self._text


class _Poison(ir.Constant):
    """The constant `poison`, which llvmlite does not know."""

    def __init__(self, type: Any):
        self.type = type
        self.constant = "poison"

    def _get_reference(self) -> str:
        return "poison"

    def _to_string(self) -> str:
        return f"{self.type} poison"


@dataclass
class _Function:
    """The function that is being written: where, and what each value is."""

    builder: ir.IRBuilder
    values: dict[SSAValue, Any]

    def instruction(self, op: Operation, text: str) -> None:
        """Add the instruction `text`, with the operands and results of `op`."""
        type = convert_type(op.results[0].type) if op.results else ir.VoidType()
        operands = [self.values[operand] for operand in op.operands]
        instruction = _Instruction(self.builder.block, type, text, operands)
        self.builder._insert(instruction)
        if op.results:
            self.values[op.results[0]] = instruction


def _convert_cast(op: llvm_ext.FPToSIOp, to: _Function) -> None:
    opcode = op.name.removeprefix("llvm_ext.")
    to.instruction(op, f"{opcode} {{0}} to {convert_type(op.res.type)}")


def _convert_fcmp(op: llvm_ext.FCmpOp, to: _Function) -> None:
    to.instruction(op, f"fcmp {op.predicate.data} {{0}}, {{1.name}}")


def _convert_select(op: llvm_ext.SelectOp | llvm.SelectOp, to: _Function) -> None:
    to.instruction(op, "select {0}, {1}, {2}")


def _convert_extract_element(op: llvm_ext.ExtractElementOp, to: _Function) -> None:
    to.instruction(op, "extractelement {0}, {1}")


def _convert_poison(op: llvm_ext.PoisonOp, to: _Function) -> None:
    to.values[op.res] = _Poison(convert_type(op.res.type))


def _convert_volatile_load(op: llvm_ext.VolatileLoadOp, to: _Function) -> None:
    type = convert_type(op.res.type)
    to.instruction(op, f"load volatile {type}, {{0}}, align {op.alignment.value.data}")


def _convert_store(op: llvm.StoreOp, to: _Function) -> None:
    volatile = "volatile " if op.volatile_ is not None else ""
    align = f", align {op.alignment.value.data}" if op.alignment is not None else ""
    to.instruction(op, f"store {volatile}{{0}}, {{1}}{align}")


def _convert_atomic_rmw(op: llvm_ext.AtomicRMWOp, to: _Function) -> None:
    to.instruction(op, f"atomicrmw {op.bin_op.data} {{0}}, {{1}} {op.ordering.data}")


def _convert_cmpxchg(op: llvm_ext.CmpXchgOp, to: _Function) -> None:
    orderings = f"{op.success_ordering.data} {op.failure_ordering.data}"
    to.instruction(op, f"cmpxchg {{0}}, {{1}}, {{2}} {orderings}")


def _convert_fence(op: llvm_ext.FenceOp, to: _Function) -> None:
    to.instruction(op, f"fence {op.ordering.data}")


def _convert_gep(op: llvm.GEPOp, to: _Function) -> None:
    dynamic = iter(range(1, len(op.operands)))
    indices = [
        f"{{{next(dynamic)}}}" if index == llvm.GEP_USE_SSA_VAL else f"i32 {index}"
        for index in op.rawConstantIndices.iter_values()
    ]
    inbounds = "inbounds " if op.inbounds is not None else ""
    element = convert_type(op.elem_type)
    to.instruction(op, f"getelementptr {inbounds}{element}, {{0}}, {', '.join(indices)}")


def _convert_lane_addresses(op: llvm_ext.LaneAddressesOp, to: _Function) -> None:
    element = f"[{op.stride.value.data} x i8]"
    to.instruction(op, f"getelementptr {element}, {{0}}, {{1}}")


def _convert_shuffle(op: llvm.ShuffleVectorOp, to: _Function) -> None:
    positions = op.mask.get_values()
    mask = ", ".join("i32 poison" if i < 0 else f"i32 {i}" for i in positions)
    to.instruction(op, f"shufflevector {{0}}, {{1}}, <{len(positions)} x i32> <{mask}>")


def _convert_constant(op: llvm.ConstantOp, to: _Function) -> None:
    type: Any = convert_type(op.result.type)
    if isinstance(op.value, DenseIntOrFPElementsAttr):
        numbers: Any = [ir.Constant(type.element, number) for number in op.value.get_values()]
    else:
        numbers = op.value.value.data
    to.values[op.result] = ir.Constant(type, numbers)


_Line: TypeAlias = Callable[[Operation], Any]

_CONVERTERS: dict[type[Operation], Callable[[Any, _Function], None]] = {
    llvm_ext.FPToSIOp: _convert_cast,
    llvm_ext.FPToUIOp: _convert_cast,
    llvm_ext.UIToFPOp: _convert_cast,
    llvm_ext.FCmpOp: _convert_fcmp,
    llvm_ext.SelectOp: _convert_select,
    # xDSL's own takes two pointers for different types if what was allocated differs.
    llvm.SelectOp: _convert_select,
    llvm_ext.ExtractElementOp: _convert_extract_element,
    llvm_ext.LaneAddressesOp: _convert_lane_addresses,
    llvm_ext.PoisonOp: _convert_poison,
    llvm_ext.VolatileLoadOp: _convert_volatile_load,
    llvm_ext.AtomicRMWOp: _convert_atomic_rmw,
    llvm_ext.CmpXchgOp: _convert_cmpxchg,
    llvm_ext.FenceOp: _convert_fence,
    llvm.ConstantOp: _convert_constant,
    llvm.GEPOp: _convert_gep,
    llvm.ShuffleVectorOp: _convert_shuffle,
    llvm.StoreOp: _convert_store,
}


def llvm_ir(module: ModuleOp, debug_info: bool = False) -> str:
    """The module, which is in the LLVM dialect, as LLVM IR. It names no target.

    With `debug_info` every instruction says its source line.

    Raises:
        PolyclError: located: an operation that is not of the LLVM dialect, or not convertible.
    """
    target = ir.Module()
    functions: list[llvm.FuncOp] = []
    for op in module.ops:
        match op:
            case llvm.GlobalOp():
                _convert_global(op, target)
            case llvm.FuncOp():
                _declare(op, target)
                functions.append(op)
            case _:
                raise error_at(
                    op, f"'{op.name}' is not of the LLVM dialect: run convert-to-llvm before"
                )
    debug = DebugInfo(target) if debug_info else None
    for function in functions:
        if function.body.blocks:
            _convert_body(function, target, debug)
    return str(target)


def _convert_global(op: llvm.GlobalOp, target: ir.Module) -> None:
    variable: Any = ir.GlobalVariable(target, convert_type(op.global_type), op.sym_name.data)
    variable.linkage = op.linkage.linkage.data
    variable.global_constant = op.constant is not None
    if op.alignment is not None:
        variable.align = op.alignment.value.data
    if not isinstance(op.value, DenseIntOrFPElementsAttr):
        raise error_at(op, f"a global holds bytes here, got {op.value}")
    data = bytearray(int(byte) % 256 for byte in op.value.get_values())
    variable.initializer = ir.Constant(convert_type(op.global_type), data)


def _declare(op: llvm.FuncOp, target: ir.Module) -> None:
    type = op.function_type
    inputs = [convert_type(t) for t in type.inputs]
    function = ir.Function(
        target, ir.FunctionType(convert_type(type.output), inputs), op.sym_name.data
    )
    if op.linkage.linkage.data == "internal":
        function.linkage = "internal"
    function.attributes.add("nounwind")
    # Where the module was text, xDSL's parser makes an attribute of the property.
    passthrough = op.passthrough or op.attributes.get("passthrough")
    if isinstance(passthrough, ArrayAttr):
        for attribute in passthrough:
            assert isinstance(attribute, StringAttr)
            function.attributes.add(attribute.data)


def _convert_body(op: llvm.FuncOp, target: ir.Module, debug: DebugInfo | None) -> None:
    function = target.get_global(op.sym_name.data)
    line = _lines_of(op, function, debug)
    blocks = {block: function.append_basic_block() for block in op.body.blocks}
    values: dict[SSAValue, Any] = {}
    for block, new in blocks.items():
        if block is op.body.blocks[0]:
            values.update(zip(block.args, function.args, strict=True))
            continue
        builder = ir.IRBuilder(new)
        for arg in block.args:
            values[arg] = builder.phi(convert_type(arg.type))
    for block, new in blocks.items():
        _convert_block(block, _Function(ir.IRBuilder(new), values), blocks, line)


def _lines_of(op: llvm.FuncOp, function: Any, debug: DebugInfo | None) -> _Line:
    """Says where the operations of a function come from, as debug metadata."""
    subprogram = debug.subprogram(op) if debug is not None else None
    location = location_of(op)
    if debug is None or subprogram is None or location is None:
        return lambda op: None
    function.set_metadata("dbg", subprogram)
    return lambda op: debug.line(op, subprogram, location[0])


def _convert_block(block: Block, to: _Function, blocks: dict[Block, Any], line: _Line) -> None:
    to.builder.position_at_end(blocks[block])
    for op in block.ops:
        to.builder.debug_metadata = line(op)
        converter = _CONVERTERS.get(type(op))
        if converter is not None:
            converter(op, to)
            continue
        try:
            convert_op(op, to.builder, to.values, blocks)
        except (NotImplementedError, LLVMTranslationException) as error:
            raise error_at(op, f"'{op.name}' has no form in LLVM IR: {error}") from error
