"""Records that all or some work-items update, and rows in the opposite order: every bit is kept."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.device import Device

SIZE = 70
"""Of a global size of 96: the last tile has lanes that are off."""

RECORDS = """
kernel void k(global T *a, global const T *b, int n) {{
  int i = get_global_id(0) - get_global_offset(0);
  if (i >= n || b[i] % 3 == 1) return;
  T sum = 0;
  for (int f = 0; f < {fields}; ++f) sum += a[{fields} * i + f];
  for (int f = 0; f < {fields}; ++f) if (f % {skipped}) a[{fields} * i + f] = sum + f;
}}
"""
VECTORS = """
kernel void k(global T *a, global const T *b, int n) {
  int i = get_global_id(0) - get_global_offset(0);
  if (i >= n || b[i] % 3 == 1) return;
  vstore3(vload3(i, a).zxy + (T)(b[i]), i, a);
}
"""
SLOTS = """
kernel void k(global T *a, global const T *b, int n) {{
  int i = get_global_id(0) - get_global_offset(0);
  if (i >= n{unless}) return;
  global T3 *v = (global T3 *)a + {step} * i;
  v[0] = v[0].zxy + (T)(b[i]);
}}
"""
UPDATED = """
kernel void k(global T *a, global const T *b, int n) {
  int i = get_global_id(0) - get_global_offset(0);
  if (i >= n) return;
  global T3 *v = (global T3 *)a + i;
  T3 old = v[0];
  if (b[i] % 3 == 1) v[0] = old.zxy + (T)(b[i]);
}
"""
PARTS = """
kernel void k(global T *a, global const T *b, int n) {{
  int i = get_global_id(0) - get_global_offset(0);
  if (i >= n{unless}) return;
  global T *r = a + 9 * i;
  T x = r[1], y = r[2], z = r[3], u = r[6], w = r[8];
  if (z > b[i]) {{ r[0] = y; r[2] = w; }} else r[2] = u;
  r[1] = z; r[3] = x + y; r[7] = r[2] * u; r[8] = r[7] + 1;
}}
"""
REVERSED = """
kernel void k(global T *a, global const T *b, int n) {
  int i = get_global_id(0) - get_global_offset(0);
  if (i >= n || b[i] % 3 == 1) return;
  T old = a[i];
  a[i] = a[2 * n - 1 - i];
  a[2 * n - 1 - i] = old;
}
"""
TEXTS = {
    **{f"{n} of {s}": RECORDS.format(fields=n, skipped=s) for n in (3, 6) for s in (2, 9)},
    "vectors": VECTORS,
    **{
        f"{name}{' of some' * bool(unless)}": text.format(step=step, unless=unless)
        for name, text, step in (("slots", SLOTS, 1), ("members", SLOTS, 2), ("parts", PARTS, 0))
        for unless in ("", " || b[i] % 3 == 1")
    },
    "updated": UPDATED,
    "reversed": REVERSED,
}


def run(text: str, type: str, local: int, offset: int, device: Device) -> np.ndarray:
    kernel = polycl.load(text, (f"-DT={type}", f"-DT3={type}3"), language="cl").kernel("k")
    dtype = kernel.parameter("a").dtype
    random = np.random.default_rng(5)
    a = random.integers(0, 100, 9 * SIZE).astype(dtype)
    b = random.integers(0, 100, SIZE).astype(dtype)
    kernel(
        a,
        b,
        np.int32(SIZE),
        global_size=(96,),
        local_size=(local,),
        global_offset=(offset,),
        device=device,
    )
    return a


@pytest.mark.parametrize("type", ["uchar", "int", "long"])
@pytest.mark.parametrize("text", TEXTS)
def test_keeps_every_bit(text: str, type: str):
    expected = run(TEXTS[text], type, 32, 0, polycl.device("interp"))
    found = run(TEXTS[text], type, 48, 5, polycl.device("cpu"))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("text", ["vectors", "slots of some", "updated"])
def test_keeps_every_bit_without_masks(text: str):
    device = CpuDevice(threads=1, enable=["vectors"], without_features=["avx512"])
    expected = run(TEXTS[text], "int", 32, 0, polycl.device("interp"))
    np.testing.assert_array_equal(run(TEXTS[text], "int", 48, 5, device), expected)
