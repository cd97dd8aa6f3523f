"""Launches with smaller last groups, wide ids and large groups, on the driver."""

import sys
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

(platform,) = cl.get_platforms()
(device,) = platform.get_devices()
context = cl.Context([device])
out_of_order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
assert device.max_work_group_size == 8192
assert device.get_info(cl.device_info.NON_UNIFORM_WORK_GROUP_SUPPORT)

QUERIES = """
kernel void queries(global uint *out, global uint *total, local uint *tile) {
  size_t i = get_global_linear_id(), l = get_local_linear_id();
  size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
  tile[l] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    uint sum = 0;
    for (size_t k = 0; k < n; k++) sum += tile[k];
    atomic_add(total, sum);
  }
  global uint *o = out + 12 * i;
  for (int d = 0; d < 3; d++) {
    o[d] = get_local_size(d);
    o[3 + d] = get_enqueued_local_size(d);
    o[6 + d] = get_group_id(d);
    o[9 + d] = get_num_groups(d);
  }
}
"""
options = ["-cl-std=CL3.0"]
kernel = cl.Program(context, QUERIES).build(options).queries
for queue in (cl.CommandQueue(context), cl.CommandQueue(context, properties=out_of_order)):
    for size, local in [
        ((10,), (4,)),
        ((10,), (16,)),
        ((1000003 if len(sys.argv) == 1 else 259,), (256,)),
        ((7, 5), (3, 2)),
        ((7, 5, 6), (3, 2, 4)),
        ((64, 3), (16, 3)),
    ]:
        count = int(np.prod(size))
        out, total = np.zeros((count, 12), np.uint32), np.zeros(1, np.uint32)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        buffers = [cl.Buffer(context, flags, hostbuf=array) for array in (out, total)]
        tile: Any = cl.LocalMemory(4 * int(np.prod(local)))
        kernel.set_args(*buffers, tile)
        done = cl.enqueue_nd_range_kernel(queue, kernel, size, local)
        cl.enqueue_copy(queue, out, buffers[0], wait_for=[done])
        cl.enqueue_copy(queue, total, buffers[1], wait_for=[done])
        assert total[0] == count, (size, local, total)
        size3, local3 = (*size, 1, 1)[:3], (*local, 1, 1)[:3]
        ids = np.indices(size3[::-1]).reshape(3, count)[::-1]
        for d in range(3):
            groups = ids[d] // local3[d]
            own = np.minimum(local3[d], size3[d] - groups * local3[d])
            assert (out[:, d] == own).all()
            assert (out[:, 3 + d] == local3[d]).all()
            assert (out[:, 6 + d] == groups).all()
            assert (out[:, 9 + d] == -(-size3[d] // local3[d])).all()

queue = cl.CommandQueue(context)
for options in ([], ["-cl-std=CL3.0", "-cl-uniform-work-group-size"]):
    source = "kernel void k(global int *x) { x[get_global_id(0)] = 1; }"
    uniform = cl.Program(context, source).build(options).k
    uniform.set_args(buffers[0])
    with pytest.raises(cl.LogicError, match="INVALID_WORK_GROUP_SIZE"):
        cl.enqueue_nd_range_kernel(queue, uniform, (10,), (4,))

WIDE = """
kernel void wide(global ulong *out, ulong first) {
  int i = get_global_id(0);
  uint u = get_global_id(0);
  global ulong *o = out + 4 * (get_global_id(0) - first);
  o[0] = get_global_id(0);
  o[1] = (long)i;
  o[2] = u;
  o[3] = get_global_offset(0);
}
"""
kernel = cl.Program(context, WIDE).build().wide
for first in (0, 5_000_000_000, 2**31 - 20, 2**40 + 7):
    out = np.zeros((64, 4), np.uint64)
    buffer = cl.Buffer(context, flags, hostbuf=out)
    kernel.set_args(buffer, np.uint64(first))
    cl.enqueue_nd_range_kernel(queue, kernel, (64,), (32,), (first,))
    cl.enqueue_copy(queue, out, buffer)
    ids = first + np.arange(64, dtype=np.int64)
    signed = ids.astype(np.int32).astype(np.int64)
    wanted = np.stack([ids, signed, ids.astype(np.uint32), np.full(64, first)], axis=1)
    assert (out.astype(np.int64) == wanted).all()
print("ok")
