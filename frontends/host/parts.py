"""Small arrays and structs of a host program -> one variable for each part.

    size_t global[2] = {w, h};        =>      size_t global0 = w, global1 = h;

So the sizes of a launch, the members of a struct of handles and arrays of buffers are values.
It is done where each use names its part: a constant index, or a field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from polycl.frontends.host.rewriting import (
    change_statements,
    expressions_in,
    read,
    without_casts,
    write,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import bodies_of, walk_statements
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import CType, Kind

_MOST_PARTS = 64

NewVariable = Callable[[str, CType, Location], Variable]


def split_parts(body: list[Stmt], new_variable: NewVariable) -> list[Stmt]:
    """The statements with variables for the parts, also for the parts of parts."""
    while True:
        chosen = _candidates(body)
        if not chosen:
            return body
        body = _Splitter(chosen, new_variable).split(body)


def _candidates(body: list[Stmt]) -> list[Variable]:
    declared = [
        s.variable
        for s in walk_statements(body)
        if isinstance(s, tree.Declare) and parts_of(s.variable.type)
    ]
    uses: Counter[Variable] = Counter()
    fitting: Counter[Variable] = Counter()
    copies: list[tuple[Variable, Variable]] = []
    for expr in expressions_in(body):
        match expr:
            case tree.VarRef(variable=variable):
                uses[variable] += 1
            case tree.Assign(place=tree.VarRef(variable=target), value=tree.Aggregate()):
                fitting[target] += 1
            case tree.Assign(
                place=tree.VarRef(variable=target),
                value=tree.Load(place=tree.VarRef(variable=source)),
            ):
                fitting[target] += 1
                fitting[source] += 1
                copies.append((target, source))
            case _ if (found := _part(expr)) is not None:
                fitting[found[0]] += 1
    for statement in walk_statements(body):
        match statement:
            case tree.Declare(
                variable=target, initializer=tree.Load(place=tree.VarRef(variable=source))
            ):
                fitting[source] += 1
                copies.append((target, source))
            case tree.Declare(variable=target, initializer=value) if not (
                value is None or isinstance(value, tree.Aggregate)
            ):
                uses[target] += 1
    chosen = {v for v in declared if uses[v] == fitting[v]}
    while True:
        lost = {v for a, b in copies for v in (a, b) if (a in chosen) != (b in chosen)} & chosen
        if not lost:
            return [variable for variable in declared if variable in chosen]
        chosen -= lost


def parts_of(type: CType) -> list[tuple[str | int, CType]]:
    """The parts of an object that may be variables: their keys and types."""
    if type.kind is Kind.STRUCT:
        return list(type.fields)
    if (
        type.kind is Kind.ARRAY
        and type.count <= _MOST_PARTS
        and type.element.kind is not Kind.ARRAY
    ):
        return [(n, type.element) for n in range(type.count)]
    return []


def _part(expr: Expr) -> tuple[Variable, str | int] | None:
    """(variable, part) of `a[2]` and `s.field`."""
    match expr:
        case tree.Member(base=tree.VarRef(variable=variable), field=field):
            return (variable, field) if variable.type.kind is Kind.STRUCT else None
        case tree.Index(pointer=pointer, index=index):
            pointer = without_casts(pointer)
            number = 0 if index is None else None
            if index is not None and isinstance(constant := without_casts(index), Const):
                number = int(constant.value)
            match pointer:
                case tree.AddressOf(place=tree.VarRef(variable=variable)) if (
                    variable.type.kind is Kind.ARRAY
                    and number is not None
                    and 0 <= number < variable.type.count
                    and expr.type.memory == variable.type.element.memory
                ):
                    return variable, number
    return None


class _Splitter:
    def __init__(self, chosen: list[Variable], new_variable: NewVariable):
        self.parts = {
            variable: {
                key: new_variable(_name(variable, key), type, variable.location)
                for key, type in parts_of(variable.type)
            }
            for variable in chosen
        }
        for parts in self.parts.values():
            for part in parts.values():
                part.in_memory = part.type.needs_memory

    def split(self, body: list[Stmt]) -> list[Stmt]:
        body = self._list(body)
        change_statements(body, self._expr)
        return body

    def _expr(self, expr: Expr) -> Expr:
        found = _part(expr)
        if found is None or found[0] not in self.parts:
            return expr
        part = self.parts[found[0]][found[1]]
        return tree.VarRef(expr.location, part.type, part)

    def _list(self, statements: list[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        for statement in statements:
            for inner in bodies_of(statement):
                inner[:] = self._list(inner)
            match statement:
                case tree.Declare(variable=variable, initializer=value) if variable in self.parts:
                    for key, part in self.parts[variable].items():
                        initial = None if value is None else self._part_of(value, key, part)
                        out.append(tree.Declare(statement.location, part, initial))
                case tree.Evaluate(
                    expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)
                ) if variable in self.parts:
                    for key, part in self.parts[variable].items():
                        out.append(write(part, self._part_of(value, key, part)))
                case _:
                    out.append(statement)
        return out

    def _part_of(self, value: Expr, key: str | int, part: Variable) -> Expr:
        match value:
            case tree.Load(place=tree.VarRef(variable=source)):
                return read(self.parts[source][key], value.location)
            case tree.Aggregate(entries=entries):
                entry = entries.get(key)
                if entry is not None:
                    return entry
                if part.type.kind in (Kind.ARRAY, Kind.STRUCT):
                    return tree.Aggregate(value.location, part.type, {})
                return Const(value.location, part.type, 0)
            case _:
                raise AssertionError(f"{value} has no parts")


def _name(variable: Variable, key: str | int) -> str:
    return f"{variable.name}.{key}" if isinstance(key, str) else f"{variable.name}{key}"
