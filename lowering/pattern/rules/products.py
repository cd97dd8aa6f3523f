"""Products of the rows of two matrices, A Bᵀ, where a program does not choose: B is transposed."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

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
    So the rest is as for a product A B. The order in which f reads its row stays.
    """
    block = function.body.block
    for op in list(block.ops):
        if not isinstance(op, pattern.MapOp) or (inner := _inner_map(op)) is None:
            continue
        matrix = _untransposed(inner.input)
        if _is_in_memory(matrix, block) and _reduces_rows(inner) and _pays(op.input, matrix):
            inner.operands[0] = _in_columns(matrix, Builder(InsertPoint.before(op)))


def _inner_map(op: pattern.MapOp) -> pattern.MapOp | None:
    """The map that is all that the function of `op` does but for views."""
    views = (pattern.ZipOp, pattern.JoinOp, pattern.TransposeOp, pattern.YieldOp)
    others = [inner for inner in op.body.block.ops if not isinstance(inner, views)]
    (only,) = others if len(others) == 1 else (None,)
    return only if isinstance(only, pattern.MapOp) else None


def _untransposed(value: SSAValue) -> SSAValue:
    """The matrix of which a value is the transposed of the transposed, or that it is."""
    while isinstance(value.owner, pattern.TransposeOp):
        once = value.owner.input.owner
        if not isinstance(once, pattern.TransposeOp):
            break
        value = once.input
    return value


def _is_in_memory(matrix: SSAValue, program: Block) -> bool:
    """Whether it is a parameter or computed once for all, in rows of scalars."""
    owner = matrix.owner
    if owner is not program and not (
        isinstance(owner, pattern.MapBase) and owner.parent is program
    ):
        return False
    rows = element_of(matrix)
    return isinstance(rows, ArrayType) and all(map(is_scalar, parts_of(rows.element_type)))


def _reduces_rows(op: pattern.MapOp) -> bool:
    body = op.body.block
    reduces = any(isinstance(each, pattern.ReduceOp) for each in body.ops)
    return reduces and all(isinstance(use.operation, _ALONG) for use in body.args[0].uses)


def _pays(left: SSAValue, matrix: SSAValue) -> bool:
    """Whether the sizes are numbers for which the copy takes less time than it saves."""
    row = element_of(matrix)
    assert isinstance(row, ArrayType)
    count, rows, columns = size_of(left), size_of(matrix), row.size
    if not (count.is_constant and rows.is_constant and columns.is_constant):
        return False
    is_large = rows.value * columns.value > LARGE
    return rows.value >= _VECTOR and count.value >= (FEW if is_large else 2)


def _in_columns(matrix: SSAValue, b: Builder) -> SSAValue:
    """The same matrix as the columns of one that a kernel writes."""
    columns = b.insert(pattern.TransposeOp(matrix)).result

    def copy(b: Builder, column: SSAValue) -> SSAValue:
        same = make_lambda([element_of(column)], lambda _, value: value)
        return b.insert(pattern.MapGlobalOp(column, same)).result

    body = make_lambda([element_of(columns)], copy)
    return b.insert(
        pattern.TransposeOp(b.insert(pattern.MapGlobalOp(columns, body, 1)).result)
    ).result
