"""Lanes that take the next work-items when half of them have left a loop (`wg-vectorize`): results
are the interpreter's, whichever form the program has measured."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.cpu import CpuDevice
from polycl.remarks import collect_remarks

LOOPS = {
    "a break": "uint h = v % 61; while (x[h] != 0) { if (x[h] == (v & 7)) { s = h; break; }"
    " h = (h + 1) % 61; }",
    "no iteration for some": "while (s < (v & 3)) s += 1 + x[i & 31] % 2;",
    "what the condition computes": "uint h = v; while ((h = h * 5 + 3) & 12) s += h;",
    "vectors and other widths": "float2 p = (float2)(v & 63, 1); short w = v; ulong u = v;"
    " double d = 1; while (p.x > 0.5f && d < 9) { p = (float2)(p.x * 0.5f + p.y, p.y * 0.5f);"
    " w += 3; u = u * u + w; d += u & 1; } s = u + w + (uint)(16 * p.x + 16 * p.y + d);",
    "stores in the loop": "uint h = v & 255; while (h) { y[4 * i + (h & 3)] = h + s;"
    " h >>= 1 + (h & 1); s++; }",
    "extremes after it": "while ((v >> s & 1) == 0 && s < 31) s++; atomic_max(&z[s & 7], v);",
    "a pointer": "global const uint *p = x + (v & 15); while (*p & 2) p++; s = p - x;",
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_results_are_the_interpreters(name: str) -> None:
    local = (16, 8) if len(name) % 2 else (128, 1)
    text = f"""kernel void k(global const uint *x, global uint *y, global uint *z) {{
      int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
      uint s = 0, v = x[i] / 3;
      {LOOPS[name]}
      y[4 * i] += s;
    }}"""
    kernel = polycl.load(text).kernel("k")
    # Each form runs for some of the groups.
    whole = local[0] * 3, local[1] * 6
    count = whole[0] * whole[1]
    found: list[np.ndarray] = []
    # It keeps the local size.
    cpu = CpuDevice(threads=1, disable=["ocl-free-groups"])
    for device in (polycl.device("interp"), cpu):
        x = (np.arange(count, dtype=np.uint32) * 2654435761) >> np.uint32(7)
        x[:100:7] = 0
        y, z = np.zeros(4 * count, np.uint32), np.zeros(8, np.uint32)
        with collect_remarks() as remarks:
            kernel(x, y, z, global_size=whole, local_size=local, device=device)
        found.append(np.concatenate([y, z]))
    assert any("take the next work-items" in str(r) for r in remarks) == (name != "a pointer")
    np.testing.assert_array_equal(found[1], found[0])
