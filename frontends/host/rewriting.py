"""Changing typed trees in place, and copying them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from polycl.dialects.ocl import AddressSpace
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import expressions_of, walk, walk_statements
from polycl.frontends.opencl_c.tree import Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import LONG, CType, Kind, pointer_to

Change = Callable[[Expr], Expr]
NewVariable = Callable[[str, CType, tree.Location], Variable]
"""Makes a new variable."""


def change_parts(node: Expr | Stmt, change: Change) -> None:
    """Replace each direct operand of a node by `change(part)`."""
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, Expr):
            setattr(node, field.name, change(value))
        elif isinstance(value, list) and any(isinstance(item, Expr) for item in value):
            value[:] = [change(item) for item in value]
        elif isinstance(value, dict):
            for key, item in value.items():
                value[key] = change(item)


def change_all(expr: Expr, change: Change) -> Expr:
    """Change an expression, its parts first."""
    change_parts(expr, lambda part: change_all(part, change))
    return change(expr)


def change_statements(statements: Iterable[Stmt], change: Change) -> None:
    """Change every expression in the statements, parts first."""
    for statement in walk_statements(statements):
        change_parts(statement, lambda part: change_all(part, change))


def expressions_in(statements: Iterable[Stmt]) -> Iterable[Expr]:
    """Every expression in the statements, with its parts."""
    for statement in walk_statements(statements):
        for expr in expressions_of(statement):
            yield from walk(expr)


def assignments(statements: Iterable[Stmt]) -> Iterable[tuple[Variable, Expr]]:
    """The variables that the statements assign as a whole, each with the value."""
    for statement in walk_statements(statements):
        if isinstance(statement, tree.Declare) and statement.initializer is not None:
            yield statement.variable, statement.initializer
        for expr in (node for outer in expressions_of(statement) for node in walk(outer)):
            if isinstance(expr, tree.Assign) and isinstance(expr.place, tree.VarRef):
                yield expr.place.variable, expr.value


def addressed(statements: Iterable[Stmt]) -> set[Variable]:
    """The variables whose address, or that of a part, is taken."""
    return {
        root.variable
        for expr in expressions_in(statements)
        if isinstance(expr, tree.AddressOf)
        and isinstance(root := tree.root(expr.place), tree.VarRef)
    }


def copied(node: Any, variables: Callable[[Variable], Variable] | None = None) -> Any:
    """A copy of statements or expressions in which `variables` gives the variables."""
    if isinstance(node, Variable):
        return node if variables is None else variables(node)
    if isinstance(node, list):
        return [copied(item, variables) for item in node]
    if isinstance(node, dict):
        return {key: copied(item, variables) for key, item in node.items()}
    if isinstance(node, Expr | Stmt | tree.Segment) and is_dataclass(node):
        # The order of the fields is that of the constructor.
        return type(node)(*(copied(getattr(node, f.name), variables) for f in fields(node)))
    return node


def without_casts(expr: Expr) -> Expr:
    """The expression under its conversions."""
    while isinstance(expr, tree.Cast):
        expr = expr.operand
    return expr


def is_null(expr: Expr) -> bool:
    """Whether the expression is a null pointer constant."""
    expr = without_casts(expr)
    return isinstance(expr, tree.Const) and expr.value == 0


def text_of(expr: Expr) -> tree.String | None:
    """The string literal that a pointer points to, if it is one."""
    expr = without_casts(expr)
    if isinstance(expr, tree.AddressOf):
        expr = expr.place
    return expr if isinstance(expr, tree.String) else None


def write(variable: Variable, value: Expr) -> Stmt:
    """`variable = value;`"""
    return tree.Evaluate(value.location, tree.assignment(variable, value, value.location))


def variable_of(expr: Expr) -> Variable | None:
    """The variable of an expression that only reads one."""
    expr = without_casts(expr)
    if isinstance(expr, tree.Load) and isinstance(expr.place, tree.VarRef):
        return expr.place.variable
    return None


def dereferenced(pointer: Expr, index: int = 0) -> Expr:
    """The value of `pointer[index]`, a variable where the pointer is its address."""
    pointer = without_casts(pointer)
    where = pointer.location
    if isinstance(pointer, tree.Conditional):
        sides = [dereferenced(side, index) for side in (pointer.then, pointer.otherwise)]
        return tree.Conditional(where, sides[0].type, pointer.condition, *sides)
    if isinstance(pointer, tree.AddressOf):
        place = pointer.place
        if pointer.type.element.kind is Kind.ARRAY:
            # `&a` where a pointer to the first element is wanted: the same address
            type = pointer_to(place.type.element, AddressSpace.PRIVATE)
            pointer = tree.AddressOf(where, type, place)
        if place.type.kind is not Kind.ARRAY:
            # `&x`, or `&a[i]`
            if isinstance(place, tree.Index) and index:
                place = tree.Index(where, place.type, pointer, _number(index, place))
            return place if isinstance(place, tree.Aggregate) else _load(place)
        if isinstance(place, tree.Aggregate):
            return place.entries.get(index) or tree.Const(where, place.type.element, 0)
    element = pointer.type.element
    return _load(tree.Index(where, element, pointer, _number(index, pointer)))


def _load(place: Expr) -> Expr:
    return tree.Load(place.location, place.type, place)


def _number(value: int, at: Expr) -> Expr:
    return tree.Const(at.location, LONG, value)


def element_of(pointer: Expr) -> CType:
    """The pointee of a pointer before its conversions."""
    return without_casts(pointer).type.element
