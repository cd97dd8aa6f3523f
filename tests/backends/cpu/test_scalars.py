"""Arithmetic and conversions of native code against numpy, bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(7)
FLOATS = {"f16": "f2", "f32": "f4", "f64": "f8"}
INTS = {"i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-7, -65504.0, 6e-8, 0.1, 3.5]


def floats(dtype: str, count: int = 200) -> np.ndarray:
    """Random bit patterns and special values."""
    width = np.dtype(dtype).itemsize
    bits = RNG.integers(0, 256, (count, width), dtype=np.uint8).view(dtype).ravel()
    with np.errstate(over="ignore"):
        return np.concatenate([np.array(SPECIAL).astype(dtype), bits])


def integers(dtype: str, count: int = 200) -> np.ndarray:
    info = np.iinfo(dtype)
    edges = np.array([info.min, info.max, 0, 1, -1], dtype)
    return np.concatenate([edges, RNG.integers(info.min, info.max, count, dtype, True)])


def assert_same_bits(actual: np.ndarray, expected: np.ndarray) -> None:
    """Equal in every bit; any NaN is as good as another."""
    assert actual.dtype == expected.dtype
    if actual.dtype.kind == "f":
        nan = np.isnan(expected)
        assert np.array_equal(np.isnan(actual), nan)
        actual, expected = actual[~nan], expected[~nan]
    assert actual.tobytes() == expected.tobytes()


@pytest.mark.parametrize("type", FLOATS)
@pytest.mark.parametrize(
    ("op", "numpy"),
    [
        ("arith.addf", np.add),
        ("arith.subf", np.subtract),
        ("arith.mulf", np.multiply),
        ("arith.divf", np.divide),
    ],
)
def test_float_arithmetic_is_rounded_once(
    evaluate: Callable[..., Any], type: str, op: str, numpy: Callable[..., Any]
):
    a, b = floats(FLOATS[type]), RNG.permutation(floats(FLOATS[type]))
    actual = evaluate(f"%r = {op} %a, %b : {type}", type, [(type, a), (type, b)], a.dtype)
    with np.errstate(all="ignore"):
        assert_same_bits(actual, numpy(a, b).astype(a.dtype))


@pytest.mark.parametrize("type", FLOATS)
def test_square_root_and_rounding(evaluate: Callable[..., Any], type: str):
    a = floats(FLOATS[type])
    with np.errstate(all="ignore"):
        for op, numpy in (
            ("math.sqrt", np.sqrt),
            ("math.floor", np.floor),
            ("math.ceil", np.ceil),
            ("math.trunc", np.trunc),
            ("math.roundeven", np.rint),
            ("math.absf", np.abs),
        ):
            actual = evaluate(f"%r = {op} %a : {type}", type, [(type, a)], a.dtype)
            assert_same_bits(actual, numpy(a))


def test_half_from_double_is_rounded_once(evaluate: Callable[..., Any]):
    ties = np.arange(1000, 1200) + 0.5
    near = np.concatenate([ties * 2**e for e in (-30, -12, 0, 5)])
    x = np.concatenate([near, np.nextafter(near, 0), np.nextafter(near, 1e9), floats("f8"),
                        floats("f4").astype("f8"), floats("f2").astype("f8")])  # fmt: skip
    x = np.concatenate([x, -x])
    actual = evaluate("%r = arith.truncf %a : f64 to f16", "f16", [("f64", x)], "f2")
    with np.errstate(all="ignore"):
        assert_same_bits(actual, x.astype("f2"))


def test_half_fused_multiply_add_is_rounded_once(evaluate: Callable[..., Any]):
    a, b, c = (RNG.permutation(floats("f2", 1000)) for _ in range(3))
    inputs = [("f16", x) for x in (a, b, c)]
    actual = evaluate("%r = math.fma %a, %b, %c : f16", "f16", inputs, "f2")
    with np.errstate(all="ignore"):
        product, c = a.astype("f8") * b.astype("f8"), c.astype("f8")  # exact: 22 bits
        total = product + c
        # What the sum lost (Knuth's TwoSum) makes its last bit odd, towards the exact sum: then
        # rounding it to a half is as rounding the exact one.
        rest = total - product
        lost = (product - (total - rest)) + (c - rest)
        inexact = np.isfinite(lost) & (lost != 0) & (total.view("u8") & 1 == 0)
        towards = np.nextafter(total, np.where(lost > 0, np.inf, -np.inf))
        expected = np.where(inexact, towards, total).astype("f2")
    assert_same_bits(actual, expected)


@pytest.mark.parametrize("type", INTS)
def test_integer_division_never_traps(evaluate: Callable[..., Any], type: str):
    a, b = integers(INTS[type]), RNG.permutation(integers(INTS[type]))
    lowest = np.array([np.iinfo(a.dtype).min], a.dtype)
    a, b = np.concatenate([a, lowest]), np.concatenate([b, np.array([-1], b.dtype)])
    inputs = [(type, a), (type, b)]
    quotient = evaluate(f"%r = arith.divsi %a, %b : {type}", type, inputs, a.dtype)
    rest = evaluate(f"%r = arith.remsi %a, %b : {type}", type, inputs, a.dtype)
    defined = (b != 0) & ~((a == np.iinfo(a.dtype).min) & (b == -1))
    for q, r, x, y in zip(quotient[defined], rest[defined], a[defined], b[defined], strict=True):
        x, y = int(x), int(y)
        expected = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        assert (int(q), int(r)) == (expected, x - expected * y)


@pytest.mark.parametrize("type", INTS)
def test_integer_arithmetic_wraps(evaluate: Callable[..., Any], type: str):
    a, b = integers(INTS[type]), RNG.permutation(integers(INTS[type]))
    inputs = [(type, a), (type, b)]
    for op, numpy in (
        ("addi", np.add),
        ("subi", np.subtract),
        ("muli", np.multiply),
        ("andi", np.bitwise_and),
        ("ori", np.bitwise_or),
        ("xori", np.bitwise_xor),
        ("minsi", np.minimum),
        ("maxsi", np.maximum),
    ):
        actual = evaluate(f"%r = arith.{op} %a, %b : {type}", type, inputs, a.dtype)
        assert_same_bits(actual, numpy(a, b))
    unsigned = a.view(f"u{INTS[type][1:]}" if INTS[type] != "i1" else "u1")
    count = evaluate(f"%r = math.ctpop %a : {type}", type, [(type, a)], a.dtype)
    assert count.tolist() == [int(x).bit_count() for x in unsigned]


def test_minimum_and_maximum_of_zeros_and_nans(evaluate: Callable[..., Any]):
    values = np.array([0.0, -0.0, np.nan, 1.0], "f4")
    a, b = (x.ravel() for x in np.meshgrid(values, values))
    inputs = [("f32", a), ("f32", b)]
    least = evaluate("%r = arith.minnumf %a, %b : f32", "f32", inputs, "f4")
    most = evaluate("%r = arith.maxnumf %a, %b : f32", "f32", inputs, "f4")
    for x, y, low, high in zip(a, b, least, most, strict=True):
        known = [v for v in (x, y) if v == v]
        if not known:
            assert np.isnan(low)
            assert np.isnan(high)
            continue
        # Of two zeros, either.
        assert (low, high) == (min(known), max(known))


@pytest.mark.parametrize("bits", [32, 64])
def test_remquo_gives_seven_bits_of_the_quotient(evaluate: Callable[..., Any], bits: int):
    dtype, type = f"f{bits // 8}", f"f{bits}"
    x = (RNG.standard_normal(500) * 10.0 ** RNG.integers(-3, 6, 500)).astype(dtype)
    y = (RNG.standard_normal(500) * 10.0 ** RNG.integers(-3, 3, 500)).astype(dtype)
    body = f'%f, %r = ocl.builtin "remquo"(%a, %b) : ({type}, {type}) -> ({type}, i32)'
    actual = evaluate(body, "i32", [(type, x), (type, y)], "i4")
    for q, a, b in zip(actual, x, y, strict=True):
        exact = round(Fraction(float(a)) / Fraction(float(b)))
        expected = (abs(exact) & 127) * (1 if (a < 0) == (b < 0) else -1)
        assert q == expected, (a, b)
