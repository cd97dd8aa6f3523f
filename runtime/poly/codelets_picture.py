"""An NDRange coloured by codelet ([split16], Figure 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from polycl.dialects.poly import SubkernelOp
from polycl.errors import ArgumentError
from polycl.runtime.figures.figure import (
    Axis,
    Cells,
    Figure,
    Layer,
    Lines,
    Rect,
    Segment,
    Texts,
    stride_of,
    ticks,
)
from polycl.runtime.poly.colours import IDLE, looks
from polycl.runtime.poly.cuts import GAP, Side, drawn_cells, rectangles, sides_of
from polycl.runtime.poly.grid import (
    Grid,
    Sizes,
    Space,
    dimension_along,
    grid_of,
    name_of,
    space_of,
)

WIDTH = 700
HEIGHTS = (90, 520)
"""The least and the most pixels of the frame's height."""

CLOSEST_GROUPS, CLOSEST_TILES = 12, 4
"""The least number of pixels between lines; closer lines are left out."""

MOST_RECTANGLES = 20_000


def codelets(
    subkernel: SubkernelOp,
    sizes: Sizes,
    groups: int | Sequence[int],
    offset: Sequence[int] = (),
) -> Figure:
    """The work-items of a launch, coloured by the codelet that they are in.

    `sizes` are the values of the kernel's parameters by name, with the local sizes `L0`, `L1`,
    `L2`; the first ids of the groups (`G0`, ..) follow from `groups`, the number of groups in
    dimension 0, 1 and 2, and `offset`, the first global ids. The percentages count work-items.
    A launch in three dimensions is drawn at its first id of dimension 2. Of a large one, a row or
    a column of groups that equals the one before is not drawn, and the note says so.

    Raises:
        ArgumentError: a parameter has no value, or the launch is too large to draw.
    """
    space = space_of(sizes, groups, offset)
    grid = grid_of(subkernel, sizes, space)
    across, down = sides_of(grid)
    found = rectangles(drawn_cells(grid, across, down))
    if sum(map(len, found.values())) > MOST_RECTANGLES:
        raise ArgumentError(
            "the codelets of this launch have too many parts to draw; choose fewer groups"
        )
    shown = space.shown
    height = min(max(WIDTH * down.length / across.length, HEIGHTS[0]), HEIGHTS[1])
    if len(shown) == 1:
        height = HEIGHTS[0]
    return Figure(
        title=_title(subkernel, space),
        note=_note(subkernel, sizes, space, across, down),
        x=_axis(across, space, shown[0]),
        y=_axis(down, space, shown[1], back=True) if len(shown) == 2 else Axis("", 1, 0),
        layers=[
            *_cells(subkernel, grid, found),
            *_tile_lines(subkernel, space, across, down, (WIDTH, height)),
            *_group_lines(across, down, (WIDTH, height)),
            *_gaps(found, across, down),
        ],
        width=WIDTH,
        height=height,
    )


def _title(subkernel: SubkernelOp, space: Space) -> str:
    rank = max((d + 1 for d in range(3) if space.size(d) > 1), default=1)
    items = " × ".join(str(space.size(d)) for d in range(rank))
    local = " × ".join(map(str, space.local[:rank]))
    lanes = subkernel.width.value.data
    how = f"vectors of {lanes} along dimension {dimension_along(subkernel)}"
    if lanes == 1:
        how = "one by one"
    return f"@{subkernel.sym_name.data}: {items} work-items in groups of {local}, {how}"


def _note(subkernel: SubkernelOp, sizes: Sizes, space: Space, across: Side, down: Side) -> str:
    needed = {name for codelet in subkernel.codelets for name in codelet.domain.parameters}
    values = [
        f"{name} = {sizes[name]}"
        for name in sorted(needed)
        if isinstance(sizes.get(name), int) and not re.fullmatch("[LG][012]", name)
    ]
    parts = [", ".join(values)] if values else []
    parts += [
        f"only those with global id {d} = {space.offset[d]}"
        for d in range(3)
        if d not in space.shown and space.size(d) > 1
    ]
    if across.gaps or down.gaps:
        parts.append("⋯ means more groups like the previous one")
    step = max(across.step, down.step)
    if step > 1:
        parts.append(f"of {across.step} × {down.step} work-items one is drawn")
    return "; ".join(parts)


def _cells(subkernel: SubkernelOp, grid: Grid, found: Mapping[int, list[Rect]]) -> list[Layer]:
    names = [name_of(codelet) for codelet in subkernel.codelets]
    total = sum(grid.counts)
    layers: list[Layer] = []
    for number, (name, look) in enumerate(zip(["no work", *names], [IDLE, *looks(names)])):
        count = grid.counts[number]
        if count:
            rects = found.get(number, [])
            legend = f"{name} {100 * count / total:.2f} %"
            layers.append(Cells(name, rects, look.fill, look.hatch, legend=legend))
    # The codelets first.
    return [*layers[1:], layers[0]] if grid.counts[0] else layers


def _group_lines(across: Side, down: Side, size: tuple[float, float]) -> list[Layer]:
    lines: list[Segment] = []
    if size[0] / across.length * across.group >= CLOSEST_GROUPS:
        lines += [(x, 0, x, down.length) for x in _edges(across)]
    if size[1] / down.length * down.group >= CLOSEST_GROUPS:
        lines += [(0, y, across.length, y) for y in _edges(down)]
    return [Lines("groups", lines, legend="work-groups")] if lines else []


def _edges(side: Side) -> list[int]:
    edges = {edge for part in side.parts for edge in (part.at, part.at + side.group)}
    return sorted(edges - {0, side.length})


def _tile_lines(
    subkernel: SubkernelOp, space: Space, across: Side, down: Side, size: tuple[float, float]
) -> Sequence[Layer]:
    lanes = subkernel.width.value.data
    dim = dimension_along(subkernel)
    if lanes == 1 or dim not in space.shown:
        return []
    place = space.shown.index(dim)
    side, pixels = (across, down)[place], size[place]
    if pixels / side.length * lanes / side.step < CLOSEST_TILES:
        return []
    full = space.local[dim] // lanes
    edges = sorted(
        {part.at + tile * lanes / side.step for part in side.parts for tile in range(1, full + 1)}
        - {part.at + side.group for part in side.parts}
    )
    lines = [(0, e, across.length, e) if place else (e, 0, e, down.length) for e in edges]
    return [Lines("tiles", lines, "white", legend=f"tiles of {lanes}")] if lines else []


def _gaps(found: Mapping[int, list[Rect]], across: Side, down: Side) -> list[Layer]:
    if GAP not in found:
        return []
    middle = down.parts[0].at + down.group / 2
    texts = [(at + across.gap / 2, middle, f"⋯ {count}") for at, count in across.gaps]
    middle = across.parts[0].at + across.group / 2
    texts += [(middle, at + down.gap / 2, f"⋮ {count} more") for at, count in down.gaps]
    return [Cells("gap", found[GAP], "white"), Texts("alike", texts, "#444")]


def _axis(side: Side, space: Space, dim: int, back: bool = False) -> Axis:
    label = f"global id {dim}"
    first, local = space.offset[dim], space.local[dim]
    if side.gaps or side.step > 1 or 3 <= len(side.parts) <= 9:
        marks = [(part.at + 0.5, str(first + part.first * local)) for part in side.parts]
        marks = tuple(marks[:: stride_of(len(marks))])
    else:
        last = first + space.size(dim) - 1
        marks = tuple((at - first + 0.5, text) for at, text in ticks(first, last))
    low, high = (side.length, 0) if back else (0, side.length)
    return Axis(label, low, high, marks)
