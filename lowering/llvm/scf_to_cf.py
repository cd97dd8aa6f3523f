"""`scf-to-cf`: structured control flow becomes branches between blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import BlockInsertPoint, InsertPoint, Rewriter
from xdsl.transforms.convert_scf_to_cf import ForLowering, IfLowering, SwitchLowering
from xdsl.transforms.dead_code_elimination import is_trivially_dead, result_only_effects

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl import UNROLL
from polycl.dialects.wg.attributes import LIKELY

MOST_COPIED = 8
"""Operations between a `break` and the end of the body that are copied for it."""

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
        _leave_at_once(rewriter, condition, yielded, end)
        rewriter.replace(
            condition, cf.ConditionalBranchOp(condition.condition, after, passed, end, passed)
        )
        rewriter.replace(yielded, cf.BranchOp(before, *yielded.operands))
        rewriter.inline_region(op.before_region, BlockInsertPoint.before(end))
        rewriter.inline_region(op.after_region, BlockInsertPoint.before(end))
        rewriter.replace(op, [], results)


def _leave_at_once(
    rewriter: PatternRewriter, condition: scf.ConditionOp, yielded: scf.YieldOp, end: Block
) -> None:
    """Branch to `end` from where a constant that the body yields makes the condition false.

    So a `break` leaves the loop. What is computed on the way is copied. LLVM would rather make a
    select of a short branch before it; each iteration then waits for what the branch of the
    previous one depends on.
    """
    before = condition.parent_block()
    assert before is not None
    rest = [op for op in before.ops if op is not condition]
    if before.prev_block is not None or not all(map(is_side_effect_free, rest)):
        return
    if any(value.owner in rest for value in condition.args):
        return

    def visit(path: Sequence[Block]) -> None:
        """Look at the branches to the first of the blocks, from the last of which `yielded` goes
        on, and which do nothing else on the way."""
        first = path[0]
        skipped = [op for block in path for op in block.ops if op is not block.last_op]
        if first.prev_block is None or len(skipped) > MOST_COPIED:
            return
        if not all(map(is_side_effect_free, skipped)):
            return
        for branch in [use.operation for use in first.uses]:
            if not isinstance(branch, cf.BranchOp):
                continue
            known: dict[SSAValue, SSAValue] = {}
            for _ in _entered(branch, path, known):
                pass
            values = [known.get(value, value) for value in yielded.operands]
            known.update(zip(before.args, values, strict=True))
            if _is(condition.condition, False, known):
                # What a block passes on may be a copy.
                copies: list[Operation] = []
                for block in _entered(branch, path, known):
                    copies += [op.clone(known) for op in block.ops if op is not block.last_op]
                values = [known.get(value, value) for value in yielded.operands]
                known.update(zip(before.args, values, strict=True))
                left = [known.get(value, value) for value in condition.args]
                rewriter.replace(branch, [*copies, cf.BranchOp(end, *left)], [])
            else:
                source = branch.parent_block()
                assert source is not None
                visit([source, *path])

    last = yielded.parent_block()
    assert last is not None
    visit([last])


def _entered(
    branch: Operation, path: Sequence[Block], known: dict[SSAValue, SSAValue]
) -> Iterator[Block]:
    """The blocks of a path that begins with a branch, each when its arguments are known."""
    came_from: Operation | None = branch
    for block in path:
        assert came_from is not None
        operands = [known.get(value, value) for value in came_from.operands]
        known.update(zip(block.args, operands, strict=True))
        yield block
        came_from = block.last_op


def _is(value: SSAValue, wanted: bool, known: Mapping[SSAValue, SSAValue]) -> bool:
    """Whether a condition is surely `wanted`, where block arguments are `known`."""
    value = known.get(value, value)
    constant = constant_value(value)
    match value.owner:
        case _ if constant is not None:
            return bool(constant) == wanted
        case arith.AndIOp(lhs=lhs, rhs=rhs):
            either = any if not wanted else all
            return either(_is(side, wanted, known) for side in (lhs, rhs))
        case arith.OrIOp(lhs=lhs, rhs=rhs):
            either = any if wanted else all
            return either(_is(side, wanted, known) for side in (lhs, rhs))
        case arith.XOrIOp(lhs=lhs, rhs=rhs) if constant_value(rhs) is not None:
            return _is(lhs, wanted != bool(constant_value(rhs)), known)
        case _:
            return False


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

    xDSL's `convert-scf-to-cf` and what it lacks: `scf.while`, source locations, `ocl.unroll`, which
    the branch back to a loop's start gets, and `wg.likely`, which the branch of an `scf.if` gets.
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
    location, hint, start = op.location, op.attributes.get(UNROLL), op.parent_block()
    head = op.regions[0].blocks[0]
    added: list[Operation] = []

    def locate(new: Operation) -> None:
        new.location = location
        added.append(new)

    rewriter = PatternRewriter(op)
    rewriter.operation_insertion_handler.append(locate)
    lowering.match_and_rewrite(op, rewriter)
    if LIKELY in op.attributes:
        for new in added:
            if isinstance(new, cf.ConditionalBranchOp):
                new.attributes[LIKELY] = UnitAttr()
    if hint is not None:
        for new in added:
            if head in new.successors and new.parent_block() is not start:
                new.attributes[UNROLL] = hint
