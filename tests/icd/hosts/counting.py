"""Two host threads count into the same elements: the code that locks memory, and the code of
launches that run alone, which is compiled while the first launches run."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void count(global int *bins, int step, local int *sum, global const int *keys) {
  int l = get_local_id(0);
  sum[l] = keys[get_global_id(0)] + step;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(bins + (sum[get_local_size(0) - 1 - l] & 7), 1);
  atomic_max(bins + 8, sum[l]);
}"""
SIZE, LAUNCHES = 64 * 256, 400

context = cl.create_some_context(interactive=False)
assert context.devices[0].max_compute_units == 2
program = cl.Program(context, SOURCE).build()
keys = np.random.default_rng(1).integers(0, 100, SIZE).astype(np.int32)
flags = cl.mem_flags
bins = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=np.zeros(9, np.int32))
data = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=keys)


def kept() -> int:
    return sum(path.is_file() for path in Path(os.environ["POLYCL_CACHE_DIR"]).rglob("*"))


def count(goes_on: Callable[[], bool], more: int = LAUNCHES) -> int:
    """Launches while it `goes_on`, and `more`; returns their number."""
    queue, kernel = cl.CommandQueue(context), cl.Kernel(program, "count")
    tile: Any = cl.LocalMemory(256)
    number, left = 0, more
    while left:
        kernel.set_args(bins, np.int32(8 * (number % 5)), tile, data)
        cl.enqueue_nd_range_kernel(queue, kernel, (SIZE,), (64,))
        if number % 3 == 0:
            queue.finish()
        number += 1
        left -= not goes_on()
    queue.finish()
    return number


launches = count(lambda: False, 1)
before = kept()
until = time.monotonic() + 30
is_compiled = sys.argv[1] == "again"


def waits() -> bool:
    return not is_compiled and kept() == before and time.monotonic() < until


with ThreadPoolExecutor(2) as pool:
    launches += sum(pool.map(count, [waits, waits]))
found = np.empty(9, np.int32)
cl.enqueue_copy(cl.CommandQueue(context), found, bins)
expected = np.bincount(keys & 7, minlength=8) * launches
assert found[:8].tolist() == expected.tolist(), (found, expected)
assert found[8] == keys.max() + 32
assert is_compiled == (kept() == before)
