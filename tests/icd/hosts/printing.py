"""A host program whose kernels print; `test_printf.py` has the text."""

import os

import numpy as np
import pyopencl as cl

SOURCE = r"""
constant char text[] = "in constant memory: \344";
kernel void show(int n, float4 v) {
  printf("ä \\ \t%d %.2v4hlf|%.11s|%c|%p\n", n, v, text + 3, 'x', (global int *)0);
  for (int i = 0; i < n; ++i) printf("%d,", i);
  printf("100%%\n");
}
kernel void flood(global int *x) { printf("%d %d\n", x[0], (int)get_global_id(0)); }
"""

context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
program = cl.Program(context, SOURCE).build()
vector = np.array([1, 2.5, -3, float("nan")], np.float32)
for count in (1, 3):
    program.show(queue, (1,), None, np.int32(count), vector)
queue.finish()
os.write(1, b"between\n")  # what kernels print is written when they are finished
buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=np.zeros(1, np.int32))
program.flood(queue, (50000,), (1,), buffer)
queue.finish()
