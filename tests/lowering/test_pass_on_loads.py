"""`pass-on-loads`: results are the interpreter's, also where the condition did not read, where the
body writes first, and of buffers that overlap."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.device import CpuDevice
from polycl.remarks import collect_remarks

SOURCES = {
    "a probe": ("while (x[s] != 0) { if (x[s] == z[i]) break; if (s++ > 61) break; }", True),
    "a second condition": ("while (n > s && x[s] != 7) s += x[s] & 3 ? 1 : 2;", True),
    "not read": ("while (s < n || x[s & 63] > 40) { s += x[s & 63] + 1; if (s > 99) break; }",
                 False),
    "by an address that is read": ("while (x[z[s] & 63] > 30) { s = x[z[s] & 63] & 63;"
                                   " if (t++ > 40) break; }", True),
    "in a branch": ("while (x[s] > 9) { if (s & 1) s = x[s] & 63; else s++; if (t++ > 40) break; }",
                    True),
    "in an inner loop": ("while (x[s] > 9) { int m = 0; for (int k = 0; k < 3; k++) m += x[s];"
                         " s = s + 1 + (m & 7); if (s > 60) break; }", True),
    "moved on": ("while (x[s] > 9) { s++; if (s > 62) break; s += x[s] & 1; }", False),
    "moved in the condition": ("while (s < 60 && x[s++] > 9) s += x[s] & 1;", False),
    "written": ("while (x[s] > 30) { x[s] -= 17; s = x[s] & 1 ? s : i; if (t++ > 40) break; }",
                True),
    "written before": ("while (x[s] > 9) { x[s] = 5; s = x[s] + (s & 32); if (t++ > 40) break; }",
                       False),
    "written in a branch before": ("while (x[s] > 9) { if (s & 2) x[i] = 3; s = (s + x[s]) & 31;"
                                   " if (t++ > 40) break; }", False),
    "another buffer is written": ("while (x[s] > 9) { y[i]++; s = x[s] & 63;"
                                  " if (y[i] > 5) break; }", True),
    "written in the condition": ("while (x[i] > 9 && (x[i] -= 9)) s += x[i];", False),
    "atomically": ("while (x[i] > 9) { atomic_sub(&x[i], 9); s += x[i]; }", False),
    "a merge": ("for (int k = 0; k < 20; k++) if (t >= 9 || (s < 40 && x[s] <= z[t]))"
                " y[k] ^= x[s++]; else y[k] ^= z[t++];", True),
    "surely read": ("for (int k = 0; k < 20; k++) if (s < 60 && x[s] > 30) { t += x[s]; s++; }"
                    " else s += 2; y[1] += t;", True),
    "either read": ("for (int k = 0; k < 20; k++) if (s < 40 ? x[s] > 30 : z[s] > 9)"
                    " { t += x[s]; s++; } else { t -= z[s]; s += 3; } y[1] += t;", True),
    "negated": ("for (int k = 0; k < 20; k++) if (!(s < 60 && x[s] > 30)) s++;"
                " else { t += x[s]; s += 2; } y[1] += t;", True),
    "written between": ("for (int k = 0; k < 20; k++) { int c = s < 60 && x[s] > 30; x[s] = k;"
                        " if (c) t += x[s]; s++; } y[1] += t;", False),
    "written in a side": ("for (int k = 0; k < 20; k++) { if (s < 60 && x[s] > 30)"
                          " { x[s] = k; t += x[s]; } s++; } y[1] += t;", False),
    "written in a test": ("for (int k = 0; k < 20; k++) { if (s < 60 && x[s] > 30 && (x[s] = k))"
                          " t += x[s]; s++; } y[1] += t;", False),
    "volatile": ("volatile global int *v = x; while (v[i] > s) s += 1 + v[i];", False),
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("one_buffer", [False, True])
def test_results_are_the_interpreters(name: str, one_buffer: bool):
    count, row = 32, 64
    body, passed_on = SOURCES[name]
    # Rows of its own for each work-item: nobody reads what another one writes.
    text = f"""kernel void k(global int *x, global int *y, global int *z, int n) {{
      int i = get_global_id(0), s = i, t = 0;
      x += {row} * i; y += {row} * i; z += {row} * i;
      {body}
      y[i] += s;
    }}"""
    results: list[np.ndarray] = []
    for device in (
        CpuDevice(threads=1, enable=["vectors"]),
        polycl.device("interp"),
    ):
        x = (np.arange(count * row, dtype=np.int32) * 37) % 101
        z = (np.arange(count * row, dtype=np.int32) * 53) % 97
        y = x if one_buffer else np.zeros(count * row, np.int32)
        with collect_remarks() as remarks:
            kernel = polycl.load(text).kernel("k")
            kernel(x, y, z, 20, global_size=count, local_size=16, device=device)
        if not results and not one_buffer:
            assert any("[pass-on-loads]" in str(remark) for remark in remarks) == passed_on
        results.append(np.concatenate([x, y, z]))
    assert (results[0] == results[1]).all()
