"""The plane of parameters: each cell is the subkernel that the dispatch takes."""

from __future__ import annotations

import pytest

from polycl.analysis.poly.dispatch import decision
from polycl.dialects.poly import KernelOp
from polycl.errors import ArgumentError
from polycl.runtime.figures.figure import Cells, Figure
from polycl.runtime.poly import dispatch

SIZES = {"G0": 0, "G1": 0, "width": 30, "height": 64, "vs": 3, "hs": 3}


def winners(figure: Figure) -> dict[tuple[int, int], str]:
    found: dict[tuple[int, int], str] = {}
    for layer in figure.layers:
        assert isinstance(layer, Cells)
        for left, top, width, height in layer.rects:
            for x in range(int(left), int(left + width)):
                for y in range(int(top), int(top + height)):
                    found[x, y] = layer.name
    return found


def test_each_cell_is_what_the_dispatch_takes(kernel: KernelOp):
    figure = dispatch(kernel, SIZES, ("L0", range(1, 34)), ("L1", range(1, 20)))
    found = winners(figure)
    assert len(found) == 33 * 19
    for (x, y), name in found.items():
        local = {"L0": x + 1, "L1": y + 1}
        expected = "no-launch" if x + 1 > 30 else decision(kernel, SIZES | local)
        assert name == expected, local
    assert set(found.values()) == {"conv_x", "conv_y", "conv_scalar", "no-launch"}


def test_a_parameter_that_is_no_size(kernel: KernelOp):
    sizes = SIZES | {"L0": 32, "L1": 8}
    figure = dispatch(kernel, sizes, ("G0", range(0, 40)), ("width", range(30, 80)))
    assert figure.x.label == "G0: first global id of the group in dimension 0"
    assert figure.y.label == "width"
    # G0 + L0 <= width
    assert winners(figure)[18, 20] == "conv_x"
    assert winners(figure)[19, 20] == "no-launch"


def test_errors(kernel: KernelOp):
    with pytest.raises(
        ArgumentError, match="'depth' is not a parameter of 'conv', whose .* L0, L1"
    ):
        dispatch(kernel, SIZES, ("depth", range(3)))
    with pytest.raises(ArgumentError, match="'L0' is on both axes"):
        dispatch(kernel, SIZES, ("L0", range(3)), ("L0", range(3)))
    with pytest.raises(ArgumentError, match="the parameter 'L1' has no value"):
        dispatch(kernel, SIZES, ("L0", range(3)), ("vs", range(3)))
    with pytest.raises(ArgumentError, match="in steps of 1"):
        dispatch(kernel, SIZES, ("L0", range(0, 8, 2)))
