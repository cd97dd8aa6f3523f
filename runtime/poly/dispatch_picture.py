"""The subkernel that runs for each value of the parameters ([split16], section 4.1)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from polycl.analysis.poly.dispatch import UNSCORED, group_size, subkernels
from polycl.analysis.poly.points import Values, contains, evaluate
from polycl.dialects.poly import KernelOp, SubkernelOp
from polycl.dialects.poly.isl_text import parameters_of
from polycl.dialects.poly.kernel import names_of
from polycl.dialects.poly.score import value_of
from polycl.errors import ArgumentError
from polycl.runtime.figures.figure import Axis, Cells, Figure, Layer, ticks
from polycl.runtime.poly.colours import IDLE, SCALAR, SUBKERNELS
from polycl.runtime.poly.cuts import rectangles
from polycl.runtime.poly.grid import dimension_along

SIDE = 420
"""Pixels of a side of the frame."""


def dispatch(
    kernel: KernelOp,
    sizes: Mapping[str, int],
    x: tuple[str, range] = ("L0", range(1, 65)),
    y: tuple[str, range] = ("L1", range(1, 65)),
) -> Figure:
    """The subkernel that runs, for values of two parameters of the kernel.

    `sizes` are the values of the other parameters. Launches outside the context of the kernel are
    not drawn. The percentages count the cells of the picture.

    Raises:
        ArgumentError: the kernel is not split, or has no such parameter, or one has no value.
    """
    choices = subkernels(kernel)
    if not choices:
        raise ArgumentError(f"the kernel '{kernel.sym_name.data}' has no subkernels to choose from")
    names = names_of(kernel.params)
    for name, values in (x, y):
        if name not in names:
            raise ArgumentError(
                f"'{name}' is not a parameter of '{kernel.sym_name.data}', whose parameters are "
                f"{', '.join(names)}"
            )
        if not values or values.step != 1:
            raise ArgumentError(f"expected values of '{name}' in steps of 1, got {values}")
    if x[0] == y[0]:
        raise ArgumentError(f"'{x[0]}' is on both axes")
    at: dict[str, int | NDArray[np.int64]] = {
        **sizes,
        x[0]: np.asarray(x[1])[None, :],
        y[0]: np.asarray(y[1])[:, None],
    }
    try:
        cells = _winners(kernel, choices, at, (len(y[1]), len(x[1])))
    except KeyError as error:
        raise ArgumentError(f"the parameter {error} has no value; give it in the sizes") from error
    needed = {*parameters_of(kernel.known)}
    needed.update(*(s.score.parameters for s in choices if s.score is not None))
    shown = [n for n in names if n in needed and n in sizes and n not in (x[0], y[0])]
    fixed = ", ".join(f"{name} = {sizes[name]}" for name in shown)
    return Figure(
        title=f"@{kernel.sym_name.data}: the subkernel that runs",
        note=f"for {fixed}" if fixed else "",
        x=_axis(x),
        y=_axis(y),
        layers=_layers(choices, cells),
        width=SIDE,
        height=SIDE * min(1, len(y[1]) / len(x[1])),
    )


def _winners(
    kernel: KernelOp,
    choices: list[SubkernelOp],
    at: Mapping[str, int | NDArray[np.int64]],
    shape: tuple[int, int],
) -> NDArray[np.uint8]:
    """1 + the index of the first subkernel with the highest score; or 0."""
    counts = np.stack([np.broadcast_to(_count(kernel, s, at), shape) for s in choices])
    allowed = np.broadcast_to(contains(kernel.known, at), shape)
    return np.where(allowed, 1 + counts.argmax(axis=0), 0).astype(np.uint8)


def _count(
    kernel: KernelOp, subkernel: SubkernelOp, at: Mapping[str, int | NDArray[np.int64]]
) -> Values:
    """The score of a subkernel: see `analysis.poly.dispatch.decision`."""
    width = subkernel.width.value.data
    if width == 1:
        return 1
    count: Values = UNSCORED
    if subkernel.score is not None:
        count = 0
        for box, weight in subkernel.score.data:
            points: Values = weight
            for extent in box:
                least = [evaluate(value_of(expression), at)[0] for expression in extent]
                points = points * np.maximum(0, np.minimum.reduce(np.broadcast_arrays(*least)))
            count = count + points
    size = group_size(kernel, subkernel.along.value.data)
    return np.where((at[size] if isinstance(size, str) else size) >= width, count, 0)


def _layers(choices: list[SubkernelOp], cells: NDArray[np.uint8]) -> list[Layer]:
    found = rectangles(cells)
    layers: list[Layer] = []
    for number, subkernel in enumerate(choices, 1):
        if number not in found:
            continue
        share = 100 * np.count_nonzero(cells == number) / max(1, np.count_nonzero(cells))
        name = subkernel.sym_name.data
        dim = dimension_along(subkernel)
        vector = subkernel.width.value.data > 1
        look = SUBKERNELS[dim] if vector else SCALAR
        how = f"along dimension {dim}" if vector else "scalar"
        legend = f"@{name}, {how}: {share:.1f} %"
        layers.append(Cells(name, found[number], look.fill, look.hatch, legend=legend))
    if 0 in found:
        layers.append(Cells("no-launch", found[0], IDLE.fill, legend="ruled out by the context"))
    return layers


def _axis(parameter: tuple[str, range]) -> Axis:
    name, values = parameter
    low, high = values[0], values[-1]
    labels = {"L": "local size", "G": "first global id of the group in dimension"}
    label = name
    if name[0] in labels and name[1:].isdigit():
        label = f"{name}: {labels[name[0]]} {name[1:]}"
    return Axis(label, 0, high - low + 1, tuple((n - low + 0.5, t) for n, t in ticks(low, high)))
