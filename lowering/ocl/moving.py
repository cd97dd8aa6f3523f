"""Moving code: out of an operation, in its place, or into another operation of its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.dialects import arith, scf
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects.effects import is_side_effect_free
from polycl.lowering.build import Build

OpT = TypeVar("OpT", bound=Operation)


def is_hoistable(value: SSAValue, home: Operation, known: Sequence[SSAValue] = ()) -> bool:
    """Whether `value` can be computed before `home`, which may contain its operation, from what is
    there and the `known` values of `home`."""
    seen: set[Operation] = set()
    values = [value]
    while values:
        value = values.pop()
        owner = value.owner
        if value in known:
            continue
        if not home.is_ancestor(owner) or owner in seen:
            continue
        if isinstance(owner, Block) or not is_speculatable(owner):
            return False
        seen.add(owner)
        values.extend(owner.operands)
    return True


def negated(value: SSAValue) -> SSAValue | None:
    """What is subtracted from 0."""
    owner = value.owner
    if isinstance(owner, arith.SubiOp) and constant_value(owner.lhs) == 0:
        return owner.rhs
    return None


def hoisted(
    value: SSAValue,
    home: Operation,
    known: dict[SSAValue, SSAValue] | None = None,
    point: InsertPoint | None = None,
) -> SSAValue:
    """A hoistable value, computed before `home`, or at `point`; `known` has those that already are,
    or that arguments of `home` are to be."""
    known = {} if known is None else known
    if value in known:
        return known[value]
    owner = value.owner
    if isinstance(owner, Block) or not home.is_ancestor(owner):
        return value
    operands = [hoisted(operand, home, known, point) for operand in owner.operands]
    mapping = dict(zip(owner.operands, operands, strict=True))
    Rewriter.insert_op(owner.clone(mapping), point or InsertPoint.before(home))
    known.update((result, mapping[result]) for result in owner.results)
    return known[value]


def replace_by_block(op: Operation, block: Block, args: Sequence[SSAValue] = ()) -> None:
    """Replace `op` by the operations of one of its blocks, and its results by what that yields."""
    end = terminator(block)
    Rewriter.inline_block(block, InsertPoint.before(op), args)
    results = list(end.operands)
    Rewriter.erase_op(end)
    Rewriter.replace_op(op, [], results)


def take_side(branch: scf.IfOp, side: Region) -> None:
    """Put one side of a branch in its place."""
    if not side.blocks:
        Rewriter.erase_op(branch)
        return
    replace_by_block(branch, side.block)


def execute_if(
    op: Operation,
    condition: SSAValue,
    otherwise: Callable[[Build], Sequence[SSAValue]],
    *,
    wanted: bool = True,
) -> scf.IfOp:
    """Execute an operation only where a condition is as wanted; `otherwise` inserts what runs
    elsewhere, and has the results there."""
    sides = Block(), Block()
    branch = scf.IfOp(condition, op.result_types, Region(sides[0]), Region(sides[1]))
    build = Build(op)
    build.emit_void(branch)
    for old, new in zip(op.results, branch.results, strict=True):
        old.replace_all_uses_with(new)
    op.detach()
    sides[not wanted].add_op(op)
    Build(op, sides[not wanted]).emit_void(scf.YieldOp(*op.results))
    with build.inside(sides[wanted]):
        build.emit_void(scf.YieldOp(*otherwise(build)))
    return branch


def erase_unused(region: Region) -> None:
    """Erase the operations in a region that compute what nothing uses any more."""
    for op in reversed(list(region.walk())):
        if not op.regions and op.results and is_side_effect_free(op):
            if all(result.first_use is None for result in op.results):
                Rewriter.erase_op(op)


def carry_also(loop: OpT, starts: Sequence[SSAValue]) -> OpT:
    """The loop with further values, for which its blocks have arguments and what they pass on."""
    types = [start.type for start in starts]
    new = with_results(loop, [*loop.operands, *starts], [*loop.result_types, *types])
    Rewriter.replace_op(loop, [], new.results[: len(loop.results)])
    return new


def with_results(op: OpT, operands: Sequence[SSAValue], types: Sequence[Attribute]) -> OpT:
    """`op` with its regions, but other operands and results, inserted before it."""
    new = type(op).create(
        operands=operands,
        result_types=types,
        properties=dict(op.properties),
        attributes=dict(op.attributes),
        regions=[op.detach_region(region) for region in list(op.regions)],
    )
    new.location = op.location
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new
