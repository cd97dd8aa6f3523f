"""The memory accesses of the lanes of one tile ([split16], section 3.2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl
import numpy as np
from numpy.typing import NDArray

from polycl.analysis.poly.index import Index
from polycl.analysis.poly.model import Access
from polycl.analysis.poly.points import Values, contains, evaluate
from polycl.dialects.poly import SubkernelOp
from polycl.errors import ArgumentError
from polycl.runtime.figures.figure import Axis, Boxes, Cells, Figure, Layer, Lines, Rect, Texts
from polycl.runtime.poly.colours import ACCESSES
from polycl.runtime.poly.statements import (
    access_named,
    counters,
    fixed,
    model_before_split,
    relevant,
    text_of,
)

WIDTH, HEIGHT = 700, 190

KINDS = {"cons": "consecutive", "uni": "uniform", "div": "divergent"}


def access(
    subkernel: SubkernelOp,
    values: Mapping[str, int],
    array: str | None = None,
    tile: int = 0,
    at: Mapping[str, int] | None = None,
) -> Figure:
    """The element that each lane of a tile accesses, with arrows from lanes to elements.

    `values` are the values of the parameters in the group, with its sizes; `array` names the access
    as in `domain`; `tile` counts along the dimension of the vectors. Other ids and the iterations
    of loops have the values of `at`, or the first ones for which a lane runs. An arrow shows the
    difference of its lane from the previous one (for the first lane, the next one): one element,
    none, or another one.

    Raises:
        ArgumentError: there is no such access or tile, or it is not known what is accessed.
    """
    lanes = subkernel.width.value.data
    along = subkernel.along.value.data
    if lanes == 1:
        raise ArgumentError(f"@{subkernel.sym_name.data} has no vectors")
    size = int(values.get(f"L{along}", 1))
    if not 0 <= tile <= (size - 1) // lanes:
        raise ArgumentError(f"there is no tile {tile}; the group has {size} work-items in a row")
    model = model_before_split(subkernel)
    found = access_named(model, array)
    if found.index is None:
        raise ArgumentError(
            f"it is not known which elements of '{found.array}' are accessed: the index is not "
            "an index polynomial"
        )
    vector = model.names[model.place_of(along)]
    unknown = [name for name in at or {} if name not in counters(found) or name == vector]
    if unknown:
        names = ", ".join(name for name in counters(found) if name != vector)
        raise ArgumentError(f"there is no id or counter '{unknown[0]}' to choose; expected {names}")
    items = np.arange(tile * lanes, (tile + 1) * lanes)
    others = _point(found, {**values, **(at or {})}, vector, items)
    if others is None:
        where = "".join(f" at {name} = {value}" for name, value in (at or {}).items())
        raise ArgumentError(f"no lane of tile {tile} does {text_of(found)}{where}")
    place: dict[str, int | NDArray[np.int64]] = {**values, **others, vector: items}
    active = np.broadcast_to(contains(found.domain, place), items.shape)
    elements = np.broadcast_to(_elements(found.index, place), items.shape)
    kinds = _kinds(elements, active)
    shown = ", ".join(f"{n} = {v}" for n, v in {**relevant(found, values), **others}.items())
    return Figure(
        title=f"@{subkernel.sym_name.data}, tile {tile}: the lanes {text_of(found)}: "
        f"{_summary(kinds)}",
        note=shown,
        x=Axis("", 0, lanes),
        y=Axis("", 0, 4, ((3.25, "lane"), (0.75, "element"))),
        layers=_layers(found.array, items, elements, active, kinds, vector),
        width=WIDTH,
        height=HEIGHT,
        frame=False,
    )


def _point(
    found: Access, values: Mapping[str, int], vector: str, items: NDArray[np.int64]
) -> dict[str, int] | None:
    """The first other ids and iterations for which a lane of the tile runs; None if none does."""
    inside = fixed(found.domain, values)
    number = inside.find_dim_by_name(isl.dim_type.set, vector)
    first, last = (isl.Val.int_from_si(inside.get_ctx(), int(items[i])) for i in (0, -1))
    inside = inside.lower_bound_val(isl.dim_type.set, number, first)
    inside = inside.upper_bound_val(isl.dim_type.set, number, last)
    if inside.is_empty():
        return None
    # The lane comes last: it may be any.
    point = inside.move_dims(isl.dim_type.param, 0, isl.dim_type.set, number, 1)
    point = point.project_out_all_params().lexmin().sample_point()
    names = [name for name in counters(found) if name != vector]
    return {
        name: point.get_coordinate_val(isl.dim_type.set, i).to_python()
        for i, name in enumerate(names)
    }


def _elements(index: Index, place: Mapping[str, int | NDArray[np.int64]]) -> Values:
    total: Values = 0
    for monomial, coefficient in index.terms.items():
        term, _ = evaluate(coefficient, place)
        for name in monomial:
            term = term * place[name]
        total = total + term
    return total


def _kinds(elements: NDArray[np.int64], active: NDArray[np.bool_]) -> list[str]:
    """For each active lane, its relation to the previous active lane (for the first, the next)."""
    own = elements[active]
    steps = np.diff(own).tolist()
    kinds = [{0: "uni", 1: "cons"}.get(step, "div") for step in steps]
    return [*kinds[:1], *kinds] or ["uni"]


def _summary(kinds: Sequence[str]) -> str:
    one = kinds[0] if len(set(kinds)) == 1 else "div"
    return KINDS[one]


def _layers(
    array: str,
    items: NDArray[np.int64],
    elements: NDArray[np.int64],
    active: NDArray[np.bool_],
    kinds: Sequence[str],
    vector: str,
) -> list[Layer]:
    lanes = len(items)
    cells, gaps = _memory(sorted(set(elements[active].tolist())), lanes)
    side = min(1.0, next(iter(cells.values()))[2])
    boxes: list[Rect] = [(lane + 0.1, 3, 0.8, 0.5) for lane in range(lanes)]
    on = [box for box, is_on in zip(boxes, active, strict=True) if is_on]
    off = [box for box, is_on in zip(boxes, active, strict=True) if not is_on]
    layers: list[Layer] = [
        Cells("lanes", on, "#e4ecf5", edge="#333"),
        Cells("memory", list(cells.values()), "#f3efe4", edge="#333"),
    ]
    if off:
        layers.append(Boxes("off", off, "#999", dashed=True, legend="lane that does not run"))
    ends = [
        (lane + 0.5, 2.97, cells[element][0] + side / 2, 1.03)
        for lane, element in enumerate(elements.tolist())
        if active[lane]
    ]
    for kind, colour in ACCESSES.items():
        mine = [end for end, own in zip(ends, kinds, strict=True) if own == kind]
        if mine:
            layers.append(Lines(kind, mine, colour, 1.4, arrow=True, legend=KINDS[kind]))
    names = [(lane + 0.5, 3.25, f"{vector} = {item}") for lane, item in enumerate(items.tolist())]
    numbers = [(x + width / 2, 0.75, str(e)) for e, (x, _, width, _) in cells.items()]
    layers.append(Texts("ids", names, size=10.5 if lanes <= 8 else 8.5))
    layers.append(Texts("elements", numbers, size=10.5 if len(cells) <= 9 else 8.5))
    layers.append(Texts("gaps", [(x, 0.75, "⋯") for x in gaps]))
    layers.append(Texts("array", [(lanes / 2, 0.15, f"elements of {array}")]))
    return layers


def _memory(elements: Sequence[int], lanes: int) -> tuple[dict[int, Rect], list[float]]:
    """A cell for each element, in order, and the middles of the gaps between those far apart."""
    gap = 0.5
    jumps = sum(b - a > 1 for a, b in zip(elements, elements[1:], strict=False))
    side = min(1.0, lanes / (len(elements) + gap * jumps))
    x = (lanes - side * (len(elements) + gap * jumps)) / 2
    cells: dict[int, Rect] = {}
    gaps: list[float] = []
    for before, element in zip([None, *elements], elements, strict=False):
        if before is not None and element - before > 1:
            gaps.append(x + side * gap / 2)
            x += side * gap
        cells[element] = (x, 0.5, side, 0.5)
        x += side
    return cells, gaps
