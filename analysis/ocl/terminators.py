"""How blocks end."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Block, Operation


def terminator(block: Block) -> Operation:
    """The last operation of a block, which has one."""
    assert block.last_op is not None
    return block.last_op


def condition_of(loop: scf.WhileOp) -> scf.ConditionOp:
    """What decides whether a loop goes on, and with what."""
    condition = terminator(loop.before_region.block)
    assert isinstance(condition, scf.ConditionOp)
    return condition
