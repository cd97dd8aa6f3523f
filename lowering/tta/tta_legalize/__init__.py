"""`tta-legalize`: legalisation of a function to 32-bit words and the processor's operations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    i8,
    i32,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects.ocl import BuiltinOp, ConstantDataOp, KernelLike
from polycl.dialects.ocl.layout import align_of, round_up
from polycl.dialects.tta import LoadOp
from polycl.errors import error_at
from polycl.lowering.llvm.constants import constant_bytes
from polycl.lowering.llvm.convert_to_llvm import reverse_postorder
from polycl.lowering.tta.memory_map import (
    ALIGNMENT,
    ARGS,
    BEGIN,
    DATA,
    END,
    FIRST_CONSTANT,
    SCRATCH,
)
from polycl.lowering.tta.tta_legalize import arith_to_tta as arith
from polycl.lowering.tta.tta_legalize import control_to_tta as control
from polycl.lowering.tta.tta_legalize import values_to_tta as values
from polycl.lowering.tta.tta_legalize.function_to_tta import FunctionLowering
from polycl.lowering.tta.tta_legalize.integers_to_tta import Value
from polycl.lowering.tta.tta_legalize.memory_aliases import Aliases
from polycl.lowering.wg.launch_abi import PRINTF_FORMATS, SCRATCH_BYTES

CONVERTERS: dict[type[Operation], Any] = arith.CONVERTERS | control.CONVERTERS | values.CONVERTERS
"""The converter of each operation; all others are refused."""


@dataclass(frozen=True)
class TtaLegalizePass(ModulePass):
    """Legalise the functions of `wg-to-launch` and `scf-to-cf` to words: i32, f32 and i1.

    ```
    %v = ocl.load %x[%i] : !ocl.ptr<i64, global>      %0 = arith.shli %i, %c3 : i32
    %w = arith.addi %v, %y : i64                      %1 = arith.addi %x, %0 : i32
                                               ->     %low = tta.load "ld32" %1 : i32
                                                      ...
                                                      %sum = arith.addi %low, %y_low : i32
                                                      %carry = arith.cmpi ult, %sum, %low : i32
    ```

    Pointers and indices become 32-bit integers, 64-bit integers pairs of words, vectors and structs
    the words of their parts. Products with constants become shifts and additions. The function has
    no arguments: it loads them from memory (memory_map.py), where its constants and its own memory
    have fixed addresses. `operations` are those of mul, mulhi, mulhiu, divf and sqrtf that the
    processor has; all processors have the rest of the operation set. Loads and stores get alias
    facts (`#tta.alias`). With `distinct`, buffers of different arguments do not overlap: the launch
    checks that.

    Raises:
        PolyclError: with its location: an operation, type or constant that cannot be legalised.
    """

    name = "tta-legalize"

    operations: tuple[str, ...] = ()
    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constants = [c for c in op.ops if isinstance(c, ConstantDataOp)]
        addresses, data = _place(constants)
        for old in list(op.ops):
            match old:
                case FuncOp():
                    Rewriter.replace_op(old, self._function(old, addresses, data), [])
                case ConstantDataOp():
                    pass
                case KernelLike():
                    raise error_at(
                        old,
                        f"kernel '{old.sym_name.data}' is not a function yet: run wg-to-launch and "
                        "scf-to-cf before",
                    )
                case _:
                    raise error_at(old, f"'{old.name}' cannot be mapped to the processor")
        for constant in constants:
            Rewriter.erase_op(constant, safe_erase=False)

    def _function(self, old: FuncOp, constants: dict[str, int], data: bytes) -> FuncOp:
        if len(old.args) != 4:
            raise error_at(old, "expected a function that wg-to-launch made")
        order = reverse_postorder(old.body.blocks[0])
        entry = Block()
        low = FunctionLowering(entry, old, constants, self.operations)
        for block in order[1:]:
            low.anchor = block.first_op or old
            types = [low.types(arg.type) for arg in block.args]
            new = Block(arg_types=[word for words in types for word in words])
            low.blocks[block] = new
            rest = list(new.args)
            for arg, words in zip(block.args, types, strict=True):
                low.values[arg] = rest[: len(words)]
                del rest[: len(words)]
                for word in low.values[arg]:
                    word.name_hint = arg.name_hint
        low.blocks[order[0]] = entry
        region = Region([low.blocks[block] for block in order])
        scratch = FIRST_CONSTANT + round_up(len(data), ALIGNMENT)
        args = scratch + round_up(_scratch_bytes(old), ALIGNMENT)
        fixed = [low.constant(args), low.constant(scratch)]
        bounds = [low.emit(LoadOp("ld32", low.constant(at), i32)) for at in (BEGIN, END)]
        for arg, word in zip(old.args, [*fixed, *bounds], strict=True):
            low.values[arg] = [word]
        aliases = Aliases(old, self.distinct)
        for block in order:
            low.block = low.blocks[block]
            for op in block.ops:
                low.alias = aliases.of(op)
                _convert(op, low)
        new = FuncOp(old.sym_name.data, FunctionType.from_lists([], []), region)
        new.location = old.location
        if PRINTF_FORMATS in old.attributes:
            new.attributes[PRINTF_FORMATS] = old.attributes[PRINTF_FORMATS]
        new.attributes[ARGS] = IntegerAttr(args, i32)
        new.attributes[SCRATCH] = IntegerAttr(scratch, i32)
        new.attributes[DATA] = DenseArrayBase.from_list(i8, [b - 256 * (b > 127) for b in data])
        return new


def _convert(op: Operation, low: FunctionLowering) -> None:
    converter = CONVERTERS.get(type(op))
    low.anchor = op
    if converter is None:
        for value in (*op.operands, *op.results):
            low.types(value.type)
        what = f"'{op.function.data}'" if isinstance(op, BuiltinOp) else f"'{op.name}'"
        raise error_at(op, f"{what} cannot be mapped to the processor")
    results: list[Value] | None = converter(op, low)
    for old, words in zip(op.results, results or (), strict=True):
        low.values[old] = words
        for word in words:
            word.name_hint = word.name_hint or old.name_hint


def _scratch_bytes(function: FuncOp) -> int:
    found = function.attributes.get(SCRATCH_BYTES)
    return found.value.data if isinstance(found, IntegerAttr) else 0


def _place(constants: list[ConstantDataOp]) -> tuple[dict[str, int], bytes]:
    """The address of each constant, and the bytes of all from FIRST_CONSTANT on."""
    addresses: dict[str, int] = {}
    data = bytearray()
    for constant in constants:
        data += bytes(round_up(len(data), max(4, align_of(constant.type))) - len(data))
        addresses[constant.sym_name.data] = FIRST_CONSTANT + len(data)
        data += constant_bytes(constant.type, constant.value)
    return addresses, bytes(data)
