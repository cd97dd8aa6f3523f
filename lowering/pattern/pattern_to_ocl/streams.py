"""Scans whose elements are computed where a scatter reads them: one loop, and no array between.

A scatter reads the elements of its arrays in order, one in each iteration. So what a scan computes
for a scatter only needs no memory: the loop of the scatter carries the accumulator of the scan. The
last one is the scan's last element, which reductions after the scatter may read, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr
from polycl.dialects import pattern
from polycl.dialects.pattern import nat
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import has_arrays
from polycl.lowering.pattern.pattern_to_ocl.kinds import (
    COMPUTING,
    has_parallel,
    is_computed_when_read,
)
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import ArrayView, View, size_expr


@dataclass
class Stream:
    """The result of a scan, of which there is one element at a time."""

    scan: pattern.ScanOp
    element: View | None = None
    """That of this iteration; after the loop the last one."""


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
    """The scatter that reads element i of `op` in iteration i, if nothing else reads any, but for
    reductions of the last element after it.
    """
    found: set[pattern.ScatterOp] = set()
    lasts: list[SSAValue] = []
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
                case pattern.PadOp() | pattern.DropOp() if op.exclusive is None:
                    last = _last_element(reader)
                    if last is None:
                        return None
                    lasts.append(last)
                case _:
                    return None
    scatter = found.pop() if len(found) == 1 else None
    if scatter is None or has_parallel(scatter) or (lasts and not _is_read_next(lasts, scatter)):
        return None
    return scatter


def _last_element(op: pattern.PadOp | pattern.DropOp) -> SSAValue | None:
    """The array of the last element of an array: a drop, or a drop of what has more before it."""
    value = op.result
    if isinstance(op, pattern.PadOp):
        if op.mode.data != "constant" or op.right != nat(0) or not value.has_one_use():
            return None
        (use,) = value.uses
        if not isinstance(use.operation, pattern.DropOp):
            return None
        value = use.operation.result
    assert isinstance(value.type, pattern.ArrayType)
    return value if value.type.size == nat(1) else None


def _is_read_next(lasts: list[SSAValue], scatter: pattern.ScatterOp) -> bool:
    """Whether only reductions read these arrays, directly after a scatter: in the same kernel."""
    readers: set[Operation] = set()
    values = list(lasts)
    while values:
        for use in values.pop().uses:
            reader = use.operation
            is_reduction = isinstance(reader, pattern.ReduceOp | pattern.ReduceSeqOp)
            if is_reduction and not has_parallel(reader):
                readers.add(reader)
            elif isinstance(reader, pattern.MapOp) and is_computed_when_read(reader):
                readers.add(reader)
                values.append(reader.result)
            else:
                return False
    op = scatter.next_op
    while readers and op is not None:
        if isinstance(op, COMPUTING):
            if op not in readers:
                return False
            readers.remove(op)
        op = op.next_op
    return not readers
