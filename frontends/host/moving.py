"""Pointers that move through an array -> the array, and an index that moves.

    for (p = x; *p > 0; p++)        =>      for (p = x, at = 0; p[at] > 0; at++)

This happens before there is IR because a loop cannot carry a position in a memref; the separate
index is carried by the loop like other variables.
"""

from __future__ import annotations

from polycl.frontends.host.rewriting import (
    NewVariable,
    change_all,
    change_parts,
    expressions_in,
    write,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import bodies_of, walk_statements
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import LONG, Kind


def split_moving_pointers(
    body: list[Stmt], parameters: list[Variable], new_variable: NewVariable
) -> list[Stmt]:
    """The statements with an index for each moving pointer."""
    moving = {
        variable: new_variable(f"{variable.name}.at", LONG, variable.location)
        for variable in _moving(body)
    }
    if not moving:
        return body
    starts: list[Stmt] = [
        tree.Declare(variable.location, moving[variable], _zero(variable.location))
        for variable in parameters
        if variable in moving
    ]
    return [*starts, *_split(body, moving)]


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
    """(start of the array, distance from it in elements) of a pointer."""
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


def _split(body: list[Stmt], moving: dict[Variable, Variable]) -> list[Stmt]:
    out: list[Stmt] = []
    for statement in body:
        where = statement.location
        for inner in bodies_of(statement):
            inner[:] = _split(inner, moving)
        change_parts(statement, lambda part: change_all(part, lambda expr: _changed(expr, moving)))
        match statement:
            case tree.Declare(variable=variable, initializer=value) if variable in moving:
                base, offset = (None, None) if value is None else _start(value)
                at = tree.Declare(where, moving[variable], offset)
                out += [tree.Declare(where, variable, base), at]
            case tree.Evaluate(
                expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)
            ) if variable in moving:
                base, offset = _start(value)
                # The index is first, since both may depend on the old pointer.
                out += [write(moving[variable], offset), write(variable, base)]
            case _:
                out.append(statement)
    return out


def _start(pointer: Expr) -> tuple[Expr, Expr]:
    base, offset = _parts(pointer)
    return base, offset or _zero(pointer.location)


def _changed(expr: Expr, moving: dict[Variable, Variable]) -> Expr:
    where, type = expr.location, expr.type
    match expr:
        case tree.Load(place=tree.VarRef(variable=variable)) if variable in moving:
            return tree.Binary(where, type, "+", expr, tree.read(moving[variable], where))
        case tree.Increment(place=tree.VarRef(variable=variable)) if variable in moving:
            at = tree.VarRef(where, LONG, moving[variable])
            moved = tree.Increment(where, LONG, at, expr.delta, expr.prefix)
            return tree.Binary(where, type, "+", tree.read(variable, where), moved)
        case tree.CompoundAssign(place=tree.VarRef(variable=variable), value=value) if (
            variable in moving
        ):
            at = tree.VarRef(where, LONG, moving[variable])
            amount = tree.Cast(where, LONG, value)
            moved = tree.CompoundAssign(where, LONG, expr.op, at, amount, LONG)
            return tree.Binary(where, type, "+", tree.read(variable, where), moved)
        case _:
            return expr
