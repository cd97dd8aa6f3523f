"""What a load or store accesses: its type, its size, and how far that of the next work-item is."""

from __future__ import annotations

from xdsl.ir import Attribute, Block, Operation, Region

from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.layout import size_of, stride_of
from polycl.dialects.vec import count_of, element_of
from polycl.lowering.wg.wg_vectorize.lane_addresses import (
    index_stride,
    index_stride_in_buffer,
    pointer_stride,
)

Access = ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp

MOST_STEPS = 8
"""From one lane's element to the next, in elements, for which a gather is not needed."""

THREE, SLOTS = 3, 4
"""Vectors of three elements have the memory of four."""

SMALL = 8
"""The bytes of a lane up to which a gather or scatter accesses all of them at once."""

LEAST_MASKED = 4
"""The bytes of the smallest elements that processors without AVX-512 access under masks."""


def accesses_in(root: Operation | Region | Block) -> list[Access]:
    """The accesses to memory inside of `root`, in order."""
    return operations_of(root, ocl.LoadOp, ocl.StoreOp, ocl.VLoadOp, ocl.VStoreOp)


def accessed_type(op: Access) -> Attribute:
    """The type of the value that is read or written."""
    return op.result.type if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else op.value.type


def access_size(op: Access) -> int:
    """The bytes that one step of the index moves; vloadn and vstoren leave no gaps."""
    type = accessed_type(op)
    packed = isinstance(op, ocl.VLoadOp | ocl.VStoreOp)
    return count_of(type) * size_of(element_of(type)) if packed else stride_of(type)


def in_slots(op: Access) -> bool:
    """Whether an access is to three elements in the memory of four, as those of `float3 *`."""
    three = count_of(accessed_type(op)) == THREE
    return three and isinstance(op, ocl.LoadOp | ocl.StoreOp)


def access_stride(facts: Uniformity, op: Access, dimension: int) -> int | None:
    """By how many bytes the address grows from one work-item to the next, if that is known."""
    base = pointer_stride(facts, op.pointer, dimension)
    step = 0 if op.index is None else index_stride(facts, op.index, dimension)
    if step is None and op.index is not None:
        step = index_stride_in_buffer(facts, op.pointer, op.index, access_size(op), dimension)
    return None if base is None or step is None else base + step * access_size(op)


def is_of_one(op: Access, stride: int | None) -> bool:
    """Whether only one of the work-items along a dimension may make an access, and the others are
    off: all would write one element, which is a race."""
    shared = ocl.space_of(op.pointer) in (ocl.AddressSpace.GLOBAL, ocl.AddressSpace.LOCAL)
    return stride == 0 and shared and isinstance(op, ocl.StoreOp | ocl.VStoreOp)


def holds_in_lanes(type: Attribute) -> bool:
    """Whether vectors hold values of this type."""
    return not isinstance(type, ocl.StructType | ocl.EventType)


def is_gathered_as_row(count: int) -> bool:
    """Whether the elements of a vector that is anywhere in memory are accessed together: those of
    three elements lie in the space of four, of which the last may be another's."""
    return count > 1 and count & count - 1 == 0


def are_three_a_row(element: Attribute) -> bool:
    """Whether three elements of a lane that are anywhere in memory are accessed together."""
    return THREE * size_of(element) > SMALL


def gap_of(stride: int | None, size: int) -> int | None:
    """A stride, forwards or backwards, as a small number of elements of `size` bytes."""
    if stride is None or stride % size:
        return None
    steps = abs(stride) // size
    return steps if 2 <= steps <= MOST_STEPS else None
