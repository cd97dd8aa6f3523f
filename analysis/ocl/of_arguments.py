"""Values that are computed of the kernel's arguments and the sizes of the launch."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue

from polycl.analysis.ocl.speculation import is_speculatable
from polycl.dialects import ocl

SIZES = (ocl.GlobalSizeOp, ocl.LocalSizeOp, ocl.NumGroupsOp)
IDS = (ocl.GlobalIdOp, ocl.LocalIdOp, ocl.GroupIdOp)


def is_size(value: SSAValue) -> bool:
    """Whether a value is a size of the launch."""
    while isinstance(value.owner, arith.IndexCastOp | arith.TruncIOp):
        value = value.owner.input
    return isinstance(value.owner, SIZES)


def is_of_arguments(value: SSAValue, is_there: bool = False) -> bool:
    """Whether a value is computed from the kernel's arguments and sizes: all work-items agree. It
    may be computed anywhere, unless it `is_there` already."""
    seen = {value}
    todo = [value]
    while todo:
        owner = todo.pop().owner
        if isinstance(owner, Block):
            if not isinstance(owner.parent_op(), ocl.KernelOp):
                return False
            continue
        is_harmless = isinstance(owner, SIZES) or owner.dialect_name() == "arith"
        if not is_harmless or not (is_there or is_speculatable(owner)):
            return False
        todo += [operand for operand in owner.operands if operand not in seen]
        seen.update(owner.operands)
    return True
