"""`wg-unit-strides` keeps every bit, whatever the stride is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.remarks import collect_remarks

KERNELS = {
    "dot": """
kernel void k(global const float *p, global float *out, int n, int s, int t) {
  int i = get_global_id(0);
  float sum = 0;
  while (i < n) { sum += p[i * s + 100] * p[t * i + 100]; i += get_global_size(0); }
  out[get_global_id(0)] = sum;
}""",
    "swap": """
kernel void k(global const float *p, global float *out, int n, uint s, long t) {
  uint i = get_global_id(0);
  if (i >= n) return;
  out[100 + i * t] = p[100 - (i - get_global_id(0)) + s * i] + out[100 + i * t];
}""",
    "rows": """
kernel void k(global const float *p, global float *out, int n, int s, int t) {
  int i = get_global_id(0);
  for (int j = 0; j < n; j++) out[100 + i] += p[i * s + 100] * p[i * t + j + 100];
}""",
    "dilation": """
kernel void k(global const float *p, global float *out, int n, int s, int t) {
  int i = get_global_id(0);
  for (int j = 0; j < 5; j++) {
    int at = j * t + s * i - 3;
    out[100 + i] += at >= 0 && at < n ? p[at + 100] : j;
  }
}""",
}


def run(kernel: str, strides: tuple[int, int], device: str, **options: Any) -> NDArray[np.float32]:
    random = np.random.default_rng(1)
    out = random.random(300, np.float32)
    polycl.load(KERNELS[kernel].encode(), language="cl").kernel("k")(
        random.random(300, np.float32),
        out,
        np.int32(37),
        *strides,
        global_size=32,
        local_size=16,
        device=polycl.device(device, **options),
    )
    return out


@pytest.mark.parametrize("kernel", KERNELS)
def test_keeps_every_bit(kernel: str):
    for strides in ((1, 1), (1, 2), (2, 1), (3, 3)):
        expected = run(kernel, strides, "interp")
        with collect_remarks() as remarks:
            found = run(kernel, strides, "cpu", contract=False)
        np.testing.assert_array_equal(found, expected, f"{kernel}, {strides}")
        assert any(remark.pass_name == "wg-unit-strides" for remark in remarks)
