"""`scf-to-cf`: structured control flow becomes branches between blocks."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import BlockInsertPoint, InsertPoint, Rewriter
from xdsl.transforms.convert_scf_to_cf import ForLowering, IfLowering, SwitchLowering
from xdsl.transforms.dead_code_elimination import is_trivially_dead, result_only_effects

from polycl.dialects.inside import operations_in, operations_of

UNSIGNED = "unsignedCmp"
"""Attribute of an `scf.for`, as in upstream MLIR: its bounds are unsigned. `rotate` reads it."""


class WhileLowering(RewritePattern):
    """Lowers `scf.while`: its two regions become the blocks of a loop."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter, /) -> None:
        start = op.parent_block()
        assert start is not None
        end = start.split_before(op)
        before, after = op.before_region.blocks[0], op.after_region.blocks[0]
        condition = op.before_region.blocks[-1].last_op
        yielded = op.after_region.blocks[-1].last_op
        assert isinstance(condition, scf.ConditionOp) and isinstance(yielded, scf.YieldOp)
        rewriter.insert(cf.BranchOp(before, *op.arguments), InsertPoint.at_end(start))
        # The results are the operands of the condition.
        results = [
            rewriter.insert_block_argument(end, i, result.type) for i, result in enumerate(op.res)
        ]
        passed = condition.args
        rewriter.replace(
            condition, cf.ConditionalBranchOp(condition.condition, after, passed, end, passed)
        )
        rewriter.replace(yielded, cf.BranchOp(before, *yielded.operands))
        rewriter.inline_region(op.before_region, BlockInsertPoint.before(end))
        rewriter.inline_region(op.after_region, BlockInsertPoint.before(end))
        rewriter.replace(op, [], results)


class RotatedForLowering(RewritePattern):
    """Lowers `scf.for` to a loop with a test at its end and another one before it: an iteration
    has one branch."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter, /) -> None:
        start = op.parent_block()
        assert start is not None
        end = start.split_before(op)
        results = [
            rewriter.insert_block_argument(end, i, result.type) for i, result in enumerate(op.res)
        ]
        first, last = op.body.blocks[0], op.body.blocks[-1]
        yielded = last.last_op
        assert isinstance(yielded, scf.YieldOp)
        below = "ult" if UNSIGNED in op.attributes else "slt"
        entered = arith.CmpiOp(op.lb, op.ub, below)
        enter = cf.ConditionalBranchOp(
            entered.result, first, [op.lb, *op.iter_args], end, list(op.iter_args)
        )
        rewriter.insert([entered, enter], InsertPoint.at_end(start))
        following = arith.AddiOp(first.args[0], op.step)
        continues = arith.CmpiOp(following.result, op.ub, below)
        values = list(yielded.operands)
        again = cf.ConditionalBranchOp(
            continues.result, first, [following.result, *values], end, values
        )
        rewriter.replace(yielded, [following, continues, again], [])
        rewriter.inline_region(op.body, BlockInsertPoint.before(end))
        rewriter.replace(op, [], results)


@dataclass(frozen=True)
class ScfToCfPass(ModulePass):
    """Lower `scf.for`, `scf.if`, `scf.while` and `scf.index_switch` to branches between blocks.

    xDSL's `convert-scf-to-cf` and two things that it lacks: `scf.while`, and source locations.
    Operations without effects whose results have no uses are removed before.
    With `rotate`, a counted loop has its test at the end, and another one before it.

    ```
    %r = scf.while (%i = %a) : (i32) -> (i32) {      cf.br ^before(%a : i32)
      %c = ...                                     ^before(%i: i32):
      scf.condition(%c) %i : i32             ->      %c = ...
    } do {                                           cf.cond_br %c, ^after(%i : i32), ^end(%i : i32)
    ^bb0(%j: i32):                                 ^after(%j: i32):
      %k = ...                                       %k = ...
      scf.yield %k : i32                             cf.br ^before(%k : i32)
    }                                              ^end(%r: i32):
    ```
    """

    name = "scf-to-cf"

    rotate: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lowerings: dict[type[Operation], RewritePattern] = {
            scf.IfOp: IfLowering(),
            scf.ForOp: RotatedForLowering() if self.rotate else ForLowering(),
            scf.WhileOp: WhileLowering(),
            scf.IndexSwitchOp: SwitchLowering(),
        }
        # Users come before what they use, and inner operations before outer ones.
        # What holds an operation with an effect has one itself: xDSL looks through all regions.
        needed: set[Operation | None] = set()
        for inner in reversed(operations_in(op)):
            parent = inner.parent_op()
            if inner not in needed and is_trivially_dead(inner):
                Rewriter.erase_op(inner)
            elif parent not in needed and (inner in needed or _has_effect(inner)):
                needed.add(parent)
        # Each lowering splits a block, which moves all operations after that place. They are few
        # where the later ones have been lowered before.
        for inner in reversed(operations_of(op, *lowerings)):
            _lower(inner, lowerings[type(inner)])


def _has_effect(op: Operation) -> bool:
    return not op.regions and not result_only_effects(op)


def _lower(op: Operation, lowering: RewritePattern) -> None:
    """The new operations get the source location of the one that they replace."""
    location = op.location

    def locate(new: Operation) -> None:
        new.location = location

    rewriter = PatternRewriter(op)
    rewriter.operation_insertion_handler.append(locate)
    lowering.match_and_rewrite(op, rewriter)
