"""Loops that add up the elements of an array, one after the other."""

from __future__ import annotations

from xdsl.dialects import arith, math, scf

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.wg.sources import sources
from polycl.dialects import ocl
from polycl.lowering.ocl.promote_private_arrays.accesses import Access


def is_added_up(access: Access) -> bool:
    """Whether a loop whose counter is in the index of a load carries a sum of what is loaded.

    Each addition waits for the one before. Vectors of other work-items, which share the body of a
    loop, run meanwhile; in a row of unrolled additions of as many registers they find no room.
    """
    loop = access.op.parent_op()
    if not isinstance(access.op, ocl.LoadOp) or not isinstance(loop, scf.ForOp):
        return False
    if loop not in (access.loops or ()):
        return False
    block = loop.body.block
    for sum, next in zip(block.args[1:], terminator(block).operands, strict=True):
        match next.owner:
            case arith.AddfOp() | math.FmaOp() as op if sum in op.operands:
                if access.op.result in sources(value for value in op.operands if value is not sum):
                    return True
            case _:
                pass
    return False
