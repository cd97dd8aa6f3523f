"""Branches around a barrier that some work-items of a group may not take."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnitAttr, i32
from xdsl.ir import Block, Region, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.collectives import CombineKind, GroupScope
from polycl.lowering.build import Build
from polycl.lowering.ocl.ocl_insert_checks.unset import IS_UNSET


def decide_together(kernel: ocl.KernelOp, branch: scf.IfOp) -> bool:
    """Let a group take a branch only where all of its work-items do; else suspect the group.

    This is done for the last branch of a kernel, as `if (i >= n) return;` makes one, with a barrier
    of its own on one side only. A work-item that takes this side then waits for the others, which
    reach no barrier after it: where they differ, the interpreter always finds that. Neither the
    other side nor what follows has loops, which might not end without what was left out.

    Returns whether it was done.
    """
    block = kernel.body.block
    waiting = [
        side
        for side in branch.regions
        if side.blocks and any(isinstance(op, ocl.BarrierOp) for op in side.block.ops)
    ]
    if branch.parent is not block or len(waiting) != 1:
        return False
    others = [side for side in branch.regions if side is not waiting[0] and side.blocks]
    after = [op for op in block.ops if branch.is_before_in_block(op)]
    if any(op.regions or isinstance(op, ocl.BarrierOp) for op in after):
        return False
    if any(op.regions for side in others for op in side.block.ops):
        return False
    if any(isinstance(op, ocl.BarrierOp) for side in others for op in side.block.ops):
        return False
    build = Build(branch)
    own = build.resize(branch.cond, 32, signed=False)
    zero = build.constant(0, i32)

    def combined(kind: CombineKind) -> SSAValue:
        number = build.emit(ocl.GroupReduceOp(GroupScope.WORK_GROUP, kind, own))
        return build.compare("ne", number, zero)

    everyone, anyone = combined(CombineKind.AND), combined(CombineKind.OR)
    body = Block()
    differs = scf.IfOp(build.compare("ne", everyone, anyone), (), Region(body))
    Build(branch, body).emit_void(scf.YieldOp())
    differs.attributes[IS_UNSET] = UnitAttr()
    build.emit_void(differs)
    takes = everyone if waiting[0] is branch.true_region else anyone
    branch.operands[0] = takes
    return True
