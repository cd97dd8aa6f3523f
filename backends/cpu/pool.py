"""The threads that help with launches; pool.ll is what they do, and how.

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
from polycl.backends.cpu.jit import NativeCode, native_code

_POOL_BYTES = 1024
_WORKERS = 520
"""Where in the pool's memory the number of workers is, an i32."""

_CONSTANTS = {
    # How long a worker looks out for the next launch before it sleeps.
    "SPIN_NS": "50000",
    # A launch that takes less runs on the thread that made it: to wake another costs as much.
    "SHORT_NS": "5000",
    # x86-64 numbers system calls in its own way; later Linux ports share one table.
    "FUTEX": {"x86_64": "202"}.get(platform.machine(), "98"),
    "PAUSE": {
        "x86_64": "call void @llvm.x86.sse2.pause()",
        "aarch64": "call void @llvm.aarch64.hint(i32 1)",
    }.get(platform.machine(), ""),
}
"""The words in pool.ll that Python fills in."""

_memory = aligned_memory(_POOL_BYTES)
address = _memory.ctypes.data
"""Of the state that pool.ll describes."""

workers: list[threading.Thread] = []
"""In order; worker i is thread i + 1 of a launch."""

_lock = threading.Lock()
_code_lock = threading.Lock()


def _code() -> NativeCode:
    # One for all threads: workers never leave it.
    with _code_lock:
        return _compiled()


@cache
def _compiled() -> NativeCode:
    text = Path(__file__).with_name("pool.ll").read_text(encoding="utf-8")
    for word, value in _CONSTANTS.items():
        text = text.replace(word, value)
    # Optimised, it takes ten times as long to compile, and no less to run.
    return native_code(text, ["polycl_launch", "polycl_worker", "polycl_stop"], level=0)


@cache
def launcher() -> Callable[[int], None]:
    """`launch(address)` of pool.ll. It runs without Python's lock."""
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_code().addresses["polycl_launch"])


def start_workers(count: int) -> None:
    """Have at least `count` workers, or as many as the system allows."""
    with _lock:
        if not workers:
            atexit.register(_stop)
        enter = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
        work = enter(_code().addresses["polycl_worker"])
        for number in range(len(workers) + 1, count + 1):
            # A daemon: Python waits for other threads before it calls _stop.
            name = f"polycl-{number}"
            thread = threading.Thread(target=work, args=(address, number), name=name, daemon=True)
            try:
                thread.start()
            except RuntimeError:
                # There are too many threads: a launch needs no help.
                break
            workers.append(thread)
        _memory[_WORKERS : _WORKERS + 4].view(np.int32)[0] = len(workers)


def _stop() -> None:
    """Before the memory of their code is given back."""
    stop = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_code().addresses["polycl_stop"])
    stop(address)
    for worker in workers:
        worker.join()
    workers.clear()


def _forget_workers() -> None:
    """A forked process has none of its parent's threads, and locks that nobody will release."""
    global _lock, _code_lock
    _lock, _code_lock = threading.Lock(), threading.Lock()
    workers.clear()
    atexit.unregister(_stop)
    _memory[:] = 0


os.register_at_fork(after_in_child=_forget_workers)
