"""Program-scope variables (OpenCL 2.0, section 6.5.1), which live from launch to launch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.backends.device import Device


class ProgramMemory:
    """The variables of one program; each device has its own."""

    def __init__(self) -> None:
        self._arrays: dict[tuple[Device, str], NDArray[Any]] = {}

    def array(self, device: Device, name: str, initial: bytes) -> NDArray[Any]:
        """The memory of the variables `name`, whose first content is `initial`."""
        found = self._arrays.get((device, name))
        if found is None:
            # Late: most programs have no such variables, and this takes long to load.
            from polycl.backends.cpu.aligned_memory import aligned_memory

            found = aligned_memory(len(initial))
            found[:] = np.frombuffer(initial, np.uint8)
            self._arrays[device, name] = found
        return found

    def reset(self) -> None:
        """The variables have their initial values again. A bound kernel keeps its memory."""
        self._arrays.clear()
