"""Memory: buffers with bounds, pointers into them, and the addresses that integers can hold."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, TypeAlias

import numpy as np

from polycl.dialects.ocl import AddressSpace

PAGE = 4096
"""Every buffer starts at a multiple of it, and leaves a gap after its end."""


class Buffer:
    """Memory that pointers point into: an argument, or an allocation.

    New memory is filled with zeros, so that a read before a write is deterministic.
    """

    __slots__ = (
        "address",
        "data",
        "read_only",
        "readable_size",
        "shadow",
        "size",
        "space",
        "valid",
        "what",
        "writable_size",
    )

    def __init__(self, what: str, data: bytearray | memoryview, read_only: str = ""):
        self.what = what
        """The noun phrase that an error uses, say "parameter 'x'"."""
        self.data = data
        self.size = len(data)
        self.read_only = read_only
        """Why the buffer must not be written, or ""."""
        # So that one comparison checks bounds and the right to write or read.
        self.writable_size = 0 if read_only else self.size
        self.readable_size = self.size
        """0 if the checks refuse reads."""
        self.space = AddressSpace.GLOBAL
        self.address = 0
        """The virtual address; 0 until the program asks for it."""
        # The records of the checks (polycl.backends.interp.checks), if they run.
        self.valid: bytearray | None = None
        """1 for each byte that has been written; None where all have a value from the start."""
        self.shadow: Any = None
        """The accesses to it; None where only one work-item has access."""

    @classmethod
    def allocate(cls, what: str, size: int, space: AddressSpace) -> Buffer:
        buffer = cls(what, bytearray(size))
        buffer.space = space
        return buffer

    @classmethod
    def of_array(cls, what: str, array: np.ndarray, read_only: str = "") -> Buffer:
        """The memory of a C-contiguous array itself, not a copy."""
        if not array.flags.writeable:
            read_only = read_only or "the array passed for it is read-only"
        if array.nbytes == 0:
            return cls(what, bytearray(), read_only)
        return cls(what, array.reshape(-1).view(np.uint8).data, read_only)


class Unset(np.ndarray[Any, np.dtype[Any]]):
    """A view of an array without values: the checks report reads before writes."""


class WriteOnly(np.ndarray[Any, np.dtype[Any]]):
    """A view of an array: the checks report reads by kernels."""


NOWHERE = Buffer("no memory", bytearray())
"""The buffer of pointers from integers that are not the address of a buffer."""

Pointer: TypeAlias = tuple[Buffer, int]
"""A buffer and an offset in bytes. In `NOWHERE` the offset is the address itself."""

NULL: Pointer = (NOWHERE, 0)


class AddressMap:
    """Virtual addresses, assigned at their first use, and the pointers at them."""

    def __init__(self) -> None:
        self._buffers: list[Buffer] = []
        self._bases: list[int] = []
        self._next = PAGE

    def address(self, pointer: Pointer) -> int:
        """The address as a 64-bit pattern; 0 for the null pointer."""
        buffer, offset = pointer
        if buffer is not NOWHERE and buffer.address == 0:
            self._place(buffer)
        return (buffer.address + offset) & 0xFFFF_FFFF_FFFF_FFFF

    def pointer(self, address: int) -> Pointer:
        """The pointer with this address; the end of a buffer belongs to it."""
        index = bisect_right(self._bases, address) - 1
        if index >= 0 and address <= self._bases[index] + self._buffers[index].size:
            return self._buffers[index], address - self._bases[index]
        return NOWHERE, address

    def mark(self) -> int:
        """A point to `forget` back to."""
        return len(self._buffers)

    def forget(self, mark: int) -> None:
        """Drop the addresses assigned since `mark`: their memory has ended."""
        for buffer in self._buffers[mark:]:
            buffer.address = 0
        if len(self._buffers) > mark:
            self._next = self._bases[mark]
        del self._buffers[mark:]
        del self._bases[mark:]

    def _place(self, buffer: Buffer) -> None:
        buffer.address = self._next
        self._buffers.append(buffer)
        self._bases.append(buffer.address)
        # A gap after each buffer keeps the end of one apart from the start of the next.
        self._next += -(-(buffer.size + 1) // PAGE) * PAGE
