"""`load-chosen`: elements of vectors that a loop's counter chooses are those in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

KERNEL = """
kernel void choose(global float *x, global float *y, global float *z) {
  int i = get_global_id(0);
  BODY
}
"""
PICK = "k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w"
BODIES = {
    "vload": "for (int k = 0; k < 4; k++) { float4 v = vload4(i, x);"
    f" y[4 * i + k] = 2 * ({PICK}); }}",
    "pointer": f"global float4 *p = (global float4 *)x; for (int k = 0; k < 4; k++) {{"
    f" float4 v = p[i]; y[4 * k + i % 4] += ({PICK}); }}",
    "three": "global float3 *p = (global float3 *)x; float3 v = p[i];"
    " for (uint k = 1; k < 4; k++) y[4 * i + k] = k < 2 ? v.x : k > 2 ? v.z : v.y;",
    "before": f"float4 v = vload4(i, x); for (int k = 0; k < 4; k++) y[4 * i + k] = {PICK};",
    # These stay: they are in another order, of two vectors, or may have been written.
    "order": "for (int k = 0; k < 4; k++) { float4 v = vload4(i, x);"
    " y[4 * i + k] = k == 0 ? v.y : k == 1 ? v.x : k == 2 ? v.z : v.w; }",
    "two": "for (int k = 0; k < 2; k++) { float4 v = vload4(i, x), w = vload4(i, z);"
    " y[4 * i + k] = k == 0 ? v.x : w.y; }",
    "written": f"float4 v = vload4(i, x); for (int k = 0; k < 4; k++) x[4 * i + 3 - k] = {PICK};",
}
STAY = ("order", "two", "written")


@pytest.mark.parametrize("body", BODIES)
def test_results_are_those_of_the_interpreter(body: str):
    choose = polycl.load(KERNEL.replace("BODY", BODIES[body]), language="cl").kernel("choose")
    with collect_remarks() as remarks:
        results: list[list[np.ndarray[Any, Any]]] = []
        for device in ("cpu", "interp"):
            arrays = [np.arange(64, dtype=np.float32) * k + 1 for k in (1, 3, 5)]
            choose(*arrays, global_size=16 if body != "pointer" else 4, device=device)
            results.append(arrays)
    for found, right in zip(*results, strict=True):
        assert found.tobytes() == right.tobytes()
    chosen = any(remark.pass_name == "load-chosen" for remark in remarks)
    assert chosen == (body not in STAY)


def test_a_buffer_that_overlaps():
    """Each choice is of the vector as it was before the loop, which writes to it."""
    choose = polycl.load(KERNEL.replace("BODY", BODIES["before"]), language="cl").kernel("choose")
    memory, other = np.arange(8, dtype=np.float32), np.zeros(4, np.float32)
    choose(memory[:4], memory[1:5], other, global_size=1, device="cpu")
    assert memory.tolist() == [0, 0, 1, 2, 3, 5, 6, 7]
