"""Products of the rows of two matrices, A Bᵀ, where a program does not choose: B is transposed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import pattern
from polycl.dialects.pattern import ArrayType
from polycl.dialects.pattern.types import is_scalar, parts_of
from polycl.lowering.pattern.rules.build import element_of, make_lambda, size_of

FEW = 16
"""Rows of A, which read B from memory faster than it is copied there."""

LARGE = 1 << 22
"""Elements of a B that no cache holds."""

_VECTOR = 16
"""Rows of B that fill a vector."""

_ALONG = (pattern.ZipOp, pattern.MapOp, pattern.ReduceOp)
"""Patterns that read all elements of a row in order."""


def transpose_right_matrices(function: FuncOp) -> None:
    r"""Copy B into columns in `map(\a: map(f(a)) B) A`, where f reduces what it reads along a row.

    Neighbours compute f for rows of B, and what they read at a time lies side by side in the copy.
    So the rest is as for a product A B. The order in which f reads its row stays. Maps may be
    around, as of a batch: then B is the same for all, or each of the outermost map has its own.
    """
    block = function.body.block
    for op in list(block.ops):
        maps = _nest(op) if isinstance(op, pattern.MapOp | pattern.MapGlobalOp) else []
        if len(maps) < 2 or not _reduces_rows(maps[-1]):
            continue
        matrix = _untransposed(maps[-1].input)
        b = Builder(InsertPoint.before(op))
        if _is_in_memory(matrix, block) and _pays(maps[:-1], matrix):
            copied = _in_columns(matrix, b)
            maps[-1].operands[0] = b.insert(pattern.TransposeOp(copied)).result
        elif matrix.owner is maps[0].body.block and _pays(maps[1:-1], matrix):
            _transpose_each(maps[0], matrix, block, b)


def _nest(op: pattern.MapBase) -> list[pattern.MapBase]:
    """Maps from `op` inwards, each of which does nothing but the next one and views."""
    views = (pattern.ZipOp, pattern.JoinOp, pattern.TransposeOp, pattern.YieldOp)
    others = [inner for inner in op.body.block.ops if not isinstance(inner, views)]
    (only,) = others if len(others) == 1 else (None,)
    is_map = isinstance(only, pattern.MapOp | pattern.MapGlobalOp)
    return [op, *_nest(only)] if is_map else [op]


def _untransposed(value: SSAValue) -> SSAValue:
    """The matrix of which a value is the transposed of the transposed, or that it is."""
    while isinstance(value.owner, pattern.TransposeOp):
        once = value.owner.input.owner
        if not isinstance(once, pattern.TransposeOp):
            break
        value = once.input
    return value


def _is_in_memory(array: SSAValue, program: Block) -> bool:
    """Whether it is a parameter or computed once for all."""
    owner = array.owner
    return owner is program or (isinstance(owner, pattern.MapBase) and owner.parent is program)


def _reduces_rows(op: pattern.MapBase) -> bool:
    body = op.body.block
    reduces = any(isinstance(each, pattern.ReduceOp) for each in body.ops)
    return reduces and all(isinstance(use.operation, _ALONG) for use in body.args[0].uses)


def _pays(around: Sequence[pattern.MapBase], matrix: SSAValue) -> bool:
    """Whether the copy of a matrix of scalars, for what `around` computes, saves more time than it
    takes; the sizes are numbers then."""
    row = element_of(matrix)
    if not (isinstance(row, ArrayType) and all(map(is_scalar, parts_of(row.element_type)))):
        return False
    sizes = [size_of(matrix), row.size, *(size_of(op.input) for op in around)]
    if not all(size.is_constant for size in sizes):
        return False
    rows, columns, *counts = (size.value for size in sizes)
    least = FEW if rows * columns > LARGE else 2
    return rows >= _VECTOR and math.prod(counts) >= least


def _transpose_each(op: pattern.MapBase, matrix: SSAValue, program: Block, b: Builder) -> None:
    """Copy each matrix of an array of which `op` reads one at a time."""
    assert isinstance(matrix, BlockArgument)
    source, zipped = op.input, op.input.owner
    if isinstance(zipped, pattern.ZipOp) and len(op.body.block.args) > 1:
        source = zipped.inputs[matrix.index]
    if not _is_in_memory(source, program) or not matrix.has_one_use():
        return

    def each(b: Builder, matrix: SSAValue) -> SSAValue:
        return _in_columns(matrix, b)

    body = make_lambda([element_of(source)], each)
    copied = b.insert(pattern.MapGlobalOp(source, body, 2)).result
    if source is op.input:
        op.operands[0] = copied
    else:
        assert isinstance(zipped, pattern.ZipOp)
        inputs = [copied if i == matrix.index else each for i, each in enumerate(zipped.inputs)]
        op.operands[0] = b.insert(pattern.ZipOp(*inputs)).result
    columns = Rewriter.replace_value_with_new_type(matrix, element_of(copied))
    inside = Builder(InsertPoint.at_start(op.body.block))
    rows = inside.insert(pattern.TransposeOp(columns))
    columns.replace_uses_with_if(rows.result, lambda use: use.operation is not rows)


def _in_columns(matrix: SSAValue, b: Builder) -> SSAValue:
    """The transposed matrix, written by a kernel."""
    columns = b.insert(pattern.TransposeOp(matrix)).result

    def copy(b: Builder, column: SSAValue) -> SSAValue:
        same = make_lambda([element_of(column)], lambda _, value: value)
        return b.insert(pattern.MapGlobalOp(column, same)).result

    return b.insert(
        pattern.MapGlobalOp(columns, make_lambda([element_of(columns)], copy), 1)
    ).result
