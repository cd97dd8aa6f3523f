"""Arrays of bytes that are declared as aligned, and accessed as vectors."""

import numpy as np
import pyopencl as cl

(platform,) = cl.get_platforms()
context = cl.Context(platform.get_devices())
queue = cl.CommandQueue(context)
SOURCE = """
kernel void k(global const float8 *in, global float8 *out) {
  local char odd;
  local uchar shared[64 * sizeof(float8)] __attribute__((aligned(32)));
  private uchar own[2 * sizeof(float8)] __attribute__((aligned(32)));
  size_t i = get_global_id(0), l = get_local_id(0);
  if (l == 0) odd = 1;
  *(local float8 *)(shared + 32 * l) = in[i];
  *(private float8 *)(own + 32 * (i & 1)) = in[i] * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = *(local float8 *)(shared + 32 * (l ^ 1)) + *(private float8 *)(own + 32 * (i & 1)) + odd;
}
"""
kernel = cl.Program(context, SOURCE).build().k
data = np.random.default_rng(1).random((256, 8), np.float32)
out = np.zeros_like(data)
flags = cl.mem_flags.COPY_HOST_PTR | cl.mem_flags.READ_WRITE
buffers = [cl.Buffer(context, flags, hostbuf=array) for array in (data, out)]
for local in (2, 8, 64):
    kernel(queue, (256,), (local,), *buffers)
    cl.enqueue_copy(queue, out, buffers[1])
    swapped = data.reshape(128, 2, 8)[:, ::-1].reshape(256, 8)
    np.testing.assert_array_almost_equal(out, swapped + data * 2 + 1, 5)
print("ok")
