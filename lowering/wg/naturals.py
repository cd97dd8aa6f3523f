"""Sums of ids that are not negative and do not wrap."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, SSAValue

from polycl.analysis.ocl.cut_sums import may_wrap
from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.intervals import ANY, Bounds, Interval
from polycl.analysis.ocl.uniformity import constant_index, is_narrow
from polycl.analysis.wg.clamps import bits_of
from polycl.dialects import ocl, wg
from polycl.lowering.llvm.scf_to_cf import UNSIGNED


def is_natural(value: SSAValue, *, signed: bool = False) -> bool:
    """Whether a value is a sum of products of ids, counters and numbers that are not negative, and
    does not wrap; `signed` arithmetic never does."""
    owner = value.owner
    match owner:
        case arith.IndexCastOp() | arith.TruncIOp():
            # What is cut to 8 or 16 bits is a remainder of the sum.
            is_kept = not is_narrow(value) and not may_wrap(owner)
            return is_kept and is_natural(owner.input, signed=signed)
        case arith.ExtUIOp():
            return is_natural(owner.input, signed=signed)
        case _ if evaluate(value, _IdBounds())[0] >= 0:
            return True
        case arith.AddiOp() | arith.MuliOp():
            fits = signed or (isinstance(value.type, IndexType) and bits_of(value) <= 62)
            return fits and all(is_natural(operand, signed=signed) for operand in owner.operands)
        case Block():
            parent = owner.parent_op()
            if isinstance(parent, scf.ForOp) and value is parent.body.block.args[0]:
                return UNSIGNED not in parent.attributes and is_natural(parent.lb, signed=signed)
            return isinstance(parent, wg.ParallelOp)
        case _:
            return isinstance(owner, ocl.GroupIdOp | ocl.GlobalOffsetOp | ocl.LocalSizeOp)


class _IdBounds(Bounds):
    """Bounds of what is computed of local ids."""

    def opaque(self, value: SSAValue) -> Interval:
        owner = value.owner
        region = owner.parent_op() if isinstance(owner, Block) else None
        if not isinstance(region, wg.ParallelOp) or value not in region.local_ids:
            return super().opaque(value)
        size = constant_index(region.sizes[region.local_ids.index(value)])
        return ANY if size is None else (0, size - 1)
