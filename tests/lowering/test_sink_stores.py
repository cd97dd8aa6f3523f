"""`sink-stores`, `remove-dead-stores`: the interpreter's results, where buffers overlap, too."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

SOURCES = {
    "border": """
        if (i == 0 || i >= n - 1) { y[i] = 7; return; }
        y[i] = x[i - 1] + x[i + 1];""",
    "three ways": """
        if (x[i] % 3 == 0) y[i] = 1; else if (x[i] % 3 == 1) y[i] = x[i] * 2; else y[i] = -i;""",
    "more after it": """
        if (x[i] & 1) { y[i] = x[i]; z[i] = i; } else { y[i] = 5; if (i & 2) z[i] = 9; }""",
    "both of two": """
        if (x[i] & 1) { y[i] = i; z[i] = 1; } else { y[i] = 5; z[i] = 2; }""",
    "crossed": """
        if (x[i] & 1) { y[i] = i; z[i] = 1; } else { z[i] = 2; y[i] = 5; }""",
    "stored twice": """
        if (x[i] & 1) { y[i] = i; y[i] += 1; } else { y[i] = 5; y[i] = z[i]; }""",
    "read after it": """
        if (x[i] & 1) { y[i] = i; z[i] = y[i] + y[(i + 1) % n]; } else y[i] = y[i] + 3;""",
    "atomic after it": """
        if (x[i] & 1) { y[i] = i; atomic_add(&y[i], 2); } else y[i] = 4;""",
    "stored before it": """
        x[i] += z[i]; if (x[i] > 90) x[i] = 90; if (x[i] < 40) { x[i] = -x[i]; y[i] = x[i]; }
        z[i] = x[i] - 1;""",
    "two stored before it": """
        y[i] = x[i] + 1; z[i] = x[i] - 1; if (x[i] & 1) { z[i] = y[i]; y[i] = 3; } else x[i] = 9;
        x[i] += y[i] * 5 + z[i];""",
    "read before it": """
        y[i] = x[i]; int a = z[i]; if (a & 1) y[i] = a; else a += z[i % n]; y[i] += a;""",
    "read in the other side": """
        y[i] = x[i]; if (x[i] & 1) y[i] = 5; else x[i] = y[i % n] + 1; x[i] += y[i];""",
    "stored over": """
        y[i] = 5; int a = x[i]; y[i] = a + z[i]; z[i] = y[i]; y[i] = 0; z[i] += 1; x[i] = y[i];
        for (int k = 0; k < (z[i] & 3); k++) y[i] += k;
        y[i] = a;""",
    "in a loop": """
        for (int k = 0; k < 5; k++) {
          y[i] = x[i] * k; if (y[i] & 4) { y[i] = k; if (y[i] & 1) y[i] += 7; } x[i] += y[i];
        }""",
    "fields": """
        typedef struct { int a, b; int2 c; } R; global R *r = (global R *)y;
        if (i < n / 4) {
          r[i].a += 3; r[i].b += r[i].a; r[i].c.x = r[i].b; r[i].c.y -= r[i].c.x;
          if (r[i].a > 9) { r[i].a = 1; r[i].c.x += r[i].b; } else r[i].b = 2;
          r[i].c += r[i].a - r[i].b; if (r[i].c.y > 0) r[i].c = r[i].c.yx; r[i].b += r[i].c.x;
        }""",
    "beside a field": """
        typedef struct { int2 a; int b, c; } R; global R *r = (global R *)y;
        if (i < n / 4) {
          global int *p = (global int *)&r[i].a;
          int b = r[i].b; p[(x[i] & 1) + 2] = 5; z[i] = r[i].b + b; p[2] = 6; z[i] += r[i].b;
        }""",
    "place not known before": """
        if (x[i] > 5) y[z[i] & 15] = y[z[i] & 15] | 1; else if (x[i] > 90) y[i] = 0;""",
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("one_buffer", [False, True])
def test_results_are_the_interpreters(name: str, one_buffer: bool):
    n = 64
    head = "kernel void k(global int *x, global int *y, global int *z, int n)"
    text = f"{head} {{ int i = get_global_id(0); {SOURCES[name]}\n}}"
    # Neighbours do not race where one work-item alone is in a group and they run in order.
    local = 1 if name in ("read after it", "place not known before") else 16
    results: list[np.ndarray] = []
    for device in (polycl.device("cpu", threads=1), polycl.device("interp")):
        x = (np.arange(n, dtype=np.int32) * 37) % 101
        y = np.arange(n, dtype=np.int32)
        z = y if one_buffer else np.arange(n, dtype=np.int32)
        polycl.load(text).kernel("k")(x, y, z, n, global_size=n, local_size=local, device=device)
        results.append(np.concatenate([x, y, z]))
    assert (results[0] == results[1]).all()
