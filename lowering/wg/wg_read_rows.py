"""`wg-read-rows`: loops along rows that belong to one work-item each go on by 16 bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import scf, vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.addresses import (
    address_in_small_buffer,
    address_of,
    are_apart,
)
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import vector_of
from polycl.lowering.build import Build
from polycl.lowering.wg.before_vectors import (
    ROW_BYTES,
    Access,
    Edit,
    edit_for_vectors,
    first_element,
    is_far,
    joined,
)
from polycl.lowering.wg.loop_rows import whole_rows
from polycl.lowering.wg.wg_vectorize.accesses import access_stride, accessed_type
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT
from polycl.lowering.wg.wg_vectorize.interleaved_rows import Addresses
from polycl.lowering.wg.wg_vectorize.loop_vectors import vectorizes_alone
from polycl.remarks import emit_remark

MOST_OPERATIONS = 400
"""Of a loop's body after it was copied."""

MOST_PARTS = 64
"""The iterations of a loop inside, as over the bits of a number."""


@dataclass(frozen=True)
class WgReadRowsPass(ModulePass):
    """Let a loop that reads or writes a row of each work-item's own go on by 16 bytes.

    ```
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%p = %zero) -> (f32) {
      %v = ocl.load %a[%row + %k]
      %q = arith.addf %p, %v
      scf.yield %q
    }
    ```

    becomes

    ```
    %end = ... // %n, rounded down to a multiple of 4
    %t = scf.for %k = %c0 to %end step %c4 iter_args(%p = %zero) -> (f32) {
      %v = ocl.vload (%a + %row + %k)[0] -> vector<4xf32>
      %q = %p + %v[0] + %v[1] + %v[2] + %v[3], one after the other
      scf.yield %q
    }
    %s = scf.for %k = %end to %n step %c1 iter_args(%p = %t) -> (f32) { as before }
    ```

    Rows that are read or written from their ends are alike: the block ends at the element of the
    first iteration.

    The rows of neighbouring work-items are far apart, so that vectors of work-items would gather
    single elements. Four elements of a row are loaded at once and transposed with those of the
    others (`wg_vectorize/shuffles.py`), and each line of the cache is visited less often. Short
    loops inside of such a loop, as over the bits of a byte, are there for each element.

    What is read in advance, and written later, must not be what the loop writes otherwise. With
    `distinct`, buffers of different parameters do not overlap, and with `small_buffers` none has
    2^32 bytes, so that no element's number wraps: the launch checks it. Loops of
    which LLVM makes vectors for one work-item stay, unless there are others in the region, and so
    do those whose elements neighbours have side by side.
    """

    name = "wg-read-rows"

    distinct: bool = False
    small_buffers: bool = False
    processor: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in edit_for_vectors(
            op,
            self._edits,
            small_buffers=self.small_buffers,
            processor=self.processor,
            may_edit=lambda region: bool(operations_of(region.body, scf.ForOp)),
        ):
            emit_remark(loop, self.name, "rows of several elements at once")

    def _edits(self, region: wg.ParallelOp, facts: Uniformity, dimension: int) -> list[Edit]:
        edits: list[Edit] = []
        for loop in _loops(region):
            if any(loop.is_ancestor(inner) for inner, _ in edits):
                continue
            step = max(constant_value(loop.step) or 0, 0)
            rows = self._rows(loop, facts, dimension, step)
            size = len(operations_in(loop.body))
            count = ROW_BYTES // max(
                (size_of(accessed_type(row.first)) for row in rows.values()), default=ROW_BYTES
            )
            while count * size > MOST_OPERATIONS * step:
                count //= 2
            trips = trip_count(loop)
            if count > step and count % step == 0 and (trips is None or trips * step >= count):
                edits.append((loop, partial(_copy, loop, rows, count)))
        # Where some are not, work-items become lanes, and LLVM makes no vectors.
        return [] if all(self._is_alone(loop) for loop, _ in edits) else edits[::-1]

    def _is_alone(self, loop: Operation) -> bool:
        assert isinstance(loop, scf.ForOp)
        return vectorizes_alone(loop, LoopStrides(loop, small_buffers=self.small_buffers))

    def _rows(self, loop: scf.ForOp, facts: Uniformity, dimension: int, step: int) -> _Rows:
        """The accesses to elements of which a loop can have several at once."""
        if step < 1:
            return {}
        if any(facts.lanes(x).strides[dimension] != 0 for x in (loop.lb, loop.ub)):
            return {}
        along = LoopStrides(loop, small_buffers=self.small_buffers)
        rows: dict[Access, bool] = {}
        for op in loop.body.block.ops:
            if isinstance(op, Access) and is_far(op, facts, dimension):
                size, stride = size_of(accessed_type(op)), access_stride(along, op, 0)
                falls = step == 1 and stride == -size
                if falls or stride == step * size:
                    rows[op] = falls
        kept = _independent(loop, list(rows), self.distinct)
        place_of = address_in_small_buffer if self.small_buffers else address_of
        return _whole({op: rows[op] for op in kept}, step, place_of)


def _loops(region: wg.ParallelOp) -> list[scf.ForOp]:
    """The loops that have none but short ones inside, such as one over the parts of an element; the
    innermost first."""
    loops = reversed(operations_of(region.body, scf.ForOp))
    return [
        loop
        for loop in loops
        if not operations_of(loop.body, scf.WhileOp)
        and all(_is_short(inner) for inner in operations_of(loop.body, scf.ForOp))
    ]


def _is_short(loop: scf.ForOp) -> bool:
    count = trip_count(loop)
    return count is not None and count <= MOST_PARTS


@dataclass(frozen=True)
class _Row:
    """An access to a row, as the first one to the elements of an iteration."""

    first: Access
    by: int
    """How many elements it is after that."""
    falls: bool
    """The next iteration accesses the element before."""


_Rows: TypeAlias = dict[Operation, _Row]


def _whole(accesses: Mapping[Access, bool], step: int, place_of: Addresses) -> _Rows:
    """Those that access all elements which the loop goes on by, in their order; and whether they
    fall."""
    rows: _Rows = {}
    found: dict[Access, set[int]] = {}
    for op, falls in accesses.items():
        root, place = place_of(op)
        for first in found:
            its_root, its_place = place_of(first)
            if step == 1 or its_root is not root or type(first) is not type(op):
                continue
            by, rest = divmod((place - its_place).constant or -1, size_of(accessed_type(first)))
            if rest == 0 and 0 < by < step and accessed_type(first) == accessed_type(op):
                rows[op] = _Row(first, by, falls)
                found[first].add(by)
                break
        else:
            rows[op] = _Row(op, 0, falls)
            found[op] = {0}
    return {op: row for op, row in rows.items() if len(found[row.first]) == step}


# What may be accessed earlier or later


def _independent(loop: scf.ForOp, rows: Sequence[Access], distinct: bool) -> list[Access]:
    """Those of the rows that may be read before all else in a few iterations, and written after."""
    others: list[Access] = []
    for op in operations_in(loop.body):
        if isinstance(op, Access):
            others.append(op)
        elif not (op.regions or isinstance(op, scf.YieldOp) or is_side_effect_free(op)):
            return []
    places = {op: number for number, op in enumerate(others)}

    def keeps_order(row: Access, other: Access) -> bool:
        if isinstance(row, ocl.LoadOp) and isinstance(other, ocl.LoadOp):
            return True
        (root, place), (root2, place2) = address_of(row), address_of(other)
        if are_apart(root, root2, distinct):
            return True
        # An element is read before it is written, in the same iteration.
        load, store = (row, other) if isinstance(row, ocl.LoadOp) else (other, row)
        is_pair = isinstance(load, ocl.LoadOp) and isinstance(store, ocl.StoreOp)
        same = root is root2 and (place - place2).constant == 0
        return is_pair and same and load in rows and places[load] < places[store]

    return [
        row for row in rows if all(keeps_order(row, other) for other in others if other is not row)
    ]


# The rewriting


def _copy(loop: scf.ForOp, rows: _Rows, count: int) -> None:
    """Run iterations with `count` elements of a row at once, and what is left by the loop as it
    is."""
    build, end = whole_rows(loop, count)
    type = loop.lb.type
    body = Block(arg_types=[arg.type for arg in loop.body.block.args])
    new = scf.ForOp(loop.lb, end, build.constant(count, type), list(loop.iter_args), body)
    build.emit_void(new)
    new.attributes = dict(loop.attributes)
    inside = Build(loop, body)
    counter, *carried = body.args
    values: list[SSAValue] = list(carried)
    counter.name_hint = loop.body.block.args[0].name_hint
    read: dict[Operation, SSAValue] = {}
    written: dict[Operation, tuple[SSAValue, list[SSAValue]]] = {}
    step = constant_value(loop.step) or 1
    for number in range(0, count, step):
        at = counter if number == 0 else inside.add(counter, inside.constant(number, type))
        known: dict[SSAValue, SSAValue] = {}
        known.update(zip(loop.body.block.args, [at, *values], strict=True))
        for op in loop.body.block.ops:
            row = rows.get(op)
            if row is not None and (access := row.first) is op and number == 0:
                start = first_element(inside, access, known)
                if row.falls:
                    start = inside.emit(ocl.OffsetOp(start, inside.index(1 - count)))
                if isinstance(access, ocl.LoadOp):
                    kind = vector_of(access.result.type, count)
                    read[op] = inside.emit(ocl.VLoadOp(start, inside.index(0), kind))
                else:
                    written[op] = start, []
            if row is not None and isinstance(op, ocl.LoadOp):
                place = count - 1 - number if row.falls else number + row.by
                element = inside.emit(vector.ExtractOp(read[row.first], [place], op.result.type))
                element.name_hint = op.result.name_hint
                known[op.result] = element
            elif row is not None and isinstance(op, ocl.StoreOp):
                start, elements = written[row.first]
                elements.append(known.get(op.value, op.value))
                if len(elements) == count:
                    value = joined(inside, elements[::-1] if row.falls else elements)
                    inside.emit_void(ocl.VStoreOp(value, start, inside.index(0)))
            elif not isinstance(op, scf.YieldOp):
                inside.emit_void(op.clone(known))
        values = [known.get(value, value) for value in terminator(loop.body.block).operands]
    inside.emit_void(scf.YieldOp(*values))
    for operand, value in enumerate([end, loop.ub, loop.step, *new.results]):
        loop.operands[operand] = value
