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
