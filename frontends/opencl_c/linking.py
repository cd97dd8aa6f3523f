"""The typed trees of several sources -> those of one program (clLinkProgram)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from polycl.errors import SourceError, UnsupportedError
from polycl.frontends.opencl_c.implicit_arguments import nodes
from polycl.frontends.opencl_c.read_functions import Program
from polycl.frontends.opencl_c.tree import Call, Function, Variable, VarRef
from polycl.frontends.opencl_c.types import passed_type

_Definition = TypeVar("_Definition", Function, Variable)


def link(programs: Sequence[Program]) -> Program:
    """One program with the definitions of all, whose trees it takes.

    Functions and data that only their own source can name get other names where they clash.

    Raises:
        SourceError: two sources define the same name, or a definition does not fit its use.
        UnsupportedError: no source defines a variable.
    """
    linked = Program(
        debug_folder=next((p.debug_folder for p in programs if p.debug_folder), ""),
        is_debug_build=any(program.is_debug_build for program in programs),
        may_wait=any(program.may_wait for program in programs),
    )
    functions = [f for program in programs for f in program.functions.values()]
    variables = [v for program in programs for v in _variables(program)]
    external = _by_name(f for f in functions if f.is_external)
    data = _by_name(v for v in variables if v.is_external)
    for program in programs:
        own = _add_functions(program, linked, set(external))
        for function in program.functions.values():
            for call in function.calls:
                if call.function in own:
                    call.function = own[call.function]
                elif call.function in external:
                    _check(call, external[call.function])
    for program in programs:
        for pairs, kept, taken in (
            (program.constants, linked.constants, set(linked.functions)),
            (program.variables, linked.variables, set(linked.functions)),
        ):
            taken |= {variable.symbol for variable, _ in kept}
            for variable, value in pairs:
                while variable.symbol in taken:
                    variable.symbol += "_"
                taken.add(variable.symbol)
                kept.append((variable, value))
        if program.declared:
            _define(program, data)
    return linked


def _variables(program: Program) -> list[Variable]:
    return [variable for variable, _ in (*program.constants, *program.variables)]


def _by_name(definitions: Iterable[_Definition]) -> dict[str, _Definition]:
    """The definitions that other sources can name. Raises SourceError for two of one name."""
    found: dict[str, _Definition] = {}
    for definition in definitions:
        first = found.setdefault(definition.name, definition)
        if first is not definition:
            file, line, column = first.location
            raise SourceError(
                f"'{definition.name}' is defined by two sources that are linked; make one static",
                *definition.location,
                notes=[f"{file}:{line}:{column}: note: the other definition is here"],
            )
    return found


def _add_functions(program: Program, linked: Program, external: set[str]) -> dict[str, str]:
    """Add the functions of `program`. Returns their names in it -> those in `linked`."""
    names: dict[str, str] = {}
    for name, function in program.functions.items():
        if not function.is_external:
            while function.name in linked.functions or function.name in external:
                function.name += "_"
        names[name] = function.name
        linked.functions[function.name] = function
    return names


def _check(call: Call, function: Function) -> None:
    """Check that a definition in another source is as the caller's source declares it."""
    given = [passed_type(argument.type) for argument in call.arguments]
    wanted = [passed_type(parameter.type) for parameter in function.parameters]
    if given != wanted or passed_type(call.type) != passed_type(function.result):
        file, line, column = function.location
        raise SourceError(
            f"function '{function.name}' is declared with other types than it is defined with",
            *call.location,
            notes=[f"{file}:{line}:{column}: note: the definition is here"],
        )


def _define(program: Program, data: dict[str, Variable]) -> None:
    """Let the uses of declared variables mean their definitions."""
    for function in program.functions.values():
        for node in nodes(function):
            if not isinstance(node, VarRef) or node.variable not in program.declared:
                continue
            declared = node.variable
            definition = data.get(declared.name)
            if definition is None:
                raise UnsupportedError(
                    f"variable '{declared.name}' has no definition; define it in this source, "
                    "or link it",
                    *node.location,
                )
            if (definition.type.memory, definition.space) != (declared.type.memory, declared.space):
                raise SourceError(
                    f"variable '{declared.name}' is declared with another type than it is "
                    "defined with",
                    *node.location,
                )
            node.variable = definition
