"""Groups that wait for the one before, as sums over whole arrays in one launch do."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

SUMS = """
kernel void sums(global const int *in, global int *out, global atomic_int *ready)
{
  int group = get_group_id(0), size = get_local_size(0);
  if (get_local_id(0) == 0) {
    int sum = 0;
    for (int k = 0; k < size; k++)
      sum += in[group * size + k];
    if (group > 0) {
      while (!atomic_load_explicit(&ready[group - 1], memory_order_acquire, memory_scope_device))
        ;
      sum += out[group - 1];
    }
    out[group] = sum;
    atomic_store_explicit(&ready[group], 1, memory_order_release, memory_scope_device);
  }
}
"""


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_groups_start_in_order(threads: int) -> None:
    """OpenCL promises no order, but every other runtime starts groups in the order of their ids."""
    groups, size = 1000, 16
    values = np.arange(groups * size, dtype=np.int32)
    out, ready = np.zeros((2, groups), np.int32)
    kernel = polycl.load(SUMS, ("-cl-std=CL3.0",), language="cl").kernel("sums")
    kernel(
        values,
        out,
        ready,
        global_size=groups * size,
        local_size=size,
        device=polycl.device("cpu", threads=threads),
    )
    assert (out == values.reshape(groups, size).sum(axis=1).cumsum()).all()
