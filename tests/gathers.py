"""What the tests of gathers share: a launch on two devices, and an array between pages."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

import polycl
from polycl.backends.device import Device

PAGE = mmap.PAGESIZE


def kernel_of(text: str) -> polycl.Kernel:
    return polycl.load(text, language="cl").kernel("k")


def compare(
    kernel: polycl.Kernel, cpu: Device, items: int, *inputs: np.ndarray | np.generic
) -> None:
    """The last input is the output: the same on the interpreter and a device, bit for bit."""
    found: list[np.ndarray] = []
    for device in (polycl.device("interp"), cpu):
        *given, out = inputs
        assert isinstance(out, np.ndarray)
        out = out.copy()
        kernel(*given, out, global_size=items, local_size=64, device=device)
        found.append(out)
    assert np.array_equal(found[0], found[1])


def between_pages(nbytes: int, type: DTypeLike, *, at_end: bool) -> NDArray[Any]:
    """An array at the end or the start of its page, between pages that nothing may read."""
    pages = mmap.mmap(-1, 3 * PAGE)
    whole = np.frombuffer(pages, np.uint8)
    start = whole.ctypes.data
    libc = ctypes.CDLL(None, use_errno=True)
    for page in (0, 2):
        nothing = libc.mprotect(ctypes.c_void_p(start + page * PAGE), PAGE, 0)
        assert nothing == 0
    first = 2 * PAGE - nbytes if at_end else PAGE
    return whole[first : first + nbytes].view(type)
