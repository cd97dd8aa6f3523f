"""Pointers, loads and stores. Memory is bytes: an address is a base and a number of bytes.

A struct is loaded and stored field by field, at the offsets of `polycl.dialects.ocl.layout`, so
packed and aligned structs and unions do not depend on LLVM's layout rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    SymbolRefAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import llvm as llvm_ext
from polycl.dialects import ocl
from polycl.dialects.ocl import ArrayType, StructType, UnionType
from polycl.dialects.ocl.layout import align_of, field_offset, field_offsets, size_of, stride_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.llvm.alignment import at_offset, pointer_alignment
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import POINTER, llvm_type


def move(low: FunctionLowering, pointer: SSAValue, index: SSAValue, stride: int) -> SSAValue:
    """`pointer` moved by `index` elements of `stride` bytes."""
    return low.new(llvm.GEPOp, [pointer, index], POINTER, _indexed(stride))


@cache
def _indexed(stride: int) -> dict[str, Attribute]:
    """The properties of an address that an index moves by `stride` bytes."""
    return {
        "rawConstantIndices": DenseArrayBase.from_list(i32, [llvm.GEP_USE_SSA_VAL]),
        "elem_type": i8 if stride == 1 else llvm.LLVMArrayType(stride, i8),
        "noWrapFlags": IntegerAttr(0, 32),
        "inbounds": UnitAttr(),
    }


def move_bytes(low: FunctionLowering, pointer: SSAValue, offset: int) -> SSAValue:
    """`pointer` moved by a constant number of bytes."""
    if offset == 0:
        return pointer
    return low.new(llvm.GEPOp, [pointer], POINTER, _moved(offset))


@cache
def _moved(offset: int) -> dict[str, Attribute]:
    """The properties of an address that is `offset` bytes further."""
    return {**_indexed(1), "rawConstantIndices": DenseArrayBase.from_list(i32, [offset])}


@cache
def _aligned(alignment: int, volatile: bool = False) -> dict[str, Attribute]:
    """The properties of a load or store."""
    found: dict[str, Attribute] = {
        "ordering": IntegerAttr(0, 64),
        "alignment": IntegerAttr(alignment, 64),
    }
    return found | ({"volatile_": UnitAttr()} if volatile else {})


def _store_one(
    low: FunctionLowering, value: SSAValue, address: SSAValue, alignment: int, volatile: bool
) -> None:
    properties = _aligned(alignment, volatile)
    low.emit_void(llvm.StoreOp.create(operands=[value, address], properties=properties))


def _address(
    low: FunctionLowering, pointer: SSAValue, index: SSAValue | None
) -> tuple[SSAValue, int]:
    """The address of an access and its alignment."""
    base, alignment = low.value(pointer), pointer_alignment(pointer)
    if index is None:
        return base, alignment
    stride = stride_of(ocl.pointee_of(pointer))
    return move(low, base, low.value(index), stride), min(alignment, stride & -stride)


def _parts(type: Attribute) -> Iterator[tuple[int, Attribute]] | None:
    """The byte offset and the type of each part of an aggregate; None for a scalar or vector."""
    match type:
        case StructType():
            return zip(field_offsets(type), type.field_types, strict=True)
        case ArrayType():
            stride = stride_of(type.element)
            return ((i * stride, type.element) for i in range(type.size.data))
        case _:
            return None


def load(
    low: FunctionLowering, address: SSAValue, type: Attribute, alignment: int, *, volatile: bool
) -> SSAValue:
    """Read a value of an `ocl` type."""
    parts = _parts(type)
    if parts is None:
        result = llvm_type(type)
        if volatile:
            return low.emit(llvm_ext.VolatileLoadOp(address, result, alignment))
        return low.new(llvm.LoadOp, [address], result, _aligned(alignment))
    value = low.poison(llvm_type(type))
    for position, (offset, part) in enumerate(parts):
        at = move_bytes(low, address, offset)
        field = load(low, at, part, at_offset(alignment, offset), volatile=volatile)
        value = low.insert_value(value, field, position)
    return value


def store(
    low: FunctionLowering,
    value: SSAValue,
    address: SSAValue,
    type: Attribute,
    alignment: int,
    *,
    volatile: bool,
) -> None:
    """Write a value of an `ocl` type; padding is not written."""
    parts = _parts(type)
    if parts is None:
        _store_one(low, value, address, alignment, volatile)
        return
    for position, (offset, part) in enumerate(parts):
        at = move_bytes(low, address, offset)
        field = low.extract_value(value, position, llvm_type(part))
        store(low, field, at, part, at_offset(alignment, offset), volatile=volatile)


def _load(op: ocl.LoadOp, low: FunctionLowering) -> SSAValue:
    address, alignment = _address(low, op.pointer, op.index)
    return load(low, address, op.result.type, alignment, volatile=op.volatile is not None)


def _store(op: ocl.StoreOp, low: FunctionLowering) -> None:
    value = low.value(op.value)
    address, alignment = _address(low, op.pointer, op.index)
    store(low, value, address, op.value.type, alignment, volatile=op.volatile is not None)


def _vector_address(
    low: FunctionLowering, pointer: SSAValue, index: SSAValue, vector: Attribute
) -> tuple[SSAValue, int]:
    """Elements have no gaps: vload3 moves by 3 elements. Aligned as one element."""
    element = element_of(vector)
    stride = count_of(vector) * size_of(element)
    alignment = min(pointer_alignment(pointer), align_of(element))
    return move(low, low.value(pointer), low.value(index), stride), alignment


def _vload(op: ocl.VLoadOp, low: FunctionLowering) -> SSAValue:
    address, alignment = _vector_address(low, op.pointer, op.index, op.result.type)
    return low.new(llvm.LoadOp, [address], llvm_type(op.result.type), _aligned(alignment))


def _vstore(op: ocl.VStoreOp, low: FunctionLowering) -> None:
    address, alignment = _vector_address(low, op.pointer, op.index, op.value.type)
    _store_one(low, low.value(op.value), address, alignment, volatile=False)


_LARGEST_ALIGNMENT = 128
"""Bytes: that of double16."""


def _alloca(op: ocl.AllocaOp, low: FunctionLowering) -> SSAValue:
    pointee = ocl.pointee_of(op.result)
    size, alignment = size_of(pointee), align_of(pointee)
    if isinstance(pointee, ArrayType):
        # The IR does not have the attribute `aligned`, which an array may have for its largest use.
        while alignment < _LARGEST_ALIGNMENT and 2 * alignment <= size:
            alignment *= 2
    return low.allocate(size, alignment)


def _offset(op: ocl.OffsetOp, low: FunctionLowering) -> SSAValue:
    stride = stride_of(ocl.pointee_of(op.pointer))
    return move(low, low.value(op.pointer), low.value(op.index), stride)


def _member(op: ocl.MemberOp, low: FunctionLowering) -> SSAValue:
    record = ocl.pointee_of(op.pointer)
    assert isinstance(record, StructType | UnionType)
    return move_bytes(low, low.value(op.pointer), field_offset(record, op.field.data))


def _prefetch(op: ocl.PrefetchOp, low: FunctionLowering) -> None:
    read, keep, data = (low.constant(value, i32) for value in (0, 3, 1))
    low.intrinsic_void("llvm.prefetch.p0", [low.value(op.pointer), read, keep, data])


CONVERTERS: dict[type[Operation], Converter] = {
    ocl.LoadOp: _load,
    ocl.StoreOp: _store,
    ocl.VLoadOp: _vload,
    ocl.VStoreOp: _vstore,
    ocl.AllocaOp: _alloca,
    ocl.OffsetOp: _offset,
    ocl.MemberOp: _member,
    ocl.CastOp: lambda op, low: low.value(op.pointer),
    ocl.PtrToIntOp: lambda op, low: low.emit(llvm.PtrToIntOp(low.value(op.pointer), i64)),
    ocl.IntToPtrOp: lambda op, low: low.emit(llvm.IntToPtrOp(low.value(op.address))),
    ocl.NullOp: lambda _, low: low.emit(llvm.ZeroOp.create(result_types=[POINTER])),
    ocl.NullEventOp: lambda _, low: low.constant(0, i64),
    ocl.AddressOfOp: lambda op, low: low.emit(
        llvm.AddressOfOp(SymbolRefAttr(op.symbol.string_value()), POINTER)
    ),
    ocl.PrefetchOp: _prefetch,
}
