"""`carry-indices` on loops that step by data: results are the interpreter's."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

LOOPS = {
    "sieve": "for (int j = i + s[i]; j < n; j += s[i]) x[j * 16 + i] += 1;",
    "downwards": "int j = n - 1; while (j >= 4) { x[j * 16 + i] += j; j -= s[i]; }",
    "flat": "int j = 16 * s[i] + i; do { x[j] += j; j += 16 * s[i]; } while (j < 16 * n);",
    "guarded": """
        int j = i;
        while (j < 16 * n && x[j] != 7) { x[j] = j; j += 16 * s[i]; }
        x[i] += j;""",
    "unsigned": "uint j = i; while (j < 16 * n) { x[(int)j] += 3; j += 16u * (uint)s[i]; }",
    "byte": "uchar j = i; while (j < 200) { x[j] += j; j += 16; if (j < 16) break; }",
    "two": """
        int j = i, k = 16 * (n - 1) + i;
        while (j < k) { int t = x[j]; x[j] = x[k] - t; x[k] = t; j += 16; k -= 16 * s[i]; }
        x[i] += j + k;""",
    "wraps_without_access": """
        int j = i, turns = 0;
        while (turns < 9) { x[16 + i] += 1; x[j & 127] += turns; j += 715827882; turns++; }
        x[i] += turns;""",
    "nested": """
        int j = i;
        while (j < 16 * n) {
            int k = j;
            while (k < 16 * n) { x[k] += 1; k += 16 * s[i] * 2; }
            x[j] += 2; j += 16 * s[i];
        }""",
    "sums": """
        int j = 0, best = 0;
        for (; i + j < 16 * n && j < 16 * n - 3; j += 16) {
            best += x[i + j] * s[i];
            if (best > 900) break;
        }
        x[i] = best + j;""",
    "from_the_end": """
        int j = 16 * n, back = 16 - i;
        while (j - back >= 0 && x[j - back] != 7) { x[j - back] += j; j -= 16; }
        x[i] += j;""",
    "wraps_beside_sums": """
        uint j = 2147483632u;
        while ((int)j > 0) { x[(int)j - 2147483632 + 16 * i] += 1; j++; }
        x[i] += j >> 8;""",
    "wraps_in_another_sum": """
        uint j = 2147483632u;
        while (1 + (int)j > 0) { x[(int)j - 2147483632 + 16 * i] += 1; j++; }
        x[i] += j >> 8;""",
    "unsigned_sums": """
        uint j = 4294967290u, turns = 0;
        while ((int)(j + 5u) < 9) { x[(int)(j + 6u) * 16 + i] += turns; j++; turns++; }
        x[i] += turns;""",
    "no_iteration": """
        int j = 16 * n;
        while (i + j < 16 * n) { x[i + j] = 1; j++; }
        x[i] += j;""",
    "continued": """
        int j = i, count = 0, best = 0;
        while (j < 16 * n && x[j] >= 0) {
            int v = x[j]; j += 16;
            if (v % 3 == 0) { best = max(best, count); count = 0; continue; }
            count++;
        }
        x[i] = best * 100 + count;""",
}


@pytest.mark.parametrize("vectors", [True, False])
@pytest.mark.parametrize("name", LOOPS)
def test_results_are_the_interpreters(name: str, vectors: bool):
    head = "kernel void k(global int *x, global const int *s, int n) { int i = get_global_id(0);"
    source = f"{head} {LOOPS[name]} }}"
    n = 20
    cpu = polycl.device("cpu", disable=[] if vectors else ["wg-vectorize"])
    results: list[np.ndarray] = []
    for device in (cpu, polycl.device("interp")):
        x = np.arange(16 * n, dtype=np.int32)
        steps = np.arange(16, dtype=np.int32) % 4 + 1
        polycl.load(source).kernel("k")(x, steps, n, global_size=16, local_size=8, device=device)
        results.append(x)
    assert (results[0] == results[1]).all()
