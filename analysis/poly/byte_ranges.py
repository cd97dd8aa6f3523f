"""Sets of bytes of a buffer as sorted, disjoint ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bounds = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ByteRanges:
    """The bytes `starts[i] <= b < ends[i]`; ranges are sorted, not empty, and do not touch."""

    starts: Bounds
    ends: Bounds

    @staticmethod
    def of(starts: Bounds, ends: Bounds) -> ByteRanges:
        """The union of ranges in any order."""
        kept = ends > starts
        starts, ends = starts[kept], ends[kept]
        if len(starts) < 2:
            return ByteRanges(starts, ends)
        order = np.argsort(starts, kind="stable")
        starts, ends = starts[order], np.maximum.accumulate(ends[order])
        first = np.flatnonzero(np.concatenate(([True], starts[1:] > ends[:-1])))
        last = np.append(first[1:] - 1, len(ends) - 1)
        return ByteRanges(starts[first], ends[last])

    @staticmethod
    def one(start: int, end: int) -> ByteRanges:
        """The bytes from `start` to before `end`."""
        return ByteRanges.of(np.array([start], np.int64), np.array([end], np.int64))

    @staticmethod
    def union(parts: Iterable[ByteRanges]) -> ByteRanges:
        """The bytes that are in one of them."""
        parts = [NONE, *parts]
        return ByteRanges.of(
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.ends for part in parts]),
        )

    @cached_property
    def nbytes(self) -> int:
        """The number of bytes."""
        return int((self.ends - self.starts).sum())

    @property
    def first(self) -> int:
        """The first byte of a set that is not empty."""
        return int(self.starts[0])

    @property
    def end(self) -> int:
        """The byte after the last one of a set that is not empty."""
        return int(self.ends[-1])

    def __bool__(self) -> bool:
        return len(self.starts) > 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts.tolist(), self.ends.tolist(), strict=True)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ByteRanges)
            and np.array_equal(self.starts, other.starts)
            and np.array_equal(self.ends, other.ends)
        )

    def __hash__(self) -> int:
        return hash((self.starts.tobytes(), self.ends.tobytes()))

    def __or__(self, other: ByteRanges) -> ByteRanges:
        return ByteRanges.union((self, other))

    def __and__(self, other: ByteRanges) -> ByteRanges:
        if not self or not other:
            return NONE
        # Each range of `self` with the ranges of `other` that it meets.
        low = np.searchsorted(other.ends, self.starts, "right")
        high = np.searchsorted(other.starts, self.ends, "left")
        counts = np.maximum(high - low, 0)
        mine = np.repeat(np.arange(len(self.starts)), counts)
        within = np.arange(len(mine)) - np.repeat(np.cumsum(counts) - counts, counts)
        theirs = np.repeat(low, counts) + within
        return ByteRanges(
            np.maximum(self.starts[mine], other.starts[theirs]),
            np.minimum(self.ends[mine], other.ends[theirs]),
        )

    def __sub__(self, other: ByteRanges) -> ByteRanges:
        if not self or not other:
            return self
        far = np.iinfo(np.int64)
        gaps = ByteRanges(np.append(far.min, other.ends), np.append(other.starts, far.max))
        return self & gaps

    def __le__(self, other: ByteRanges) -> bool:
        return not self - other

    def clipped(self, size: int) -> ByteRanges:
        """The bytes from 0 to before `size`."""
        return self & ByteRanges.one(0, size)

    def gathered(self, memory: NDArray[np.uint8], origin: int = 0) -> NDArray[np.uint8]:
        """The bytes one after another, of `memory` whose first byte is `origin`."""
        if len(self.starts) == 1:
            return memory[self.first - origin : self.end - origin]
        out = np.empty(self.nbytes, np.uint8)
        self._copy(out, memory, origin, into_memory=False)
        return out

    def scatter(self, values: NDArray[np.uint8], memory: NDArray[Any], origin: int = 0) -> None:
        """Writes what `gathered` returned into `memory` whose first byte is `origin`."""
        self._copy(values, memory, origin, into_memory=True)

    def _copy(
        self, values: NDArray[np.uint8], memory: NDArray[Any], origin: int, *, into_memory: bool
    ) -> None:
        lengths = self.ends - self.starts
        starts = self.starts - origin
        at = np.cumsum(lengths) - lengths
        if len(starts) > 2 and len(set(lengths.tolist())) == 1 and _even(starts):
            # Rows at one distance: a view copies all of them at once.
            step, length = int(starts[1] - starts[0]), int(lengths[0])
            rows = np.lib.stride_tricks.as_strided(
                memory[int(starts[0]) :], (len(starts), length), (step, 1)
            )
            packed = values.reshape(len(starts), length)
            if into_memory:
                rows[...] = packed
            else:
                packed[...] = rows
            return
        for start, place, length in zip(
            starts.tolist(), at.tolist(), lengths.tolist(), strict=True
        ):
            if into_memory:
                memory[start : start + length] = values[place : place + length]
            else:
                values[place : place + length] = memory[start : start + length]

    def __repr__(self) -> str:
        shown = " ".join(f"[{a}, {b})" for a, b in list(self)[:4])
        more = f" and {len(self.starts) - 4} more" if len(self.starts) > 4 else ""
        return f"<{shown or 'nothing'}{more}>"


def _even(starts: Bounds) -> bool:
    steps = np.diff(starts)
    return bool((steps == steps[0]).all())


NONE = ByteRanges(np.zeros(0, np.int64), np.zeros(0, np.int64))
"""No bytes."""
