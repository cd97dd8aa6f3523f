"""Kernels that see global ids only, launched in groups that do not suit them."""

import numpy as np
import pyopencl as cl
import pytest

SOURCE = """
kernel void rows(global int *out, int w) {
  int x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  out[y * w + x] += 1000 * y + x + 7 * get_global_size(0);
}
kernel void columns(global int *out, int w) {
  int x = get_global_id(1) - get_global_offset(1), y = get_global_id(0) - get_global_offset(0);
  out[y * w + x] += 1000 * x + y + 7 * get_global_size(0);
}
kernel void count(global int *out, int w) {
  int x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  atomic_add(&out[(x + y) % w], 1);
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void required(global int *out, int w) {
  int x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  out[y * w + x] += 1000 * y + x + 7 * get_global_size(0);
}
kernel void groups(global int *out, int w) {
  out[get_global_id(1) * w + get_global_id(0)] = 100 * get_local_size(0) + get_local_size(1);
}
"""

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
device = context.devices[0]
program = cl.Program(context, SOURCE).build()


def run(name, shape, local, offset=None):
    width = max(shape)
    out = np.zeros((width, width), np.int32)
    buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=out)
    kernel = cl.Kernel(program, name)
    kernel.set_args(buffer, np.int32(width))
    # Twice: what is outside of the global size would be seen.
    for _ in range(2):
        cl.enqueue_nd_range_kernel(queue, kernel, shape, local, offset)
    cl.enqueue_copy(queue, out, buffer)
    return out


for shape, local, offset in (
    ((64, 64), (8, 8), None),
    ((100, 9), (1, 1), None),
    ((9, 100), (1, 1), (3, 5)),
    ((48, 33), (3, 11), (1, 0)),
    ((1000, 500), (4, 2), None),
    ((1000, 500), None, None),
    ((17, 1), (1, 1), None),
):
    width = max(shape)
    x, y = np.meshgrid(np.arange(width), np.arange(width))
    inside = (x < shape[0]) & (y < shape[1])
    expected = np.where(inside, 2 * (1000 * y + x + 7 * shape[0]), 0)
    assert (run("rows", shape, local, offset) == expected).all(), (shape, local)
    columns = run("columns", shape, local, offset)
    assert (columns == expected.T).all(), (shape, local)
    assert (run("required", shape, (1, 1), offset) == expected).all(), (shape, local)
    counts = np.bincount(((x + y) % width)[inside], minlength=width)
    assert (run("count", shape, local, offset)[0] == 2 * counts).all(), (shape, local)
# What the program can see is as it was.
assert (run("groups", (64, 64), (4, 2)) == 402).all()
kernel = cl.Kernel(program, "required")
info = cl.kernel_work_group_info
assert list(kernel.get_work_group_info(info.COMPILE_WORK_GROUP_SIZE, device)) == [1, 1, 1]
with pytest.raises(cl.LogicError, match="INVALID_WORK_GROUP_SIZE"):
    run("required", (64, 64), (64, 1))
print("ok")
