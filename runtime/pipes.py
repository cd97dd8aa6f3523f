"""Pipes that a caller passes to kernels (OpenCL 3.0, section 5.4).

pipe = polycl.Pipe(np.float32, 100)
produce(pipe, global_size=64)
consume(pipe, out, global_size=64)
pipe.array                                                       # the packets that are left
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from polycl.errors import ArgumentError

_HEADER = struct.Struct("<4Q2I3Q")
"""Its fields are in `ocl_expand_pipes/pipe_functions.cl`."""
_ALIGNMENT = 128


class Pipe:
    """A pipe of at most `max_packets` packets of a numpy type (vectors and arrays: of a subtype).

    The packets of a kernel must have the size of the numpy type. `packets` are put into it first.

    Raises:
        ArgumentError: a size is zero, or there are more packets than fit.
    """

    def __init__(self, dtype: DTypeLike, max_packets: int, packets: NDArray[Any] | None = None):
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        if max_packets < 1 or self.dtype.itemsize < 1 or self.dtype.hasobject:
            raise ArgumentError(
                f"a pipe has at least one packet of at least one byte, got {max_packets} of "
                f"{self.dtype}"
            )
        first = np.zeros(0, self.dtype) if packets is None else packets
        count = len(first)
        if count > max_packets:
            raise ArgumentError(f"a pipe of {max_packets} packets cannot hold {count}")
        marks = _HEADER.size
        counts = marks + 8 * max_packets
        self._start = -(-(counts + 4 * max_packets) // _ALIGNMENT) * _ALIGNMENT
        size = self.dtype.itemsize
        self.storage: NDArray[np.uint8] = np.zeros(self._start + max_packets * size, np.uint8)
        """The memory that a device gets: the header and the packets."""
        header = _HEADER.pack(count, count, 0, 0, size, max_packets, self._start, marks, counts)
        self.storage[: len(header)] = np.frombuffer(header, np.uint8)
        if count:
            content = np.ascontiguousarray(first, self.dtype.base).view(np.uint8).reshape(-1)
            self.storage[self._start : self._start + len(content)] = content

    @property
    def array(self) -> NDArray[Any]:
        """A copy of the packets that were written and not read, the oldest one first."""
        _, written, _, read, size, capacity, start, _, _ = _HEADER.unpack_from(
            self.storage.tobytes()
        )
        places = np.arange(read, written) % capacity
        memory = self.storage[start:].reshape(capacity, size)
        return memory[places].reshape(-1).view(self.dtype.base).reshape(-1, *self.dtype.shape)

    def copy(self) -> Pipe:
        """Another pipe with the same packets."""
        copy = Pipe(self.dtype, 1)
        copy.storage = self.storage.copy()
        return copy

    def __repr__(self) -> str:
        return f"polycl.Pipe({self.dtype}, {len(self.array)} packets)"
