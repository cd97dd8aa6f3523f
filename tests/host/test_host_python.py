"""Hosts written as Python on pyopencl, run against a real OpenCL loader."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from host_programs import CASES
from host_scripts import Call, assert_as_expected, run_calls

import polycl
from judge.runtime import Judge
from polycl import PolyclError
from polycl.backends.host.host_python import host_python


def test_written_python(judge: Judge | None, tmp_path: Path) -> None:
    calls: list[Call] = []
    for name, case in CASES.items():
        script = tmp_path / f"{name}.py"
        script.write_text(host_python(polycl.load(case.text, language="mlir").module))
        compile(script.read_text(), script.name, "exec")
        calls.append(Call(script, case.function, case.arguments()))
    if judge is None:
        return
    found = run_calls(calls, judge, tmp_path)
    for case, (args, result) in zip(CASES.values(), found, strict=True):
        assert result == case.result
        assert_as_expected(args, case.expected())


ARITHMETIC = """
func.func @f(%x: memref<?xi32>, %a: i32, %b: i32, %g: f32) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %five = arith.constant 5 : i32
  %sum = arith.addi %a, %a : i32
  memref.store %sum, %x[%c0] : memref<?xi32>
  %quotient = arith.divsi %b, %five : i32
  memref.store %quotient, %x[%c1] : memref<?xi32>
  %rest = arith.remsi %b, %five : i32
  memref.store %rest, %x[%c2] : memref<?xi32>
  %large = arith.divui %b, %five : i32
  memref.store %large, %x[%c3] : memref<?xi32>
  %shifted = arith.shrui %b, %five : i32
  memref.store %shifted, %x[%c4] : memref<?xi32>
  %below = arith.cmpi ult, %a, %b : i32
  %up = arith.ceildivui %b, %five : i32
  %least = arith.minui %up, %b : i32
  %c6 = arith.constant 6 : index
  memref.store %least, %x[%c6] : memref<?xi32>
  %third = arith.divf %g, %g : f32
  %near = arith.cmpf ole, %third, %g : f32
  %both = arith.andi %below, %near : i1
  %chosen = arith.select %both, %a, %b : i32
  memref.store %chosen, %x[%c5] : memref<?xi32>
  %wide = arith.extui %b : i32 to i64
  func.return %wide : i64
}
"""


def test_integers_are_those_of_the_ir(judge: Judge | None, tmp_path: Path) -> None:
    """They wrap around, and are divided towards zero."""
    a, b, wide = 1 << 30, -13, (1 << 32) - 13
    expected, got = np.zeros(7, np.int32), np.zeros(7, np.int32)
    program = polycl.load(ARITHMETIC, language="mlir")
    result = program.host()(expected, a, b, 1.5, device="interp")
    assert result == wide
    assert expected.tolist() == [-(1 << 31), -2, -3, wide // 5, wide >> 5, a, -(-wide // 5)]
    if judge is not None:
        script = tmp_path / "arithmetic.py"
        script.write_text(host_python(program.module))
        call = Call(script, "f", [got, a, b, np.float32(1.5)])
        ((args, found),) = run_calls([call], judge, tmp_path)
        assert (args[0].tolist(), found) == (expected.tolist(), result)


def test_what_cannot_be_written() -> None:
    text = """func.func @f(%x: memref<?xi32>, %i: index) {
  %v = memref.load %x[%i] : memref<?xi32>
  %w = math.ctpop %v : i32
  memref.store %w, %x[%i] : memref<?xi32>
  func.return
}"""
    with pytest.raises(PolyclError, match=r"3:3: .*'math.ctpop' is not written in Python"):
        host_python(polycl.load(text, language="mlir").module)
