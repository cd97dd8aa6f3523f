"""Numbers that count the arguments of kernels, where it is known how far they are.

    int n = 0; set_argument(k, n++, a); set_argument(k, n++, b);
    =>
    int n = 0; set_argument(k, 0, a); n = 1; set_argument(k, 1, b); n = 2;

Statements are followed in the order in which they run; behind branches and loops a number is known
where all ways agree.
"""

from __future__ import annotations

from collections.abc import Iterable

from polycl.frontends.host.calls import PREFIX
from polycl.frontends.host.folding import folded
from polycl.frontends.host.rewriting import addressed, change_parts, expressions_in, write
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.constants import fold_binary, fold_cast
from polycl.frontends.opencl_c.effects import bodies_of, expressions_of, walk, walk_statements
from polycl.frontends.opencl_c.jumps import Label
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import Kind

_Known = dict[Variable, Const]


def follow_counters(body: list[Stmt]) -> list[Stmt]:
    """The statements with constants for what counts arguments."""
    counters = _counters(body)
    return _Follower(counters).list(body, {}) if counters else body


def _counters(body: list[Stmt]) -> set[Variable]:
    """The variables that indices of arguments are computed from, but those in memory."""
    indices = [
        call.arguments[1]
        for call in expressions_in(body)
        if isinstance(call, BuiltinCall) and call.name == f"{PREFIX}set_argument"
    ]
    found = _read(indices)
    while True:
        more = _read(value for variable, value in _values(body) if variable in found)
        if more <= found:
            break
        found |= more
    return found - addressed(body)


def _read(expressions: Iterable[Expr]) -> set[Variable]:
    return {
        node.variable
        for expr in expressions
        for node in walk(expr)
        if isinstance(node, tree.VarRef) and node.variable.type.kind is Kind.INT
    }


def _values(body: list[Stmt]) -> Iterable[tuple[Variable, Expr]]:
    for statement in walk_statements(body):
        if isinstance(statement, tree.Declare) and statement.initializer is not None:
            yield statement.variable, statement.initializer
    for expr in expressions_in(body):
        if isinstance(expr, tree.Assign) and isinstance(expr.place, tree.VarRef):
            yield expr.place.variable, expr.value


class _Follower:
    def __init__(self, counters: set[Variable]):
        self.counters = counters

    def list(self, statements: list[Stmt], known: _Known) -> list[Stmt]:
        """The statements changed; `known` becomes what is known behind them."""
        out: list[Stmt] = []
        for statement in statements:
            out += self._statement(statement, known)
        return out

    def _statement(self, statement: Stmt, known: _Known) -> list[Stmt]:
        match statement:
            case tree.Declare(variable=variable, initializer=value):
                moved = self._parts(statement, known)
                if variable in self.counters:
                    self._give(variable, statement.initializer if value else None, known)
                return [statement, *moved]
            case tree.Evaluate() | tree.Return():
                return [statement, *self._parts(statement, known)]
            case Label():
                # From where it is jumped to is not followed.
                known.clear()
            case tree.If():
                moved = self._parts(statement, known)
                ways = [dict(known), dict(known)]
                statement.then = [*moved, *self.list(statement.then, ways[0])]
                statement.otherwise = [*moved, *self.list(statement.otherwise, ways[1])]
                self._join(known, ways)
            case tree.Block():
                statement.body = self.list(statement.body, known)
            case _:
                self._forget(self._written([statement]), known)
                for inner in bodies_of(statement):
                    inner[:] = self.list(inner, dict(known))
        return [statement]

    def _parts(self, statement: Stmt, known: _Known) -> list[Stmt]:
        """Change what a statement evaluates; the numbers that it moves on are set behind it."""
        expressions = expressions_of(statement)
        if any(self._may_skip(expr) for expr in expressions):
            self._forget(self._written([statement]), known)
            return []
        before = dict(known)
        change_parts(statement, lambda expr: self._expr(expr, known))
        return [
            write(variable, value)
            for variable, value in known.items()
            if before.get(variable) is not value and not _sets(statement, variable)
        ]

    def _may_skip(self, expr: Expr) -> bool:
        """Whether a counter is moved in a part that is perhaps not evaluated."""
        return any(
            isinstance(node, tree.Conditional | tree.Logical) and self._moved(node)
            for node in walk(expr)
        )

    def _moved(self, expr: Expr) -> set[Variable]:
        return {
            node.place.variable
            for node in walk(expr)
            if isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment)
            and isinstance(node.place, tree.VarRef)
            and node.place.variable in self.counters
        }

    def _expr(self, expr: Expr, known: _Known) -> Expr:
        """The expression with constants; `known` becomes what is known behind it."""
        match expr:
            case tree.Increment(place=tree.VarRef(variable=variable)) if variable in known:
                old = known[variable]
                new = fold_cast(Const(expr.location, old.type, old.value + expr.delta), old.type)
                assert isinstance(new, Const)
                known[variable] = new
                return new if expr.prefix else Const(expr.location, old.type, old.value)
            case tree.Load(place=tree.VarRef(variable=variable)):
                return known.get(variable, expr)
        change_parts(expr, lambda part: self._expr(part, known))
        expr = folded(_as_assignment(expr, known))
        match expr:
            case tree.Assign(place=tree.VarRef(variable=variable)) if variable in self.counters:
                self._give(variable, expr.value, known)
            case (
                tree.CompoundAssign(place=tree.VarRef(variable=variable))
                | tree.Increment(place=tree.VarRef(variable=variable))
            ):
                known.pop(variable, None)
        return expr

    def _give(self, variable: Variable, value: Expr | None, known: _Known) -> None:
        found = None if value is None else fold_cast(value, variable.type)
        if isinstance(found, Const):
            known[variable] = found
        else:
            known.pop(variable, None)

    def _written(self, statements: list[Stmt]) -> set[Variable]:
        declared = {s.variable for s in walk_statements(statements) if isinstance(s, tree.Declare)}
        return declared.union(
            *(self._moved(e) for s in walk_statements(statements) for e in expressions_of(s))
        )

    def _forget(self, variables: set[Variable], known: _Known) -> None:
        for variable in variables:
            known.pop(variable, None)

    def _join(self, known: _Known, ways: list[_Known]) -> None:
        known.clear()
        first, second = ways
        known.update((v, c) for v, c in first.items() if v in second and second[v].value == c.value)


def _as_assignment(expr: Expr, known: _Known) -> Expr:
    """`n += 2` with what it gives, where that is known."""
    where, type = expr.location, expr.type
    match expr:
        case tree.CompoundAssign(op=op, place=tree.VarRef(variable=variable), value=Const()) if (
            old := fold_cast(known[variable], expr.compute) if variable in known else None
        ):
            new = fold_binary(op, old, expr.value, expr.compute)
            value = None if new is None else fold_cast(new, expr.type)
            return expr if value is None else tree.Assign(where, type, expr.place, value)
        case _:
            return expr


def _sets(statement: Stmt, variable: Variable) -> bool:
    """Whether the statement still gives the variable its value itself."""
    if isinstance(statement, tree.Declare) and statement.variable is variable:
        return True
    return any(
        isinstance(node, tree.Assign)
        and isinstance(node.place, tree.VarRef)
        and node.place.variable is variable
        for expr in expressions_of(statement)
        for node in walk(expr)
    )
