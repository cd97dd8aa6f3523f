"""Legalisation of `vector` and `ocl`: elements, fields, memory, atomics."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import VectorType, f32
from xdsl.ir import Attribute, Operation

from polycl.dialects import ocl
from polycl.dialects.ocl import ArrayType, AtomicKind, PtrType, StructType
from polycl.dialects.ocl.layout import align_of, size_of, stride_of
from polycl.errors import error_at
from polycl.lowering.llvm.alignment import pointer_alignment
from polycl.lowering.ocl.atomic_operations import OPERATIONS
from polycl.lowering.tta.tta_legalize import integers_to_tta as integers
from polycl.lowering.tta.tta_legalize import memory_to_tta as memory
from polycl.lowering.tta.tta_legalize.arith_to_tta import regrouped
from polycl.lowering.tta.tta_legalize.function_to_tta import FunctionLowering
from polycl.lowering.tta.tta_legalize.integers_to_tta import Value
from polycl.lowering.tta.tta_legalize.types_to_tta import width_of, words_of

# Vectors


def _position(op: vector.ExtractOp | vector.InsertOp, low: FunctionLowering) -> Any:
    positions = op.get_mixed_position()
    if len(positions) != 1:
        raise error_at(op, f"'{op.name}' works on one element here, got {len(positions)} positions")
    (position,) = positions
    return position if isinstance(position, int) else low.word(position)


def _extract(op: vector.ExtractOp, low: FunctionLowering) -> list[Value]:
    elements, position = low.elements(op.vector), _position(op, low)
    if isinstance(position, int):
        return [elements[position]]
    found = elements[0]
    for i, element in enumerate(elements[1:], 1):
        found = integers.selected(low, low.compare("eq", position, i), element, found)
    return [found]


def _insert(op: vector.InsertOp, low: FunctionLowering) -> list[Value]:
    elements, position = low.elements(op.dest), _position(op, low)
    new = low.values[op.source]
    for i, old in enumerate(elements):
        if isinstance(position, int):
            elements[i] = new if i == position else old
        else:
            elements[i] = integers.selected(low, low.compare("eq", position, i), new, old)
    return [[word for element in elements for word in element]]


def _broadcast(op: vector.BroadcastOp, low: FunctionLowering) -> list[Value]:
    words = low.values[op.source]
    if op.source.type == op.vector.type:
        return [words]
    if isinstance(op.source.type, VectorType):
        raise error_at(op, f"cannot broadcast {op.source.type} to {op.vector.type}")
    return [list(words) * op.vector.type.element_count()]


def _shuffle(op: vector.ShuffleOp, low: FunctionLowering) -> list[Value]:
    elements = [*low.elements(op.v1), *low.elements(op.v2)]
    chosen = [elements[max(int(i), 0)] for i in op.mask.get_values()]
    return [[word for element in chosen for word in element]]


def _concat(op: ocl.ConcatOp, low: FunctionLowering) -> list[Value]:
    return [low.flat(op.operands)]


def _bitcast(op: ocl.BitcastOp | vector.BitcastOp, low: FunctionLowering) -> list[Value]:
    """A 3-element vector has the bits of 4 elements; the last one is undefined."""
    return [regrouped(low, op.operands[0], op.results[0].type)]


# Structs


def _field(type: StructType, name: str) -> slice:
    """The position of a field's words among the words of the struct."""
    index = type.field_index(name)
    counts = [len(words_of(field)) for field in type.field_types]
    start = sum(counts[:index])
    return slice(start, start + counts[index])


def _extract_field(op: ocl.ExtractOp, low: FunctionLowering) -> list[Value]:
    assert isinstance(op.struct.type, StructType)
    words = list(low.values[op.struct])[_field(op.struct.type, op.field.data)]
    type = op.struct.type.field_type(op.field.data)
    for place in op.indices:
        assert isinstance(type, ArrayType)
        type = type.element
        count = len(words_of(type))
        words = words[place * count : (place + 1) * count]
    return [words]


def _insert_field(op: ocl.InsertOp, low: FunctionLowering) -> list[Value]:
    assert isinstance(op.struct.type, StructType)
    words = list(low.values[op.struct])
    words[_field(op.struct.type, op.field.data)] = low.values[op.value]
    return [words]


# Pointers and memory


def _pointee(op: Any) -> Any:
    assert isinstance(op.pointer.type, PtrType)
    return op.pointer.type.pointee


def _address(op: ocl.LoadOp | ocl.StoreOp, low: FunctionLowering) -> tuple[Any, int]:
    base, alignment = low.word(op.pointer), pointer_alignment(op.pointer)
    if op.index is None:
        return base, alignment
    stride = stride_of(_pointee(op))
    address = memory.move(low, base, low.word(op.index), stride)
    return address, min(alignment, stride & -stride)


def _load(op: ocl.LoadOp, low: FunctionLowering) -> list[Value]:
    low.types(op.result.type)
    address, alignment = _address(op, low)
    return [memory.load(low, address, op.result.type, alignment)]


def _store(op: ocl.StoreOp, low: FunctionLowering) -> None:
    address, alignment = _address(op, low)
    memory.store(low, low.values[op.value], address, op.value.type, alignment)


def _vector_address(
    op: ocl.VLoadOp | ocl.VStoreOp, type: Any, low: FunctionLowering
) -> tuple[Any, int]:
    """Elements are contiguous: vload3 moves by 3 elements. The alignment is that of an element."""
    element = type.element_type
    stride = type.element_count() * size_of(element)
    alignment = min(pointer_alignment(op.pointer), align_of(element))
    return memory.move(low, low.word(op.pointer), low.word(op.index), stride), alignment


def _vload(op: ocl.VLoadOp, low: FunctionLowering) -> list[Value]:
    low.types(op.result.type)
    address, alignment = _vector_address(op, op.result.type, low)
    return [memory.load(low, address, op.result.type, alignment)]


def _vstore(op: ocl.VStoreOp, low: FunctionLowering) -> None:
    address, alignment = _vector_address(op, op.value.type, low)
    memory.store(low, low.values[op.value], address, op.value.type, alignment)


def _offset(op: ocl.OffsetOp, low: FunctionLowering) -> list[Value]:
    stride = stride_of(_pointee(op))
    return [[memory.move(low, low.word(op.pointer), low.word(op.index), stride)]]


def _member(op: ocl.MemberOp, low: FunctionLowering) -> list[Value]:
    return [[low.add(low.word(op.pointer), op.offset)]]


def _cast(op: ocl.CastOp, low: FunctionLowering) -> list[Value]:
    return [low.values[op.pointer]]


def _ptr_to_int(op: ocl.PtrToIntOp, low: FunctionLowering) -> list[Value]:
    return [[low.word(op.pointer), low.constant(0)]]


def _int_to_ptr(op: ocl.IntToPtrOp, low: FunctionLowering) -> list[Value]:
    return [[low.values[op.address][0]]]


def _null(op: ocl.NullOp | ocl.NullEventOp, low: FunctionLowering) -> list[Value]:
    return [[low.constant(0)]]


def _address_of(op: ocl.AddressOfOp, low: FunctionLowering) -> list[Value]:
    return [[low.constant(low.constants[op.symbol.string_value()])]]


def _nothing(op: Operation, low: FunctionLowering) -> None:
    """Hints and fences need no code: a processor sees its own accesses in order."""


# Atomics: there is one processor, so no access comes between a load and a store.


def _check_word(op: Operation, type: Attribute) -> None:
    if width_of(type) < 32:
        raise error_at(op, f"the device 'tta' has no atomics on {type}")


def _atomic_rmw(op: ocl.AtomicRMWOp, low: FunctionLowering) -> list[Value]:
    type, kind = op.value.type, op.kind.data
    _check_word(op, type)
    low.types(type)
    address, value = low.word(op.pointer), low.values[op.value]
    old = memory.load(low, address, type, 4)
    if kind == AtomicKind.XCHG:
        new = value
    elif kind in (AtomicKind.FMIN, AtomicKind.FMAX):
        raise error_at(op, f"the device 'tta' has no atomic {kind.value}")
    elif type == f32:
        new = [low.emit(arith.AddfOp(old[0], value[0]))]
    else:
        new = integers.BINARY[OPERATIONS[kind]](low, width_of(type), old, value)
    memory.store(low, new, address, type, 4)
    return [old]


def _atomic_cmpxchg(op: ocl.AtomicCmpXchgOp, low: FunctionLowering) -> list[Value]:
    type = op.expected.type
    _check_word(op, type)
    address = low.word(op.pointer)
    old = memory.load(low, address, type, 4)
    same = integers.compare(low, "eq", width_of(type), old, low.values[op.expected])
    new = integers.selected(low, same, low.values[op.desired], old)
    memory.store(low, new, address, type, 4)
    return [old]


CONVERTERS: dict[type[Operation], Any] = {
    vector.ExtractOp: _extract,
    vector.InsertOp: _insert,
    vector.BroadcastOp: _broadcast,
    vector.ShuffleOp: _shuffle,
    ocl.ConcatOp: _concat,
    vector.BitcastOp: _bitcast,
    ocl.BitcastOp: _bitcast,
    ocl.ExtractOp: _extract_field,
    ocl.InsertOp: _insert_field,
    ocl.LoadOp: _load,
    ocl.StoreOp: _store,
    ocl.VLoadOp: _vload,
    ocl.VStoreOp: _vstore,
    ocl.OffsetOp: _offset,
    ocl.MemberOp: _member,
    ocl.CastOp: _cast,
    ocl.PtrToIntOp: _ptr_to_int,
    ocl.IntToPtrOp: _int_to_ptr,
    ocl.NullOp: _null,
    ocl.NullEventOp: _null,
    ocl.AddressOfOp: _address_of,
    ocl.PrefetchOp: _nothing,
    ocl.FenceOp: _nothing,
    ocl.AtomicRMWOp: _atomic_rmw,
    ocl.AtomicCmpXchgOp: _atomic_cmpxchg,
}
