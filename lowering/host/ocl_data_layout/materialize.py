"""Code that computes an index polynomial."""

from __future__ import annotations

from functools import reduce

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.host.host_index import QUERIES, Indices, is_query
from polycl.analysis.ocl.index_expr import Atom, Expr, Monomial
from polycl.dialects import ocl
from polycl.lowering.build import Build

_QUERY_OF = {kind: op for op, kind in QUERIES.items()}


def dominates(value: SSAValue, op: Operation) -> bool:
    """Whether `value` is computed before `op` in this block or one around it."""
    block = value.owner if isinstance(value, BlockArgument) else value.owner.parent
    if block is None:
        return False
    inner: Operation | None = op
    while inner is not None and inner.parent is not block:
        inner = inner.parent_op()
    if inner is None:
        return False
    if isinstance(value, BlockArgument):
        return True
    assert isinstance(value.owner, Operation)
    return value.owner is not inner and value.owner.is_before_in_block(inner)


class Materializer(Build):
    """Makes values for polynomials, before one operation, of type index or i32.

    Existing values are reused. Queries of ids and sizes are repeated if the existing value does not
    dominate the operation.
    """

    def __init__(
        self, indices: Indices, before: Operation, type: IndexType | IntegerType | None = None
    ):
        super().__init__(before)
        self.values = indices.values
        self.before = before
        self.type = type or IndexType()
        self.there = indices.values_of

    def can(self, expr: Expr) -> bool:
        """Whether all variables of it are available."""
        return all(isinstance(atom, str) and self._is_there(atom) for atom in expr.atoms)

    def _is_there(self, name: str) -> bool:
        value = self.values.get(name)
        return is_query(name) or (value is not None and dominates(value, self.before))

    def value(self, expr: Expr) -> SSAValue:
        """A value for `expr`; the terms are added from the last to the first."""
        for value in self.there(expr):
            if value.type == self.type and dominates(value, self.before):
                return value
        terms = reversed(expr.terms)
        return self.linear(((self._product(atoms), factor) for atoms, factor in terms), self.type)

    def _product(self, monomial: Monomial) -> SSAValue | None:
        atoms = [self._atom(atom) for atom in monomial]
        return reduce(self.mul, atoms) if atoms else None

    def _atom(self, atom: Atom) -> SSAValue:
        assert isinstance(atom, str)
        value = self.values.get(atom)
        if value is None or not dominates(value, self.before):
            query = _QUERY_OF[atom[:-1]]
            made = query(int(atom[-1]))  # pyright: ignore[reportCallIssue]
            return self._cast(self.emit(made))
        return self._cast(value)

    def _cast(self, value: SSAValue) -> SSAValue:
        if value.type == self.type:
            return value
        if isinstance(self.type, IntegerType) and isinstance(value.type, IntegerType):
            return self.cast(arith.TruncIOp, value, self.type)
        if isinstance(value, BlockArgument) and isinstance(self.type, IndexType):
            if value.block.parent_op() is _function(self.before):
                return _cast_argument(value)
        return self.index_cast(value, self.type)


def _function(op: Operation) -> Operation:
    while not isinstance(op, ocl.KernelLike) and (parent := op.parent_op()) is not None:
        op = parent
    return op


def _cast_argument(value: BlockArgument) -> SSAValue:
    """An argument as an index: the cast that begins the function, or a new one there."""
    block: Block = value.block
    for op in block.ops:
        if isinstance(op, arith.IndexCastOp) and op.input is value:
            return op.result
        if not isinstance(op, arith.IndexCastOp):
            break
    cast = arith.IndexCastOp(value, IndexType())
    cast.result.name_hint = value.name_hint
    assert block.first_op is not None
    Rewriter.insert_op(cast, InsertPoint.at_start(block))
    return cast.result
