"""`wg-unroll-twos`: results are the interpreter's."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

LOOPS = {
    "one or two": ("for (int k = 0; k <= (x & 1); k++) s = s * 3 + p[x + k];", True),
    "none or one": ("for (int k = 0; k < (p[x] & 1); k++) s = s * 3 + p[x + k] + 1;", True),
    "none to two": ("for (int k = 4; k < 4 + p[x] % 3u; k++) s = s * 3 + p[x + k];", True),
    "by steps": ("for (int k = 1; k < (x & 3) + 2; k += 2) s = s * 3 + p[x + k];", True),
    "three deep": ("for (int i = 0; i <= (x & 1); i++) for (int j = 0; j <= (x >> 1 & 1); j++) "
                   "for (int k = 0; k <= (x >> 2 & 1); k++) s = s * 3 + p[x + 9 * i + 3 * j + k];",
                   True),
    "two values": ("for (int k = 0; k <= (x & 1); k++) { int t = s; s = m + p[x + k]; m = t; }",
                   True),
    "no values": ("for (int k = 0; k <= (x & 1); k++) y[2 * x + k] += k + 1;", True),
    "a loop inside": ("for (int k = 0; k <= (x & 1); k++) "
                      "for (int j = 0; j < p[x]; j++) s = s * 3 + j;",
                      True),
    "three": ("for (int k = 0; k <= (x & 3); k++) s = s * 3 + p[x + k];", False),
    "alike": ("for (int k = 0; k <= (n & 1); k++) s = s * 3 + p[x + k];", False),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_results_are_the_interpreters(name: str) -> None:
    loop, unrolled = LOOPS[name]
    text = f"""kernel void k(global const uint *p, global uint *y, int n) {{
      int x = get_global_id(0);
      uint s = 1, m = 2;
      {loop}
      y[2 * x] += s * 5 + m;
    }}"""
    results: list[np.ndarray] = []
    for device in (polycl.device("cpu", threads=1), polycl.device("interp")):
        p = (np.arange(80, dtype=np.uint32) * 37) % 11
        y = np.arange(128, dtype=np.uint32)
        with collect_remarks() as remarks:
            kernel = polycl.load(text).kernel("k")
            kernel(p, y, 3, global_size=64, local_size=32, device=device)
        if not results:
            assert any("[wg-unroll-twos]" in str(remark) for remark in remarks) == unrolled
        results.append(y)
    assert (results[0] == results[1]).all()
