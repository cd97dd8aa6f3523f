"""The known alignment of a pointer, in bytes."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace, ArrayType, PtrType, StructType, UnionType
from polycl.dialects.ocl.layout import POINTER_SIZE, align_of, stride_of
from polycl.dialects.vec import element_of

ALLOCATED = (AddressSpace.PRIVATE, AddressSpace.LOCAL)
"""The address spaces whose memory the compiler lays out."""


def pointer_alignment(pointer: SSAValue, aligned_buffers: bool = False) -> int:
    """The alignment that an access through `pointer` may rely on.

    A pointer is aligned for its pointee (OpenCL 1.2, section 6.1.5), with two exceptions: a field
    of a packed struct has the alignment of its offset; and buffers come from the caller, who aligns
    them for the elements of a vector only, as numpy does, unless there are only `aligned_buffers`.
    """
    type = pointer.type
    assert isinstance(type, PtrType)
    natural = align_of(type.pointee)
    match pointer.owner:
        case ocl.MemberOp() as op:
            return at_offset(pointer_alignment(op.pointer, aligned_buffers), op.offset)
        case ocl.OffsetOp() as op:
            return at_offset(
                pointer_alignment(op.pointer, aligned_buffers), stride_of(type.pointee)
            )
        case ocl.CastOp() as op if _is_decay(op):
            return pointer_alignment(op.pointer, aligned_buffers)
        case _:
            pass
    if aligned_buffers or type.address_space in ALLOCATED:
        return natural
    return min(natural, caller_alignment(type.pointee))


def caller_alignment(type: Attribute) -> int:
    """The alignment that a caller gives a buffer of `type`: that of its largest scalar."""
    match type:
        case ArrayType():
            return caller_alignment(type.element)
        case StructType() | UnionType():
            return max((caller_alignment(t) for t in type.field_types), default=1)
        case _:
            return min(align_of(element_of(type)), POINTER_SIZE)


def _is_decay(op: ocl.CastOp) -> bool:
    """Whether an array becomes a pointer to its first element, at any depth."""
    source, result = op.pointer.type, op.result.type
    assert isinstance(source, PtrType) and isinstance(result, PtrType)
    pointee = source.pointee
    while isinstance(pointee, ArrayType) and pointee != result.pointee:
        pointee = pointee.element
    return pointee == result.pointee and source.space == result.space


def at_offset(alignment: int, offset: int) -> int:
    """The alignment of an address `offset` bytes after an aligned one."""
    return alignment if offset == 0 else min(alignment, offset & -offset)
