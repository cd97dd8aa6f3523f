"""A host program's translation unit -> typed trees of its functions and of its variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from clang.cindex import Cursor

from polycl.errors import UnsupportedError
from polycl.frontends.host.host_types import ADDRESS, HostTypes
from polycl.frontends.opencl_c import clang_api, tree
from polycl.frontends.opencl_c.clang_api import CursorKind, TypeKind
from polycl.frontends.opencl_c.initializers import resolve
from polycl.frontends.opencl_c.printed import PrintedTokens, lanes_of
from polycl.frontends.opencl_c.read_expressions import ExpressionReader
from polycl.frontends.opencl_c.read_functions import read_body
from polycl.frontends.opencl_c.read_statements import StatementReader
from polycl.frontends.opencl_c.source import Source, location_of
from polycl.frontends.opencl_c.tree import Expr, Function, Stmt, Variable
from polycl.frontends.opencl_c.types import VOID, Kind, is_unnamed

VARIABLE_ARRAY = "variable-length array"
"""The name of the call that allocates `float a[n]`."""


_API = re.compile(r"cl[A-Z]")
"""The prefix of OpenCL's functions."""


@dataclass
class HostSource:
    """The definitions of one host program."""

    functions: dict[str, Function] = field(default_factory=dict)
    refused: dict[str, UnsupportedError] = field(default_factory=dict)
    """Unsupported functions: an error only if they are called, or are programs."""
    lost: set[str] = field(default_factory=set)
    """The unsupported functions that call the API."""
    internal: set[str] = field(default_factory=set)
    """Static functions, which have no callers outside the file."""
    variables: list[tuple[Variable, Expr | None]] = field(default_factory=list)
    """The variables outside functions, with their initial values."""
    texts: dict[Variable, tree.String] = field(default_factory=dict)
    """Arrays of constant characters outside functions."""
    initial: dict[Variable, tree.String] = field(default_factory=dict)
    """Of a whole program: texts that variables outside functions have from its start to its end."""
    numbers: Iterator[int] = field(default_factory=count)
    """The numbers of new variables, which follow those of the source."""
    is_program: bool = False
    """Whether it is a whole program, whose memory is C's."""
    kept: dict[str, str] = field(default_factory=dict)
    """Of a whole program: the functions that stay in their files, each with its file if it is
    static, else ""."""
    variadic: dict[str, int] = field(default_factory=dict)
    """The functions with `...`: the number of their parameters before."""
    in_c: set[Variable] = field(default_factory=set)
    """Of a whole program: the variables outside functions that stay in their files."""
    files: dict[str, str] = field(default_factory=dict)
    """The file of each function."""
    statics: dict[Variable, str] = field(default_factory=dict)
    """The files of the static ones of the variables that stay in C."""


def read_host(source: Source) -> HostSource:
    """Read every function and variable that a host program defines."""
    return HostReader(source).read()


class _Expressions(ExpressionReader):
    """Expressions of C, where address spaces do not distinguish l-values."""

    def expr(self, cursor: Cursor) -> Expr:
        match clang_api.kind_of(cursor):
            case CursorKind.UNARY_OPERATOR if clang_api.unary_operator(cursor) == 5:
                where = location_of(cursor)
                place = self.expr(clang_api.children(cursor)[0])
                return tree.AddressOf(where, self.type_of(cursor, where), place)
            case CursorKind.MEMBER_REF_EXPR:
                return self._field(cursor)
            case CursorKind.ARRAY_SUBSCRIPT_EXPR:
                return _lane(super().expr(cursor))
            case CursorKind.DECL_REF_EXPR if _is_function(cursor):
                where = location_of(cursor)
                self.printed.name(cursor.spelling)
                address = self.variables.get(clang_api.key_of(clang_api.referenced(cursor)))
                if address is not None:
                    return tree.AddressOf(where, ADDRESS, tree.VarRef(where, VOID, address))
                return tree.Const(where, self.type_of(cursor, where), 0)
            case _:
                return super().expr(cursor)

    def _field(self, cursor: Cursor) -> Expr:
        where = location_of(cursor)
        (child,) = clang_api.children(cursor)
        if self.types.of(_without_pointer(child), where).kind is not Kind.VECTOR:
            return super().expr(cursor)
        base = self.expr(child)
        if base.type.kind is Kind.POINTER:
            base = tree.Index(base.location, base.type.element, base)
        name = clang_api.spelling(clang_api.referenced(cursor))
        if is_unnamed(name):
            return base
        self.printed.member(name)
        lanes = lanes_of(name, base.type.count)
        # `v.s` is the array of all lanes.
        return base if lanes is None else tree.Lanes(where, base.type.element, base, lanes)


def _without_pointer(cursor: Cursor) -> clang_api.Type:
    type = clang_api.canonical_type(clang_api.type_of(cursor))
    return type.get_pointee() if type.kind is TypeKind.POINTER else type


def _is_function(cursor: Cursor) -> bool:
    return clang_api.kind_of(clang_api.referenced(cursor)) is CursorKind.FUNCTION_DECL


def _lane(expr: Expr) -> Expr:
    """`v.s[i]` of a vector, which libclang shows as an array converted to a pointer."""
    match expr:
        case tree.Index(pointer=tree.Cast(operand=tree.Load(place=place)), index=index) if (
            place.type.kind is Kind.VECTOR and index is not None
        ):
            return tree.Element(expr.location, expr.type, place, index)
        case _:
            return expr


def _is_constant(cursor: Cursor) -> bool:
    return cursor.type.get_canonical().is_const_qualified()


class _Statements(StatementReader):
    def __init__(self, expressions: ExpressionReader):
        super().__init__(expressions)
        self.kept: list[tuple[Variable, Expr | None]] = []
        """Static variables of the function, whose lifetime is that of the program."""

    def _declaration(self, cursor: Cursor) -> list[Stmt]:
        read = super()._declaration(cursor)
        if cursor.kind is CursorKind.VAR_DECL and cursor.storage_class.name == "STATIC":
            self.kept += [(s.variable, s.initializer) for s in read if isinstance(s, tree.Declare)]
            return []
        if cursor.type.get_canonical().kind is not TypeKind.VARIABLEARRAY:
            return read
        (declare,) = read
        assert isinstance(declare, tree.Declare)
        sizes = [c for c in clang_api.children(cursor) if c.kind.is_expression()]
        if len(sizes) != 1:
            raise UnsupportedError(
                "a variable-length array of more than one dimension is not supported; use one "
                "dimension, a[i * n + j]",
                *declare.location,
            )
        size = self.expressions.value(sizes[0])
        type = declare.variable.type
        declare.initializer = tree.BuiltinCall(declare.location, type, VARIABLE_ARRAY, [size])
        return [declare]


class HostReader:
    """Reads one file."""

    def __init__(self, source: Source):
        self.source = source
        self.types: HostTypes = HostTypes()
        self.variables: dict[tuple[int, int], Variable] = {}
        self.names: dict[tuple[int, int], str] = {}
        self.found = HostSource()

    def read(self) -> HostSource:
        cursors = clang_api.children(self.source.tu.cursor)
        definitions = [
            c for c in cursors if c.kind is CursorKind.FUNCTION_DECL and c.is_definition()
        ]
        for cursor in definitions:
            self.names[clang_api.key_of(cursor)] = cursor.spelling
            if cursor.storage_class.name == "STATIC":
                self.found.internal.add(cursor.spelling)
        for cursor in cursors:
            if cursor.kind is CursorKind.VAR_DECL:
                self._variable(cursor)
        for cursor in definitions:
            self.read_function(cursor)
        self.found.numbers = count(len(self.variables))
        return self.found

    def read_function(self, cursor: Cursor) -> None:
        """Read the definition of a function, or keep the error that refuses it."""
        try:
            self.found.functions[cursor.spelling] = self._function(cursor)
        except UnsupportedError as error:
            self.found.refused[cursor.spelling] = error
            calls = (c for c in cursor.walk_preorder() if c.kind is CursorKind.CALL_EXPR)
            if any(_API.match(call.spelling) for call in calls):
                self.found.lost.add(cursor.spelling)

    def _reader(self, printed: str) -> _Statements:
        tokens = PrintedTokens(printed)
        return _Statements(_Expressions(self.types, self.variables, self.names, tokens))

    def _variable(self, cursor: Cursor) -> None:
        key = clang_api.key_of(cursor)
        initializer = clang_api.initializer(cursor)
        if key in self.variables and initializer is None:
            return
        reader = self._reader(clang_api.pretty_printed(cursor))
        variable = self.variables.get(key) or reader.declare(cursor)
        value = None
        if initializer is not None:
            value = reader.expressions.value(initializer)
            is_array = variable.type.kind is Kind.ARRAY
            if is_array and isinstance(value, tree.String) and _is_constant(cursor):
                self.found.texts[variable] = value
                return
            value = resolve(variable.type, value)
        self.found.variables.append((variable, value))

    def _function(self, cursor: Cursor) -> Function:
        where = location_of(cursor)
        _, _, body = clang_api.pretty_printed(cursor).partition("{")
        reader = self._reader(body)
        canonical = cursor.type.get_canonical()
        has_types = canonical.kind is TypeKind.FUNCTIONPROTO
        types = list(canonical.argument_types()) if has_types else []
        parameters = list(cursor.get_arguments())
        function = Function(
            cursor.spelling,
            where,
            self.types.of(cursor.result_type, where),
            [
                reader.declare(parameter, type)
                for parameter, type in zip(parameters, types, strict=True)
            ],
            [],
        )
        read_body(function, cursor, reader)
        self.found.variables += reader.kept
        return function
