"""Hosts written as C: compiled by `cc`, and run against a real OpenCL loader."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from host_programs import CASES
from host_scripts import Call, assert_as_expected, call_of, compile_c, run_calls
from xdsl.context import Context

import polycl
from judge.runtime import Judge
from polycl import PolyclError
from polycl.backends.host.host_c import OpenclHostCTarget
from polycl.backends.opencl_c.target import OpenclCTarget


def written(text: str, target: OpenclHostCTarget | OpenclCTarget) -> str:
    stream = StringIO()
    target.emit(Context(), polycl.load(text, language="mlir").module, stream)
    return stream.getvalue()


def test_written_c(judge: Judge | None, tmp_path: Path) -> None:
    """Each program; the kernels in the C, and once in a file of their own."""
    calls: list[Call] = []
    for name, case in CASES.items():
        host = polycl.load(case.text, language="mlir").host(case.function)
        library = compile_c(written(case.text, OpenclHostCTarget()), tmp_path / name)
        calls.append(call_of(library, host, case.arguments()))
    swap, folder = CASES["swap"], tmp_path / "beside"
    library = compile_c(written(swap.text, OpenclHostCTarget(kernels="kernels.cl")), folder)
    (folder / "kernels.cl").write_text(written(swap.text, OpenclCTarget()))
    host = polycl.load(swap.text, language="mlir").host()
    calls.append(call_of(library, host, swap.arguments()))
    if judge is None:
        return
    found = run_calls(calls, judge, tmp_path)
    for case, (args, result) in zip([*CASES.values(), swap], found, strict=True):
        assert result == case.result
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
            "3:3: .*the size of an array is unknown in C",
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
            "1:1: .*calls 'popcount' of OpenCL C, which C does not have",
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
  %r = host.opaque "measure"(%x, %h, %n) : (memref<?xf32>, memref<8xi32>, i32) -> i32
  host.opaque "printf"(%r) {texts = ["r is %d\\n"]} : (i32) -> ()
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
    host = polycl.load(MATH, language="mlir").host()
    call = call_of(library, host, [np.array([4, 0], np.float32), 1, True])
    ((args, result),) = run_calls([call], judge, tmp_path)
    assert args[0].tolist() == [4, 16]
    assert result == np.float32(16).view(np.int32) + 1
