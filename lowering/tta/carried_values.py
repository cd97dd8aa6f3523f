"""Adds values that are carried by a loop."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter


def fills_index(value: SSAValue) -> bool:
    """Whether a value has at least 32 bits, the width of an index."""
    type = value.type
    return type == IndexType() or isinstance(type, IntegerType) and type.width.data >= 32


class LoopBuilder:
    """Adds operations before a loop, and at the end of its iterations."""

    def __init__(self, loop: scf.ForOp):
        self.loop = loop

    def inside(self, value: SSAValue) -> bool:
        """Whether a value is computed in the loop."""
        owner = value.owner
        at = owner.parent_op() if isinstance(owner, Block) else owner
        return at is not None and self.loop.is_ancestor(at)

    def before(self, op: Operation) -> SSAValue:
        """Add an operation before the loop."""
        op.location = self.loop.location
        Rewriter.insert_op(op, InsertPoint.before(self.loop))
        return op.results[0]

    def at_end(self, op: Operation) -> SSAValue:
        """Add an operation at the end of an iteration."""
        end = self.loop.body.block.last_op
        assert end is not None
        op.location = self.loop.location
        Rewriter.insert_op(op, InsertPoint.before(end))
        return op.results[0]

    def as_index(self, value: SSAValue) -> SSAValue:
        """A value from outside the loop as an index."""
        if value.type == IndexType():
            return value
        return self.before(arith.IndexCastOp(value, IndexType()))

    def carry(self, starts: Sequence[SSAValue], ends: Sequence[SSAValue]) -> None:
        """Replace the loop by one that also carries values; the body has their arguments."""
        loop = self.loop
        end = loop.body.block.last_op
        assert isinstance(end, scf.YieldOp)
        Rewriter.replace_op(end, scf.YieldOp(*end.operands, *ends))
        inits = [*loop.iter_args, *starts]
        new = scf.ForOp(loop.lb, loop.ub, loop.step, inits, loop.detach_region(loop.body))
        new.location = loop.location
        new.attributes = dict(loop.attributes)
        Rewriter.replace_op(loop, new, list(new.results)[: len(loop.results)])
