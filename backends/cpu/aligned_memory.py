"""Memory that native code reads and writes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polycl.lowering.wg.launch_abi import SCRATCH_ALIGNMENT


def aligned_memory(nbytes: int, alignment: int = SCRATCH_ALIGNMENT) -> NDArray[np.uint8]:
    """Zeroed memory whose first byte is aligned."""
    memory = np.zeros(nbytes + alignment, np.uint8)
    start = -memory.ctypes.data % alignment
    return memory[start : start + nbytes]
