"""Sums of the rows of matrices, by groups or by work-items, where a program does not choose."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import Rewriter

from polycl.dialects import pattern
from polycl.dialects.pattern import ArrayType
from polycl.dialects.pattern.nat import nat
from polycl.dialects.pattern.neutral import is_neutral
from polycl.dialects.pattern.types import is_scalar, parts_of
from polycl.lowering.pattern.rules import RULES
from polycl.lowering.pattern.rules.build import element_of, size_of
from polycl.lowering.pattern.rules.sums import sums_script

SHORT = 64
"""Elements of a row. A work-item for each row sums fewer as fast: a vector holds what several rows
have in one place."""

ROWS = (4, 6, 5, 7, 3)
"""Rows of a group, the best first: they share loads of what is the same for them."""

LARGE = 1 << 21
"""Elements of a matrix that no cache holds: a work-item that goes along a column alone reads from
another page for each row."""

_NARROW = 64
"""Elements of a row that are read together anyway."""

_VECTOR = 16
"""So many short sums of one matrix fill a vector."""


def sum_rows_in_groups(module: ModuleOp, function: FuncOp) -> None:
    """Map sums of the rows of a matrix, or of each of many matrices, to work-groups or work-items.

    What is added is read from parameters of the program, where neighbours in a row lie side by
    side. Groups compute long sums of floats, as of a matrix times a vector: each has a few rows,
    and the macro `row` of `sums.deriv` maps a row to work-items. Short sums of many matrices have
    a work-item each; those of one matrix have one by default.
    """
    for op in list(function.body.block.ops):
        _sum_columns_in_order(op, module, function)
        maps = _nested_maps(op, function.body.block)
        found = _only_sum(maps, function.body.block) if maps else None
        if found is not None and size_of(found.input).value >= SHORT:
            groups = _by_groups(maps, size_of(maps[-1].input).value)
            (row,) = (inner for inner in groups.walk() if isinstance(inner, pattern.ReduceOp))
            if (use := row.result.first_use) is not None:
                size = size_of(row.input).value
                sums_script().replay_at(module, function, use, {"N": size}, "row")
        elif len(maps) > 1 and _is_vector(maps[-1]):
            for dim, each in enumerate(reversed(maps)):
                mapped(each, pattern.MapGlobalOp, dim)


def _sum_columns_in_order(op: Operation, module: ModuleOp, function: FuncOp) -> None:
    """Replay the macro `columns` of `sums.deriv` at the sums of the columns of a large matrix."""
    program = function.body.block
    if not isinstance(op, pattern.MapOp) or not isinstance(op.input.owner, pattern.TransposeOp):
        return
    found, use = _only_sum([op], program), op.result.first_use
    if found is None or use is None or not _is_given(op.input.owner.input, program):
        return
    rows, columns = size_of(found.input).value, size_of(op.input)
    if not columns.is_constant or columns.value < _NARROW or rows * columns.value < LARGE:
        return
    best = 8 if columns.value >= 2048 else 16
    few = min((n for n in range(6, 17) if rows % n == 0), key=lambda n: abs(n - best), default=0)
    if few:
        sums_script().replay_at(module, function, use, {"N": rows, "C": few}, "columns")


def _is_vector(op: pattern.MapOp) -> bool:
    """Whether the results fill a vector, and a work-item has loops for each, unless a map inside is
    mapped already."""
    inside = [*op.body.walk()]
    loops = any(isinstance(inner, pattern.MapBase | pattern.ReduceBase) for inner in inside)
    mapped = any(isinstance(inner, pattern.ParallelMapBase) for inner in inside)
    return loops and not mapped and size_of(op.input).value >= _VECTOR


def _nested_maps(op: Operation, around: Block) -> list[pattern.MapOp]:
    """Maps of arrays as they are, from `op` inwards, each of which does nothing but the next one
    with what it is applied to; at most one for each dimension of an NDRange."""
    if not isinstance(op, pattern.MapOp) or not _is_given(op.input, around):
        return []
    if not size_of(op.input).is_constant:
        return []
    body, views = op.body.block, (pattern.ZipOp, pattern.JoinOp, pattern.YieldOp)
    others = [inner for inner in body.ops if not isinstance(inner, views)]
    inner = _nested_maps(others[0], body) if len(others) == 1 else []
    return [op, *inner] if len(inner) < 3 else []


def _by_groups(maps: Sequence[pattern.MapOp], rows: int) -> pattern.MapBase:
    """The maps as ones of groups: the innermost one has some of its elements in each group."""
    for dim, each in enumerate(reversed(maps[:-1]), 1):
        mapped(each, pattern.MapWorkgroupOp, dim)
    inner = maps[-1]
    if rows == 1:
        return mapped(inner, pattern.MapWorkgroupOp)
    count = rows if rows < 8 else next((n for n in ROWS if rows % n == 0), ROWS[0])
    use = inner.result.first_use
    assert use is not None
    if rows % count:
        inner, use = _applied("x.pad-map", inner, use, -rows % count)
    inner, _ = _applied("3c", inner, use, count)
    groups = mapped(inner, pattern.MapWorkgroupOp)
    (items,) = (op for op in groups.body.block.ops if isinstance(op, pattern.MapOp))
    mapped(items, pattern.MapLocalOp, 1)
    return groups


def _applied(rule: str, op: pattern.MapOp, use: Use, n: int) -> tuple[pattern.MapOp, Use]:
    """The map that a rule leaves, under a view, in the place of the map that is used by `use`; and
    its use."""
    RULES[rule].apply(op, PatternRewriter(op), n=nat(n))
    view = use.operation.operands[use.index].owner
    assert isinstance(view, pattern.TakeOp | pattern.JoinOp)
    new = view.input.owner
    assert isinstance(new, pattern.MapOp)
    return new, Use(view, 0)


def mapped(
    op: pattern.MapOp, kind: type[pattern.ParallelMapBase], dim: int = 0
) -> pattern.ParallelMapBase:
    """The map as one of another kind."""
    new = kind(op.input, op.detach_region(op.body), dim)
    new.location = op.location
    Rewriter.replace_op(op, new)
    return new


def _only_sum(maps: Sequence[pattern.MapOp], program: Block) -> pattern.ReduceOp | None:
    """The sum of a row, if the innermost function computes nothing else for many elements."""
    body = maps[-1].body.block
    sums = [inner for inner in body.ops if isinstance(inner, pattern.ReduceOp)]
    if len(sums) != 1 or not _is_free(sums[0]):
        return None
    terms = _terms(sums[0].input, [program, *(op.body.block for op in maps)])
    if terms is None:
        return None
    for inner in body.ops:
        if (
            inner in (sums[0], *terms)
            or isinstance(inner, pattern.YieldOp)
            or is_scalar_code(inner)
        ):
            continue
        is_one = isinstance(inner, pattern.MapOp) and size_of(inner.input) == nat(1)
        if not (is_one and all(map(is_scalar_code, _function(inner)))):
            return None
    return sums[0]


def _is_free(op: pattern.ReduceOp) -> bool:
    """Whether the elements are a known number of floats, which may be added in any order."""
    return (
        op.assoc is not None
        and op.comm is not None
        and all(isinstance(value.type, AnyFloat) for value in op.yielded)
        and is_neutral(op)
        and size_of(op.input).is_constant
    )


def _terms(value: SSAValue, around: Sequence[Block]) -> list[Operation] | None:
    """The patterns that compute the terms of a sum from arrays as they are; None, if others do."""
    match value.owner:
        case Block():
            is_flat = all(map(is_scalar, parts_of(element_of(value))))
            return [] if is_flat and value.owner in around else None
        case pattern.MapOp() as op if all(map(is_scalar_code, _function(op))):
            inputs = [op.input]
        case pattern.ZipOp() as op:
            inputs = list(op.operands)
        case _:
            return None
    found: list[Operation] = [op]
    for each in inputs:
        terms = _terms(each, around)
        if terms is None:
            return None
        found += terms
    return found


def _is_given(value: SSAValue, around: Block) -> bool:
    """Whether an array is parameters of the function, also with sums of its rows."""
    owner, row = value.owner, element_of(value)
    if isinstance(owner, pattern.ZipOp):
        return all(_is_given(each, around) for each in owner.operands)
    if isinstance(owner, Operation):
        return owner.parent is around and isinstance(row, ArrayType) and row.size == nat(1)
    return owner is around


def _function(op: Operation) -> list[Operation]:
    return [inner for inner in op.regions[0].block.ops if not isinstance(inner, pattern.YieldOp)]


def is_scalar_code(op: Operation) -> bool:
    """Whether it computes scalars from scalars, or reads one that has a number in an argument."""
    if isinstance(op, pattern.AtOp):
        return isinstance(op.input.owner, Block) and isinstance(op.index.owner, arith.ConstantOp)
    return op.dialect_name() in ("arith", "math") and not op.regions
