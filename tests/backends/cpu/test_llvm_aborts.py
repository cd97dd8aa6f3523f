"""Code on which LLVM's own vectors end its process is compiled without them."""

from __future__ import annotations

import numpy as np
import pytest

import polycl


@pytest.mark.parametrize("sum", ["s += j", "s += j * 3 + 1", "s -= j"])
def test_sums_of_counters(sum: str) -> None:
    """LLVM computes a sum of counters from the last one, in 33 bits: it has no such vectors."""
    text = f"""kernel void k(global const uint *p, global uint *y) {{
      int x = get_global_id(0);
      uint s = 1;
      for (int j = 0; j < p[x]; j++) {sum};
      y[x] = s;
    }}"""
    p = (np.arange(64, dtype=np.uint32) * 37) % 11
    results = [np.zeros(64, np.uint32) for _ in range(2)]
    for y, name in zip(results, ("cpu", "interp"), strict=True):
        polycl.load(text).kernel("k")(p, y, global_size=64, local_size=32, device=name)
    assert (results[0] == results[1]).all()
