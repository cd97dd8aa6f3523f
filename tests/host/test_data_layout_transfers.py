"""`ocl-data-layout`: hosts that write, read, exchange and release in many orders stay the same."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from launches import sampled
from polycl.backends.pipeline import make_context
from polycl.lowering.host.ocl_data_layout import OclDataLayoutPass
from polycl.remarks import collect_remarks

KERNEL = """
ocl.kernel @double(
  %a: !ocl.ptr<f32, global> {ocl.name = "a"},
  %M: i32 {ocl.name = "M"}, %N: i32 {ocl.name = "N"}
) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  %rows = arith.index_cast %N : i32 to index
  %c12 = arith.constant 12 : index
  // Often enough to pay for a transpose.
  scf.for %round = %c0 to %c12 step %c1 {
    scf.for %j = %c0 to %rows step %c1 {
      %row = arith.muli %j, %columns : index
      %at = arith.addi %row, %i : index
      %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
      %twice = arith.addf %value, %value : f32
      ocl.store %twice, %a[%at] : !ocl.ptr<f32, global>
    }
  }
  ocl.return
}
"""

LOOPS = """scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %first = arith.muli %i, %N : index
      %own = arith.addi %first, %j : index
      %row = arith.muli %j, %M : index
      %at = arith.addi %row, %i : index
      BODY
    }
  }"""


def fill(array: str) -> str:
    """Item by item: across the lines."""
    return LOOPS.replace(
        "BODY", f"%v = memref.load %x[%own] : !A\nmemref.store %v, %{array}[%at] : !A"
    )


def take(array: str, result: str) -> str:
    return LOOPS.replace(
        "BODY",
        f"""%v = memref.load %{array}[%at] : !A
      %old = memref.load %{result}[%own] : !A
      %sum = arith.addf %v, %old : f32
      memref.store %sum, %{result}[%own] : !A""",
    )


def launch(buffer: str = "a") -> str:
    return f"host.launch @double global [%M] (%{buffer}, %M32, %N32) : !B, i32, i32"


def write(array: str, buffer: str = "a") -> str:
    return f"host.write %{array} to %{buffer} : !A, !B"


def read(array: str, buffer: str = "a") -> str:
    return f"host.read %{buffer} to %{array} : !B, !A"


CASES: dict[str, tuple[list[str], set[str]]] = {
    "another array is written later": (
        [fill("h"), fill("g"), write("h"), launch(), read("g"), take("g", "z")]
        + [fill("g"), write("g"), launch(), read("h"), take("h", "y")],
        # The buffer has the kernel's order when %g is written.
        {"h"},
    ),
    "written again": (
        [fill("h"), write("h"), launch(), read("h"), take("h", "y")]
        + [fill("h"), write("h"), launch(), read("h"), take("h", "z")],
        set(),
    ),
    "written to two buffers": (
        [fill("h"), write("h"), write("h", "b"), launch(), "host.copy %a to %b : !B, !B"]
        + [read("g", "b"), take("g", "y"), read("h"), take("h", "z")],
        {"h", "g"},
    ),
    "read in a loop": (
        [fill("h"), write("h"), "scf.for %r = %c0 to %c3 step %c1 {", launch(), read("g")]
        + [take("g", "y"), "}", read("g"), take("g", "z")],
        {"h", "g"},
    ),
    "buffers are exchanged": (
        [fill("h"), fill("g"), write("h"), write("g", "b")]
        + ["%p, %q = scf.for %r = %c0 to %c3 step %c1 iter_args(%s = %a, %t = %b) -> (!B, !B) {"]
        + [launch("s"), "scf.yield %t, %s : !B, !B", "}"]
        + [read("h", "p"), take("h", "y"), read("g", "q"), take("g", "z")],
        {"h", "g"},
    ),
    "read in branches": (
        [fill("h"), write("h"), "scf.if %c {", launch(), read("g"), take("g", "y"), "} else {"]
        + [read("h"), take("h", "z"), "}"],
        {"h", "g"},
    ),
    "released before it is looked at": (
        [fill("h"), write("h"), launch(), read("g"), "host.release %a : !B", take("g", "y")],
        {"h", "g"},
    ),
    "ordered by events": (
        [fill("h"), "%e = host.write %h to %a : !A, !B -> !ocl.event"]
        + [launch().replace(" : ", " after %e : ") + " -> !ocl.event"]
        + ["%f = host.read %a to %g after %e : !B, !A -> !ocl.event", "host.wait %f"]
        + [take("g", "y")],
        {"h", "g"},
    ),
}
"""The commands of a host with buffers %a and %b and arrays %h and %g of its own, and which of these
get another order."""


def module_of(commands: list[str]) -> ModuleOp:
    lines = "\n  ".join(commands)
    text = f"""{KERNEL}
func.func @main(%x: !A, %y: !A, %z: !A, %M: index, %N: index, %c: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %count = arith.muli %M, %N : index
  %M32 = arith.index_cast %M : index to i32
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !B
  %b = host.buffer %count : !B
  %h = memref.alloc(%count) : !A
  %g = memref.alloc(%count) : !A
  {lines}
  func.return
}}"""
    text = text.replace("!A", "memref<?xf32>").replace("!B", "!host.buffer<f32>")
    return polycl.load(text, language="mlir").module


def results(module: ModuleOp, rows: int, columns: int, branch: bool, device: str) -> list[float]:
    x = np.random.default_rng(rows).integers(1, 9, rows * columns).astype(np.float32)
    y, z = np.zeros_like(x), np.zeros_like(x)
    program = polycl.Program(module.clone(), "main").host("main")
    program(x, y, z, rows, columns, branch, device=device)
    return [*y.tolist(), *z.tolist()]


@pytest.mark.parametrize("case", sampled(list(product(CASES, ["intel-rt", "nvidia-h200"])), 6))
def test_results_stay(case: tuple[str, str]):
    name, platform = case
    commands, names = CASES[name]
    before, after = module_of(commands), module_of(commands)
    with collect_remarks() as remarks:
        OclDataLayoutPass(platform).apply(make_context(), after)
    after.verify()
    texts = [r.message.split(":")[0] for r in remarks if "in the other order" in r.message]
    assert {name for text in texts for name in text.split(" and ")} == names
    for rows, columns, branch in ((5, 7, True), (33, 1, False), (1, 18, True)):
        expected = results(before, rows, columns, branch, "interp")
        assert any(expected)
        for device in ("interp", "cpu"):
            assert results(after, rows, columns, branch, device) == expected, (rows, columns)
