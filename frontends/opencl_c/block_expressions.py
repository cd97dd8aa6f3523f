"""Statement expressions, `({ ...; value; })`, and the variables that expressions make.

Declarations and expressions in the block become a chain of commas in their place. A block with
loops or branches moves before the statement that contains it: C leaves the order of operands open,
so this is allowed wherever the expression is always evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from clang.cindex import Cursor

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import VOID, CType


class _Variables(Protocol):
    variables: dict[tuple[int, int], Variable]


class BlockExpressions:
    """The statement expressions of one function."""

    def __init__(self, owner: _Variables):
        self.owner = owner
        self.read_body: Callable[[Cursor], list[Stmt]] = lambda cursor: []
        """Reads the statements of a block; set by the reader of statements."""
        self.made: list[Variable] = []
        """Variables that no statement declares, and that may need memory."""
        self._before: list[Stmt] | None = None

    @contextmanager
    def before_statement(self) -> Iterator[list[Stmt]]:
        """Within it, statements may move to the list, which runs first."""
        outer, self._before = self._before, []
        try:
            yield self._before
        finally:
            self._before = outer

    @contextmanager
    def under_condition(self) -> Iterator[None]:
        """Within it, an expression is evaluated conditionally or repeatedly: nothing moves."""
        outer, self._before = self._before, None
        try:
            yield
        finally:
            self._before = outer

    def temporary(self, type: CType, where: Location) -> Variable:
        """A new variable for the value of an expression."""
        number = len(self.owner.variables)
        variable = Variable("value", type, number, where, in_memory=type.needs_memory)
        self.owner.variables[(-1, number)] = variable
        self.made.append(variable)
        return variable

    def read(self, block: Cursor, where: Location) -> Expr:
        """The value of a statement expression: that of its last statement, or void."""
        with self.under_condition():
            statements = self.read_body(block)
        last = statements.pop() if statements else None
        value = last.expr if isinstance(last, tree.Evaluate) else None
        if last is not None and value is None:
            statements.append(last)
        if value is None:
            value = tree.Cast(where, VOID, tree.Const(where, VOID, 0))
        elif tree.is_place(value):
            value = tree.Load(value.location, value.type, value)
        if all(_is_simple(statement) for statement in statements):
            return self._chain(statements, value, where)
        if self._before is None:
            raise UnsupportedError(
                "a statement expression with loops or branches in it is not supported where it "
                "may not be evaluated or in a loop's head; move it in front of the statement",
                *where,
            )
        self._before += statements
        if value.type is VOID:
            return value
        variable = self.temporary(value.type, where)
        self._before.append(tree.Declare(where, variable, value))
        return tree.read(variable, where)

    def _chain(self, statements: list[Stmt], value: Expr, where: Location) -> Expr:
        parts: list[Expr] = []
        for statement in statements:
            if isinstance(statement, tree.Evaluate):
                parts.append(statement.expr)
            elif isinstance(statement, tree.Declare):
                self.made.append(statement.variable)
                if (first := statement.initializer) is not None:
                    parts.append(tree.assignment(statement.variable, first, first.location))
        for part in reversed(parts):
            value = tree.Comma(where, value.type, part, value)
        return value


def _is_simple(statement: Stmt) -> bool:
    match statement:
        case tree.Evaluate():
            return True
        case tree.Declare(variable=variable, initializer=initializer):
            return initializer is None or not variable.type.needs_memory
        case _:
            return False
