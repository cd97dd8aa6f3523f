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

STEPS = {
    "row": "for (int k = X; k < 64; k += 8)",
    "groups": "for (int k = X + 8 * Y; k < 64; k += 16)",
    "moved": "for (int k = 3 + X; k < 35; k += 16)",
    "every other": "for (size_t k = 2 * get_local_id(0); k < 64; k += 16)",
    "by row": "for (uint k = Y; k <= 63; k += 2)",
    "argument": "for (int k = X + n * 8; k < 8 * (n + 4); k += 8)",
    "none": "for (int k = X + n * 8; k < 8 * n - 16; k += 8)",
}
"""Loops with barriers that count from 0, in groups of 8 x 2 work-items."""

PARTS = {
    "rest": "for (int k = X; k < 60; k += 8)",
    "two each": "for (int k = X; k < 32; k += 4)",
    "down": "for (int k = 7 - X; k < 32; k += 8)",
    "unsigned": "for (uint k = X + 64u; k < 32; k += 8)",
    "wraps": "for (uint k = X - 8u; k < n * 8; k += 8)",
    "length": "for (int k = X; k < n; k += 8)",
    "product": "for (int k = X * Y; k < 32; k += 8)",
}
"""The same of loops that stay: some work-items have more iterations, or sums may wrap."""


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


@pytest.mark.parametrize("body", [*STEPS, *PARTS])
def test_steps_with_barriers(body: str):
    """What some work-items leave out is an error of the program, which the interpreter reports."""
    text = f"""#define X (int)get_local_id(0)
    #define Y (int)get_local_id(1)
    kernel void steps(global int *out, int n) {{
      local int t[16];
      int at = X + 8 * Y, s = at;
      {(STEPS | PARTS)[body]} {{
        t[at] = s * 3 + (int)k;
        barrier(CLK_LOCAL_MEM_FENCE);
        s = t[at ^ 5] + (int)k;
        barrier(CLK_LOCAL_MEM_FENCE);
      }}
      out[at + 16 * get_group_id(0)] = s;
    }}"""
    kernel = polycl.load(text, language="cl").kernel("steps")
    for n in (0, 4):
        results: list[np.ndarray[Any, Any]] = []
        with collect_remarks() as remarks:
            for device in ("interp", "cpu") if body in STEPS else ("cpu",):
                results.append(np.zeros(32, np.int32))
                where = polycl.device(device)
                kernel(results[-1], n, global_size=(16, 2), local_size=(8, 2), device=where)
        for found in results:
            np.testing.assert_array_equal(found, results[0])
    assert any(r.pass_name == "count-from-zero" for r in remarks) == (body in STEPS)
