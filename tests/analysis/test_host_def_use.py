"""Definitions and uses of buffers across launches."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

import polycl
from polycl.analysis.host.aliases import BufferClasses
from polycl.analysis.host.def_use import chains
from polycl.analysis.host.program import Program

TEXT = """
ocl.kernel @copy(
  %a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}
) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %a[%i] : !ocl.ptr<i32, global>
  ocl.store %v, %b[%i] : !ocl.ptr<i32, global>
  ocl.return
}
func.func @main(%h: memref<?xi32>, %n: index) {
  %a = ocl.buffer %n : !ocl.buffer<i32>
  %b = ocl.buffer %n : !ocl.buffer<i32>
  ocl.write %h to %a : memref<?xi32>, !ocl.buffer<i32>
  ocl.launch @copy global [%n] (%a, %b) : !ocl.buffer<i32>, !ocl.buffer<i32>
  ocl.write %h to %a : memref<?xi32>, !ocl.buffer<i32>
  ocl.read %b to %h : !ocl.buffer<i32>, memref<?xi32>
  func.return
}
"""


def test_chains_of_two_buffers():
    module = polycl.load(TEXT, language="mlir").module
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    found = chains(function, BufferClasses(function), Program(module).kernel)
    a, b, write, launch, _overwrite, read, _ = function.body.block.ops
    assert list(found[a.results[0]].uses.items()) == [(write, {launch: None})]
    assert found[b.results[0]].definitions == {read: {launch: None}}
