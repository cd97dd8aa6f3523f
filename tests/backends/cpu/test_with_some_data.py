"""Ways that pay with some data only (`polycl port` tries them), beside the interpreter."""

from __future__ import annotations

import numpy as np

import polycl
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.cpu.pipeline import WITH_SOME_DATA

COUNT = """
kernel void count(global const int *data, global uint *out, uint step) {
  local uint bins[40];
  int lid = get_local_id(0), v = data[get_global_id(0)];
  if (lid < 40) bins[lid] = lid;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (v >= 0) atomic_add(&bins[v], step);
  atomic_inc(&bins[lid / 9]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid < 40) atomic_add(&out[lid], bins[lid] & 3);
}
"""


def test_lanes_add_to_the_same_counters() -> None:
    random = np.random.default_rng(2)
    data = np.where(random.random(512) < 0.8, random.integers(0, 3, 512), -1).astype(np.int32)
    data[64:128] = np.arange(64) % 40
    count = polycl.load(COUNT).kernel("count")
    sums = []
    for device in (CpuDevice(enable=WITH_SOME_DATA), "interp"):
        out = np.zeros(40, np.uint32)
        count(data, out, 5, global_size=512, local_size=64, device=device)
        sums.append(list(out))
    assert sums[0] == sums[1]
