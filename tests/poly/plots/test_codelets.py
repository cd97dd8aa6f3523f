"""The NDRange coloured by codelet: its cells are those of an enumeration."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

from polycl.backends.pipeline import make_context
from polycl.dialects.poly import KernelOp, SubkernelOp
from polycl.errors import ArgumentError
from polycl.frontends.mlir.mlir_text import parse_mlir
from polycl.runtime.figures.figure import Figure, Texts
from polycl.runtime.poly import codelets, svg


def subkernel(kernel: KernelOp, name: str) -> SubkernelOp:
    found = {op.sym_name.data: op for op in kernel.walk() if isinstance(op, SubkernelOp)}
    return found[name]


def conv_sizes(local: tuple[int, int], groups: tuple[int, int], half: int = 3) -> dict[str, int]:
    """For an image as large as the NDRange and a mask with 2 * half + 1 columns and rows."""
    (l0, l1), (n0, n1) = local, groups
    return {"L0": l0, "L1": l1, "width": l0 * n0, "height": l1 * n1, "vs": half, "hs": half}


def conv_class(along: int, item: tuple[int, int], sizes: dict[str, int]) -> str:
    """The codelet of a work-item, from what it means: no isl."""
    local, size = (sizes["L0"], sizes["L1"])[along], sizes[("width", "height")[along]]
    half = sizes[("vs", "hs")[along]]
    at = item[along] % local
    if at >= local - local % 8:
        return "partial"
    first = item[along] - at % 8
    below, above = first < half, first + 7 + half >= size
    if along == 0 and below:
        return "divergent"
    return "mixed" if below or above else "interior"


def brute_force(along: int, sizes: dict[str, int]) -> Counter[str]:
    items = ((x, y) for x in range(sizes["width"]) for y in range(sizes["height"]))
    return Counter(conv_class(along, item, sizes) for item in items)


def areas(figure: Figure) -> Counter[str]:
    """The area of each class in the SVG text, in cells of the picture."""
    root = ElementTree.fromstring(svg(figure))
    space = "{http://www.w3.org/2000/svg}"
    cell = figure.width * figure.height / abs(figure.x.high * figure.y.low)
    found: Counter[str] = Counter()
    for group in root.iter(f"{space}g"):
        for rect in group.iter(f"{space}rect"):
            area = float(rect.attrib["width"]) * float(rect.attrib["height"])
            found[group.attrib["class"]] += round(area / cell)
    return found


def legend(figure: Figure) -> dict[str, float]:
    entries = [layer.legend for layer in figure.layers if layer.legend.endswith("%")]
    return {name: float(share) for name, share, _ in (e.rsplit(maxsplit=2) for e in entries)}


@pytest.mark.parametrize("along", [0, 1])
@pytest.mark.parametrize(
    ("local", "groups", "half"),
    [((32, 12), (3, 3), 3), ((28, 12), (3, 3), 3), ((16, 16), (2, 2), 12), ((4, 9), (5, 1), 1)],
)
def test_cells_are_those_of_brute_force(
    kernel: KernelOp, along: int, local: tuple[int, int], groups: tuple[int, int], half: int
):
    sizes = conv_sizes(local, groups, half)
    figure = codelets(subkernel(kernel, f"conv_{'xy'[along]}"), sizes, groups)
    expected = brute_force(along, sizes)
    found = areas(figure)
    assert {name: found[name] for name in expected} == expected
    total = sum(expected.values())
    assert legend(figure) == {name: round(100 * n / total, 2) for name, n in expected.items()}


def test_the_paper(kernel: KernelOp):
    """Table 3 has 99.59, 0.20 and 0.20 per cent for its image."""
    sizes = conv_sizes((256, 1), (16, 4096))
    figure = codelets(subkernel(kernel, "conv_x"), sizes, (16, 4096))
    assert legend(figure) == {"interior": 99.61, "mixed": 0.2, "divergent": 0.2}


def test_of_groups_that_are_alike_one_is_drawn(kernel: KernelOp):
    figure = codelets(subkernel(kernel, "conv_x"), conv_sizes((256, 1), (16, 4096)), (16, 4096))
    assert "⋯ stands for more groups like the one before" in figure.note
    (texts,) = (layer for layer in figure.layers if isinstance(layer, Texts))
    assert [text for _, _, text in texts.places] == ["⋯ 13", "⋮ 4095 more"]
    assert [text for _, text in figure.x.ticks] == ["0", "256", "3840"]
    assert len(svg(figure)) < 10_000


def test_groups_that_differ_are_sampled():
    """A diagonal: no two groups are alike."""
    text = """
    func.func @f(%L0: index, %G0: index, %G1: index) {
      poly.kernel @triangle(%L0, %G0, %G1) params ["L0", "G0", "G1"] work_items ["x"]
          context #poly.set<"[L0] -> { : L0 > 0 }"> {
      ^bb0(%x: index):
        poly.subkernel @triangle_x along 0 width 1
            domain #poly.set<"[L0, G0, G1] -> { R[x] : 0 <= x < L0 and G0 + x < G1 }"> {
          poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed>
              domain #poly.set<"[L0, G0, G1] -> { scalar[x] : 0 <= x < L0 and G0 + x < G1 }"> {
          ^bb1(%x0: index):
          }
        }
      }
      func.return
    }
    """
    module = parse_mlir(make_context(), text.encode(), "triangle.mlir")
    (found,) = (op for op in module.walk() if isinstance(op, SubkernelOp))
    figure = codelets(found, {"L0": 16, "L1": 1}, (256, 4096))
    assert legend(figure) == {"scalar": 49.99, "no work": 50.01}
    assert "of 4 × 1 work-items one is drawn" in figure.note


def test_a_value_for_each_group(kernel: KernelOp):
    """Groups of another row have another mask."""
    sizes = conv_sizes((16, 2), (4, 2)) | {"vs": np.array([0, 9]).reshape(1, 2, 1)}
    figure = codelets(subkernel(kernel, "conv_x"), sizes, (4, 2))
    # Of the lower row: two tiles of eight at each side.
    assert legend(figure) == {"interior": 75.0, "mixed": 12.5, "divergent": 12.5}


def test_one_dimension_and_three(kernel: KernelOp):
    sizes = conv_sizes((28, 1), (3, 1))
    line = codelets(subkernel(kernel, "conv_x"), sizes, 3)
    assert line.y.label == ""
    assert areas(line)["partial"] == 12
    deep = codelets(subkernel(kernel, "conv_x"), sizes | {"L1": 4, "height": 4}, (3, 1, 5))
    assert "only those with global id 2 = 0" in deep.note


def test_sizes_that_do_not_fit(kernel: KernelOp):
    sizes = conv_sizes((32, 12), (3, 3))
    del sizes["vs"]
    with pytest.raises(ArgumentError, match=r"@conv has the parameter 'vs'; give its value"):
        codelets(subkernel(kernel, "conv_x"), sizes, (3, 3))
    with pytest.raises(ArgumentError, match="@conv has no such launch; its context: .*width"):
        codelets(subkernel(kernel, "conv_x"), conv_sizes((32, 12), (3, 3)) | {"width": 90}, (3, 3))
    with pytest.raises(ArgumentError, match="too large"):
        codelets(
            subkernel(kernel, "conv_x"),
            conv_sizes((256, 1), (1 << 10, 1 << 20)),
            (1 << 10, 1 << 20),
        )
    with pytest.raises(ArgumentError, match="at least 1"):
        codelets(subkernel(kernel, "conv_x"), sizes, (3, 0))
