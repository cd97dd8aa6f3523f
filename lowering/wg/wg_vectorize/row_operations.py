"""Operations on vectors of OpenCL C that are rows: see `row_values`."""

from __future__ import annotations

from xdsl.dialects import arith, math, vector
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.speculation import may_fail
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of, element_of, vector_of
from polycl.lowering.wg.wg_vectorize.accesses import THREE
from polycl.lowering.wg.wg_vectorize.lane_values import Lanes, Row, lanes_type
from polycl.lowering.wg.wg_vectorize.row_values import is_elementwise
from polycl.lowering.wg.wg_vectorize.shuffles import interleaved, repeated, shuffled
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter


def row_operation(e: Emitter, op: Operation) -> bool:
    """Do what `op`, whose only result is a row, does for all lanes; False: it takes other forms."""
    row = _row_of(e, op)
    if row is not None:
        row.name_hint = op.results[0].name_hint
        e.values[op.results[0]] = Row(row)
    return row is not None


def _row_of(e: Emitter, op: Operation) -> SSAValue | None:
    count = count_of(op.results[0].type)
    match op:
        case vector.BroadcastOp():
            return e.row(op.source, count)
        case vector.ShuffleOp():
            return _shuffle(e, op)
        case vector.InsertOp() if not op.dynamic_position:
            return _insert(e, op)
        case vector.FMAOp():
            a, b, c = (e.row(x, count) for x in (op.lhs, op.rhs, op.acc))
            return e.emit(math.FmaOp(a, b, c))
        case ocl.BitcastOp() if count_of(op.source.type) != count:
            return None if count == THREE else bits_as_row(e, op)
        case ocl.BitcastOp() if element_of(op.source.type) != element_of(op.result.type):
            to = lanes_type(op.result.type, count * e.lanes)
            return e.emit(arith.BitcastOp(e.row(op.source, count), to))
        case ocl.BitcastOp():
            return e.row(op.source, count)
        case _ if not is_elementwise(op):
            return None
        case _:
            pass
    operands = [e.row(operand, count) for operand in op.operands]
    if e.mask is not None and may_fail(op):
        # Lanes that are off hold zeros, or anything.
        ones = e.per_lane([1] * (count * e.lanes), element_of(op.operands[1].type))
        operands[1] = e.select(repeated(e, e.mask, count), operands[1], ones)
    type = lanes_type(op.results[0].type, count * e.lanes)
    return e.emit_copy(op, operands, [type]).results[0]


def bits_as_row(e: Emitter, op: ocl.BitcastOp) -> SSAValue:
    """The bits of all lanes as a row of the new elements, as many in each lane as memory has."""
    count = count_of(op.source.type)
    if count == THREE:
        parts = e.vectors(op.source)
        row = interleaved(e, (*parts, parts[-1]))
    else:
        row = e.row(op.source, count)
    to = element_of(op.result.type)
    size = count_of(row.type) * size_of(element_of(row.type))
    return e.emit(vector.BitcastOp(row, vector_of(to, size // size_of(to))))


def _insert(e: Emitter, op: vector.InsertOp) -> SSAValue:
    """The element of each lane between those of the rest."""
    count = count_of(op.result.type)
    (place,) = op.static_position.get_values()
    if isinstance(rest := e.value(op.dest), Lanes):
        return interleaved(e, (*rest.parts[:place], e.vector(op.source), *rest.parts[place + 1 :]))
    order = list(range(count * e.lanes))
    for lane in range(e.lanes):
        order[lane * count + place] += count * e.lanes
    return shuffled(e, e.row(op.dest, count), e.row(op.source, count), order)


def _shuffle(e: Emitter, op: vector.ShuffleOp) -> SSAValue:
    counts = [count_of(source.type) for source in (op.v1, op.v2)]
    rows = [e.row(source, count) for source, count in zip((op.v1, op.v2), counts, strict=True)]
    places = [max(int(place), 0) for place in op.mask.get_values()]
    order: list[int] = []
    for lane in range(e.lanes):
        for place in places:
            if place < counts[0]:
                order.append(lane * counts[0] + place)
            else:
                second = lane * counts[1] + place - counts[0]
                order.append(counts[0] * e.lanes + second)
    return shuffled(e, rows[0], rows[1], order)


def element_of_row(e: Emitter, row: Row, position: int) -> SSAValue:
    """The element at a position of each lane."""
    return e.parts(row)[position]
