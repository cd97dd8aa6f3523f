"""fmod, remainder and remquo as arithmetic: those of the C math library, in every bit."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from math_cases import Array, special

COUNT = 1024
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void rest(global const T *x, global const T *y, global T *f, global T *r, global T *s,
                 global I *n) {
  size_t i = get_global_id(0);
  I quotient;
  f[i] = fmod(x[i], y[i]);
  r[i] = remainder(x[i], y[i]);
  s[i] = remquo(x[i], y[i], &quotient);
  n[i] = quotient;
}
"""


def _arguments(dtype: type[np.floating]) -> tuple[Array, Array]:
    """Any bits; quotients near whole numbers and halves; large quotients; denormals; edges."""
    random = np.random.default_rng(3)
    bits = f"u{np.dtype(dtype).itemsize}"
    mantissa = np.finfo(dtype).nmant

    def uniform(high: int) -> Array:
        return random.integers(0, high, COUNT, bits, endpoint=True).view(dtype)

    any_bits, denormal = uniform(np.iinfo(bits).max), uniform(2**mantissa)
    y = random.normal(0, 3, COUNT).astype(dtype)
    whole = random.integers(-(2**mantissa), 2**mantissa, COUNT)
    large = np.exp2(random.uniform(mantissa - 2, mantissa + 4, COUNT))
    edges = np.meshgrid(special(dtype), special(dtype))
    with np.errstate(over="ignore"):
        multiple, half, huge = (
            (n * y.astype("f8")).astype(dtype) for n in (whole, whole % 300 + 0.5, large)
        )
    away, near = dtype(np.inf), dtype(0)
    pairs = [
        (any_bits, uniform(np.iinfo(bits).max)),
        (any_bits, y),
        (any_bits, denormal),
        (denormal, uniform(2**mantissa)),
        *((np.nextafter(x, to), y) for x in (multiple, half) for to in (x, away, near)),
        (huge, y),
        (edges[0].ravel(), edges[1].ravel()),
    ]
    x, y = (np.concatenate(values) for values in zip(*pairs, strict=True))
    return np.resize(x, -(-x.size // 256) * 256), np.resize(y, -(-y.size // 256) * 256)


def _remainders(x: Array, y: Array) -> Array:
    """Of f64, which holds each result for a smaller format."""
    function = ctypes.CDLL(ctypes.util.find_library("m")).remainder
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * 2
    return np.array([function(float(a), float(b)) for a, b in zip(x, y, strict=True)]).astype(
        x.dtype
    )


def _quotient(x: float, y: float) -> int:
    """The 7 low bits of the whole number nearest to x / y, with its sign."""
    if not math.isfinite(x) or not math.isfinite(y) or y == 0:
        return 0
    whole = round(Fraction(x) / Fraction(y))
    return (abs(whole) & 127) * (-1 if whole < 0 else 1)


def _differ(got: Array, expected: Array) -> NDArray[np.bool_]:
    """Where bits do, but for those of NaN."""
    bits = f"u{got.dtype.itemsize}"
    both = np.isnan(got) & np.isnan(expected)
    return (got.view(bits) != expected.view(bits)) & ~both


@pytest.mark.parametrize(
    ("name", "dtype", "options"),
    [
        ("half", np.float16, ()),
        ("float", np.float32, ()),
        ("float", np.float32, ("-cl-fast-relaxed-math",)),
        ("double", np.float64, ()),
    ],
)
def test_remainders(name: str, dtype: type[np.floating], options: tuple[str, ...]):
    """One work-item a number, as lanes of vectors, and four."""
    x, y = _arguments(dtype)
    with np.errstate(invalid="ignore"):
        expected = np.fmod(x, y), _remainders(x, y), _remainders(x, y)
    quotients = [_quotient(float(a), float(b)) for a, b in zip(x, y, strict=True)]
    for width, suffix in ((1, ""), (4, "4")):
        defines = (*options, f"-DT={name}{suffix}", f"-DI=int{suffix}")
        kernel = polycl.load(SOURCE, options=defines, language="cl").kernel("rest")
        got = [np.zeros_like(x) for _ in expected]
        n = np.zeros(x.size, np.int32)
        kernel(x, y, *got, n, global_size=x.size // width, local_size=64)
        for what, a, b in zip(("fmod", "remainder", "remquo"), got, expected, strict=True):
            wrong = np.flatnonzero(_differ(a, b))
            assert not wrong.size, f"{what} of {x[wrong[0]]}, {y[wrong[0]]}: {a[wrong[0]]}"
        wrong = np.flatnonzero(n != quotients)
        assert not wrong.size, f"quotient of {x[wrong[0]]}, {y[wrong[0]]}: {n[wrong[0]]}"
