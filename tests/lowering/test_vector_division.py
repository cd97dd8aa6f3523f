"""Integer divisions in vectors, which are products of floats: every quotient and rest is exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from function_cases import INTEGERS

SOURCE = """
kernel void each(global T *x, global T *y, global T *quotient, global T *rest) {
  int i = get_global_id(0);
  quotient[i] = x[i] / y[i];
  rest[i] = x[i] % y[i];
}
kernel void by_one(global T *x, T y, global T *quotient, global T *rest) {
  int i = get_global_id(0);
  quotient[i] = x[i] / y;
  rest[i] = x[i] % y;
}
kernel void guarded(global T *x, global T *y, global T *quotient, global T *rest) {
  int i = get_global_id(0);
  if (y[i] != 0) {
    quotient[i] = x[i] / y[i];
    rest[i] = x[i] % y[i];
  }
}
"""
BY_CONSTANT = """
kernel void by_constant(global T *x, global T *quotient, global T *rest) {
  int i = get_global_id(0);
  quotient[i] = x[i] / (T)(DIVISOR);
  rest[i] = x[i] % (T)(DIVISOR);
}
"""
N = 1 << 16


def numbers(type: Any, random: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    """Dividends and divisors of all lengths; every other dividend is a multiple of its divisor,
    or next to one."""
    info = np.iinfo(type)
    x, y = (
        random.integers(info.min, info.max, N, type, endpoint=True)
        >> random.integers(0, info.bits, N).astype(type)
        for _ in range(2)
    )
    y[y == 0] = 1
    ends = np.array([info.min, info.min + 1, -1, 1, 2, 3, info.max - 1, info.max], object)
    for at, (a, b) in enumerate((a, b) for a in ends for b in ends):
        x[at], y[at] = max(a, info.min), max(b, info.min) or 1
    wide = y[N // 2 :].astype(object)
    near = x[N // 2 :] // wide * wide + random.integers(-1, 2, N // 2)
    x[N // 2 :] = np.clip(near, info.min, info.max)
    # Its quotient has no value in the type.
    y[(x == info.min) & (y == np.array(-1).astype(type))] = 1
    return x, y


def check(x: NDArray[Any], y: NDArray[Any], quotient: NDArray[Any], rest: NDArray[Any]) -> None:
    for a, b, q, r in zip(*(each.tolist() for each in (x, y, quotient, rest)), strict=True):
        expected = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        assert (q, r) == (expected, a - expected * b), (a, b)


@pytest.mark.parametrize("name", INTEGERS)
def test_divisions_are_exact(name: str) -> None:
    program, device = polycl.load(SOURCE, [f"-DT={name}"]), polycl.device("cpu", threads=1)
    x, y = numbers(INTEGERS[name], np.random.default_rng(0))
    sizes: dict[str, Any] = {"global_size": N, "local_size": 256, "device": device}
    quotient, rest = np.zeros_like(x), np.zeros_like(x)
    program.kernel("each")(x, y, quotient, rest, **sizes)
    check(x, y, quotient, rest)
    info = np.iinfo(INTEGERS[name])
    x[x == info.min] += 1
    for divisor in (3, 7, 100, int(info.max), *((-1, -3, int(info.min)) if info.min else ())):
        program.kernel("by_one")(x, divisor, quotient, rest, **sizes)
        check(x, np.full(N, divisor), quotient, rest)


@pytest.mark.parametrize("name", ["long", "ulong"])
@pytest.mark.parametrize("divisor", [10, 28672, 28673, 1000000007, 2**63 - 1, -3, -70000])
def test_constant_divisors_of_64_bits(name: str, divisor: int) -> None:
    program = polycl.load(BY_CONSTANT, [f"-DT={name}", f"-DDIVISOR={divisor}"])
    random = np.random.default_rng(2)
    x, _ = numbers(INTEGERS[name], random)
    info = np.iinfo(x.dtype)
    divisor = int(np.array(divisor).astype(x.dtype))
    near = x[::2].astype(object) // divisor * divisor + random.integers(-1, 2, N // 2)
    x[::2] = np.clip(near, info.min, info.max)
    quotient, rest = np.zeros_like(x), np.zeros_like(x)
    device = polycl.device("cpu", threads=1)
    program.kernel("by_constant")(x, quotient, rest, global_size=N, local_size=256, device=device)
    check(x, np.full(N, divisor, x.dtype), quotient, rest)


@pytest.mark.parametrize("name", INTEGERS)
def test_divisors_of_zero_do_not_trap(name: str) -> None:
    program, device = polycl.load(SOURCE, [f"-DT={name}"]), polycl.device("cpu", threads=1)
    x, y = numbers(INTEGERS[name], np.random.default_rng(1))
    y[::3] = 0
    quotient, rest = np.zeros_like(x), np.zeros_like(x)
    for kernel in ("each", "guarded"):
        program.kernel(kernel)(x, y, quotient, rest, global_size=N, local_size=256, device=device)
        some = y != 0
        check(x[some], y[some], quotient[some], rest[some])
