"""The accesses of a pattern's function, as functions of the loops around it.

An array is the function `at` of an index; patterns such as split, join and zip only change the
index. An index is a function of the loops' variables: the distance of two accesses is found by two
calls, without simplification.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import TupleType, VectorType
from xdsl.ir import Attribute, SSAValue

from polycl.dialects.pattern import (
    ArrayType,
    AsScalarOp,
    AsVectorOp,
    JoinOp,
    MapOp,
    MmaOp,
    ReorderStrideOp,
    SlideOp,
    SplitOp,
    ToMemoryBase,
    TransposeOp,
    ValueOp,
    ZipOp,
)
from polycl.dialects.pattern.types import innermost, scalar_of, width_of


def is_view(op: MapOp) -> bool:
    """Whether a map only rearranges the arrays that it reads, as `map(transpose)` does."""
    *inner, _ = op.body.block.ops
    return bool(inner) and all(
        is_view(each)
        if isinstance(each, MapOp)
        else isinstance(each, ValueOp) and not isinstance(each, ToMemoryBase | MmaOp)
        for each in inner
    )


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop of `trips` iterations, work-items or work-groups."""

    trips: int
    kind: str
    """`seq`, `unroll`, `local`, `rows` (other dimensions of a group), `workgroup` or `global`."""


Index: TypeAlias = Callable[[Mapping[Loop, int]], int]
"""The number of the element for the numbers of iterations, 0 for loops without one."""


@dataclass(frozen=True, eq=False)
class Buffer:
    """Memory: an argument of the function, or the result of a pattern."""

    elements: int
    element_bytes: int
    resident: bool
    """Whether it is written and read within a work-group or a work-item."""

    @property
    def bytes(self) -> int:
        return self.elements * self.element_bytes


@dataclass(frozen=True)
class Place:
    """A scalar or a vector in memory. `index` counts scalars."""

    buffer: Buffer
    index: Index | None
    """None where it depends on data."""
    width: int = 1


@dataclass(frozen=True)
class View:
    """An array: its size, and the element at an index."""

    size: int
    at: Callable[[Index], Value]


@dataclass(frozen=True)
class Parts:
    """A tuple."""

    values: tuple[Value, ...]


Value: TypeAlias = "Place | View | Parts | None"
"""None: a scalar in a register."""

Sizes: TypeAlias = Mapping[str, int]


def scalar_count(type: Attribute, sizes: Sizes) -> int:
    """The number of scalars in a value of this type."""
    match type:
        case ArrayType():
            return type.size.evaluate(sizes) * scalar_count(type.element_type, sizes)
        case VectorType():
            return width_of(type) or 1
        case TupleType():
            return sum(scalar_count(part, sizes) for part in type.types)
        case _:
            return 1


def scalar_bytes(type: Attribute) -> int:
    """The bytes of a scalar in a value of this type, or in the first part of a tuple."""
    match type:
        case ArrayType():
            return scalar_bytes(type.element_type)
        case VectorType():
            return scalar_bytes(scalar_of(type))
        case TupleType():
            return max(scalar_bytes(part) for part in type.types)
        case _:
            return getattr(type, "size", 8)


def in_memory(type: Attribute, buffer: Buffer, start: Index, sizes: Sizes) -> Value:
    """A value of this type in `buffer` from the scalar `start` on."""
    match type:
        case ArrayType():
            element, step = type.element_type, scalar_count(type.element_type, sizes)
            return View(
                type.size.evaluate(sizes),
                lambda i: in_memory(element, buffer, lambda e: start(e) + step * i(e), sizes),
            )
        case TupleType():
            parts: list[Value] = []
            offset = 0
            for part in type.types:
                parts.append(in_memory(part, buffer, lambda e, o=offset: start(e) + o, sizes))
                offset += scalar_count(part, sizes)
            return Parts(tuple(parts))
        case _:
            return Place(buffer, start, width_of(type) or 1)


def new_array(type: ArrayType, sizes: Sizes, *, resident: bool) -> View:
    """An array in memory of its own."""
    buffer = Buffer(scalar_count(type, sizes), scalar_bytes(type), resident)
    view = in_memory(type, buffer, lambda _: 0, sizes)
    assert isinstance(view, View)
    return view


def index_of(loop: Loop) -> Index:
    return lambda at: at.get(loop, 0)


def view_of(op: object, inputs: list[Value], sizes: Sizes) -> View | None:
    """The result of a pattern that only rearranges elements; None for others."""
    first = inputs[0] if inputs else None
    if isinstance(op, ZipOp):
        views = [value for value in inputs if isinstance(value, View)]
        return View(views[0].size, lambda i: Parts(tuple(view.at(i) for view in views)))
    if not isinstance(first, View):
        return None
    view: View = first
    match op:
        case SplitOp():
            n = op.size.evaluate(sizes)
            return View(
                view.size // n,
                lambda i: View(n, lambda j: view.at(lambda e: i(e) * n + j(e))),
            )
        case JoinOp():
            n = _inner_size(op.input, sizes)
            return View(
                view.size * n,
                lambda i: _view(view.at(lambda e: i(e) // n)).at(lambda e: i(e) % n),
            )
        case ReorderStrideOp():
            s = op.stride.evaluate(sizes)
            n = view.size // s
            return View(view.size, lambda i: view.at(lambda e: i(e) // n + s * (i(e) % n)))
        case TransposeOp():
            return View(
                _inner_size(op.input, sizes),
                lambda i: View(view.size, lambda j: _view(view.at(j)).at(i)),
            )
        case SlideOp():
            step = op.step.evaluate(sizes)
            size = op.size.evaluate(sizes)
            return View(
                (view.size - size) // step + 1,
                lambda i: View(size, lambda j: view.at(lambda e: i(e) * step + j(e))),
            )
        case AsVectorOp():
            return _vectors(view, op.width)
        case AsScalarOp():
            width = width_of(innermost(op.input.type)) or 1
            return _scalars(view, width)
        case _:
            return None


def _view(value: Value) -> View:
    assert isinstance(value, View)
    return value


def _inner_size(value: SSAValue, sizes: Sizes) -> int:
    assert isinstance(value.type, ArrayType)
    inner = value.type.element_type
    assert isinstance(inner, ArrayType)
    return inner.size.evaluate(sizes)


def _vectors(view: View, width: int) -> View:
    """The innermost dimension in vectors of `width`."""
    if isinstance(view.at(lambda _: 0), View):
        return View(view.size, lambda i: _vectors(_view(view.at(i)), width))
    return View(view.size // width, lambda i: _wide(view.at(lambda e: i(e) * width), width))


def _wide(value: Value, width: int) -> Value:
    match value:
        case Place():
            return Place(value.buffer, value.index, width)
        case Parts():
            return Parts(tuple(_wide(part, width) for part in value.values))
        case _:
            return value


def _scalars(view: View, width: int) -> View:
    if isinstance(view.at(lambda _: 0), View):
        return View(view.size, lambda i: _scalars(_view(view.at(i)), width))

    def lane(value: Value, i: Index) -> Value:
        match value:
            case Place():
                start = value.index
                if start is None:
                    return Place(value.buffer, None)
                return Place(value.buffer, lambda e: start(e) + i(e) % width)
            case Parts():
                return Parts(tuple(lane(part, i) for part in value.values))
            case _:
                return value

    return View(view.size * width, lambda i: lane(view.at(lambda e: i(e) // width), i))


def anywhere(view: View) -> Value:
    """An element at an index that depends on data."""

    def forget(value: Value) -> Value:
        match value:
            case Place():
                return Place(value.buffer, None, value.width)
            case Parts():
                return Parts(tuple(forget(part) for part in value.values))
            case View():
                return View(value.size, lambda i: forget(value.at(i)))
            case _:
                return value

    return forget(view.at(lambda _: 0))
