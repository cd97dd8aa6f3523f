"""Operations that make a memref from others: another `View`, no code."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    i1,
    i8,
)
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import ocl
from polycl.errors import error_at
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_memory import Memory, ViewMaker
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_types import address_space, stored_type
from polycl.lowering.ocl.convert_gpu_to_ocl.memref_views import Number, View, ViewBuild, known


def _type(value: SSAValue, op: Operation) -> MemRefType:
    if not isinstance(value.type, MemRefType):
        raise error_at(op, f"'{op.name}': {value.type} is not supported; expected a ranked memref")
    return value.type


def _name(value: SSAValue, default: str) -> str:
    return value.name_hint or default


def _alloca(op: memref.AllocaOp, memory: Memory) -> View:
    type = _type(op.memref, op)
    return memory.allocate(op, type, ocl.AddressSpace.PRIVATE, _name(op.memref, "memory"))


def _alloc(op: memref.AllocOp, memory: Memory) -> View:
    # Without a space it is on the heap, which `allocate` refuses.
    type = _type(op.memref, op)
    return memory.allocate(op, type, ocl.AddressSpace.GLOBAL, _name(op.memref, "tile"))


def _get_global(op: memref.GetGlobalOp, memory: Memory) -> View:
    name = op.name_.string_value()
    type = _type(op.memref, op)
    definition = memory.scope.globals.get(name)
    if definition is None:
        raise error_at(op, f"no memref.global named '{name}'")
    if definition.constant is None:
        if address_space(op, type, ocl.AddressSpace.GLOBAL) is not ocl.AddressSpace.LOCAL:
            raise error_at(
                op,
                f"'{name}' is neither constant nor workgroup memory; pass it to the kernel as a "
                "parameter",
            )
        return memory.global_memory(
            name, lambda: memory.allocate(op, type, ocl.AddressSpace.LOCAL, name)
        )
    emitter = ViewBuild(op)
    element = stored_type(op, type.element_type)
    array = ocl.PtrType(ocl.ArrayType(element_count(type), element), ocl.AddressSpace.CONSTANT)
    address = emitter.emit(ocl.AddressOfOp(memory.scope.symbols[name], array))
    pointer = emitter.emit(ocl.CastOp(address, ocl.PtrType(element, ocl.AddressSpace.CONSTANT)))
    pointer.name_hint = name
    return View(pointer, 0, type.get_shape(), emitter.row_major(type.get_shape()))


def element_count(type: MemRefType) -> int:
    """How many elements a memref of a known shape has."""
    count = 1
    for size in type.get_shape():
        count *= size
    return count


def constant_data(op: memref.GlobalOp, name: str) -> ocl.ConstantDataOp:
    """A constant `memref.global` as the `ocl.constant` @`name`.

    Raises:
        PolyclError: at `op`: it has no value, or a layout.
    """
    type, value = op.type, op.initial_value
    assert isinstance(type, MemRefType)
    if not isinstance(value, DenseIntOrFPElementsAttr):
        raise error_at(op, f"the constant '{name}' has no value")
    if not isinstance(type.layout, NoneAttr) or element_count(type) == 0:
        raise error_at(op, f"the constant '{name}' has type {type}; expected elements, no layout")
    element = stored_type(op, type.element_type)
    values: Sequence[Attribute] = tuple(value.get_attrs())
    if type.element_type == i1:
        values = [IntegerAttr(v.value.data & 1, i8) for v in values if isinstance(v, IntegerAttr)]
    elif isinstance(element, IntegerType):
        values = [IntegerAttr(v.value.data, element) for v in values if isinstance(v, IntegerAttr)]
    count = element_count(type)
    values = tuple(values) * (count if len(values) == 1 else 1)
    data = ocl.ConstantDataOp(name, ocl.ArrayType(count, element), ArrayAttr(values))
    data.location = op.location
    return data


def _cast(op: memref.CastOp, memory: Memory) -> View:
    _type(op.dest, op)
    _type(op.source, op)
    # The source knows at least as much about its sizes.
    return memory.view(op.source, op)


def _memory_space_cast(op: memref.MemorySpaceCastOp, memory: Memory) -> View:
    view = memory.view(op.source, op)
    have = ocl.space_of(view.pointer)
    space = address_space(op, _type(op.dest, op), ocl.AddressSpace.GENERIC)
    if space in (have, ocl.AddressSpace.GENERIC):
        # A memref without a space may stay in the space that it has.
        return view
    if have is not ocl.AddressSpace.GENERIC:
        raise error_at(op, f"cannot cast {have.value} memory to {space.value}: they are disjoint")
    type = ocl.PtrType(ocl.pointee_of(view.pointer), space)
    pointer = ViewBuild(op).emit(ocl.CastOp(view.pointer, type))
    return View(pointer, view.offset, view.sizes, view.strides)


def _assume_alignment(op: memref.AssumeAlignmentOp, memory: Memory) -> View:
    return memory.view(op.memref, op)


def _mixed(static: Sequence[int], dynamic: Sequence[SSAValue]) -> tuple[Number, ...]:
    """A list of numbers, some of them known."""
    values = iter(dynamic)
    return tuple(known(next(values)) if n == DYNAMIC_INDEX else n for n in static)


def _subview(op: memref.SubviewOp, memory: Memory) -> View:
    source = memory.view(op.source, op)
    emitter = ViewBuild(op)
    offsets = _mixed(op.static_offsets.get_values(), op.offsets)
    sizes = _mixed(op.static_sizes.get_values(), op.sizes)
    steps = _mixed(op.static_strides.get_values(), op.strides)
    strides = tuple(emitter.times(a, b) for a, b in zip(source.strides, steps, strict=True))
    kept = _kept_dimensions(op, op.static_sizes.get_values(), strides)
    return View(
        source.pointer,
        emitter.dot(source.offset, offsets, source.strides),
        tuple(sizes[dim] for dim in kept),
        tuple(strides[dim] for dim in kept),
    )


def _kept_dimensions(
    op: memref.SubviewOp, sizes: Sequence[int], strides: Sequence[Number]
) -> list[int]:
    """The dimensions that a rank-reducing subview keeps; those that it drops have size 1."""
    type = _type(op.result, op)
    shape, wanted = type.get_shape(), type.get_strides() or ()
    kept: list[int] = []
    for dim, size in enumerate(sizes):
        left = len(shape) - len(kept)
        if left == len(sizes) - dim:
            return [*kept, *range(dim, len(sizes))]
        next_size = shape[len(kept)] if left else None
        stride = wanted[len(kept)] if left and wanted else None
        fits = stride is None or not isinstance(strides[dim], int) or stride == strides[dim]
        if size != 1 or (next_size == 1 and fits):
            kept.append(dim)
    if len(kept) != len(shape):
        raise error_at(op, f"'{op.name}' cannot give {type}: other dimensions than those of size 1")
    return kept


def _reinterpret_cast(op: memref.ReinterpretCastOp, memory: Memory) -> View:
    source = memory.view(op.source, op)
    offset, *_ = _mixed(op.static_offsets.get_values(), op.offsets)
    sizes = _mixed(op.static_sizes.get_values(), op.sizes)
    strides = _mixed(op.static_strides.get_values(), op.strides)
    return View(source.pointer, offset, sizes, strides)


def _view(op: memref.ViewOp, memory: Memory) -> View:
    source = memory.view(op.source, op)
    emitter = ViewBuild(op)
    type = _type(op.result, op)
    bytes_ = emitter.plus(source.offset, known(op.byte_shift))
    pointer = source.pointer
    if bytes_ != 0:
        pointer = emitter.emit(ocl.OffsetOp(pointer, emitter.value(bytes_)))
    element = stored_type(op, type.element_type)
    pointer = emitter.emit(ocl.CastOp(pointer, ocl.PtrType(element, ocl.space_of(source.pointer))))
    sizes = _mixed(type.get_shape(), op.sizes)
    return View(pointer, 0, sizes, emitter.row_major(sizes))


def _reshape(op: memref.CollapseShapeOp | memref.ExpandShapeOp, memory: Memory) -> View:
    source, type = _type(op.src, op), _type(op.result, op)
    plain = all(isinstance(t.layout, NoneAttr) for t in (source, type))
    if not plain or any(size < 0 for size in (*source.get_shape(), *type.get_shape())):
        raise error_at(
            op, f"'{op.name}' from {source} to {type}: expected known sizes and no layout"
        )
    view = memory.view(op.src, op)
    strides = ViewBuild(op).row_major(type.get_shape())
    return View(view.pointer, view.offset, type.get_shape(), strides)


def _base_buffer(op: memref.ExtractStridedMetaDataOp, memory: Memory) -> View:
    return View(memory.view(op.source, op).pointer, 0, (), ())


VIEWS: dict[type[Operation], ViewMaker] = {
    memref.AllocOp: _alloc,
    memref.AllocaOp: _alloca,
    memref.AssumeAlignmentOp: _assume_alignment,
    memref.CastOp: _cast,
    memref.CollapseShapeOp: _reshape,
    memref.ExpandShapeOp: _reshape,
    memref.ExtractStridedMetaDataOp: _base_buffer,
    memref.GetGlobalOp: _get_global,
    memref.MemorySpaceCastOp: _memory_space_cast,
    memref.ReinterpretCastOp: _reinterpret_cast,
    memref.SubviewOp: _subview,
    memref.ViewOp: _view,
}
