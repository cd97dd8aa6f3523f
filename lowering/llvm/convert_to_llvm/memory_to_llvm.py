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
    IntAttr,
    IntegerAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import llvm as llvm_ext
from polycl.dialects import ocl
from polycl.dialects.ocl import ArrayType, StructType
from polycl.dialects.ocl.debug import VARIABLE, VARIABLE_TYPE
from polycl.dialects.ocl.layout import align_of, field_offsets, size_of, stride_of
from polycl.dialects.vec import count_of, element_of, vector_of
from polycl.lowering.llvm.alignment import at_offset, pointer_alignment
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering


def move(low: FunctionLowering, pointer: SSAValue, index: SSAValue, stride: int) -> SSAValue:
    """`pointer` moved by `index` elements of `stride` bytes."""
    return low.new(llvm.GEPOp, [pointer, index], pointer.type, _indexed(stride))


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
    return low.new(llvm.GEPOp, [pointer], pointer.type, _moved(offset))


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


def _alignment(low: FunctionLowering, pointer: SSAValue) -> int:
    return pointer_alignment(pointer, low.conventions.aligned_buffers)


def address_of(
    low: FunctionLowering, pointer: SSAValue, index: SSAValue | None
) -> tuple[SSAValue, int]:
    """The address of an access and its alignment."""
    base, alignment = low.value(pointer), _alignment(low, pointer)
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
    low: FunctionLowering,
    address: SSAValue,
    type: Attribute,
    alignment: int,
    *,
    volatile: bool = False,
    invariant: bool = False,
) -> SSAValue:
    """Read a value of an `ocl` type. Nothing writes `invariant` memory."""
    parts = _parts(type)
    if parts is None:
        result = low.type(type)
        if volatile:
            return low.emit(llvm_ext.VolatileLoadOp(address, result, alignment))
        loaded = low.new(llvm.LoadOp, [address], result, _aligned(alignment))
        if invariant and isinstance(loaded.owner, llvm.LoadOp):
            loaded.owner.attributes[llvm_ext.INVARIANT] = UnitAttr()
        return loaded
    value = low.poison(low.type(type))
    for position, (offset, part) in enumerate(parts):
        at = move_bytes(low, address, offset)
        aligned = at_offset(alignment, offset)
        field = load(low, at, part, aligned, volatile=volatile, invariant=invariant)
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
        field = low.extract_value(value, position, low.type(part))
        store(low, field, at, part, at_offset(alignment, offset), volatile=volatile)


def _load(op: ocl.LoadOp, low: FunctionLowering) -> SSAValue:
    address, alignment = address_of(low, op.pointer, op.index)
    volatile, invariant = op.volatile is not None, _is_invariant(low, op.pointer)
    type = op.result.type
    is_private = ocl.space_of(op.pointer) is ocl.AddressSpace.PRIVATE
    if count_of(type) == 3 and not volatile and not is_private:
        # They have the memory of four, which are a register. LLVM makes values of private memory.
        four = vector_of(element_of(type), 4)
        return low.resized(load(low, address, four, alignment, invariant=invariant), 3)
    return load(low, address, type, alignment, volatile=volatile, invariant=invariant)


def _is_invariant(low: FunctionLowering, pointer: SSAValue) -> bool:
    """Whether LLVM has to be told that nothing writes the memory: it knows of constant data, but
    not of constant buffers."""
    return low.conventions.aligned_buffers and ocl.space_of(pointer) is ocl.AddressSpace.CONSTANT


def _store(op: ocl.StoreOp, low: FunctionLowering) -> None:
    value = low.value(op.value)
    address, alignment = address_of(low, op.pointer, op.index)
    store(low, value, address, op.value.type, alignment, volatile=op.volatile is not None)


def _vector_address(
    low: FunctionLowering, pointer: SSAValue, index: SSAValue, vector: Attribute
) -> tuple[SSAValue, int]:
    """Elements have no gaps: vload3 moves by 3 elements. Aligned as one element."""
    element = element_of(vector)
    stride = count_of(vector) * size_of(element)
    alignment = min(_alignment(low, pointer), align_of(element))
    return move(low, low.value(pointer), low.value(index), stride), alignment


def _vload(op: ocl.VLoadOp, low: FunctionLowering) -> SSAValue:
    address, alignment = _vector_address(low, op.pointer, op.index, op.result.type)
    invariant = _is_invariant(low, op.pointer)
    return load(low, address, op.result.type, alignment, invariant=invariant)


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
    memory = low.allocate(size, alignment)
    if VARIABLE in op.attributes:
        assert isinstance(memory.owner, Operation)
        memory.owner.attributes[VARIABLE] = op.attributes[VARIABLE]
        memory.owner.attributes[VARIABLE_TYPE] = pointee
    return memory


def offset_from_null(pointer: SSAValue) -> int | None:
    """The distance of a pointer from address 0 if it is computed from that; else None."""
    offset = 0
    while isinstance(pointer.owner, ocl.CastOp | ocl.MemberOp):
        owner = pointer.owner
        pointer = owner.pointer
        if isinstance(owner, ocl.MemberOp):
            offset += owner.offset
    if not isinstance(pointer.owner, ocl.IntToPtrOp):
        return None
    return offset if constant_value(pointer.owner.address) == 0 else None


def _offset(op: ocl.OffsetOp, low: FunctionLowering) -> SSAValue:
    stride, start = stride_of(ocl.pointee_of(op.pointer)), offset_from_null(op.pointer)
    if start is None:
        return move(low, low.value(op.pointer), low.value(op.index), stride)
    # LLVM takes an offset from null for a pointer to nothing: what is there is never accessed.
    moved = low.emit(llvm.MulOp(low.value(op.index), low.constant(stride, i64)))
    address = low.emit(llvm.AddOp(moved, low.constant(start, i64)))
    return low.new(llvm.IntToPtrOp, [address], low.type(op.result.type))


def _member(op: ocl.MemberOp, low: FunctionLowering) -> SSAValue:
    return move_bytes(low, low.value(op.pointer), op.offset)


def _prefetch(op: ocl.PrefetchOp, low: FunctionLowering) -> None:
    read, keep, data = (low.constant(value, i32) for value in (0, 3, 1))
    pointer = low.value(op.pointer)
    low.intrinsic_void(f"llvm.prefetch.p{space_number(pointer)}", [pointer, read, keep, data])


def space_number(pointer: SSAValue) -> int:
    """The number of a pointer's address space in LLVM."""
    assert isinstance(pointer.type, llvm.LLVMPointerType)
    space = pointer.type.addr_space
    return space.data if isinstance(space, IntAttr) else 0


def _cast(op: ocl.CastOp, low: FunctionLowering) -> SSAValue:
    pointer, result = low.value(op.pointer), low.type(op.result.type)
    if pointer.type == result:
        return pointer
    return low.new(llvm_ext.AddrSpaceCastOp, [pointer], result)


CONVERTERS: dict[type[Operation], Converter] = {
    ocl.LoadOp: _load,
    ocl.StoreOp: _store,
    ocl.VLoadOp: _vload,
    ocl.VStoreOp: _vstore,
    ocl.AllocaOp: _alloca,
    ocl.OffsetOp: _offset,
    ocl.MemberOp: _member,
    ocl.CastOp: _cast,
    ocl.PtrToIntOp: lambda op, low: low.emit(llvm.PtrToIntOp(low.value(op.pointer), i64)),
    ocl.IntToPtrOp: lambda op, low: low.new(
        llvm.IntToPtrOp, [low.value(op.address)], low.type(op.result.type)
    ),
    ocl.NullOp: lambda op, low: low.new(llvm.ZeroOp, [], low.type(op.result.type)),
    ocl.NullEventOp: lambda _, low: low.constant(0, i64),
    ocl.AddressOfOp: lambda op, low: low.address_of(op.symbol.string_value(), op.result.type),
    ocl.PrefetchOp: _prefetch,
}
