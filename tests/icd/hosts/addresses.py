"""Program-scope variables whose initial values are addresses, on the driver."""

import numpy as np
import pyopencl as cl

(platform,) = cl.get_platforms()
context = cl.Context(platform.get_devices())
queue = cl.CommandQueue(context)
SOURCE = """
struct pair { char c; int n[3]; };
global int a[4] = {1, 2, 3, 4};
global struct pair s = {0, {5, 6, 7}};
global int *p = &a[1], *end = a + 4, *inner = &s.n[2];
int *anywhere = a;
global int *global *pp = &p;
kernel void step(global int *out) {
  out[0] = *p; out[1] = end[-1]; out[2] = *inner; out[3] = *anywhere; out[4] = **pp;
  out[5] = (int)(end - p);
  p++;
  *inner += 10;
}
"""
program = cl.Program(context, SOURCE).build(["-cl-std=CL3.0"])
for round in range(3):
    out = np.zeros(6, np.int32)
    buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR | cl.mem_flags.READ_WRITE, hostbuf=out)
    program.step(queue, (1,), None, buffer)
    cl.enqueue_copy(queue, out, buffer)
    assert list(out) == [2 + round, 4, 7 + 10 * round, 1, 2 + round, 3 - round], (round, out)
print("ok")
