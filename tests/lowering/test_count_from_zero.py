"""`count-from-zero`, and rows that `wg-read-rows` reads downwards, judged by the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

COUNTED = {
    "sum": "for (int k = i * n; k < i * n + n; k++) s += x[k];",
    "product": "for (int k = i * n; k < (i + 1) * n; k++) s += x[k];",
    "last": "for (int k = i * n + 2; k <= (i + 1) * n - 1; k++) s += x[k];",
    "while": "int k = n * i, e = k + n; while (k < e) { s += x[k]; k++; }",
    "steps": "for (int k = i * n; k < n + i * n; k += 3) s += x[k] * k;",
    "place": "for (int k = i * n; k < i * n + n; k++) s += x[k] * y[k - i * n];",
    "rows": "for (int k = i * n; k < i * n + n; k++) y[k] = x[k] * 2 + k;",
    "long": "for (long k = (long)i * n; k < (long)(i + 1) * n; k++) s += x[k];",
    "data": "int b = at[i]; for (int k = b; k < b + n; k++) s += x[k];",
    "nest": "for (int j = i * n; j < i * n + n; j++)"
    " for (int k = j * n; k < j * n + 2; k++) s += x[k & 255];",
}
"""Loops that count from 0."""

KEPT = {
    # An end that wraps is before the start.
    "uint": "for (uint k = i * 0x40000000u; k < (i + 1) * 0x40000000u && s < 9; k += 0x3fffffffu)"
    " s += x[k & 255];",
    "as_int": "uint b = at[i] + 0x7ffffff0u; int e = as_int(b + n);"
    " for (int k = as_int(b); k < e; k++) s += x[k & 255];",
    "break": "for (int k = i * n; k < i * n + n; k++) { if (x[k] > 90) break; s += x[k]; }",
    "size_t": "for (size_t k = (size_t)i * n; k < (size_t)i * n + n; k++) s += x[k];",
    "data": "for (int k = at[i]; k < at[i] + n; k++) s += x[k];",
    "uchar": "uchar k = i * 64; for (; k < (uchar)(i * 64 + n); k++) s += x[k];",
    "other lengths": "for (int k = i * n; k < i * n + i; k++) s += x[k];",
    "ends": "for (int k = at[i]; k < at[i + 1]; k++) s += x[k];",
    "moved": "for (int k = at[i]; k < at[i] + n; k++) { at[i] = 0; s += x[k]; }",
}
"""Loops that stay."""

DOWN = {
    "sum": "for (int k = n - 1; k >= 0; k--) s += x[i * n + k];",
    "left": "int k = n; while (k) s = s * 3 + x[i * n + --k];",
    "pointer": "global float *p = x + i * n + n; for (int k = 0; k < n; k++) s = s / 2 + *--p;",
    "stored": "for (int k = n; k-- > 0;) { s += x[i * n + k]; y[i * n + k] = s; }",
    "in place": "for (int k = n; k-- > 0;) { s += x[i * n + k]; x[i * n + k] = s; }",
    "both": "for (int k = 0; k < n; k++) s = s * 2 + x[i * n + k] - y[i * n + n - 1 - k];",
    "next": "for (int k = n; k-- > 1;) { x[i * n + k - 1] += x[i * n + k]; s += y[i * n + k]; }",
    "before": "for (int k = n; k-- > 1;) { s += x[i * n + k - 1]; x[i * n + k] = s; }",
    "bytes": "for (int k = n; k-- > 0;) s = s * 2 + ((global uchar *)x)[i * n + k];",
    "uint": "for (uint k = n; k-- > 0u;) s = s * 2 + x[(uint)(i * n) + k];",
}
"""Rows from their end."""


BEFORE = "inline-functions,split-structs,promote-private-memory,count-loops"
REGIONS = (
    f"ocl-set-local-size{{size=4}},{BEFORE},index-by-counter,ocl-to-wg,share-values,widen-indices"
)
READ = f"{REGIONS},wg-read-rows{{distinct=true small_buffers=true}}"


def check(body: str, *pipelines: str) -> set[str]:
    """Compare what pipelines make of a loop, for several lengths; the passes that did something."""
    source = f"""kernel void rows(global float *x, global float *y, global int *at, int n) {{
      int i = get_global_id(0);
      float s = 0;
      {body}
      y[200 + i] = s;
    }}"""
    kernel = polycl.load(source, language="cl").kernel("rows")
    with collect_remarks() as remarks:
        for n in (0, 1, 6, 11):
            results: list[list[np.ndarray[Any, Any]]] = []
            for pipeline in pipelines:
                arrays = [np.arange(256, dtype=np.float32) * k % 97 for k in (1, 3)]
                at = np.array([3, 40, 41, 7, 9], np.int32)
                sizes = {"global_size": 4, "local_size": 4}
                kernel(*arrays, at, n, **sizes, device=polycl.device("interp"), pipeline=pipeline)
                results.append([*arrays, at])
            for found, right in zip(*results, strict=True):
                np.testing.assert_array_equal(found, right, str(n))
    return {remark.pass_name for remark in remarks}


@pytest.mark.parametrize("body", COUNTED)
def test_loops_count_from_zero(body: str):
    assert "count-from-zero" in check(COUNTED[body], BEFORE, f"{BEFORE},count-from-zero")


@pytest.mark.parametrize("body", KEPT)
def test_loops_stay(body: str):
    assert "count-from-zero" not in check(KEPT[body], BEFORE, f"{BEFORE},count-from-zero")


@pytest.mark.parametrize("body", DOWN)
def test_rows_are_read_downwards(body: str):
    assert ("wg-read-rows" in check(DOWN[body], REGIONS, READ)) == (body not in ("next", "before"))
