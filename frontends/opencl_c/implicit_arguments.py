"""Implicit arguments of functions: addresses that only a kernel has.

They are the address of the structure with the program's variables, and the `__local` variables of
kernels that are called as functions. The calling kernel allocates these, however deep the call is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from polycl.dialects.ocl import AddressSpace
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import expressions_of, in_order, walk, walk_statements
from polycl.frontends.opencl_c.tree import Expr, Function, Variable


def implicit_arguments(
    functions: Mapping[str, Function], program_variables: Variable | None
) -> dict[str, list[Variable]]:
    """The variables that each function and the functions it calls need, in order.

    `program_variables` is the structure, if there is one.
    """
    found: dict[str, set[Variable]] = {}
    called: dict[str, set[str]] = {}
    for name, function in functions.items():
        found[name] = {
            statement.variable
            for statement in walk_statements(function.body)
            if isinstance(statement, tree.Declare)
            and statement.variable.space is AddressSpace.LOCAL
        }
        if program_variables is not None and any(map(_is_program_variable, nodes(function))):
            found[name].add(program_variables)
        called[name] = {call.function for call in function.calls}
    grows = True
    while grows:
        grows = False
        for name, needed in found.items():
            more = {v for other in called[name] for v in found.get(other, ())} - needed
            needed |= more
            grows |= bool(more)
    return {name: in_order(needed) for name, needed in found.items()}


def nodes(function: Function) -> Iterable[Expr]:
    """All expressions of a function."""
    for statement in walk_statements(function.body):
        for expr in expressions_of(statement):
            yield from walk(expr)


def _is_program_variable(node: Expr) -> bool:
    return isinstance(node, tree.VarRef) and node.variable.space is AddressSpace.GLOBAL
