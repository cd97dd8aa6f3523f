"""`wg-hoist-grid-loops`: grid-stride loops run around a region, not in each work-item."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import hoisted, is_hoistable, replace_by_block
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class WgHoistGridLoopsPass(ModulePass):
    """Exchange the loop over the work-items of a group with one in steps of the launch's size.

    ```
    wg.parallel (%x, %y, %z) in ... {                scf.for %k = %c0 to %n step %global_size {
      scf.for %k = %c0 to %n step %global_size {       wg.parallel (%x, %y, %z) in ... {
        ... %x + %k ...                         ->       ... %x + %k ...
      }                                                }
    }                                                }
    ```

    Each iteration goes far in memory, and neighbours are next to each other: work-items first is
    the order of memory. Work-items are independent, and each runs its iterations in the same
    order. The loop has the same range for all work-items (`wg-rebase-loops` runs before), carries
    no values, and is all that the region does. A guard may be around it: that of an outer loop,
    which has the same outcome in all iterations, is in the loop then.
    """

    name = "wg-hoist-grid-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for region in operations_of(function.body, wg.ParallelOp):
                while region.step is None and (loop := _grid_loop(region)) is not None:
                    emit_remark(loop, self.name, "runs around the group's work-items")
                    _around(region, loop, region)


def _grid_loop(region: wg.ParallelOp) -> scf.ForOp | None:
    """The loop in steps of the launch that is all that a region does."""
    block, guard = region.body.block, None
    while isinstance(found := only_effect(block), scf.IfOp):
        if found.results or has_else(found):
            return None
        guard, block = guard or found, found.true_region.block
    if not isinstance(found, scf.ForOp) or found.iter_args or region.res:
        return None
    bounds = (found.lb, found.ub, found.step)
    if not is_of_launch(found.step) or not all(is_hoistable(b, region) for b in bounds):
        return None
    return found if guard is None else _around(guard, found, region)


def only_effect(block: Block, *besides: type[Operation]) -> Operation | None:
    """The only operation of a block that does more than compute, and is not one of `besides`."""
    effects = [op for op in block.ops if op.regions or not is_side_effect_free(op)]
    effects = [op for op in effects if not isinstance(op, (scf.YieldOp, wg.YieldOp, *besides))]
    return effects[0] if len(effects) == 1 else None


def has_else(guard: scf.IfOp) -> bool:
    """Whether the other side of a branch does anything."""
    return bool(guard.false_region.blocks) and len(guard.false_region.block.ops) > 1


def _around(inner: scf.IfOp | wg.ParallelOp, loop: scf.ForOp, region: wg.ParallelOp) -> scf.ForOp:
    """Put a loop of `region` around a guard, or the region, that it is in."""
    lb, ub, step = (hoisted(bound, region) for bound in (loop.lb, loop.ub, loop.step))
    body = Block(arg_types=[IndexType()])
    body.args[0].name_hint = loop.body.block.args[0].name_hint
    outer = scf.ForOp(lb, ub, step, [], Region(body))
    outer.location = loop.location
    Rewriter.insert_op(outer, InsertPoint.before(inner))
    inner.detach()
    body.add_op(inner)
    Build(loop, body).emit_void(scf.YieldOp())
    replace_by_block(loop, loop.body.block, [body.args[0]])
    return outer


def is_of_launch(value: SSAValue) -> bool:
    """Whether a value is computed from the number of work-items of the launch."""
    todo, seen = [value], {value}
    while todo:
        owner = todo.pop().owner
        if isinstance(owner, ocl.GlobalSizeOp | ocl.NumGroupsOp):
            return True
        if isinstance(owner, Operation):
            todo += [operand for operand in owner.operands if operand not in seen]
            seen.update(owner.operands)
    return False
