"""Moving code: out of an operation, in its place, or into another operation of its kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import scf
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.speculation import is_speculatable
from polycl.analysis.ocl.terminators import terminator
from polycl.dialects.effects import is_side_effect_free

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
    copy = owner.clone(dict(zip(owner.operands, operands, strict=True)))
    Rewriter.insert_op(copy, point or InsertPoint.before(home))
    known.update(zip(owner.results, copy.results, strict=True))
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


def erase_unused(region: Region) -> None:
    """Erase the operations in a region that compute what nothing uses any more."""
    for op in reversed(list(region.walk())):
        if not op.regions and op.results and is_side_effect_free(op):
            if all(result.first_use is None for result in op.results):
                Rewriter.erase_op(op)


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
