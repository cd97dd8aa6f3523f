"""The parts of a large NDRange that are drawn: groups that equal their neighbours once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polycl.runtime.figures.figure import Rect
from polycl.runtime.poly.grid import Cells, Grid

WHOLE = 384
"""The most work-items of a side that is drawn completely."""

MOST = 1024
"""The most cells of a side; of more, each n-th is drawn."""

GAP = 255
"""The number of a cell for groups that are not drawn."""


@dataclass(frozen=True)
class Part:
    """Equal consecutive groups of one side: the first is drawn, at a place along the side."""

    first: int
    """The number of the group."""
    count: int
    at: int
    """The first cell."""


@dataclass(frozen=True)
class Side:
    """One side of a picture, in cells."""

    parts: list[Part]
    group: int
    """Cells of a group."""
    gap: int
    """Cells for the groups that are left out after one."""
    step: int
    """Each `step`-th work-item has a cell."""

    @property
    def length(self) -> int:
        last = self.parts[-1]
        return last.at + self.group + (self.gap if last.count > 1 else 0)

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """The first cell of each gap, and the number of groups in it."""
        return [(part.at + self.group, part.count - 1) for part in self.parts if part.count > 1]


def side_of(runs: list[int], local: int) -> Side:
    """A side with runs of equal groups of these lengths, each group `local` work-items long."""
    groups = sum(runs)
    if groups * local <= WHOLE:
        runs = [1] * groups
    # Two groups need no more space than one and a gap.
    runs = [n for run in runs for n in ([run] if run > 2 else [1] * run)]
    step = max(1, -(-len(runs) * local // MOST))
    # A group keeps one cell at least.
    step = min(step, local)
    size = -(-local // step)
    gap = max(1, round(len(runs) * size / 9))
    parts: list[Part] = []
    first = at = 0
    for run in runs:
        parts.append(Part(first, run, at))
        first += run
        at += size + (gap if run > 1 else 0)
    return Side(parts, size, gap, step)


def sides_of(grid: Grid) -> tuple[Side, Side]:
    """The horizontal and the vertical side."""
    across, *others = grid.space.shown
    local = grid.space.local[across]
    count = grid.space.groups[across]
    new = np.zeros(count, np.bool_)
    new[0] = True
    for band in grid.bands:
        columns = band.cells.reshape(len(band.cells), count, local)
        new[1:] |= (columns[:, 1:] != columns[:, :-1]).any(axis=(0, 2))
    starts = [*np.flatnonzero(new).tolist(), count]
    runs = [b - a for a, b in zip(starts, starts[1:], strict=False)]
    height = grid.space.local[others[0]] if others else 1
    return side_of(runs, local), side_of([band.count for band in grid.bands], height)


def drawn_cells(grid: Grid, across: Side, down: Side) -> Cells:
    """The cells of the picture, row by row."""
    local = grid.space.local[grid.space.shown[0]]
    columns = np.concatenate(
        [part.first * local + np.arange(0, local, across.step) for part in across.parts]
    )
    places = np.concatenate([part.at + np.arange(across.group) for part in across.parts])
    drawn = np.full((down.length, across.length), GAP, np.uint8)
    cells_of_group = [band.cells for band in grid.bands for _ in range(band.count)]
    for part in down.parts:
        rows = cells_of_group[part.first][:: down.step]
        drawn[part.at : part.at + len(rows), places] = rows[:, columns]
    return drawn


def rectangles(cells: Cells) -> dict[int, list[Rect]]:
    """Rectangles that cover the cells of each number: runs of a row, and equal rows below it."""
    found: dict[int, list[Rect]] = {}
    changes = np.flatnonzero((cells[1:] != cells[:-1]).any(axis=1)) + 1
    open_runs: dict[tuple[int, int, int], int] = {}
    for start in [0, *changes.tolist(), len(cells)]:
        runs = _runs(cells[start]) if start < len(cells) else []
        for run in [run for run in open_runs if run not in runs]:
            left, right, number = run
            top = open_runs.pop(run)
            found.setdefault(number, []).append((left, top, right - left, start - top))
        for run in runs:
            open_runs.setdefault(run, start)
    return found


def _runs(row: Cells) -> dict[tuple[int, int, int], None]:
    """(first, end, number) of each run of equal cells."""
    starts = [0, *(np.flatnonzero(row[1:] != row[:-1]) + 1).tolist(), len(row)]
    return {(a, b, int(row[a])): None for a, b in zip(starts, starts[1:], strict=False)}
