"""`pass-on-loads`: what the condition of a `while` or a branch has loaded is not loaded again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, IntegerType, ModuleOp, UnitAttr, i1
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.addresses import are_apart
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.wg.attributes import LIKELY
from polycl.lowering.build import Build
from polycl.lowering.ocl.moving import with_results
from polycl.lowering.ocl.scattered import Scattered
from polycl.remarks import emit_remark

_Path: TypeAlias = tuple[tuple[scf.IfOp, int], ...]

_CONDITIONS = (scf.IfOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.CmpiOp)
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
    `i < n && keys[i] != 0`, and nothing is written between the two that may be there. The sides of
    a branch read what its condition has read, if it has:
    in `if (j >= m || (i < n && a[i] <= b[j])) v = a[i]; else v = b[j];` lanes gather two elements,
    not four. With
    `distinct`, buffers of different parameters do not overlap: the launch checks it.
    """

    name = "pass-on-loads"

    distinct: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for loop in operations_of(function.body, scf.WhileOp):
                if not any(map(_may_write, operations_in(loop.before_region))):
                    _pass_on(loop, self.distinct)
            scattered = Scattered(function)
            for branch in operations_of(function.body, scf.IfOp):
                _pass_to_sides(branch, self.distinct, scattered)


def _pass_on(loop: scf.WhileOp, distinct: bool) -> None:
    done: set[ocl.LoadOp] = set()
    before, after = loop.before_region.block, loop.after_region.block
    while True:
        loads = _loads(before, condition_of(loop).condition)
        found = next((pair for pair in loads if pair[0] not in done), None)
        if found is None:
            return
        load, branches = found
        done.add(load)
        first = _read_first(after, load, distinct)
        again = [other for other in first if _same(other, load, loop)]
        if again:
            emit_remark(again[0], PassOnLoadsPass.name, "the loop's condition has read this")
            loop, value = _with_value(loop, load.result, branches)
            for other in again:
                Rewriter.replace_op(other, [], [value])


def _pass_to_sides(branch: scf.IfOp, distinct: bool, scattered: Scattered) -> None:
    """Let what computes the condition of a branch pass on what it has loaded to the sides."""
    block, done = branch.parent, set[ocl.LoadOp]()
    assert block is not None
    if not isinstance(branch.cond.owner, _CONDITIONS):
        return
    while True:
        loads = _tested(branch.cond, branch)
        found = next((pair for pair in loads if pair[0] not in done), None)
        if found is None:
            return
        load, path = found
        done.add(load)
        sides = [
            [other for other in _read_first(region.block, load, distinct) if _same(other, load)]
            for region in branch.regions
            if region.blocks
        ]
        ran = {each for each, around in _loads(block, branch.cond) if around}
        sure = sides[0] if load in ran else []
        maybe = [o for side in sides for o in side if o not in sure and scattered(o.index)]
        if not sure and not maybe:
            continue
        emit_remark(load, PassOnLoadsPass.name, "the sides of a branch read this, too")
        values = [load.result, *([Build(load).constant(1, i1)] if maybe else ())]
        # The innermost branch first.
        for around, side in reversed(path):
            values = _with_results(around, values, side)
        for other in sure:
            Rewriter.replace_op(other, [], [values[0]])
        for other in maybe:
            _load_unless(values[1], values[0], other)


def _tested(condition: SSAValue, branch: scf.IfOp) -> Iterator[tuple[ocl.LoadOp, _Path]]:
    """The loads that ran, if at all, to compute the condition of a branch, between which and the
    branch nothing is written, and the sides that they are in, the outermost first."""
    match condition.owner:
        case arith.AndIOp() | arith.OrIOp() | arith.CmpiOp():
            lhs, rhs = condition.owner.operands
            yield from _tested(lhs, branch)
            yield from _tested(rhs, branch)
        case arith.XOrIOp(lhs=lhs):
            yield from _tested(lhs, branch)
        case scf.IfOp() as earlier if earlier.parent is branch.parent:
            between: Operation | None = earlier
            while between is not None and between is not branch:
                if any(map(_may_write, operations_in(between))):
                    return
                between = between.next_op
            yield from _loads_inside(earlier, ())
        case _:
            return


def _loads_inside(branch: scf.IfOp, path: _Path) -> Iterator[tuple[ocl.LoadOp, _Path]]:
    for side, region in enumerate(branch.regions):
        inside = (*path, (branch, side))
        for op in region.block.ops if region.blocks else ():
            if isinstance(op, ocl.LoadOp) and isinstance(op.result.type, _NUMBERS):
                yield op, inside
            elif isinstance(op, scf.IfOp):
                yield from _loads_inside(op, inside)


def _load_unless(has_run: SSAValue, value: SSAValue, load: ocl.LoadOp) -> None:
    """Load only if the value is not known."""
    known, loads = Block([scf.YieldOp(value)]), Block()
    choice = scf.IfOp(has_run, [load.result.type], [known], [loads])
    choice.attributes[LIKELY] = UnitAttr()
    Rewriter.insert_op(choice, InsertPoint.before(load))
    load.result.replace_all_uses_with(choice.results[0])
    load.detach()
    loads.add_ops([load, scf.YieldOp(load.result)])


def _loads(block: Block, condition: SSAValue) -> Iterator[tuple[ocl.LoadOp, Sequence[scf.IfOp]]]:
    """The loads that ran if a condition holds, and the branches that they are in."""
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


def _read_first(block: Block, load: ocl.LoadOp, distinct: bool) -> list[ocl.LoadOp]:
    """The loads of a block before which it writes nothing that `load` may read."""
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

    read(block)
    return found


def _may_write(op: Operation) -> bool:
    if isinstance(op, ocl.LoadOp):
        return op.volatile is not None
    return not isinstance(op, _HARMLESS) and not is_side_effect_free(op)


def _same(again: ocl.LoadOp, load: ocl.LoadOp, loop: scf.WhileOp | None = None) -> bool:
    """Whether a load reads what one of the condition has read."""
    if again.result.type != load.result.type or len(again.operands) != len(load.operands):
        return False
    known: dict[tuple[SSAValue, SSAValue], bool] = {}
    if loop is not None:
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
        (value,) = _with_results(branch, [value])
    condition = condition_of(loop)
    passed = scf.ConditionOp(condition.condition, *condition.args, value)
    Rewriter.replace_op(condition, passed)
    arg = loop.after_region.block.insert_arg(value.type, len(passed.args) - 1)
    arg.name_hint = hint
    new = with_results(loop, loop.operands, [each.type for each in passed.args])
    Rewriter.replace_op(loop, [], new.results[:-1])
    return new, arg


def _with_results(branch: scf.IfOp, values: Sequence[SSAValue], side: int = 0) -> list[SSAValue]:
    """Values of one side of a branch as results of the branch; 0 on the other side."""
    taken, other = branch.regions[side].block, branch.regions[1 - side].block
    build = Build(terminator(other))
    zeros = [build.constant(0, value.type) for value in values]
    for block, each in ((taken, values), (other, zeros)):
        end = terminator(block)
        Rewriter.replace_op(end, scf.YieldOp(*end.operands, *each))
    types = [*branch.result_types, *(value.type for value in values)]
    new = with_results(branch, branch.operands, types)
    had = len(branch.results)
    Rewriter.replace_op(branch, [], new.results[:had])
    return list(new.results[had:])
