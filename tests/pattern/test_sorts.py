"""Sorts by the bits of keys, and by merges, against the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.dialects.pattern import SortOp
from polycl.lowering.pattern.pattern_to_ocl.radix_sort_code import sorting_bytes
from polycl.runtime.pattern.functions import Function

_TUPLES = """
func.func @sorted(%x: !pattern.array<N, KEY>, %y: !pattern.array<N, OTHER>)
    -> (!pattern.array<N, KEY>, !pattern.array<N, OTHER>) {
  %pairs = pattern.zip %x, %y : !pattern.array<N, tuple<KEY, OTHER>>
  %zero = arith.constant 0 : i32
  %s = pattern.sort %pairs as (%a: KEY, %b: OTHER), (%c: KEY, %d: OTHER) {
    BEFORE
    pattern.yield %before : i1
  } : !pattern.array<N, tuple<KEY, OTHER>>
  %k, %v = pattern.unzip %s : !pattern.array<N, KEY>, !pattern.array<N, OTHER>
  func.return %k, %v : !pattern.array<N, KEY>, !pattern.array<N, OTHER>
}
"""


def sort_of(key: str, other: str, before: str) -> Function:
    text = _TUPLES.replace("KEY", key).replace("OTHER", other).replace("BEFORE", before)
    return polycl.load(text, language="mlir").function("sorted")


def passes(function: Function, n: int) -> int:
    (op,) = (op for op in function.op.walk() if isinstance(op, SortOp))
    return len(sorting_bytes(op, n))


def keys_of(dtype: np.dtype[Any], n: int) -> np.ndarray[Any, Any]:
    """Some are equal, zeros have both signs, and the least and the largest number occur."""
    rng = np.random.default_rng(n)
    if dtype.kind == "i":
        limits = np.iinfo(dtype)
        keys = rng.integers(limits.min, limits.max, n, dtype, endpoint=True)
        keys[::3] = rng.integers(-3, 4, len(keys[::3]))
        return keys
    keys = (rng.normal(size=n) * 100).astype(dtype)
    keys[::5], keys[::7], keys[::11], keys[::13] = 0, -0.0, np.inf, -np.inf
    return keys


def check(function: Function, *arrays: np.ndarray[Any, Any]) -> None:
    pairs = zip(function(*arrays, device="cpu"), function(*arrays), strict=True)
    assert all(found.tobytes() == expected.tobytes() for found, expected in pairs)


@pytest.mark.parametrize(
    ("key", "order"),
    [
        *[("f16", "ult"), ("f32", "olt"), ("f32", "ogt"), ("f64", "ogt"), ("i8", "sgt")],
        *[("i16", "ult"), ("i32", "slt"), ("i32", "ugt"), ("i64", "slt"), ("index", "ult")],
    ],
)
def test_a_sort_by_a_key_keeps_equal_elements_in_order(key: str, order: str):
    kind = "cmpf" if key[0] == "f" else "cmpi"
    function = sort_of(key, "i32", f"%before = arith.{kind} {order}, %a, %c : {key}")
    dtype = np.dtype(key.replace("index", "i64").replace("i", "int").replace("f", "float"))
    n = 50 * dtype.itemsize
    assert passes(function, n) == dtype.itemsize
    check(function, keys_of(dtype, n), np.arange(n, dtype=np.int32))


BY_BOTH = """
    %less = arith.cmpi slt, %a, %c : i32
    %same = arith.cmpi eq, %c, %a : i32
    %more = arith.cmpf olt, %d, %b : f32
    %tie = arith.andi %same, %more : i1
    %before = arith.ori %less, %tie : i1
"""
BY_DISTANCE = """
    %e = arith.subi %a, %zero : i32
    %f = arith.subi %c, %zero : i32
    %before = arith.cmpi slt, %e, %f : i32
"""
NOT_STRICT = "%before = arith.cmpi sle, %a, %c : i32"


@pytest.mark.parametrize(
    ("before", "expected"),
    [(BY_BOTH, 8), (BY_DISTANCE, 0), (NOT_STRICT, 0)],
    ids=["two keys", "computed keys", "no order"],
)
def test_which_sorts_are_by_the_bits_of_keys(before: str, expected: int):
    function, n = sort_of("i32", "f32", before), 400
    assert passes(function, n) == expected
    assert passes(function, n - 17) == 0
    if before is not NOT_STRICT:
        keys = np.random.default_rng(0).integers(-9, 9, n).astype(np.int32)
        check(function, keys, keys_of(np.dtype("float32"), n))


def test_the_rest_of_what_is_sorted_may_be_rows_of_a_map():
    text = """
    func.func @rows(%x: !pattern.array<M, N, i16>) -> !pattern.array<M, N, i16> {
      %y = pattern.map %x as (%row: !pattern.array<N, i16>) {
        %s = pattern.sort %row as %a: i16, %b: i16 {
          %before = arith.cmpi sgt, %a, %b : i16
          pattern.yield %before : i1
        } : !pattern.array<N, i16>
        pattern.yield %s : !pattern.array<N, i16>
      } : !pattern.array<M, N, i16>
      func.return %y : !pattern.array<M, N, i16>
    }
    """
    rows = polycl.load(text, language="mlir").function("rows")
    x = np.random.default_rng(1).integers(-999, 999, (5, 131)).astype(np.int16)
    assert (rows(x, device=polycl.device("cpu", threads=2)) == -np.sort(-x, axis=1)).all()
