"""Pointers of lanes: moved, cast, and to memory of each lane."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Attribute, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.layout import stride_of
from polycl.lowering.wg.wg_vectorize.lane_addresses import (
    Spaced,
    cast_to,
    element_pointer,
    moved,
    place_of,
    pointee_stride,
)
from polycl.lowering.wg.wg_vectorize.lane_values import (
    Lanes,
    Pointers,
    Scalar,
    Value,
)
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter


def offset(e: Emitter, op: ocl.OffsetOp) -> Value:
    """A pointer moved by an index."""
    stride = e.stride(op.result)
    size = pointee_stride(op.pointer)
    own = op.pointer in e.interleaved
    base = e.value(op.pointer)
    if own:
        e.interleaved.add(op.result)
        if isinstance(base, Scalar) and e.is_uniform(op.index):
            index = e.value(op.index)
            assert isinstance(index, Scalar)
            moved_by = e.scaled(index.value, e.lanes)
            return Scalar(e.emit(ocl.OffsetOp(base.value, moved_by)), base.stride)
    elif isinstance(base, Scalar):
        index = e.value(op.index)
        if stride is not None and isinstance(index, Scalar):
            return Scalar(e.emit(ocl.OffsetOp(base.value, index.value)), stride)
        place = place_of(e, op.pointer, op.index, size)
        if isinstance(place, Spaced):
            return Scalar(element_pointer(e, place.pointer, place.index), place.stride)
    return moved(e, op.pointer, e.pointers(op.pointer), op.index, size)


def cast(e: Emitter, op: ocl.CastOp) -> Value:
    """Another view of the same address."""
    if op.pointer in e.interleaved:
        e.interleaved.add(op.result)
    match e.value(op.pointer):
        case Scalar(pointer, stride):
            return Scalar(e.emit(ocl.CastOp(pointer, op.result.type)), stride)  # pyright: ignore
        case Pointers(base, indices, stride):
            return Pointers(cast_to(e, base, op.result.type), indices, stride)  # pyright: ignore
        case other:
            return other


def member(e: Emitter, op: ocl.MemberOp) -> Value:
    """The address of a field."""
    pointers = e.value(op.pointer)
    if isinstance(pointers, Scalar):
        return Scalar(e.emit(ocl.MemberOp(pointers.value, op.field.data)), pointers.stride)
    pointers = e.pointers(op.pointer)
    base = cast_to(e, pointers.base, ocl.pointer_type(op.pointer))
    return Pointers(e.emit(ocl.MemberOp(base, op.field.data)), pointers.indices, pointers.stride)


def pointer_to_integer(e: Emitter, op: ocl.PtrToIntOp) -> Value:
    match e.value(op.pointer):
        case Scalar(pointer, stride):
            return Scalar(e.emit(ocl.PtrToIntOp(pointer)), stride)
        case _:
            return Lanes((e.vector(op.pointer),))


def integer_to_pointer(e: Emitter, op: ocl.IntToPtrOp) -> Value:
    match e.value(op.address):
        case Scalar(address, stride):
            return Scalar(e.emit(ocl.IntToPtrOp(address, op.result.type)), stride)  # pyright: ignore
        case _:
            return Lanes((e.vector(op.address),))


def allocate(e: Emitter, op: ocl.AllocaOp) -> Value:
    """Memory for each lane. Where its elements are used one by one, those of all lanes lie side
    by side; else each lane has a copy of its own."""
    pointee = ocl.pointee_of(op.result)
    memory = e.emit(ocl.AllocaOp(ocl.ArrayType(e.lanes, pointee)))
    first = e.emit(ocl.CastOp(memory, op.result.type))
    element = _scalar_element(pointee)
    if element is not None and _used_by_element(e, op.result, element):
        e.interleaved.add(op.result)
        return Scalar(first, stride_of(element))
    return Scalar(first, stride_of(pointee))


def _scalar_element(type: Attribute) -> Attribute | None:
    while isinstance(type, ocl.ArrayType):
        type = type.element
    return None if isinstance(type, ocl.StructType | ocl.UnionType) else type


def _used_by_element(e: Emitter, pointer: SSAValue, element: Attribute) -> bool:
    """Whether all uses read or write whole elements, through pointers that go nowhere else."""
    for use in pointer.uses:
        op = use.operation
        match op:
            case ocl.LoadOp():
                whole = op.result.type == element and op.volatile is None
            case ocl.StoreOp():
                stored = op.value.type == element and op.volatile is None
                whole = stored and op.value is not pointer
            case ocl.OffsetOp():
                whole = _used_by_element(e, op.result, element)
            case ocl.CastOp():
                decays = _scalar_element(op.result.type.pointee) == element  # pyright: ignore
                whole = decays and _used_by_element(e, op.result, element)
            case func.CallOp():
                parameter = e.functions.parameter(use)
                whole = parameter is not None and _used_by_element(e, parameter, element)
            case _:
                whole = False
        if not whole:
            return False
    return True
