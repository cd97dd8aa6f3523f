"""The terminators of blocks."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Block, Operation


def terminator(block: Block) -> Operation:
    """The last operation of a block, which has one."""
    assert block.last_op is not None
    return block.last_op


def condition_of(loop: scf.WhileOp) -> scf.ConditionOp:
    """The terminator that decides whether a loop continues, and its values."""
    condition = terminator(loop.before_region.block)
    assert isinstance(condition, scf.ConditionOp)
    return condition


def passes_all_on(loop: scf.WhileOp) -> bool:
    """Whether the condition passes the values that the loop carries on, all and in their order."""
    passed, carried = list(condition_of(loop).args), loop.before_region.block.args
    same = (each is arg for each, arg in zip(passed, carried, strict=False))
    return len(passed) == len(carried) and all(same)
