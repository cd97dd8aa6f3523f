"""`pass-on-loads`: what the condition of a `while` has loaded, its body does not load again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.addresses import are_apart
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import with_results
from polycl.remarks import emit_remark

_NUMBERS = (IntegerType, AnyFloat)
_HARMLESS = (scf.ForOp, scf.IfOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp, ocl.VLoadOp)


@dataclass(frozen=True)
class PassOnLoadsPass(ModulePass):
    """Let the condition of an `scf.while` pass on what it has loaded to the body, which loads it
    again.

    ```
    scf.while (%h = %start) {                    scf.while (%h = %start) {
      %key = ocl.load %keys[%h]                    %key = ocl.load %keys[%h]
      %full = arith.cmpi ne, %key, %none           %full = arith.cmpi ne, %key, %none
      scf.condition(%full) %h                      scf.condition(%full) %h, %key
    } do {                                   ->  } do {
    ^bb0(%i: index):                             ^bb0(%i: index, %again: i32):
      %again = ocl.load %keys[%i]                  %next = "next"(%i, %again)
      %next = "next"(%i, %again)                   scf.yield %next
      scf.yield %next                            }
    }
    ```

    LLVM does so in the code of one work-item. In vectors, both loads are gathers, under different
    masks. The load of the condition is one that ran if the loop goes on, as the second one of
    `i < n && keys[i] != 0`, and nothing is written between the two that may be there. With
    `distinct`, buffers of different parameters do not overlap: the launch checks it.
    """

    name = "pass-on-loads"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for loop in operations_of(function.body, scf.WhileOp):
                if not any(map(_may_write, operations_in(loop.before_region))):
                    _pass_on(loop, self.distinct)


def _pass_on(loop: scf.WhileOp, distinct: bool) -> None:
    done: set[ocl.LoadOp] = set()
    while found := next((pair for pair in _loads(loop) if pair[0] not in done), None):
        load, branches = found
        done.add(load)
        again = [other for other in _read_first(loop, load, distinct) if _same(other, load, loop)]
        if again:
            emit_remark(again[0], PassOnLoadsPass.name, "the loop's condition has read this")
            loop, value = _with_value(loop, load.result, branches)
            for other in again:
                Rewriter.replace_op(other, [], [value])


def _loads(loop: scf.WhileOp) -> Iterator[tuple[ocl.LoadOp, Sequence[scf.IfOp]]]:
    """The loads that ran if the loop goes on, and the branches that they are in."""
    block, condition = loop.before_region.block, condition_of(loop).condition
    branches: list[scf.IfOp] = []
    while True:
        for op in block.ops:
            if isinstance(op, ocl.LoadOp) and isinstance(op.result.type, _NUMBERS):
                yield op, list(branches)
        branch = _needed(condition, block)
        if branch is None:
            return
        block = branch[0].true_region.block
        condition = terminator(block).operands[branch[1]]
        branches.append(branch[0])


def _needed(condition: SSAValue, block: Block) -> tuple[scf.IfOp, int] | None:
    """A branch of the block that was taken if a condition holds, and the number of the result that
    holds, too."""
    match condition.owner:
        case arith.AndIOp(lhs=lhs, rhs=rhs):
            return _needed(lhs, block) or _needed(rhs, block)
        case scf.IfOp() as branch if branch.parent is block and branch.false_region.blocks:
            number = branch.results.index(condition)  # pyright: ignore[reportArgumentType]
            otherwise = terminator(branch.false_region.block).operands[number]
            return (branch, number) if constant_value(otherwise) == 0 else None
        case _:
            return None


def _read_first(loop: scf.WhileOp, load: ocl.LoadOp, distinct: bool) -> list[ocl.LoadOp]:
    """The loads of the body before which it writes nothing that `load` may read."""
    found: list[ocl.LoadOp] = []

    def writes(op: Operation) -> bool:
        if isinstance(op, ocl.StoreOp) and op.volatile is None:
            return not are_apart(op.pointer, load.pointer, distinct)
        return _may_write(op)

    def read(block: Block) -> bool:
        """Find those of a block; whether it writes."""
        for op in block.ops:
            if isinstance(op, scf.IfOp):
                if any([read(inner) for region in op.regions for inner in region.blocks]):
                    return True
            elif any(map(writes, operations_in(op) if op.regions else [op])):
                return True
            else:
                loads = operations_of(op, ocl.LoadOp) if op.regions else [op]
                found.extend(each for each in loads if isinstance(each, ocl.LoadOp))
        return False

    read(loop.after_region.block)
    return found


def _may_write(op: Operation) -> bool:
    if isinstance(op, ocl.LoadOp):
        return op.volatile is not None
    return not isinstance(op, _HARMLESS) and not is_side_effect_free(op)


def _same(again: ocl.LoadOp, load: ocl.LoadOp, loop: scf.WhileOp) -> bool:
    """Whether a load of the body reads what one of the condition has read."""
    if again.result.type != load.result.type or len(again.operands) != len(load.operands):
        return False
    known: dict[tuple[SSAValue, SSAValue], bool] = {}
    for arg, value in zip(loop.after_region.block.args, condition_of(loop).args, strict=True):
        known[arg, value] = True
    pairs = zip(again.operands, load.operands, strict=True)
    return all(same_value(x, y, known) for x, y in pairs)


def _with_value(
    loop: scf.WhileOp, value: SSAValue, branches: Sequence[scf.IfOp]
) -> tuple[scf.WhileOp, BlockArgument]:
    """The loop with a value of its condition passed on to its body, and what it is there."""
    hint = value.name_hint
    for branch in reversed(branches):
        value = _with_result(branch, value)
    condition = condition_of(loop)
    passed = scf.ConditionOp(condition.condition, *condition.args, value)
    Rewriter.replace_op(condition, passed)
    arg = loop.after_region.block.insert_arg(value.type, len(passed.args) - 1)
    arg.name_hint = hint
    new = with_results(loop, loop.operands, [each.type for each in passed.args])
    Rewriter.replace_op(loop, [], new.results[:-1])
    return new, arg


def _with_result(branch: scf.IfOp, value: SSAValue) -> SSAValue:
    """A value of the first side of a branch as a result of the branch; 0 on the other side."""
    then, orelse = (region.block for region in branch.regions)
    zero = Build(terminator(orelse)).constant(0, value.type)
    for block, each in ((then, value), (orelse, zero)):
        end = terminator(block)
        Rewriter.replace_op(end, scf.YieldOp(*end.operands, each))
    new = with_results(branch, branch.operands, [*branch.result_types, value.type])
    Rewriter.replace_op(branch, [], new.results[:-1])
    return new.results[-1]
