"""A copy of a loop, as it was, for launches in which it cannot be counted."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, Region, SSAValue

from polycl.dialects.inside import operations_in
from polycl.dialects.wg.attributes import LIKELY
from polycl.lowering.build import Build

MOST_COPIED = 100
"""The most operations of a loop that is there twice."""


def is_small(loop: scf.WhileOp | scf.ForOp) -> bool:
    """Whether a loop may have a copy, as none of those inside of it has."""
    inner = operations_in(loop)
    return len(inner) <= MOST_COPIED and not any(LIKELY in op.attributes for op in inner)


def keep_beside(loop: scf.WhileOp | scf.ForOp, condition: SSAValue) -> None:
    """Let a loop run where a condition holds, and a copy of it elsewhere."""
    build, other = Build(loop), loop.clone()
    then, orelse = Block(), Block()
    read = [result for result in loop.results if result.first_use is not None]
    types = [result.type for result in read]
    branch = scf.IfOp(condition, types, Region(then), Region(orelse))
    branch.attributes[LIKELY] = UnitAttr()
    build.emit_void(branch)
    for result, new in zip(read, branch.results, strict=True):
        new.name_hint = result.name_hint
        result.replace_all_uses_with(new)
    loop.detach()
    for block, version in ((then, loop), (orelse, other)):
        results = [version.results[result.index] for result in read]
        block.add_ops([version, scf.YieldOp(*results)])
