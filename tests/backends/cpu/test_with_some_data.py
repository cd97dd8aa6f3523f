"""Ways that pay with some data only (`polycl port` tries them), beside the interpreter."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.backends.cpu.device import CpuDevice
from polycl.backends.cpu.pipeline import WITH_SOME_DATA
from polycl.remarks import collect_remarks

SEARCH = """
kernel void find(global const T *sums, global const T *u, global int *out, int n) {
  int i = get_global_id(0), found = -1;
  for (int x = 0; x < n; x++)
    if (sums[x] OP u[i]) { found = x; break; }
  out[i] = found;
}
"""

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


def _arrays(type: str) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Elements and values, in which most searches go through several blocks."""
    random = np.random.default_rng(1)
    dtype = {"float": "f4", "double": "f8", "int": "i4", "uint": "u4"}[type]
    values = np.sort(random.integers(0, 4000, 331))
    wanted = np.append(random.choice(values, 40), [0, 3999, 4000, 1, 3900])
    if dtype[0] != "f":
        return values.astype(dtype), wanted.astype(dtype)
    elements, numbers = values.astype(dtype), wanted.astype(dtype)
    elements[::7], numbers[3] = np.nan, np.nan
    elements[64:192], numbers[4] = np.nan, np.inf
    return elements, numbers


@pytest.mark.parametrize(
    ("type", "comparison", "first"),
    [("float", ">=", 0), ("double", "<", 5), ("int", ">", 3), ("uint", "<=", 0)],
)
def test_searches_in_blocks(type: str, comparison: str, first: int) -> None:
    """Blocks begin anywhere in the array, and elements and values may be NaN."""
    elements, wanted = _arrays(type)
    if comparison[0] == "<":
        elements = elements[::-1].copy()
    elements = elements[first:]
    source = SEARCH.replace("T ", f"{type} ").replace("OP", comparison)
    find = polycl.load(source).kernel("find")
    found = []
    for device in (CpuDevice(enable=WITH_SOME_DATA), "interp"):
        out = np.zeros(wanted.size, np.int32)
        with collect_remarks() as remarks:
            find(elements, wanted, out, elements.size, global_size=out.size, device=device)
        found.append(list(out))
        assert ("searches blocks" in "".join(map(str, remarks))) == (device != "interp")
    assert found[0] == found[1]


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
