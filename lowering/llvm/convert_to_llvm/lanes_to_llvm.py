"""Memory accesses of several lanes: vector loads and stores, with masks, and gathers."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import llvm as llvm_ext
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.layout import field_offset, size_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.llvm.alignment import pointer_alignment
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.memory_to_llvm import move
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import llvm_type, mangled


def _first(
    low: FunctionLowering, op: wg.LoadOp | wg.StoreOp, element: Attribute
) -> tuple[SSAValue, int]:
    """The address of lane 0 and its alignment."""
    size = size_of(element)
    address = move(low, low.value(op.pointer), low.value(op.index), size)
    return address, min(pointer_alignment(op.pointer), size)


def _load(op: wg.LoadOp, low: FunctionLowering) -> SSAValue:
    type = llvm_type(op.result.type)
    address, alignment = _first(low, op, element_of(op.result.type))
    if op.mask is None:
        return low.emit(llvm.LoadOp(address, type, alignment))
    args = [address, low.value(op.mask), low.constant(0, type)]
    return low.intrinsic_named(f"llvm.masked.load.{mangled(type)}.p0", args, type)


def _store(op: wg.StoreOp, low: FunctionLowering) -> None:
    value = low.value(op.value)
    address, alignment = _first(low, op, element_of(op.value.type))
    if op.mask is None:
        low.emit_void(llvm.StoreOp(value, address, alignment))
        return
    name = f"llvm.masked.store.{mangled(value.type)}.p0"
    low.intrinsic_void(name, [value, address, low.value(op.mask)])


def _addresses(
    low: FunctionLowering, op: wg.GatherOp | wg.ScatterOp, lanes: int
) -> tuple[SSAValue, SSAValue]:
    """The address of each lane, and the mask."""
    mask = low.constant(1, VectorType(i1, [lanes])) if op.mask is None else low.value(op.mask)
    indices, stride = low.value(op.indices), wg.stride_in_bytes(op)
    offset = _offset_from_null(op.pointer)
    if offset is None:
        return low.emit(llvm_ext.LaneAddressesOp(low.value(op.pointer), indices, stride)), mask
    # Each lane has an address of its own. For LLVM, what is computed from null points nowhere.
    type = indices.type
    bytes_ = low.emit(llvm.MulOp(indices, low.constant(stride, type)))
    addresses = low.emit(llvm.AddOp(bytes_, low.constant(offset, type)))
    return low.emit(llvm_ext.LanePointersOp(addresses)), mask


def _offset_from_null(pointer: SSAValue) -> int | None:
    """The distance of a pointer from address 0 if it is computed from that; else None."""
    offset = 0
    while isinstance(pointer.owner, ocl.CastOp | ocl.MemberOp):
        owner = pointer.owner
        pointer = owner.pointer
        if isinstance(owner, ocl.MemberOp):
            record = ocl.pointee_of(pointer)
            assert isinstance(record, ocl.StructType | ocl.UnionType)
            offset += field_offset(record, owner.field.data)
    if not isinstance(pointer.owner, ocl.IntToPtrOp):
        return None
    return offset if constant_value(pointer.owner.address) == 0 else None


def _gather(op: wg.GatherOp, low: FunctionLowering) -> SSAValue:
    type = llvm_type(op.result.type)
    lanes = count_of(type)
    addresses, mask = _addresses(low, op, lanes)
    name = f"llvm.masked.gather.{mangled(type)}.v{lanes}p0"
    return low.intrinsic_named(name, [addresses, mask, low.constant(0, type)], type)


def _scatter(op: wg.ScatterOp, low: FunctionLowering) -> None:
    value = low.value(op.value)
    lanes = count_of(value.type)
    addresses, mask = _addresses(low, op, lanes)
    name = f"llvm.masked.scatter.{mangled(value.type)}.v{lanes}p0"
    low.intrinsic_void(name, [value, addresses, mask])


def _any_lane(op: wg.AnyLaneOp, low: FunctionLowering) -> SSAValue:
    mask = low.value(op.mask)
    name = f"llvm.vector.reduce.or.{mangled(mask.type)}"
    return low.intrinsic_named(name, [mask], i1)


CONVERTERS: dict[type[Operation], Converter] = {
    wg.LoadOp: _load,
    wg.StoreOp: _store,
    wg.GatherOp: _gather,
    wg.ScatterOp: _scatter,
    wg.AnyLaneOp: _any_lane,
}
