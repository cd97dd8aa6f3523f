"""A whole program of several files -> the typed trees of its functions that use OpenCL.

Its memory is C's (`CMemoryTypes`). Functions that use no OpenCL stay in their files, and are called
there, as functions of the library are; so do variables outside functions that are no objects of
OpenCL.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from clang.cindex import Cursor

from polycl.errors import UnsupportedError
from polycl.frontends.host.calls import C_CALL, is_api
from polycl.frontends.host.evaluation import set_in
from polycl.frontends.host.host_types import ADDRESS, CMemoryTypes, is_buffer, is_setup
from polycl.frontends.host.read import HostReader, HostSource
from polycl.frontends.host.rewriting import change_statements, expressions_in, text_of
from polycl.frontends.host.source import parse_program
from polycl.frontends.opencl_c import clang_api, tree
from polycl.frontends.opencl_c.clang_api import CursorKind, TypeKind
from polycl.frontends.opencl_c.initializers import resolve
from polycl.frontends.opencl_c.source import Location, Source, location_of
from polycl.frontends.opencl_c.tree import BuiltinCall, Expr, Variable
from polycl.frontends.opencl_c.types import CType, Kind

_CALL = re.compile(r"\bcl[A-Z]\w*\s*\(")
_WORD = re.compile(r"\w+")
_HANDLE = re.compile(r"\b_?cl_(?:mem|kernel)\b")
_HARMLESS = re.compile(
    r"clGet\w+Info|clEnqueueMarker\w*|clWaitForEvents|clFlush|clFinish|cl(?:Release|Retain)Event|"
    r"cl\w+UserEvent\w*"
)
"""Functions of the API that neither set up a device nor access a buffer or a kernel: clocks and
reports are made of them."""


@dataclass
class _Definition:
    """A function of the program: its cursor, and the names of all functions that it calls."""

    cursor: Cursor
    reader: HostReader
    names: set[str] = field(default_factory=set)
    variables: set[str] = field(default_factory=set)
    """All names in it."""

    @property
    def is_static(self) -> bool:
        return self.cursor.storage_class.name == "STATIC"

    @property
    def file(self) -> str:
        return self.reader.source.filename

    @property
    def has_handles(self) -> bool:
        """Whether it gets or returns a kernel or a buffer."""
        cursor = self.cursor
        types = [cursor.result_type, *(a.type for a in cursor.get_arguments())]
        return any(_HANDLE.search(type.get_canonical().spelling) for type in types)


def read_program(files: Mapping[str, Sequence[str]]) -> HostSource:
    """Read the functions of a program in C that use OpenCL, of those of its files that have any.

    Each file has its options, -D and -I as clang takes them.

    Raises:
        SourceError: clang found errors in a file.
    """
    found = HostSource(is_program=True)
    types = CMemoryTypes()
    variables: dict[tuple[int, int], Variable] = {}
    objects: dict[str, Variable] = {}
    readers: dict[str, _ProgramReader] = {}
    definitions: dict[str, _Definition] = {}
    twice: set[str] = set()
    texts = {file: Path(file).read_text(errors="replace") for file in files}
    wanted = [file for file in files if _CALL.search(texts[file])]
    while wanted:
        for file in wanted:
            reader = _ProgramReader(
                parse_program(file, files[file]), found, types, variables, objects
            )
            readers[file] = reader
            for name, definition in _definitions(reader).items():
                known = definitions.get(name, definition)
                # One that both include is the same.
                if _place(known.cursor) != _place(definition.cursor):
                    twice.add(name)
                definitions.setdefault(name, definition)
        # Files that call a function of these files are a part of the program, too.
        known = {n for n, d in definitions.items() if not d.is_static and n != "main"}
        rest = [file for file in files if file not in readers]
        wanted = [file for file in rest if known.intersection(_WORD.findall(texts[file]))]
    for reader in readers.values():
        reader.read_variables()
    users = _users(definitions, {variable.name for variable, _ in found.variables})
    for name, definition in definitions.items():
        found.files[name] = definition.file
        if name not in users:
            found.kept[name] = definition.file if definition.is_static else ""
        else:
            definition.reader.names[clang_api.key_of(definition.cursor)] = name
    for name, definition in definitions.items():
        if name not in users:
            continue
        if name in twice:
            found.refused[name] = _twice(name, location_of(definition.cursor))
            continue
        definition.reader.read_function(definition.cursor)
    found.lost &= users
    for function in found.functions.values():
        for expr in expressions_in(function.body):
            if isinstance(expr, BuiltinCall) and expr.name in twice - users:
                raise _twice(expr.name, expr.location)
        change_statements(function.body, lambda e, f=function: _call_across(e, f, found, users))
    outside = " ".join(text for file, text in texts.items() if file not in readers)
    _keep_unchanged(found, definitions, set(_WORD.findall(outside)))
    found.numbers = count(len(variables))
    return found


def _keep_unchanged(
    found: HostSource, definitions: Mapping[str, _Definition], outside: set[str]
) -> None:
    """Keep the texts of variables that nothing can set: no function that is read here does, and no
    other function, and no file with the names `outside`, mentions them."""
    elsewhere = set(outside).union(
        *(d.variables for name, d in definitions.items() if name not in found.functions)
    )
    changed = {v for function in found.functions.values() for v in set_in(function.body)}
    found.initial = {
        variable: text
        for variable, text in found.initial.items()
        if variable not in changed and variable.name not in elsewhere
    }


def _place(cursor: Cursor) -> tuple[Path, int]:
    """Where a declaration is, whatever path its file is included by."""
    file, line, _ = location_of(cursor)
    return Path(file).resolve(), line


def _twice(name: str, where: Location) -> UnsupportedError:
    return UnsupportedError(f"there are two functions '{name}' in the files; rename one", *where)


def _definitions(reader: HostReader) -> dict[str, _Definition]:
    """The functions that a file defines, without those of the system's headers."""
    found: dict[str, _Definition] = {}
    for cursor in clang_api.children(reader.source.tu.cursor):
        if cursor.kind is CursorKind.FUNCTION_DECL and cursor.is_definition():
            if not cursor.location.is_in_system_header:
                definition = _Definition(cursor, reader)
                for inner in cursor.walk_preorder():
                    if inner.kind is CursorKind.CALL_EXPR:
                        definition.names.add(inner.spelling)
                    elif inner.kind is CursorKind.DECL_REF_EXPR:
                        definition.variables.add(inner.spelling)
                found[cursor.spelling] = definition
    return found


def _users(definitions: dict[str, _Definition], objects: set[str]) -> set[str]:
    """The functions that use OpenCL, directly or through others.

    `objects` are the variables outside functions with objects of OpenCL.
    """
    calls = {
        name: {n for n in _reached(name, definitions) if re.fullmatch(r"cl[A-Z]\w*", n)}
        for name in definitions
    }
    users = {n for n, d in definitions.items() if d.has_handles or d.variables & objects}
    users |= {n for n, called in calls.items() if any(not _HARMLESS.fullmatch(c) for c in called)}
    # A function that only waits is a part of the program.
    users |= {n for n, c in calls.items() if c and c <= {"clFinish", "clFlush", "clWaitForEvents"}}
    # A function with objects of the API as parameters is one, too: its own are not in memory.
    users |= {n for n, c in calls.items() if c and _has_objects(definitions[n].cursor)}
    while True:
        more = {n for n, d in definitions.items() if d.names & users} - users
        if not more:
            return users
        users |= more


def _has_objects(cursor: Cursor) -> bool:
    return any("_cl_" in a.type.get_canonical().spelling for a in cursor.get_arguments())


def _reached(name: str, definitions: dict[str, _Definition]) -> set[str]:
    """The names of all functions that a function may call."""
    reached: set[str] = set()
    work = [name]
    while work:
        found = definitions.get(work.pop())
        new = (found.names if found else set()) - reached
        reached |= new
        work += new
    return reached


def _call_across(expr: Expr, function: tree.Function, found: HostSource, users: set[str]) -> Expr:
    """A call of a function that another file defines."""
    if isinstance(expr, BuiltinCall) and expr.name in users:
        call = tree.Call(expr.location, expr.type, expr.name, expr.arguments)
        function.calls.append(call)
        return call
    if isinstance(expr, BuiltinCall) and expr.name in found.kept and is_api(expr):
        # A name like that of a function of the API.
        expr.name = f"{C_CALL}{expr.name}"
    return expr


class _ProgramReader(HostReader):
    """Reads one of several files; objects of OpenCL outside functions are shared by name."""

    def __init__(
        self,
        source: Source,
        found: HostSource,
        types: CMemoryTypes,
        variables: dict[tuple[int, int], Variable],
        objects: dict[str, Variable],
    ):
        super().__init__(source)
        self.found, self.types, self.variables = found, types, variables
        self.objects = objects

    def read_variables(self) -> None:
        for cursor in clang_api.children(self.source.tu.cursor):
            if cursor.kind is CursorKind.VAR_DECL:
                try:
                    self._global(cursor)
                except UnsupportedError:
                    # It is an error where it is used.
                    continue
            elif cursor.kind is CursorKind.FUNCTION_DECL:
                self._address(cursor)
                type = cursor.type
                if type.kind is TypeKind.FUNCTIONPROTO and type.is_function_variadic():
                    self.found.variadic[cursor.spelling] = len(list(type.argument_types()))

    def _address(self, cursor: Cursor) -> None:
        """A variable whose address is that of a function."""
        key = clang_api.key_of(cursor)
        if key not in self.variables:
            where = location_of(cursor)
            variable = Variable(cursor.spelling, ADDRESS.element, len(self.variables), where, True)
            self.variables[key] = variable
            self._keep(variable, cursor)

    def _global(self, cursor: Cursor) -> None:
        key = clang_api.key_of(cursor)
        if key in self.variables and clang_api.initializer(cursor) is None:
            return
        is_shared = cursor.storage_class.name != "STATIC"
        if is_shared and cursor.spelling in self.objects:
            self.variables[key] = self.objects[cursor.spelling]
            return
        reader = self._reader(clang_api.pretty_printed(cursor))
        variable = self.variables.get(key) or reader.declare(cursor)
        if _has_objects_in(variable.type):
            initializer = clang_api.initializer(cursor)
            value = None if initializer is None else reader.expressions.value(initializer)
            value = None if value is None else resolve(variable.type, value)
            self.found.variables.append((variable, value))
            if is_shared:
                self.objects[cursor.spelling] = variable
            return
        variable.in_memory = True
        if (initializer := clang_api.initializer(cursor)) is not None:
            text = text_of(reader.expressions.value(initializer))
            if text is not None:
                self.found.initial[variable] = text
        self._keep(variable, cursor)

    def _keep(self, variable: Variable, cursor: Cursor) -> None:
        self.found.in_c.add(variable)
        if cursor.storage_class.name == "STATIC":
            self.found.statics[variable] = self.source.filename


def _has_objects_in(type: CType) -> bool:
    """Whether a type has objects of OpenCL in it."""
    if type.kind is Kind.ARRAY:
        return _has_objects_in(type.element)
    is_object = type.kind is Kind.HANDLE and (is_buffer(type) or is_setup(type))
    return (
        is_object
        or type.spelling == "cl_kernel"
        or any(_has_objects_in(field) for _, field in type.fields)
    )
