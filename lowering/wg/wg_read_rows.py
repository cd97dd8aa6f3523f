"""`wg-read-rows`: loops along rows that belong to one work-item each go on by 16 bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import scf, vector
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.addresses import address_of
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.trip_count import trip_count
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import vector_of
from polycl.lowering.build import Build
from polycl.lowering.wg.wg_vectorize.profit import Verdict, vectorizes_alone, vectors_pay
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes, natural_width
from polycl.lowering.wg.wg_vectorize.vector_memory import access_stride, accessed_type, gap_of
from polycl.remarks import emit_remark

ROW_BYTES = 16
"""What a processor loads and shuffles at once, whatever its vectors have."""

MOST_OPERATIONS = 400
"""Of a loop's body after it was copied."""

Access = ocl.LoadOp | ocl.StoreOp


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

    The rows of neighbouring work-items are far apart, so that vectors of work-items would gather
    single elements. Four elements of a row are loaded at once and transposed with those of the
    others (`wg_vectorize/shuffles.py`), and each line of the cache is visited less often.

    What is read in advance, and written later, must not be what the loop writes otherwise. With
    `distinct`, buffers of different parameters do not overlap, and with `small_buffers` none has
    2^32 bytes, so that no element's number wraps: the launch checks it. Loops of
    which LLVM makes vectors for one work-item stay, and so do those whose elements neighbours have
    side by side.
    """

    name = "wg-read-rows"

    distinct: bool = False
    small_buffers: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            regions = operations_of(function.body, wg.ParallelOp)
            loops = {region: _innermost_loops(region) for region in regions if region.step is None}
            if not any(loops.values()):
                continue
            facts = self._facts(function)
            for region, inside in loops.items():
                sizes = largest_sizes(region)
                dimension = best_dimension(region, facts, sizes)
                if dimension is None or not inside:
                    continue
                before = region.clone()
                widened = [loop for loop in inside if self._widen(loop, facts, dimension)]
                if widened:
                    facts = self._facts(function)
                    width = natural_width(region, facts, dimension, sizes[dimension] or 1)
                    body = region.body.block
                    if vectors_pay(body, facts, dimension, width) is not Verdict.PAYS:
                        # One work-item alone reads its elements one by one.
                        Rewriter.replace_op(region, before)
                        facts = self._facts(function)
                        continue
                for loop in widened:
                    emit_remark(loop, self.name, "rows of several elements at once")

    def _facts(self, function: wg.FuncOp) -> Uniformity:
        return Uniformity(function, small_buffers=self.small_buffers)

    def _widen(self, loop: scf.ForOp, facts: Uniformity, dimension: int) -> bool:
        """Let a loop go on by several elements; whether it has rows."""
        if constant_value(loop.step) != 1:
            return False
        if any(facts.lanes(x).strides[dimension] != 0 for x in (loop.lb, loop.ub)):
            return False
        along = LoopStrides(loop, small_buffers=self.small_buffers)
        if vectorizes_alone(loop, along):
            return False
        rows = [
            op
            for op in loop.body.block.ops
            if isinstance(op, Access) and _is_row(op, facts, along, dimension)
        ]
        rows = _independent(loop, rows, self.distinct)
        if not rows:
            return False
        size = len(operations_in(loop.body))
        count = ROW_BYTES // max(size_of(accessed_type(op)) for op in rows)
        while count * size > MOST_OPERATIONS:
            count //= 2
        trips = trip_count(loop)
        if count == 1 or trips is not None and trips < count:
            return False
        _copy(loop, rows, count)
        return True


def _innermost_loops(region: wg.ParallelOp) -> list[scf.ForOp]:
    loops = operations_of(region.body, scf.ForOp)
    return [loop for loop in loops if not operations_of(loop.body, scf.ForOp, scf.WhileOp)]


def _is_row(op: Access, facts: Uniformity, along: LoopStrides, dimension: int) -> bool:
    """Whether iterations access neighbouring elements, and work-items do not."""
    type = accessed_type(op)
    if op.volatile is not None or not isinstance(type, IntegerType | AnyFloat):
        return False
    size = size_of(type)
    if size not in (1, 2, 4, 8) or access_stride(along, op, 0) != size:
        return False
    if ocl.space_of(op.pointer) == ocl.AddressSpace.PRIVATE:
        return False
    stride = access_stride(facts, op, dimension)
    return stride is None or abs(stride) > size and gap_of(stride, size) is None


# What may be accessed earlier or later


def _independent(loop: scf.ForOp, rows: Sequence[Access], distinct: bool) -> list[Access]:
    """Those of the rows that may be read before all else in a few iterations, and written after."""
    others: list[Access] = []
    for op in operations_in(loop.body):
        if isinstance(op, Access):
            others.append(op)
        elif not (op.regions or isinstance(op, scf.YieldOp) or is_side_effect_free(op)):
            if not isinstance(op, ocl.VLoadOp):
                return []
    places = {op: number for number, op in enumerate(others)}

    def keeps_order(row: Access, other: Access) -> bool:
        if isinstance(row, ocl.LoadOp) and isinstance(other, ocl.LoadOp):
            return True
        (root, place), (root2, place2) = address_of(row), address_of(other)
        if _are_apart(root, root2, distinct):
            return True
        # An element is read before it is written, in the same iteration.
        load, store = (row, other) if isinstance(row, ocl.LoadOp) else (other, row)
        is_pair = isinstance(load, ocl.LoadOp) and isinstance(store, ocl.StoreOp)
        same = root is root2 and (place - place2).constant == 0
        return is_pair and same and load in rows and places[load] < places[store]

    return [
        row for row in rows if all(keeps_order(row, other) for other in others if other is not row)
    ]


def _are_apart(pointer: SSAValue, other: SSAValue, distinct: bool) -> bool:
    """Whether two pointers are never to the same array."""
    x, y = _array(pointer), _array(other)
    if x is y:
        return False
    spaces = {ocl.space_of(x), ocl.space_of(y)}
    if len(spaces) == 2 and ocl.AddressSpace.GENERIC not in spaces:
        return True
    return distinct and _is_parameter(x) and _is_parameter(y)


def _array(pointer: SSAValue) -> SSAValue:
    while isinstance(pointer.owner, ocl.CastOp | ocl.OffsetOp | ocl.MemberOp):
        pointer = pointer.owner.pointer
    return pointer


def _is_parameter(pointer: SSAValue) -> bool:
    owner = pointer.owner
    return isinstance(owner, Block) and isinstance(owner.parent_op(), wg.FuncOp)


# The rewriting


def _copy(loop: scf.ForOp, rows: Sequence[Access], count: int) -> None:
    """Run `count` iterations at once, and what is left by the loop as it is."""
    build = Build(loop)
    type = loop.lb.type
    last = build.max(loop.ub, loop.lb, signed=True)
    rest = build.and_(build.sub(last, loop.lb), build.constant(count - 1, type))
    end = build.sub(last, rest)
    body = Block(arg_types=[arg.type for arg in loop.body.block.args])
    step = build.constant(count, type)
    new = scf.ForOp(loop.lb, end, step, list(loop.iter_args), body)
    build.emit_void(new)
    new.attributes = dict(loop.attributes)
    inside = Build(loop, body)
    counter, *carried = body.args
    values: list[SSAValue] = list(carried)
    counter.name_hint = loop.body.block.args[0].name_hint
    read: dict[Operation, SSAValue] = {}
    written: dict[Operation, tuple[SSAValue, list[SSAValue]]] = {}
    for number in range(count):
        at = counter if number == 0 else inside.add(counter, inside.constant(number, type))
        known: dict[SSAValue, SSAValue] = {}
        known.update(zip(loop.body.block.args, [at, *values], strict=True))
        for op in loop.body.block.ops:
            if op in rows and number == 0:
                access = cast(Access, op)
                start = _start(inside, access, known)
                if isinstance(access, ocl.LoadOp):
                    row = vector_of(access.result.type, count)
                    read[op] = inside.emit(ocl.VLoadOp(start, inside.index(0), row))
                else:
                    written[op] = start, []
            if op in rows and isinstance(op, ocl.LoadOp):
                element = inside.emit(vector.ExtractOp(read[op], [number], op.result.type))
                element.name_hint = op.result.name_hint
                known[op.result] = element
            elif op in rows and isinstance(op, ocl.StoreOp):
                start, elements = written[op]
                elements.append(known.get(op.value, op.value))
                if number == count - 1:
                    value = _joined(inside, elements)
                    inside.emit_void(ocl.VStoreOp(value, start, inside.index(0)))
            elif not isinstance(op, scf.YieldOp):
                inside.emit_void(op.clone(known))
        values = [known.get(value, value) for value in terminator(loop.body.block).operands]
    inside.emit_void(scf.YieldOp(*values))
    for operand, value in enumerate([end, loop.ub, loop.step, *new.results]):
        loop.operands[operand] = value


def _start(build: Build, op: Access, known: dict[SSAValue, SSAValue]) -> SSAValue:
    pointer = known.get(op.pointer, op.pointer)
    if op.index is None:
        return pointer
    return build.emit(ocl.OffsetOp(pointer, known.get(op.index, op.index)))


def _joined(build: Build, elements: Sequence[SSAValue]) -> SSAValue:
    row = build.emit(vector.BroadcastOp(elements[0], vector_of(elements[0].type, len(elements))))
    for number, element in enumerate(elements[1:], 1):
        row = build.emit(vector.InsertOp(element, row, [number]))
    return row
