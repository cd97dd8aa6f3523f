"""Rows that each work-item writes plane by plane, after sums over them: as the interpreter has
them."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

GROUPS, PLANES = 32, 3
BODIES = {
    "scaled": "y[(i * c + k) * n + j] = (p[k * n + j] - m) * g[k];",
    "in place": "p[k * n + j] = p[k * n + j] * g[k] - m;",
    "the row before": "y[(i * c + k) * n + j] = p[k * n + j] + (j > 0 ? p[k * n + j - 1] : m);",
    "one after the other": "y[(i * c + k) * n + j] = j > 0 ? y[(i * c + k) * n + j - 1] + m : m;",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("n", [0, 1, 17, 64])
@pytest.mark.parametrize("guard", ["", "if (i >= 27) return;"])
def test_planes(body: str, n: int, guard: str) -> None:
    text = f"""
    kernel void k(global float *x, global const float *g, global float *y, int c, int n) {{
      int i = get_global_id(0);
      {guard}
      global float *p = x + i * c * n;
      float s = 0;
      for (int j = 0; j < c * n; j++) s += p[j];
      float m = s / (c * n + 1);
      for (int k = 0; k < c; k++)
        for (int j = 0; j < n; j++) {{ {BODIES[body]} }}
    }}"""
    kernel = polycl.load(text, language="cl").kernel("k")
    random = np.random.default_rng(0)
    values = random.uniform(-1, 1, GROUPS * PLANES * n + 1).astype(np.float32)
    scales = random.uniform(-1, 1, PLANES).astype(np.float32)
    found: list[tuple[np.ndarray, np.ndarray]] = []
    for device in (polycl.device("interp"), polycl.device("cpu", contract=False)):
        x, y = values.copy(), np.zeros_like(values)
        sizes = np.int32(PLANES), np.int32(n)
        kernel(x, scales, y, *sizes, global_size=GROUPS, local_size=16, device=device)
        found.append((x, y))
    for ours, expected in zip(found[1], found[0], strict=True):
        assert np.array_equal(ours, expected)
