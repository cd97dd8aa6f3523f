"""Pictures of kernels as they are split for a launch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from polycl.errors import ArgumentError, PolyclError
from polycl.runtime.figures.figure import Boxes, Cells, Figure, Lines, Points, Texts
from polycl.runtime.poly import SplitKernel, access, codelets, domain, split, table

CONV2D = polycl.load(Path(__file__).with_name("conv2d.cl")).kernels["conv2d"]


def conv2d(local: tuple[int, int], groups: tuple[int, int] = (3, 3)) -> SplitKernel:
    """For a mask of 7 x 7; the arrays do not matter."""
    width, height = local[0] * groups[0], local[1] * groups[1]
    values = {"width": width, "height": height, "size": 7}
    return split(CONV2D, values, global_size=(width, height), local_size=local)


def of(source: str, size: int, local: int | None = None, **arguments: Any) -> SplitKernel:
    (kernel,) = polycl.load(source).kernels.values()
    return split(kernel, arguments, global_size=size, local_size=local or size)


def shares(figure: Figure) -> dict[str, str]:
    found = [layer.legend.split() for layer in figure.layers if layer.legend.endswith("%")]
    return {" ".join(words[:-2]): words[-2] for words in found}


def places(figure: Figure) -> dict[str, set[tuple[float, float]]]:
    return {p.name: set(p.places) for p in figure.layers if isinstance(p, Points)}


def texts(figure: Figure, name: str) -> list[str]:
    (layer,) = (t for t in figure.layers if isinstance(t, Texts) and t.name == name)
    return [text for _, _, text in layer.places]


def test_conv2d_as_in_the_paper():
    """Table 3: 99.59 % of the image is interior, 0.20 % each are the borders."""
    launch = conv2d((256, 1), (16, 4096))
    rows = [line.split() for line in table(launch).splitlines()[2:]]
    assert {row[-len(row) + (row[0] == "@conv2d_0_x")]: row[-1] for row in rows} == {
        "interior": "99.61",
        "mixed": "0.20",
        "divergent": "0.20",
    }
    assert launch.subkernel().sym_name.data == "conv2d_0_x"
    figure = codelets(launch.subkernel(), launch.sizes(launch.region()), launch.groups)
    assert shares(figure) == {"interior": "99.61", "mixed": "0.20", "divergent": "0.20"}


def test_the_table_tells_what_is_regular():
    lines = table(conv2d((28, 12))).splitlines()
    head, interior = lines[1], lines[2]
    assert head.split() == [
        *("region", "codelet", "uni", "div", "cons", "uni", "div", "exec", "[%]"),
    ]
    marks = [interior[head.index(word) : head.index(word) + 3].strip() for word in ("uni", "div")]
    assert marks == ["✓", ""]
    # The interior loads consecutive pixels, and one element of the mask for all.
    assert interior.split() == ["@conv2d_0_x", "interior", "✓", "✓", "✓", "88.89"]
    assert lines[-1] == "@conv2d_0_x: 14.29 % in no vector"


def test_a_region_in_a_loop_is_that_of_the_first_round():
    source = """
    kernel void halves(global int *out, local int *tile, int n) {
      int l = get_local_id(0);
      tile[l] = l;
      for (int k = n; k > 0; k /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < k)
          tile[l] += tile[l + k];
      }
      out[get_global_id(0)] = tile[l];
    }
    """
    launch = of(source, 64, n=32)
    names = [kernel.sym_name.data for kernel in launch.kernels]
    assert len(names) == 3
    assert names[1] in table(launch)
    figure = codelets(launch.subkernel(region=names[1]), launch.sizes(launch.region(names[1])), 1)
    assert shares(figure)["no work"] == "50.00"


def test_a_domain_is_triangular():
    source = """
    kernel void triangle(global float *a, int n) {
      int x = get_global_id(0);
      for (int i = 0; i <= x; i++)
        a[i * n + x] = 0;
    }
    """
    launch = of(source, 20, n=20)
    figure = domain(launch.subkernel(), launch.values(), "a")
    points = places(figure)
    idle = points.pop("idle")
    runs = set().union(*points.values())
    assert runs == {(x, i) for x in range(20) for i in range(20) if i <= x}
    assert idle == {(x, i) for x in range(20) for i in range(20) if i > x}
    assert points["partial"] == {(x, i) for x, i in runs if x >= 16}
    boxes = {b.name: list(b.rects) for b in figure.layers if isinstance(b, Boxes)}
    assert boxes["full-tiles"] == [(-0.5, -0.5, 8, 20), (7.5, -0.5, 8, 20)]
    assert boxes["partial-tiles"] == [(15.5, -0.5, 4, 20)]


def test_a_domain_without_a_loop():
    launch = conv2d((12, 6))
    figure = domain(launch.subkernel(), launch.values((2, 0, 0)), "out")
    assert (figure.x.label, figure.y.label) == ("x: local id 0", "y: local id 1")
    assert places(figure)["partial"] == {(x, y) for x in range(8, 12) for y in range(6)}
    line = of("kernel void f(global int *a) { a[get_global_id(0)] = 1; }", 8)
    assert domain(line.subkernel(), line.values()).y.label == ""


def test_other_dimensions_of_a_domain():
    launch = conv2d((32, 12))
    subkernel, values = launch.subkernel(), launch.values()
    figure = domain(subkernel, values, "in", dims=("k", "k2"), at={"x": 0, "y": 11})
    # Columns 0 to 3 and rows 8 to 14 of the image.
    runs = places(figure)
    assert {key: runs[key] for key in runs if key != "idle"} == {
        "divergent": {(k, k2) for k in range(4) for k2 in range(7)}
    }
    with pytest.raises(ArgumentError, match="no dimension 'z'; expected one of y, x, k, k2"):
        domain(subkernel, values, "in", dims=("x", "z"))


@pytest.mark.parametrize(
    ("array", "tile", "kinds", "elements"),
    [
        ("in", 1, {"cons"}, [str(96 * 9 + 5 + lane) for lane in range(8)]),
        ("mask", 1, {"uni"}, ["0"]),
        ("in", 0, {"cons", "uni"}, [str(96 * 9 + lane) for lane in range(5)]),
        ("mask", 0, {"uni", "div"}, ["0", "1", "2", "3"]),
    ],
)
def test_an_access_of_conv2d(array: str, tile: int, kinds: set[str], elements: list[str]):
    launch = conv2d((32, 12))
    figure = access(launch.subkernel(), launch.values((0, 1, 0)), array, tile, {"y": 0})
    arrows = [layer for layer in figure.layers if isinstance(layer, Lines)]
    assert {layer.name for layer in arrows} == kinds
    assert sum(len(layer.segments) for layer in arrows) == 8
    assert texts(figure, "elements") == elements
    whole = {"cons": "consecutive", "uni": "uniform"}
    assert figure.title.endswith(whole.get("+".join(kinds), "divergent"))


def test_lanes_that_do_not_run():
    launch = conv2d((32, 12))
    figure = access(launch.subkernel(), launch.values(), "in", 0, {"k": 6})
    (off,) = (layer for layer in figure.layers if isinstance(layer, Boxes))
    (on,) = (layer for layer in figure.layers if isinstance(layer, Cells) and layer.name == "lanes")
    assert (len(off.rects), len(on.rects)) == (3, 5)
    with pytest.raises(ArgumentError, match="no lane of tile 0 does read 'in' at k = 7"):
        access(launch.subkernel(), launch.values(), "in", 0, {"k": 7})


def test_accesses_that_cannot_be_drawn():
    launch = conv2d((32, 12))
    subkernel, values = launch.subkernel(), launch.values()
    with pytest.raises(ArgumentError, match="there is no tile 4; the group has 32"):
        access(subkernel, values, "in", 4)
    with pytest.raises(ArgumentError, match="no access of 'im'; the arrays: in, mask, out"):
        access(subkernel, values, "im")
    with pytest.raises(ArgumentError, match="'in' has 1 accesses"):
        access(subkernel, values, "in:1")
    with pytest.raises(ArgumentError, match="no id or counter 'x' to choose; expected y, k, k2"):
        access(subkernel, values, "in", at={"x": 1})
    source = "kernel void f(global int *a, global int *b) { a[b[get_global_id(0)]] = 1; }"
    gather = of(source, 16)
    with pytest.raises(ArgumentError, match="not known which elements of 'a'"):
        access(gather.subkernel(), gather.values(), "a")


def test_values_that_are_not_known():
    with pytest.raises(ArgumentError, match="depend on the argument 'width'; give its value"):
        split(CONV2D, {}, global_size=(64, 4), local_size=(64, 1)).subkernel()
    source = """
    kernel void f(global int *a, global const int *ends) {
      if (get_global_id(0) < ends[get_group_id(0)])
        a[get_global_id(0)] = 1;
    }
    """
    launch = of(source, 32, 16)
    with pytest.raises(PolyclError, match="'ocl.load' .* not known before the kernel runs"):
        launch.sizes(launch.region())
    with pytest.raises(ArgumentError, match="unknown parameter 'end'"):
        of(source, 32, end=3)


def test_a_value_of_each_group_is_read_from_an_array():
    source = """
    kernel void f(global int *a, global const int *ends) {
      int x = get_global_id(0);
      if (x < ends[get_group_id(0)])
        a[x] = 1;
    }
    """
    launch = of(source, 32, 16, ends=np.array([16, 24], np.int32))
    figure = codelets(launch.subkernel(), launch.sizes(launch.region()), launch.groups)
    assert shares(figure) == {"interior": "75.00", "no work": "25.00"}


def test_groups_and_names_that_are_not_there():
    launch = conv2d((32, 12))
    with pytest.raises(ArgumentError, match="no group 3 in dimension 0, which has 3"):
        launch.values((3, 0, 0))
    with pytest.raises(ArgumentError, match="no region @f; expected one of @conv2d_0"):
        launch.region("f")
    with pytest.raises(ArgumentError, match="no subkernel @f; expected one of @conv2d_0_x, "):
        launch.subkernel("f")
    with pytest.raises(ArgumentError, match="local size 4x2x1 has as many work-items as a vector"):
        conv2d((4, 2)).subkernel()
