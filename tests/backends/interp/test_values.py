"""Vectors, conversions, reinterpretation and atomics on the interpreter."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polycl.errors import LaunchError

Interpret = Callable[..., None]
Evaluate = Callable[..., Any]
_INF, _NAN = math.inf, math.nan


def _dtype(type: str) -> np.dtype[Any]:
    return np.dtype(f"{type[0]}{int(type[1:]) // 8}")


@pytest.mark.parametrize(
    ("source", "value", "options", "target", "expected"),
    [
        # The values of the specification's rounding table (6.2.3.3), saturated and not.
        ("f32", 2.5, "rounding rte", "i32", 2),
        ("f32", 2.5, "rounding rtp", "i32", 3),
        ("f32", -2.5, "rounding rtn", "i32", -3),
        ("f32", -2.5, "rounding rtz", "i32", -2),
        ("f32", -2.5, "", "i32", -2),
        ("f32", 300.0, "sat", "i8", 127),
        ("f32", -300.0, "sat", "i8", -128),
        ("f32", 300.0, "sat", "unsigned i8", -1),
        ("f32", -0.6, "rounding rte sat", "unsigned i8", 0),
        ("f32", _NAN, "sat", "i32", 0),
        ("f32", _INF, "sat", "i64", 2**63 - 1),
        ("f32", -_INF, "sat", "unsigned i64", 0),
        ("f64", 1e300, "sat", "unsigned i64", -1),
        ("f16", 65504.0, "sat", "i16", 32767),
        ("i32", -5, "sat", "unsigned i8", 0),
        ("i32", 200, "sat", "i8", 127),
        ("unsigned i32", -1, "sat", "i32", 2**31 - 1),
        ("unsigned i8", -1, "", "i32", 255),
        ("i8", -1, "", "unsigned i32", -1),
        ("i64", 2**24 + 1, "rounding rtp", "f32", 2.0**24 + 2),
        ("i64", 2**24 + 1, "rounding rtz", "f32", 2.0**24),
        ("i64", -(2**24) - 1, "rounding rtn", "f32", -(2.0**24) - 2),
        ("i64", 2**24 + 3, "rounding rte", "f32", 2.0**24 + 4),
        ("unsigned i64", -1, "rounding rtz", "f64", 2.0**64 - 2048),
        ("unsigned i64", -1, "rounding rtz", "f16", 65504.0),
        ("unsigned i64", -1, "rounding rtn", "f16", 65504.0),
        ("unsigned i64", -1, "rounding rtp", "f16", _INF),
        ("f64", 1 + 2.0**-30, "rounding rtp", "f32", 1 + 2.0**-23),
        ("f64", 1 + 2.0**-30, "", "f32", 1.0),
        ("f64", -1e-60, "rounding rtn", "f32", -(2.0**-149)),
        ("f64", 1e60, "rounding rtz", "f32", float(np.finfo("f4").max)),
        ("f64", -1e60, "rounding rtp", "f32", -float(np.finfo("f4").max)),
        ("f64", 1e60, "rounding rtp", "f32", _INF),
        ("f32", -_INF, "rounding rtz", "f16", -_INF),
    ],
)
def test_convert(
    evaluate: Evaluate, source: str, value: Any, options: str, target: str, expected: Any
) -> None:
    plain, result = source.split()[-1], target.split()[-1]
    body = f"  %r = ocl.convert %a {options} : {source} to {target}"
    inputs = [(plain, np.array([value], _dtype(plain)))]
    assert evaluate(body, result, inputs, _dtype(result)).tolist() == [expected]


def test_convert_vectors(evaluate: Evaluate) -> None:
    body = "  %r = ocl.convert %a sat : vector<2xf32> to unsigned vector<2xi8>"
    inputs = [("vector<2xf32>", np.array([[-1, 999]], "f4"))]
    assert evaluate(body, "vector<2xi8>", inputs, ("u1", (2,))).tolist() == [[0, 255]]


def test_bitcast_is_little_endian(evaluate: Evaluate) -> None:
    body = "  %r = ocl.bitcast %a : vector<4xi8> to i32"
    inputs = [("vector<4xi8>", np.array([[1, 2, 3, 4]], "u1"))]
    assert evaluate(body, "i32", inputs, "u4") == [0x04030201]


def test_bitcast_of_three_elements(evaluate: Evaluate) -> None:
    body = """
  %b = ocl.bitcast %a : vector<4xi32> to vector<3xf32>
  %r = ocl.bitcast %b : vector<3xf32> to vector<4xi32>"""
    inputs = [("vector<4xi32>", np.array([[1, 2, 3, 4]], "i4"))]
    assert evaluate(body, "vector<4xi32>", inputs, ("i4", (4,))).tolist() == [[1, 2, 3, 0]]


def test_quiet_nan_keeps_its_bits(evaluate: Evaluate) -> None:
    pattern = 0x7FC12345
    body = """
  %f = ocl.bitcast %a : i32 to f32
  %r = ocl.bitcast %f : f32 to i32"""
    assert evaluate(body, "i32", [("i32", np.array([pattern], "u4"))], "u4") == [pattern]


def test_concat(evaluate: Evaluate) -> None:
    body = """
  %r = ocl.concat %a, %b, %a : f32, vector<2xf32>, f32 -> vector<4xf32>"""
    inputs = [("f32", np.array([7], "f4")), ("vector<2xf32>", np.array([[1, 2]], "f4"))]
    assert evaluate(body, "vector<4xf32>", inputs, ("f4", (4,))).tolist() == [[7, 1, 2, 7]]


def test_dynamic_shuffles_take_the_low_bits(evaluate: Evaluate) -> None:
    x, mask = np.array([[10, 11]], "i4"), np.array([[3, 0, 2, 1]], "u4")
    inputs = [("vector<2xi32>", x), ("vector<2xi32>", x + 10), ("vector<4xi32>", mask)]
    body = "  %r = ocl.shuffle %a, %c : vector<2xi32>, vector<4xi32> -> vector<4xi32>"
    result = evaluate(body, "vector<4xi32>", inputs, ("i4", (4,)))
    assert result.tolist() == [[11, 10, 10, 11]]
    body = "  %r = ocl.shuffle2 %a, %b, %c : vector<2xi32>, vector<4xi32> -> vector<4xi32>"
    result = evaluate(body, "vector<4xi32>", inputs, ("i4", (4,)))
    assert result.tolist() == [[21, 10, 20, 11]]


def test_static_vector_operations(evaluate: Evaluate) -> None:
    body = """
  %s = vector.shuffle %a, %b [3, 0] : vector<2xf32>, vector<2xf32>
  %e = vector.extract %s[0] : f32 from vector<2xf32>
  %v = vector.broadcast %e : f32 to vector<4xf32>
  %f = vector.extract %s[1] : f32 from vector<2xf32>
  %r = vector.insert %f, %v[2] : f32 into vector<4xf32>"""
    inputs = [
        ("vector<2xf32>", np.array([[1, 2]], "f4")),
        ("vector<2xf32>", np.array([[3, 4]], "f4")),
    ]
    assert evaluate(body, "vector<4xf32>", inputs, ("f4", (4,))).tolist() == [[4, 4, 1, 4]]


def test_dynamic_positions(evaluate: Evaluate) -> None:
    body = """
  %i = arith.index_cast %b : i32 to index
  %e = vector.extract %a[%i] : f32 from vector<2xf32>
  %c0 = arith.constant 0 : index
  %r = vector.insert %e, %a[%c0] : f32 into vector<2xf32>"""
    vector = ("vector<2xf32>", np.array([[1, 2]], "f4"))
    inputs = [vector, ("i32", np.array([1], "i4"))]
    assert evaluate(body, "vector<2xf32>", inputs, ("f4", (2,))).tolist() == [[2, 2]]
    inputs = [vector, ("i32", np.array([-1], "i4"))]
    with pytest.raises(LaunchError, match="element -1 of a vector of 2 elements"):
        evaluate(body, "vector<2xf32>", inputs, ("f4", (2,)))


def test_reduction_runs_in_order(evaluate: Evaluate) -> None:
    body = "  %r = vector.reduction <add>, %a, %b : vector<4xf32> into f32"
    inputs = [
        ("vector<4xf32>", np.array([[1e8, 1, -1e8, 1]], "f4")),
        ("f32", np.array([1], "f4")),
    ]
    assert evaluate(body, "f32", inputs, "f4").tolist() == [1.0]


@pytest.mark.parametrize(
    ("kind", "old", "operand", "new"),
    [
        ("add", 2**31 - 1, 1, -(2**31)),
        ("sub", 1, 3, -2),
        ("xchg", 1, 3, 3),
        ("and", 6, 3, 2),
        ("or", 6, 3, 7),
        ("xor", 6, 3, 5),
        ("smin", -1, 1, -1),
        ("smax", -1, 1, 1),
        ("umin", -1, 1, 1),
        ("umax", -1, 1, -1),
    ],
)
def test_atomics(interpret: Interpret, kind: str, old: int, operand: int, new: int) -> None:
    text = f"""
ocl.kernel @k(%x: !ocl.ptr<i32, global> {{ocl.name = "x"}}, %v: i32 {{ocl.name = "v"}}) {{
  %one = arith.constant 1 : index
  %old = ocl.atomic_rmw {kind} %x, %v : !ocl.ptr<i32, global>
  ocl.store %old, %x[%one] : !ocl.ptr<i32, global>
  ocl.return
}}"""
    x = np.array([old, 0], "i4")
    interpret(text, x, np.int32(operand).tobytes())
    assert x.tolist() == [new, old]


def test_float_atomics_round(interpret: Interpret) -> None:
    text = """
ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %v: f32 {ocl.name = "v"}) {
  %old = ocl.atomic_rmw fadd %x, %v : !ocl.ptr<f32, global>
  ocl.return
}"""
    x = np.array([2.0**24], "f4")
    interpret(text, x, np.float32(1).tobytes(), global_size=3)
    assert x.tolist() == [2.0**24]


def test_compare_and_exchange(interpret: Interpret) -> None:
    text = """
ocl.kernel @k(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %i = ocl.global_id 0 : index
  %v = arith.index_cast %i : index to i32
  %one = arith.constant 1 : i32
  %w = arith.addi %v, %one : i32
  %old = ocl.atomic_cmpxchg %x, %v, %w : !ocl.ptr<i32, global>
  %j = arith.index_cast %w : i32 to index
  ocl.store %old, %x[%j] : !ocl.ptr<i32, global>
  ocl.return
}"""
    x = np.zeros(4, "i4")
    interpret(text, x, global_size=3)
    assert x.tolist() == [3, 0, 1, 2]


def test_poison_is_zero(evaluate: Evaluate) -> None:
    body = "  %r = ub.poison : vector<2xf32>"
    inputs = [("i32", np.zeros(1, "i4"))]
    assert evaluate(body, "vector<2xf32>", inputs, ("f4", (2,))).tolist() == [[0, 0]]
