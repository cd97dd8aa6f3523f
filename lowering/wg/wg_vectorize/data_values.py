"""Values that depend on what each work-item has read."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.lane_stride import VARYING
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.dialects import ocl


def is_by_data(value: SSAValue, facts: Uniformity, dimension: int, *, private: bool = True) -> bool:
    """Whether a value that differs between neighbours is read, or computed from what is; without
    `private`, what a work-item reads from memory of its own does not count."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in seen or facts.lanes(value).strides[dimension] is not VARYING:
            continue
        seen.add(value)
        if isinstance(value.owner, ocl.LoadOp) and (
            private or ocl.space_of(value.owner.pointer) != ocl.AddressSpace.PRIVATE
        ):
            return True
        if isinstance(value.owner, Operation):
            pending += value.owner.operands
    return False
