"""Arrays that stay in an OpenCL device's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polycl.backends.device import DeviceArray
from polycl.errors import ArgumentError

if TYPE_CHECKING:
    from polycl.backends.opencl_c.device import OpenclDevice


class Resident(DeviceArray):
    """A buffer of an OpenCL device."""

    def __init__(self, device: OpenclDevice, values: NDArray[np.generic]):
        import pyopencl as cl

        values = np.ascontiguousarray(values)
        super().__init__(device, values.dtype, values.shape)
        flags = cl.mem_flags.READ_WRITE
        if values.nbytes:
            self.buffer = cl.Buffer(
                device.context, flags | cl.mem_flags.COPY_HOST_PTR, hostbuf=values
            )
        else:
            self.buffer = cl.Buffer(device.context, flags, 1)
        self._queue = device.queue

    def get(self) -> NDArray[np.generic]:
        import pyopencl as cl

        found = np.empty(self.shape, self.dtype)
        if found.nbytes:
            cl.enqueue_copy(self._queue, found, self.buffer)
        return found

    def set(self, values: NDArray[np.generic]) -> None:
        import pyopencl as cl

        if values.dtype != self.dtype or values.shape != self.shape:
            raise ArgumentError(
                f"expected an array of {self.dtype} with shape {self.shape}, got one of "
                f"{values.dtype} with shape {values.shape}"
            )
        if values.nbytes:
            cl.enqueue_copy(self._queue, self.buffer, np.ascontiguousarray(values))
