"""Pointers and integers that loops with barriers move: the same results."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

BODIES = {
    "for": "for (int k = 0; k < n; ++k) { STEP }",
    "while": "int k = 0; while (k < n) { STEP k += 1; }",
    "do while": "int k = 0; do { STEP } while (++k < n);",
    "nested": "for (int j = 0; j < 2; ++j) { for (int k = 0; k < n; ++k) { STEP } p += 3; --i; }",
    "divergent": "for (int k = 0; k < n; ++k) { STEP if (l > 40) p += 1; }",
    "no iteration": "for (int k = n; k < 0; ++k) { STEP }",
    "wraps": "i += INT_MAX - 40; for (int k = 0; k < n; ++k) { STEP i += 30; }",
    "unsigned char": "uchar u = l; for (int k = 0; k < n; ++k) { STEP u += 90; i += u; }",
    "long": "long u = l * 3; for (int k = 0; k < n; ++k) { STEP u = u - 7; i += u; }",
}
STEP = """
  tile[l] = *p + i; barrier(CLK_LOCAL_MEM_FENCE);
  sum += tile[l ^ 5] * (i & 7); barrier(CLK_LOCAL_MEM_FENCE);
  p += n; i += 2; p += 1;
"""


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("n", [1, 3])
def test_the_same_results(name: str, n: int) -> None:
    text = f"""
kernel void k(global const int *a, global int *b, int n) {{
  local int tile[64];
  int l = get_local_id(0), i = get_global_id(0), sum = 0;
  global const int *p = a + 2 * l + get_group_id(0);
  {BODIES[name].replace("STEP", STEP)}
  b[get_global_id(0)] = sum + i + (int)(p - a);
}}
"""
    kernel = polycl.load(text, language="cl").kernel("k")
    a = np.random.default_rng(1).integers(-99, 99, 400).astype(np.int32)
    results: list[np.ndarray] = []
    devices = [polycl.device("interp"), polycl.device("cpu")]
    devices.append(polycl.device("cpu", disable=("carry-distances",)))
    for device in devices:
        b = np.zeros(128, np.int32)
        kernel(a, b, np.int32(n), global_size=128, local_size=64, device=device)
        results.append(b)
    np.testing.assert_array_equal(results[1], results[0])
    np.testing.assert_array_equal(results[2], results[0])
