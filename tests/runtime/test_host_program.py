# ruff: noqa: E501 (programs)
"""Host programs: commands on every device, loops between them, arguments, results and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl import ArgumentError, Device, PolyclError
from polycl.remarks import collect_remarks

ROOT = Path(__file__).resolve().parents[2]
DEVICES = {
    "interp": {},
    "cpu": {"contract": False},
    "opencl:intel": {"contract": False},
    "tta": {},
}


@pytest.fixture(params=DEVICES, scope="module")
def device(request: pytest.FixtureRequest) -> Device:
    return polycl.device(request.param, **DEVICES[request.param])


def host(text: str, name: str = "f") -> Any:
    return polycl.load(text, language="mlir").host(name)


def test_md(device: Device) -> None:
    md = polycl.load(ROOT / "examples/programs/md/md.mlir").host()
    atoms, count = 128, 5
    random = np.random.default_rng(1)
    neighbours = random.integers(0, atoms, (atoms, count)).astype(np.int32)
    positions = random.random(atoms, np.float32)
    forces = np.zeros(atoms, np.float32)
    md(neighbours, positions, forces, atoms, count, device=device)

    expected = np.zeros(atoms, np.float32)
    for j in range(count):
        d = positions[neighbours[:, j]] - positions
        expected += d / (d * d + np.float32(1))
    # A transport-triggered machine may fuse a product and a sum.
    np.testing.assert_array_max_ulp(forces, expected, 0 if device.name != "tta" else 64)
    by_command = {time.command: time.count for time in md.times}
    assert by_command["ocl.launch @ker"] == 1
    assert by_command["ocl.write %d_n"] == 1
    assert ("host code" in by_command) == (device.name != "interp")


STEPS = """
ocl.kernel @step(%from: !ocl.ptr<i32, global> {ocl.name = "from"}, %to: !ocl.ptr<i32, global> {ocl.name = "to"}, %n: i32 {ocl.name = "n"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %from[%i] : !ocl.ptr<i32, global>
  %w = arith.addi %v, %n : i32
  ocl.store %w, %to[%i] : !ocl.ptr<i32, global>
  ocl.return
}
"""


def test_buffers_change_places_in_a_loop(device: Device) -> None:
    """The cl_mem swap of stencils: buffers are values of the loop."""
    f = host(
        STEPS
        + """
func.func @f(%x: memref<?xi32>, %n: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = ocl.buffer %n : !ocl.buffer<i32>
  %b0 = ocl.buffer %n : !ocl.buffer<i32>
  ocl.write %x to %a0 : memref<?xi32>, !ocl.buffer<i32>
  %a, %b = scf.for %s = %c0 to %steps step %c1 iter_args(%p = %a0, %q = %b0) -> (!ocl.buffer<i32>, !ocl.buffer<i32>) {
    %k = arith.index_cast %s : index to i32
    ocl.launch @step global [%n] (%p, %q, %k) : !ocl.buffer<i32>, !ocl.buffer<i32>, i32
    scf.yield %q, %p : !ocl.buffer<i32>, !ocl.buffer<i32>
  }
  ocl.read %a to %x : !ocl.buffer<i32>, memref<?xi32>
  func.return
}"""
    )
    x = np.arange(64, dtype=np.int32)
    f(x, 64, 5, device=device)
    assert x.tolist() == [i + 10 for i in range(64)]


def test_parts_copies_fills_and_events(device: Device) -> None:
    f = host(
        STEPS
        + """
func.func @f(%x: memref<?xi32>, %y: memref<?xi64>, %v: i32) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %a = ocl.buffer %c8 : !ocl.buffer<i32>
  %b = ocl.buffer %c8 : !ocl.buffer<i32>
  %e0 = ocl.fill %a with %v : !ocl.buffer<i32> -> !ocl.event
  ocl.write %x[%c3] to %a[%c2] count %c2 after %e0 : memref<?xi32>, !ocl.buffer<i32>
  %e1 = ocl.launch @step global [%c8] local [%c8] (%a, %a, %one) : !ocl.buffer<i32>, !ocl.buffer<i32>, i32 -> !ocl.event
  ocl.wait %e0, %e1
  ocl.copy %a to %b : !ocl.buffer<i32>, !ocl.buffer<i32>
  ocl.copy %a[%c2] to %b count %c3 : !ocl.buffer<i32>, !ocl.buffer<i32>
  ocl.fill %b[%c3] with %one count %c2 : !ocl.buffer<i32>
  // Bytes, whatever they are on the other side: two elements in one.
  ocl.read %b[%c2] to %y[%c2] count %c2 : !ocl.buffer<i32>, memref<?xi64>
  ocl.read %b to %x : !ocl.buffer<i32>, memref<?xi32>
  ocl.release %a : !ocl.buffer<i32>
  func.return
}"""
    )
    x, y = np.arange(8, dtype=np.int32), np.zeros(4, np.int64)
    f(x, y, -7, device=device)
    # a: -6 -6 4 5 -6 ..; b: 4 5 -6 | 1 1 | -6 ..
    assert x.tolist() == [4, 5, -6, 1, 1, -6, -6, -6]
    assert y.view(np.int32).tolist() == [0, 0, 0, 0, -6, 1, 0, 0]


def test_local_memory_structures_and_numbers(device: Device) -> None:
    """A reversal of groups, an array of structures, results that are numbers."""
    f = host(
        """
ocl.kernel @k(%x: !ocl.ptr<!ocl.struct<"p", {a: i32, b: f32}>, global> {ocl.name = "x"}, %t: !ocl.ptr<i32, local> {ocl.name = "t"}) {
  %i = ocl.global_id 0 : index
  %l = ocl.local_id 0 : index
  %n = ocl.local_size 0 : index
  %c1 = arith.constant 1 : index
  %s = ocl.load %x[%i] : !ocl.ptr<!ocl.struct<"p", {a: i32, b: f32}>, global>
  %a = ocl.extract %s["a"] : !ocl.struct<"p", {a: i32, b: f32}> -> i32
  ocl.store %a, %t[%l] : !ocl.ptr<i32, local>
  ocl.barrier local
  %last = arith.subi %n, %c1 : index
  %m = arith.subi %last, %l : index
  %v = ocl.load %t[%m] : !ocl.ptr<i32, local>
  %r = ocl.insert %v, %s["a"] : i32, !ocl.struct<"p", {a: i32, b: f32}>
  ocl.store %r, %x[%i] : !ocl.ptr<!ocl.struct<"p", {a: i32, b: f32}>, global>
  ocl.return
}
func.func @f(%x: memref<?x!ocl.struct<"p", {a: i32, b: f32}>>, %n: index) -> (i32, index, f64) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %bytes = arith.constant 16 : index
  %d = ocl.buffer %n : !ocl.buffer<!ocl.struct<"p", {a: i32, b: f32}>>
  ocl.write %x to %d : memref<?x!ocl.struct<"p", {a: i32, b: f32}>>, !ocl.buffer<!ocl.struct<"p", {a: i32, b: f32}>>
  %l = ocl.local_memory %bytes : !ocl.local_memory
  ocl.launch @k global [%n] local [%c4] (%d, %l) : !ocl.buffer<!ocl.struct<"p", {a: i32, b: f32}>>, !ocl.local_memory
  ocl.read %d to %x : !ocl.buffer<!ocl.struct<"p", {a: i32, b: f32}>>, memref<?x!ocl.struct<"p", {a: i32, b: f32}>>
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %p = memref.load %x[%i] : memref<?x!ocl.struct<"p", {a: i32, b: f32}>>
    %a = ocl.extract %p["a"] : !ocl.struct<"p", {a: i32, b: f32}> -> i32
    %t = arith.subi %s, %a : i32
    scf.yield %t : i32
  }
  %half = arith.constant 0.5 : f64
  func.return %sum, %n, %half : i32, index, f64
}"""
    )
    x = np.zeros(8, np.dtype([("a", np.int32), ("b", np.float32)]))
    x["a"], x["b"] = range(8), 0.5
    assert f(x, 8, device=device) == (-28, 8, 0.5)
    assert x["a"].tolist() == [3, 2, 1, 0, 7, 6, 5, 4]
    assert (x["b"] == 0.5).all()


SEARCH = """
// How often x can be halved until it is odd, and whether it was even at all.
func.func private @halves(%x: i32) -> i1 {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %bit = arith.andi %x, %one : i32
  %even = arith.cmpi eq, %bit, %zero : i32
  func.return %even : i1
}
func.func @f(%x: i32, %seen: memref<4xi32>) -> (i32, i1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %was = func.call @halves(%x) : (i32) -> i1
  %y, %n = scf.while (%v = %x, %k = %zero) : (i32, i32) -> (i32, i32) {
    %even = func.call @halves(%v) : (i32) -> i1
    scf.condition(%even) %v, %k : i32, i32
  } do {
  ^bb0(%v: i32, %k: i32):
    %half = arith.shrsi %v, %one : i32
    %next = arith.addi %k, %one : i32
    scf.yield %half, %next : i32, i32
  }
  memref.store %y, %seen[%c0] : memref<4xi32>
  func.return %n, %was : i32, i1
}
"""


@pytest.mark.parametrize("on", ["interp", "cpu"])
def test_a_host_without_kernels(on: str) -> None:
    f = host(SEARCH)
    seen = np.zeros(4, np.int32)
    assert f(48, seen, device=on) == (4, True)
    assert seen[0] == 3
    assert f(-7, seen, device=on) == (0, False)


TRANSPOSE = """
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %r: index, %c: index) {
  %t = ocl.transpose %x rows %r columns %c : memref<?xf32>
  %n = arith.muli %r, %c : index
  %d = ocl.buffer %n : !ocl.buffer<f32>
  ocl.write %t to %d : memref<?xf32>, !ocl.buffer<f32>
  memref.dealloc %t : memref<?xf32>
  ocl.read %d to %y : !ocl.buffer<f32>, memref<?xf32>
  %e = ocl.transpose %d rows %c columns %r : !ocl.buffer<f32>
  ocl.read %e to %x : !ocl.buffer<f32>, memref<?xf32>
  func.return
}
"""


def test_transpose(device: Device) -> None:
    """On the host, and back on the device."""
    x = np.arange(24, dtype=np.float32)
    y = np.zeros(24, np.float32)
    host(TRANSPOSE)(x, y, 4, 6, device=device)
    np.testing.assert_array_equal(y, np.arange(24).reshape(4, 6).T.reshape(-1))
    np.testing.assert_array_equal(x, np.arange(24))


OPAQUE = """
func.func @f(%x: memref<?xf32>, %n: index) -> i32 {
  %d = ocl.buffer %n : !ocl.buffer<f32>
  ocl.write %x to %d : memref<?xf32>, !ocl.buffer<f32>
  %r = ocl.opaque "measure"(%x, %d, %n) : (memref<?xf32>, !ocl.buffer<f32>, index) -> i32
  func.return %r : i32
}
"""


def test_what_was_not_understood_is_passed(device: Device) -> None:
    def measure(x: NDArray[np.float32], d: NDArray[np.float32], n: int) -> int:
        x[0] = d.sum()
        return -n

    x = np.ones(8, np.float32)
    assert host(OPAQUE)(x, 8, device=device, functions={"measure": measure}) == -8
    assert x[0] == 8


def test_what_was_not_understood_is_missing() -> None:
    with pytest.raises(PolyclError, match=r"'measure' was not understood; pass functions="):
        host(OPAQUE)(np.ones(8, np.float32), 8)


def test_arguments_are_checked() -> None:
    f = host(SEARCH)
    seen = np.zeros(4, np.int32)
    with pytest.raises(ArgumentError, match=r"takes 2 arguments \(x, seen\): missing seen"):
        f(1)
    with pytest.raises(ArgumentError, match=r"takes 2 arguments \(x, seen\), got 3"):
        f(1, seen, 3)
    with pytest.raises(ArgumentError, match="unknown parameter 'sen'; did you mean 'seen'"):
        f(1, sen=seen)
    with pytest.raises(ArgumentError, match="'x' is given twice"):
        f(1, seen, x=2)
    with pytest.raises(ArgumentError, match=r"function 'f', parameter 'seen'.*int32.*float32"):
        f(1, seen.astype(np.float32))
    with pytest.raises(ArgumentError, match="expected an array of 16 bytes, got 20"):
        f(1, np.zeros(5, np.int32))
    with pytest.raises(ArgumentError, match="'x'.*expected an integer, got float 0.5"):
        f(0.5, seen)
    seen.setflags(write=False)
    with pytest.raises(ArgumentError, match="'seen'.*read-only"):
        f(1, seen)


@pytest.mark.parametrize(
    ("size", "offset", "message"),
    [
        (4, 0, "copies 32 bytes, the source at 0 has 16"),
        (8, 1, "copies 32 bytes, the source at 4 has 28"),
        (8, -1, "copies 32 bytes, the source at -4 has 36"),
    ],
)
def test_transfers_stay_inside(size: int, offset: int, message: str) -> None:
    f = host(
        """func.func @f(%x: memref<?xi32>, %n: index, %o: index) {
  %d = ocl.buffer %n : !ocl.buffer<i32>
  ocl.write %x[%o] to %d : memref<?xi32>, !ocl.buffer<i32>
  func.return
}"""
    )
    with pytest.raises(PolyclError, match=rf"<source>.mlir:3:3: error: {message}"):
        f(np.zeros(size, np.int32), 8, offset)


def test_sizes_of_launches_are_checked() -> None:
    f = host(
        STEPS
        + """func.func @f(%n: index, %l: index) {
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %d = ocl.buffer %c8 : !ocl.buffer<i32>
  ocl.launch @step global [%n] local [%l] (%d, %d, %one) : !ocl.buffer<i32>, !ocl.buffer<i32>, i32
  func.return
}"""
    )
    f(8, 4)
    with pytest.raises(PolyclError, match="13:3: error: .*8 is no multiple of 3"):
        f(8, 3)


def test_memory_of_the_host_is_checked() -> None:
    """Where the host is interpreted."""
    text = """func.func @f(%x: memref<?xi32>, %i: index) -> i32 {
  %r = memref.load %x[%i] : memref<?xi32>
  %y = memref.alloc(%i) : memref<?xi32>
  memref.dealloc %y : memref<?xi32>
  %c0 = arith.constant 0 : index
  %s = memref.load %y[%c0] : memref<?xi32>
  func.return %r : i32
}"""
    f = host(text)
    with pytest.raises(
        PolyclError, match="2:3: .*read of element 9 is out of bounds: array 'x' has 8"
    ):
        f(np.zeros(8, np.int32), 9)
    with pytest.raises(PolyclError, match="6:3: .*'y', which was freed at .*4:3, has 0 elements"):
        f(np.zeros(8, np.int32), 3)


def test_host_code_that_is_no_kernel_is_interpreted_with_a_remark() -> None:
    """An array that a branch chooses is no kernel argument."""
    f = host(
        """func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = scf.if %c -> (memref<?xi32>) {
      scf.yield %x : memref<?xi32>
    } else {
      scf.yield %y : memref<?xi32>
    }
    %k = arith.index_cast %i : index to i32
    memref.store %k, %p[%i] : memref<?xi32>
  }
  func.return
}"""
    )
    x, y = np.zeros(4, np.int32), np.zeros(4, np.int32)
    with collect_remarks() as remarks:
        f(x, y, 4, False)
    assert (x.tolist(), y.tolist()) == ([0] * 4, [0, 1, 2, 3])
    assert any("is interpreted" in str(remark) for remark in remarks)


def test_names_of_host_functions() -> None:
    program = polycl.load(SEARCH, language="mlir")
    assert list(program.hosts) == ["f"]
    assert repr(program.host()) == "<polycl.HostFunction f(x: int32, seen: array of int32)>"
    with pytest.raises(ArgumentError, match=r"unknown host function 'g' \(its host functions: f\)"):
        program.host("g")
