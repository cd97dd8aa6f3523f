"""`wg` modules on the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polycl.backends.interp.ops.run_work_group import same_value
from polycl.errors import ArgumentError, LaunchError

Interpret = Callable[..., None]


def _function(body: str, attributes: str = "") -> str:
    return f"""
wg.func @k(%x: !ocl.ptr<f32, global> {{ocl.name = "x"}}){attributes} {{
  %lx = ocl.local_size 0 : index
  %ly = ocl.local_size 1 : index
  %lz = ocl.local_size 2 : index
  %g = ocl.group_id 0 : index
  %base = arith.muli %g, %lx : index
  %zero = arith.constant 0 : index
{body}
  wg.return
}}"""


_SUM = _function("""
  %c = wg.context : !wg.context<f32>
  %one = arith.constant 1.0 : f32
  wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
    %a = arith.addi %base, %i : index
    %v = ocl.load %x[%a] : !ocl.ptr<f32, global>
    %w = arith.addf %v, %one : f32
    wg.put %w, %c[%i, %j, %k] : !wg.context<f32>
  }
  %last = ocl.local_size 0 : index
  %u = wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
    %a = arith.addi %base, %i : index
    %v = wg.get %c[%i, %j, %k] : !wg.context<f32>
    %n = wg.get %c[%zero, %j, %k] : !wg.context<f32>
    %w = arith.mulf %v, %n : f32
    ocl.store %w, %x[%a] : !ocl.ptr<f32, global>
    wg.yield %n : f32
  } : f32
  ocl.store %u, %x[%base] : !ocl.ptr<f32, global>""")


def test_regions_and_contexts(interpret: Interpret) -> None:
    x = np.arange(6, dtype="f4")
    interpret(_SUM, x, global_size=6, local_size=3)
    assert x.tolist() == [1, 2, 3, 4, 20, 24]


def test_results_must_be_uniform(interpret: Interpret) -> None:
    text = _function("""
  %u = wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
    wg.yield %i : index
  } : index""")
    with pytest.raises(LaunchError) as caught:
        interpret(text, np.zeros(4, "f4"), global_size=4, local_size=4)
    assert "results of a parallel region must be uniform" in str(caught.value)
    assert "global id (1, 0, 0)" in str(caught.value)


def test_values_are_compared_by_their_bits() -> None:
    nan = float("nan")
    assert same_value((1.0, nan), (1.0, -nan))
    assert not same_value(0.0, -0.0)
    assert not same_value(nan, 1.0)
    assert same_value((1, (2, 3)), (1, (2, 3)))
    assert not same_value((1, (2, 3)), (1, (2, 4)))


def test_slots_are_private_memory(interpret: Interpret) -> None:
    array = "!ocl.array<2 x f32>"
    slot = (
        f"    %p = wg.slot %c[%i, %j, %k] : !wg.context<{array}> -> !ocl.ptr<{array}, private>\n"
        f"    %q = ocl.cast %p : !ocl.ptr<{array}, private> to !ocl.ptr<f32, private>\n"
    )
    text = _function(f"""
  %c = wg.context : !wg.context<{array}>
  %one = arith.constant 1 : index
  wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {{
    %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
{slot}    ocl.store %v, %q[%one] : !ocl.ptr<f32, private>
  }}
  wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {{
{slot}    %v = ocl.load %q[%one] : !ocl.ptr<f32, private>
    %w = arith.addf %v, %v : f32
    ocl.store %w, %x[%i] : !ocl.ptr<f32, global>
  }}""")
    x = np.arange(3, dtype="f4")
    interpret(text, x, global_size=3, local_size=3)
    assert x.tolist() == [0, 2, 4]


def test_a_slot_has_the_size_of_its_element(interpret: Interpret) -> None:
    text = _function("""
  %c = wg.context : !wg.context<f32>
  wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
    %p = wg.slot %c[%i, %j, %k] : !wg.context<f32> -> !ocl.ptr<f32, private>
    %one = arith.constant 1 : index
    %v = ocl.load %p[%one] : !ocl.ptr<f32, private>
  }""")
    with pytest.raises(LaunchError, match=r"context array made at k.mlir:10:3, slot \(0, 0, 0\)"):
        interpret(text, np.zeros(1, "f4"))


def test_any(interpret: Interpret) -> None:
    text = _function("""
  %c = wg.context : !wg.context<i1>
  %limit = arith.constant 2.0 : f32
  %before = wg.any %c : !wg.context<i1>
  wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
    %a = arith.addi %base, %i : index
    %v = ocl.load %x[%a] : !ocl.ptr<f32, global>
    %b = arith.cmpf ogt, %v, %limit : f32
    wg.put %b, %c[%i, %j, %k] : !wg.context<i1>
  }
  %after = wg.any %c : !wg.context<i1>
  %p = arith.uitofp %before : i1 to f32
  %q = arith.uitofp %after : i1 to f32
  ocl.store %p, %x[%base] : !ocl.ptr<f32, global>
  %one = arith.constant 1 : index
  %next = arith.addi %base, %one : index
  ocl.store %q, %x[%next] : !ocl.ptr<f32, global>""")
    x = np.arange(4, dtype="f4")
    interpret(text, x, global_size=4, local_size=2)
    assert x.tolist() == [0, 0, 0, 1]


def test_slot_of_no_work_item(interpret: Interpret) -> None:
    text = _function("""
  %c = wg.context : !wg.context<f32>
  wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
    %v = wg.get %c[%lx, %j, %k] : !wg.context<f32>
  }""")
    with pytest.raises(LaunchError, match=r"no slot \(2, 0, 0\) .* local size \(2, 1, 1\)"):
        interpret(text, np.zeros(4, "f4"), global_size=4, local_size=2)


def test_three_dimensions(interpret: Interpret) -> None:
    text = _function("""
  %c = wg.context : !wg.context<index>
  %hundred = arith.constant 100 : index
  %ten = arith.constant 10 : index
  wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
    %a = arith.muli %k, %hundred : index
    %b = arith.muli %j, %ten : index
    %d = arith.addi %a, %b : index
    %e = arith.addi %d, %i : index
    wg.put %e, %c[%i, %j, %k] : !wg.context<index>
  }
  wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
    %a = arith.muli %k, %ly : index
    %b = arith.addi %a, %j : index
    %d = arith.muli %b, %lx : index
    %e = arith.addi %d, %i : index
    %v = wg.get %c[%i, %j, %k] : !wg.context<index>
    %w = arith.index_cast %v : index to i32
    %f = arith.sitofp %w : i32 to f32
    ocl.store %f, %x[%e] : !ocl.ptr<f32, global>
  }""")
    x = np.zeros(12, "f4")
    interpret(text, x, global_size=(3, 2, 2), local_size=(3, 2, 2))
    assert x.tolist() == [0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112]


def test_a_specialised_function_refuses_other_local_sizes(interpret: Interpret) -> None:
    text = _function("", " attributes {local_size = array<i64: 4, 1, 1>}")
    interpret(text, np.zeros(8, "f4"), global_size=8, local_size=4)
    with pytest.raises(LaunchError, match=r"specialised for local size \(4, 1, 1\), got \(2, 1"):
        interpret(text, np.zeros(8, "f4"), global_size=8, local_size=2)


def test_uniform_control_flow_around_regions(interpret: Interpret) -> None:
    text = _function("""
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  scf.for %n = %zero to %three step %one {
    wg.parallel (%i, %j, %k) in (%lx, %ly, %lz) {
      %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
      %w = arith.addf %v, %v : f32
      ocl.store %w, %x[%i] : !ocl.ptr<f32, global>
    }
  }""")
    x = np.arange(3, dtype="f4")
    interpret(text, x, global_size=3, local_size=3)
    assert x.tolist() == [0, 8, 16]


def test_lowered_kernels_run_the_same(interpret: Interpret) -> None:
    kernel = """
ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %l = ocl.local_id 0 : index
  %i = ocl.global_id 0 : index
  %n = ocl.local_size 0 : index
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x f32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<4 x f32>, local> to !ocl.ptr<f32, local>
  %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
  ocl.store %v, %p[%l] : !ocl.ptr<f32, local>
  ocl.barrier local
  %one = arith.constant 1 : index
  %a = arith.addi %l, %one : index
  %b = arith.remui %a, %n : index
  %w = ocl.load %p[%b] : !ocl.ptr<f32, local>
  ocl.store %w, %x[%i] : !ocl.ptr<f32, global>
  ocl.return
}"""
    for pipeline in (None, "ocl-to-wg", "ocl-to-wg,canonicalize,convert-scf-to-cf"):
        x = np.arange(8, dtype="f4")
        interpret(kernel, x, global_size=8, local_size=4, pipeline=pipeline)
        assert x.tolist() == [1, 2, 3, 0, 5, 6, 7, 4]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "takes 1 arguments, got 0"),
        ((b"1234",), "parameter 'x': an argument b'1234' does not fit its type"),
        ((np.zeros((4, 4), "f4")[:, 1],), "parameter 'x': expected a C-contiguous array"),
    ],
)
def test_wrong_arguments(interpret: Interpret, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        interpret(_SUM, *args)


def test_unknown_kernel(interpret: Interpret) -> None:
    with pytest.raises(ArgumentError, match="unknown kernel 'kk'; did you mean 'k'"):
        interpret(_SUM, np.zeros(1, "f4"), kernel="kk")


def test_a_function_is_no_kernel(interpret: Interpret) -> None:
    text = "func.func @k() {\n  func.return\n}"
    with pytest.raises(LaunchError, match="@k is no longer a kernel"):
        interpret(text)


def test_queries(interpret: Interpret) -> None:
    queries = ["global_id", "local_id", "group_id", "global_size", "local_size", "num_groups"]
    stores = [
        f"""
  %v{n} = ocl.{name} 1 : index
  %w{n} = arith.index_cast %v{n} : index to i32
  %c{n} = arith.constant {n} : index
  ocl.store %w{n}, %out[%c{n}] : !ocl.ptr<i32, global>"""
        for n, name in enumerate([*queries, "global_offset"])
    ]
    text = (
        'ocl.kernel @k(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {'
        + "".join(stores)
        + """
  %d = ocl.work_dim : index
  %e = arith.index_cast %d : index to i32
  %f = arith.constant 7 : index
  ocl.store %e, %out[%f] : !ocl.ptr<i32, global>
  ocl.return
}"""
    )
    out = np.zeros(8, "i4")
    interpret(text, out, global_size=(2, 6), local_size=(1, 3), global_offset=(0, 10))
    # The last work-item has written last.
    assert out.tolist() == [15, 2, 1, 6, 3, 2, 10, 2]
