"""The content of a picture in the units of its axes; svg.py and with_matplotlib.py draw it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Rect: TypeAlias = tuple[float, float, float, float]
"""x, y, width and height; x and y are the least coordinates."""

Segment: TypeAlias = tuple[float, float, float, float]
"""From x, y to x, y."""


@dataclass(frozen=True)
class Cells:
    """Filled rectangles. `legend` is the text of a layer in the legend, "" for none."""

    name: str
    rects: Sequence[Rect]
    fill: str
    hatch: str = ""
    """Lines that distinguish similar colours: "/", "x", or "" for none."""
    edge: str = ""
    legend: str = ""


@dataclass(frozen=True)
class Boxes:
    """Outlines of rectangles."""

    name: str
    rects: Sequence[Rect]
    colour: str = "black"
    dashed: bool = False
    legend: str = ""


@dataclass(frozen=True)
class Points:
    """Discs, or with `hollow` circles."""

    name: str
    places: Sequence[tuple[float, float]]
    fill: str
    radius: float = 4
    """In pixels."""
    hollow: bool = False
    legend: str = ""


@dataclass(frozen=True)
class Lines:
    """Straight lines, or with `arrow` arrows that end at their second point."""

    name: str
    segments: Sequence[Segment]
    colour: str = "black"
    width: float = 1
    dashed: bool = False
    arrow: bool = False
    legend: str = ""


@dataclass(frozen=True)
class Texts:
    """Texts centred at x, y."""

    name: str
    places: Sequence[tuple[float, float, str]]
    colour: str = "black"
    size: float = 11
    """In pixels."""
    legend: str = ""


Layer: TypeAlias = Cells | Boxes | Points | Lines | Texts


@dataclass(frozen=True)
class Axis:
    """`low` is at the left or at the bottom; if it exceeds `high`, the axis is reversed."""

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class Figure:
    """A picture: layers, the first one at the bottom, in a frame with axes."""

    title: str
    x: Axis
    y: Axis
    layers: Sequence[Layer]
    note: str = ""
    """A line below the title: the sizes, and parts that are not drawn."""
    width: float = 680
    height: float = 300
    """Of the frame, in pixels."""
    frame: bool = True


def ticks(low: int, high: int, most: int = 9) -> tuple[tuple[float, str], ...]:
    """At most `most` multiples of a power of two from `low` to `high`, inclusive."""
    step = stride_of(high - low + 1, most)
    first = -(-low // step) * step
    return tuple((n, str(n)) for n in range(first, high + 1, step))


def stride_of(count: int, most: int = 9) -> int:
    """The least power of two that divides `count` things into at most `most`."""
    stride = 1
    while -(-count // stride) > most:
        stride *= 2
    return stride
