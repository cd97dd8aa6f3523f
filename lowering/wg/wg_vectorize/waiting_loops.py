"""Loops in which a work-item waits for another one: as lanes of one vector they would not end."""

from __future__ import annotations

from xdsl.dialects import func, scf
from xdsl.ir import SSAValue

from polycl.analysis.ocl.terminators import condition_of
from polycl.analysis.wg.sources import sources
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in, operations_of
from polycl.lowering.wg.wg_vectorize.owned_elements import may_order

_CHANGES_NOTHING = (ocl.LoadOp, ocl.FenceOp, scf.YieldOp, scf.ConditionOp)


def waits_for_others(loop: scf.WhileOp) -> bool:
    """Whether a loop does no more than ask memory again until another work-item has changed it, as
    one does that wants a lock: where it leaves, it must go on before the others have left."""
    if operations_of(loop, func.CallOp):
        return False
    asks = [op for op in operations_in(loop) if may_order(op) and op.results]
    changing: set[SSAValue] = {result for op in asks for result in op.results}
    changing.update(arg for part in loop.regions for arg in part.block.args)
    conditions = [condition_of(loop).condition]
    conditions += [branch.cond for branch in operations_of(loop, scf.IfOp)]
    deciding = changing & sources(conditions)
    return (
        any(result.owner in asks for result in deciding)
        and not any(sources(op.operands) & changing for op in asks)
        and all(
            op.regions or op in asks or isinstance(op, _CHANGES_NOTHING) or is_side_effect_free(op)
            for op in operations_in(loop)
        )
    )
