"""A figure as a file of matplotlib: PNG, PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from polycl.runtime.figures.figure import Boxes, Cells, Figure, Layer, Lines, Points, Texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCH = 96
"""Pixels of the figure in an inch."""

FONT = 72 / INCH
"""Points in a pixel: matplotlib counts fonts and lines in points."""


def write(figure: Figure, path: Path) -> None:
    """Writes `path`, whose kind is that of its name; the same figure gives the same file."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    size = (figure.width / INCH, figure.height / INCH)
    with pyplot.rc_context({"font.family": "sans-serif", "hatch.linewidth": 0.6}):
        drawing = pyplot.figure(figsize=size)
        # The frame fills the page; the tight bounding box adds the texts around it.
        axes = drawing.add_axes((0, 0, 1, 1))
        axes.set_xlim(figure.x.low, figure.x.high)
        axes.set_ylim(figure.y.low, figure.y.high)
        handles = [handle for layer in figure.layers if (handle := _draw(axes, layer)) is not None]
        _around(axes, figure, handles)
        metadata = {"CreationDate": None} if path.suffix == ".pdf" else None
        try:
            drawing.savefig(path, dpi=150, bbox_inches="tight", metadata=metadata)
        finally:
            pyplot.close(drawing)


def _around(axes: Axes, figure: Figure, handles: list[Any]) -> None:
    """Titles, ticks and the legend."""
    axes.set_title(f"{figure.title}\n", fontsize=14.5 * FONT, pad=4)
    if figure.note:
        axes.text(
            0.5,
            1 + 5 / figure.height,
            figure.note,
            transform=axes.transAxes,
            horizontalalignment="center",
            fontsize=11 * FONT,
            color="#444",
        )
    for axis, described in ((axes.xaxis, figure.x), (axes.yaxis, figure.y)):
        axis.set_ticks(
            [at for at, _ in described.ticks], labels=[text for _, text in described.ticks]
        )
        axis.set_tick_params(labelsize=11 * FONT)
        axis.set_label_text(described.label, fontsize=12 * FONT)
    if not figure.frame:
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.tick_params(length=0)
    if handles:
        axes.legend(
            handles=handles,
            loc="upper center",
            bbox_to_anchor=(0.5, -44 / figure.height),
            ncols=min(len(handles), 6),
            frameon=False,
            fontsize=11.5 * FONT,
        )


def _draw(axes: Axes, layer: Layer) -> Any | None:
    """Draws the layer; returns its line of the legend."""
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import FancyArrowPatch, Patch, Rectangle

    match layer:
        case Cells() | Boxes():
            rects = [Rectangle((x, y), width, height) for x, y, width, height in layer.rects]
            style = _style(layer)
            axes.add_collection(PatchCollection(rects, **style))
            return Patch(label=layer.legend, **style) if layer.legend else None
        case Points():
            face = "white" if layer.hollow else layer.fill
            edge = layer.fill if layer.hollow else "#333"
            disc: dict[str, Any] = {"markerfacecolor": face, "markeredgecolor": edge}
            disc["markeredgewidth"] = FONT if layer.hollow else 0.5 * FONT
            disc |= {"linestyle": "", "marker": "o", "markersize": 2 * layer.radius * FONT}
            axes.plot(*zip(*layer.places, strict=True), **disc) if layer.places else None
            return Line2D([], [], label=layer.legend, **disc) if layer.legend else None
        case Lines():
            line: dict[str, Any] = {
                "color": layer.colour,
                "linewidth": layer.width * FONT,
                "linestyle": (0, (4, 3)) if layer.dashed else "solid",
            }
            ends = [((a, b), (c, d)) for a, b, c, d in layer.segments]
            if layer.arrow:
                for start, end in ends:
                    arrow = FancyArrowPatch(
                        start, end, arrowstyle="-|>", mutation_scale=7, shrinkA=0, shrinkB=0, **line
                    )
                    axes.add_patch(arrow)
            else:
                axes.add_collection(LineCollection(ends, **line))
            if not layer.legend:
                return None
            shown: dict[str, Any] = line | ({"color": "#bbb"} if layer.colour == "white" else {})
            return Line2D([], [], label=layer.legend, **shown)
        case Texts():
            for x, y, text in layer.places:
                axes.text(
                    x,
                    y,
                    text,
                    horizontalalignment="center",
                    verticalalignment="center",
                    fontsize=layer.size * FONT,
                    color=layer.colour,
                )
            return None


def _style(layer: Cells | Boxes) -> dict[str, Any]:
    match layer:
        case Boxes():
            return {
                "facecolor": "none",
                "edgecolor": layer.colour,
                "linestyle": (0, (4, 3)) if layer.dashed else "solid",
                "linewidth": FONT,
            }
        case Cells():
            edge = layer.edge or ("#ffffff90" if layer.hatch else "none")
            return {
                "facecolor": layer.fill,
                "edgecolor": edge,
                "hatch": 3 * layer.hatch or None,
                "linewidth": FONT if layer.edge else 0,
            }
