"""The worker threads of launches, which run the code of pool.ll.

A worker is a Python thread that enters native code once and stays there, without Python's lock,
until the process ends. So a launch needs no Python on another thread.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from polycl.backends.cpu.aligned_memory import aligned_memory
from polycl.backends.cpu.crash import use_signal_stack
from polycl.backends.cpu.jit import NativeCode, native_code

_POOL_BYTES = 1024
WORKERS = 520
"""The offset of the number of workers, an i32, in the pool's memory."""

_CONSTANTS = {
    # The time that a worker polls for the next launch before it sleeps.
    "SPIN_NS": "50000",
    # A shorter launch runs on the calling thread only: waking another thread takes as long.
    "SHORT_NS": "5000",
    # x86-64 has its own numbers of system calls; later Linux ports share one table.
    "FUTEX": {"x86_64": "202"}.get(platform.machine(), "98"),
    "PAUSE": {
        "x86_64": "call void @llvm.x86.sse2.pause()",
        "aarch64": "call void @llvm.aarch64.hint(i32 1)",
    }.get(platform.machine(), ""),
}
"""The words in pool.ll that Python replaces."""

_memory = aligned_memory(_POOL_BYTES)
address = _memory.ctypes.data
"""The address of the state that pool.ll describes."""

workers: list[threading.Thread] = []
"""The workers in order; worker i is thread i + 1 of a launch."""

_lock = threading.Lock()
_code_lock = threading.Lock()


def _code() -> NativeCode:
    # All threads share the code, which workers never leave.
    with _code_lock:
        return _compiled()


@cache
def _compiled() -> NativeCode:
    text = Path(__file__).with_name("pool.ll").read_text(encoding="utf-8")
    for word, value in _CONSTANTS.items():
        text = text.replace(word, value)
    # Optimisation takes ten times as long and makes it no faster.
    return native_code(text, ["polycl_launch", "polycl_worker", "polycl_stop"], level=0, own=True)


@cache
def launcher() -> Callable[[int], None]:
    """`launch(address)` of pool.ll, which runs without Python's lock."""
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(launcher_address())


def launcher_address() -> int:
    """The address of `launch`, for native code."""
    return _code().addresses["polycl_launch"]


def start_workers(count: int) -> None:
    """Start workers until there are `count`, or as many as the system allows."""
    with _lock:
        if not workers:
            atexit.register(_stop)
        enter = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
        code = enter(_code().addresses["polycl_worker"])

        def work(pool: int, number: int) -> None:
            use_signal_stack()
            code(pool, number)

        for number in range(len(workers) + 1, count + 1):
            # A daemon: Python waits for other threads before it calls _stop.
            name = f"polycl-{number}"
            thread = threading.Thread(target=work, args=(address, number), name=name, daemon=True)
            try:
                thread.start()
            except RuntimeError:
                # The system allows no more threads; a launch works with fewer workers.
                break
            workers.append(thread)
        _memory[WORKERS : WORKERS + 4].view(np.int32)[0] = len(workers)


def _stop() -> None:
    """Stop the workers before the memory of their code is freed."""
    stop = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_code().addresses["polycl_stop"])
    stop(address)
    for worker in workers:
        worker.join()
    workers.clear()


def _forget_workers() -> None:
    """A forked process has no threads of its parent, and no thread releases its locks."""
    global _lock, _code_lock
    _lock, _code_lock = threading.Lock(), threading.Lock()
    workers.clear()
    atexit.unregister(_stop)
    _memory[:] = 0


os.register_at_fork(after_in_child=_forget_workers)
