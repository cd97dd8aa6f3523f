"""Loops that move pointers and integers, and `do` loops: the values that C gives them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import polycl

LOOPS = {
    "for": "for (int k = 0; k < n; ++k) { STEP }",
    "from m": "for (int k = -2; k < n; k += 3) { STEP p += 2; }",
    "down": "for (int k = n; k > 0; k -= 2) { STEP i -= 4; p += 1; }",
    "nested": "for (int j = 0; j < 3; ++j) { for (int k = j; k < n; ++k) { STEP } p += 3; --i; }",
    "known": "for (int j = 0; j < 3; ++j) { for (int k = j; k <= j + 2; ++k) { STEP } p += 3; }",
    "strides": "int s = get_local_size(0); for (int k = l; k < n; k += s) { STEP p += s - 1; }",
    "wraps": "i += INT_MAX - 40; for (int k = 0; k < n; ++k) { STEP i += 30; }",
    "narrow": "uchar u = l; for (int k = 0; k < n; ++k) { STEP u += 90; i += u; }",
    "do": "int k = 0; do { STEP } while (++k < n);",
    "do, own start": "int k = l; do { STEP k += 8; } while (k < n);",
    "do, uint": "uint k = l; do { STEP k += 8; } while (k < (uint)n);",
    "do, unknown uint": "uint k = l - 3; do { STEP i += k; } while (++k < 4);",
    "do, size_t": "size_t k = l; do { STEP k += get_local_size(0); } while (k < n);",
    "do, down": "int k = l - 4; do { STEP k -= 3; } while (k >= -n);",
    "do, down, uint": "uint k = l + 1; do { STEP --k; } while (k > 2 && p < a + 99);",
    "do, meets": "int k = -1; do { STEP i += k; } while (++k != 5);",
    "do, continue": "int k = 0; do { if (k == l) continue; STEP } while (++k < n);",
    "do, its value": "int k = l; do { STEP ++k; } while (k <= n); i += k;",
}
STEP = "sum += *p * (i & 7); p += 1; i += 2; "


def _expected(name: str, a: np.ndarray, n: int, item: int, size: int) -> int:
    """By Python's own loops."""
    p, i, sum = 2 * item, item, 0

    def step() -> None:
        nonlocal p, i, sum
        sum += int(a[p]) * (i & 7)
        p, i = p + 1, i + 2

    def do(k: int, by: int, goes_on: Callable[[int], bool]) -> int:
        while True:
            step()
            k += by
            if not goes_on(k):
                return k

    if name == "for":
        for _ in range(n):
            step()
    elif name == "from m":
        for _ in range(-2, n, 3):
            step()
            p += 2
    elif name == "down":
        for _ in range(n, 0, -2):
            step()
            p, i = p + 1, i - 4
    elif name in ("nested", "known"):
        for j in range(3):
            for _ in range(j, n if name == "nested" else j + 3):
                step()
            p, i = p + 3, i - (name == "nested")
    elif name == "strides":
        for _ in range(item, n, size):
            step()
            p += size - 1
    elif name == "wraps":
        i += 2**31 - 1 - 40
        for _ in range(n):
            step()
            i += 30
    elif name == "narrow":
        u = item
        for _ in range(n):
            step()
            u = (u + 90) % 256
            i += u
    elif name == "do":
        do(0, 1, lambda k: k < n)
    elif name in ("do, own start", "do, uint", "do, size_t"):
        do(item, size if name == "do, size_t" else 8, lambda k: k < n)
    elif name == "do, unknown uint":
        k = (item - 3) % 2**32
        while True:
            step()
            i += k
            k = (k + 1) % 2**32
            if k >= 4:
                break
    elif name == "do, down":
        do(item - 4, -3, lambda k: k >= -n)
    elif name == "do, down, uint":
        do(item + 1, -1, lambda k: k % 2**32 > 2 and p < 99)
    elif name == "do, meets":
        k = -1
        while k != 5:
            step()
            i += k
            k += 1
    elif name == "do, continue":
        k = 0
        while True:
            if k != item:
                step()
            k += 1
            if k >= n:
                break
    else:
        last = do(item, 1, lambda k: k <= n)
        i += last
    return (sum + i + p + 2**31) % 2**32 - 2**31


@pytest.mark.parametrize("name", LOOPS)
def test_moved_values(name: str) -> None:
    text = f"""
kernel void k(global const int *a, global int *b, int n) {{
  int l = get_local_id(0), i = l, sum = 0;
  global const int *p = a + 2 * l;
  {LOOPS[name].replace("STEP", STEP)}
  b[get_global_id(0)] = sum + i + (int)(p - a);
}}
"""
    kernel = polycl.load(text, language="cl").kernel("k")
    a = np.random.default_rng(1).integers(-99, 99, 400).astype(np.int32)
    for n in (0, 1, 17):
        expected = [_expected(name, a, n, item, 16) for item in range(16)]
        for device in ("interp", "cpu"):
            b = np.zeros(16, np.int32)
            kernel(a, b, np.int32(n), global_size=16, local_size=16, device=device)
            np.testing.assert_array_equal(b, np.array(expected, np.int64).astype(np.int32), device)
