"""Rows that a loop compares with many others, at starts of any type: as interpreted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

ROW = {
    "uint and int": "uint i = get_global_id(0); int k",
    "uint": "uint i = get_global_id(0); uint k",
    "int": "int i = get_global_id(0); int k",
    "size_t and uint": "size_t i = get_global_id(0); uint k",
}


@pytest.mark.parametrize("names", ROW)
def test_rows(names: str) -> None:
    text = f"""
    kernel void k(
        global const float *x, global const float *c, global int *out, int n, int d, uint s) {{
      {ROW[names]};
      float least = INFINITY;
      int which = -1;
      for (int j = 0; j < n; j++) {{
        float sum = 0;
        for (k = 0; k < d; k++) {{
          float e = x[i * d + k - s + s] - c[j * d + k];
          sum += e * e;
        }}
        if (sum < least) {{ least = sum; which = j; }}
      }}
      out[i] = which;
    }}"""
    _agree(text, [(9, 7, 5), (0, 7, 5), (3, 5, 5), (9, 0, 5), (9, 70, 5), (4, 1, 5)])


def test_a_row_that_wraps() -> None:
    """Its first elements are at the end of what 32 bits count, or the numbers wrap in it."""
    text = """
    kernel void k(
        global const float *x, global const float *c, global int *out, int n, int d, uint s) {
      uint i = get_global_id(0);
      float best = 0;
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < d; k++) sum += x[(i + s + k) & 63] * c[j * d + k] + x[i - s + k + s];
        best = fmax(best, sum);
      }
      out[i] = best;
    }"""
    _agree(text, [(6, 8, 64), (6, 8, 3), (6, 8, 2**32 - 3)])


def test_an_unsigned_start_is_a_row() -> None:
    """It is copied once, and no longer where the loop writes to it."""
    text = """
    kernel void k(global float *x, global const float *c, global int *out, int n, int d, uint s) {
      uint i = get_global_id(0);
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < d; k++) sum += x[i * d + k] * c[j * d + k];
        WRITE = sum;
      }
    }"""
    assert _is_kept(text.replace("WRITE", "out[i]"))
    assert not _is_kept(text.replace("WRITE", "x[i * d]"))
    _agree(text.replace("WRITE", "x[i * d]"), [(5, 6, 0)])


def _is_kept(text: str) -> bool:
    with collect_remarks() as remarks:
        kernel = polycl.load(text, language="cl").kernel("k")
        kernel.bind(*_arguments(8, 8, 0), global_size=64, local_size=64, device="cpu")
    return any("[wg-keep-rows]" in str(remark) for remark in remarks)


def _arguments(n: int, d: int, s: int) -> list[Any]:
    r = np.random.default_rng(1)
    x, c = (r.integers(-9, 9, 64 * 72).astype(np.float32) for _ in range(2))
    return [x, c, np.zeros(64, np.int32), np.int32(n), np.int32(d), np.uint32(s)]


def _agree(text: str, numbers: Sequence[tuple[int, int, int]]) -> None:
    kernel = polycl.load(text, language="cl").kernel("k")
    for each in numbers:
        found: list[list[Any]] = []
        for device in ("interp", "cpu"):
            arguments = _arguments(*each)
            kernel(*arguments, global_size=64, local_size=64, device=device)
            found.append(arguments[:3])
        assert all(map(np.array_equal, *found))
