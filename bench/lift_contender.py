"""Who takes part in `bench.lift`, and the memory that all of them work on."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HUGE = 2 << 20
"""Bytes of a page that the processor finds without a search."""


@dataclass
class Contender:
    name: str
    call: Callable[[], object]
    """Does the work once."""
    result: Callable[[], NDArray[Any]]
    """Of the last call."""
    slow: bool = False
    """Is not called more often than needed."""
    passes: int = 1
    """How often a call does the work."""
    seconds: list[float] = field(default_factory=list)
    error: float = 0.0
    """The largest of those that were found."""

    @property
    def minimum(self) -> float:
        return min(self.seconds)

    @property
    def median(self) -> float:
        return float(np.median(self.seconds))


def huge_array(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Zeros at the start of a huge page, where the system has such pages."""
    nbytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = mmap.mmap(-1, nbytes + _HUGE)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    whole = np.frombuffer(memory, np.uint8)
    start = -whole.ctypes.data % _HUGE
    return whole[start : start + nbytes].view(dtype).reshape(shape)


def in_huge_pages(values: dict[str, Any]) -> dict[str, Any]:
    """The same values; arrays are copied."""
    moved = dict(values)
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            moved[name] = huge_array(value.shape, value.dtype)
            moved[name][...] = value
    return moved
