"""The difference of two results: by how much, where first, and in how many elements."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Difference:
    """Two NaNs are equal, whatever their bits; +0 and -0 differ by 1 ULP."""

    count: int
    """Elements (of structures: fields of elements) that differ."""

    total: int
    max_ulp: float
    """Units in the last place: representable values from one to the other; integers: their
    difference; infinite where only one is NaN."""

    max_abs: float
    """Largest absolute difference of the values."""

    first: str
    """Index of the first difference, for example "[3, 0]" or "[3].pos"."""

    left: Any
    right: Any

    def __str__(self) -> str:
        ulp = f"{self.max_ulp:.0f}" if math.isfinite(self.max_ulp) else "NaN, infinitely many"
        return (
            f"{self.count} of {self.total} elements differ, by at most {ulp} ULP and "
            f"{self.max_abs:.3g}; first at {self.first}: {self.left} and {self.right}"
        )


def compare(left: NDArray[Any], right: NDArray[Any]) -> Difference | None:
    """The difference of two arrays of one type and shape; None where there is none.

    Padding of structures is not compared.
    """
    assert left.dtype == right.dtype
    assert left.shape == right.shape
    found = [d for a, b, path in _fields(left, right, "") if (d := _compare(a, b, path))]
    if not found:
        return None
    first = found[0]
    return Difference(
        sum(d.count for d in found),
        sum(a.size for a, _, _ in _fields(left, right, "")),
        max(d.max_ulp for d in found),
        max(d.max_abs for d in found),
        first.first,
        first.left,
        first.right,
    )


def _fields(
    left: NDArray[Any], right: NDArray[Any], path: str
) -> Iterator[tuple[NDArray[Any], NDArray[Any], str]]:
    if left.dtype.names is None:
        yield left, right, path
    for name in left.dtype.names or ():
        yield from _fields(left[name], right[name], f"{path}.{name}")


def _compare(left: NDArray[Any], right: NDArray[Any], path: str) -> Difference | None:
    ulps = _ulps(left, right)
    where = np.argwhere(ulps != 0)
    if not len(where):
        return None
    index = tuple(int(i) for i in where[0])
    return Difference(
        len(where),
        left.size,
        float(ulps.max()),
        _max_abs(left, right),
        f"[{', '.join(map(str, index))}]{path}",
        left[index],
        right[index],
    )


def _ulps(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.float64]:
    """The distance of each pair, as a float, exact below 2^53."""
    if left.dtype.kind not in "iuf":
        return (left != right).astype(np.float64)
    a, b = _ordered(left), _ordered(right)
    distance = (np.maximum(a, b) - np.minimum(a, b)).astype(np.float64)
    if left.dtype.kind == "f":
        nan = np.isnan(left), np.isnan(right)
        distance[nan[0] != nan[1]] = np.inf
        distance[nan[0] & nan[1]] = 0
    return distance


def _ordered(array: NDArray[Any]) -> NDArray[np.uint64]:
    """Unsigned integers in the order of the values, neighbours at distance 1."""
    size = array.dtype.itemsize
    bits = np.ascontiguousarray(array).view(f"<u{size}").astype(np.uint64).reshape(array.shape)
    sign = np.uint64(1 << (8 * size - 1))
    match array.dtype.kind:
        case "u":
            return bits
        case "i":
            return bits ^ sign
        case _:
            # Negative floats increase as their bits decrease.
            mask = np.uint64((1 << (8 * size)) - 1)
            return np.where(bits & sign, ~bits & mask, bits | sign)


def _max_abs(left: NDArray[Any], right: NDArray[Any]) -> float:
    if left.dtype.kind not in "iuf":
        return math.nan
    with np.errstate(all="ignore"):
        distance = np.abs(left.astype(np.longdouble) - right.astype(np.longdouble))
    finite = distance[np.isfinite(distance)]
    return float(finite.max()) if finite.size else math.inf
