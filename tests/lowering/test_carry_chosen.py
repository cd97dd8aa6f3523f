"""`carry-chosen`: elements at places that loops carry are those in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

KERNEL = """
kernel void find(global TYPE *x, global int *out, global TYPE *y, int n, int first) {
  int r = get_global_id(0);
  global TYPE *p = x + r * 40;
  int b = first, c = 0, i;
  BODY
  out[2 * r] = b; out[2 * r + 1] = c;
}
"""
BODIES = {
    "largest": "for (i = 1; i < n; i++) if (p[i] > p[b]) b = i;",
    "last": "for (i = 0; i < n; i++) b = p[b] <= p[i] ? i : b;",
    "columns": "for (i = 0; i < n; i++) if (x[i * 8 + r] < x[b * 8 + r]) b = i;",
    "both": "for (i = 0; i < n; i++) { if (p[i] > p[b]) b = i; if (p[i] < p[c]) c = i; }",
    "beside": "for (i = 0; i < n; i++) { if (p[i] > p[b]) b = i; y[40 * r + i] = p[b]; }",
    # These stay: the last one reads an element in a branch.
    "jump": "for (i = 0; i < n; i++) if (p[i] > p[b]) b = (i * 7 + 1) % 40;",
    "written": "for (i = 0; i < n; i++) { if (p[i] > p[b]) b = i; p[39 - i] = p[b]; }",
    "branch": "for (i = 0; i + 1 < n; i++) { if (p[i] > p[b]) b = i;"
    " else if (p[i + 1] < p[b]) b = i + 1; }",
}
TYPES = {"float": np.float32, "uchar": np.uint8, "double": np.float64}
CASES = [*((body, "float") for body in BODIES), ("largest", "uchar"), ("last", "double")]


@pytest.mark.parametrize(("body", "type"), CASES)
def test_results_are_those_of_the_interpreter(body: str, type: str):
    source = KERNEL.replace("BODY", BODIES[body]).replace("TYPE", type)
    find = polycl.load(source, language="cl").kernel("find")
    rng = np.random.default_rng(2)
    x = rng.integers(0, 30, 8 * 40).astype(TYPES[type])
    if type != "uchar":
        x[rng.integers(0, x.size, 30)] = np.nan
    with collect_remarks() as remarks:
        for n, first in ((40, 0), (1, 3), (0, 1 << 30), (29, 5)):
            results: list[list[np.ndarray[Any, Any]]] = []
            for device in ("cpu", "interp"):
                arrays = [x.copy(), np.zeros(16, np.int32), np.zeros_like(x)]
                find(*arrays, n, first, global_size=8, device=device)
                results.append(arrays)
            for found, right in zip(*results, strict=True):
                assert found.tobytes() == right.tobytes()
    carried = any(remark.pass_name == "carry-chosen" for remark in remarks)
    assert carried == (body not in ("jump", "written", "branch"))
