# ruff: noqa: E501 (programs)
"""Programs of host and kernels, with arguments and what they make of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class HostCase:
    """A program, arguments for its function `f`, and the arrays and the result afterwards."""

    text: str
    arguments: Callable[[], list[Any]]
    expected: Callable[[], list[Any]]
    """Each array in order."""

    result: Any = None
    function: str = "f"


STEPS = """
ocl.kernel @step(%from: !ocl.ptr<i32, global> {ocl.name = "from"}, %to: !ocl.ptr<i32, global> {ocl.name = "to"}, %n: i32 {ocl.name = "n"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %from[%i] : !ocl.ptr<i32, global>
  %w = arith.addi %v, %n : i32
  ocl.store %w, %to[%i] : !ocl.ptr<i32, global>
  ocl.return
}
"""

# The cl_mem swap of stencils: buffers are values of the loop.
SWAP = (
    STEPS
    + """
func.func @f(%x: memref<?xi32>, %n: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = host.buffer %n : !host.buffer<i32>
  %b0 = host.buffer %n : !host.buffer<i32>
  host.write %x to %a0 : memref<?xi32>, !host.buffer<i32>
  %a, %b = scf.for %s = %c0 to %steps step %c1 iter_args(%p = %a0, %q = %b0) -> (!host.buffer<i32>, !host.buffer<i32>) {
    %k = arith.index_cast %s : index to i32
    host.launch @step global [%n] (%p, %q, %k) : !host.buffer<i32>, !host.buffer<i32>, i32
    scf.yield %q, %p : !host.buffer<i32>, !host.buffer<i32>
  }
  host.read %a to %x : !host.buffer<i32>, memref<?xi32>
  func.return
}"""
)

PARTS = (
    STEPS
    + """
func.func @f(%x: memref<?xi32>, %y: memref<?xi64>, %v: i32) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %a = host.buffer %c8 : !host.buffer<i32>
  %b = host.buffer %c8 : !host.buffer<i32>
  %e0 = host.fill %a with %v : !host.buffer<i32> -> !ocl.event
  host.write %x[%c3] to %a[%c2] count %c2 after %e0 : memref<?xi32>, !host.buffer<i32>
  %e1 = host.launch @step global [%c8] local [%c8] (%a, %a, %one) : !host.buffer<i32>, !host.buffer<i32>, i32 -> !ocl.event
  host.wait %e0, %e1
  host.copy %a to %b : !host.buffer<i32>, !host.buffer<i32>
  host.copy %a[%c2] to %b count %c3 : !host.buffer<i32>, !host.buffer<i32>
  host.fill %b[%c3] with %one count %c2 : !host.buffer<i32>
  // Bytes, whatever they are on the other side: two elements in one.
  host.read %b[%c2] to %y[%c2] count %c2 : !host.buffer<i32>, memref<?xi64>
  host.read %b to %x : !host.buffer<i32>, memref<?xi32>
  host.release %a : !host.buffer<i32>
  func.return
}"""
)

# A reversal of groups, in an array of structures.
STRUCTURES = """
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
func.func @f(%x: memref<?x!ocl.struct<"p", {a: i32, b: f32}>>, %n: index) -> i32 {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %bytes = arith.constant 16 : index
  %d = host.buffer %n : !host.buffer<!ocl.struct<"p", {a: i32, b: f32}>>
  host.write %x to %d : memref<?x!ocl.struct<"p", {a: i32, b: f32}>>, !host.buffer<!ocl.struct<"p", {a: i32, b: f32}>>
  %l = host.local_memory %bytes : !host.local_memory
  host.launch @k global [%n] local [%c4] (%d, %l) : !host.buffer<!ocl.struct<"p", {a: i32, b: f32}>>, !host.local_memory
  host.read %d to %x : !host.buffer<!ocl.struct<"p", {a: i32, b: f32}>>, memref<?x!ocl.struct<"p", {a: i32, b: f32}>>
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %p = memref.load %x[%i] : memref<?x!ocl.struct<"p", {a: i32, b: f32}>>
    %a = ocl.extract %p["a"] : !ocl.struct<"p", {a: i32, b: f32}> -> i32
    %t = arith.subi %s, %a : i32
    scf.yield %t : i32
  }
  func.return %sum : i32
}"""

SEARCH = """
// How often x can be halved until it is odd; what is left, and whether it was even at all.
func.func private @is_even(%x: i32) -> i1 {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %bit = arith.andi %x, %one : i32
  %even = arith.cmpi eq, %bit, %zero : i32
  func.return %even : i1
}
func.func @f(%x: i32, %seen: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %was = func.call @is_even(%x) : (i32) -> i1
  %y, %n = scf.while (%v = %x, %k = %zero) : (i32, i32) -> (i32, i32) {
    %even = func.call @is_even(%v) : (i32) -> i1
    scf.condition(%even) %v, %k : i32, i32
  } do {
  ^bb0(%v: i32, %k: i32):
    %half = arith.shrsi %v, %one : i32
    %next = arith.addi %k, %one : i32
    scf.yield %half, %next : i32, i32
  }
  memref.store %y, %seen[%c0] : memref<4xi32>
  scf.if %was {
    memref.store %one, %seen[%c1] : memref<4xi32>
  }
  func.return %n : i32
}
"""

# On the host, and back on the device.
TRANSPOSE = """
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %r: index, %c: index) {
  %t = host.transpose %x rows %r columns %c : memref<?xf32>
  %n = arith.muli %r, %c : index
  %d = host.buffer %n : !host.buffer<f32>
  host.write %t to %d : memref<?xf32>, !host.buffer<f32>
  memref.dealloc %t : memref<?xf32>
  host.read %d to %y : !host.buffer<f32>, memref<?xf32>
  %e = host.transpose %d rows %c columns %r : !host.buffer<f32>
  host.read %e to %x : !host.buffer<f32>, memref<?xf32>
  func.return
}
"""


def _structures(numbers: list[int]) -> np.ndarray[Any, Any]:
    x = np.zeros(8, np.dtype([("a", np.int32), ("b", np.float32)]))
    x["a"], x["b"] = numbers, 0.5
    return x


def _md_arguments() -> list[Any]:
    random = np.random.default_rng(1)
    neighbours = random.integers(0, 128, (128, 5)).astype(np.int32)
    return [neighbours, random.random(128, np.float32), np.zeros(128, np.float32), 128, 5]


def _md_expected() -> list[Any]:
    neighbours, positions, forces, _, count = _md_arguments()
    for j in range(count):
        d = positions[neighbours[:, j]] - positions
        forces += d / (d * d + np.float32(1))
    return [neighbours, positions, forces]


CASES = {
    "md": HostCase(
        (ROOT / "examples/host/md/md.mlir").read_text(),
        _md_arguments,
        _md_expected,
        function="md",
    ),
    "swap": HostCase(
        SWAP,
        lambda: [np.arange(64, dtype=np.int32), 64, 5],
        lambda: [np.arange(64, dtype=np.int32) + 10],
    ),
    # a: -6 -6 4 5 -6 ..; b: 4 5 -6 | 1 1 | -6 ..
    "parts": HostCase(
        PARTS,
        lambda: [np.arange(8, dtype=np.int32), np.zeros(4, np.int64), -7],
        lambda: [
            np.array([4, 5, -6, 1, 1, -6, -6, -6], np.int32),
            np.array([0, 0, 0, 0, -6, 1, 0, 0], np.int32).view(np.int64),
        ],
    ),
    "structures": HostCase(
        STRUCTURES,
        lambda: [_structures(list(range(8))), 8],
        lambda: [_structures([3, 2, 1, 0, 7, 6, 5, 4])],
        result=-28,
    ),
    "search": HostCase(
        SEARCH,
        lambda: [48, np.zeros(4, np.int32)],
        lambda: [np.array([3, 1, 0, 0], np.int32)],
        result=4,
    ),
    "transpose": HostCase(
        TRANSPOSE,
        lambda: [np.arange(24, dtype=np.float32), np.zeros(24, np.float32), 4, 6],
        lambda: [
            np.arange(24, dtype=np.float32),
            np.arange(24, dtype=np.float32).reshape(4, 6).T.reshape(-1),
        ],
    ),
}
