"""Few long rows, each reduced and read again, where a program does not choose."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import pattern
from polycl.dialects.pattern import nat
from polycl.lowering.pattern.rules.build import size_of
from polycl.lowering.pattern.rules.rows import is_scalar_code, mapped

FEW = 16
"""Rows. A work-item for each of more rows fills a vector."""

LONG = 2048
"""Elements of a row: the launch of another kernel takes less time than they do."""

_PATTERNS = (pattern.ReduceOp, pattern.MapOp, pattern.ZipOp, pattern.AtOp, pattern.YieldOp)


def reduce_long_rows_first(function: FuncOp) -> None:
    r"""Take the reductions out of `map(\row: map(\e: g(e, reduce(f) row)) row)`, for few long rows.

    Kernels of their own reduce the rows, in order if there are several reductions, as in a softmax.
    Then another one computes the elements of all rows side by side, and not a work-item a row.
    What several of them read is computed by each.
    """
    for op in list(function.body.block.ops):
        if isinstance(op, pattern.MapOp) and _has_few_long_rows(op):
            while (found := _first_reduction(op)) is not None:
                op = _taken_out(found, op)
            _spread(op)


def _has_few_long_rows(op: pattern.MapOp) -> bool:
    """Whether the function reduces, and does the same for all elements of long rows then."""
    rows, block = size_of(op.input), op.body.block
    if not rows.is_constant or rows.value >= FEW or _first_reduction(op) is None:
        return False
    if len(block.args) > 1 and not isinstance(op.input.owner, pattern.ZipOp):
        return False
    known = all(isinstance(each, _PATTERNS) or is_scalar_code(each) for each in block.ops)
    return known and len(op.yielded) == 1 and _is_long_map(op.yielded[0])


def _first_reduction(op: pattern.MapOp) -> pattern.ReduceOp | None:
    return next((each for each in op.body.block.ops if isinstance(each, pattern.ReduceOp)), None)


def _is_long_map(value: SSAValue) -> bool:
    if not isinstance(value.owner, pattern.MapOp):
        return False
    size = size_of(value.owner.input)
    return size.is_constant and size.value >= LONG


def _taken_out(found: pattern.ReduceOp, op: pattern.MapOp) -> pattern.MapOp:
    """A map of what `found` leaves of each row is before `op`, whose function reads it.

    map(\\a: f(a, r(a))) x -> map(\\a,b: f(a, b)) zip(x, map(r) x)
    """
    place = list(op.body.block.ops).index(found)
    body = op.body.clone()
    reduction = list(body.block.ops)[place]
    end = body.block.last_op
    assert end is not None
    Rewriter.replace_op(end, pattern.YieldOp(*reduction.results))
    _erase_unused(body.block)
    b = Builder(InsertPoint.before(op))
    reduced = b.insert(pattern.MapOp(op.input, body)).result

    block = op.body.block
    argument = block.insert_arg(found.result.type, len(block.args))
    found.result.replace_all_uses_with(argument)
    _erase_unused(block)
    owner = op.input.owner
    inputs = [op.input]
    if isinstance(owner, pattern.ZipOp) and len(block.args) > 2:
        inputs = list(owner.operands)
    pairs = b.insert(pattern.ZipOp(*inputs, reduced)).result
    new = pattern.MapOp(pairs, op.detach_region(op.body))
    new.location = op.location
    Rewriter.replace_op(op, new)
    return new


def _erase_unused(block: Block) -> None:
    for op in reversed(list(block.ops)):
        if op.results and not any(result.uses.get_length() for result in op.results):
            op.detach()
            op.erase()


def _spread(op: pattern.MapOp) -> None:
    """A work-item for each element of each row, where none is read twice."""
    (last,) = op.yielded
    inner = last.owner
    assert isinstance(inner, pattern.MapOp)
    for each in op.body.block.ops:
        if isinstance(each, pattern.MapOp) and each is not inner and size_of(each.input) != nat(1):
            if not each.result.has_one_use():
                return
    mapped(inner, pattern.MapGlobalOp)
    mapped(op, pattern.MapGlobalOp, 1)
