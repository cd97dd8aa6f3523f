"""The iteration domain of a statement in one work-group ([split16], Figures 7 and 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl
import numpy as np
from numpy.typing import NDArray

from polycl.analysis.poly.points import contains
from polycl.dialects.poly import SubkernelOp
from polycl.errors import ArgumentError
from polycl.runtime.figures.figure import Axis, Boxes, Figure, Layer, Points, ticks
from polycl.runtime.poly.colours import looks
from polycl.runtime.poly.grid import name_of
from polycl.runtime.poly.statements import (
    access_named,
    counters,
    fixed,
    model_before_split,
    relevant,
    text_of,
)

MOST = 64
"""The most points along a side; of a longer side the first points are drawn."""

WIDTH = 700
CELL = (12, 24)
"""The least and the most pixels from one point to the next."""


def domain(
    subkernel: SubkernelOp,
    values: Mapping[str, int],
    array: str | None = None,
    dims: tuple[str, str] | None = None,
    at: Mapping[str, int] | None = None,
    first: int = 0,
) -> Figure:
    """The work-items and iterations of a loop for which an access runs in one group.

    `values` are the values of the parameters in the group, with its sizes `L0`, ..; `array` is the
    access (`input`, or `input:1` for the second one), by default the one in most loops. `dims` are
    the dimensions of the picture, by default that of the vectors and the outermost loop, or
    another one of the work-items where there is none. Other ids have the values of `at`, by
    default the middle of the group; an iteration of a loop that is not shown is one that runs.
    Colours are those of the codelets; boxes are tiles, dashed if lanes are masked off. `first` is
    the first work-item that is drawn.

    Raises:
        ArgumentError: there is no such access or dimension, or a parameter has no value.
    """
    model = model_before_split(subkernel)
    access = access_named(model, array)
    names = counters(access)
    along = model.names[model.place_of(subkernel.along.value.data)]
    across, up = dims or _dimensions(names, model.names, along)
    for name in (across, up):
        if name and name not in names:
            raise ArgumentError(
                f"there is no dimension '{name}'; expected one of {', '.join(names)}"
            )
    sizes = {
        name: int(values.get(f"L{len(model.names) - 1 - i}", 1))
        for i, name in enumerate(model.names)
    }
    middle = {name: size // 2 for name, size in sizes.items() if name not in (across, up)}
    chosen = middle | dict(at or {})
    inside = fixed(access.domain, {**values, **chosen})
    for name in names:
        if name not in (across, up, *chosen):
            number = inside.find_dim_by_name(isl.dim_type.set, name)
            inside = inside.project_out(isl.dim_type.set, number, 1)
    x = _range(inside, across, sizes, first if across in sizes else 0)
    y = _range(inside, up, sizes, 0) if up else range(1)
    columns, rows = np.asarray(x)[None, :], np.asarray(y)[:, None]
    place: dict[str, int | NDArray[np.int64]] = {**values, **chosen, across: columns, up: rows}
    runs = np.broadcast_to(contains(inside, place), (len(y), len(x)))
    width = min(max(WIDTH / len(x), CELL[0]), CELL[1])
    ids = {name: place[name] for name in model.names}
    return Figure(
        title=f"@{subkernel.sym_name.data}: the iterations that {text_of(access)}, in one group",
        note=_note(relevant(access, values) | chosen, x, sizes.get(across, 0), access.is_exact),
        x=_axis(across, model.names, x),
        y=_axis(up, model.names, y, back=up in model.names),
        layers=[
            *_points(subkernel, dict(values), ids, runs, x, y),
            *_tiles(subkernel, x, len(y), sizes[along] if across == along else 0),
        ],
        width=width * (len(x) + 1),
        height=max(CELL[0] * 1.3, min(CELL[1], 360 / len(y))) * (len(y) + 0.6),
    )


def _dimensions(names: Sequence[str], work_items: Sequence[str], along: str) -> tuple[str, str]:
    others = [*names[len(work_items) :], *reversed(work_items)]
    return along, next((name for name in others if name != along), "")


def _range(inside: isl.Set, name: str, sizes: Mapping[str, int], first: int) -> range:
    """The values along a side: the ids of the group, or the iterations that run."""
    if name in sizes:
        return range(min(first, sizes[name] - 1), min(first + MOST, sizes[name]))
    place = inside.find_dim_by_name(isl.dim_type.set, name)
    if inside.is_empty():
        return range(1)
    last = inside.dim_max_val(place)
    if not last.is_int():
        raise ArgumentError(f"the iterations '{name}' of the loop have no known bound")
    return range(min(MOST, last.to_python() + 1))


def _points(
    subkernel: SubkernelOp,
    values: dict[str, int],
    ids: Mapping[str, int | NDArray[np.int64]],
    runs: NDArray[np.bool_],
    x: range,
    y: range,
) -> list[Layer]:
    def places(where: NDArray[np.bool_]) -> list[tuple[float, float]]:
        return [(x[int(column)], y[int(row)]) for row, column in np.argwhere(where)]

    layers: list[Layer] = []
    names = [name_of(codelet) for codelet in subkernel.codelets]
    for codelet, name, look in zip(subkernel.codelets, names, looks(names), strict=True):
        tile: dict[str, int | NDArray[np.int64]] = {**values}
        for i, (dimension, id) in enumerate(zip(codelet.domain.dimensions, ids, strict=True)):
            lanes = codelet.lanes.value.data if i == codelet.position else 1
            tile[dimension] = ids[id] // lanes
        mine = runs & np.broadcast_to(contains(codelet.domain.isl, tile), runs.shape)
        if mine.any():
            layers.append(Points(name, places(mine), look.fill, legend=name))
    idle = places(~runs)
    if idle:
        layers.append(Points("idle", idle, "#999", 1.5, legend="does not run"))
    return layers


def _tiles(subkernel: SubkernelOp, x: range, height: int, size: int) -> list[Layer]:
    lanes = subkernel.width.value.data
    if lanes == 1:
        return []
    first = x[0] // lanes
    boxes = [(t * lanes - 0.5, -0.5, lanes, height) for t in range(first, -(-x.stop // lanes))]
    full = [box for box in boxes if box[0] + lanes <= size]
    partial = [(left, low, size - left - 0.5, top) for left, low, _, top in boxes[len(full) :]]
    layers: list[Layer] = []
    if full and size:
        layers.append(Boxes("full-tiles", full, legend=f"full tile of {lanes}"))
    if partial and size:
        layers.append(Boxes("partial-tiles", partial, dashed=True, legend="partial tile"))
    return layers


def _note(values: Mapping[str, int], x: range, size: int, exact: bool) -> str:
    text = ", ".join(f"{name} = {value}" for name, value in values.items())
    if len(x) < size:
        text += f"; work-items {x[0]} to {x[-1]} of {size}"
    return text if exact else f"{text}; at most, as not all conditions are known"


def _axis(name: str, work_items: Sequence[str], values: range, back: bool = False) -> Axis:
    marks = ticks(values[0], values[-1], 17)
    low, high = values[0] - 1, values[-1] + 1
    if not name:
        return Axis("", -0.8, 0.8)
    label = f"{name}: loop iteration"
    if name in work_items:
        label = f"{name}: local id {len(work_items) - 1 - work_items.index(name)}"
    return Axis(label, high, low, marks) if back else Axis(label, low, high, marks)
