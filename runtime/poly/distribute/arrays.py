"""Arrays whose bytes are in several places: with the caller, in files, on workers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from polycl.analysis.poly.byte_ranges import ByteRanges
from polycl.errors import ArgumentError
from polycl.runtime.poly.distribute.worker import Bytes, cut, hold, read_file


class Home(ABC):
    """Where the bytes of an array come from, and where results go."""

    def __init__(self, array: Any, dtype: np.dtype[Any], shape: tuple[int, ...]):
        self.array = array
        self.dtype = dtype
        self.shape = shape

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    @abstractmethod
    def fetch(self, client: Any, wanted: ByteRanges, worker: str) -> Any:
        """A future of these bytes, which a worker reads or keeps."""

    @abstractmethod
    def store(self, wanted: ByteRanges, values: Bytes) -> None:
        """Replace these bytes."""

    @abstractmethod
    def read(self) -> NDArray[Any]:
        """The whole array in this process."""

    @property
    def is_read_only(self) -> bool:
        """Whether `store` would fail."""
        return False

    def rows_of(self, wanted: ByteRanges) -> tuple[int, int]:
        """The first row, and the row after the last one, that have these bytes."""
        row = math.prod(self.shape[1:]) * self.dtype.itemsize
        return wanted.first // row, -(-wanted.end // row)


class NumpyHome(Home):
    """An array of this process; a file that workers can read is read by them."""

    def __init__(self, array: NDArray[Any], share_files: bool):
        super().__init__(array, array.dtype, array.shape)
        self._bytes: Bytes = array.reshape(-1).view(np.uint8)
        self._file = _file_of(array) if share_files else None

    def fetch(self, client: Any, wanted: ByteRanges, worker: str) -> Any:
        if self._file is not None:
            task = (read_file, *self._file, wanted)
        else:
            # A task that has the values: if its worker dies, the scheduler still has them.
            task = (hold, np.array(wanted.gathered(self._bytes)))
        return client.submit(*task, workers=[worker], allow_other_workers=True, pure=False)

    def store(self, wanted: ByteRanges, values: Bytes) -> None:
        wanted.scatter(values, self._bytes)

    def read(self) -> NDArray[Any]:
        return self.array


def _file_of(array: NDArray[Any]) -> tuple[str, int] | None:
    """The path of the file that is an array, and the offset in it."""
    if not isinstance(array, np.memmap) or array.filename is None or array.mode == "c":
        return None
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    if not isinstance(base, np.memmap):
        return None
    return str(array.filename), base.offset + array.ctypes.data - base.ctypes.data


class RowsHome(Home):
    """An array in blocks, which workers read by rows: of dask or zarr."""

    def fetch(self, client: Any, wanted: ByteRanges, worker: str) -> Any:
        first, end = self.rows_of(wanted)
        size = math.prod(self.shape[1:]) * self.dtype.itemsize
        have = ByteRanges.one(first * size, end * size)
        rows = self._rows(client, first, end, worker)
        task = (_bytes_of_rows, rows, have, wanted)
        return client.submit(*task, workers=[worker], allow_other_workers=True, pure=False)

    @abstractmethod
    def _rows(self, client: Any, first: int, end: int, worker: str) -> Any:
        """A future of some rows."""


def _bytes_of_rows(rows: NDArray[Any], have: ByteRanges, wanted: ByteRanges) -> Bytes:
    return cut(np.ascontiguousarray(rows).reshape(-1).view(np.uint8), have, wanted)


class DaskHome(RowsHome):
    """A dask array; results are a new one."""

    def _rows(self, client: Any, first: int, end: int, worker: str) -> Any:
        return client.compute(self.array[first:end])

    def store(self, wanted: ByteRanges, values: Bytes) -> None:
        raise AssertionError("a dask array is not changed")

    def read(self) -> NDArray[Any]:
        return self.array.compute()


class ZarrHome(RowsHome):
    """A zarr array in a store that workers can read; results are written into it by rows."""

    def _rows(self, client: Any, first: int, end: int, worker: str) -> Any:
        return client.submit(
            _read_rows,
            self.array,
            first,
            end,
            workers=[worker],
            allow_other_workers=True,
            pure=False,
        )

    def store(self, wanted: ByteRanges, values: Bytes) -> None:
        first, end = self.rows_of(wanted)
        rows = np.ascontiguousarray(self.array[first:end])
        row = math.prod(self.shape[1:]) * self.dtype.itemsize
        wanted.scatter(values, rows.reshape(-1).view(np.uint8), first * row)
        self.array[first:end] = rows

    def read(self) -> NDArray[Any]:
        return np.ascontiguousarray(self.array[...])

    @property
    def is_read_only(self) -> bool:
        return bool(self.array.read_only)


def _read_rows(array: Any, first: int, end: int) -> NDArray[Any]:
    return np.asarray(array[first:end])


@dataclass(frozen=True, eq=False)
class Piece:
    """Bytes of an array on a worker."""

    ranges: ByteRanges
    """The bytes that are valid."""
    future: Any
    """Of the values of `have`."""
    have: ByteRanges
    worker: int


class ClusterArray:
    """An array that stays on the workers between launches: only what one worker lacks moves.

    A launch of a distributed kernel reads and writes it in place. `get()` is a numpy array of the
    values. The array that it was made of is not changed, and must not be meanwhile.
    """

    def __init__(self, array: Any):
        home = array if isinstance(array, Home) else home_of(array, share_files=False)
        if home is None:
            raise ArgumentError(
                f"expected a numpy, dask or zarr array or a memory-mapped file, got {array!r}"
            )
        self.home = home
        self.pieces: list[Piece] = []
        """What launches wrote; all other bytes are those of the home."""
        self.copies: list[Piece] = []
        """Bytes of the home that workers have already."""
        self.client: Any = None

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.home.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.home.shape

    @property
    def nbytes(self) -> int:
        return self.home.nbytes

    def held(self, worker: int) -> ByteRanges:
        """The bytes that a worker has."""
        return ByteRanges.union(
            piece.ranges for piece in (*self.pieces, *self.copies) if piece.worker == worker
        )

    def replace(self, pieces: list[Piece]) -> None:
        """Some bytes were written: older values of them are not valid any more."""
        new = ByteRanges.union(piece.ranges for piece in pieces)

        def without_new(old: list[Piece]) -> list[Piece]:
            kept = [replace(piece, ranges=piece.ranges - new) for piece in old]
            return [piece for piece in kept if piece.ranges]

        self.copies = without_new(self.copies)
        self.pieces = [*without_new(self.pieces), *pieces]

    def get(self) -> NDArray[Any]:
        """A copy of the values in this process."""
        values = np.array(self.home.read())
        flat = values.reshape(-1).view(np.uint8)
        for piece in self.pieces:
            found = piece.future.result()
            piece.ranges.scatter(cut(found, piece.have, piece.ranges), flat)
        return values

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return self.get().astype(dtype or self.dtype, copy=False)

    def __repr__(self) -> str:
        return f"<polycl.ClusterArray {self.dtype} {self.shape}>"


def home_of(array: Any, share_files: bool) -> Home | None:
    """The home of an array of the caller; None for anything else."""
    if isinstance(array, np.ndarray):
        return NumpyHome(array, share_files)
    kind = type(array).__module__.partition(".")[0]
    if kind in ("dask", "zarr") and hasattr(array, "dtype") and hasattr(array, "shape"):
        home = DaskHome if kind == "dask" else ZarrHome
        if not array.shape:
            raise ArgumentError(f"a {kind} array without dimensions has no rows")
        return home(array, np.dtype(array.dtype), tuple(map(int, array.shape)))
    return None
