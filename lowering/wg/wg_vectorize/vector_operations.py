"""What computes: element by element; and what is done lane after lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, func, math, scf, ub, vector
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerType, VectorType, i32, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue

from polycl.analysis.ocl.speculation import may_fail
from polycl.analysis.wg.clamps import bits_of
from polycl.dialects import ocl, vec
from polycl.dialects.comparisons import MIRRORED, predicate_of
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl.attributes import is_vector
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.ocl.ocl_expand_builtins import is_dot_product
from polycl.lowering.wg.naturals import is_natural
from polycl.lowering.wg.wg_vectorize import vector_memory as memory
from polycl.lowering.wg.wg_vectorize import vector_pointers as pointers
from polycl.lowering.wg.wg_vectorize.accesses import holds_in_lanes
from polycl.lowering.wg.wg_vectorize.aligned_rows import masked_id, row_load
from polycl.lowering.wg.wg_vectorize.atomic_lanes import for_all_lanes, is_for_all_lanes
from polycl.lowering.wg.wg_vectorize.lane_values import (
    Lanes,
    NotVectorizable,
    Row,
    Scalar,
    Value,
    lanes_type,
)
from polycl.lowering.wg.wg_vectorize.row_operations import (
    bits_as_row,
    element_of_row,
    row_operation,
)
from polycl.lowering.wg.wg_vectorize.row_values import is_elementwise
from polycl.lowering.wg.wg_vectorize.shape import REGISTER_BITS
from polycl.lowering.wg.wg_vectorize.shuffles import deinterleaved
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter

_PROGRESSIVE = vec.both(
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.ShLIOp,
    arith.IndexCastOp,
    arith.TruncIOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.SelectOp,
)
"""Operations that may take progressions over the lanes to a progression."""

_SHORT_STEP, _SAFE_BITS = 1 << 20, 62
"""A step from lane to lane, and the bits of the first one, so that sums of them do not wrap."""


def compute(e: Emitter, op: Operation) -> None:
    """Do what `op` does for all lanes."""
    handler = _HANDLERS.get(type(op))
    if op.results and op.results[0] in e.rows and not _is_same_for_all(e, op):
        if row_operation(e, op):
            return
    if handler is not None:
        handler(e, op)
    elif _is_same_for_all(e, op):
        copy_once(e, op)
    elif is_elementwise(op) or _is_dot_product(e, op):
        _elementwise(e, op)
    else:
        lane_after_lane(e, op)


def _is_dot_product(e: Emitter, op: Operation) -> bool:
    """Whether `op` is a builtin that has an instruction for all lanes."""
    return e.lanes in (4, 8, 16) and is_dot_product(op) and not is_vector(op.results[0].type)


def _scalar_operands(e: Emitter, op: Operation) -> list[SSAValue] | None:
    """The operands, if each is a scalar."""
    values = [e.value(operand) for operand in op.operands]
    scalars = [value.value for value in values if isinstance(value, Scalar)]
    return scalars if len(scalars) == len(values) else None


def _is_same_for_all(e: Emitter, op: Operation) -> bool:
    if not is_side_effect_free(op) or op.regions:
        return False
    values = [e.value(operand) for operand in op.operands]
    return all(isinstance(value, Scalar) and value.stride == 0 for value in values)


def copy_once(e: Emitter, op: Operation) -> None:
    """The operation on scalars, once for all lanes."""
    operands = _scalar_operands(e, op)
    assert operands is not None
    new = e.emit_copy(op, operands, [result.type for result in op.results])
    for old, result in zip(op.results, new.results, strict=True):
        e.values[old] = Scalar(result)


def _elementwise(e: Emitter, op: Operation) -> None:
    operands = _scalar_operands(e, op)
    strides = [e.stride(result) for result in op.results]
    if operands is not None and isinstance(op, _PROGRESSIVE) and strides[0] is not None:
        new = e.emit_copy(op, operands, [op.results[0].type])
        e.values[op.results[0]] = Scalar(new.results[0], strides[0])
        return
    if isinstance(op, arith.SelectOp) and isinstance(op.result.type, ocl.PtrType):
        e.values[op.result] = _select_pointers(e, op)
        return
    if any(not holds_in_lanes(value.type) for value in (*op.operands, *op.results)):
        lane_after_lane(e, op)
        return
    count = max(count_of(value.type) for value in (*op.operands, *op.results))
    columns = [_stretched(e.vectors(operand), count) for operand in op.operands]
    if e.mask is not None and may_fail(op):
        columns[1] = tuple(_harmless(e, e.mask, part) for part in columns[1])
    results: list[list[SSAValue]] = [[] for _ in op.results]
    types = [lanes_type(result.type, e.lanes) for result in op.results]
    for row in zip(*columns, strict=True):
        new = e.emit_copy(op, row, types)
        for column, result in zip(results, new.results, strict=True):
            column.append(result)
    for old, column, stride in zip(op.results, results, strides, strict=True):
        set_vectors(e, old, column, stride)


# Comparisons


def _compare(e: Emitter, op: arith.CmpiOp) -> None:
    """Ids of 64 bits and the like are compared by how far the other side is from the first lane:
    numbers of the lanes take half the registers."""
    predicate, ids, bound = predicate_of(op), op.lhs, op.rhs
    if e.stride(ids) == 0:
        ids, bound, predicate = bound, ids, MIRRORED[predicate]
    first, other = e.value(ids), e.value(bound)
    match first, other:
        case Scalar(), Scalar(stride=0) if _are_short_steps(e, ids, predicate):
            pass
        case _:
            _elementwise(e, op)
            return
    signed = not predicate.startswith("u")
    end, before = (e.constant(n, ids.type) for n in (first.stride * e.lanes, -1))
    if signed and bits_of(bound) < _SAFE_BITS:
        distance = e.min(e.sub(other.value, first.value), end, signed=True)
        distance = e.max(distance, before, signed=True)
    else:
        # The distance of numbers that are far apart may not fit their type.
        nearer = e.min(other.value, e.add(first.value, end), signed=signed)
        distance = e.sub(nearer, first.value)
        is_before = e.compare("slt" if signed else "ult", other.value, first.value)
        distance = e.select(is_before, before, distance)
    distance = e.splat(e.resize(e.index_cast(distance, i64), 32, signed=True))
    numbers = e.lane_numbers(i32, first.stride)
    e.values[op.result] = Lanes((e.compare(predicate.replace("u", "s", 1), numbers, distance),))


def _are_short_steps(e: Emitter, ids: SSAValue, predicate: str) -> bool:
    """Whether numbers of 64 bits grow by a small number from lane to lane, and do not wrap where
    they are compared so."""
    if ids.type not in (IndexType(), i64) or e.lanes * 64 <= REGISTER_BITS:
        return False
    stride = e.stride(ids)
    if stride is None or not 0 < stride < _SHORT_STEP:
        return False
    return is_natural(ids) if predicate.startswith("u") else bits_of(ids) < _SAFE_BITS


def _harmless(e: Emitter, mask: SSAValue, divisors: SSAValue) -> SSAValue:
    """Divisors with 1 in the lanes that are off: these hold zeros, or anything."""
    element = element_of(divisors.type)
    return e.select(mask, divisors, e.per_lane([1] * e.lanes, element))


def set_vectors(e: Emitter, old: SSAValue, parts: Sequence[SSAValue], stride: int | None) -> None:
    """`old` is these vectors; where it is known to be a progression, its first lane is enough."""
    e.values[old] = Lanes(tuple(parts))
    if stride is not None:
        e.values[old] = Scalar(e.lane(old, 0), stride)


def _stretched(parts: tuple[SSAValue, ...], count: int) -> tuple[SSAValue, ...]:
    return parts if len(parts) == count else parts * count


def _select_pointers(e: Emitter, op: arith.SelectOp) -> Value:
    condition = e.vector(op.cond)
    then, orelse = e.vector(op.lhs), e.vector(op.rhs)
    return Lanes((e.select(condition, then, orelse),))


# Vectors of OpenCL C: each element is a vector over the lanes


def _uniform_first(handler: Callable[[Emitter, Any], None]) -> Callable[[Emitter, Any], None]:
    """What is the same for all lanes is done once; else by `handler`."""

    def handle(e: Emitter, op: Operation) -> None:
        if _is_same_for_all(e, op):
            copy_once(e, op)
        else:
            handler(e, op)

    return handle


def _position(op: vector.ExtractOp | vector.InsertOp) -> SSAValue | int:
    (position,) = op.get_mixed_position()
    return position


def _extract(e: Emitter, op: vector.ExtractOp) -> None:
    position, value = _position(op), e.value(op.vector)
    if isinstance(position, int) and isinstance(value, Row) and op.vector in e.rows:
        e.values[op.result] = Lanes((element_of_row(e, value, position),))
        return
    parts = e.vectors(op.vector)
    if isinstance(position, int):
        e.values[op.result] = Lanes((parts[position],))
        return
    e.values[op.result] = Lanes((_picked(e, parts, position),))


def _picked(e: Emitter, parts: Sequence[SSAValue], position: SSAValue) -> SSAValue:
    """The part whose number is each lane's position: each bit of it halves the choice."""
    numbers = _numbers(position)
    left, bit = list(parts), 1
    while len(left) > 1:
        left += left[-1:] * (len(left) % 2)
        ones = e.per_lane([bit] * e.lanes, numbers.type)
        is_odd = e.compare("ne", e.and_(e.vector(numbers), ones), e.zero(ones.type))
        left = [
            even if even is odd else e.select(is_odd, odd, even)
            for even, odd in zip(left[::2], left[1::2], strict=True)
        ]
        bit *= 2
    return left[0]


def _numbers(position: SSAValue) -> SSAValue:
    """A position before it was cast to an index: narrower numbers take fewer registers."""
    match position.owner:
        case arith.IndexCastOp(input=number) if isinstance(number.type, IntegerType):
            return number
        case _:
            return position


def _insert(e: Emitter, op: vector.InsertOp) -> None:
    parts = list(e.vectors(op.dest))
    value = e.vector(op.source)
    position = _position(op)
    if isinstance(position, int):
        parts[position] = value
    else:
        parts = [
            e.select(_is_at(e, position, number), value, part) for number, part in enumerate(parts)
        ]
    e.values[op.result] = Lanes(tuple(parts))


def _is_at(e: Emitter, position: SSAValue, number: int) -> SSAValue:
    numbers = _numbers(position)
    return e.compare("eq", e.vector(numbers), e.per_lane([number] * e.lanes, numbers.type))


def _broadcast(e: Emitter, op: vector.BroadcastOp) -> None:
    parts = e.vectors(op.source)
    e.values[op.vector] = Lanes(_stretched(parts, count_of(op.vector.type)))


def _shuffle(e: Emitter, op: vector.ShuffleOp) -> None:
    both = (*e.vectors(op.v1), *e.vectors(op.v2))
    order = [int(place) for place in op.mask.get_values()]
    e.values[op.result] = Lanes(tuple(both[max(place, 0)] for place in order))


def _multiply_add(e: Emitter, op: vector.FMAOp) -> None:
    columns = [e.vectors(operand) for operand in (op.lhs, op.rhs, op.acc)]
    e.values[op.res] = Lanes(
        tuple(e.emit(math.FmaOp(a, b, c)) for a, b, c in zip(*columns, strict=True))
    )


def _bitcast(e: Emitter, op: ocl.BitcastOp) -> None:
    source, result = op.source.type, op.result.type
    if count_of(source) != count_of(result):
        row = bits_as_row(e, op)
        parts = deinterleaved(e, row, count_of(row.type) // e.lanes)
        e.values[op.result] = Lanes(tuple(parts[: count_of(result)]))
        return
    to = lanes_type(result, e.lanes)
    parts = e.vectors(op.source)
    if element_of(source) != element_of(result):
        parts = tuple(e.emit(arith.BitcastOp(part, to)) for part in parts)
    e.values[op.result] = Lanes(parts)


# Memory


def _load(e: Emitter, op: ocl.LoadOp | ocl.VLoadOp) -> None:
    volatile = isinstance(op, ocl.LoadOp) and op.volatile is not None
    if volatile or not (holds_in_lanes(op.result.type) or memory.is_at_one_place(e, op)):
        lane_after_lane(e, op)
        return
    value = row_load(e, op) or memory.load(e, op)
    e.values[op.result] = value
    if isinstance(value, Lanes | Row):
        for part in value.parts if isinstance(value, Lanes) else (value.elements,):
            part.name_hint = op.result.name_hint
    # The analysis knows nothing of loads from private memory.
    if isinstance(value, Lanes | Row) and e.is_uniform(op.result):
        e.values[op.result] = Scalar(e.lane(op.result, 0))


def _store(e: Emitter, op: ocl.StoreOp | ocl.VStoreOp) -> None:
    volatile = isinstance(op, ocl.StoreOp) and op.volatile is not None
    uniform = memory.is_at_one_place(e, op) and e.is_uniform(op.value)
    if volatile or not (holds_in_lanes(op.value.type) or uniform):
        lane_after_lane(e, op)
    else:
        memory.store(e, op)


def _value_of(function: Callable[[Emitter, Any], Value]) -> Callable[[Emitter, Any], None]:
    def handle(e: Emitter, op: Operation) -> None:
        e.values[op.results[0]] = function(e, op)

    return handle


def _prefetch(e: Emitter, op: ocl.PrefetchOp) -> None:
    """A hint: where the lanes differ, that of the first one serves."""
    count, pointer = e.lane(op.count, 0), e.lane(op.pointer, 0)
    e.emit_void(ocl.PrefetchOp(pointer, count))


def _atomic(e: Emitter, op: ocl.AtomicRMWOp) -> None:
    if is_for_all_lanes(op, e.is_uniform):
        for_all_lanes(e, op)
    else:
        lane_after_lane(e, op)


def _fence(e: Emitter, op: ocl.FenceOp) -> None:
    e.emit_copy(op, [], [])


# Lane after lane


def lane_after_lane(e: Emitter, op: Operation) -> None:
    """Do it for each lane that is on, with scalars, in the order of the lanes."""
    if op.regions or any(isinstance(t, ocl.ArrayType) for t in op.result_types):
        raise NotVectorizable(op, f"'{op.name}' has no form for several work-items")
    guarded = e.mask is not None and not is_side_effect_free(op)
    columns: list[list[SSAValue]] = [[] for _ in op.results]
    for lane in range(e.lanes):
        results = _guarded_lane(e, op, lane) if guarded else _one_lane(e, op, lane).results
        for column, result in zip(columns, results, strict=True):
            column.append(result)
    for old, column in zip(op.results, columns, strict=True):
        if old.first_use is None:
            continue
        e.values[old] = e.joined_lanes(old, column)
        if e.is_uniform(old):
            e.values[old] = Scalar(column[0])


def _one_lane(e: Emitter, op: Operation, lane: int) -> Operation:
    operands = [e.lane(operand, lane) for operand in op.operands]
    return e.emit_copy(op, operands, [result.type for result in op.results])


def _guarded_lane(e: Emitter, op: Operation, lane: int) -> Sequence[SSAValue]:
    """The operation, if the lane is on; zeros else."""
    assert e.mask is not None
    on = e.emit(vector.ExtractOp(e.mask, [lane], IntegerType(1)))
    mask, e.mask = e.mask, None
    blocks = e.new_block(), e.new_block()
    with e.inside(blocks[0]):
        e.emit_void(scf.YieldOp(*_one_lane(e, op, lane).results))
    with e.inside(blocks[1]):
        e.emit_void(scf.YieldOp(*_zeros(e, op)))
    e.mask = mask
    then, orelse = map(Region, blocks)
    branch = scf.IfOp(on, [r.type for r in op.results], then, orelse)
    e.emit_void(branch)
    return branch.results


def _zeros(e: Emitter, op: Operation) -> list[SSAValue]:
    return [zero_scalar(e, op, result.type) for result in op.results]


def zero_scalar(e: Emitter, op: Operation, type: Attribute) -> SSAValue:
    """Zero of a scalar type, of a vector type or of a pointer type."""
    match type:
        case IntegerType() | IndexType():
            return e.constant(0, type)
        case VectorType():
            element = zero_scalar(e, op, type.element_type)
            return e.emit(vector.BroadcastOp(element, type))
        case ocl.PtrType():
            return e.emit(ocl.NullOp(type))
        case ocl.StructType():
            return e.emit(ub.PoisonOp(type))
        case ocl.EventType():
            return e.emit(ocl.NullEventOp())
        case _:
            return e.emit(arith.ConstantOp(FloatAttr(0.0, type)))  # pyright: ignore


def _and(e: Emitter, op: arith.AndIOp) -> None:
    id = masked_id(e, op)
    if id is None:
        _uniform_first(_elementwise)(e, op)
    else:
        e.values[op.result] = id


_HANDLERS: dict[type[Operation], Callable[[Emitter, Any], None]] = {
    arith.AndIOp: _and,
    arith.CmpiOp: _uniform_first(_compare),
    vector.ExtractOp: _uniform_first(_extract),
    vector.InsertOp: _uniform_first(_insert),
    vector.BroadcastOp: _uniform_first(_broadcast),
    vector.ShuffleOp: _uniform_first(_shuffle),
    vector.FMAOp: _uniform_first(_multiply_add),
    ocl.BitcastOp: _uniform_first(_bitcast),
    ocl.LoadOp: _load,
    ocl.VLoadOp: _load,
    ocl.StoreOp: _store,
    ocl.VStoreOp: _store,
    func.CallOp: lambda e, op: e.functions.call(e, op),
    ocl.AllocaOp: _value_of(pointers.allocate),
    ocl.OffsetOp: _value_of(pointers.offset),
    ocl.CastOp: _value_of(pointers.cast),
    ocl.MemberOp: _value_of(pointers.member),
    ocl.PtrToIntOp: _value_of(pointers.pointer_to_integer),
    ocl.IntToPtrOp: _value_of(pointers.integer_to_pointer),
    ocl.AtomicRMWOp: _atomic,
    ocl.PrefetchOp: _prefetch,
    ocl.FenceOp: _fence,
}
