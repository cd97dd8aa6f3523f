"""A host function with all that it calls -> one structured tree of data and commands.

Functions of the source are put in the place of their calls, callees first, and calls of the API
are replaced (calls.py), each in front of the statement that it is a part of. Then constants are
folded (folding.py) and small aggregates split (parts.py), before break, return and the like
become conditions (structure.py of opencl_c).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from polycl.errors import UnsupportedError
from polycl.frontends.host.calls import Context, is_api, rewrite_call
from polycl.frontends.host.choices import choose
from polycl.frontends.host.counting import follow_counters
from polycl.frontends.host.folding import fold
from polycl.frontends.host.formats import with_choice
from polycl.frontends.host.moving import split_moving_pointers
from polycl.frontends.host.parts import parts_of, split_parts
from polycl.frontends.host.read import HostSource
from polycl.frontends.host.rewriting import (
    addressed,
    change_parts,
    change_statements,
    copied,
    expressions_in,
    read,
    text_of,
    variable_of,
    without_casts,
    write,
)
from polycl.frontends.host.sources import KernelSources, take_sources
from polycl.frontends.host.unrolling import unroll
from polycl.frontends.host.unset import tell_unset
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import bodies_of, walk, walk_statements
from polycl.frontends.opencl_c.jumps import Goto, Label, has_jumps
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.structure import structure
from polycl.frontends.opencl_c.tree import Const, Expr, Function, Stmt, Variable
from polycl.frontends.opencl_c.types import BOOL, INT, VOID, CType, Kind

_FIRST_NEW_NUMBER = 1_000_000
_FIRST_OF_FRONT = 1_500_000
_FIRST_COPY = 2_000_000
"""Variables are numbered: those of the source, those of its structure, those of copies."""


@dataclass
class Prepared:
    """A function without jumps; `result` has its value at the end."""

    parameters: list[Variable]
    body: list[Stmt]
    result: Variable | None
    memory: list[Variable]
    """Variables in memory that no statement declares."""
    sources: KernelSources = field(default_factory=KernelSources)


class Preparer:
    """Prepares functions of one source."""

    def __init__(self, source: HostSource):
        self.source = source
        self.globals = [variable for variable, _ in source.variables]
        self._prepared: dict[str, Prepared] = {}
        self._open: list[str] = []
        self._numbers = count(_FIRST_COPY)
        if source.texts:
            for function in source.functions.values():
                change_statements(function.body, self._with_text)

    def entry(self, name: str) -> Prepared:
        """The function as the entry of a program, with the source's variables in it."""
        function = self.source.functions[name]
        used = {
            expr.variable
            for f in self.source.functions.values()
            for expr in expressions_in(f.body)
            if isinstance(expr, tree.VarRef)
        }
        declared: list[Stmt] = []
        for variable, value in self.source.variables:
            if variable in used:
                # C99, section 6.7.8: what is outside of functions starts as zero, as memory does.
                value = value or _zero(variable)
                declared.append(tree.Declare(variable.location, variable, value))
        function.body = [*declared, *function.body]
        self._open = [name]
        sources = KernelSources()
        prepared = self._prepare(function, function.parameters, sources)
        prepared.sources = sources
        return prepared

    def _with_text(self, expr: Expr) -> Expr:
        """A constant array of characters as the literal that it is."""
        match expr:
            case tree.VarRef(variable=variable) if variable in self.source.texts:
                return self.source.texts[variable]
            case _:
                return expr

    def new_variable(self, name: str, type: CType, where: Location) -> Variable:
        """A variable of this importer's own."""
        return Variable(name, type, next(self._numbers), where)

    def _function(self, name: str, where: Location) -> Prepared:
        if name not in self._prepared:
            if name in self._open:
                raise UnsupportedError(
                    f"recursion is not supported in host programs: '{name}' calls itself", *where
                )
            if name not in self.source.functions:
                raise self.source.refused[name]
            self._open.append(name)
            function = self.source.functions[name]
            unknown = [*function.parameters, *self.globals]
            self._prepared[name] = self._prepare(function, unknown)
            self._open.pop()
        return self._prepared[name]

    def _prepare(
        self, function: Function, unknown: list[Variable], sources: KernelSources | None = None
    ) -> Prepared:
        memory = list(function.temporaries)
        tell_unset(function.body, self.globals)
        # Numbers of dimensions and of events may be constants of the function; what functions
        # that it calls do with the program's variables is not seen yet.
        body = fold(function.body, [*unknown, *self.globals])
        body = _Hoister(self, memory).list(body)
        body = self._folded(body, unknown)
        if sources is not None:
            take_sources(body, sources)
            body = self._folded(body, unknown)
        body = split_moving_pointers(body, function.parameters, self.new_variable)
        _mark_memory(body)
        function.body = body
        if has_jumps(function):
            function.body = _without_jumps(function, body)
        result = structure(function, _FIRST_NEW_NUMBER)
        return Prepared(function.parameters, function.body, result, memory)

    def _folded(self, body: list[Stmt], unknown: list[Variable]) -> list[Stmt]:
        while True:
            body = fold(follow_counters(body), unknown)
            body, changed = unroll(body, self._copy)
            split = split_parts(body, self.new_variable)
            if split is body and not changed:
                body, changed = choose(body)
                if not changed:
                    return body
            else:
                body = split

    def _copy(self, variable: Variable) -> Variable:
        return copied_variable(variable, next(self._numbers))

    def inlined(self, call: tree.Call, memory: list[Variable]) -> tuple[list[Stmt], Expr]:
        """The statements of a call, and its value."""
        where = call.location
        callee = self._function(call.function, where)
        written = {
            node.place.variable
            for node in expressions_in(callee.body)
            if isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment)
            and isinstance(node.place, tree.VarRef)
        }
        variables: dict[Variable, Variable] = {v: v for v in self.globals}
        values: dict[Variable, Expr] = {}
        before: list[Stmt] = []

        def own(variable: Variable) -> Variable:
            if variable not in variables:
                variables[variable] = self._copy(variable)
            return variables[variable]

        for parameter, argument in zip(callee.parameters, call.arguments, strict=True):
            is_fixed = parameter not in written and not parameter.in_memory
            is_bytes = parameter.type.element.kind is Kind.VOID and _is_own(argument, self.globals)
            if is_fixed and (_can_stand_for(argument) or is_bytes):
                values[parameter] = argument
            else:
                before.append(tree.Declare(where, own(parameter), argument))
        body: list[Stmt] = copied(callee.body, lambda v: v if v in values else own(v))
        if values:
            change_statements(body, lambda expr: _substituted(expr, values))
        memory += [own(variable) for variable in callee.memory]
        if callee.result is None:
            return [*before, *body], tree.Cast(where, VOID, Const(where, INT, 0))
        return [*before, *body], read(own(callee.result), where)


def copied_variable(variable: Variable, number: int) -> Variable:
    """Another variable like this one."""
    return Variable(
        variable.name,
        variable.type,
        number,
        variable.location,
        variable.in_memory,
        variable.volatile,
    )


def _can_stand_for(argument: Expr) -> bool:
    """Whether an argument may be evaluated at each use of the parameter."""
    plain = without_casts(argument)
    if text_of(argument) is not None or isinstance(plain, Const):
        return True
    return isinstance(plain, tree.AddressOf) and isinstance(tree.root(plain.place), tree.VarRef)


def _zero(variable: Variable) -> Expr | None:
    """The initial value of a variable that may be no memory; None where it is."""
    where, type = variable.location, variable.type
    if type.is_scalar:
        return Const(where, type, 0)
    parts = parts_of(type)
    is_plain = bool(parts) and all(part.is_scalar for _, part in parts)
    return tree.Aggregate(where, type, {}) if is_plain else None


def _is_own(argument: Expr, globals: list[Variable]) -> bool:
    """Whether a variable of the caller is given, which the callee does not change."""
    variable = variable_of(argument)
    return variable is not None and variable not in globals and not variable.in_memory


def _substituted(expr: Expr, values: dict[Variable, Expr]) -> Expr:
    match expr:
        case tree.Load(place=tree.VarRef(variable=variable)) if variable in values:
            return copied(values[variable], lambda v: v)
        case _:
            return expr


def _mark_memory(body: list[Stmt]) -> None:
    """A variable whose address is needed lies in memory."""
    for variable in addressed(body):
        variable.in_memory = True


def _without_jumps(function: Function, body: list[Stmt]) -> list[Stmt]:
    """The statements of a function whose jumps all lead forward to one label at its end.

    What stands in front of the label is left as a function would be.
    """
    jumps = [s for s in walk_statements(body) if isinstance(s, Goto)]
    places = [n for n, s in enumerate(body) if isinstance(s, Label) and s.name == jumps[0].label]
    before = body[: places[0]] if places else []
    inside = list(walk_statements(before))
    fits = all(jump.label == jumps[0].label and jump in inside for jump in jumps)
    if not fits or any(isinstance(s, tree.Return) for s in inside):
        raise UnsupportedError(
            "goto is supported in host programs only to one label behind all of them, at the end "
            "of the function, and without 'return' in between",
            *jumps[0].location,
        )
    front = Function(function.name, function.location, VOID, [], _returning(before))
    structure(front, _FIRST_OF_FRONT)
    return [*front.body, *body[places[0] + 1 :]]


def _returning(statements: list[Stmt]) -> list[Stmt]:
    """The statements with `return` for goto."""
    out: list[Stmt] = []
    for statement in statements:
        for inner in bodies_of(statement):
            inner[:] = _returning(inner)
        is_jump = isinstance(statement, Goto)
        out.append(tree.Return(statement.location, None) if is_jump else statement)
    return out


class _Hoister:
    """Puts what calls become in front of the statements that they are in."""

    def __init__(self, preparer: Preparer, memory: list[Variable]):
        self.preparer = preparer
        self.memory = memory

    def list(self, statements: list[Stmt]) -> list[Stmt]:
        return [s for statement in statements for s in self._statement(statement)]

    def _statement(self, statement: Stmt) -> list[Stmt]:
        before: list[Stmt] = []
        if (choice := with_choice(statement)) is not None:
            return self._statement(choice)
        match statement:
            case tree.While():
                return [self._while(statement)]
            case tree.DoWhile(condition=condition):
                statement.body = self.list(statement.body)
                statement.condition = self._expr(condition, before)
                statement.body += before
                return [statement]
            case tree.If():
                statement.condition = self._expr(statement.condition, before)
                statement.then = self.list(statement.then)
                statement.otherwise = self.list(statement.otherwise)
            case tree.Block():
                statement.body = self.list(statement.body)
            case tree.Switch():
                statement.value = self._expr(statement.value, before)
                for segment in statement.segments:
                    segment.body = self.list(segment.body)
            case _:
                change_parts(statement, lambda expr: self._expr(expr, before))
        return [*before, statement]

    def _while(self, loop: tree.While) -> Stmt:
        if loop.step is not None and _has_calls(loop.step):
            raise UnsupportedError(
                "a call in the last part of a for statement is not supported; move it to the end "
                "of the loop's body",
                *loop.step.location,
            )
        loop.body = self.list(loop.body)
        if loop.condition is not None and _has_calls(loop.condition):
            where, before = loop.condition.location, list[Stmt]()
            condition = self._expr(loop.condition, before)
            stop = tree.Unary(where, INT, "!", condition)
            loop.body = [*before, tree.If(where, stop, [tree.Break(where)]), *loop.body]
            loop.condition = None
        return loop

    def _expr(self, expr: Expr, before: list[Stmt]) -> Expr:
        if not _has_calls(expr):
            return expr
        where = expr.location
        match expr:
            case tree.Logical(op=op, left=left, right=right) if _has_calls(right):
                left = self._expr(left, before)
                chosen = self._variable("chosen", BOOL, where)
                before.append(tree.Declare(where, chosen, tree.Cast(where, BOOL, left)))
                inner: list[Stmt] = []
                right = self._expr(right, inner)
                inner.append(write(chosen, tree.Cast(where, BOOL, right)))
                taken = read(chosen, where)
                branches = ([], inner) if op == "||" else (inner, [])
                before.append(tree.If(where, taken, *branches))
                return tree.Cast(where, expr.type, read(chosen, where))
            case tree.Conditional(condition=condition) if _has_calls(expr.then) or _has_calls(
                expr.otherwise
            ):
                condition = self._expr(condition, before)
                chosen = self._variable("chosen", expr.type, where)
                if expr.type.kind is not Kind.VOID:
                    before.append(tree.Declare(where, chosen, None))
                sides = [self._side(side, chosen) for side in (expr.then, expr.otherwise)]
                before.append(tree.If(where, condition, *sides))
                if expr.type.kind is Kind.VOID:
                    return tree.Cast(where, VOID, Const(where, INT, 0))
                return read(chosen, where)
            case tree.Comma(first=first, second=second):
                before.append(tree.Evaluate(where, self._expr(first, before)))
                return self._expr(second, before)
        change_parts(expr, lambda part: self._expr(part, before))
        if isinstance(expr, tree.Call):
            statements, value = self.preparer.inlined(expr, self.memory)
            before += statements
            return value
        if is_api(expr):
            assert isinstance(expr, tree.BuiltinCall)
            return rewrite_call(expr, Context(before, self._variable))
        return expr

    def _side(self, side: Expr, chosen: Variable) -> list[Stmt]:
        inner: list[Stmt] = []
        value = self._expr(side, inner)
        is_void = chosen.type.kind is Kind.VOID
        last = tree.Evaluate(value.location, value) if is_void else write(chosen, value)
        return [*inner, last]

    def _variable(self, name: str, type: CType, where: Location) -> Variable:
        return self.preparer.new_variable(name, type, where)


def _has_calls(expr: Expr) -> bool:
    return any(isinstance(node, tree.Call) or is_api(node) for node in walk(expr))
