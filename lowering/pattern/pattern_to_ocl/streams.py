"""Scans whose elements are computed where a scatter reads them: one loop, and no array between.

A scatter reads the elements of its arrays in order, one in each iteration. So what a scan computes
for a scatter only needs no memory: the loop of the scatter carries the accumulator of the scan.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from polycl.analysis.ocl.index_arith import Expr
from polycl.dialects import pattern
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import has_arrays
from polycl.lowering.pattern.pattern_to_ocl.kinds import has_parallel, is_computed_when_read
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import ArrayView, View, size_expr


@dataclass
class Stream:
    """The result of a scan, of which there is one element at a time."""

    scan: pattern.ScanOp
    element: View | None = None
    """That of this iteration."""


@dataclass(frozen=True)
class StreamView(ArrayView):
    """The array of a stream."""

    stream: Stream = field(kw_only=True)


def stream_view(op: pattern.ScanOp, scope: Scope) -> StreamView:
    """The result of `op`, which the loop that reads it computes."""
    stream = Stream(op)
    assert isinstance(op.result.type, pattern.ArrayType)

    def at(_: Emitter, i: Expr) -> View:
        assert stream.element is not None, f"element {i} is read outside of the loop"
        return stream.element

    return StreamView(size_expr(op.result.type.size, scope.sizes), at, stream=stream)


def is_streamed(op: pattern.ScanOp) -> bool:
    """Whether a scatter computes the elements of `op` when it reads them."""
    return not has_arrays(op.init.type) and not has_parallel(op) and reader_of(op) is not None


def streams_of(op: pattern.ScatterOp, scope: Scope, emitter: Emitter) -> list[Stream]:
    """The scans that `op` computes."""
    assert op.parent is not None
    views = [
        scope.view(scan.result, emitter)
        for scan in op.parent.ops
        if isinstance(scan, pattern.ScanOp) and is_streamed(scan) and reader_of(scan) is op
    ]
    return [view.stream for view in views if isinstance(view, StreamView)]


def reader_of(op: pattern.ScanOp) -> pattern.ScatterOp | None:
    """The scatter that reads element i of `op` in iteration i, if nothing else reads any."""
    found: set[pattern.ScatterOp] = set()
    values: list[SSAValue] = [op.result]
    while values:
        for use in values.pop().uses:
            reader = use.operation
            if reader.parent is not op.parent:
                return None
            match reader:
                case pattern.ScatterOp() if use.index < len((reader.input, reader.indices)):
                    found.add(reader)
                case pattern.ZipOp() | pattern.UnzipOp():
                    values += reader.results
                case pattern.MapOp() if is_computed_when_read(reader):
                    values.append(reader.result)
                case _:
                    return None
    scatter = found.pop() if len(found) == 1 else None
    return None if scatter is None or has_parallel(scatter) else scatter
