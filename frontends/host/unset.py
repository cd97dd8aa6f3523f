"""Tests of objects that do not exist yet: `if (queue != NULL) return;` in front of `queue = ...`.

Objects of the API are never null behind the calls that make them. In front of those, a variable
that starts as null is still null, which is how programs set up a device once.
"""

from __future__ import annotations

from collections.abc import Iterable

from polycl.frontends.host.rewriting import change_all, change_parts, is_null
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import bodies_of, expressions_of, walk, walk_statements
from polycl.frontends.opencl_c.tree import Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import Kind


def tell_unset(body: list[Stmt], outside: Iterable[Variable]) -> None:
    """Put null for handles that are not set yet; `outside` are the variables of the program."""
    given = _given(body)
    _visit(body, {v for v in outside if v.type.kind is Kind.HANDLE and v in given})


def _given(statements: list[Stmt]) -> set[Variable]:
    """The variables that the statements may give a value, also by their address."""
    found: set[Variable] = set()
    for statement in walk_statements(statements):
        for outer in expressions_of(statement):
            for node in walk(outer):
                if isinstance(node, tree.Assign | tree.AddressOf):
                    root = tree.root(node.place)
                    if isinstance(root, tree.VarRef):
                        found.add(root.variable)
    return found


def _visit(statements: list[Stmt], unset: set[Variable]) -> None:
    """Change the statements; what they set is taken out of `unset`."""
    for statement in statements:
        if isinstance(statement, tree.While | tree.DoWhile | tree.CountedLoop):
            # A later turn sees what an earlier one has set.
            unset -= _given([statement])

        def change(expr: Expr) -> Expr:
            match expr:
                case tree.Load(place=tree.VarRef(variable=variable)) if variable in unset:
                    return Const(expr.location, expr.type, 0)
                case _:
                    return expr

        change_parts(statement, lambda part: change_all(part, change))
        bodies = bodies_of(statement)
        if len(bodies) == 1:
            _visit(bodies[0], unset)
        else:
            for body in bodies:
                _visit(body, set(unset))
        unset -= _given([statement])
        match statement:
            case tree.Declare(variable=variable, initializer=value) if (
                variable.type.kind is Kind.HANDLE and value is not None and is_null(value)
            ):
                unset.add(variable)
