"""`wg.choose` and `wg.chosen`: calls of the functions in `backends/cpu/choose.ll`."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    SymbolRefAttr,
    TensorType,
    i1,
    i8,
)
from xdsl.ir import Operation, SSAValue

from polycl.dialects import wg
from polycl.dialects.wg.attributes import WITHIN
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import POINTER

CHOOSE = "polycl_choose"
"""`i1 polycl_choose(shared, own)`: whether the first form runs."""

CHOSEN = "polycl_chosen"
"""`void polycl_chosen(shared, own)`: the form has run."""

SHARED_WORDS, OWN_WORDS = 10, 6
"""The 64-bit words of what all threads know of a choice, and of what one call of a kernel knows."""

FIRST = 64
"""Executions of the first form before anything is measured, unless they take long: what runs seldom
pays nothing."""

FIRST_WITHIN = 4
"""The same for a choice within another one, which is to be measured earlier."""


def _choose(op: wg.ChooseOp, low: FunctionLowering) -> SSAValue:
    own = low.zeros(8 * OWN_WORDS, 8)
    first = FIRST_WITHIN if WITHIN in op.attributes else FIRST
    low.choices[op.first] = _shared(op.number.value.data, first, low), own
    low.symbols.declare(CHOOSE, [POINTER, POINTER], i1, ())
    return low.emit(llvm.CallOp(CHOOSE, *_arguments(op.first, low), return_type=i1))


def _chosen(op: wg.ChosenOp, low: FunctionLowering) -> None:
    low.symbols.declare(CHOSEN, [POINTER, POINTER], None, ())
    low.emit_void(llvm.CallOp(CHOSEN, *_arguments(op.first, low)))


def _arguments(first: SSAValue, low: FunctionLowering) -> tuple[SSAValue, SSAValue]:
    symbol, own = low.choices[first]
    return low.emit(llvm.AddressOfOp(SymbolRefAttr(symbol), POINTER)), own


def _shared(number: int, first: int, low: FunctionLowering) -> str:
    """The name of the variable of a choice, which is made where it is not there yet."""
    name = f"polycl.choice.{number}"
    if all(variable.sym_name.data != name for variable in low.symbols.added):
        data = first.to_bytes(8 * SHARED_WORDS, "little")
        value = DenseIntOrFPElementsAttr(TensorType(i8, [len(data)]), BytesAttr(data))
        type = llvm.LLVMArrayType(len(data), i8)
        # Cache lines of its own.
        low.symbols.added.append(llvm.GlobalOp(type, name, "internal", value=value, alignment=64))
    return name


CONVERTERS: dict[type[Operation], Converter] = {wg.ChooseOp: _choose, wg.ChosenOp: _chosen}
