"""Another OpenCL runtime, through pyopencl: the one that the environment makes visible."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from bench.case import Arg, LocalBytes
from bench.protocol import Build, aligned_copy


class OpenCLRuntime:
    """Its first device."""

    def __init__(self) -> None:
        warnings.simplefilter("ignore", cl.CompilerWarning)
        self._context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
        self._queue = cl.CommandQueue(self._context)
        device = self._context.devices[0]
        self.title = f"{device.platform.name.strip()} {device.driver_version}"
        self._args: list[Any] = []
        self._initial: dict[int, NDArray[Any]] = {}

    def load(self, args: Sequence[Arg]) -> None:
        self._args, self._initial = [], {}
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        for index, arg in enumerate(args):
            if isinstance(arg, np.ndarray):
                self._initial[index] = arg
                self._args.append(cl.Buffer(self._context, flags, hostbuf=aligned_copy(arg)))
            elif isinstance(arg, LocalBytes):
                self._args.append(cl.LocalMemory(arg.nbytes))
            else:
                self._args.append(arg)

    def prepare(self, build: Build) -> Callable[[], object]:
        # Comments may be in any encoding.
        source = Path(build.path).read_text(encoding="utf-8", errors="replace")
        program = cl.Program(self._context, source).build(list(build.options))
        kernel: Any = cl.Kernel(program, build.kernel)
        kernel.set_args(*self._args)

        def launch() -> None:
            cl.enqueue_nd_range_kernel(self._queue, kernel, build.global_size, build.local_size)
            self._queue.finish()

        return launch

    def restore(self) -> None:
        for index, array in self._initial.items():
            cl.enqueue_copy(self._queue, self._args[index], array)

    def read(self) -> dict[int, NDArray[Any]]:
        found = {index: np.empty_like(array) for index, array in self._initial.items()}
        for index, array in found.items():
            cl.enqueue_copy(self._queue, array, self._args[index])
        return found
