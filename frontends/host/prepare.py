"""A host function with its callees -> one structured tree of data and commands.

Functions of the source are inlined, callees first, and calls of the API are replaced (calls.py);
their statements precede the statement with the call. Then constants are propagated (evaluation.py)
and small aggregates split (parts.py), before break, return and goto become conditions (structure.py
of opencl_c).

The pass `inline-functions` cannot do this, because functions of a host program have no fixed types:
a `cl_mem`, a `cl_kernel` or a `void *` has another type at each call, and the result of a function
through `cl_mem *` is a variable of its caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from polycl.errors import UnsupportedError
from polycl.frontends.host.calls import Context, choice_of, is_api, rewrite_call
from polycl.frontends.host.evaluation import evaluate, set_in
from polycl.frontends.host.host_launches import number_kernels
from polycl.frontends.host.moving import split_moving_pointers
from polycl.frontends.host.parts import parts_of, split_parts
from polycl.frontends.host.read import HostSource
from polycl.frontends.host.rewriting import (
    addressed,
    change_parts,
    change_statements,
    copied,
    expressions_in,
    text_of,
    variable_of,
    without_casts,
    write,
)
from polycl.frontends.host.sources import KernelSources, take_sources
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import assigned, bodies_of, walk, walk_statements
from polycl.frontends.opencl_c.jumps import Goto, Label, has_jumps
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.structure import structure
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Function, Stmt, Variable
from polycl.frontends.opencl_c.types import BOOL, INT, VOID, CType, Kind


@dataclass
class Prepared:
    """A function without jumps; `result` has its value at the end."""

    parameters: list[Variable]
    body: list[Stmt]
    result: Variable | None
    memory: list[Variable]
    """Variables in memory that no statement declares."""
    kernels: dict[int, BuiltinCall]
    """The calls that make the kernels, by the constants that replace them."""
    sources: KernelSources = field(default_factory=KernelSources)


class Preparer:
    """Prepares functions of one source."""

    def __init__(self, source: HostSource):
        self.source = source
        self.globals = [variable for variable, _ in source.variables]
        self.in_c = sorted(source.in_c, key=lambda variable: variable.number)
        self._prepared: dict[str, Prepared] = {}
        self._open: list[str] = []
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
                # C99, section 6.7.8: variables outside functions are initialised to zero.
                value = value or (
                    _zero_in_c(variable) if self.source.is_program else _zero(variable)
                )
                declared.append(tree.Declare(variable.location, variable, value))
        function.body = [*declared, *function.body]
        if self.source.is_program and name == "main":
            # C99, section 5.1.2.2.3: the end of main returns 0.
            where = function.location
            function.body.append(tree.Return(where, Const(where, INT, 0)))
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
        return Variable(name, type, next(self.source.numbers), where)

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
        memory, kernels = list(function.temporaries), dict[int, BuiltinCall]()
        # Numbers of dimensions and of events may be constants of the function; what functions
        # that it calls do with the program's variables is not seen yet.
        objects = [v for v in self.globals if v.type.kind is Kind.HANDLE]
        set_by_calls = self._set_by_calls(function.body)
        unseen = [v for v in self.globals if v.type.kind is not Kind.HANDLE or v in set_by_calls]
        outside = [*unknown, *self.globals, *self.in_c]
        body = evaluate(function.body, outside, self._copy, unset=objects, untracked=unseen)
        body = _Hoister(self, memory).list(body)
        body = self._folded(body, unknown)
        if sources is not None:
            take_sources(body, sources, self.source)
            kernels = number_kernels(body)
            body = self._folded(body, unknown)
        if not self.source.is_program:
            body = split_moving_pointers(body, function.parameters, self.new_variable)
        for variable in addressed(body):
            variable.in_memory = True
        function.body = body
        if has_jumps(function):
            function.body = _without_jumps(function, body, self.source.numbers)
        result = structure(function, self.source.numbers)
        return Prepared(function.parameters, function.body, result, memory, kernels)

    def _set_by_calls(self, body: list[Stmt]) -> set[Variable]:
        """The variables that are set by functions which the statements call."""
        found: set[Variable] = set()
        called: set[str] = set()
        work = [body]
        while work:
            calls = [e.function for e in expressions_in(work.pop()) if isinstance(e, tree.Call)]
            for name in {name for name in calls if name in self.source.functions} - called:
                called.add(name)
                work.append(self.source.functions[name].body)
                found |= set_in(work[-1])
        return found

    def _folded(self, body: list[Stmt], unknown: list[Variable]) -> list[Stmt]:
        while True:
            body = evaluate(body, [*unknown, *self.in_c], self._copy)
            if (split := split_parts(body, self.new_variable)) is body:
                return body
            body = split

    def _copy(self, variable: Variable) -> Variable:
        """A copy of a variable."""
        return replace(variable, number=next(self.source.numbers))

    def inlined(self, call: tree.Call, memory: list[Variable]) -> tuple[list[Stmt], Expr]:
        """The statements of a call, and its value."""
        where = call.location
        callee = self._function(call.function, where)
        written = assigned(callee.body)
        variables: dict[Variable, Variable] = {v: v for v in self.globals}
        values: dict[Variable, Expr] = {}
        before: list[Stmt] = []

        def own(variable: Variable) -> Variable:
            if variable in self.source.in_c:
                return variable
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
        return [*before, *body], tree.read(own(callee.result), where)


def _can_stand_for(argument: Expr) -> bool:
    """Whether an argument may be evaluated at each use of the parameter."""
    plain = without_casts(argument)
    if text_of(argument) is not None or isinstance(plain, Const):
        return True
    return isinstance(plain, tree.AddressOf) and isinstance(tree.root(plain.place), tree.VarRef)


def _zero_in_c(variable: Variable) -> Expr:
    """The initial value of a variable of a whole program."""
    where, type = variable.location, variable.type
    is_whole = type.kind in (Kind.ARRAY, Kind.STRUCT, Kind.UNION)
    return tree.Aggregate(where, type, {}) if is_whole else Const(where, type, 0)


def _zero(variable: Variable) -> Expr | None:
    """The initial value of a variable that needs no memory, else None."""
    where, type = variable.location, variable.type
    if type.is_scalar:
        return Const(where, type, 0)
    parts = parts_of(type)
    is_plain = bool(parts) and all(part.is_scalar for _, part in parts)
    return tree.Aggregate(where, type, {}) if is_plain else None


def _is_own(argument: Expr, globals: list[Variable]) -> bool:
    """Whether the argument is a variable of the caller that the callee does not change."""
    variable = variable_of(argument)
    return variable is not None and variable not in globals and not variable.in_memory


def _substituted(expr: Expr, values: dict[Variable, Expr]) -> Expr:
    match expr:
        case tree.Load(place=tree.VarRef(variable=variable)) if variable in values:
            return copied(values[variable])
        case _:
            return expr


def _without_jumps(function: Function, body: list[Stmt], numbers: Iterator[int]) -> list[Stmt]:
    """The statements of a function with forward jumps to one label at its end only.

    The jumps leave the statements before the label like a return.
    """
    jumps = [s for s in walk_statements(body) if isinstance(s, Goto)]
    places = [n for n, s in enumerate(body) if isinstance(s, Label) and s.name == jumps[0].label]
    before = body[: places[0]] if places else []
    inside = list(walk_statements(before))
    fits = all(jump.label == jumps[0].label and jump in inside for jump in jumps)
    if not fits or any(isinstance(s, tree.Return) for s in inside):
        raise UnsupportedError(
            "goto is supported in host programs only to one label after all of them, at the end "
            "of the function, and without 'return' in between",
            *jumps[0].location,
        )
    front = Function(function.name, function.location, VOID, [], _returning(before))
    structure(front, numbers)
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
    """Puts the statements of calls before the statements with the calls."""

    def __init__(self, preparer: Preparer, memory: list[Variable]):
        self.preparer = preparer
        self.memory = memory

    def list(self, statements: list[Stmt]) -> list[Stmt]:
        return [s for statement in statements for s in self._statement(statement)]

    def _statement(self, statement: Stmt) -> list[Stmt]:
        before: list[Stmt] = []
        if isinstance(statement, tree.While):
            return [self._while(statement)]
        change_parts(statement, lambda expr: self._expr(expr, before))
        for inner in bodies_of(statement):
            inner[:] = self.list(inner)
        if isinstance(statement, tree.DoWhile):
            statement.body += before
            return [statement]
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
                known, side = Const(where, BOOL, int(op == "||")), tree.Cast(where, BOOL, right)
                sides = (known, side) if op == "||" else (side, known)
                chosen = tree.Conditional(where, BOOL, left, *sides)
                return tree.Cast(where, expr.type, self._chosen(chosen, before))
            case tree.Conditional(then=then, otherwise=otherwise) if _has_calls(then) or _has_calls(
                otherwise
            ):
                return self._chosen(expr, before)
            case tree.Comma(first=first, second=second):
                before.append(tree.Evaluate(where, self._expr(first, before)))
                return self._expr(second, before)
        if (choice := choice_of(expr)) is not None:
            return self._chosen(choice, before)
        change_parts(expr, lambda part: self._expr(part, before))
        if isinstance(expr, tree.Call):
            statements, value = self.preparer.inlined(expr, self.memory)
            before += statements
            return value
        if is_api(expr):
            assert isinstance(expr, tree.BuiltinCall)
            return rewrite_call(expr, self._context(before))
        return expr

    def _context(self, before: list[Stmt]) -> Context:
        return Context(before, self.preparer.new_variable, self.preparer.source.is_program)

    def _chosen(self, expr: tree.Conditional, before: list[Stmt]) -> Expr:
        """`c ? a : b` as a branch that assigns to a variable."""
        where, is_void = expr.location, expr.type.kind is Kind.VOID
        condition = self._expr(expr.condition, before)
        chosen = self.preparer.new_variable("chosen", expr.type, where)
        sides: list[list[Stmt]] = []
        for side in (expr.then, expr.otherwise):
            inner: list[Stmt] = []
            value = self._expr(side, inner)
            last = tree.Evaluate(value.location, value) if is_void else write(chosen, value)
            sides.append([*inner, last])
        before += [] if is_void else [tree.Declare(where, chosen, None)]
        before.append(tree.If(where, condition, *sides))
        return tree.Cast(where, VOID, Const(where, INT, 0)) if is_void else tree.read(chosen, where)


def _has_calls(expr: Expr) -> bool:
    return any(isinstance(n, tree.Call) or is_api(n) or choice_of(n) for n in walk(expr))
