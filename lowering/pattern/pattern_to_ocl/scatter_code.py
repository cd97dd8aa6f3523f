"""Elements that are combined with others at indices known at run time."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr, Range, integer
from polycl.dialects import pattern
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.pattern import array
from polycl.lowering.pattern.pattern_to_ocl.bodies import (
    GENERATORS,
    emit_block,
    load_scalars,
    tuple_parts,
)
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import has_arrays
from polycl.lowering.pattern.pattern_to_ocl.reduction_code import as_views, combined, registers
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.streams import Stream, streams_of
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    ArrayView,
    View,
    is_limited,
    leaves_of,
)


def _emit_scatter(
    gen: KernelGenerator, op: Operation, scopes: Sequence[Scope], places: Sequence[View]
) -> None:
    """One work-item, or a group with a parallel function, combines all elements in order."""
    assert isinstance(op, pattern.ScatterOp)
    for scope, place in zip(scopes, places, strict=True):
        out = place
        if is_limited(place, gen.emitter):
            out = gen.allocate(op, op.result.type, scope.sizes, AddressSpace.GLOBAL)
        _combine(gen, op, scope, out)
        if out is not place:
            gen.copy(out, place, op.result.type, scope.sizes)


def _combine(gen: KernelGenerator, op: pattern.ScatterOp, scope: Scope, out: View) -> None:
    emitter = gen.emitter
    gen.copy(scope.view(op.init, emitter), out, op.result.type, scope.sizes)
    elements = _array(scope.view(op.input, emitter))
    indices = _array(scope.view(op.indices, emitter))
    result = _array(out)
    old, new = op.argument_groups
    copied: View | None = None
    if has_arrays(op.element_type):
        # The function may read elements of the old row after it has written them.
        row = array(1, op.element_type)
        rows = gen.allocate(op, row, scope.sizes, AddressSpace.GLOBAL)
        copied = _array(rows).at(emitter, integer(0))

    streams = streams_of(op, scope, emitter)
    starts = [
        value
        for stream in streams
        for value in registers(scope.view(stream.scan.init, emitter), emitter)
    ]

    def one(i: Expr, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        after = _next_elements(gen, scope, streams, i, carried)
        index = emitter.value(indices.at(emitter, i))
        if result.size == integer(1):
            place = result.at(emitter, integer(0))
        else:
            bounds = Range(integer(0), result.size - 1)
            place = result.at(emitter, emitter.opaque(index, bounds))
        inner = Scope(scope)
        inner.bind_parts(old, load_scalars(emitter, place))
        inner.bind_parts(new, load_scalars(emitter, elements.at(emitter, i)))
        target = place if copied is None else copied
        parts = tuple_parts(target, len(op.yielded))
        emit_block(gen, op.body.block, [inner], [[part] for part in parts])
        if copied is not None:
            gen.copy(copied, place, op.element_type, scope.sizes)
        return after

    lasts = list(emitter.loop(elements.size, starts, one, shared=gen.by_group))
    for stream in streams:
        count = len(leaves_of(stream.scan.init.type, scope.sizes))
        (stream.element,) = as_views(lasts[:count], stream.scan.init.type, 1)
        del lasts[:count]


def _next_elements(
    gen: KernelGenerator,
    scope: Scope,
    streams: Sequence[Stream],
    i: Expr,
    carried: Sequence[SSAValue],
) -> list[SSAValue]:
    """Compute element i of scans from their accumulators; the next accumulators."""
    emitter, rest, after = gen.emitter, list(carried), list[SSAValue]()
    for stream in streams:
        scan = stream.scan
        count = len(leaves_of(scan.init.type, scope.sizes))
        (before,) = as_views(rest[:count], scan.init.type, 1)
        del rest[:count]
        element = _array(scope.view(scan.input, emitter)).at(emitter, i)
        (found,) = combined(gen, scan, [scope], [before], [element])
        value = load_scalars(emitter, found)
        stream.element = value if scan.exclusive is None else before
        after += registers(value, emitter)
    return after


def _array(view: View) -> ArrayView:
    assert isinstance(view, ArrayView)
    return view


GENERATORS[pattern.ScatterOp] = _emit_scatter
