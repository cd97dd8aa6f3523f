"""Code that computes an index polynomial."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.host.host_index import QUERIES, Indices, is_query
from polycl.analysis.ocl.index_expr import Atom, Expr, Monomial
from polycl.dialects import ocl

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


class Materializer:
    """Makes values for polynomials, before one operation, of type index or i32.

    Existing values are reused. Queries of ids and sizes are repeated if the existing value does not
    dominate the operation.
    """

    def __init__(
        self, indices: Indices, before: Operation, type: IndexType | IntegerType | None = None
    ):
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
        total: SSAValue | None = None
        for monomial, coefficient in reversed(expr.terms):
            term = self._product(monomial, abs(coefficient))
            if total is None and coefficient > 0:
                total = term
            elif coefficient > 0:
                assert total is not None
                total = self._insert(arith.AddiOp(total, term, self.type))
            else:
                total = self._number(0) if total is None else total
                total = self._insert(arith.SubiOp(total, term, self.type))
        return self._number(0) if total is None else total

    def _product(self, monomial: Monomial, coefficient: int) -> SSAValue:
        factors = [self._atom(atom) for atom in monomial]
        if coefficient != 1 or not factors:
            factors.append(self._number(coefficient))
        result = factors[0]
        for factor in factors[1:]:
            result = self._insert(arith.MuliOp(result, factor, self.type))
        return result

    def _atom(self, atom: Atom) -> SSAValue:
        assert isinstance(atom, str)
        value = self.values.get(atom)
        if value is None or not dominates(value, self.before):
            query = _QUERY_OF[atom[:-1]]
            made = query(int(atom[-1]))  # pyright: ignore[reportCallIssue]
            return self._cast(self._insert(made))
        return self._cast(value)

    def _cast(self, value: SSAValue) -> SSAValue:
        if value.type == self.type:
            return value
        if isinstance(self.type, IntegerType):
            if isinstance(value.type, IntegerType):
                return self._insert(arith.TruncIOp(value, self.type))
            return self._insert(arith.IndexCastOp(value, self.type))
        if isinstance(value, BlockArgument) and value.block.parent_op() is _function(self.before):
            return _cast_argument(value)
        return self._insert(arith.IndexCastOp(value, self.type))

    def sum(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Both together."""
        return self._insert(arith.AddiOp(a, b, self.type))

    def product(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """One times the other."""
        return self._insert(arith.MuliOp(a, b, self.type))

    def _number(self, number: int) -> SSAValue:
        return self._insert(arith.ConstantOp(IntegerAttr(number, self.type)))

    def _insert(self, op: Operation) -> SSAValue:
        op.location = self.before.location
        Rewriter.insert_op(op, InsertPoint.before(self.before))
        return op.results[0]


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
