"""Sums of integers over short rows, and lowest bits that neighbours share: as the interpreter has
them."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

ITEMS = 64
TERMS = {
    "uchar": "abs_diff(a[x + i], b[x * 2 + i])",
    "char": "a[x + i] * b[x * 2 + i]",
    "ushort": "max(a[x + i], b[x * 2 + i])",
    "int": "a[x + i] ^ b[x * 2 + i]",
}
BITS = {
    "(8 * x + k) & 7": "int",
    "(8 * x + k) % 8": "uint",
    "(4294967280u + 8 * x + k) & 7": "uint",
    "(k - 24 * x) & 7": "int",
    "(12 * x + k) & 7": "int",
    "(16 * x + 5 * (int)get_local_id(1) + k) & 15": "int",
}


def _both(text: str, *inputs: np.ndarray) -> None:
    """The last input is the output: the same on both devices, bit for bit."""
    kernel = polycl.load(text, language="cl").kernel("k")
    found: list[np.ndarray] = []
    for device in ("interp", "cpu"):
        *given, out = inputs
        out = out.copy()
        kernel(*given, out, global_size=(ITEMS, 2), local_size=(32, 2), device=device)
        found.append(out)
    assert np.array_equal(found[0], found[1])


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize("count", [15, 16, 17, 40, 64, 65])
def test_sums_over_rows(name: str, count: int) -> None:
    text = f"""
    kernel void k(global const {name} *a, global const {name} *b, global const int *rows,
                  global int *out) {{
      int x = rows[get_global_id(1) * {ITEMS} + get_global_id(0)], s = 7;
      for (int i = 0; i < {count}; i++) s += {TERMS[name]};
      out[get_global_id(1) * {ITEMS} + get_global_id(0)] = s;
    }}"""
    random = np.random.default_rng(0)
    type = {"uchar": np.uint8, "char": np.int8, "ushort": np.uint16, "int": np.int32}[name]
    a, b = (random.integers(0, 128, n).astype(type) for n in (ITEMS + 65, 2 * ITEMS + 65))
    rows = random.integers(0, ITEMS, 2 * ITEMS).astype(np.int32)
    _both(text, a, b, rows, np.zeros(2 * ITEMS, np.int32))


@pytest.mark.parametrize("place", BITS)
def test_lowest_bits(place: str) -> None:
    numbers = ", ".join(str(n * 7 % 16) for n in range(16))
    text = f"""
    constant int t[16] = {{{numbers}}};
    kernel void k(global const int *v, global int *out) {{
      {BITS[place]} x = get_global_id(0);
      int s = 0;
      for (int k = 0; k < 8; k++) if (v[8 * x + k] > t[{place}]) s |= 1 << k;
      out[get_global_id(1) * {ITEMS} + x] = s;
    }}"""
    v = np.random.default_rng(0).integers(0, 16, 8 * ITEMS).astype(np.int32)
    _both(text, v, np.zeros(2 * ITEMS, np.int32))
