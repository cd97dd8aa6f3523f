"""A figure as SVG text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from polycl.runtime.figures.figure import (
    Axis,
    Boxes,
    Cells,
    Figure,
    Layer,
    Lines,
    Points,
    Texts,
)

LEFT, RIGHT, TOP, BOTTOM = 64, 24, 34, 46
"""The margins for axes and title in pixels; notes and the legend add to them."""

LINE = 17
"""From one line of text to the next."""

CHARACTER = 5.9
"""The width of a character of the small font, on average."""

_HATCHES = {"/": "M-1 7L7 -1M-1 1L1 -1M5 7L7 5", "x": "M0 0L6 6M6 0L0 6"}


def svg(figure: Figure) -> str:
    """The text of an SVG file; the same figure gives the same text."""
    return _Page(figure).text()


class _Page:
    def __init__(self, figure: Figure):
        self.figure = figure
        self.width = LEFT + figure.width + RIGHT
        notes = _wrap(figure.note, self.width - 40)
        self.legend = _legend_rows(figure.layers, self.width - 40)
        self.notes = notes
        self.top = TOP + LINE * len(notes)
        self.below = self.top + figure.height + (BOTTOM if figure.x.label else 26)
        self.height = self.below + LINE * 1.3 * len(self.legend) + 8

    def text(self) -> str:
        figure = self.figure
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(self.width)} '
            f'{_n(self.height)}" width="{_n(self.width)}" height="{_n(self.height)}" role="img" '
            'font-family="Helvetica, Arial, sans-serif" font-size="12">',
            f"<title>{escape(figure.title)}</title>",
            *self._definitions(),
            '<rect class="paper" width="100%" height="100%" fill="white"/>',
            _text(self.width / 2, 22, figure.title, size=14.5),
        ]
        for i, line in enumerate(self.notes):
            parts.append(_text(self.width / 2, 40 + LINE * i, line, size=11.5, colour="#444"))
        for layer in figure.layers:
            parts += self._layer(layer)
        parts += self._axes()
        parts += self._legend()
        return "\n".join([*parts, "</svg>", ""])

    def x(self, value: float) -> float:
        axis = self.figure.x
        return LEFT + (value - axis.low) / (axis.high - axis.low) * self.figure.width

    def y(self, value: float) -> float:
        axis = self.figure.y
        return self.top + (axis.high - value) / (axis.high - axis.low) * self.figure.height

    def _definitions(self) -> list[str]:
        used = {layer.hatch for layer in self.figure.layers if isinstance(layer, Cells)}
        patterns = [
            f'<pattern id="hatch{i}" width="6" height="6" patternUnits="userSpaceOnUse">'
            f'<path d="{path}" stroke="white" stroke-opacity="0.55" stroke-width="0.9"/></pattern>'
            for i, (hatch, path) in enumerate(_HATCHES.items())
            if hatch in used
        ]
        colours = dict.fromkeys(
            layer.colour for layer in self.figure.layers if isinstance(layer, Lines) and layer.arrow
        )
        heads = [
            f'<marker id="head{_id(colour)}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6.5" '
            f'markerHeight="6.5" orient="auto"><path d="M0 0.8L8 4L0 7.2z" fill="{colour}"/>'
            "</marker>"
            for colour in colours
        ]
        return ["<defs>", *patterns, *heads, "</defs>"] if patterns or heads else []

    def _layer(self, layer: Layer) -> list[str]:
        opening = f'<g class="{escape(layer.name)}"'
        match layer:
            case Cells():
                style = f'fill="{layer.fill}"'
                # Without crisp edges the background shows between neighbours.
                style += (
                    f' stroke="{layer.edge}"' if layer.edge else ' shape-rendering="crispEdges"'
                )
                rects = [self._rect(rect) for rect in layer.rects]
                parts = [f"{opening} {style}>", *rects, "</g>"]
                if layer.hatch:
                    number = list(_HATCHES).index(layer.hatch)
                    parts += [f'<g class="hatch" fill="url(#hatch{number})">', *rects, "</g>"]
                return parts
            case Boxes():
                style = f'fill="none" stroke="{layer.colour}"{_dashes(layer.dashed)}'
                return [f"{opening} {style}>", *map(self._rect, layer.rects), "</g>"]
            case Points():
                style = _disc(layer)
                places = [
                    f'<circle cx="{_n(self.x(x))}" cy="{_n(self.y(y))}" r="{_n(layer.radius)}"/>'
                    for x, y in layer.places
                ]
                return [f"{opening} {style}>", *places, "</g>"]
            case Lines():
                path = "".join(
                    f"M{_n(self.x(a))} {_n(self.y(b))}L{_n(self.x(c))} {_n(self.y(d))}"
                    for a, b, c, d in layer.segments
                )
                if not layer.arrow:
                    return [f'{opening}><path {_stroke(layer)} d="{path}"/></g>']
                arrows = [
                    f'<path d="M{_n(self.x(a))} {_n(self.y(b))}L{_n(self.x(c))} {_n(self.y(d))}" '
                    f'marker-end="url(#head{_id(layer.colour)})"/>'
                    for a, b, c, d in layer.segments
                ]
                return [f"{opening} {_stroke(layer)}>", *arrows, "</g>"]
            case Texts():
                return [
                    f"{opening}>",
                    *(
                        _text(
                            self.x(x),
                            self.y(y) + layer.size * 0.35,
                            text,
                            size=layer.size,
                            colour=layer.colour,
                        )
                        for x, y, text in layer.places
                    ),
                    "</g>",
                ]

    def _rect(self, rect: tuple[float, float, float, float]) -> str:
        x, y, width, height = rect
        left, right = sorted((self.x(x), self.x(x + width)))
        upper, lower = sorted((self.y(y), self.y(y + height)))
        return (
            f'<rect x="{_n(left)}" y="{_n(upper)}" width="{_n(right - left)}" '
            f'height="{_n(lower - upper)}"/>'
        )

    def _axes(self) -> list[str]:
        figure = self.figure
        left, right = LEFT, LEFT + figure.width
        upper, lower = self.top, self.top + figure.height
        parts = ['<g class="axes">']
        if figure.frame:
            parts.append(
                f'<rect x="{left}" y="{_n(upper)}" width="{_n(figure.width)}" '
                f'height="{_n(figure.height)}" fill="none" stroke="black"/>'
            )
        for at, text in _inside(figure.x):
            x = self.x(at)
            if figure.frame:
                parts.append(f'<path d="M{_n(x)} {_n(lower)}v4" stroke="black"/>')
            parts.append(_text(x, lower + 16, text, size=11))
        for at, text in _inside(figure.y):
            y = self.y(at)
            if figure.frame:
                parts.append(f'<path d="M{left} {_n(y)}h-4" stroke="black"/>')
            parts.append(_text(left - 7, y + 4, text, size=11, anchor="end"))
        if figure.x.label:
            parts.append(_text((left + right) / 2, lower + 34, figure.x.label))
        if figure.y.label:
            x, y = 16, (upper + lower) / 2
            parts.append(
                f'<text transform="translate({x} {_n(y)}) rotate(-90)" text-anchor="middle">'
                f"{escape(figure.y.label)}</text>"
            )
        return [*parts, "</g>"]

    def _legend(self) -> list[str]:
        parts = ['<g class="legend">']
        for i, row in enumerate(self.legend):
            x = (self.width - sum(_entry_width(layer) for layer in row) + 18) / 2
            y = self.below + LINE * 1.3 * i + 6
            for layer in row:
                parts += _swatch(layer, x, y)
                parts.append(_text(x + 28, y + 4, layer.legend, size=11.5, anchor="start"))
                x += _entry_width(layer)
        return [*parts, "</g>"]


def _swatch(layer: Layer, x: float, y: float) -> list[str]:
    """A sample of the layer, 22 by 12, at x and centred at y."""
    rect = f'<rect x="{_n(x)}" y="{_n(y - 6)}" width="22" height="12"'
    match layer:
        case Cells():
            edge = f' stroke="{layer.edge}"' if layer.edge else ""
            parts = [f'{rect} fill="{layer.fill}"{edge}/>']
            if layer.hatch:
                parts.append(f'{rect} fill="url(#hatch{list(_HATCHES).index(layer.hatch)})"/>')
            return parts
        case Boxes():
            return [f'{rect} fill="none" stroke="{layer.colour}"{_dashes(layer.dashed)}/>']
        case Points():
            return [f'<circle cx="{_n(x + 11)}" cy="{_n(y)}" r="{layer.radius}" {_disc(layer)}/>']
        case Lines():
            if layer.colour == "white":
                return [
                    f'{rect} fill="#bbb"/><path d="M{_n(x + 11)} {_n(y - 6)}v12" {_stroke(layer)}/>'
                ]
            head = f' marker-end="url(#head{_id(layer.colour)})"' if layer.arrow else ""
            return [f'<path d="M{_n(x)} {_n(y)}h21" {_stroke(layer)}{head}/>']
        case Texts():
            return []


def _legend_rows(layers: Sequence[Layer], width: float) -> list[list[Layer]]:
    rows: list[list[Layer]] = []
    for layer in layers:
        if not layer.legend:
            continue
        if rows and sum(map(_entry_width, [*rows[-1], layer])) <= width:
            rows[-1].append(layer)
        else:
            rows.append([layer])
    return rows


def _entry_width(layer: Layer) -> float:
    return 28 + CHARACTER * len(layer.legend) + 18


def _wrap(text: str, width: float) -> list[str]:
    """The text in lines, broken after commas and semicolons if possible."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width / CHARACTER:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _inside(axis: Axis) -> list[tuple[float, str]]:
    low, high = sorted((axis.low, axis.high))
    return [(at, text) for at, text in axis.ticks if low <= at <= high]


def _text(
    x: float, y: float, text: str, size: float = 12, colour: str = "", anchor: str = "middle"
) -> str:
    fill = f' fill="{colour}"' if colour and colour != "black" else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="{anchor}"{fill}>'
        f"{escape(text)}</text>"
    )


def _disc(layer: Points) -> str:
    if layer.hollow:
        return f'fill="white" stroke="{layer.fill}"'
    return f'fill="{layer.fill}" stroke="#333" stroke-width="0.5"'


def _stroke(layer: Lines) -> str:
    return (
        f'fill="none" stroke="{layer.colour}" stroke-width="{_n(layer.width)}"'
        f"{_dashes(layer.dashed)}"
    )


def _dashes(dashed: bool) -> str:
    return ' stroke-dasharray="4 3"' if dashed else ""


def _id(colour: str) -> str:
    return colour.removeprefix("#")


def _n(number: float) -> str:
    """With at most two digits after the point."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
