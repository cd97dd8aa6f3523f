"""Program-scope variables (OpenCL 2.0, section 6.5.1), which live from launch to launch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.backends.device import Device


class ProgramMemory:
    """The variables of one program; each device has its own."""

    def __init__(self) -> None:
        self._arrays: dict[tuple[Device, str], NDArray[Any]] = {}

    def array(
        self, device: Device, name: str, initial: bytes, addresses: Sequence[int]
    ) -> NDArray[Any]:
        """The memory of the variables `name`, whose first content is `initial`.

        At `addresses` this has the numbers of bytes from its start; there it gets addresses. Raises
        ArgumentError if there are some, and the device has none.
        """
        found = self._arrays.get((device, name))
        if found is None:
            # Late: most programs have no such variables, and this takes long to load.
            from polycl.backends.cpu.aligned_memory import aligned_memory

            found = aligned_memory(len(initial))
            found[:] = np.frombuffer(initial, np.uint8)
            base = device.address_of_variables(found) if addresses else 0
            for place in addresses:
                found[place : place + 8].view(np.uint64)[0] += np.uint64(base)
            self._arrays[device, name] = found
        return found

    def reset(self) -> None:
        """The variables have their initial values again. A bound kernel keeps its memory."""
        self._arrays.clear()
