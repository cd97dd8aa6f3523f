"""The judge's process: builds and launches kernels on the first OpenCL platform that it finds.

The environment that makes the platform visible must be set when the process starts, and a
kernel that crashes the platform takes this process down and nothing else.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
import warnings
from typing import IO, Any

import numpy as np
import pyopencl as cl

from judge.messages import Failure, Job, LocalBytes, Verdict, as_bytes, receive, send

# Both sides of a comparison must round each operation: no a*b+c in one rounding, and division
# and square root as IEEE 754 says. Unoptimised: Intel's 2026.2.0 with optimisation has a wrong
# mad_sat (mad_sat(14458706, 3, -166248306) gives INT_MAX).
PROLOGUE = b"#pragma OPENCL FP_CONTRACT OFF\n#line 1\n"
OPTIONS = ["-cl-kernel-arg-info", "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-opt-disable"]

# After each buffer: a kernel that writes behind its end is not fit to compare anything with.
GUARD = np.full(256, 0xA5, np.uint8)

SCALARS = {
    **{"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16},
    **{"int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64},
    **{"half": np.float16, "float": np.float32, "double": np.float64, "size_t": np.uint64},
}


class Court:
    """An OpenCL context with the programs built so far."""

    def __init__(self) -> None:
        platforms = cl.get_platforms()
        self.context = cl.Context([platforms[0].get_devices()[0]])
        self.queue = cl.CommandQueue(self.context)
        self.programs: dict[tuple[bytes, tuple[str, ...]], cl.Program] = {}

    def describe(self) -> str:
        device = self.context.devices[0]
        return f"{device.platform.name}, driver {device.driver_version}"

    def run(self, job: Job) -> dict[int, np.ndarray]:
        kernel = cl.Kernel(self._program(job), job.kernel)
        if kernel.num_args != len(job.args):
            raise ValueError(f"{job.kernel} takes {kernel.num_args} arguments, not {len(job.args)}")
        buffers: dict[int, cl.Buffer] = {}
        for i, arg in enumerate(job.args):
            kernel.set_arg(i, self._argument(kernel, i, arg, buffers))
        cl.enqueue_nd_range_kernel(
            self.queue, kernel, job.global_size, job.local_size, job.global_offset
        )
        self.queue.finish()
        return {i: self._read(buffer, job.args[i], i) for i, buffer in buffers.items()}

    def _program(self, job: Job) -> cl.Program:
        key = (job.source, job.options)
        if key not in self.programs:
            program = cl.Program(self.context, (PROLOGUE + job.source).decode("latin-1"))
            self.programs[key] = program.build([*job.options, *OPTIONS])
        return self.programs[key]

    def _argument(self, kernel: cl.Kernel, i: int, arg: Any, buffers: dict[int, cl.Buffer]) -> Any:
        match arg:
            case np.ndarray():
                data = np.concatenate([np.frombuffer(arg.tobytes(), np.uint8), GUARD])
                flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
                buffers[i] = cl.Buffer(self.context, flags, hostbuf=data)
                return buffers[i]
            case LocalBytes():
                return cl.LocalMemory(arg.count)
            case None:
                return None
            case np.generic():
                return as_bytes(arg)
            case _:
                name = str(kernel.get_arg_info(i, cl.kernel_arg_info.TYPE_NAME))
                if name not in SCALARS:
                    raise ValueError(f"argument {i} of type {name} needs a typed value, not {arg}")
                return SCALARS[name](arg)

    def _read(self, buffer: cl.Buffer, like: np.ndarray, i: int) -> np.ndarray:
        data = np.empty(like.nbytes + GUARD.size, np.uint8)
        cl.enqueue_copy(self.queue, data, buffer)
        if not np.array_equal(data[like.nbytes :], GUARD):
            raise ValueError(f"the kernel wrote behind the end of argument {i}")
        return data[: like.nbytes].view(like.dtype).reshape(like.shape)


def printed(file: IO[bytes]) -> str:
    """What was written to standard output since the last call."""
    ctypes.CDLL(None).fflush(None)
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    text = file.read(size).decode("latin-1")
    file.seek(0)
    file.truncate()
    return text


def main() -> None:
    warnings.simplefilter("ignore", cl.CompilerWarning)
    # A kernel's printf writes to descriptor 1: keep the pipe elsewhere.
    jobs, verdicts = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    output = tempfile.TemporaryFile()
    os.dup2(output.fileno(), 1)
    try:
        court = Court()
    except (cl.Error, IndexError) as error:
        send(verdicts, Failure(f"no OpenCL device: {error}"))
        sys.exit(1)
    send(verdicts, court.describe())
    while True:
        try:
            job = receive(jobs)
        except EOFError:
            return
        try:
            arrays = court.run(job)
            send(verdicts, Verdict(arrays, printed(output)))
        except (cl.Error, ValueError, TypeError, OverflowError) as error:
            send(verdicts, Failure(str(error)))


if __name__ == "__main__":
    main()
