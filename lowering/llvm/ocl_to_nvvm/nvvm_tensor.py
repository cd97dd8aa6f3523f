"""Tensor cores: `ldmatrix` and `mma.sync`, from compute capability 8.0 on, and `wgmma` of 9.0."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, VectorType, f16, f32, i32, i64
from xdsl.ir import Operation, SSAValue

from polycl.dialects import ocl
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.memory_to_llvm import address_of
from polycl.lowering.llvm.ocl_to_nvvm.nvvm_assembly import assembly

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


def _wgmma(op: ocl.WgmmaOp, low: FunctionLowering) -> list[SSAValue]:
    """All in one statement: nothing may touch the sums while instructions add to them.

    The operands of an instruction are descriptors of the matrices (PTX ISA, "Matrix-Descriptor
    Format"), each 16 steps further.
    """
    sums, count = low.values_of(op.c), len(op.c)
    operands: list[SSAValue] = []
    lines = ["wgmma.fence.sync.aligned;"]
    matrices = [(op.a, op.a_index, op.a_stride), (op.b, op.b_index, op.b_stride)]
    registers = ", ".join(f"${number}" for number in range(count))
    descriptors = [_descriptor(low, *matrix) for matrix in matrices]
    turned = ", ".join("0" if stride is None else "1" for *_, stride in matrices)
    shape = f"m64n{op.columns}k16.f32.f16.f16"
    for step in range(op.steps.value.data // 16):
        numbers: list[str] = []
        for first, (*_, stride) in zip(descriptors, matrices, strict=True):
            further = step * (_STEP_OF_ROWS if stride is None else _STEP_OF_BLOCKS)
            numbers.append(f"${count + len(operands)}")
            operands.append(low.emit(llvm.AddOp(first, low.constant(further, i64))))
        lines.append(
            f"wgmma.mma_async.sync.aligned.{shape} {{{registers}}}, {', '.join(numbers)}, 1, 1, 1, "
            f"{turned};"
        )
    lines.append("wgmma.commit_group.sync.aligned;")
    lines.append(f"wgmma.wait_group.sync.aligned {op.pending.value.data};")
    return _changed(low, " ".join(lines), sums, operands)


_SWIZZLED_128, _EIGHT_ROWS = 1 << 62, (1024 >> 4) << 32
_STEP_OF_ROWS, _STEP_OF_BLOCKS = 32 >> 4, 2048 >> 4
"""What 16 steps add to a descriptor, which counts 16 bytes: 16 elements, or 16 rows of 64."""


def _descriptor(
    low: FunctionLowering, pointer: SSAValue, index: SSAValue, stride: IntegerAttr | None
) -> SSAValue:
    address, _ = address_of(low, pointer, index)
    number = low.emit(llvm.PtrToIntOp(address, i64))
    bits = low.emit(llvm.AndOp(number, low.constant((1 << 18) - 1, i64)))
    start = low.emit(llvm.LShrOp(bits, low.constant(4, i64)))
    between_blocks = 1 if stride is None else stride.value.data * 2 >> 4
    constant = _SWIZZLED_128 | _EIGHT_ROWS | between_blocks << 16
    return low.emit(llvm.OrOp(start, low.constant(constant, i64)))


def _wait_products(op: ocl.WaitProductsOp, low: FunctionLowering) -> list[SSAValue]:
    return _changed(low, "wgmma.wait_group.sync.aligned 0;", low.values_of(op.sums), [])


def _changed(
    low: FunctionLowering, text: str, values: list[SSAValue], operands: list[SSAValue]
) -> list[SSAValue]:
    """The floats `values`, $0 and so on, after a statement that changes them; `operands` follow."""
    count = len(values)
    constraints = ["=f"] * count + ["l"] * len(operands) + [str(i) for i in range(count)]
    struct = llvm.LLVMStructType.from_type_list([f32] * count)
    result = assembly(low, text, constraints, [*operands, *values], struct)
    assert result is not None
    return [low.extract_value(result, number, f32) for number in range(count)]


CONVERTERS: dict[type[Operation], Converter] = {
    ocl.LoadMatrixOp: _load_matrix,
    ocl.MmaOp: _mma,
    ocl.WgmmaOp: _wgmma,
    ocl.WaitProductsOp: _wait_products,
}
