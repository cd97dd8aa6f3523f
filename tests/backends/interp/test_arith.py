"""`arith` on the interpreter: hand-computed values, and numpy as an independent judge."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polycl.backends.interp import floats, integers
from polycl.backends.interp.conversions import float_to_int, int_to_float
from polycl.backends.interp.floats import F16, F32, F64, RoundTo
from polycl.errors import LaunchError

Evaluate = Callable[..., Any]
_INF, _NAN = math.inf, math.nan
_MIN32, _MAX32 = -(2**31), 2**31 - 1


def _row(values: list[Any], dtype: Any) -> np.ndarray:
    return np.array(values, dtype)


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        ("addi", _MAX32, 1, _MIN32),
        ("subi", _MIN32, 1, _MAX32),
        ("muli", 65536, 65537, 65536),
        ("divsi", -7, 2, -3),
        ("remsi", -7, 2, -1),
        ("remsi", 7, -2, 1),
        ("divui", -1, 2, _MAX32),
        ("remui", -1, 10, 5),
        ("floordivsi", -7, 2, -4),
        ("ceildivsi", -7, 2, -3),
        ("ceildivui", 7, 2, 4),
        ("minsi", -1, 1, -1),
        ("minui", -1, 1, 1),
        ("maxsi", -1, 1, 1),
        ("maxui", -1, 1, -1),
        ("andi", -2, 7, 6),
        ("ori", -2, 1, -1),
        ("xori", -1, 5, -6),
        ("shli", 1, 31, _MIN32),
        ("shrui", -1, 31, 1),
        ("shrsi", _MIN32, 31, -1),
    ],
)
def test_integer_operation(evaluate: Evaluate, op: str, a: int, b: int, expected: int) -> None:
    inputs = [("i32", _row([a], np.int32)), ("i32", _row([b], np.int32))]
    assert evaluate(f"  %r = arith.{op} %a, %b : i32", "i32", inputs, np.int32) == [expected]


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_integer_width_wraps(evaluate: Evaluate, width: int) -> None:
    dtype = np.dtype(f"u{width // 8}")
    top = np.array([2**width - 1], dtype)
    inputs = [(f"i{width}", top), (f"i{width}", top)]
    assert evaluate(f"  %r = arith.addi %a, %b : i{width}", f"i{width}", inputs, dtype) == top - 1


def test_index_is_64_bits(evaluate: Evaluate) -> None:
    body = """
  %i = arith.index_cast %a : i64 to index
  %j = arith.muli %i, %i : index
  %r = arith.index_cast %j : index to i64"""
    inputs = [("i64", _row([2**33 + 1, -3], np.int64))]
    assert list(evaluate(body, "i64", inputs, np.int64)) == [2**34 + 1, 9]


def test_index_cast_extends_the_sign(evaluate: Evaluate) -> None:
    body = """
  %i = arith.index_cast %a : i8 to index
  %r = arith.index_cast %i : index to i32"""
    assert list(evaluate(body, "i32", [("i8", _row([-1], np.int8))], np.int32)) == [-1]


@pytest.mark.parametrize(
    ("op", "b", "message"),
    [
        ("shli", 32, "shift of i32 by 32; expected less than 32"),
        ("shrui", -1, "shift of i32 by 4294967295"),
    ],
)
def test_undefined_result_is_a_located_error(
    evaluate: Evaluate, op: str, b: int, message: str
) -> None:
    inputs = [("i32", _row([_MIN32], np.int32)), ("i32", _row([b], np.int32))]
    with pytest.raises(LaunchError) as caught:
        evaluate(f"  %r = arith.{op} %a, %b : i32", "i32", inputs, np.int32)
    assert str(caught.value).startswith("k.mlir:5:3: error: ")
    assert message in str(caught.value)
    assert "global id (0, 0, 0)" in str(caught.value)


@pytest.mark.parametrize("b", [0, -1])
@pytest.mark.parametrize("op", ["divsi", "divui", "remsi", "remui"])
def test_an_undefined_division_is_one_by_1(evaluate: Evaluate, op: str, b: int) -> None:
    inputs = [("i32", _row([_MIN32], np.int32)), ("i32", _row([b], np.int32))]
    found = evaluate(f"  %r = arith.{op} %a, %b : i32", "i32", inputs, np.int32)
    defined = {("divui", -1): 0, ("remui", -1): _MIN32}
    assert list(found) == [defined.get((op, b), _MIN32 if op.startswith("div") else 0)]


def test_an_undefined_division_of_indices_is_a_located_error(evaluate: Evaluate) -> None:
    body = """
  %i = arith.index_cast %a : i32 to index
  %q = arith.divui %i, %i : index
  %r = arith.index_cast %q : index to i32"""
    with pytest.raises(LaunchError) as caught:
        evaluate(body, "i32", [("i32", _row([0], np.int32))], np.int32)
    assert "integer division by zero" in str(caught.value)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("op", ["addf", "subf", "mulf", "divf"])
def test_float_operation_equals_numpy(evaluate: Evaluate, op: str, dtype: str) -> None:
    limits = np.finfo(dtype)
    special = [0.0, -0.0, 1.0, -3.0, 1 / 3, _INF, -_INF, _NAN]
    special += [float(limits.max), float(limits.tiny), float(limits.smallest_subnormal)]
    a, b = (grid.ravel().astype(dtype) for grid in np.meshgrid(special, special))
    type = f"f{8 * int(dtype[1])}"
    got = evaluate(f"  %r = arith.{op} %a, %b : {type}", type, [(type, a), (type, b)], dtype)
    with np.errstate(all="ignore"):
        name = {"addf": "add", "subf": "subtract", "mulf": "multiply", "divf": "divide"}[op]
        expected = getattr(np, name)(a, b)
    np.testing.assert_array_equal(got, expected)
    same_sign = np.signbit(got) == np.signbit(expected)
    assert (same_sign | np.isnan(expected)).all()


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("minnumf", [1.0, 1.0, 1.0, -0.0]),
        ("maxnumf", [2.0, 1.0, 1.0, 0.0]),
        ("minimumf", [1.0, _NAN, _NAN, -0.0]),
        ("maximumf", [2.0, _NAN, _NAN, 0.0]),
    ],
)
def test_minimum_and_maximum(evaluate: Evaluate, op: str, expected: list[float]) -> None:
    a, b = _row([1, _NAN, 1, 0.0], "f4"), _row([2, 1, _NAN, -0.0], "f4")
    got = evaluate(f"  %r = arith.{op} %a, %b : f32", "f32", [("f32", a), ("f32", b)], "f4")
    np.testing.assert_array_equal(got, expected)
    assert np.signbit(got[3]) == np.signbit(expected[3])


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        # less, equal, greater, unordered
        ("false", [0, 0, 0, 0]),
        ("oeq", [0, 1, 0, 0]),
        ("ogt", [0, 0, 1, 0]),
        ("oge", [0, 1, 1, 0]),
        ("olt", [1, 0, 0, 0]),
        ("ole", [1, 1, 0, 0]),
        ("one", [1, 0, 1, 0]),
        ("ord", [1, 1, 1, 0]),
        ("ueq", [0, 1, 0, 1]),
        ("ugt", [0, 0, 1, 1]),
        ("uge", [0, 1, 1, 1]),
        ("ult", [1, 0, 0, 1]),
        ("ule", [1, 1, 0, 1]),
        ("une", [1, 0, 1, 1]),
        ("uno", [0, 0, 0, 1]),
        ("true", [1, 1, 1, 1]),
    ],
)
def test_cmpf(evaluate: Evaluate, predicate: str, expected: list[int]) -> None:
    inputs = [("f32", _row([1, 2, 3, _NAN], "f4")), ("f32", _row([2, 2, 2, 2], "f4"))]
    body = f"  %r = arith.cmpf {predicate}, %a, %b : f32"
    assert list(evaluate(body, "i1", inputs, "u1")) == expected


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        # -1 ? 1, 5 ? 5, 1 ? -1
        ("eq", [0, 1, 0]),
        ("ne", [1, 0, 1]),
        ("slt", [1, 0, 0]),
        ("sle", [1, 1, 0]),
        ("sgt", [0, 0, 1]),
        ("sge", [0, 1, 1]),
        ("ult", [0, 0, 1]),
        ("ule", [0, 1, 1]),
        ("ugt", [1, 0, 0]),
        ("uge", [1, 1, 0]),
    ],
)
def test_cmpi(evaluate: Evaluate, predicate: str, expected: list[int]) -> None:
    inputs = [("i32", _row([-1, 5, 1], "i4")), ("i32", _row([1, 5, -1], "i4"))]
    body = f"  %r = arith.cmpi {predicate}, %a, %b : i32"
    assert list(evaluate(body, "i1", inputs, "u1")) == expected


def test_vector_forms(evaluate: Evaluate) -> None:
    a, b = np.array([[1, -2, 3, -4]], "i4"), np.array([[0, 0, 5, -5]], "i4")
    inputs = [("vector<4xi32>", a), ("vector<4xi32>", b)]
    body = """
  %m = vec.cmpi slt, %a, %b : vector<4xi32>
  %s = vec.select %m, %a, %b : vector<4xi1>, vector<4xi32>
  %r = arith.muli %s, %b : vector<4xi32>"""
    expected = np.where(a < b, a, b) * b
    assert (evaluate(body, "vector<4xi32>", inputs, ("i4", (4,))) == expected).all()


def test_select_of_vectors_by_a_scalar(evaluate: Evaluate) -> None:
    a, b = np.array([[1, 2]], "i4"), np.array([[3, 4]], "i4")
    body = """
  %f = arith.constant 0 : i1
  %r = arith.select %f, %a, %b : vector<2xi32>"""
    inputs = [("vector<2xi32>", a), ("vector<2xi32>", b)]
    assert evaluate(body, "vector<2xi32>", inputs, ("i4", (2,))).tolist() == [[3, 4]]


@pytest.mark.parametrize(
    ("op", "source", "value", "target", "expected"),
    [
        ("extsi", "i8", -1, "i32", -1),
        ("extui", "i8", -1, "i32", 255),
        ("trunci", "i32", 0x1FF, "i8", -1),
        ("sitofp", "i64", 2**24 + 1, "f32", 2.0**24),
        # In two steps, through f64, this one would be rounded twice: to 2**60.
        ("sitofp", "i64", 2**60 + 2**36 + 1, "f32", float(2**60 + 2**37)),
        ("uitofp", "i64", -1, "f64", 2.0**64),
        ("uitofp", "i8", -1, "f32", 255.0),
        ("sitofp", "i8", -1, "f16", -1.0),
        ("sitofp", "i32", 65520, "f16", _INF),
        ("fptosi", "f32", -2.9, "i32", -2),
        ("fptoui", "f32", 3e9, "i32", 3_000_000_000 - 2**32),
        ("fptosi", "f32", 3e9, "i32", _MIN32),
        ("fptosi", "f32", _NAN, "i32", _MIN32),
        ("truncf", "f64", 1 + 2.0**-24, "f32", 1.0),
        ("truncf", "f64", 1e300, "f32", _INF),
        ("truncf", "f32", 65519.0, "f16", 65504.0),
        ("extf", "f16", 0.1, "f64", float(np.float16(0.1))),
        ("bitcast", "f32", 1.0, "i32", 0x3F800000),
        ("bitcast", "i32", 0x3F800000, "f32", 1.0),
    ],
)
def test_cast(
    evaluate: Evaluate, op: str, source: str, value: Any, target: str, expected: Any
) -> None:
    def dtype(type: str) -> np.dtype:
        return np.dtype(f"{type[0]}{int(type[1:]) // 8}")

    inputs = [(source, _row([value], dtype(source)))]
    body = f"  %r = arith.{op} %a : {source} to {target}"
    assert evaluate(body, target, inputs, dtype(target)).tolist() == [expected]


def test_extended_multiplication(evaluate: Evaluate) -> None:
    inputs = [("i32", _row([-1, 2], "i4")), ("i32", _row([-1, 3], "i4"))]
    for op, expected in (("mulsi_extended", [0, 0]), ("mului_extended", [-2, 0])):
        body = f'  %l, %r = "arith.{op}"(%a, %b) : (i32, i32) -> (i32, i32)'
        assert evaluate(body, "i32", inputs, "i4").tolist() == expected


def test_constants_are_rounded_to_their_type(evaluate: Evaluate) -> None:
    body = """
  %c = arith.constant 0.1 : f32
  %d = arith.extf %c : f32 to f64
  %v = arith.constant dense<[1, -1]> : vector<2xi8>
  %e = vector.extract %v[1] : i8 from vector<2xi8>
  %f = arith.sitofp %e : i8 to f64
  %r = arith.addf %d, %f : f64"""
    expected = float(np.float32(0.1)) - 1.0
    assert evaluate(body, "f64", [("f64", _row([0], "f8"))], "f8") == [expected]


_I32 = st.integers(0, 2**32 - 1)


@settings(max_examples=200, deadline=None)
@given(a=_I32, b=_I32)
def test_integers_equal_numpy(a: int, b: int) -> None:
    x, y = np.array([a], np.uint32), np.array([b], np.uint32)
    sx, sy = x.view(np.int32), y.view(np.int32)
    pairs: list[tuple[integers.Binary, np.ndarray]] = [
        (integers.add(32), x + y),
        (integers.sub(32), x - y),
        (integers.mul(32), x * y),
        (integers.min_signed(32), np.minimum(sx, sy)),
        (integers.max_signed(32), np.maximum(sx, sy)),
        (integers.shift_left(32), x << (y % 32)),
        (integers.shift_right_signed(32), sx >> (sy % 32)),
    ]
    for number, (function, expected) in enumerate(pairs):
        other = b % 32 if number >= 5 else b
        assert function(a, other) == int(expected.view(np.uint32)[0])
    for predicate, expected in (("slt", sx < sy), ("uge", x >= y)):
        assert integers.compare(predicate, 32)(a, b) == expected[0]
    if b and not (sx[0] == _MIN32 and sy[0] == -1):
        quotient, remainder = integers.div_signed(32)(a, b), integers.rem_signed(32)(a, b)
        assert integers.to_signed(remainder, 32) == math.fmod(int(sx[0]), int(sy[0]))
        assert (quotient * b + remainder - a) % 2**32 == 0


@settings(max_examples=300, deadline=None)
@given(value=st.integers(-(2**63), 2**64 - 1), bits=st.sampled_from([16, 32, 64]))
def test_int_to_float_rounds_once(value: int, bits: int) -> None:
    to = {16: F16, 32: F32, 64: F64}[bits]
    nearest = floats.round_int(value, to)
    below = floats.round_int(value, to, RoundTo.NEGATIVE)
    above = floats.round_int(value, to, RoundTo.POSITIVE)
    toward = floats.round_int(value, to, RoundTo.ZERO)
    assert below <= value <= above
    assert nearest in (below, above)
    assert toward == (below if value >= 0 else above)
    assert below == above or floats.next_after(below, math.inf, bits) == above
    if bits == 64:
        assert nearest == float(value)
    if -(2**63) <= value < 2**63:
        pattern = value & (2**64 - 1)
        assert int_to_float(64, to, is_signed=True)(pattern) == nearest


@settings(max_examples=300, deadline=None)
@given(x=st.floats(allow_nan=False), to=st.sampled_from([F16, F32, F64]))
def test_exact_rounding_equals_the_processors(x: float, to: floats.Format) -> None:
    assert floats.round_float(x, to, RoundTo.NEAREST_EVEN) == to.round(x)
    below = floats.round_float(x, to, RoundTo.NEGATIVE)
    above = floats.round_float(x, to, RoundTo.POSITIVE)
    assert below <= x <= above
    assert floats.round_float(x, to, RoundTo.ZERO) == (below if x >= 0 else above)


@settings(max_examples=300, deadline=None)
@given(a=st.floats(width=16), b=st.floats(width=16), c=st.floats(width=16))
def test_half_fma_rounds_once(a: float, b: float, c: float) -> None:
    got = F16.fma(a, b, c)
    if not all(map(math.isfinite, (a, b, c))):
        # A product of halves is exact in double precision, where it cannot overflow.
        expected = a * b + c
        assert got == expected or (got != got and expected != expected)
        return
    numerator, denominator = (Fraction(a) * Fraction(b) + Fraction(c)).as_integer_ratio()
    exponent = 1 - denominator.bit_length()
    exact = floats.round_scaled(numerator < 0, abs(numerator), exponent, F16, RoundTo.NEAREST_EVEN)
    assert got == exact


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (RoundTo.NEAREST_EVEN, [2, 2, -2, -2]),
        (RoundTo.ZERO, [1, 2, -1, -2]),
        (RoundTo.POSITIVE, [2, 3, -1, -2]),
        (RoundTo.NEGATIVE, [1, 2, -2, -3]),
    ],
)
def test_float_to_int_modes(mode: RoundTo, expected: list[int]) -> None:
    convert = float_to_int(32, is_signed=True, mode=mode)
    got = [integers.to_signed(convert(x), 32) for x in (1.5, 2.5, -1.5, -2.5)]
    assert got == expected
