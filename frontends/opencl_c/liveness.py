"""Which variables are still needed behind each `if` and loop: only those become results.

Works on the structured tree (no break, continue, return or switch), backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import (
    assigned_variable,
    bodies_of,
    used,
    written_here,
)
from polycl.frontends.opencl_c.tree import Expr, Stmt, Variable

_Live = set[Variable]


@dataclass
class Liveness:
    """`behind[id(s)]`: variables needed after `s`; `at_head[id(s)]`: at the start of each turn."""

    behind: dict[int, _Live] = field(default_factory=dict)
    at_head: dict[int, _Live] = field(default_factory=dict)
    at_body: dict[int, _Live] = field(default_factory=dict)
    """Of a `while`: the variables needed behind its condition, when it goes on."""

    _asked: dict[int, _Live] = field(default_factory=dict)
    _written: dict[int, _Live] = field(default_factory=dict)

    def written(self, statements: list[Stmt]) -> _Live:
        """The variables that the statements assign, those inside them included."""
        found: _Live = set()
        for statement in statements:
            if id(statement) not in self._written:
                inner = [self.written(body) for body in bodies_of(statement)]
                self._written[id(statement)] = written_here(statement).union(*inner)
            found |= self._written[id(statement)]
        return found

    def before(self, statements: list[Stmt], live: _Live) -> _Live:
        """The variables needed before the statements, given those needed behind them."""
        for statement in reversed(statements):
            live = self._before(statement, live)
        return live

    def _before(self, statement: Stmt, live: _Live) -> _Live:
        self.behind[id(statement)] = live
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
                # `step` has moved into the body by now.
                return self._loop(
                    statement, live, lambda head: self._while_turn(statement, live, head)
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

    def _while_turn(self, loop: tree.While, live: _Live, head: _Live) -> _Live:
        body = self.before(loop.body, head)
        self.at_body[id(loop)] = body
        return live | body | _uses([loop.condition])

    def _loop(self, statement: Stmt, live: _Live, turn: Callable[[_Live], _Live]) -> _Live:
        # The same question as last time has the same answer: nested loops ask it often.
        asked = self._asked.get(id(statement))
        if asked == live:
            return self.at_head[id(statement)]
        self._asked[id(statement)] = live
        head = self.at_head.get(id(statement), set())
        while True:
            grown = head | turn(head)
            if grown == head:
                break
            head = grown
        self.at_head[id(statement)] = head
        return head


def _uses(expressions: Iterable[Expr | None]) -> _Live:
    return {variable for expr in expressions if expr is not None for variable in used(expr)}
