"""`wg-unswitch` keeps every bit, whichever address an argument chooses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.remarks import collect_remarks

CHOICES = {
    "?:": "uint at = flag ? i * n + k : k * n + i;",
    "if": "uint at; if (flag > 1) at = i * n + k; else at = k * n + i;",
    "in an index": "uint at = (flag == 1 ? i : k) * n + (flag == 1 ? k : i);",
    "of the group": "int at = get_group_id(0) < flag ? i * n + k : k * n + i;",
    "two": "int at = flag & 1 ? i * n + k : flag & 2 ? k * n + i : 0;",
}
KERNEL = """
kernel void k(global const float *p, global float *out, uint n, uint flag, local float *tile) {
  uint i = get_global_id(0), j = get_global_id(1);
  tile[get_local_id(1) * get_local_size(0) + get_local_id(0)] = p[j * n + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = tile[0];
  for (uint k = 0; k < n; k++) { CHOICE s += p[at] * p[j * n + k]; }
  out[j * n + i] = s;
}
"""


def run(choice: str, flag: int, device: str, **options: Any) -> NDArray[np.float32]:
    n = 16
    out = np.zeros((n, n), np.float32)
    polycl.load(KERNEL.replace("CHOICE", choice), language="cl").kernel("k")(
        np.random.default_rng(1).random((n, n), np.float32),
        out,
        n,
        flag,
        polycl.Local(4 * 8 * 8),
        global_size=(n, n),
        local_size=(8, 8),
        device=polycl.device(device, **options),
    )
    return out


@pytest.mark.parametrize("choice", CHOICES)
def test_keeps_every_bit(choice: str):
    for flag in range(3):
        expected = run(CHOICES[choice], flag, "interp")
        with collect_remarks() as remarks:
            found = run(CHOICES[choice], flag, "cpu", contract=False)
        np.testing.assert_array_equal(found, expected, f"{choice}, {flag}")
        # Groups that choose by their number are told apart by isl.
        passes = {"wg-unswitch", "wg-split-tiles"}
        assert any(remark.pass_name in passes for remark in remarks)


FLAT = {
    "mirrored": "int u = flag & 1 ? n - 1 - x : x, v = flag & 2 ? n - 1 - y : y; at = v * n + u;",
    "by branches": "int sx = x; if (flag & 1) sx = n - 1 - x; at = y * n + sx;",
    "clamped": "int sx = flag & 1 ? n - x : x - 1; at = y * n + clamp(sx, 0, n - 1);",
    "turned": "at = flag & 1 ? x * n + y : y * n + x;",
    "steps": "int s = flag == 0 ? 1 : flag == 1 ? 2 : 3; at = s * x + y;",
    "bytes": "uchar s = flag & 1 ? 1 : 2; at = (uchar)(s * (uchar)x) + y;",
    "wraps": "uint u = flag & 1 ? n - 2 - x : x + 1; at = u >= n ? 0 : u;",
    "vectors": "int2 q = flag & 1 ? (int2)(n - 1 - x, y) : (int2)(x, y); at = q.y * n + q.x;",
    "pointers": "global const float *q = flag ? p + n - x : p + x + 1; at = y;"
    " if (x) out[y * n + x] = q[y]; if (x) return;",
    "borders": "int u = x + flag - 2; if (flag == 0) u = clamp(u, 0, n - 1); else if (flag == 1)"
    " { if (u < 0) u = -u; } else { if (u >= n) u -= n; } at = y * n + u;",
    "before a loop": "int u = flag & 1 ? n - 1 - x : x; float s = 0;"
    " for (int k = -1; k < flag; k++) s += p[y * n + clamp(u + k, 0, n - 1)]; at = s * 50;",
    "of data": "at = flag & 1 ? (int)(p[x] * n) : (int)(p[y] * n) + x;",
}
MOVE = """
kernel void k(global const float *p, global float *out, int n, int flag) {
  int x = get_global_id(0), y = get_global_id(1), at;
  if (x >= n || y >= n) return;
  CHOICE
  out[y * n + x] = p[at] + flag;
}
"""


def move(choice: str, flag: int, device: str) -> NDArray[np.float32]:
    n = 21
    p = np.random.default_rng(1).random(4 * n * n, np.float32)
    out = np.zeros((n, n), np.float32)
    polycl.load(MOVE.replace("CHOICE", choice), language="cl").kernel("k")(
        p, out, n, flag, global_size=(32, 24), local_size=(16, 8), device=polycl.device(device)
    )
    return out


@pytest.mark.parametrize("choice", FLAT)
def test_versions_without_loops(choice: str):
    with collect_remarks() as remarks:
        for flag in range(4):
            found = move(FLAT[choice], flag, "cpu")
            np.testing.assert_array_equal(found, move(FLAT[choice], flag, "interp"), f"{flag}")
    assert any(remark.pass_name == "wg-unswitch" for remark in remarks)


def test_many_choices_have_few_versions():
    """A later run of the pass does not split each version again."""
    kernel = polycl.load(
        """
    kernel void k(global const float *p, global float *out, int n, int a, int b, int c, int d) {
      int x = get_global_id(0), y = get_global_id(1);
      int u = a ? n - 1 - x : x, v = b ? n - 1 - y : y, at = c ? u * n + v : v * n + u;
      out[y * n + x] = p[at] + p[d ? clamp(u + 1, 0, n - 1) : max(u - 1, 0)];
    }""",
        language="cl",
    ).kernel("k")
    p, out = np.zeros((2, 32, 32), np.float32)
    with collect_remarks() as remarks:
        kernel(p, out, 32, 1, 0, 1, 0, global_size=(32, 32), device="cpu")
    assert 0 < sum(remark.pass_name == "wg-unswitch" for remark in remarks) <= 3
