"""The sources of a host program's kernels: texts, files, and build options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from xdsl.dialects.builtin import i8

from polycl.frontends.host.calls import PREFIX
from polycl.frontends.host.formats import printed_texts
from polycl.frontends.host.host_types import is_setup
from polycl.frontends.host.read import HostSource
from polycl.frontends.host.rewriting import (
    assignments,
    change_statements,
    expressions_in,
    is_null,
    text_of,
    variable_of,
    without_casts,
)
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import walk_statements
from polycl.frontends.opencl_c.source import Location
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import Kind

_SUFFIXES = (".cl", ".ocl")


@dataclass
class KernelSources:
    """The source of a program's kernels."""

    texts: list[tuple[str, Location]] = field(default_factory=list)
    files: list[tuple[str, Location]] = field(default_factory=list)
    options: list[tuple[str | None, Location]] = field(default_factory=list)
    """None: not known."""
    built_with: dict[str, str] = field(default_factory=dict)
    """The options of the first build after a file is read or a text is made."""
    unknown: list[Location] = field(default_factory=list)
    """The calls whose text is not known."""


def all_sources(found: Iterable[KernelSources]) -> KernelSources:
    """The common source of several functions."""
    whole = KernelSources()
    for sources in found:
        whole.texts += [t for t in sources.texts if t[0] not in {text for text, _ in whole.texts}]
        whole.files += sources.files
        whole.options += sources.options
        whole.unknown += sources.unknown
        whole.built_with |= sources.built_with
    return whole


def take_sources(body: list[Stmt], found: KernelSources, source: HostSource) -> None:
    """Remove the statements that make and read the kernels' source.

    Files whose names end in .cl are only opened and read; an unknown function with such a name as
    argument reads one. A whole program still reads them.
    """
    printed = printed_texts(body)
    arrays = _initial_texts(body)
    unchanged = source.initial
    for expr in expressions_in(body):
        if isinstance(expr, BuiltinCall):
            _note(expr, found, printed, arrays, unchanged)
    files = _source_files(body)

    def change(expr: Expr) -> Expr:
        if not isinstance(expr, BuiltinCall):
            return expr
        is_taken = expr.name in (f"{PREFIX}source", f"{PREFIX}build") or (
            not source.is_program
            and (
                _file_name(expr) is not None
                or any(variable_of(argument) in files for argument in expr.arguments)
            )
        )
        # The object is not null; the text is never read.
        is_object = expr.type.kind is Kind.HANDLE
        return Const(expr.location, expr.type, int(is_object)) if is_taken else expr

    change_statements(body, change)


def _initial_texts(body: list[Stmt]) -> dict[Variable, str]:
    """The initial contents of the arrays of characters that the statements declare."""
    found: dict[Variable, str] = {}
    for statement in walk_statements(body):
        match statement:
            case tree.Declare(variable=variable, initializer=tree.Aggregate(entries=entries)):
                values = [e.value for e in entries.values() if isinstance(e, Const)]
                if variable.type.element.value == i8 and len(values) == len(entries):
                    codes = bytes(int(value) % 256 for value in values)
                    found[variable] = codes.partition(b"\0")[0].decode(errors="replace")
            case _:
                pass
    return found


def _note(
    call: BuiltinCall,
    found: KernelSources,
    printed: dict[Variable, str],
    arrays: dict[Variable, str],
    unchanged: Mapping[Variable, tree.String],
) -> None:
    where = call.location
    if call.name == f"{PREFIX}source":
        texts = [text_of(argument) for argument in call.arguments]
        read = map(variable_of, call.arguments)
        texts = [t or (v and unchanged.get(v)) for t, v in zip(texts, read, strict=True)]
        known = [text.text for text in texts if text is not None]
        if known and len(known) == len(texts):
            found.texts.append(("".join(known), where))
        else:
            found.unknown.append(where)
    elif call.name == f"{PREFIX}build":
        (argument,) = call.arguments
        text = text_of(argument)
        array = without_casts(argument)
        if isinstance(array, tree.AddressOf) and isinstance(array.place, tree.VarRef):
            known = printed.get(array.place.variable)
        else:
            known = text.text if text else "" if is_null(argument) else None
        found.options.append((known, where))
        for name, _ in [*found.files, *found.texts]:
            found.built_with.setdefault(name, known or "")
    elif (name := _file_name(call, arrays)) is not None:
        found.files.append((name, where))


def _file_name(
    call: BuiltinCall, arrays: Mapping[Variable, str] = MappingProxyType({})
) -> str | None:
    """The name of a kernel file among the arguments of a call."""
    if call.name.startswith(PREFIX) or call.name in ("printf", "fprintf", "puts"):
        return None
    for argument in call.arguments:
        text, place = text_of(argument), without_casts(argument)
        if text is not None and text.text.endswith(_SUFFIXES):
            return text.text
        if isinstance(place, tree.AddressOf) and isinstance(place.place, tree.VarRef):
            name = arrays.get(place.place.variable, "")
            if name.endswith(_SUFFIXES):
                return name
    return None


def _source_files(body: list[Stmt]) -> set[Variable]:
    """The variables of files that are always kernel files."""
    written: dict[Variable, list[Expr]] = {}
    for variable, value in assignments(body):
        written.setdefault(variable, []).append(value)
    return {
        variable
        for variable, values in written.items()
        if is_setup(variable.type) and all(map(_opens_source, values))
    }


def _opens_source(value: Expr) -> bool:
    value = without_casts(value)
    return isinstance(value, BuiltinCall) and _file_name(value) is not None or is_null(value)
