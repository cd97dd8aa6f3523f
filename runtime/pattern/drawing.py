"""A pattern program as a picture: a box for each pattern, arrows for arrays between them.

The function of a pattern is drawn inside of its box, unless it is arithmetic, which is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from polycl.dialects.pattern.paper import label
from polycl.dialects.pattern.paper_scalars import literal
from polycl.dialects.pattern.types import ArrayType
from polycl.runtime.figures.figure import Axis, Boxes, Cells, Figure, Lines, Rect, Segment, Texts

_CHARACTER, _PADDING, _LINE, _GAP, _SPACE = 6.6, 9.0, 22.0, 24.0, 16.0
"""Of boxes, in pixels: a character's width, margins, a line's height, gaps between ranks and
between boxes of one rank."""

_LONGEST_LABEL = 60


@dataclass(eq=False)
class _Node:
    """A box: an operation, or the argument or the result of a function."""

    text: str
    kind: str
    """"value" for arguments and results, "pattern" for operations."""
    inner: list[_Node] = field(default_factory=list["_Node"])
    width: float = 0
    height: float = 0
    x: float = 0
    y: float = 0


def figure_of(function: FuncOp) -> Figure:
    """The picture of a pattern program."""
    drawing = _Drawing()
    nodes, width, height = drawing.block(function.body.block, {})
    return Figure(
        title=function.sym_name.data,
        x=Axis("", 0, width),
        y=Axis("", height, 0),
        layers=list(drawing.layers(nodes)),
        width=width,
        height=height,
        frame=False,
    )


class _Drawing:
    def __init__(self):
        self._node_of: dict[SSAValue, _Node] = {}
        self._edges: list[tuple[_Node, _Node]] = []

    def block(
        self, block: Block, names: Mapping[SSAValue, str]
    ) -> tuple[list[_Node], float, float]:
        """The boxes of a block at their places in it, its width and its height."""
        names = {**names, **{arg: arg.name_hint or "·" for arg in block.args}}
        ranks: dict[int, list[_Node]] = {}
        rank_of: dict[int, int] = {}

        def put(node: _Node, inputs: list[_Node], sources: list[_Node]) -> None:
            own = [rank_of[id(n)] for n in inputs if id(n) in rank_of]
            rank = 1 + max(own, default=-1)
            rank_of[id(node)] = rank
            ranks.setdefault(rank, []).append(node)
            self._edges += [(source, node) for source in sources]

        used = {operand for op in block.walk() for operand in op.operands}
        for arg in block.args:
            if arg not in used:
                continue
            node = _sized(_Node(f"{names[arg]}: {_short(arg)}", "value"))
            self._node_of[arg] = node
            put(node, [], [])
        for op in block.ops:
            if isinstance(op, arith.ConstantOp):
                continue
            node = self._operation(op, names)
            inputs = self._nodes_of(_used(op))
            # What only the function uses has an arrow to the box inside that uses it.
            sources = self._nodes_of(list(op.operands)) if node.inner else inputs
            for value in op.results:
                self._node_of[value] = node
                names[value] = value.name_hint or "·"
            put(node, inputs, sources)
        return _placed([ranks[rank] for rank in sorted(ranks)])

    def _nodes_of(self, values: list[SSAValue]) -> list[_Node]:
        found = [self._node_of[value] for value in values if value in self._node_of]
        return list(dict.fromkeys(found))

    def _operation(self, op: Operation, names: Mapping[SSAValue, str]) -> _Node:
        if op.name in ("func.return", "pattern.yield"):
            return _sized(_Node("result", "value"))
        is_nested = any(
            inner is not op and inner.name.startswith("pattern.") and inner.name != "pattern.yield"
            for inner in op.walk()
        )
        outside = {**names}
        for operand in op.operands:
            outside.setdefault(operand, literal(operand) or operand.name_hint or "·")
        text = label(op, outside, head_only=is_nested)
        if len(text) > _LONGEST_LABEL:
            text = text[: _LONGEST_LABEL - 1] + "…"
        node = _Node(text, "pattern")
        if not is_nested:
            return _sized(node)
        node.inner, width, height = self.block(op.regions[0].block, names)
        for inner in node.inner:
            inner.y += _LINE
        node.width = max(width, _text_width(text)) + 2 * _PADDING
        node.height = height + _LINE + _PADDING
        return node

    def layers(self, nodes: list[_Node]) -> Iterator[Cells | Boxes | Lines | Texts]:
        """The layers of a figure, with all boxes at their places in the picture."""
        every = list(_absolute(nodes, 0, 0))
        for kind, fill in (("pattern", "#e8f0fb"), ("value", "#f6eedd")):
            rects: list[Rect] = [(n.x, n.y, n.width, n.height) for n in every if n.kind == kind]
            yield Cells(kind, rects, fill, edge="#456")
        segments: list[Segment] = [
            (a.x + a.width / 2, a.y + a.height, b.x + b.width / 2, b.y)
            for a, b in self._edges
            if a.y + a.height <= b.y
        ]
        yield Lines("flow", segments, colour="#456", arrow=True)
        yield Texts("labels", [(n.x + n.width / 2, n.y + _LINE / 2, n.text) for n in every])


def _used(op: Operation) -> list[SSAValue]:
    """The values that an operation and its function use."""
    return [operand for inner in op.walk() for operand in inner.operands]


def _short(value: SSAValue) -> str:
    """A type without its namespace, the sizes first: `N x f32`."""
    sizes, type = "", value.type
    while isinstance(type, ArrayType):
        sizes += f"{type.size} x "
        type = type.element_type
    return f"{sizes}{type}"


def _text_width(text: str) -> float:
    return _CHARACTER * len(text)


def _sized(node: _Node) -> _Node:
    node.width, node.height = _text_width(node.text) + 2 * _PADDING, _LINE
    return node


def _placed(ranks: list[list[_Node]]) -> tuple[list[_Node], float, float]:
    """Boxes in rows, centred, with the width and the height of all."""
    widths = [sum(n.width for n in rank) + _SPACE * (len(rank) - 1) for rank in ranks]
    width, y = max(widths, default=0) + 2 * _PADDING, _PADDING
    for rank, own in zip(ranks, widths, strict=True):
        x = (width - own) / 2
        for node in rank:
            node.x, node.y = x, y
            x += node.width + _SPACE
        y += max(node.height for node in rank) + _GAP
    return [node for rank in ranks for node in rank], width, y - _GAP + _PADDING


def _absolute(nodes: list[_Node], x: float, y: float) -> Iterator[_Node]:
    for node in nodes:
        node.x, node.y = node.x + x, node.y + y
        yield node
        yield from _absolute(node.inner, node.x, node.y)
