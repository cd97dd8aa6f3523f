"""What counters are while accesses of private arrays are within them."""

from __future__ import annotations

from xdsl.ir import Block, SSAValue

from polycl.analysis.ocl.linear import linear
from polycl.dialects import ocl
from polycl.dialects.ocl.memory import pointee_of
from polycl.symbolic import atom


def counters_within(block: Block, counter: SSAValue) -> range | None:
    """What `counter` is where all accesses of private arrays in `block`, not in its operations, are
    within them; None if there are none. With any other value `block` has no defined behaviour."""
    within: range | None = None
    for op in block.ops:
        if not isinstance(op, ocl.LoadOp | ocl.StoreOp):
            continue
        one = _within(op, counter)
        if one is None or within is None:
            within = within if one is None else one
        else:
            within = range(max(one.start, within.start), min(one.stop, within.stop))
    return within


def _within(op: ocl.LoadOp | ocl.StoreOp, counter: SSAValue) -> range | None:
    array = op.pointer
    while isinstance(array.owner, ocl.CastOp):
        array = array.owner.pointer
    pointee = pointee_of(array)
    if not isinstance(array.owner, ocl.AllocaOp) or op.index is None:
        return None
    if not isinstance(pointee, ocl.ArrayType) or pointee.element != pointee_of(op.pointer):
        return None
    last = pointee.size.data - 1
    up, down = linear(op.index) - atom(counter), linear(op.index) + atom(counter)
    if not up.factors:
        return range(-up.number, last - up.number + 1)
    return None if down.factors else range(down.number - last, down.number + 1)
