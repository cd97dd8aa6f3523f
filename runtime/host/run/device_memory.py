"""Buffers of a running host program, in the memory of any device."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from polycl.backends.cpu.aligned_memory import aligned_memory
from polycl.backends.device import Device, DeviceArray, KernelArg
from polycl.backends.interp.buffers import Buffer as HostArray
from polycl.dialects.host.images import CHANNEL_ORDERS, CHANNEL_TYPES
from polycl.runtime.images import HEADER_BYTES, Image

_FILL_BLOCK = 1 << 20
"""The approximate number of bytes that are filled at once."""


def host_bytes(array: HostArray) -> NDArray[np.uint8]:
    """The memory of an array of the host, as bytes."""
    return np.frombuffer(array.data, np.uint8) if array.size else np.empty(0, np.uint8)


class Buffer:
    """`nbytes` of a device's memory: an array of the host if kernels access such arrays."""

    def __init__(self, memory: NDArray[np.uint8] | DeviceArray):
        self.nbytes = memory.nbytes
        self.memory = memory
        self.is_shared = False
        """Whether it has, or is, a sub-buffer."""

    @property
    def argument(self) -> KernelArg:
        """The buffer as an argument of a launch."""
        return self.memory

    @classmethod
    def new(cls, device: Device, nbytes: int) -> Buffer:
        """Uninitialised memory."""
        make: Callable[[int], DeviceArray] | None = getattr(device, "memory", None)
        return cls(aligned_memory(nbytes) if make is None else make(nbytes))

    def part(self, offset: int, nbytes: int) -> Buffer:
        """The same memory from a byte on."""
        if isinstance(self.memory, DeviceArray):
            part = Buffer(self.memory.part(offset, nbytes))
        else:
            part = Buffer(self.memory[offset : offset + nbytes])
        self.is_shared = part.is_shared = True
        return part

    def free(self) -> None:
        """Free the memory of the buffer."""
        self.nbytes = 0
        self.memory = np.empty(0, np.uint8)

    def write(self, offset: int, data: NDArray[np.uint8]) -> None:
        """Replace the bytes from `offset` on."""
        if isinstance(self.memory, DeviceArray):
            self.memory.write_part(offset, data)
        else:
            self.memory[offset : offset + data.nbytes] = data

    def read(self, offset: int, into: NDArray[np.uint8]) -> None:
        """Copy as many bytes as `into` has, from `offset` on."""
        if isinstance(self.memory, DeviceArray):
            self.memory.read_part(offset, into)
        else:
            into[:] = self.memory[offset : offset + into.nbytes]

    def copy(self, offset: int, source: Buffer, start: int, nbytes: int) -> None:
        """Copy bytes of `source`, from its byte `start` on."""
        if isinstance(source.memory, np.ndarray):
            self.write(offset, source.memory[start : start + nbytes])
        elif isinstance(self.memory, np.ndarray):
            source.read(start, self.memory[offset : offset + nbytes])
        else:
            self.memory.copy_part(offset, source.memory, start, nbytes)

    def fill(self, offset: int, pattern: bytes, count: int) -> None:
        """Repeat `pattern` `count` times, from `offset` on."""
        at_once = max(1, min(count, _FILL_BLOCK // len(pattern)))
        block = np.tile(np.frombuffer(pattern, np.uint8), at_once)
        for done in range(0, count, at_once):
            part = block[: min(at_once, count - done) * len(pattern)]
            self.write(offset + done * len(pattern), part)


def new_image(kind: str, sizes: Sequence[int], order: str, channel: str) -> Image:
    """An image of zeros, described as by `host.image`."""
    _, element = CHANNEL_TYPES[channel]
    is_unsigned = channel.startswith(("unorm", "unsigned"))
    dtype = str(element).replace("i", "uint" if is_unsigned else "int").replace("f", "float")
    pixels = np.zeros((*reversed(sizes), CHANNEL_ORDERS[order][1]), dtype)
    return Image(pixels, order, "norm" in channel, kind)


class ImageBuffer(Buffer):
    """The pixels of an image, in the memory of the host: devices copy images for each launch."""

    def __init__(self, image: Image):
        self._image = image
        super().__init__(image.storage[HEADER_BYTES:])
        self.is_shared = True  # its memory is not for other buffers

    @property
    def argument(self) -> KernelArg:
        return self._image.storage
