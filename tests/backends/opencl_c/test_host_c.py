"""Hosts written as C: compiled by `cc`, and run against a real OpenCL loader."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Float32Type, IntegerType, MemRefType, i1
from xdsl.ir import Attribute

import polycl
from host_programs import CASES
from host_scripts import assert_as_expected, compile_c, run_c
from judge.runtime import Judge
from polycl import PolyclError
from polycl.backends.opencl_c.host_c import OpenclHostCTarget
from polycl.backends.opencl_c.target import OpenclCTarget


def _ctype(type: Attribute) -> str | None:
    match type:
        case MemRefType():
            return None
        case Float32Type():
            return "c_float"
        case IntegerType():
            return "c_bool" if type == i1 else f"c_int{type.width.data}"
        case _:
            return "c_int64"


def written(text: str, target: OpenclHostCTarget | OpenclCTarget) -> str:
    stream = StringIO()
    target.emit(Context(), polycl.load(text, language="mlir").module, stream)
    return stream.getvalue()


@pytest.mark.parametrize("name", CASES)
def test_written_c(name: str, judge: Judge | None, tmp_path: Path) -> None:
    case = CASES[name]
    library = compile_c(written(case.text, OpenclHostCTarget()), tmp_path)
    if judge is None:
        return
    host = polycl.load(case.text, language="mlir").host(case.function)
    inputs = [_ctype(type) for type in host.op.function_type.inputs]
    results = [_ctype(type) for type in host.results] or [None]
    args, result = run_c(library, case.function, case.arguments(), [*inputs, *results], judge)
    assert result == case.result
    assert_as_expected(args, case.expected())


def test_kernels_in_a_file_of_their_own(judge: Judge | None, tmp_path: Path) -> None:
    case = CASES["swap"]
    library = compile_c(written(case.text, OpenclHostCTarget(kernels="kernels.cl")), tmp_path)
    (tmp_path / "kernels.cl").write_text(written(case.text, OpenclCTarget()))
    if judge is not None:
        types = [None, "c_int64", "c_int64", None]
        args, _ = run_c(library, "f", case.arguments(), types, judge)
        assert_as_expected(args, case.expected())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @f(%x: i32) {\n  func.return\n}", "there is no host code in the module"),
        (
            """func.func @f(%x: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  func.return %n : index
}""",
            "3:3: .*C does not know the size of an array",
        ),
        (
            """func.func @f(%x: memref<?xvector<4xf32>>, %i: index) {
  %v = memref.load %x[%i] : memref<?xvector<4xf32>>
  %w = arith.addf %v, %v : vector<4xf32>
  memref.store %w, %x[%i] : memref<?xvector<4xf32>>
  func.return
}""",
            "3:3: .*C has no arithmetic on vectors",
        ),
        (
            """func.func @f(%x: memref<?xi32>, %i: index) {
  %v = memref.load %x[%i] : memref<?xi32>
  %w = math.ctpop %v : i32
  memref.store %w, %x[%i] : memref<?xi32>
  func.return
}""",
            "1:1: .*calls 'popcount' of OpenCL C, which the host's C has not",
        ),
    ],
)
def test_what_cannot_be_written(text: str, message: str) -> None:
    with pytest.raises(PolyclError, match=message):
        written(text, OpenclHostCTarget())


MATH = """
func.func @f(%x: memref<?xf32>, %n: i32, %s: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloca() : memref<4xf32>
  %h = memref.alloc() : memref<8xi32>
  %a = memref.load %x[%c0] : memref<?xf32>
  %b = math.sqrt %a : f32
  %c = math.powf %b, %a : f32
  %bits = arith.bitcast %c : f32 to i32
  %m = arith.maxsi %bits, %n : i32
  memref.store %m, %h[%c1] : memref<8xi32>
  memref.store %c, %t[%c1] : memref<4xf32>
  %d = memref.load %t[%c1] : memref<4xf32>
  memref.store %d, %x[%c1] : memref<?xf32>
  %r = ocl.opaque "measure"(%x, %h, %n) : (memref<?xf32>, memref<8xi32>, i32) -> i32
  ocl.opaque "printf"(%r) {texts = ["r is %d\\n"]} : (i32) -> ()
  memref.dealloc %h : memref<8xi32>
  func.return %r : i32
}
"""


def test_memory_functions_and_what_was_not_understood(judge: Judge | None, tmp_path: Path) -> None:
    text = written(MATH, OpenclHostCTarget())
    assert "extern int measure(float *, int *, int);" in text
    library = compile_c(
        text + "int measure(float *x, int *h, int n) { return h[1] + n; }\n", tmp_path
    )
    if judge is None:
        return
    x = np.array([4, 0], np.float32)
    args, result = run_c(library, "f", [x, 1, True], [None, "c_int32", "c_bool", "c_int32"], judge)
    assert args[0].tolist() == [4, 16]
    assert result == np.float32(16).view(np.int32) + 1
