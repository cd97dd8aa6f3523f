"""`wg-arrays-by-lane`: interpreter and cpu agree on private arrays that live across barriers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import polycl

ROWS = """
kernel void rows(int n, global const TYPE *a, global TYPE *c, local TYPE *t) {
  int i = get_global_id(0) + get_global_size(0) * get_global_id(1);
  int l = get_local_id(0) + get_local_size(0) * get_local_id(1), at = FIRST;
  TYPE row[24];
  for (int k = 0; k < n; k++) row[k] = a[i * n + k];
  for (int j = 0; j < n; j++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = row[j] + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    TYPE sum = 0;
    for (int k = 0; k < n; k++) sum += row[k] * t[k];
    if (i & 1) row[j] = sum; else row[n - 1 - j] += 1;
    c[i * n + j] = sum + row[(j + at) % n];
  }
}
"""


@pytest.mark.parametrize(("name", "dtype"), [("int", np.int32), ("uchar", np.uint8)])
@pytest.mark.parametrize(
    ("local", "first"), [((32,), "0"), ((28,), "0"), ((16, 4), "get_local_id(1)")]
)
def test_results_are_those_of_the_interpreter(
    name: str, dtype: Any, local: tuple[int, ...], first: str
):
    n, size = 19, (2 * local[0], *local[1:])
    a = np.random.default_rng(0).integers(0, 9, math.prod(size) * n).astype(dtype)
    kernel = polycl.load(ROWS, (f"-DTYPE={name}", f"-DFIRST={first}"), language="cl").kernel("rows")
    results: list[np.ndarray] = []
    for device in ("interp", "cpu"):
        c = np.zeros_like(a)
        memory = polycl.Local(math.prod(local) * a.itemsize)
        args = (np.int32(n), a, c, memory)
        kernel.bind(*args, global_size=size, local_size=local, device=device).launch()
        results.append(c)
    expected, found = results
    assert np.array_equal(expected, found)
