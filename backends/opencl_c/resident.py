"""Arrays that stay in an OpenCL device's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polycl.backends.device import DeviceArray
from polycl.errors import ArgumentError

if TYPE_CHECKING:
    from polycl.backends.opencl_c.device import OpenclDevice


class Resident(DeviceArray):
    """A buffer of an OpenCL device."""

    def __init__(self, device: OpenclDevice, values: NDArray[np.generic] | int, buffer: Any = None):
        """A copy of `values`, or the given number of bytes, in `buffer` or not initialised."""
        self._owner = device
        self._queue = device.queue
        self._cl = cl = device.cl
        flags = cl.mem_flags.READ_WRITE
        if isinstance(values, int):
            super().__init__(device, np.dtype(np.uint8), (values,))
            self.buffer = buffer or cl.Buffer(device.context, flags, max(1, values))
            return
        values = np.ascontiguousarray(values)
        super().__init__(device, values.dtype, values.shape)
        self.buffer = cl.Buffer(device.context, flags, max(1, values.nbytes))
        if values.nbytes:
            cl.enqueue_copy(self._queue, self.buffer, values)

    def get(self) -> NDArray[np.generic]:
        found = np.empty(self.shape, self.dtype)
        if found.nbytes:
            self._cl.enqueue_copy(self._queue, found, self.buffer)
        return found

    def set(self, values: NDArray[np.generic]) -> None:
        self.check_like(values)
        if values.nbytes:
            self._cl.enqueue_copy(self._queue, self.buffer, np.ascontiguousarray(values))

    def write_part(self, offset: int, data: NDArray[np.uint8]) -> None:
        self._cl.enqueue_copy(self._queue, self.buffer, data, dst_offset=offset)

    def read_part(self, offset: int, into: NDArray[np.uint8]) -> None:
        self._cl.enqueue_copy(self._queue, into, self.buffer, src_offset=offset)

    def part(self, offset: int, nbytes: int) -> DeviceArray:
        try:
            return Resident(self._owner, nbytes, self.buffer.get_sub_region(offset, nbytes))
        except self._cl.Error as error:
            raise ArgumentError(
                f"bytes {offset} to {offset + nbytes} of a buffer: {error}"
            ) from None

    def copy_part(self, offset: int, source: DeviceArray, start: int, nbytes: int) -> None:
        assert isinstance(source, Resident)
        self._cl.enqueue_copy(
            self._queue,
            self.buffer,
            source.buffer,
            byte_count=nbytes,
            src_offset=start,
            dst_offset=offset,
        )
