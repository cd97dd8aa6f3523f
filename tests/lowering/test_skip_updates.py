"""`wg-skip-updates`: what a loop keeps of the elements is the same where blocks are left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

KERNEL = """
kernel void search(global TYPE *x, global TYPE *y, global TYPE *out, int n, TYPE s) {
  int k = -1, c = 0;
  TYPE t = s;
  for (int i = 0; i < n; i++) { BODY }
  out[0] = s; out[1] = t; out[2] = k; out[3] = c;
}
"""
BODIES = {
    "first": "if (x[i] > s) { s = x[i]; k = i; }",
    "last": "k = x[i] >= s ? i : k; s = x[i] >= s ? x[i] : s;",
    "kept": "int b = s <= x[i]; s = b ? s : x[i]; k = b ? k : i;",
    "far": "if (s < x[i + 5] * y[i]) { s = x[i + 5] * y[i]; t = y[n - i]; c += i; }",
    "ties": "if ((x[i] > s) | ((x[i] == s) & (y[i] < t))) { s = x[i]; t = y[i]; k = i; }",
    "both": "if (x[i] > s) { s = x[i]; k = i; } if (x[i] < t) { t = x[i]; c = i; }",
    "records": "if (x[i] > s) { s = x[i]; y[c] = i; c++; }",
    # These stay: the sum changes in each iteration, and the condition is not of what is carried.
    "sum": "if (x[i] > s) { s = x[i]; k = i; } c += i;",
    "filter": "if (x[i] > y[i]) c++;",
}
TYPES = {"float": np.float32, "int": np.int32, "double": np.float64, "uchar": np.uint8}
CASES = [(body, "float") for body in BODIES]
CASES += [("first", "double"), ("both", "int"), ("first", "uchar")]


@pytest.mark.parametrize(("body", "type"), CASES, ids=str)
def test_what_is_kept(body: str, type: str):
    source = KERNEL.replace("BODY", BODIES[body]).replace("TYPE", type)
    search = polycl.load(source, language="cl").kernel("search")
    rng = np.random.default_rng(4)
    dtype = TYPES[type]
    arrays = [rng.integers(0, 50, 320), np.arange(320) // 3, np.full(320, 7), rng.random(320) * 99]
    if dtype in (np.float32, np.float64):
        arrays += [rng.choice([-0.0, 0.0, -1], 320), rng.choice([np.nan, 0, -0.0, np.inf, 1], 320)]
        arrays += [np.where(np.arange(320) == 200, np.nan, arrays[0])]
    with collect_remarks() as remarks:
        for x in arrays:
            for n in (0, 1, 63, 128, 131, 257):
                y, s = rng.permutation(x), rng.choice(x)
                results: list[Any] = []
                for device in ("cpu", "interp"):
                    inputs, out = [x.astype(dtype), y.astype(dtype)], np.zeros(4, dtype)
                    search(*inputs, out, n, dtype(s), global_size=1, device=device)
                    results.append([*inputs, out])
                for found, right in zip(*results, strict=True):
                    assert found.tobytes() == right.tobytes() or _are_same(found, right)
    skips = any(remark.pass_name == "wg-skip-updates" for remark in remarks)
    assert skips == (body not in ("sum", "filter"))


def _are_same(found: Any, right: Any) -> bool:
    """But for the bits of NaN."""
    return np.array_equal(found, right, equal_nan=True) and np.array_equal(
        np.signbit(found[~np.isnan(found)]), np.signbit(right[~np.isnan(right)])
    )
