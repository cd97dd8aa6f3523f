"""`ocl-data-layout`: the same results before and after, on programs that are drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import polycl
from polycl.backends.pipeline import make_context
from polycl.lowering.host.ocl_data_layout import OclDataLayoutPass
from polycl.remarks import collect_remarks
from polycl.runtime.host.host_program import HostFunction

PLATFORMS = ("amd-cpu", "xeon-phi", "nvidia-gpu")


@cache
def kernels(source: str) -> str:
    """The text of a module of kernels, without the lines of the module itself."""
    return str(polycl.load(source, language="cl").module).removeprefix("builtin.module {")[:-1]


def program(source: str, host: str) -> ModuleOp:
    """The module of some OpenCL C and a host function."""
    return polycl.load(kernels(source) + host, language="mlir").module


def changed(module: ModuleOp, platform: str = "amd-cpu", *, always: bool = False) -> list[str]:
    """What the pass says of its changes; the module is changed and verified."""
    with collect_remarks() as remarks:
        OclDataLayoutPass(platform, always).apply(make_context(), module)
    module.verify()
    return [remark.message for remark in remarks if "->" in remark.message.split(":")[1]]


def results(module: ModuleOp, *arguments: object, device: str = "interp") -> list[bytes]:
    """The bytes of all arrays after the host function has run on copies of them."""
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    HostFunction(module, function)(*copies, device=device)
    return [a.tobytes() for a in copies if isinstance(a, np.ndarray)]


@dataclass(frozen=True)
class Shape:
    """A program on n items with m values each, drawn at random."""

    n: int
    m: int
    kernel: str
    host: str


IDS = {
    "int i = get_global_id(0);": "i",
    "unsigned i = get_global_id(0);": "i",
    "int i = get_group_id(0) * get_local_size(0) + get_local_id(0);": "i",
    "size_t i = get_global_id(0);": "i",
}
GUARDS = ("if (i >= n) return;", "if (!(i < n)) return;", "if (i < 0 || i >= n) return;")
LOOPS = (
    "for (int j = 0; j < m; j++)",
    "for (int j = m - 1; j >= 0; j--)",
    "for (int j = 1; j < m; j += 2)",
    "for (unsigned j = 0; j < m; j++)",
)
INDICES = ("i * m + j", "j * n + i", "(m - 1 - j) * n + i", "i * m + (m - 1) - j")
WRONG = ("j * n + i / 2 * 2 + 1 - i % 2 * 0", "(i * m + j) % (n * m)", "j * n + where[i]", "i + j")
VALUES = ("a[{0}] + 1", "a[{0}] * 3 + a[where[i] * m + j]", "a[{0}] - a[{0}] / 2 + i")


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """A kernel that maps a to b, and a host that fills, launches, and swaps."""
    n, m = draw(st.integers(1, 9)), draw(st.integers(1, 5))
    first = draw(st.sampled_from(INDICES + WRONG))
    second = draw(st.sampled_from(INDICES))
    value = draw(st.sampled_from(VALUES)).format(first)
    kernel = f"""
kernel void step(global const int *a, global int *b, global const int *where, int n, int m)
{{
    {draw(st.sampled_from(sorted(IDS)))}
    {draw(st.sampled_from(GUARDS))}
    {draw(st.sampled_from(LOOPS))}
        if ({first} < n * m)
            b[{second}] = {value};
}}
"""
    return Shape(n, m, kernel, host_of(draw))


def host_of(draw: st.DrawFn) -> str:
    """The host function: `%x` comes in, `%y` goes out."""
    filled = draw(st.booleans())
    by_rows = draw(st.booleans())
    rounds = draw(st.integers(1, 3))
    part = draw(st.integers(0, 9)) == 0
    swap = draw(st.booleans())
    reads = draw(st.booleans())
    at = ("%i", "%m", "%j") if by_rows else ("%j", "%n", "%i")
    array = "%h" if filled else "%x"
    fill = f"""
  %h = memref.alloc(%nm) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {{
    scf.for %j = %c0 to %m step %c1 {{
      %row = arith.muli {at[0]}, {at[1]} : index
      %at = arith.addi %row, {at[2]} : index
      %v = memref.load %x[%at] : memref<?xi32>
      memref.store %v, %h[%at] : memref<?xi32>
    }}
  }}"""
    partly = "host.write %x[%c0] to %a[%c0] count %c1 : memref<?xi32>, !host.buffer<i32>"
    inner = "host.read %q to %y : !host.buffer<i32>, memref<?xi32>" if reads else ""
    return f"""
func.func @main(
  %x: memref<?xi32>, %y: memref<?xi32>, %where: memref<?xi32>, %n: index, %m: index
) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %rounds = arith.constant {rounds} : index
  %nm = arith.muli %n, %m : index
  %more = arith.addi %n, %c3 : index
  %groups = arith.divui %more, %c4 : index
  %global = arith.muli %groups, %c4 : index
  %n32 = arith.index_cast %n : index to i32
  %m32 = arith.index_cast %m : index to i32
  %a = host.buffer %nm : !host.buffer<i32>
  %b = host.buffer %nm : !host.buffer<i32>
  %w = host.buffer %n : !host.buffer<i32>{fill if filled else ""}
  host.write %where to %w : memref<?xi32>, !host.buffer<i32>
  host.write {array} to %a : memref<?xi32>, !host.buffer<i32>
  host.write {array} to %b : memref<?xi32>, !host.buffer<i32>
  {partly if part else ""}
  %last, %other = scf.for %r = %c0 to %rounds step %c1
      iter_args(%p = %a, %q = %b) -> (!host.buffer<i32>, !host.buffer<i32>) {{
    host.launch @step global [%global] local [%c4] (%p, %q, %w, %n32, %m32)
      : !host.buffer<i32>, !host.buffer<i32>, !host.buffer<i32>, i32, i32
    {inner}
    scf.yield {"%q, %p" if swap else "%p, %q"} : !host.buffer<i32>, !host.buffer<i32>
  }}
  host.read %other to %y : !host.buffer<i32>, memref<?xi32>
  func.return
}}
"""


def check(shape: Shape, platform: str) -> list[str]:
    """The same results before and after; what was changed."""
    rng = np.random.default_rng(shape.n * 31 + shape.m)
    n, m = shape.n, shape.m
    x, y = rng.integers(0, 1000, (2, n * m), dtype=np.int32)
    where = rng.integers(0, n, n, dtype=np.int32)
    arguments = (x, y, where, n, m)
    expected = results(program(shape.kernel, shape.host), *arguments)
    module = program(shape.kernel, shape.host)
    said = changed(module, platform, always=platform != "amd-cpu")
    assert results(module, *arguments) == expected, said
    return said


@settings(max_examples=12)
@given(shapes(), st.sampled_from(PLATFORMS))
def test_results_stay(shape: Shape, platform: str):
    check(shape, platform)


@pytest.mark.slow
@settings(max_examples=200)
@given(shapes(), st.sampled_from(PLATFORMS))
def test_results_stay_in_many_programs(shape: Shape, platform: str):
    check(shape, platform)
