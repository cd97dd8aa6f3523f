"""What this machine can do at most: multiply-adds, and moving data; and measuring undisturbed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from bench.case import Arg, Case
from polycl.backends.cpu.machine import bandwidth, cycle_seconds, fma_peak, reader

__all__ = ["bandwidth", "cycle_seconds", "fma_peak", "limit_seconds", "reader", "undisturbed"]


@contextmanager
def undisturbed(realtime: bool) -> Iterator[None]:
    """If `realtime`, this thread and those it starts go before all others of the machine.

    Raises:
        PermissionError: the user must not do that.
    """
    if not realtime:
        yield
        return
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def limit_seconds(case: Case, args: list[Arg], threads: int) -> float | None:
    """The time below which no program for this machine can do the case's work, if known."""
    if not case.bytes:
        return None
    held = sum(arg.nbytes for arg in args if isinstance(arg, np.ndarray))
    moving = case.bytes / bandwidth(_size_class(held), threads, case.reads_only) / 1e9
    return max(moving, case.flops / fma_peak(threads) / 1e9)


def _size_class(nbytes: int) -> int:
    """A power of two, so that few are measured; all beyond the caches are one."""
    return 1 << 28 if nbytes > 1 << 26 else 1 << max((nbytes - 1).bit_length(), 14)
