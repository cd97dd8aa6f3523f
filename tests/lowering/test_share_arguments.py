"""`split-structs`, `wg-share-arguments`: work-items read a struct argument, or change their own."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

KERNEL = """
typedef struct { int n; short steps[3]; } At;
typedef struct {
  float m[9]; At at[2]; uchar4 c[2]; uint rows[2][3]; uchar b[3];
  union { int i; float f; } u;
  long off;
} Table;
float sum(Table t, int n) { float s = 0; for (int k = 0; k < n; k++) s += t.m[k]; return s; }
float one(Table t, int k) { Table u = t; return u.m[2] * k + u.at[1].steps[2]; }
kernel void use(Table t, global float *out, local float *shared) {
  int i = get_global_id(0), l = get_local_id(0);
  float v = 0;
  BODY
  out[i] = v;
}
"""
VALUES = {
    "constants": "v = t.m[2] * i + t.m[8] + t.at[1].n + t.off;",
    "nested": "v = t.rows[1][2] / 3 + t.rows[0][1] % 7 + t.c[1].y * i + (t.b[2] >> 1);",
    "copy": "Table u = t; v = one(u, i) + u.m[0] + one(t, 3);",
    "lock step": "for (int k = 0; k < t.at[0].n; k++) {"
    " shared[l] = v + t.m[3] + i; barrier(CLK_LOCAL_MEM_FENCE);"
    " v += shared[l ^ 1]; barrier(CLK_LOCAL_MEM_FENCE); }",
    "stride": "out[i * t.at[0].steps[0]] = v; v = i;",
    "guarded": "if (i >= t.rows[0][0] % 40) return; v = t.m[1] + l;",
}
"""What these read is a value."""
SHARED = {
    "uniform": "for (int k = 0; k < t.at[0].n; k++) v += t.m[k] * t.at[1].steps[k % 3] * i;",
    "own index": "v = t.m[i % 9] - t.at[i & 1].steps[i % 3];",
    "branch": "if (t.m[1] < 0 || i % 3 == t.at[0].steps[1]) v = t.m[3]; else v = t.m[i % 4];",
    "called": "v = sum(t, i % 7) + t.m[0];",
    "barrier": "shared[l] = t.m[l % 9]; barrier(CLK_LOCAL_MEM_FENCE);"
    " v = shared[l ^ 1] * t.m[4] + t.at[1].steps[l % 3];",
    "next row": "for (int k = 0; k < 2; k++) v += i + ((uint *)t.rows)[4 - k] + t.rows[k][2];",
    "struct": "At a = t.at[1]; v = a.n * i + a.n;",
    "union": "v = t.u.i + t.m[2] * i;",
}
OWN = {
    "changed": "t.m[i % 9] += i; for (int k = 0; k < 9; k++) v += t.m[k];",
    "changed element": "t.m[2] += i; v = t.m[2] + t.m[3];",
    "pointer": "float *p = i & 1 ? t.m : t.m + 3; p[i % 6] = i; v = t.m[3] + t.m[i % 9];",
    "vector": "vstore4((float4)(i), 1, t.m); v = t.m[i % 9];",
}
"""Work-items change their copies."""
BODIES = {**VALUES, **SHARED, **OWN}


@pytest.mark.parametrize("body", BODIES)
def test_results_are_those_of_the_interpreter(body: str):
    kernel = polycl.load(KERNEL.replace("BODY", BODIES[body]), language="cl").kernel("use")
    rng = np.random.default_rng(1)
    dtype = kernel.parameters[0].dtype
    table = np.zeros((), dtype)
    table["m"], table["at"]["n"] = rng.integers(-9, 9, 9), (7, -3)
    table["at"]["steps"] = rng.integers(-2, 3, (2, 3))
    table["at"]["steps"][0, 0] = 1
    table["c"], table["b"] = rng.integers(0, 256, table["c"].shape), rng.integers(0, 256, 3)
    table["rows"] = rng.integers(2**31, 2**32, (2, 3))
    table["off"] = -(2**33)
    results: list[np.ndarray] = []
    with collect_remarks() as remarks:
        for device in ("interp", "cpu"):
            out = np.zeros(96, np.float32)
            kernel(table[()], out, polycl.Local(128), global_size=96, local_size=32, device=device)
            results.append(out)
    assert results[0].tobytes() == results[1].tobytes()
    assert len(set(results[0])) > 1
    shared = any(remark.pass_name == "wg-share-arguments" for remark in remarks)
    assert shared == (body in SHARED)
