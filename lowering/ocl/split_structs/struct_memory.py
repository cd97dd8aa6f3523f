"""Private and local memory of structs becomes memory of each field."""

from __future__ import annotations

from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.calls import callee_of
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.ocl.memory import pointer_type
from polycl.dialects.vec import element_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.split_structs.leaves import joined
from polycl.lowering.ocl.split_structs.struct_values import erase_unused


def split_memory(alloc: ocl.AllocaOp | ocl.LocalAllocOp) -> None:
    """Give each field of a struct, or of an array of structs, memory of its own."""
    struct = _struct_in(pointer_type(alloc.result).pointee)
    if struct is None or not _is_accessed_by_field(alloc.result):
        return
    fields: list[ocl.AllocaOp | ocl.LocalAllocOp] = []
    pointers: dict[str, SSAValue] = {}
    for name, field in struct.fields:
        memory = type(alloc)(_with_field(pointer_type(alloc.result).pointee, field))
        Build(alloc).emit_void(memory)
        memory.result.name_hint = joined(alloc.result.name_hint, name)
        fields.append(memory)
        pointers[name] = memory.result
    _redirect(alloc.result, pointers)
    Rewriter.erase_op(alloc)
    for memory in fields:
        if memory.result.first_use is None:
            Rewriter.erase_op(memory)
        else:
            split_memory(memory)


def _struct_in(type: Attribute) -> ocl.StructType | None:
    """The struct type itself, or the element type of an array of structs."""
    while isinstance(type, ocl.ArrayType):
        type = type.element
    return type if isinstance(type, ocl.StructType) else None


def _with_field(type: Attribute, field: Attribute) -> Attribute:
    """A struct, or an array of structs, with `field` in the place of the struct."""
    if isinstance(type, ocl.ArrayType):
        return ocl.ArrayType(type.size, _with_field(type.element, field))
    return field


def _is_view(op: ocl.CastOp) -> bool:
    """Whether a cast keeps the types: it decays an array, or changes the address space."""
    source, target = pointer_type(op.pointer).pointee, pointer_type(op.result).pointee
    while isinstance(source, ocl.ArrayType) and source != target:
        source = source.element
    return target in (source, element_of(source))


def _is_accessed_by_field(pointer: SSAValue) -> bool:
    """Whether all accesses through a pointer to structs are to single fields."""
    for use in pointer.uses:
        match use.operation:
            case ocl.CastOp() as op:
                fine = _is_view(op) and _is_accessed_by_field(op.result)
            case ocl.OffsetOp() as op:
                fine = _is_accessed_by_field(op.result)
            case ocl.MemberOp() as op:
                fine = _stays_inside(op.result, in_array=False)
            case _:
                fine = False
        if not fine:
            return False
    return True


def _stays_inside(pointer: SSAValue, *, in_array: bool) -> bool:
    """Whether only the field that `pointer` points to is accessed, or the array around it."""
    for use in pointer.uses:
        match use.operation:
            case ocl.LoadOp() as op:
                fine = in_array or _is_first(op.index)
            case ocl.StoreOp() as op:
                fine = op.value is not pointer and (in_array or _is_first(op.index))
            case ocl.VLoadOp() | ocl.VStoreOp():
                fine = in_array
            case ocl.OffsetOp() as op:
                fine = in_array and _stays_inside(op.result, in_array=True)
            case ocl.MemberOp() as op:
                fine = _stays_inside(op.result, in_array=False)
            case ocl.CastOp() as op:
                elements = op.result.type.pointee != pointer_type(pointer).pointee
                fine = _is_view(op) and _stays_inside(op.result, in_array=in_array or elements)
            case CallOp() as op:
                parameter = callee_of(op).body.block.args[use.index]
                fine = _stays_inside(parameter, in_array=in_array)
            case _:
                fine = False
        if not fine:
            return False
    return True


def _is_first(index: SSAValue | None) -> bool:
    return index is None or constant_value(index) == 0


def _redirect(pointer: SSAValue, fields: dict[str, SSAValue]) -> None:
    """Replace the uses of a pointer to structs by uses of pointers to the fields."""
    for use in list(pointer.uses):
        op = use.operation
        if isinstance(op, ocl.MemberOp):
            Rewriter.replace_op(op, [], [fields[op.field.data]])
            continue
        assert isinstance(op, ocl.CastOp | ocl.OffsetOp)
        made = [_moved(op, field) for field in fields.values()]
        _redirect(op.result, dict(zip(fields, (new.results[0] for new in made), strict=True)))
        Rewriter.erase_op(op)
        erase_unused(made)


def _moved(op: ocl.CastOp | ocl.OffsetOp, field: SSAValue) -> Operation:
    """The same operation as `op`, on the pointer to a field."""
    if isinstance(op, ocl.OffsetOp):
        new = ocl.OffsetOp(field, op.index)
    else:
        new = ocl.CastOp(field, _field_pointer(op, field))
    Build(op).emit_void(new)
    return new


def _field_pointer(op: ocl.CastOp, field: SSAValue) -> ocl.PtrType:
    source, target = pointer_type(op.pointer).pointee, pointer_type(op.result)
    pointee = pointer_type(field).pointee
    while source != target.pointee:
        assert isinstance(source, ocl.ArrayType) and isinstance(pointee, ocl.ArrayType)
        source, pointee = source.element, pointee.element
    return ocl.PtrType(pointee, target.space)
