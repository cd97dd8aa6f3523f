"""Buffer allocation in the memory of a device: Bufalloc of [pocl15], section 3.

The allocator suits few large buffers that are freed together, as in most OpenCL programs. Chunks
are in the order of addresses. The last chunk of a region, the tail, is the free rest.

- *greedy* allocates from the tail if it is large enough, else the first free chunk that is: buffers
  of a program are contiguous, in the order of their creation;
- *tight* allocates the first free chunk that is large enough, else from the tail.

A free chunk is reused whole, unless the region splits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polycl.errors import ArgumentError

Strategy = Literal["greedy", "tight"]


@dataclass
class Chunk:
    """`size` bytes from `start` on, of which a buffer has the first ones."""

    start: int
    size: int
    free: bool = True


class OutOfMemory(ArgumentError):
    """No chunk is large enough; the message has the size of the largest one."""


class Region:
    """The addresses start ... start + size - 1; buffers begin at multiples of `alignment`."""

    def __init__(
        self,
        start: int,
        size: int,
        alignment: int = 64,
        strategy: Strategy = "greedy",
        split: bool = False,
    ):
        if alignment <= 0 or alignment & (alignment - 1):
            raise ValueError(f"expected a power of 2 as alignment, got {alignment}")
        self.start = start
        self.end = start + size
        self.alignment = alignment
        self.strategy: Strategy = strategy
        self.split = split
        first = self._align(start)
        self.chunks = [Chunk(first, max(0, self.end - first))]
        """Ascending, without gaps; the last one is the tail."""

    def allocate(self, size: int) -> int:
        """The address of `size` bytes, at least one. Raises OutOfMemory, and ValueError."""
        if size <= 0:
            raise ValueError(f"expected at least one byte, got {size}")
        order = [*range(len(self.chunks) - 1), -1]
        if self.strategy == "greedy":
            order = [-1, *order[:-1]]
        for i in order:
            chunk = self.chunks[i]
            if chunk.free and chunk.size >= size:
                if i == -1 or self.split:
                    self._cut(i % len(self.chunks), size)
                chunk.free = False
                return chunk.start
        largest = max(chunk.size for chunk in self.chunks if chunk.free)
        raise OutOfMemory(
            f"a buffer of {size} bytes was requested; the largest free part of "
            f"{self.start:#x} ... {self.end - 1:#x} has {largest}"
        )

    def free(self, address: int) -> None:
        """Frees an address that `allocate` returned. Raises ValueError for other addresses."""
        for i, chunk in enumerate(self.chunks):
            if chunk.start == address and not chunk.free:
                chunk.free = True
                if self.chunks[i + 1].free:
                    self._join(i)
                if i > 0 and self.chunks[i - 1].free:
                    self._join(i - 1)
                return
        raise ValueError(f"no buffer begins at {address:#x}: it was freed, or never allocated")

    def _align(self, address: int) -> int:
        return -(-address // self.alignment) * self.alignment

    def _cut(self, i: int, size: int) -> None:
        """Splits chunk i after `size` bytes, aligned; the rest is free.

        The tail is split even if nothing remains, so each chunk in use is followed by another one.
        """
        chunk = self.chunks[i]
        tail = i == len(self.chunks) - 1
        end = chunk.start + chunk.size
        middle = min(end, self._align(chunk.start + size))
        if tail or middle < end:
            self.chunks.insert(i + 1, Chunk(middle, end - middle))
            chunk.size = middle - chunk.start

    def _join(self, i: int) -> None:
        """Merges chunks i and i + 1."""
        self.chunks[i].size += self.chunks.pop(i + 1).size


class Memory:
    """Regions in the order in which they are tried."""

    def __init__(self, *regions: Region):
        self.regions = regions

    def allocate(self, size: int) -> int:
        """As `Region.allocate`. Raises OutOfMemory with the message of each region."""
        reasons: list[str] = []
        for region in self.regions:
            try:
                return region.allocate(size)
            except OutOfMemory as error:
                reasons.append(str(error))
        raise OutOfMemory("; ".join(reasons))

    def free(self, address: int) -> None:
        """As `Region.free`."""
        for region in self.regions:
            if region.start <= address < region.end:
                return region.free(address)
        raise ValueError(f"{address:#x} is in no region")
