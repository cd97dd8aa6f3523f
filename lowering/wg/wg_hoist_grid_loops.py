"""`wg-hoist-grid-loops`: grid-stride loops run around a region, not in each work-item."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.linear import linear
from polycl.analysis.ocl.uniformity import constant_index, constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.lowering.llvm.scf_to_cf import UNSIGNED
from polycl.lowering.ocl.moving import hoisted, is_hoistable, replace_by_block, take_side
from polycl.remarks import emit_remark

DIVISIONS = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)


@dataclass(frozen=True)
class WgHoistGridLoopsPass(ModulePass):
    """Exchange the loop over the work-items of a group with one in steps of the launch's size, or
    of the group's if it divides.

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

    What all work-items read alike before the loop is read before the region, and a guard that all
    of them pass, or none, is around it then.

    A loop in steps of the group, as one along a row for which there is a group, moves out if it
    divides the place by a number that is not known (`(%x + %k) remsi %width`): `wg-split-rows`
    finds the iterations that are in one row.
    """

    name = "wg-hoist-grid-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for region in operations_of(function.body, wg.ParallelOp):
                while region.step is None and (loop := _grid_loop(region)) is not None:
                    emit_remark(loop, self.name, "runs around the group's work-items")
                    _around(region, loop, region)


def _grid_loop(region: wg.ParallelOp) -> scf.ForOp | None:
    """The loop that moves out, which is all that a region does but for what `_common` finds."""
    common: list[ocl.LoadOp | scf.IfOp] = []
    block = _common(region.body.block, region, common)
    reads, guard = [op for op in common if isinstance(op, ocl.LoadOp)], None
    while isinstance(found := only_effect(block, but=reads), scf.IfOp):
        if found.results or has_else(found):
            return None
        guard, block = guard or found, found.true_region.block
    if not isinstance(found, scf.ForOp) or found.iter_args or region.res:
        return None
    bounds = (found.lb, found.ub, found.step)
    if not all(is_hoistable(b, region, [read.result for read in reads]) for b in bounds):
        return None
    if not is_of_launch(found.step) and not _goes_in_rows(found, region):
        return None
    _move_out(common, region)
    return found if guard is None else _around(guard, found, region)


def _common(block: Block, region: wg.ParallelOp, found: list[ocl.LoadOp | scf.IfOp]) -> Block:
    """Add to `found` what a region does first for all work-items alike, reads and guards around all
    that follows; the block in which that is."""
    if any(constant_index(size) is None for size in region.sizes):
        return block
    for op in block.ops:
        known = [result for before in found for result in before.results]
        if op.regions or not is_side_effect_free(op):
            if isinstance(op, ocl.LoadOp) and op.volatile is None:
                if not all(is_hoistable(operand, region, known) for operand in op.operands):
                    break
                found.append(op)
                continue
            reads = [before for before in found if isinstance(before, ocl.LoadOp)]
            if isinstance(op, scf.IfOp) and op is only_effect(block, but=reads):
                if not op.results and not has_else(op) and is_hoistable(op.cond, region, known):
                    found.append(op)
                    return _common(op.true_region.block, region, found)
            break
    return block


def _move_out(common: Sequence[ocl.LoadOp | scf.IfOp], region: wg.ParallelOp) -> None:
    """Move what `_common` finds before and around a region."""
    known: dict[SSAValue, SSAValue] = {}
    for op in common:
        operands = [hoisted(operand, region, known) for operand in op.operands]
        if isinstance(op, ocl.LoadOp):
            op.detach()
            op.operands = operands
            Rewriter.insert_op(op, InsertPoint.before(region))
            continue
        body = Block()
        Rewriter.insert_op(scf.IfOp(operands[0], [], Region(body)), InsertPoint.before(region))
        region.detach()
        body.add_op(region)
        Build(region, body).emit_void(scf.YieldOp())
        take_side(op, op.true_region)


def _goes_in_rows(loop: scf.ForOp, region: wg.ParallelOp) -> bool:
    """Whether a number is divided whose next elements the next iteration divides: those of a
    group, which is a row along x, are in one row mostly."""
    size, step = constant_index(region.sizes[0]), constant_index(loop.step)
    if size is None or step is None or any(constant_index(n) != 1 for n in region.sizes[1:]):
        return False
    counter, x = loop.body.block.args[0], region.local_ids[0]
    for op in operations_of(loop.body, *DIVISIONS):
        if constant_value(op.operands[1]) is None and is_hoistable(op.operands[1], region):
            factors = linear(op.operands[0]).factors
            along = factors.get(x, 0)
            if along > 0 and factors.get(counter, 0) * step == along * size:
                return True
    return False


def only_effect(
    block: Block, *besides: type[Operation], but: Collection[Operation] = ()
) -> Operation | None:
    """The only operation of a block that does more than compute, and is not one of `besides`, or
    one in `but`."""
    effects = [op for op in block.ops if op.regions or not is_side_effect_free(op)]
    effects = [op for op in effects if op not in but]
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
    if UNSIGNED in loop.attributes:
        outer.attributes[UNSIGNED] = loop.attributes[UNSIGNED]
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
