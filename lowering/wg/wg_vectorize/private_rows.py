"""Elements of private arrays that surely exist, so that they can be accessed for all lanes."""

from __future__ import annotations

from polycl.analysis.ocl.intervals import interval
from polycl.dialects import ocl
from polycl.dialects.ocl.layout import stride_of


def is_inside(op: ocl.LoadOp | ocl.StoreOp) -> bool:
    """Whether an access is to an element of a private array for any values of what it depends on,
    but counters of loops between constants."""
    least = most = 0.0
    pointer, index = op.pointer, op.index
    while True:
        if index is not None:
            size = stride_of(ocl.pointee_of(pointer))
            low, high = interval(index)
            least, most = least + low * size, most + high * size
        match pointer.owner:
            case ocl.OffsetOp() as moved:
                pointer, index = moved.pointer, moved.index
            case ocl.CastOp() as cast:
                pointer, index = cast.pointer, None
            case ocl.AllocaOp():
                type = op.result.type if isinstance(op, ocl.LoadOp) else op.value.type
                return 0 <= least and most + stride_of(type) <= stride_of(ocl.pointee_of(pointer))
            case _:
                return False
