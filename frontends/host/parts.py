"""Small arrays and structs of a host program -> one variable for each part.

    size_t global[2] = {w, h};        =>      size_t global0 = w, global1 = h;
    x = d[i];                         =>      x = i == 0 ? d0 : d1;
    d[i] = x;                         =>      if (i == 0) d0 = x; else d1 = x;

So the sizes of a launch, the members of a struct of handles and arrays of buffers are values. Each
use must name its part by a constant index or a field. The index of a small array of buffers or
events may be computed at run time.

This happens before there is IR because memory has no handles: the buffers of an array have
different types, which follow from the kernels that access them.
"""

from __future__ import annotations

from polycl.frontends.host.host_types import EVENT, is_buffer
from polycl.frontends.host.rewriting import (
    NewVariable,
    change_statements,
    copied,
    without_casts,
    write,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import (
    bodies_of,
    expressions_of,
    has_effects,
    walk_statements,
)
from polycl.frontends.opencl_c.tree import Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import INT, LONG, CType, Kind

_MOST_PARTS = 64
_MOST_CHOICES = 8


def split_parts(body: list[Stmt], new_variable: NewVariable) -> list[Stmt]:
    """The statements with variables for the parts, also for the parts of parts."""
    while chosen := _candidates(body):
        body = _Splitter(chosen, new_variable).split(body)
    return body


def _candidates(body: list[Stmt]) -> list[Variable]:
    declared = [s.variable for s in walk_statements(body) if isinstance(s, tree.Declare)]
    chosen = {variable for variable in declared if parts_of(variable.type)}
    copies: list[tuple[Variable, Variable]] = []
    for statement in walk_statements(body):
        match statement:
            case (
                tree.Declare(variable=target, initializer=value)
                | tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=target), value=value))
            ):
                if isinstance(value, tree.Load) and isinstance(value.place, tree.VarRef):
                    copies.append((target, value.place.variable))
                elif value is not None:
                    chosen -= _whole(value)
                    chosen -= set() if isinstance(value, tree.Aggregate) else {target}
            case tree.Evaluate(expr=tree.Assign(place=place, value=value)) if found := _chosen_from(
                place
            ):
                chosen -= _whole(found[1]) | _whole(value)
            case _:
                chosen -= {v for expr in expressions_of(statement) for v in _whole(expr)}
    while lost := {v for pair in copies if not chosen.issuperset(pair) for v in pair} & chosen:
        chosen -= lost
    return [variable for variable in declared if variable in chosen]


def _whole(expr: Expr) -> set[Variable]:
    """The variables that an expression uses as a whole."""
    match expr:
        case tree.VarRef(variable=variable):
            return {variable}
        case tree.Load(place=place) if found := _chosen_from(place):
            return _whole(found[1])
        case _ if _part(expr) is not None:
            return set()
        case _:
            return {variable for part in tree.children(expr) for variable in _whole(part)}


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
        case tree.Index(index=index) if (variable := _array_of(expr)) is not None:
            constant = Const(expr.location, LONG, 0) if index is None else without_casts(index)
            if isinstance(constant, Const) and 0 <= constant.value < variable.type.count:
                return variable, int(constant.value)
    return None


def _array_of(expr: tree.Index) -> Variable | None:
    """The variable that an element of an array is a part of."""
    match without_casts(expr.pointer):
        case tree.AddressOf(place=tree.VarRef(variable=variable)) if (
            variable.type.kind is Kind.ARRAY and expr.type.memory == variable.type.element.memory
        ):
            return variable
        case _:
            return None


def _chosen_from(place: Expr) -> tuple[Variable, Expr] | None:
    """(array, computed index) of an element of an array of buffers or events."""
    if not isinstance(place, tree.Index) or (index := place.index) is None:
        return None
    array = _array_of(place)
    is_computed = not isinstance(without_casts(index), Const) and not has_effects(index)
    is_followed = is_buffer(place.type) or place.type is EVENT
    if array is None or array.type.count > _MOST_CHOICES or not (is_followed and is_computed):
        return None
    return array, index


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
        where = expr.location
        match expr:
            case tree.Load(place=place) if (found := _chosen_from(place)) and found[
                0
            ] in self.parts:
                *parts, last = self.parts[found[0]].values()
                chosen = tree.read(last, where)
                for number, part in reversed(list(enumerate(parts))):
                    condition, one = _is(found[1], number), tree.read(part, where)
                    chosen = tree.Conditional(where, expr.type, condition, one, chosen)
                return chosen
            case _ if (own := _part(expr)) and own[0] in self.parts:
                part = self.parts[own[0]][own[1]]
                return tree.VarRef(where, part.type, part)
            case _:
                return expr

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
                case tree.Evaluate(expr=tree.Assign(place=place, value=value)) if (
                    found := _chosen_from(place)
                ) and found[0] in self.parts:
                    # The value is computed only in the taken branch.
                    *parts, last = self.parts[found[0]].values()
                    chosen: list[Stmt] = [write(last, value)]
                    for number, part in reversed(list(enumerate(parts))):
                        taken = [write(part, copied(value))]
                        chosen = [tree.If(statement.location, _is(found[1], number), taken, chosen)]
                    out += chosen
                case _:
                    out.append(statement)
        return out

    def _part_of(self, value: Expr, key: str | int, part: Variable) -> Expr:
        match value:
            case tree.Load(place=tree.VarRef(variable=source)):
                return tree.read(self.parts[source][key], value.location)
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


def _is(index: Expr, number: int) -> Expr:
    """Whether a computed index is the number."""
    where = index.location
    value = tree.Cast(where, LONG, copied(index))
    return tree.Binary(where, INT, "==", value, Const(where, LONG, number))
