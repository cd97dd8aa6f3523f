"""`hoist-while-loads`: results are the interpreter's, also of loops that have no iteration and of
buffers that overlap."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

SOURCES = {
    "a break": ("for (int k = 0; k < n; k++) { s += x[i]; if (s > z[i]) break; }", True),
    "a known first iteration": ("int k = 0; while (k++ < 9) { s += x[i]; if (s > z[i]) break; }",
                                True),
    "no iteration": ("for (int k = n; k < n; k++) { s += x[i + 1000000]; if (s > z[i]) break; }",
                     True),
    "no iteration for some": ("while (s < i - 40) { s += x[i - 41] + 1; if (s > 20) break; }",
                              True),
    "in the condition": ("while (abs(s - z[i]) > 5) s += 5;", True),
    "an address in memory": ("while (s < 100) { s += z[x[i] & 15] + 1; if (s & 64) break; }", True),
    "in a loop": ("for (int k = 0; k < 3; k++) { int m = 0; while (m < z[i]) m += x[i] + 7; "
                  "s += m; }", True),
    "of an inner loop": ("while (s < 90) { int m = s; while (m < 50) m += z[i] + 3; s = m + 9; }",
                         True),
    "another buffer": ("while (s < 9) { s++; y[i] = x[i] + s; if (s > z[i]) break; }", True),
    "in a branch": ("while (s < 50) { if (s & 1) s += x[i]; s += 3; }", False),
    "written": ("while (x[i] < 50) { x[i] += 7; s++; }", False),
    "moved on": ("int k = i; while (x[k] < 90 && k < 60) { k++; s++; }", False),
    "added": ("while (s < 9) { s += 1 + z[i]; atomic_add(&x[i], 1); }", False),
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("one_buffer", [False, True])
@pytest.mark.parametrize("n", [0, 5])
def test_results_are_the_interpreters(name: str, one_buffer: bool, n: int):
    count = 64
    body, hoisted = SOURCES[name]
    text = f"""kernel void k(global int *x, global int *y, global int *z, int n) {{
      int i = get_global_id(0), s = 0;
      {body}
      y[i] += s;
    }}"""
    results: list[np.ndarray] = []
    for device in (polycl.device("cpu", threads=1), polycl.device("interp")):
        x = (np.arange(count, dtype=np.int32) * 37) % 101
        z = (np.arange(count, dtype=np.int32) * 53) % 97
        y = x if one_buffer else np.zeros(count, np.int32)
        with collect_remarks() as remarks:
            kernel = polycl.load(text).kernel("k")
            kernel(x, y, z, n, global_size=count, local_size=16, device=device)
        if not results and not one_buffer:
            assert any("[hoist-while-loads]" in str(remark) for remark in remarks) == hoisted
        results.append(np.concatenate([x, y, z]))
    assert (results[0] == results[1]).all()
