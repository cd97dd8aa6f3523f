"""Kernels of MLIR's gpu dialect compute what numpy does, on every device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.errors import ArgumentError, PolyclError, SourceError

pytestmark = pytest.mark.parametrize("device", ["cpu", "interp"])

RNG = np.random.default_rng(1)


def floats(*shape: int) -> Any:
    return RNG.random(shape, dtype=np.float32)


SAXPY = """
gpu.module @kernels {
  gpu.func @saxpy(%x: memref<?xf32>, %y: memref<?xf32>, %a: f32) kernel {
    %c0 = arith.constant 0 : index
    %bid = gpu.block_id x
    %bdim = gpu.block_dim x
    %tid = gpu.thread_id x
    %b = arith.muli %bid, %bdim : index
    %i = arith.addi %b, %tid : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %in = arith.cmpi ult, %i, %n : index
    scf.if %in {
      %xv = memref.load %x[%i] : memref<?xf32>
      %yv = memref.load %y[%i] : memref<?xf32>
      %ax = arith.mulf %a, %xv : f32
      %r = arith.addf %ax, %yv : f32
      memref.store %r, %y[%i] : memref<?xf32>
    }
    gpu.return
  }
}
"""


def test_saxpy_takes_its_size_from_the_array(device: str):
    x, y = floats(100), floats(100)
    expected = 2 * x + y
    kernel = polycl.load(SAXPY).kernel("saxpy")
    kernel(x, y, 2.0, global_size=128, local_size=32, device=device)
    np.testing.assert_allclose(y, expected, rtol=1e-6)


def test_a_size_that_is_given_wins(device: str):
    x, y = floats(100), np.zeros(100, np.float32)
    kernel = polycl.load(SAXPY).kernel("saxpy")
    kernel(x, y, 1.0, global_size=128, local_size=32, device=device, x_size0=10)
    assert (y[:10] == x[:10]).all()
    assert not y[10:].any()


def test_an_array_that_cannot_say_a_size_is_explained(device: str):
    kernel = polycl.load(SAXPY).kernel("saxpy")
    with pytest.raises(ArgumentError, match=r"'x_size0' \(i64\): 'x' is None, which has no size"):
        kernel(None, floats(8), 1.0, global_size=8, device=device)
    with pytest.raises(ArgumentError, match="has no dimension 0; pass an array with that many"):
        kernel(np.zeros((), np.float32), floats(8), 1.0, global_size=8, device=device)


MATMUL = """
gpu.module @kernels {
  gpu.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>)
      workgroup(%ta: memref<8x8xf32, #gpu.address_space<workgroup>>,
                %tb: memref<8x8xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %col = gpu.global_id x
    %row = gpu.global_id y
    %k = memref.dim %a, %c1 : memref<?x?xf32>
    %sum = scf.for %t = %c0 to %k step %c8 iter_args(%acc = %zero) -> (f32) {
      %ac = arith.addi %t, %tx : index
      %br = arith.addi %t, %ty : index
      %av = memref.load %a[%row, %ac] : memref<?x?xf32>
      %bv = memref.load %b[%br, %col] : memref<?x?xf32>
      memref.store %av, %ta[%ty, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
      memref.store %bv, %tb[%ty, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%p = %acc) -> (f32) {
        %x = memref.load %ta[%ty, %j] : memref<8x8xf32, #gpu.address_space<workgroup>>
        %y = memref.load %tb[%j, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
        %m = arith.mulf %x, %y : f32
        %q = arith.addf %p, %m : f32
        scf.yield %q : f32
      }
      gpu.barrier
      scf.yield %s : f32
    }
    memref.store %sum, %c[%row, %col] : memref<?x?xf32>
    gpu.return
  }
}
"""


def test_matmul_in_workgroup_memory(device: str):
    a, b, c = floats(16, 24), floats(24, 32), np.zeros((16, 32), np.float32)
    polycl.load(MATMUL).kernel("matmul")(a, b, c, global_size=(32, 16), device=device)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


REDUCE = """
memref.global "private" @shared : memref<64xi32, 3>

func.func @add(%x: i32, %tile: memref<64xi32, 3>, %i: index) -> i32 {
  %y = memref.load %tile[%i] : memref<64xi32, 3>
  %s = arith.addi %x, %y : i32
  return %s : i32
}

func.func @reduce(%in: memref<?xi32>, %out: memref<?xi32>)
    attributes {gpu.kernel, gpu.workgroup_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %tid = gpu.thread_id x
  %gid = gpu.global_id x
  %bid = gpu.block_id x
  %tile = memref.get_global @shared : memref<64xi32, 3>
  %v = memref.load %in[%gid] : memref<?xi32>
  memref.store %v, %tile[%tid] : memref<64xi32, 3>
  gpu.barrier
  %end = scf.while (%half = %c32) : (index) -> index {
    %more = arith.cmpi ugt, %half, %c0 : index
    scf.condition(%more) %half : index
  } do {
  ^bb0(%half: index):
    %active = arith.cmpi ult, %tid, %half : index
    scf.if %active {
      %j = arith.addi %tid, %half : index
      %x = memref.load %tile[%tid] : memref<64xi32, 3>
      %s = func.call @add(%x, %tile, %j) : (i32, memref<64xi32, 3>, index) -> i32
      memref.store %s, %tile[%tid] : memref<64xi32, 3>
    }
    gpu.barrier
    %next = arith.shrui %half, %c1 : index
    scf.yield %next : index
  }
  %first = arith.cmpi eq, %tid, %c0 : index
  scf.if %first {
    %total = memref.load %tile[%c0] : memref<64xi32, 3>
    memref.store %total, %out[%bid] : memref<?xi32>
  }
  return
}
"""


def test_reduction_of_a_marked_function(device: str):
    values = RNG.integers(-1000, 1000, 256, dtype=np.int32)
    out = np.zeros(4, np.int32)
    polycl.load(REDUCE).kernel("reduce")(values, out, global_size=256, device=device)
    assert out.tolist() == values.reshape(4, 64).sum(axis=1).tolist()


VIEWS = """
gpu.module @kernels {
  memref.global "private" constant @weights : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
  func.func @sum(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %rows = memref.dim %m, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %cols = memref.dim %m, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %zero) -> (f32) {
      %s = scf.for %j = %c0 to %cols step %c1 iter_args(%b = %a) -> (f32) {
        %v = memref.load %m[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
        %t = arith.addf %b, %v : f32
        scf.yield %t : f32
      }
      scf.yield %s : f32
    }
    return %r : f32
  }
  gpu.func @views(%m: memref<8x8xf32>, %out: memref<8xf32>) kernel {
    %i = gpu.global_id x
    %block = memref.subview %m[%i, 1] [1, 3] [1, 2]
        : memref<8x8xf32> to memref<1x3xf32, strided<[8, 2], offset: ?>>
    %any = memref.cast %block : memref<1x3xf32, strided<[8, 2], offset: ?>>
        to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %a = func.call @sum(%any) : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> f32
    %own = memref.alloca() : memref<2x2xf32>
    %weights = memref.get_global @weights : memref<2x2xf32>
    memref.copy %weights, %own : memref<2x2xf32> to memref<2x2xf32>
    %strided = memref.cast %own : memref<2x2xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %b = func.call @sum(%strided) : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> f32
    %flat = memref.collapse_shape %m [[0, 1]] : memref<8x8xf32> into memref<64xf32>
    %c = memref.load %flat[%i] : memref<64xf32>
    %v = vector.load %m[%i, %i] : memref<8x8xf32>, vector<2xf32>
    %d = vector.extract %v[0] : f32 from vector<2xf32>
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    %r = arith.addf %abc, %d : f32
    memref.store %r, %out[%i] : memref<8xf32>
    gpu.return
  }
}
"""


def test_views_of_memory_and_what_is_passed_to_functions(device: str):
    m, out = floats(8, 8), np.zeros(7, np.float32)
    polycl.load(VIEWS).kernel("views")(m, out, global_size=7, device=device)
    expected = m[:7, 1:7:2].sum(axis=1) + 10 + m[0, :7] + np.diag(m)[:7]
    np.testing.assert_allclose(out, expected, rtol=1e-5)


GENERIC = """
"builtin.module"() ({
  "gpu.module"() ({
    "gpu.func"() <{"function_type" = (memref<4xi1>, memref<4xindex>) -> (), "kernel"}> ({
    ^bb0(%flags : memref<4xi1>, %count : memref<4xindex>):
      %i = "gpu.thread_id"() <{"dimension" = #gpu<dim x>}> : () -> index
      %f = "memref.load"(%flags, %i) : (memref<4xi1>, index) -> i1
      %n = "arith.extui"(%f) : (i1) -> i32
      %k = "arith.index_cast"(%n) : (i32) -> index
      %m = "arith.addi"(%k, %i) : (index, index) -> index
      "memref.store"(%m, %count, %i) : (index, memref<4xindex>, index) -> ()
      "gpu.return"() : () -> ()
    }) {"sym_name" = "flags"} : () -> ()
  }) {"sym_name" = "kernels"} : () -> ()
}) : () -> ()
"""


def test_generic_syntax_and_elements_without_a_c_type(device: str):
    count = np.zeros(4, np.int64)
    flags = np.array([1, 0, 1, 1], np.uint8)
    polycl.load(GENERIC).kernel("flags")(flags, count, global_size=4, device=device)
    assert count.tolist() == [1, 1, 3, 4]


ATOMIC = """
gpu.module @kernels {
  gpu.func @histogram(%in: memref<?xi32>, %bins: memref<4xi32>) kernel {
    %i = gpu.global_id x
    %one = arith.constant 1 : i32
    %v = memref.load %in[%i] : memref<?xi32>
    %bin = arith.index_cast %v : i32 to index
    %old = memref.atomic_rmw addi %one, %bins[%bin] : (i32, memref<4xi32>) -> i32
    gpu.return
  }
}
"""


def test_atomics(device: str):
    values = RNG.integers(0, 4, 128, dtype=np.int32)
    bins = np.zeros(4, np.int32)
    polycl.load(ATOMIC).kernel("histogram")(values, bins, global_size=128, device=device)
    assert bins.tolist() == np.bincount(values, minlength=4).tolist()


UNDEFINED = """
func.func private @f()
func.func @k() attributes {gpu.kernel} {
  func.call @f() : () -> ()
  return
}
"""


def test_errors_name_the_operation_and_its_place(device: str):
    text = SAXPY.replace("memref.dim %x, %c0 : memref<?xf32>", "gpu.lane_id")
    with pytest.raises(SourceError, match=r"<source>.mlir:10:5: error: 'gpu.lane_id' in a kernel"):
        polycl.load(text)
    with pytest.raises(PolyclError, match="call of @f, which is not defined in this module"):
        polycl.load(UNDEFINED)
