"""The variables that are live after each `if` and loop: only these become results.

A backward analysis of the structured tree (no break, continue, return or switch).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import assigned_variable, bodies_of, used, written_here
from polycl.frontends.opencl_c.tree import Expr, Stmt, Variable

_Live = set[Variable]


@dataclass
class Liveness:
    """The variables that are live `after[id(s)]` a statement, and `at_head[id(s)]` of a loop."""

    after: dict[int, _Live] = field(default_factory=dict)
    at_head: dict[int, _Live] = field(default_factory=dict)
    at_body: dict[int, _Live] = field(default_factory=dict)
    """Of a `while`: the variables that are live where its body starts."""

    _asked: dict[int, _Live] = field(default_factory=dict)
    _written: dict[int, _Live] = field(default_factory=dict)

    def written(self, statements: list[Stmt]) -> _Live:
        """The variables that the statements and their inner statements assign."""
        found: _Live = set()
        for statement in statements:
            if id(statement) not in self._written:
                inner = [self.written(body) for body in bodies_of(statement)]
                self._written[id(statement)] = written_here(statement).union(*inner)
            found |= self._written[id(statement)]
        return found

    def before(self, statements: list[Stmt], live: _Live) -> _Live:
        """The variables that are live before the statements, from those that are live after."""
        for statement in reversed(statements):
            live = self._before(statement, live)
        return live

    def _before(self, statement: Stmt, live: _Live) -> _Live:
        self.after[id(statement)] = live
        match statement:
            case tree.Evaluate(expr=expr):
                killed = assigned_variable(expr)
                is_whole = isinstance(expr, tree.Assign) and isinstance(expr.place, tree.VarRef)
                return (live - {killed} if is_whole else live) | used(expr)
            case tree.Declare(variable=variable, initializer=initializer):
                return (live - {variable}) | _uses([initializer])
            case tree.If():
                then = self.before(statement.then, live)
                return then | self.before(statement.otherwise, live) | used(statement.condition)
            case tree.While():
                # `structure` has moved `step` into the body.
                return self._loop(
                    statement, live, lambda head: self._while_head(statement, live, head)
                )
            case tree.DoWhile():
                uses = used(statement.condition)
                return self._loop(
                    statement, live, lambda head: self.before(statement.body, live | head | uses)
                )
            case tree.CountedLoop():
                uses = used(statement.bound) | used(statement.step) | {statement.variable}
                return self._loop(
                    statement, live, lambda head: live | uses | self.before(statement.body, head)
                )
            case tree.Block():
                return self.before(statement.body, live)
            case _:
                raise AssertionError(f"{statement} in a structured tree")

    def _while_head(self, loop: tree.While, live: _Live, head: _Live) -> _Live:
        body = self.before(loop.body, head)
        self.at_body[id(loop)] = body
        return live | body | _uses([loop.condition])

    def _loop(self, statement: Stmt, live: _Live, before: Callable[[_Live], _Live]) -> _Live:
        # Each iteration over an outer loop repeats the question.
        if self._asked.get(id(statement)) == live:
            return self.at_head[id(statement)]
        self._asked[id(statement)] = live
        head = self.at_head.get(id(statement), set())
        while True:
            grown = head | before(head)
            if grown == head:
                break
            head = grown
        self.at_head[id(statement)] = head
        return head


def _uses(expressions: Iterable[Expr | None]) -> _Live:
    return {variable for expr in expressions if expr is not None for variable in used(expr)}
