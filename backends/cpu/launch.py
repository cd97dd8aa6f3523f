"""Launches of native code: the args block is filled, work-groups are spread over threads."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute

from polycl.backends.cpu.jit import NativeCode
from polycl.backends.cpu.printf import PrintfBuffer, PrintfFormat
from polycl.backends.device import Executable, KernelArg, LocalMemory, NDRange, Size3
from polycl.dialects.ocl.layout import round_up, size_of
from polycl.errors import ArgumentError
from polycl.lowering.launch_abi import (
    FIELDS,
    SCRATCH_ALIGNMENT,
    ArgsBlock,
    args_block,
    is_local_pointer,
)

CHUNKS_PER_THREAD = 8
"""Into how many parts a thread's share is cut: a thread that is late has less to do."""

_ENTRY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
"""`k(args, scratch, begin, end)`. Called through it, the code runs without Python's lock."""


@cache
def thread_pool(workers: int) -> ThreadPoolExecutor:
    """The threads that help the caller; they live as long as the process."""
    return ThreadPoolExecutor(workers, thread_name_prefix="polycl")


def aligned_memory(nbytes: int, alignment: int = SCRATCH_ALIGNMENT) -> NDArray[np.uint8]:
    """Zeroed memory whose first byte is aligned."""
    memory = np.zeros(nbytes + alignment, np.uint8)
    start = -memory.ctypes.data % alignment
    return memory[start : start + nbytes]


class CpuExecutable(Executable):
    """A kernel as native code for one local size."""

    def __init__(
        self,
        name: str,
        types: Sequence[Attribute],
        local_size: Size3,
        code: NativeCode,
        *,
        scratch_bytes: int,
        formats: Sequence[PrintfFormat],
        threads: int,
    ):
        self.name = name
        self.block: ArgsBlock = args_block(types)
        self.local_size = local_size
        self.scratch_bytes = scratch_bytes
        self.formats = tuple(formats)
        self.threads = threads
        self.code = code
        self.entry = _ENTRY(code.addresses[name])

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        self.prepare(args, ndrange)()

    def prepare(self, args: Sequence[KernelArg], ndrange: NDRange) -> PreparedLaunch:
        """A launch with everything ready: calling it costs no argument handling.

        Raises:
            ArgumentError: the arguments or the local size are not those of this kernel.
        """
        if ndrange.local_size != self.local_size:
            raise ArgumentError(
                f"kernel '{self.name}' was compiled for the local size {self.local_size}, "
                f"got {ndrange.local_size}"
            )
        if len(args) != len(self.block.types):
            raise ArgumentError(
                f"kernel '{self.name}' takes {len(self.block.types)} arguments, got {len(args)}"
            )
        return PreparedLaunch(self, args, ndrange)


class PreparedLaunch:
    """One launch that can be made again and again, but not by two threads at the same time."""

    def __init__(self, executable: CpuExecutable, args: Sequence[KernelArg], ndrange: NDRange):
        self._executable = executable
        self._keep = tuple(args)
        nx, ny, nz = ndrange.num_groups
        self._groups = nx * ny * nz
        self._printf = PrintfBuffer(executable.formats) if executable.formats else None
        scratch_bytes = round_up(executable.scratch_bytes, SCRATCH_ALIGNMENT)
        self._block, scratch_bytes = self._fill(args, ndrange, scratch_bytes)
        workers = max(1, min(executable.threads, self._groups))
        self._scratch = [aligned_memory(scratch_bytes) for _ in range(workers)]
        self._block_address = self._block.ctypes.data
        self._scratch_addresses = [memory.ctypes.data for memory in self._scratch]
        self._chunk = max(1, self._groups // (workers * CHUNKS_PER_THREAD))
        self._launch = self._run_alone if workers == 1 else self._run_together

    def __call__(self) -> None:
        if self._printf is None:
            self._launch()
            return
        self._launch()
        sys.stdout.write(self._printf.take_text())
        sys.stdout.flush()

    def _run_alone(self) -> None:
        self._executable.entry(self._block_address, self._scratch_addresses[0], 0, self._groups)

    def _run_together(self) -> None:
        """Chunks of groups go to whoever is free; the caller works, too."""
        chunks = count()
        helpers = thread_pool(self._executable.threads - 1)
        futures: list[Future[None]] = [
            helpers.submit(self._work, scratch, chunks) for scratch in self._scratch_addresses[1:]
        ]
        self._work(self._scratch_addresses[0], chunks)
        for future in futures:
            # A helper that has not begun would find nothing to do.
            if not future.cancel():
                future.result()

    def _work(self, scratch: int, chunks: count[int]) -> None:
        entry, block, groups, size = (
            self._executable.entry,
            self._block_address,
            self._groups,
            self._chunk,
        )
        for chunk in chunks:
            begin = chunk * size
            if begin >= groups:
                return
            entry(block, scratch, begin, min(begin + size, groups))

    def _fill(
        self, args: Sequence[KernelArg], ndrange: NDRange, scratch: int
    ) -> tuple[NDArray[np.uint8], int]:
        """The args block, and the bytes of scratch memory that a thread needs."""
        layout = self._executable.block
        block = aligned_memory(layout.size)
        for position, (type, offset, arg) in enumerate(
            zip(layout.types, layout.offsets, args, strict=True)
        ):
            if is_local_pointer(type):
                if not isinstance(arg, LocalMemory):
                    raise self._mismatch(position, type, arg)
                data = scratch.to_bytes(8, "little")
                scratch += round_up(arg.nbytes, SCRATCH_ALIGNMENT)
            else:
                data = self._argument(position, type, arg)
            block[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
        fields = block[layout.fields :].view(np.int64)
        values = (
            *ndrange.global_size,
            *ndrange.local_size,
            *ndrange.num_groups,
            *ndrange.global_offset,
            ndrange.work_dim,
            self._printf.address if self._printf is not None else 0,
        )
        assert len(values) == len(FIELDS)
        fields[:] = values
        return block, scratch

    def _argument(self, position: int, type: Attribute, arg: KernelArg) -> bytes:
        match arg:
            case None:
                return bytes(8)
            case np.ndarray():
                return arg.ctypes.data.to_bytes(8, "little")
            case bytes() if len(arg) == size_of(type):
                return arg
            case _:
                raise self._mismatch(position, type, arg)

    def _mismatch(self, position: int, type: Attribute, arg: Any) -> ArgumentError:
        return ArgumentError(
            f"kernel '{self._executable.name}': argument {position} is no value for {type}: "
            f"{arg!r:.60}"
        )
