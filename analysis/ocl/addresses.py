"""Addresses as sums: a pointer, and how many bytes from it an access is."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue

from polycl.analysis.ocl.integers import bits_of
from polycl.analysis.ocl.linear import Linear, linear
from polycl.dialects import ocl
from polycl.dialects.ocl import KernelLike
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.ocl.memory import pointer_type
from polycl.symbolic import integer


def address_of(op: ocl.LoadOp | ocl.StoreOp) -> tuple[SSAValue, Linear]:
    """A pointer, and the bytes from it."""
    return place_of(op.pointer, op.index)


def address_in_small_buffer(op: ocl.LoadOp | ocl.StoreOp) -> tuple[SSAValue, Linear]:
    """The same, where no buffer has 2^32 bytes: an unsigned 32-bit number of an element, which an
    access names, and the same number plus a constant, if another access that happens names that,
    are as far apart as that: a sum that wraps is not in the buffer."""
    if op.index is not None and is_parameter(op.pointer):
        index = op.index
        while isinstance(index.owner, arith.IndexCastOp) and bits_of(index.owner.input.type) == 64:
            index = index.owner.input
        if isinstance(index.owner, arith.ExtUIOp) and bits_of(index.owner.input.type) == 32:
            place = linear(index.owner.input) * stride_of(ocl.pointee_of(op.pointer))
            return op.pointer, place
    return address_of(op)


def place_of(pointer: SSAValue, index: SSAValue | None) -> tuple[SSAValue, Linear]:
    """The pointer that another one comes from, and the bytes from there to its element `index`."""
    place: Linear = integer(0)
    while True:
        if index is not None:
            place = place + linear(index) * stride_of(ocl.pointee_of(pointer))
        match pointer.owner:
            case ocl.OffsetOp() as moved:
                pointer, index = moved.pointer, moved.index
            case ocl.CastOp() as cast:
                pointer, index = cast.pointer, None
            case ocl.MemberOp() as member:
                place = place + integer(member.offset)
                pointer, index = member.pointer, None
            case _:
                return pointer, place


def size_of_access(op: ocl.LoadOp | ocl.StoreOp) -> int:
    """The bytes that an access reads or writes."""
    return size_of(op.result.type if isinstance(op, ocl.LoadOp) else op.value.type)


def may_share_bytes(a: ocl.LoadOp | ocl.StoreOp, b: ocl.LoadOp | ocl.StoreOp) -> bool:
    """Whether two accesses of one work-item may access the same byte."""
    root, place = address_of(a)
    other, its_place = address_of(b)
    if other is not root:
        return not are_spaces_apart(ocl.space_of(a.pointer), ocl.space_of(b.pointer))
    apart = (its_place - place).constant
    return apart is None or -size_of_access(b) < apart < size_of_access(a)


def root_of(pointer: SSAValue) -> SSAValue:
    """The pointer that another one is computed from, through fields of structs, too."""
    while isinstance(pointer.owner, ocl.OffsetOp | ocl.CastOp | ocl.MemberOp):
        pointer = pointer.owner.pointer
    return pointer


def is_parameter(root: SSAValue) -> bool:
    """Whether a pointer is a parameter of the kernel: private memory belongs to a work-item."""
    owner = root.owner
    return isinstance(owner, Block) and isinstance(owner.parent_op(), KernelLike)


def are_spaces_apart(a: ocl.AddressSpace, b: ocl.AddressSpace) -> bool:
    """Whether memory of two address spaces does not overlap."""
    return a != b and ocl.AddressSpace.GENERIC not in (a, b)


def are_apart(pointer: SSAValue, other: SSAValue, distinct: bool) -> bool:
    """Whether two pointers are never to the same array; with `distinct`, parameters have arrays of
    their own."""
    x, y = root_of(pointer), root_of(other)
    if x is y:
        return False
    if are_spaces_apart(ocl.space_of(x), ocl.space_of(y)):
        return True
    return distinct and is_parameter(x) and is_parameter(y)


def required_alignment(pointer: SSAValue, natural: int) -> int:
    """The alignment of an access: `natural`, that of its type, but 1 inside a packed struct."""
    match pointer.owner:
        case ocl.MemberOp() as op:
            record = pointer_type(op.pointer).pointee
            assert isinstance(record, ocl.StructType | ocl.UnionType)
            return 1 if record.is_packed else required_alignment(op.pointer, natural)
        case ocl.OffsetOp() | ocl.CastOp() as op:
            return required_alignment(op.pointer, natural)
        case _:
            return natural
