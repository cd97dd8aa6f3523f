"""The codelet of each work-item of an NDRange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from polycl.analysis.poly.points import Values, contains
from polycl.dialects.poly import CodeletOp, KernelOp, SubkernelOp
from polycl.errors import ArgumentError

Cells: TypeAlias = NDArray[np.uint8]
"""A number for each work-item: 0 for no codelet, or 1 + the index of the codelet."""

Sizes: TypeAlias = Mapping[str, "int | NDArray[np.int64]"]
"""Values by the parameters' names. An array has one for each group, with the shape (groups of
dimension 2, of 1, of 0); it is 1 where a dimension does not matter."""

MAX_ITEMS = 1 << 28
"""Most work-items of a plane: some seconds."""

_CHUNK = 1 << 21
"""The most work-items that are computed together."""


@dataclass(frozen=True)
class Space:
    """Local sizes, numbers of groups and first ids, each of dimension 0, 1 and 2."""

    local: tuple[int, int, int]
    groups: tuple[int, int, int]
    offset: tuple[int, int, int] = (0, 0, 0)

    @property
    def shown(self) -> tuple[int, ...]:
        """The one or two dimensions of a picture: those with more than one work-item."""
        long = [d for d in range(3) if self.local[d] * self.groups[d] > 1]
        return tuple(long[:2]) or (0,)

    def size(self, dim: int) -> int:
        """The number of work-items along a dimension."""
        return self.local[dim] * self.groups[dim]


@dataclass(frozen=True)
class Band:
    """Equal rows of groups: the cells of one, and their number."""

    cells: Cells
    count: int


@dataclass(frozen=True)
class Grid:
    """The plane of the first one or two dimensions; other dimensions have their first id."""

    space: Space
    bands: list[Band]
    """Of rows of groups, in order."""
    counts: list[int]
    """Work-items: without a codelet, then in each codelet."""


def space_of(sizes: Sizes, groups: int | Sequence[int], offset: Sequence[int] = ()) -> Space:
    """The launch with the local sizes `L0`, `L1`, `L2` of `sizes`, 1 where left out.

    Raises:
        ArgumentError: a size is less than 1.
    """
    local = _three([int(sizes.get(f"L{d}", 1)) for d in range(3)], 1)
    counts = _three((groups,) if isinstance(groups, int) else groups, 1)
    if min(*local, *counts) < 1:
        raise ArgumentError(f"expected sizes of at least 1, got {counts} groups of {local}")
    return Space(local, counts, _three(offset, 0))


def _three(values: Sequence[int], fill: int) -> tuple[int, int, int]:
    x, y, z = (*values, fill, fill, fill)[:3]
    return x, y, z


def kernel_of(subkernel: SubkernelOp) -> KernelOp:
    """The kernel that it is a part of."""
    kernel = subkernel.parent_op()
    assert isinstance(kernel, KernelOp)
    return kernel


def dimension_along(subkernel: SubkernelOp) -> int:
    """The dimension of the NDRange that a subkernel is vectorized along."""
    return subkernel.along.value.data


def name_of(codelet: CodeletOp) -> str:
    """`interior` of the domain `{ interior[y, t] : .. }`."""
    return codelet.domain.isl.get_tuple_name() or "codelet"


def grid_of(subkernel: SubkernelOp, sizes: Sizes, space: Space) -> Grid:
    """The codelet of each work-item of a launch; `sizes` are the values of the parameters.

    Raises:
        ArgumentError: a parameter has no value, the kernel's context excludes the launch, or
            there are too many work-items.
    """
    across, *others = space.shown
    down = others[0] if others else None
    width = space.size(across)
    rows = space.size(down) if down is not None else 1
    if width * rows > MAX_ITEMS:
        raise ArgumentError(
            f"a picture of {width} x {rows} work-items is too large; at most {MAX_ITEMS} are drawn"
        )
    items: dict[int, Values] = {0: 0, 1: 0, 2: 0}
    items[across] = np.arange(width)[None, :]

    height = space.local[down] if down is not None else 1
    together = max(1, _CHUNK // (width * height))
    bands: list[Band] = []
    counts = np.zeros(1 + len(subkernel.codelets), np.int64)
    for first in range(0, rows // height, together):
        last = min(first + together, rows // height)
        if down is not None:
            items[down] = np.arange(first * height, last * height)[:, None]
        cells = _cells(subkernel, sizes, space, items, ((last - first) * height, width))
        counts += np.bincount(cells.reshape(-1), minlength=len(counts))
        for row in cells.reshape(last - first, height, width):
            if bands and np.array_equal(bands[-1].cells, row):
                bands[-1] = Band(bands[-1].cells, bands[-1].count + 1)
            else:
                bands.append(Band(row.copy(), 1))
    return Grid(space, bands, [int(count) for count in counts])


def _cells(
    subkernel: SubkernelOp,
    sizes: Sizes,
    space: Space,
    items: Mapping[int, Values],
    shape: tuple[int, int],
) -> Cells:
    """The cells of some work-items, which are counted from 0 in each dimension."""
    kernel = kernel_of(subkernel)
    at = _parameters(sizes, space, {d: items[d] // space.local[d] for d in range(3)})
    cells = np.zeros(shape, np.uint8)
    try:
        if not np.all(contains(kernel.known, at)):
            raise ArgumentError(
                f"@{kernel.sym_name.data} has no such launch; its context: {kernel.known}"
            )
        for number, codelet in enumerate(subkernel.codelets, 1):
            ids = dict(at)
            for place, name in enumerate(codelet.domain.dimensions):
                dim = len(kernel.work_items) - 1 - place
                lanes = codelet.lanes.value.data if place == codelet.position else 1
                ids[name] = items[dim] % space.local[dim] // lanes
            cells[np.broadcast_to(contains(codelet.domain.isl, ids), shape)] = number
    except KeyError as error:
        raise ArgumentError(
            f"@{kernel.sym_name.data} has the parameter {error}; give its value in the sizes"
        ) from error
    return cells


def _parameters(sizes: Sizes, space: Space, groups: Mapping[int, Values]) -> dict[str, Values]:
    """The parameters' values in the group of each work-item."""
    at: dict[str, Values] = {}
    for d in range(3):
        at[f"L{d}"] = space.local[d]
        at[f"G{d}"] = space.offset[d] + groups[d] * space.local[d]
    for name, value in sizes.items():
        if isinstance(value, np.ndarray):
            value = value[tuple(groups[2 - i] if value.shape[i] > 1 else 0 for i in range(3))]
        at[name] = value
    return at
