"""`hoist-loads`: results are the interpreter's, with buffers that overlap, too."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

SOURCES = {
    "own element": ("if (i >= 5) y[i] = x[i] + x[i - 5]; else y[i] = x[i];", True),
    "behind a guard": ("if (i < 60) { if (i & 1) y[i] = x[i + 3]; else y[i] = -x[i + 3]; }", True),
    "nested": ("if (z[i] & 1) { if (z[i] & 2) y[i] = x[i]; else y[i] = x[i] * 3; } "
               "else y[i] = x[i] - 1;", True),
    "where data say": ("if (i & 1) y[i] = x[z[i] & 15] + x[i]; else y[i] = x[z[i] & 15] - 7;",
                       True),
    "anywhere": ("int a = z[i] & 63, b = z[i] * 5 & 31; if (a < b) y[i] = x[a] + x[b]; "
                 "else y[i] = x[b + 7] - x[63 - a];", True),
    "merged": ("int a = z[i] & 7, b = 32 + a, m = a + 9, s = 0; for (int k = 0; k < 12; k++) { "
               "bool t = a < m && (b >= 60 || x[a] < x[b]); s += k * (t ? x[a++] : x[b++]); } "
               "y[i] = s;", True),
    "outside of the array": ("int a = z[i]; if (a & 1) y[i] = x[a & 63]; else if (a & 2) y[i] = 5; "
                             "else y[i] = x[(a * 77) & 63];", False),
    "loaded index": ("int a = z[i] & 63; if (a & 1) y[i] = x[a]; else y[i] = x[x[a] & 63];", True),
    "written before": ("if (i & 1) { x[i] = 3; y[i] = x[i]; } else { y[i] = x[i] + 1; }", False),
    "added before": ("if (i & 1) { atomic_add(&x[i], 3); y[i] = x[i]; } else y[i] = x[i];", False),
    "other elements": ("if (i & 1) y[i] = x[i]; else y[i] = x[i - (i > 0)];", False),
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("one_buffer", [False, True])
def test_results_are_the_interpreters(name: str, one_buffer: bool):
    n = 64
    body, once = SOURCES[name]
    text = f"kernel void k(global int *x, global int *y, global int *z, int n) {{\n{body}\n}}"
    text = text.replace("{\n", "{ int i = get_global_id(0);\n", 1)
    results: list[np.ndarray] = []
    for device in (polycl.device("cpu", threads=1), polycl.device("interp")):
        x = (np.arange(n, dtype=np.int32) * 37) % 101
        z = (np.arange(n, dtype=np.int32) * 53) % 97
        y = z if one_buffer else np.zeros(n, np.int32)
        with collect_remarks() as remarks:
            polycl.load(text).kernel("k")(x, y, z, n, global_size=n, local_size=16, device=device)
        if not results:
            assert any("[hoist-loads]" in str(remark) for remark in remarks) == once
        results.append(np.concatenate([x, y, z]))
    assert (results[0] == results[1]).all()
