"""Fragments: 16 x 8 elements of which each of 32 work-items has four.

Work-item l has the elements 2*(l mod 4) and the one after it of row l / 4, and those of row l / 4
+ 8, as NVIDIA's tensor cores take them (PTX ISA, "Matrix Fragments for mma.m16n8k16"). Of 64 x n
elements, four times 32 work-items have 16 rows each, of n / 8 such fragments side by side ("Matrix
Fragments for wgmma.mma_async.m64nNk16").
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType

from polycl.analysis.ocl.index_arith import Expr, Range, div, exact_div, integer, mod
from polycl.dialects import ocl
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    FragmentView,
    Memory,
    View,
)


def lane(emitter: Emitter, work_items: int) -> Expr:
    """The number of the work-item among those that have a product's elements together."""
    value = emitter.query(ocl.LocalIdOp, 0, "lane")
    known = emitter.lanes.get(value)
    if known is None:
        bounds = Range(integer(0), integer(work_items - 1))
        known = emitter.lanes[value] = emitter.fresh("lane", bounds, value)
    return known


def own_places(emitter: Emitter, rows: int, columns: int) -> list[tuple[Expr, Expr]]:
    """The rows and columns of the work-item's elements of `rows` x `columns`."""
    all_items = lane(emitter, 2 * rows)
    item = mod(all_items, integer(32), emitter.env)
    first = 16 * div(all_items, integer(32), emitter.env) + div(item, integer(4), emitter.env)
    column = mod(item, integer(4), emitter.env) * 2
    return [
        (first + 8 * down, column + (start + right))
        for start in range(0, columns, 8)
        for down in (0, 1)
        for right in (0, 1)
    ]


def copy_fragment(emitter: Emitter, source: View, target: View) -> None:
    """Each work-item copies its own elements."""
    fragment = source if isinstance(source, FragmentView) else target
    assert isinstance(fragment, FragmentView) and fragment.size.constant is not None
    places = own_places(emitter, fragment.size.constant, fragment.columns)
    sources, targets = _elements(emitter, source, places), _elements(emitter, target, places)
    values = [emitter.value(element) for element in sources]
    for first in range(0, len(values), 2):
        pair = _pair(targets[first], targets[first + 1])
        if pair is not None and emitter.aligned:
            both = VectorType(values[first].type, [2])
            joined = emitter.result(ocl.ConcatOp(values[first : first + 2], both))
            emitter.store(joined, pair)
            continue
        for k in (first, first + 1):
            emitter.store(values[k], targets[k])


def _elements(emitter: Emitter, view: View, places: Sequence[tuple[Expr, Expr]]) -> list[View]:
    if isinstance(view, FragmentView):
        return [view.own.at(emitter, integer(k)) for k in range(len(places))]
    elements: list[View] = []
    for row, column in places:
        assert isinstance(view, ArrayView)
        inner = view.at(emitter, row)
        assert isinstance(inner, ArrayView)
        elements.append(inner.at(emitter, column))
    return elements


def _pair(first: View, second: View) -> Memory | None:
    """Two neighbours in global memory as a vector."""
    if not isinstance(first, Memory) or not isinstance(second, Memory):
        return None
    if first.buffer is not second.buffer or first.buffer.host is None:
        return None
    if second.index - first.index != integer(1) or exact_div(first.index, integer(2)) is None:
        return None
    return Memory(first.buffer, first.index, VectorType(first.type, [2]))
