"""Fragments: 16 x 8 elements of which each of 32 work-items has four.

Work-item l has the elements 2*(l mod 4) and the one after it of row l / 4, and those of row l / 4
+ 8, as NVIDIA's tensor cores take them (PTX ISA, "Matrix Fragments for mma.m16n8k16").
"""

from __future__ import annotations

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


def lane(emitter: Emitter) -> Expr:
    """The number of the work-item in its sub-group."""
    value = emitter.query(ocl.LocalIdOp, 0, "lane")
    known = emitter.lanes.get(value)
    if known is None:
        known = emitter.lanes[value] = emitter.fresh("lane", Range(integer(0), integer(31)), value)
    return known


def own_places(emitter: Emitter) -> list[tuple[Expr, Expr]]:
    """The rows and columns of the work-item's four elements."""
    item = lane(emitter)
    row = div(item, integer(4), emitter.env)
    column = mod(item, integer(4), emitter.env) * 2
    return [(row + 8 * down, column + right) for down in (0, 1) for right in (0, 1)]


def copy_fragment(emitter: Emitter, source: View, target: View) -> None:
    """Each work-item copies its four elements."""
    sources, targets = _elements(emitter, source), _elements(emitter, target)
    values = [emitter.value(element) for element in sources]
    for first in (0, 2):
        pair = _pair(targets[first], targets[first + 1])
        if pair is not None and emitter.aligned:
            both = VectorType(values[first].type, [2])
            joined = emitter.result(ocl.ConcatOp(values[first : first + 2], both))
            emitter.store(joined, pair)
            continue
        for k in (first, first + 1):
            emitter.store(values[k], targets[k])


def _elements(emitter: Emitter, view: View) -> list[View]:
    if isinstance(view, FragmentView):
        return [view.own.at(emitter, integer(k)) for k in range(4)]
    elements: list[View] = []
    for row, column in own_places(emitter):
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
