"""Pointers that move through an array -> the array, and an index that moves.

for (p = x; *p > 0; p++)        =>      for (p = x, at = 0; p[at] > 0; at++)
"""

from __future__ import annotations

from collections.abc import Callable

from polycl.frontends.host.rewriting import (
    change_statements,
    expressions_in,
    read,
    write,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import bodies_of, walk_statements
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import LONG, CType, Kind

NewVariable = Callable[[str, CType, Location], Variable]


def split_moving_pointers(
    body: list[Stmt], parameters: list[Variable], new_variable: NewVariable
) -> list[Stmt]:
    """The statements with an index for each pointer that moves."""
    moving = {
        variable: new_variable(f"{variable.name}.at", LONG, variable.location)
        for variable in _moving(body)
    }
    if not moving:
        return body
    body = _assignments_split(body, moving)
    change_statements(body, lambda expr: _changed(expr, moving))
    starts: list[Stmt] = [
        tree.Declare(variable.location, moving[variable], _zero(variable.location))
        for variable in parameters
        if variable in moving
    ]
    return [*starts, *body]


def _moving(body: list[Stmt]) -> list[Variable]:
    found: dict[Variable, None] = {}
    declared = {
        s.variable: s.initializer for s in walk_statements(body) if isinstance(s, tree.Declare)
    }
    for expr in expressions_in(body):
        match expr:
            case (
                tree.Increment(place=tree.VarRef(variable=variable))
                | tree.CompoundAssign(place=tree.VarRef(variable=variable))
            ) if _is_pointer(variable):
                found[variable] = None
            case tree.Assign(place=tree.VarRef(variable=variable), value=value) if _is_pointer(
                variable
            ):
                start = declared.get(variable)
                if any(e is not None and _parts(e)[1] is not None for e in (value, start)):
                    found[variable] = None
    return list(found)


def _is_pointer(variable: Variable) -> bool:
    element = variable.type.element
    is_flat = element.kind not in (Kind.ARRAY, Kind.HANDLE, Kind.POINTER, Kind.VOID)
    return variable.type.kind is Kind.POINTER and is_flat and not variable.in_memory


def _parts(expr: Expr) -> tuple[Expr, Expr | None]:
    """(where an array starts, how many elements behind that) of a pointer."""
    match expr:
        case tree.Binary(op="+" | "-" as op, left=left, right=right, type=type) if (
            type.kind is Kind.POINTER
        ):
            if right.type.kind is Kind.POINTER:
                left, right = right, left
            base, offset = _parts(left)
            return base, _sum(offset, right, op)
        case tree.AddressOf(place=tree.Index(pointer=pointer, index=index)) if (
            expr.type.kind is Kind.POINTER and index is not None
        ):
            base, offset = _parts(pointer)
            return base, _sum(offset, index, "+")
        case tree.Cast(operand=operand, type=type) if operand.type.kind is Kind.POINTER:
            base, offset = _parts(operand)
            return tree.Cast(expr.location, type, base), offset
        case _:
            return expr, None


def _sum(offset: Expr | None, amount: Expr, op: str) -> Expr:
    where = amount.location
    amount = tree.Cast(where, LONG, amount)
    if offset is None and op == "+":
        return amount
    return tree.Binary(where, LONG, op, offset or _zero(where), amount)


def _zero(where: Location) -> Expr:
    return Const(where, LONG, 0)


def _assignments_split(body: list[Stmt], moving: dict[Variable, Variable]) -> list[Stmt]:
    out: list[Stmt] = []
    for statement in body:
        for inner in bodies_of(statement):
            inner[:] = _assignments_split(inner, moving)
        match statement:
            case tree.Declare(variable=variable, initializer=value) if variable in moving:
                where = statement.location
                at = moving[variable]
                if value is None:
                    out += [statement, tree.Declare(where, at, None)]
                    continue
                base, offset = _with_indices(value, moving)
                out.append(tree.Declare(where, variable, base))
                out.append(tree.Declare(where, at, offset or _zero(where)))
            case tree.Evaluate(
                expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)
            ) if variable in moving:
                base, offset = _with_indices(value, moving)
                # First the index: both may be computed from the old pointer.
                out.append(write(moving[variable], offset or _zero(statement.location)))
                out.append(write(variable, base))
            case _:
                out.append(statement)
    return out


def _with_indices(value: Expr, moving: dict[Variable, Variable]) -> tuple[Expr, Expr | None]:
    base, offset = _parts(value)
    plain = base
    while isinstance(plain, tree.Cast):
        plain = plain.operand
    if isinstance(plain, tree.Load) and isinstance(plain.place, tree.VarRef):
        variable = plain.place.variable
        if variable in moving:
            at = read(moving[variable], value.location)
            offset = at if offset is None else tree.Binary(value.location, LONG, "+", at, offset)
            # `_changed` leaves this one as it is.
            return _Bare(plain.location, plain.type, plain.place), offset
    return base, offset


class _Bare(tree.Load):
    """A pointer without its index."""


def _changed(expr: Expr, moving: dict[Variable, Variable]) -> Expr:
    where, type = expr.location, expr.type
    match expr:
        case _Bare():
            return tree.Load(where, type, expr.place)
        case tree.Load(place=tree.VarRef(variable=variable)) if variable in moving:
            return tree.Binary(where, type, "+", expr, read(moving[variable], where))
        case tree.Increment(place=tree.VarRef(variable=variable)) if variable in moving:
            at = tree.VarRef(where, LONG, moving[variable])
            moved = tree.Increment(where, LONG, at, expr.delta, expr.prefix)
            return tree.Binary(where, type, "+", read(variable, where), moved)
        case tree.CompoundAssign(place=tree.VarRef(variable=variable), value=value) if (
            variable in moving
        ):
            at = tree.VarRef(where, LONG, moving[variable])
            amount = tree.Cast(where, LONG, value)
            moved = tree.CompoundAssign(where, LONG, expr.op, at, amount, LONG)
            return tree.Binary(where, type, "+", read(variable, where), moved)
        case _:
            return expr
