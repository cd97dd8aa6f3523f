"""The LLVM dialect as text of LLVM IR.

xDSL converts most operations. `_INSTRUCTIONS` has the operations that it does not know
(`llvm_ext`), and those that it converts without alignment or `volatile`, or with a cast that
opaque pointers do not need (`getelementptr`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llvmlite import ir
from llvmlite.ir import instructions
from llvmlite.ir.values import ArgumentAttributes, FunctionAttributes, MDValue
from xdsl.backend.llvm.convert_op import convert_op
from xdsl.backend.llvm.convert_type import convert_type
from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    VectorType,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue, TypeAttribute
from xdsl.utils.exceptions import LLVMTranslationException

from polycl.backends.cpu.byte_tables import TABLE, table_function
from polycl.backends.cpu.debug_info import DebugInfo, FunctionInfo
from polycl.backends.cpu.near_gathers import NEAR, near_function
from polycl.dialects import llvm as llvm_ext
from polycl.dialects.ocl import UNROLL
from polycl.dialects.vec import count_of
from polycl.dialects.wg.attributes import LIKELY
from polycl.errors import error_at
from polycl.lowering.llvm.convert_to_llvm.choices_to_llvm import CHOOSE, CHOSEN

LINE = 64
"""Bytes of a cache line: the alignment of the stack in functions with many wide vectors. LLVM
writes registers that it runs out of to the stack as it is, which callers align to 16 bytes; an
access that is in two lines takes longer (Zen 4: half as long again)."""

MOST_VECTORS = 384
"""Values of functions that are taken to need no place on the stack for vectors. The alignment takes
a register (a filter with 182 takes 1.03 times as long, a warp with 498 up to 0.88 of the time)."""

_STACK_BITS = 128
"""Vectors of more bits are at places of the stack that may be in two lines."""
_POINTER_BITS = 64


class _Instruction(instructions.Instruction):
    """An instruction given by its text; `{0}` is its first operand with type, `{0.name}` without.

    llvmlite has no class for such an instruction, or a class that lacks a part of its syntax.
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
    """The constant `poison`, which llvmlite lacks."""

    def __init__(self, type: Any):
        self.type = type
        self.constant = "poison"

    def _get_reference(self) -> str:
        return "poison"

    def _to_string(self) -> str:
        return f"{self.type} poison"


@dataclass
class _Function:
    """The function that is being written: the insertion point and the value of each SSA value."""

    builder: ir.IRBuilder
    values: dict[SSAValue, Any]
    vectors: dict[Attribute, Any]
    """Constants: the text of each is made once."""

    def constant(self, op: llvm.ConstantOp) -> None:
        type: Any = convert_type(op.result.type)
        value = op.value
        if not isinstance(value, DenseIntOrFPElementsAttr):
            self.values[op.result] = ir.Constant(type, value.value.data)
            return
        if value not in self.vectors:
            elements = [ir.Constant(type.element, number) for number in value.get_values()]
            self.vectors[value] = ir.Constant(type, elements)
        self.values[op.result] = self.vectors[value]

    def instruction(self, op: Operation, text: str) -> None:
        """Add the instruction `text`, with the operands and results of `op`."""
        type = convert_type(op.results[0].type) if op.results else ir.VoidType()
        operands = [self.values[operand] for operand in op.operands]
        instruction = _Instruction(self.builder.block, type, text, operands)
        self.builder._insert(instruction)
        if op.results:
            self.values[op.results[0]] = instruction

    def declare(self, op: Operation, variable: Any, expression: str) -> None:
        """The memory that `op` allocates has the value of a variable, for debuggers."""
        module: Any = self.builder.module
        declare = "llvm.dbg.declare"
        if declare not in module.globals:
            types = [ir.MetaDataType()] * 3
            ir.Function(module, ir.FunctionType(ir.VoidType(), types), declare)
        text = f"call void @{declare}(metadata {{0}}, metadata {{1.name}}, metadata {expression})"
        operands = [self.values[op.results[0]], variable]
        self.builder._insert(_Instruction(self.builder.block, ir.VoidType(), text, operands))


def _cast(op: llvm_ext.FPToSIOp) -> str:
    return f"{op.name.removeprefix('llvm_ext.')} {{0}} to {convert_type(op.res.type)}"


def _volatile_load(op: llvm_ext.VolatileLoadOp) -> str:
    return f"load volatile {convert_type(op.res.type)}, {{0}}, align {op.alignment.value.data}"


def _store(op: llvm.StoreOp) -> str:
    volatile = "volatile " if op.volatile_ is not None else ""
    align = f", align {op.alignment.value.data}" if op.alignment is not None else ""
    return f"store {volatile}{{0}}, {{1}}{align}"


def _cmpxchg(op: llvm_ext.CmpXchgOp) -> str:
    orders = f"{op.success_ordering.data} {op.failure_ordering.data}"
    return f"cmpxchg {{0}}, {{1}}, {{2}} {_scope(op)}{orders}"


def _scope(op: llvm_ext.AtomicRMWOp | llvm_ext.CmpXchgOp | llvm_ext.FenceOp) -> str:
    return "" if op.scope is None else f'syncscope("{op.scope.data}") '


def _atomic(op: llvm_ext.AtomicRMWOp) -> str:
    return f"atomicrmw {op.bin_op.data} {{0}}, {{1}} {_scope(op)}{op.ordering.data}"


def _gep(op: llvm.GEPOp) -> str:
    dynamic = iter(range(1, len(op.operands)))
    indices = [
        f"{{{next(dynamic)}}}" if index == llvm.GEP_USE_SSA_VAL else f"i32 {index}"
        for index in op.rawConstantIndices.iter_values()
    ]
    inbounds = "inbounds " if op.inbounds is not None else ""
    return f"getelementptr {inbounds}{convert_type(op.elem_type)}, {{0}}, {', '.join(indices)}"


def _alloca(op: llvm.AllocaOp) -> str:
    align = f", align {op.alignment.value.data}" if op.alignment is not None else ""
    return f"alloca {convert_type(op.elem_type)}, {{0}}{align}"


def _lane_addresses(op: llvm_ext.LaneAddressesOp) -> str:
    return f"getelementptr [{op.stride.value.data} x i8], {{0}}, {{1}}"


def _shuffle(op: llvm.ShuffleVectorOp) -> str:
    positions = op.mask.get_values()
    mask = ", ".join("i32 poison" if i < 0 else f"i32 {i}" for i in positions)
    return f"shufflevector {{0}}, {{1}}, <{len(positions)} x i32> <{mask}>"


def _float(op: llvm.AbstractFloatArithOp | llvm.FNegOp) -> str:
    # In one order: xDSL keeps flags as a set.
    flags = [flag.value for flag in FastMathFlag if flag in op.fastmathFlags.data]
    operands = "{0}" if isinstance(op, llvm.FNegOp) else "{0}, {1.name}"
    return " ".join([op.name.removeprefix("llvm."), *flags, operands])


_LIKELY = 16, 1
"""How often each side of a branch is taken that has `wg.likely`."""

_INSTRUCTIONS: dict[type[Operation], Callable[[Any], str]] = {
    llvm_ext.FPToSIOp: _cast,
    llvm_ext.FPToUIOp: _cast,
    llvm_ext.UIToFPOp: _cast,
    llvm_ext.FCmpOp: lambda op: f"fcmp {op.predicate.data} {{0}}, {{1.name}}",
    llvm_ext.SelectOp: lambda op: "select {0}, {1}, {2}",
    # xDSL's own select gives two pointers different types if their allocated types differ.
    llvm.SelectOp: lambda op: "select {0}, {1}, {2}",
    **dict.fromkeys((llvm.FAddOp, llvm.FSubOp, llvm.FMulOp, llvm.FDivOp, llvm.FNegOp), _float),
    llvm_ext.FreezeOp: lambda op: "freeze {0}",
    llvm_ext.ExtractElementOp: lambda op: "extractelement {0}, {1}",
    llvm_ext.LaneAddressesOp: _lane_addresses,
    llvm_ext.LanePointersOp: lambda op: f"inttoptr {{0}} to {convert_type(op.res.type)}",
    llvm_ext.VolatileLoadOp: _volatile_load,
    llvm_ext.AddrSpaceCastOp: lambda op: f"addrspacecast {{0}} to {convert_type(op.res.type)}",
    llvm_ext.AtomicRMWOp: _atomic,
    llvm_ext.CmpXchgOp: _cmpxchg,
    llvm_ext.FenceOp: lambda op: f"fence {_scope(op)}{op.ordering.data}",
    # Of xDSL's own alloca, the pointer has the allocated type, which calls do not take.
    llvm.AllocaOp: _alloca,
    llvm.GEPOp: _gep,
    # xDSL asks for more than twenty other classes first.
    llvm.InsertElementOp: lambda op: "insertelement {0}, {1}, {2}",
    llvm.ShuffleVectorOp: _shuffle,
    llvm.StoreOp: _store,
}
"""The text of an operation's instruction, for `_Instruction`."""


def llvm_ir(module: ModuleOp, debug_info: bool = False) -> str:
    """The module, which is in the LLVM dialect, as LLVM IR. It names no target.

    With `debug_info` every instruction has its source line; in a debug build there are variables.

    Raises:
        PolyclError: located: an operation is not in the LLVM dialect, or cannot be converted.
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
                    op, f"'{op.name}' is not in the LLVM dialect: run convert-to-llvm first"
                )
    debug = DebugInfo(target, module) if debug_info else None
    for function in functions:
        if function.body.blocks:
            _convert_body(function, target, debug)
    return _with_functions(str(target))


def _with_functions(text: str) -> str:
    """The text with the functions of choose.ll, and those that load what is near or a table, in
    the place of their declarations, if there are."""
    loads = f"{NEAR.pattern}|{TABLE.pattern}"
    wanted = re.compile(rf'^declare .*@"({CHOOSE}|{CHOSEN}|{loads})"\(.*\n', re.MULTILINE)
    names = [match[1] for match in wanted.finditer(text)]
    if not names:
        return text
    text = wanted.sub("", text)
    added = [near_function(name) for name in names if NEAR.fullmatch(name)]
    added += [table_function(name) for name in names if TABLE.fullmatch(name)]
    if len(added) < len(names):
        added.append(Path(__file__).with_name("choose.ll").read_text(encoding="utf-8"))
    for part in added:
        text += _without_known(part, text)
    return text


def _without_known(part: str, text: str) -> str:
    """A part of a text without what the text declares: a function may be declared once only."""
    known = set(re.findall(r'^declare [^@\n]*@"?([\w.]+)"?\(', text, re.MULTILINE))

    def new(match: re.Match[str]) -> str:
        name = match[1]
        if name in known:
            return ""
        known.add(name)
        return match[0]

    return re.sub(r"^declare [^@\n]*@([\w.]+)\(.*\n", new, part, flags=re.MULTILINE)


def _convert_global(op: llvm.GlobalOp, target: ir.Module) -> None:
    type, space = convert_type(op.global_type), op.addr_space.value.data
    variable: Any = ir.GlobalVariable(target, type, op.sym_name.data, space)
    variable.linkage = op.linkage.linkage.data
    variable.global_constant = op.constant is not None
    if op.alignment is not None:
        variable.align = op.alignment.value.data
    if op.value is None:
        if variable.linkage == "internal":
            variable.initializer = ir.Constant(type, ir.Undefined)
        return
    if not isinstance(op.value, DenseIntOrFPElementsAttr):
        raise error_at(op, f"a global holds bytes here, got {op.value}")
    data = bytearray(int(byte) % 256 for byte in op.value.get_values())
    variable.initializer = ir.Constant(type, data)


class _LoopId(MDValue):
    """The metadata of one loop, whose first operand is itself."""

    def __init__(self, module: ir.Module, operands: Sequence[Any]):
        super().__init__(module, operands, str(len(module.metadata)))

    def descr(self, buf: Any) -> None:
        references = ", ".join(operand.get_reference() for operand in self.operands)
        buf += (f"distinct !{{ !{self.name}, {references} }}", "\n")


def _loop_hint(module: ir.Module, hint: int) -> MDValue:
    """`ocl.unroll` as LLVM has it."""
    words = {0: "enable", 1: "disable", -3: "disable", -6: "full"}
    words |= dict.fromkeys((-1, -2, -7), "runtime.disable")
    operands: list[Any] = [f"llvm.loop.unroll.{words.get(hint, 'count')}"]
    if hint > 1:
        operands.append(ir.Constant(ir.IntType(32), hint))
    hints = [] if hint in (-4, -5) else [operands]
    if hint == -5:
        for word in ("enable", "predicate.enable"):
            hints.append([f"llvm.loop.vectorize.{word}", ir.Constant(ir.IntType(1), 1)])
    if hint in (-2, -4):
        hints.append(["llvm.loop.vectorize.width", ir.Constant(ir.IntType(32), 1)])
    if hint == -7:
        hints.append(["llvm.loop.interleave.count", ir.Constant(ir.IntType(32), 1)])
    return _LoopId(module, [module.add_metadata(each) for each in hints])


def _declare(op: llvm.FuncOp, target: ir.Module) -> None:
    type = op.function_type
    inputs = [convert_type(t) for t in type.inputs]
    function = ir.Function(
        target, ir.FunctionType(convert_type(type.output), inputs), op.sym_name.data
    )
    if op.linkage.linkage.data == "internal":
        function.linkage = "internal"
    convention = op.attributes.get(llvm_ext.CALLING_CONVENTION)
    if isinstance(convention, StringAttr):
        function.calling_convention = convention.data
    function.attributes = _Attributes(function.attributes)
    function.attributes.add("nounwind")
    for argument, attributes in zip(function.args, op.arg_attrs or (), strict=False):
        argument.attributes = _ArgumentAttributes(
            map(_parameter_attribute, attributes.data.items())
        )
    # xDSL's parser makes an attribute of the property.
    passthrough = op.passthrough or op.attributes.get("passthrough")
    if isinstance(passthrough, ArrayAttr):
        for attribute in passthrough:
            if isinstance(attribute, ArrayAttr):
                key, value = (part.data for part in attribute if isinstance(part, StringAttr))
                function.attributes.add(f'"{key}"="{value}"')
                continue
            assert isinstance(attribute, StringAttr)
            function.attributes.add(attribute.data)


class _Attributes(FunctionAttributes):
    """Attributes of a function; llvmlite does not know those of targets."""

    def add(self, name: str) -> None:
        set.add(self, name)


class _ArgumentAttributes(ArgumentAttributes):
    """Attributes of an argument as text; llvmlite does not know all."""

    def add(self, name: str) -> None:
        set.add(self, name)

    def _to_list(self, typ: Any) -> list[str]:
        return sorted(self)


def _parameter_attribute(item: tuple[str, Attribute]) -> str:
    """The text of an attribute `llvm.NAME` of a parameter."""
    key, value = item
    name = key.removeprefix("llvm.")
    match value:
        case IntegerAttr():
            return f"{name} {value.value.data}"
        case TypeAttribute():
            return f"{name}({convert_type(value)})"
        case _:
            return name


def _convert_body(op: llvm.FuncOp, target: ir.Module, debug: DebugInfo | None) -> None:
    function = target.get_global(op.sym_name.data)
    info = None if debug is None else debug.function(op)
    if info is not None:
        function.set_metadata("dbg", info.subprogram)
    blocks = {block: function.append_basic_block() for block in op.body.blocks}
    values: dict[SSAValue, Any] = {}
    vectors: dict[Attribute, Any] = {}
    for block, new in blocks.items():
        if block is op.body.blocks[0]:
            values.update(zip(block.args, function.args, strict=True))
            continue
        builder = ir.IRBuilder(new)
        for arg in block.args:
            values[arg] = builder.phi(convert_type(arg.type))
    for block, new in blocks.items():
        _convert_block(block, _Function(ir.IRBuilder(new), values, vectors), blocks, info)
    types = Counter(value.type for value in values)
    if sum(count for type, count in types.items() if _is_wide(type)) > MOST_VECTORS:
        function.attributes.alignstack = LINE


def _is_wide(type: Attribute) -> bool:
    if not isinstance(type, VectorType):
        return False
    element = type.element_type
    bits = element.bitwidth if isinstance(element, FixedBitwidthType) else _POINTER_BITS
    return count_of(type) * bits > _STACK_BITS


def _convert_block(
    block: Block, to: _Function, blocks: dict[Block, Any], info: FunctionInfo | None
) -> None:
    to.builder.position_at_end(blocks[block])
    for op in block.ops:
        if info is not None:
            to.builder.debug_metadata = info.line(op)
        if type(op) in _INSTRUCTIONS:
            to.instruction(op, _INSTRUCTIONS[type(op)](op))
            if info is not None and (variable := info.variable(op)) is not None:
                to.declare(op, *variable)
            continue
        if isinstance(op, llvm.ConstantOp):
            to.constant(op)
            continue
        if isinstance(op, llvm_ext.PoisonOp):
            to.values[op.res] = _Poison(convert_type(op.res.type))
            continue
        try:
            convert_op(op, to.builder, to.values, blocks)
        except (NotImplementedError, LLVMTranslationException) as error:
            raise error_at(op, f"'{op.name}' has no form in LLVM IR: {error}") from error
        if isinstance(op, llvm.BrOp) and isinstance(hint := op.attributes.get(UNROLL), IntegerAttr):
            written: Any = to.builder.block
            written.terminator.set_metadata(
                "llvm.loop", _loop_hint(to.builder.module, hint.value.data)
            )
        if LIKELY in op.attributes:
            branch: Any = to.builder.block
            branch.terminator.set_weights(_LIKELY)
        if llvm_ext.INVARIANT in op.attributes:
            nothing = to.builder.module.add_metadata([])
            to.values[op.results[0]].set_metadata("invariant.load", nothing)
