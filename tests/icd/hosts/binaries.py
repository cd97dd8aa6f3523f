"""Programs from binaries; damaged ones are an error, not a crash."""

from typing import Any

import numpy as np
import pyopencl as cl
import pytest

(platform,) = cl.get_platforms()
context = cl.Context(platform.get_devices())
queue = cl.CommandQueue(context)
source = "kernel void k(global int *o) { o[get_global_id(0)] += 7; }"
built = cl.Program(context, source).build()
binaries: Any = built.get_info(cl.program_info.BINARIES)
binary: bytes = binaries[0]
assert built.get_info(cl.program_info.BINARY_SIZES) == [len(binary)]


def load(data: bytes) -> cl.Program:
    return cl.Program(context, context.devices, [data]).build()


values = np.arange(8, dtype=np.int32)
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
buffer = cl.Buffer(context, flags, hostbuf=values)
load(binary).k(queue, values.shape, None, buffer)
found = np.empty_like(values)
cl.enqueue_copy(queue, found, buffer)
assert found.tolist() == list(range(7, 15))

damaged = [binary[:size] for size in (1, 20, 64, 300, 1000, 3000, len(binary) - 1)]
for place in range(0, len(binary), 61):
    changed = bytearray(binary)
    changed[place] ^= 0xFF
    damaged.append(bytes(changed))
for data in damaged:
    with pytest.raises(cl.LogicError, match="INVALID_BINARY"):
        load(data)
print("ok")
