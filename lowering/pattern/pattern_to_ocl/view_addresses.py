"""Views: arrays as functions from an index to the place of the element.

A pattern that only rearranges (`split`, `zip`, `transpose`, ...) generates no code, but a view of a
view. At a load or store of an element the views are one index expression into a buffer, which
`analysis.index_arith` has simplified (Steuwer, Remmelg, Dubach: "Lift: a functional
data-parallel IR for high-performance GPU code generation", CGO 2017, section 5.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.builtin import IndexType, TupleType, VectorType, i1, i8, i64
from xdsl.ir import Attribute, SSAValue

from polycl.analysis.ocl.index_arith import Expr, div, integer, var
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.pattern import ArrayType, NatAttr

if TYPE_CHECKING:
    from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter


@dataclass(eq=False)
class Buffer:
    """Memory for scalars of one type."""

    name: str
    space: AddressSpace
    element: Attribute
    """The type in memory: an `i1` is stored as an `i8`, an index as an `i64`."""

    size: Expr
    """The number of elements."""

    host: SSAValue | None = None
    """Of global memory: the array of the host function whose leaf this is."""

    ahead: bool = False
    """Of local memory: it is written ahead of its use, and the barriers for this are there."""

    swizzled: bool = False
    """Of local memory: pieces of 16 bytes lie elsewhere (`pattern.to_local`)."""


@dataclass(frozen=True)
class Value:
    """A scalar or a vector that is in a register."""

    value: SSAValue


@dataclass(frozen=True)
class Computed:
    """A scalar or a vector that is computed where it is needed."""

    compute: Callable[[Emitter], SSAValue]


@dataclass(frozen=True)
class Memory:
    """A scalar or a vector at an index of a buffer; indices count scalars."""

    buffer: Buffer
    index: Expr
    type: Attribute


@dataclass(frozen=True)
class Limited:
    """A place that is written only where indices are below their limits."""

    place: Memory
    limits: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True)
class Lanes:
    """A vector whose scalars are at several places."""

    parts: tuple[View, ...]


@dataclass(frozen=True)
class TupleView:
    """A tuple."""

    parts: tuple[View, ...]


@dataclass(frozen=True)
class ArrayView:
    """An array."""

    size: Expr
    at: Callable[[Emitter, Expr], View]


@dataclass(frozen=True)
class ItemsView(ArrayView):
    """An array in private memory, of which each work-item of a group has its own elements."""

    dim: int | None
    """The dimension of the NDRange whose work-items have one element each; None: each work-item has
    all of them."""

    first: View
    """An element of the work-item."""


@dataclass(frozen=True)
class FragmentView(ArrayView):
    """Elements in the private memory of several work-items, as tensor cores have them."""

    own: ArrayView
    """The elements of the work-item (`fragments.own_places`)."""

    columns: int
    """The number of elements of a row."""


View: TypeAlias = Value | Computed | Memory | Limited | Lanes | TupleView | ArrayView


def size_expr(size: NatAttr, sizes: Mapping[str, Expr]) -> Expr:
    """A size as an index expression; `sizes` has the values of its variables."""
    total = Expr(size.terms).substitute(lambda name: sizes.get(str(name)) or var(name))
    return div(total, integer(size.denominator), {})


def stored_type(scalar: Attribute) -> Attribute:
    """The type of a scalar in memory."""
    if isinstance(scalar, IndexType):
        return i64
    return i8 if scalar == i1 else scalar


@dataclass(frozen=True)
class Leaf:
    """A scalar type in an array, and the number of its elements."""

    type: Attribute
    count: Expr


def leaves_of(type: Attribute, sizes: Mapping[str, Expr]) -> list[Leaf]:
    """The leaves of a value of `type`: each part of a tuple has memory of its own."""
    match type:
        case ArrayType():
            size = size_expr(type.size, sizes)
            return [Leaf(e.type, size * e.count) for e in leaves_of(type.element_type, sizes)]
        case TupleType():
            return [leaf for part in type.types for leaf in leaves_of(part, sizes)]
        case VectorType():
            return [Leaf(type.element_type, integer(type.element_count()))]
        case _:
            return [Leaf(type, integer(1))]


def memory_view(
    type: Attribute, buffers: Sequence[Buffer], starts: Sequence[Expr], sizes: Mapping[str, Expr]
) -> View:
    """A value of `type` in `buffers`, one for each leaf, from the indices `starts`."""
    match type:
        case ArrayType():
            element = type.element_type
            steps = [leaf.count for leaf in leaves_of(element, sizes)]

            def at(emitter: Emitter, i: Expr) -> View:
                moved = [start + i * step for start, step in zip(starts, steps, strict=True)]
                return memory_view(element, buffers, moved, sizes)

            return ArrayView(size_expr(type.size, sizes), at)
        case TupleType():
            parts: list[View] = []
            first = 0
            for part in type.types:
                count = len(leaves_of(part, sizes))
                chosen = slice(first, first + count)
                parts.append(memory_view(part, buffers[chosen], starts[chosen], sizes))
                first += count
            return TupleView(tuple(parts))
        case _:
            (buffer,), (start,) = buffers, starts
            return Memory(buffer, start, type)


def items_view(size: Expr, dim: int, own: View) -> ItemsView:
    """An array of which each work-item along `dim` has the element `own`."""

    def at(emitter: Emitter, i: Expr) -> View:
        if emitter.items.get(dim) != (i, size):
            raise NotOwned(f"element {i} of the work-items along dimension {dim}")
        return own

    return ItemsView(size, at, dim, own)


def elements_view(elements: Sequence[View]) -> ItemsView:
    """An array of which each work-item has all elements, in registers."""

    def at(_: Emitter, i: Expr) -> View:
        if i.constant is None:
            raise NotOwned(f"element {i} of an array in registers, which needs a number")
        return elements[i.constant]

    return ItemsView(integer(len(elements)), at, None, elements[0])


def fragment_view(own: ArrayView, rows: int, columns: int) -> FragmentView:
    """`rows` x `columns` elements of which the work-item has `own`."""

    def at(_: Emitter, i: Expr) -> View:
        raise NotOwned(f"row {i} of a fragment")

    return FragmentView(integer(rows), at, own, columns)


def has_fragments(view: View) -> bool:
    """Whether an array is one of fragments."""
    if isinstance(view, ItemsView):
        return has_fragments(view.first)
    return isinstance(view, FragmentView)


def is_shared(view: View) -> bool:
    """Whether the elements of an array are those of several work-items."""
    if isinstance(view, ItemsView):
        return view.dim is not None or is_shared(view.first)
    return isinstance(view, FragmentView)


def is_limited(view: View, emitter: Emitter) -> bool:
    """Whether some places of a value are written only where indices are below their limits."""
    match view:
        case TupleView() | Lanes():
            return any(is_limited(part, emitter) for part in view.parts)
        case ArrayView():
            # A place is limited at the last index, where it is at any.
            return is_limited(view.at(emitter, view.size - 1), emitter)
        case _:
            return isinstance(view, Limited)


class NotOwned(Exception):
    """A work-item reads an element in the private memory of another one."""


def buffers_in(view: View, emitter: Emitter) -> Iterator[Buffer]:
    """The buffers of the parts of a value that are in memory."""
    match view:
        case Memory():
            yield view.buffer
        case Limited():
            yield view.place.buffer
        case TupleView() | Lanes():
            for part in view.parts:
                yield from buffers_in(part, emitter)
        case ItemsView():
            yield from buffers_in(view.first, emitter)
        case FragmentView():
            yield from buffers_in(view.own, emitter)
        case ArrayView():
            yield from buffers_in(view.at(emitter, integer(0)), emitter)
        case Value() | Computed():
            return
