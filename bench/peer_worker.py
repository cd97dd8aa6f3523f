"""The process of one other OpenCL runtime, for `compare_peers.py`: pickles in, pickles out.

It must not share a process with another runtime, and the variables that make the runtime visible
must be set when it starts. Messages: `("build", source, kernel, args, sizes)`, where an argument
is an array, the bytes of a value, or the number of bytes of local memory; `("run",)`, answered by
seconds; `("read",)`, answered by the arrays. An error is answered by an `Exception`.
"""

from __future__ import annotations

import os
import pickle
import time
import warnings
from typing import Any

import numpy as np
import pyopencl as cl


class Worker:
    """One device, and the launch that was built last."""

    def __init__(self) -> None:
        self.context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
        self.queue = cl.CommandQueue(self.context)
        self.buffers: dict[int, tuple[cl.Buffer, np.ndarray]] = {}
        self.launch: Any = None

    def describe(self) -> str:
        device = self.context.devices[0]
        return f"{device.platform.name.strip()} {device.driver_version}"

    def build(self, source: str, kernel: str, args: list[Any], sizes: tuple[Any, Any]) -> float:
        """Build, and set the arguments. Returns the seconds that the build took."""
        start = time.perf_counter()
        built: Any = cl.Kernel(cl.Program(self.context, source).build(), kernel)
        seconds = time.perf_counter() - start
        self.buffers = {}
        for index, arg in enumerate(args):
            if isinstance(arg, np.ndarray):
                flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
                buffer = cl.Buffer(self.context, flags, hostbuf=arg)
                self.buffers[index] = buffer, arg
                built.set_arg(index, buffer)
            elif isinstance(arg, int):
                built.set_arg(index, cl.LocalMemory(arg))
            else:
                built.set_arg(index, arg)
        self.launch = lambda: cl.enqueue_nd_range_kernel(self.queue, built, *sizes)
        return seconds

    def run(self) -> float:
        start = time.perf_counter()
        self.launch()
        self.queue.finish()
        return time.perf_counter() - start

    def read(self) -> dict[int, np.ndarray]:
        for buffer, array in self.buffers.values():
            cl.enqueue_copy(self.queue, array, buffer)
        return {index: array for index, (_, array) in self.buffers.items()}


def main() -> None:
    warnings.simplefilter("ignore", cl.CompilerWarning)
    # Runtimes print to descriptor 1: keep the pipe elsewhere.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        worker = Worker()
        answer: Any = worker.describe()
    except (cl.Error, IndexError) as error:
        pickle.dump(RuntimeError(f"no OpenCL device: {error}"), answers)
        answers.close()
        return
    while True:
        pickle.dump(answer, answers)
        answers.flush()
        try:
            name, *values = pickle.load(requests)
        except EOFError:
            return
        try:
            answer = getattr(worker, name)(*values)
        except (cl.Error, ValueError) as error:
            answer = RuntimeError(str(error))


if __name__ == "__main__":
    main()
