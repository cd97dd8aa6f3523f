"""Removes break, continue, return and switch from a function's tree.

The result has only if and loops with one entry and one exit, as in `scf`. Where a branch of an
`if` always leaves, the following code becomes the other branch:

    if (c) return; rest      =>      if (c) {} else { rest }

A `break` that an endless loop begins with is its condition:

    for (;;) { if (c) break; rest }      =>      while (!c) { rest }

Other code after a statement that may leave is guarded by `if (!flag)`, and the jump sets the flag.
No statement is ever duplicated, so that a barrier remains one barrier. Flags that are never read
are removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.counted import Definitions, counted_do, counted_loop, start_of
from polycl.frontends.opencl_c.effects import (
    always_exits,
    assigned,
    exits,
    exits_of,
    has_effects,
    used,
)
from polycl.frontends.opencl_c.jumps import Label
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.switches import lower_switch
from polycl.frontends.opencl_c.tree import Const, Expr, Function, Stmt, Variable
from polycl.frontends.opencl_c.types import BOOL, INT, CType, Kind, bytes_of

_PAIRS = (("<", ">="), ("<=", ">"), ("==", "!="))
_OPPOSITES = {a: b for x, y in _PAIRS for a, b in ((x, y), (y, x))}


@dataclass(frozen=True)
class _Flags:
    """The flags that break, continue and return set in the present loop."""

    returned: Variable
    broken: Variable | None = None
    skipped: Variable | None = None

    def of(self, exits: set[str]) -> list[Variable]:
        named = {"break": self.broken, "continue": self.skipped, "return": self.returned}
        return [flag for name, flag in named.items() if name in exits and flag is not None]


def structure(function: Function, numbers: Iterator[int]) -> Variable | None:
    """Rewrite `function.body` in place; returns the variable that holds its result, if any.

    `numbers` are for new variables.
    """
    return _Structurer(function, numbers).run()


def result_variable(function: Function, number: int) -> Variable | None:
    """A variable for the result of a function that has one."""
    if function.result.kind is Kind.VOID:
        return None
    type = function.result
    if type.kind is Kind.UNION:
        # The bytes of a union can be an SSA value, the union cannot.
        value = bytes_of(type)
        type = CType(Kind.STRUCT, value, value, type.spelling)
    return Variable("result", type, number, function.location)


class _Structurer:
    def __init__(self, function: Function, numbers: Iterator[int]):
        self.function = function
        self.numbers = numbers
        self.read_flags: set[Variable] = set()
        self.flags: set[Variable] = set()
        self.definitions = Definitions(function.body)
        self.result = result_variable(function, next(numbers))

    def run(self) -> Variable | None:
        where = self.function.location
        returned = self._flag("return", where)
        body = self._list(self.function.body, _Flags(returned))
        self.function.body = self._without_unread(self._declared(returned, where) + body)
        return self.result

    def _variable(self, name: str, type: CType, where: Location) -> Variable:
        return Variable(name, type, next(self.numbers), where)

    def _flag(self, name: str, where: Location) -> Variable:
        flag = self._variable(name, BOOL, where)
        self.flags.add(flag)
        return flag

    def _declared(self, flag: Variable, where: Location) -> list[Stmt]:
        return [tree.Declare(where, flag, Const(where, BOOL, 0))]

    def _list(self, statements: list[Stmt], flags: _Flags) -> list[Stmt]:
        out: list[Stmt] = []
        for place, statement in enumerate(statements):
            rest = statements[place + 1 :]
            where = statement.location
            match statement:
                case tree.Block(body=body):
                    return out + self._list([*body, *rest], flags)
                case tree.Break() if flags.broken is not None:
                    return [*out, _set(flags.broken, where)]
                case tree.Continue() if flags.skipped is not None:
                    return [*out, _set(flags.skipped, where)]
                case Label():
                    # Functions with a goto are not structured.
                    continue
                case tree.Return(value=value):
                    if value is not None and self.result is not None:
                        value = tree.assignment(self.result, value, where)
                    if value is not None:
                        out.append(tree.Evaluate(where, value))
                    return [*out, _set(flags.returned, where)]
                case tree.If() if always_exits(statement.then):
                    return [*out, self._if(statement, [], rest, flags)]
                case tree.If() if always_exits(statement.otherwise):
                    return [*out, self._if(statement, rest, [], flags)]
                case tree.If():
                    out.append(self._if(statement, [], [], flags))
                case tree.While() | tree.DoWhile():
                    out += self._loop(statement, flags, out)
                case tree.Switch():
                    out += self._switch(statement, flags)
                case _:
                    out.append(statement)
            left = flags.of(exits(statement))
            if left and rest:
                guarded = self._list(rest, flags)
                return [*out, tree.If(where, self._none_of(left, where), guarded)]
        return out

    def _if(
        self, statement: tree.If, after_then: list[Stmt], after_else: list[Stmt], flags: _Flags
    ) -> Stmt:
        then = self._list([*statement.then, *after_then], flags)
        otherwise = self._list([*statement.otherwise, *after_else], flags)
        return tree.If(statement.location, statement.condition, then, otherwise)

    def _loop(
        self, loop: tree.While | tree.DoWhile, outer: _Flags, before: list[Stmt]
    ) -> list[Stmt]:
        where = loop.location
        if isinstance(loop, tree.DoWhile) and _is_true(loop.condition):
            loop = tree.While(where, None, loop.body, None, loop.unroll)
        if isinstance(loop, tree.While):
            loop = _without_first_break(loop)
        inner = _Flags(outer.returned, self._flag("break", where), self._flag("continue", where))
        assert inner.broken is not None and inner.skipped is not None
        stops = inner.of(exits_of(loop.body) - {"continue"})
        body = self._declared(inner.skipped, where) + self._list(loop.body, inner)
        if not stops and isinstance(loop, tree.While):
            counted = counted_loop(loop, body, before, self.definitions)
            if counted is not None:
                return [counted]
            counted_down = self._counted_down(loop, body, before)
            if counted_down is not None:
                return counted_down
        if not stops and isinstance(loop, tree.DoWhile):
            counted = counted_do(loop, body, before, self.definitions)
            if counted is not None:
                return [counted]
        condition = loop.condition
        if stops:
            running = self._none_of(stops, where)
            if condition is None or _is_true(condition):
                condition = running
            else:
                condition = tree.Logical(where, INT, "&&", running, condition)
        before_loop = self._declared(inner.broken, where)
        if isinstance(loop, tree.DoWhile):
            assert condition is not None
            return [*before_loop, tree.DoWhile(where, body, condition, loop.unroll)]
        if loop.step is not None:
            step: Stmt = tree.Evaluate(loop.step.location, loop.step)
            if stops:
                step = tree.If(where, self._none_of(stops, where), [step])
            body = [*body, step]
        return [*before_loop, tree.While(where, condition, body, unroll=loop.unroll)]

    def _counted_down(
        self, loop: tree.While, body: list[Stmt], before: list[Stmt]
    ) -> list[Stmt] | None:
        """`while (i-- > n) rest` as `for (k = i; k > n; k--) { i = k - 1; rest } i = k - 1`."""
        where, test = loop.location, loop.condition
        if isinstance(test, tree.Increment):
            test = tree.Binary(where, INT, "!=", test, Const(where, test.type, 0))
        match test:
            case tree.Binary(
                op=">" | "!=",
                left=tree.Increment(place=tree.VarRef(variable=variable), delta=-1, prefix=False),
            ) if variable.type.is_integer and variable.type.width >= 32:
                pass
            case _:
                return None
        if variable.in_memory or variable in assigned(body) or loop.step is not None:
            return None
        counter = self._variable(variable.name, variable.type, where)
        first = start_of(variable, before)
        if first is None or has_effects(first) or variable in used(first):
            first = tree.read(variable, where)
        declared = tree.Declare(where, counter, first)
        one = Const(where, variable.type, 1)
        less = tree.Binary(where, variable.type, "-", tree.read(counter, where), one)
        following = tree.Evaluate(where, tree.assignment(variable, less, where))
        counting = replace(
            loop,
            condition=replace(test, left=tree.read(counter, where)),
            step=tree.Increment(
                where, variable.type, tree.VarRef(where, variable.type, counter), -1, False
            ),
        )
        counted = counted_loop(counting, [following, *body], [declared], self.definitions)
        return None if counted is None else [declared, counted, following]

    def _switch(self, switch: tree.Switch, outer: _Flags) -> list[Stmt]:
        where = switch.location
        broken = self._flag("break", where)
        selector = self._variable("selector", switch.value.type, where)
        flags = _Flags(outer.returned, broken, outer.skipped)
        return self._declared(broken, where) + self._list(lower_switch(switch, selector), flags)

    def _none_of(self, flags: list[Variable], where: Location) -> Expr:
        """`!a && !b`: none of the flags is set."""
        self.read_flags |= set(flags)
        tests: list[Expr] = [tree.Unary(where, INT, "!", tree.read(flag, where)) for flag in flags]
        test = tests[0]
        for other in tests[1:]:
            test = tree.Logical(where, INT, "&&", test, other)
        return test

    def _without_unread(self, statements: list[Stmt]) -> list[Stmt]:
        """Remove the flags that are never read, and every `if` that is then empty."""
        unread = self.flags - self.read_flags
        out: list[Stmt] = []
        for statement in statements:
            match statement:
                case tree.Declare(variable=variable) if variable in unread:
                    continue
                case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable))) if (
                    variable in unread
                ):
                    continue
                case tree.If():
                    statement.then = self._without_unread(statement.then)
                    statement.otherwise = self._without_unread(statement.otherwise)
                    if not statement.then and not statement.otherwise:
                        if has_effects(statement.condition):
                            out.append(tree.Evaluate(statement.location, statement.condition))
                        continue
                    if not statement.then:
                        condition = statement.condition
                        statement.condition = tree.Unary(condition.location, INT, "!", condition)
                        statement.then, statement.otherwise = statement.otherwise, []
                case tree.While() | tree.DoWhile() | tree.CountedLoop():
                    statement.body = self._without_unread(statement.body)
            out.append(statement)
        return out


def _set(flag: Variable, where: Location) -> Stmt:
    return tree.Evaluate(where, tree.assignment(flag, Const(where, BOOL, 1), where))


def _without_first_break(loop: tree.While) -> tree.While:
    """`for (;;) { if (c) break; rest }` as `for (; !c;) rest`."""
    if loop.condition is not None and not _is_true(loop.condition):
        return loop
    body = loop.body
    while body and isinstance(body[0], tree.Block):
        body = [*body[0].body, *body[1:]]
    match body:
        case [tree.If(condition=condition, then=then, otherwise=otherwise), *rest]:
            while len(then) == 1 and isinstance(then[0], tree.Block):
                then = then[0].body
            if len(then) == 1 and isinstance(then[0], tree.Break):
                body = [*otherwise, *rest]
                return replace(loop, condition=_opposite(condition), body=body)
    return loop


def _opposite(condition: Expr) -> Expr:
    """`a < b` for `a >= b` of integers, else `!condition`."""
    match condition:
        case tree.Binary(op=op, left=left, right=right) if op in _OPPOSITES:
            if left.type.is_integer and right.type.is_integer:
                return replace(condition, op=_OPPOSITES[op])
        case _:
            pass
    return tree.Unary(condition.location, INT, "!", condition)


def _is_true(condition: Expr) -> bool:
    return isinstance(condition, Const) and condition.value != 0
