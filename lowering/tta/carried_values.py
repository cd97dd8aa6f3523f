"""Adds values that are carried by a loop."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import carry_also


def fills_index(value: SSAValue) -> bool:
    """Whether a value has at least 32 bits, the width of an index."""
    type = value.type
    return type == IndexType() or isinstance(type, IntegerType) and type.width.data >= 32


class LoopBuild(Build):
    """Inserts operations before a loop."""

    def __init__(self, loop: scf.ForOp):
        super().__init__(loop)
        self._around = loop

    @property
    def end(self) -> Build:
        """Inserts operations at the end of an iteration."""
        end = self._around.body.block.last_op
        assert end is not None
        return Build(self._around, InsertPoint.before(end))

    def has(self, value: SSAValue) -> bool:
        """Whether a value is computed in the loop."""
        owner = value.owner
        at = owner.parent_op() if isinstance(owner, Block) else owner
        return at is not None and self._around.is_ancestor(at)

    def also_carry(self, starts: Sequence[SSAValue], ends: Sequence[SSAValue]) -> None:
        """Replace the loop by one that also carries values; the body has their arguments."""
        end = self._around.body.block.last_op
        assert isinstance(end, scf.YieldOp)
        Rewriter.replace_op(end, scf.YieldOp(*end.operands, *ends))
        carry_also(self._around, starts)
