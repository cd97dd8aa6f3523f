"""`share-values` where the same text does not compute the same: results are the interpreter's."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

SOURCES = {
    "aliases": """
        int a = x[i]; y[i] = a + 1; int b = x[i]; y[i + n] = b * 2; int c = x[i];
        y[i + 2 * n] = a + b + c;""",
    "other_array": """
        int a = x[i]; y[i] = a; y[i] = x[i] + 1; int b = y[i]; x[i] = b; x[i] = b + y[i];
        if (i & 1) { y[i] += x[i]; x[i] = 3; y[i] -= x[i]; } else { a += x[i]; y[i] += a + x[i]; }
        y[i + n] = x[i] + y[i];
        for (int j = 0; j < 3; ++j) { y[i + 2 * n] = x[i] + j; x[i] += y[i + 2 * n]; }""",
    "spaces": """
        int t[3] = {x[i], 1, 2}; local int l[8]; l[i & 7] = x[i]; t[i % 3] += x[i] + l[i & 7];
        y[i] = t[i % 3] + x[i]; t[(i + 1) % 3] = x[i]; y[i + n] = t[0] + l[i & 7] + t[2] + x[i];""",
    "branches": """
        int a = 0;
        if (i & 1) a = x[i] * 3 + i; else a = x[i] * 3 - i;
        y[i] = a + (x[i] * 3 + i);""",
    "loop": """
        int sum = 0;
        for (int j = 0; j < i % 5; ++j) { sum += x[j] + x[j]; x[n + i] = sum; sum += x[n + i]; }
        y[i] = sum + x[0];""",
    "atomics": """
        int a = atomic_add(&y[i], 1); int b = atomic_add(&y[i], 1); y[i + n] = a * 10 + b;""",
    "volatile": """
        volatile global int *v = x; y[i] = v[i] + v[i]; v[i] = 7; y[i + n] = v[i];""",
    "division": """
        int d = x[i] & 3; int a = 0;
        if (d) a = 100 / d;
        y[i] = a + (d > 1 ? 100 / d : 0);""",
    "barrier": """
        local int t[8]; int l = get_local_id(0);
        t[l] = x[i]; barrier(CLK_LOCAL_MEM_FENCE);
        int a = t[7 - l]; barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = a + 1; barrier(CLK_LOCAL_MEM_FENCE);
        y[i] = a - t[7 - l];""",
    "components": """
        global int4 *v = (global int4 *)x, *w = (global int4 *)y;
        v[i].xyz += i; v[i].y *= v[i].w; w[i] = v[i] + 1; v[i].x = w[i].x; w[i].z = v[i].x + w[i].y;
        if (i & 1) { v[i].w = w[i].w; w[i] += v[i]; }
        v[i] -= w[i];""",
    "chosen_component": """
        global int4 *v = (global int4 *)x;
        int4 a = v[i]; v[i].x = a.y; ((global int *)&v[i])[i & 3] = 9;
        y[i] = v[i].x + 3 * v[i].w;""",
    "record": """
        typedef struct { int4 at; int3 by; } Item;
        global Item *items = (global Item *)(i < n / 2 ? x : y); int k = i % (n / 2);
        items[k].at.xyz += items[k].by; items[k].by.y = -items[k].at.y;
        if (items[k].at.z > 40) items[k].by *= 2;
        items[k].at.w = items[k].by.x + items[k].at.x;""",
}
ALIASING = ("aliases", "other_array", "components")


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("one_buffer", [False, True])
def test_results_are_the_interpreters(name: str, one_buffer: bool):
    n = 32
    head = "kernel void k(global int *x, global int *y, int n) { int i = get_global_id(0);"
    text = f"{head}{SOURCES[name]}\n}}"
    results: list[np.ndarray] = []
    for device in ("cpu", "interp"):
        x = np.arange(4 * n, dtype=np.int32) * 7
        y = x if one_buffer and name in ALIASING else np.zeros(4 * n, np.int32)
        polycl.load(text).kernel("k")(
            x, y, n, global_size=n, local_size=8, device=polycl.device(device)
        )
        results.append(np.concatenate([x, y]))
    assert (results[0] == results[1]).all()
