"""Tensor cores: `ldmatrix` and `mma.sync`, from compute capability 8.0 on."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import VectorType, f16, f32, i32
from xdsl.ir import Operation, SSAValue

from polycl.dialects import ocl
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.memory_to_llvm import address_of

_PAIR = VectorType(f16, [2])


def _load_matrix(op: ocl.LoadMatrixOp, low: FunctionLowering) -> SSAValue:
    address, _ = address_of(low, op.pointer, op.index)
    turned = ".trans" if op.transposed is not None else ""
    name = f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{op.count}{turned}.b16.p3"
    words = llvm.LLVMStructType.from_type_list([i32] * op.count)
    loaded = low.intrinsic_named(name, [address], words)
    vector = low.poison(op.result.type)
    for k in range(op.count):
        vector = low.insert_element(vector, low.extract_value(loaded, k, i32), k)
    return vector


def _mma(op: ocl.MmaOp, low: FunctionLowering) -> list[SSAValue]:
    operands: list[SSAValue] = []
    for words, count in ((op.a, 4), (op.b, 2)):
        vector = low.value(words)
        for k in range(count):
            word = low.extract_element(vector, k)
            operands.append(low.new(llvm.BitcastOp, [word], _PAIR))
    operands += low.values_of(op.c)
    result = llvm.LLVMStructType.from_type_list([f32] * 4)
    name = "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
    sums = low.intrinsic_named(name, operands, result)
    return [low.extract_value(sums, k, f32) for k in range(4)]


CONVERTERS: dict[type[Operation], Converter] = {
    ocl.LoadMatrixOp: _load_matrix,
    ocl.MmaOp: _mma,
}
