"""`simplify-breaks`: what a loop counts before it breaks is what the interpreter counts."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

KERNEL = """
kernel void find(global uchar *text, global uchar *pattern, global int *out, int m) {
  int r = get_global_id(0);
  int i = START, last = -1, k = 0;
  LOOP
  out[3 * r] = i; out[3 * r + 1] = last; out[3 * r + 2] = k;
}
"""
LOOPS = {
    "match": "for (i = 0; i < m; i++) if (text[r + i] != pattern[i]) break;",
    "from an id": "for (; i < m; i++) { if (text[i] != pattern[r]) break; last = text[i]; }",
    "backwards": "for (i = m - 1; i >= 0; i--) if (text[r + i] == pattern[i]) break;",
    "two breaks": "for (i = 0; i < m; i++) { if (text[r + i] == 3) { k = 7; break; }"
    " if (pattern[i] == 2) break; last = i; }",
    "two counters": "for (i = 0; i < m; i += 2, k++) if (text[i + r] == pattern[k]) break;",
    "number of a truth": "while (1) { if (i >= m) break; int f; if (text[i] > 2) f = 1; else f = 0;"
    " if (f == 1 && pattern[i] == 3) break; k += f; k *= 3; i++; }",
    "while": "while (i < m) { if (text[i] == pattern[r] + 1) break; i += 1 + (text[r] & 1); }",
}


@pytest.mark.parametrize("name", LOOPS)
def test_results_are_those_of_the_interpreter(name: str):
    source = KERNEL.replace("LOOP", LOOPS[name]).replace("START", "r % 5")
    find = polycl.load(source, language="cl").kernel("find")
    rng = np.random.default_rng(3)
    text, pattern = (rng.integers(0, 4, 64).astype(np.uint8) for _ in range(2))
    for m in (8, 0):
        found, right = np.zeros(96, np.int32), np.zeros(96, np.int32)
        find(text, pattern, found, m, global_size=32, local_size=16, device="cpu")
        find(text, pattern, right, m, global_size=32, local_size=16, device="interp")
        np.testing.assert_array_equal(found, right)
