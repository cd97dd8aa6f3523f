"""The stack of functions that may keep wide vectors there."""

from __future__ import annotations

import pytest
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp, VectorType, f32
from xdsl.ir import Block, Region

from polycl.backends.cpu.jit import emit_assembly
from polycl.backends.cpu.llvm_ir import LINE, MOST_VECTORS, llvm_ir


@pytest.mark.parametrize(
    ("lanes", "sums", "is_aligned"),
    [(16, MOST_VECTORS, True), (8, MOST_VECTORS, True), (16, 9, False), (4, MOST_VECTORS, False)],
)
def test_functions_with_many_wide_vectors_align_the_stack(lanes: int, sums: int, is_aligned: bool):
    type = VectorType(f32, [lanes])
    block = Block(arg_types=[type])
    value = block.args[0]
    for _ in range(sums):
        block.add_op(add := llvm.FAddOp(value, value))
        value = add.res
    block.add_op(llvm.ReturnOp(value))
    function = llvm.FuncOp(
        "f", llvm.LLVMFunctionType([type], type), llvm.LinkageAttr("external"), body=Region(block)
    )
    text = llvm_ir(ModuleOp([function]))
    assert (f"alignstack({LINE})" in text) == is_aligned
    assert (f"andq\t$-{LINE}, %rsp" in emit_assembly(text)) == is_aligned
