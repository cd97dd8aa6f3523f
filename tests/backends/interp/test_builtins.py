"""`math` and `ocl.builtin` on the interpreter: edge values of the OpenCL C specification."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import math_cases
from polycl.backends.interp.ops.run_math import root

Evaluate = Callable[..., Any]
_INF, _NAN = math.inf, math.nan


def _row(values: tuple[Any, ...], dtype: str) -> list[tuple[str, np.ndarray]]:
    return [(f"{dtype[0]}{8 * int(dtype[1])}", np.array([value], dtype)) for value in values]


def _same(got: Any, expected: float) -> bool:
    if expected != expected:
        return got != got
    return got == expected and math.copysign(1, got) == math.copysign(1, expected)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clamp", (5.0, 0.0, 1.0), 1.0),
        ("clamp", (_NAN, 0.0, 1.0), 0.0),
        ("mix", (1.0, 3.0, 0.25), 1.5),
        ("step", (1.0, 1.0), 1.0),
        ("step", (1.0, 0.5), 0.0),
        ("smoothstep", (0.0, 2.0, 1.0), 0.5),
        ("sign", (-0.0,), -0.0),
        ("sign", (_NAN,), 0.0),
        ("sign", (-7.0,), -1.0),
        ("degrees", (math.pi,), 180.0),
        ("fdim", (3.0, 1.0), 2.0),
        ("fdim", (1.0, 3.0), 0.0),
        ("fdim", (_NAN, 1.0), _NAN),
        ("fmod", (-5.5, 2.0), -1.5),
        ("remainder", (5.5, 2.0), -0.5),
        ("hypot", (3.0, 4.0), 5.0),
        ("maxmag", (-3.0, 2.0), -3.0),
        ("maxmag", (-3.0, 3.0), 3.0),
        ("minmag", (-3.0, 2.0), 2.0),
        ("minmag", (_NAN, 2.0), 2.0),
        ("logb", (0.0,), -_INF),
        ("logb", (10.0,), 3.0),
        ("logb", (2.0**-149,), -149.0),
        ("nextafter", (1.0, 2.0), 1 + 2.0**-23),
        ("nextafter", (0.0, -1.0), -(2.0**-149)),
        ("nextafter", (-0.0, 0.0), 0.0),
        ("powr", (-1.0, 2.0), _NAN),
        ("powr", (0.0, 0.0), _NAN),
        ("powr", (1.0, _INF), _NAN),
        ("powr", (4.0, 0.5), 2.0),
        ("sinpi", (0.5,), 1.0),
        ("sinpi", (1e20,), 0.0),
        ("sinpi", (-1.0,), -0.0),
        ("sinpi", (_INF,), _NAN),
        ("cospi", (0.5,), 0.0),
        ("cospi", (1.0,), -1.0),
        ("tanpi", (0.25,), 1.0),
        ("tanpi", (0.5,), _INF),
        ("acospi", (-1.0,), 1.0),
        ("atan2pi", (1.0, -1.0), 0.75),
        ("exp10", (3.0,), 1000.0),
        ("tgamma", (5.0,), 24.0),
        ("native_recip", (4.0,), 0.25),
        ("half_divide", (1.0, 0.0), _INF),
        ("native_rsqrt", (4.0,), 0.5),
        ("mad", (1 + 2.0**-23, 1 - 2.0**-23, -1.0), 0.0),
    ],
)
def test_float_builtin(
    evaluate: Evaluate, name: str, arguments: tuple[float, ...], expected: float
) -> None:
    operands = ", ".join(f"%{c}" for c in "abc"[: len(arguments)])
    types = ", ".join(["f32"] * len(arguments))
    body = f'  %r = ocl.builtin "{name}"({operands}) : ({types}) -> f32'
    (got,) = evaluate(body, "f32", _row(arguments, "f4"), "f4")
    assert _same(got, expected), got


@pytest.mark.parametrize(
    ("name", "x", "n", "expected"),
    [
        ("ldexp", 1.5, 4, 24.0),
        ("ldexp", 1.0, -150, 0.0),
        ("ldexp", 3.0, -150, 2.0**-148),
        ("ldexp", -1.0, 2**31 - 1, -_INF),
        ("ldexp", -0.0, 100, -0.0),
        ("pown", -2.0, 3, -8.0),
        ("pown", 0.0, -1, _INF),
        ("pown", -1.0, 2**31 - 1, -1.0),
        ("rootn", -8.0, 3, -2.0),
        ("rootn", -8.0, 2, _NAN),
        ("rootn", 8.0, 0, _NAN),
        ("rootn", -0.0, -3, -_INF),
        ("rootn", -0.0, -2, _INF),
    ],
)
def test_float_and_int(evaluate: Evaluate, name: str, x: float, n: int, expected: float) -> None:
    body = f'  %r = ocl.builtin "{name}"(%a, %b) : (f32, i32) -> f32'
    inputs = _row((x,), "f4") + _row((n,), "i4")
    (got,) = evaluate(body, "f32", inputs, "f4")
    assert _same(got, expected), got


@pytest.mark.parametrize(
    ("name", "arguments", "types", "expected"),
    [
        ("fract", (-0.25,), "f32", (0.75, -1.0)),
        ("fract", (-1e-10,), "f32", (1 - 2.0**-24, -1.0)),
        ("fract", (-_INF,), "f32", (-0.0, -_INF)),
        ("fract", (_NAN,), "f32", (_NAN, _NAN)),
        ("modf", (-2.5,), "f32", (-0.5, -2.0)),
        ("modf", (_INF,), "f32", (0.0, _INF)),
        ("sincos", (0.0,), "f32", (0.0, 1.0)),
        ("frexp", (12.0,), "i32", (0.75, 4)),
        ("frexp", (0.0,), "i32", (0.0, 0)),
        ("frexp", (-_INF,), "i32", (-_INF, 0)),
        ("lgamma_r", (-0.5,), "i32", (float(np.float32(math.lgamma(-0.5))), -1)),
        ("remquo", (-1001.0, 2.0), "i32", (-1.0, -(500 & 0x7F))),
        ("remquo", (5.0, 0.0), "i32", (_NAN, 0)),
    ],
)
def test_two_results(
    evaluate: Evaluate,
    name: str,
    arguments: tuple[float, ...],
    types: str,
    expected: tuple[float, float],
) -> None:
    operands = ", ".join(f"%{c}" for c in "ab"[: len(arguments)])
    inputs = ", ".join(["f32"] * len(arguments))
    for number, (type, dtype) in enumerate((("f32", "f4"), (types, f"{types[0]}4"))):
        results = "%r, %u" if number == 0 else "%u, %r"
        body = f'  {results} = ocl.builtin "{name}"({operands}) : ({inputs}) -> (f32, {types})'
        (got,) = evaluate(body, type, _row(arguments, "f4"), dtype)
        assert _same(float(got), float(expected[number])), got


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("s_abs", (-128,), -128),
        ("s_abs_diff", (-128, 127), -1),
        ("u_abs_diff", (1, -1), -2),
        ("s_add_sat", (100, 100), 127),
        ("u_add_sat", (-56, 100), -1),
        ("s_sub_sat", (-100, 100), -128),
        ("u_sub_sat", (1, 2), 0),
        ("s_hadd", (-1, -2), -2),
        ("u_hadd", (-1, -1), -1),
        ("s_rhadd", (1, 2), 2),
        ("s_mul_hi", (-128, -128), 64),
        ("u_mul_hi", (-1, -1), -2),
        ("s_mad_hi", (-128, -128, 1), 65),
        ("s_mad_sat", (100, 2, -100), 100),
        ("u_mad_sat", (100, 2, 100), -1),
        ("s_clamp", (5, -1, 1), 1),
        ("u_clamp", (-1, 0, 10), 10),
        ("rotate", (-127, 1), 3),
        ("rotate", (1, -1), -128),
        ("rotate", (3, 0), 3),
    ],
)
def test_integer_builtin(
    evaluate: Evaluate, name: str, arguments: tuple[int, ...], expected: int
) -> None:
    operands = ", ".join(f"%{c}" for c in "abc"[: len(arguments)])
    types = ", ".join(["i8"] * len(arguments))
    body = f'  %r = ocl.builtin "{name}"({operands}) : ({types}) -> i8'
    assert evaluate(body, "i8", _row(arguments, "i1"), "i1").tolist() == [expected]


def test_upsample(evaluate: Evaluate) -> None:
    body = '  %r = ocl.builtin "upsample"(%a, %b) : (i8, i8) -> i16'
    assert evaluate(body, "i16", _row((-1, -2), "i1"), "u2").tolist() == [0xFFFE]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("isfinite", [1, 1, 0, 0]),
        ("isinf", [0, 0, 1, 0]),
        ("isnormal", [1, 0, 0, 0]),
        ("signbit", [0, 1, 1, 0]),
    ],
)
def test_classification(evaluate: Evaluate, name: str, expected: list[int]) -> None:
    body = f'  %r = ocl.builtin "{name}"(%a) : (vector<4xf32>) -> vector<4xi1>'
    inputs = [("vector<4xf32>", np.array([[1, -1e-40, -_INF, _NAN]], "f4"))]
    assert evaluate(body, "vector<4xi1>", inputs, ("u1", (4,))).tolist() == [expected]


@pytest.mark.parametrize(
    ("values", "some", "every"), [((1, 0), 0, 0), ((-1, 5), 1, 0), ((-1, -5), 1, 1)]
)
def test_any_and_all_read_the_uppermost_bits(
    evaluate: Evaluate, values: tuple[int, int], some: int, every: int
) -> None:
    inputs = [("vector<2xi32>", np.array([values], "i4"))]
    for name, expected in (("any", some), ("all", every)):
        body = f'  %r = ocl.builtin "{name}"(%a) : (vector<2xi32>) -> i1'
        assert evaluate(body, "i1", inputs, "u1").tolist() == [expected]


def test_bitselect_of_floats(evaluate: Evaluate) -> None:
    body = """
  %m = arith.constant -0.0 : f32
  %r = ocl.builtin "bitselect"(%a, %b, %m) : (f32, f32, f32) -> f32"""
    assert evaluate(body, "f32", _row((3.0, -1.0), "f4"), "f4").tolist() == [-3.0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("length", 5.0), ("fast_length", 5.0), ("normalize", [0.6, 0.8]), ("dot", 25.0)],
)
def test_geometry(evaluate: Evaluate, name: str, expected: Any) -> None:
    inputs = [("vector<2xf64>", np.array([[3, 4]], "f8"))]
    operands, types = ("%a, %a", "vector<2xf64>, vector<2xf64>")
    if name != "dot":
        operands, types = "%a", "vector<2xf64>"
    result, dtype = ("f64", "f8") if name != "normalize" else ("vector<2xf64>", ("f8", (2,)))
    body = f'  %r = ocl.builtin "{name}"({operands}) : ({types}) -> {result}'
    assert evaluate(body, result, inputs, dtype)[0].tolist() == expected


def test_normalize_counts_an_infinite_element_as_one(evaluate: Evaluate) -> None:
    inputs = [("vector<2xf32>", np.array([[-np.inf, 5], [np.inf, -np.inf]], "f4"))]
    body = '  %r = ocl.builtin "normalize"(%a) : (vector<2xf32>) -> vector<2xf32>'
    got = evaluate(body, "vector<2xf32>", inputs, ("f4", (2,)))
    half = float(np.float32(np.sqrt(0.5)))
    assert got.tolist() == [[-1, 0], [half, -half]]


def test_cross_product(evaluate: Evaluate) -> None:
    inputs = [("vector<4xf32>", np.array([v], "f4")) for v in ([1, 0, 0, 9], [0, 1, 0, 9])]
    body = """
  %r = ocl.builtin "cross"(%a, %b) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>"""
    got = evaluate(body, "vector<4xf32>", inputs, ("f4", (4,)))
    assert got.tolist() == [[0, 0, 1, 0]]


@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [
        ("sqrt", -1.0, _NAN),
        ("sqrt", -0.0, -0.0),
        ("rsqrt", 0.0, _INF),
        ("floor", -0.5, -1.0),
        ("ceil", -0.5, -0.0),
        ("trunc", -1.5, -1.0),
        ("roundeven", 2.5, 2.0),
        ("round", 2.5, 3.0),
        ("absf", -0.0, 0.0),
        ("exp2", 10.0, 1024.0),
        ("exp", 1000.0, _INF),
        ("log", -1.0, _NAN),
        ("log2", 8.0, 3.0),
        ("cbrt", -0.0, -0.0),
        ("erf", 0.0, 0.0),
    ],
)
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_math(evaluate: Evaluate, name: str, x: float, expected: float, dtype: str) -> None:
    type = f"f{8 * int(dtype[1])}"
    (got,) = evaluate(f"  %r = math.{name} %a : {type}", type, _row((x,), dtype), dtype)
    assert _same(got, expected), got


def test_transcendental_functions_are_those_of_the_library(evaluate: Evaluate) -> None:
    x = np.linspace(-4, 4, 41)
    for dtype, tolerance in (("f4", 2e-7), ("f8", 4e-16)):
        type = f"f{8 * int(dtype[1])}"
        for name in ("sin", "cos", "tanh", "exp"):
            got = evaluate(
                f"  %r = math.{name} %a : {type}", type, [(type, x.astype(dtype))], dtype
            )
            expected = getattr(np, name)(x.astype(dtype).astype("f8"))
            np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance / 4)


def test_fma_rounds_once(evaluate: Evaluate) -> None:
    a, b, c = 1 + 2.0**-23, 1 - 2.0**-23, -1.0
    body = "  %r = math.fma %a, %b, %c : f32"
    assert evaluate(body, "f32", _row((a, b, c), "f4"), "f4").tolist() == [-(2.0**-46)]


@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [
        ("ctlz", 0, 8),
        ("ctlz", 1, 7),
        ("cttz", 0, 8),
        ("cttz", -128, 7),
        ("ctpop", -1, 8),
        ("absi", -128, -128),
    ],
)
def test_bit_counts(evaluate: Evaluate, name: str, x: int, expected: int) -> None:
    got = evaluate(f"  %r = math.{name} %a : i8", "i8", _row((x,), "i1"), "i1")
    assert got.tolist() == [expected]


def test_roots_in_binary64() -> None:
    """glibc's cbrt, and |x|^(1/n) with a rounded 1/n, are off by more than OpenCL allows."""
    random = np.random.default_rng(1)
    words = random.integers(0, 0x7FF0 << 48, 3000)
    x = np.concatenate([words.view(np.float64), [5e-324, 1e-310, 1.3697049393222007e161, 1.7e308]])
    n = np.concatenate(
        [random.choice([-1000, -7, -3, -2, -1, 1, 2, 3, 7, 64, 2**30], 3002), [3, 7]]
    )
    got = np.array([root(float(a), int(b)) for a, b in zip(x, n, strict=True)])
    assert math_cases.ulp_errors(got, math_cases.rootn(x.astype(np.longdouble), n)).max() < 1.5
    assert [root(a, 3) for a in (0.0, -0.0, _INF, -_INF)] == [0.0, -0.0, _INF, -_INF]
    assert math.copysign(1, root(-0.0, 3)) == -1
