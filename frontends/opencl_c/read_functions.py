"""A translation unit -> its functions and its program-scope data, as typed trees."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from clang.cindex import Cursor
from xdsl.dialects.builtin import IntegerType

from polycl.dialects.ocl import SUB_GROUP_SIZES, AddressSpace
from polycl.dialects.ocl.assumptions import AssumptionError, check_assumption
from polycl.errors import SourceError, UnsupportedError
from polycl.frontends.opencl_c import clang_api
from polycl.frontends.opencl_c.assumed import assumed
from polycl.frontends.opencl_c.builtins import TABLE as BUILTINS
from polycl.frontends.opencl_c.clang_api import CursorKind, TypeKind
from polycl.frontends.opencl_c.contraction import Contraction, ContractionPragmas
from polycl.frontends.opencl_c.initializers import resolve
from polycl.frontends.opencl_c.printed import OutOfStep, PrintedTokens
from polycl.frontends.opencl_c.read_cpp import METHODS, CppReader, declarations, this_type
from polycl.frontends.opencl_c.read_expressions import ExpressionReader
from polycl.frontends.opencl_c.read_statements import StatementReader
from polycl.frontends.opencl_c.source import Location, Source, is_builtin, location_of
from polycl.frontends.opencl_c.tree import Const, Expr, Function, Variable
from polycl.frontends.opencl_c.types import Kind, TypeTable, is_reference

_NAME = re.compile(r"[A-Za-z_]\w*")
_WAITING = re.compile(r"barrier|_group_")
"""A part of the name of every function that waits for other work-items."""
_VEC_TYPE_HINT = re.compile(r"\bvec_type_hint\((.*?)\)")


@dataclass
class Program:
    """The definitions of one source; data and variables are paired with their initial values."""

    functions: dict[str, Function] = field(default_factory=dict)
    constants: list[tuple[Variable, Expr | None]] = field(default_factory=list)
    variables: list[tuple[Variable, Expr | None]] = field(default_factory=list)
    """Variables in global memory (OpenCL 2.0, section 6.5.1)."""
    declared: list[Variable] = field(default_factory=list)
    """Data and variables that are defined elsewhere (`extern`)."""
    debug_folder: str = ""
    """Of a program with source lines in its code: where relative names of files start."""
    is_debug_build: bool = False
    may_wait: bool = False
    """Whether its work-items may wait for each other."""


@dataclass(frozen=True)
class _Definition:
    """The definition of a function, and its text as clang prints it."""

    cursor: Cursor
    printed: str

    @property
    def head(self) -> str:
        return self.printed.partition("{")[0]

    @property
    def body(self) -> str:
        return self.printed.partition("{")[2]

    @property
    def is_kernel(self) -> bool:
        return re.search(r"\b(__)?kernel\b", self.head) is not None


def read_program(source: Source, *, whole: bool = False) -> Program:
    """Read the function definitions and program-scope variables.

    The functions are those that kernels reach; with `whole`, or without kernels, they are all.

    Raises:
        UnsupportedError: a construct that this compiler does not have.
    """
    return _ProgramReader(source).read(whole)


def _reached(definitions: Sequence[_Definition]) -> list[_Definition]:
    """The kernels, and the functions whose names occur in one of these, in source order.

    A few more than those that are called may be among them: a name may be that of a variable.
    """
    by_name: dict[str, list[_Definition]] = {}
    for definition in definitions:
        by_name.setdefault(definition.cursor.spelling, []).append(definition)
    waiting = [definition for definition in definitions if definition.is_kernel]
    names = {definition.cursor.spelling for definition in waiting}
    while waiting:
        for name in set(_NAME.findall(waiting.pop().body)) - names:
            if name in by_name:
                names.add(name)
                waiting += by_name[name]
    return [definition for definition in definitions if definition.cursor.spelling in names]


class _ProgramReader:
    def __init__(self, source: Source):
        self.source = source
        self.is_cpp = source.is_cpp
        self.pending: list[Cursor] = []
        """Functions that are called and not read, such as instances of templates."""
        self.required: set[tuple[int, int]] = set()
        """The functions that are read, or will be."""
        self.types = TypeTable()
        self.variables: dict[tuple[int, int], Variable] = {}
        self.function_names: dict[tuple[int, int], str] = {}
        self.captures: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.program = Program(
            debug_folder=os.getcwd() if source.has_lines else "", is_debug_build=source.debug
        )

    def read(self, whole: bool) -> Program:
        cursors = [
            cursor for cursor in declarations(self.source.tu.cursor) if not is_builtin(cursor)
        ]
        for cursor in cursors:
            if cursor.kind is CursorKind.FUNCTION_DECL:
                self._name_function(cursor)
        everywhere = self.source.contraction_everywhere
        default = Contraction.ALWAYS if everywhere else Contraction.EXPRESSION
        self.pragmas = ContractionPragmas(self.source, cursors, default)
        definitions = [
            _Definition(cursor, clang_api.pretty_printed(cursor))
            for cursor in cursors
            if cursor.kind is CursorKind.FUNCTION_DECL and cursor.is_definition()
        ]
        wanted = definitions if whole else _reached(definitions) or definitions
        self.program.may_wait = any(_WAITING.search(definition.printed) for definition in wanted)
        by_key = {clang_api.key_of(definition.cursor): definition for definition in wanted}
        self.required = set(by_key)
        for cursor in cursors:
            if cursor.kind is CursorKind.VAR_DECL:
                self._global(cursor)
            elif cursor.kind is CursorKind.FUNCTION_DECL and cursor.is_definition():
                definition = by_key.get(clang_api.key_of(cursor))
                if definition is not None:
                    function = self._function(definition)
                    self.program.functions[function.name] = function
        while self.pending:
            cursor = self.pending.pop()
            function = self._function(_Definition(cursor, clang_api.pretty_printed(cursor)))
            self.program.functions[function.name] = function
        return self.program

    def _require(self, cursor: Cursor) -> str:
        """The name of a function of C++, which is read if it was not."""
        key = clang_api.key_of(cursor)
        self._name_function(cursor)
        if key not in self.required:
            self.required.add(key)
            definition = cursor if cursor.is_definition() else cursor.get_definition()
            if definition is not None:
                self.pending.append(definition)
        return self.function_names[key]

    def _name_function(self, cursor: Cursor) -> None:
        """Give overloaded functions (clang's `overloadable`) different names."""
        key = clang_api.key_of(cursor)
        if key in self.function_names:
            return
        if cursor.get_definition() is None and cursor.spelling in BUILTINS:
            # Programs declare functions of OpenCL C again.
            return
        name = spelling = re.sub(r"\W+", "_", cursor.spelling)
        taken = set(self.function_names.values())
        number = 1
        while name in taken:
            name = f"{spelling}_{number}"
            number += 1
        self.function_names[key] = name

    def _reader(self, printed: str) -> StatementReader:
        tokens = PrintedTokens(printed)
        if self.is_cpp:
            names = self.function_names
            return StatementReader(
                CppReader(self.types, self.variables, names, tokens, self._require, self.captures),
                self.source.debug,
            )
        return StatementReader(
            ExpressionReader(self.types, self.variables, self.function_names, tokens),
            self.source.debug,
        )

    def _global(self, cursor: Cursor) -> None:
        if cursor.storage_class is clang_api.EXTERN and cursor.type.get_size() < 0:
            # Of a structure that only another source defines: nothing can use it here.
            return
        reader = self._reader(clang_api.pretty_printed(cursor))
        variable = reader.declare(cursor)
        if variable.type.kind is Kind.SAMPLER:
            reader.define_sampler(variable, cursor)
        else:
            variable.is_external = cursor.storage_class is not clang_api.STATIC
            self._program_data(reader, variable, cursor)

    def _program_data(self, reader: StatementReader, variable: Variable, cursor: Cursor) -> None:
        initializer = clang_api.initializer(cursor)
        is_kept = variable.space is AddressSpace.GLOBAL
        if initializer is None and cursor.storage_class is clang_api.EXTERN:
            self.program.declared.append(variable)
            return
        if initializer is None and not is_kept:
            raise UnsupportedError(
                f"program-scope data '{variable.name}' without an initialiser is not supported",
                *variable.location,
            )
        value = None
        if initializer is not None:
            number = clang_api.evaluate(initializer) if self._is_constexpr(variable) else None
            value = (
                resolve(variable.type, reader.expressions.value(initializer))
                if number is None
                else Const(variable.location, variable.type, number)
            )
        program = self.program
        found = program.variables if is_kept else program.constants
        taken = {other.symbol for other, _ in found}
        while variable.symbol in taken or variable.symbol in program.functions:
            variable.symbol += "_"
        found.append((variable, value))

    def _is_constexpr(self, variable: Variable) -> bool:
        """Whether clang may know the initial value by functions that it evaluates."""
        return self.is_cpp and variable.type.is_scalar

    def _function(self, definition: _Definition) -> Function:
        # The values of fields are printed in front of a constructor's body.
        is_constructor = definition.cursor.kind is CursorKind.CONSTRUCTOR
        reader = self._reader(definition.printed if is_constructor else definition.body)
        with reader.scope(definition.cursor):
            return self._read_function(definition, reader)

    def _read_function(self, definition: _Definition, reader: StatementReader) -> Function:
        cursor, head = definition.cursor, definition.head
        where = location_of(cursor)
        if cursor.type.is_function_variadic():
            raise UnsupportedError("variadic functions are not supported", *where)
        reader.pragmas = self.pragmas
        reader.expressions.contraction = self.pragmas.of(cursor)
        parameters = list(cursor.get_arguments())
        own: list[Variable] = []
        if isinstance(reader.expressions, CppReader) and is_reference(cursor.result_type):
            reader.expressions.bound_result = self.types.of(cursor.result_type, where)
        if isinstance(reader.expressions, CppReader) and _has_this(cursor):
            this = Variable("this", this_type(self.types, cursor), len(self.variables), where)
            self.variables[(-1, this.number)] = this
            reader.expressions.enter(cursor, this)
            own = [this]
        # In the canonical type of a function, array parameters are pointers.
        types = cursor.type.get_canonical().argument_types()
        function = Function(
            self.function_names[clang_api.key_of(cursor)],
            where,
            self.types.of(cursor.result_type, where),
            [
                *own,
                *(
                    reader.declare(parameter, type)
                    for parameter, type in zip(parameters, types, strict=True)
                ),
            ],
            [],
            is_kernel=definition.is_kernel,
            sizes={
                name: _size(match)
                for name in ("reqd_work_group_size", "work_group_size_hint")
                if (match := re.search(rf"\b{name}\((.*?)\)", head))
            },
            sub_group_size=_sub_group_size(head, where),
            vec_type_hint=hint[1] if (hint := _VEC_TYPE_HINT.search(head)) else "",
            parameter_flags=[_flags(parameter) for parameter in parameters],
            parameter_typedefs=[_typedef(parameter) for parameter in parameters],
            # In C, an inline function alone defines none that other sources can call.
            is_external=not self.is_cpp
            and re.search(r"\b(static|(__)?inline(__)?)\b", head) is None,
            is_uniform=self.source.uniform_groups,
            permitted=self.source.permitted,
        )
        if function.is_kernel:
            function.assumptions = _assumptions(cursor, function.parameters)
        read_body(function, cursor, reader)
        if function.is_kernel:
            function.assumptions += assumed(function)
        for variable, declaration in reader.program_data:
            inner = self._reader(clang_api.pretty_printed(declaration))
            self._program_data(inner, variable, declaration)
        return function


def read_body(function: Function, cursor: Cursor, reader: StatementReader) -> None:
    """Read the body of the definition `cursor` into `function`.

    Raises:
        UnsupportedError: a construct that this compiler does not have.
    """
    definition = next(c for c in clang_api.children(cursor) if c.kind is CursorKind.COMPOUND_STMT)
    try:
        initializers = (
            reader.expressions.initializers(cursor)
            if cursor.kind is CursorKind.CONSTRUCTOR and isinstance(reader.expressions, CppReader)
            else []
        )
        function.body = [*initializers, *reader.body(definition)]
    except OutOfStep as error:
        raise UnsupportedError(
            f"cannot follow function '{function.name}' through its macros (at '{error}')",
            *function.location,
        ) from error
    function.calls = reader.expressions.calls
    function.temporaries = reader.expressions.block_expressions.made


def _has_this(cursor: Cursor) -> bool:
    is_method = cursor.kind in METHODS and not cursor.is_static_method()
    return is_method or cursor.kind is CursorKind.CONSTRUCTOR


def _assumptions(kernel: Cursor, parameters: list[Variable]) -> list[str]:
    """The texts of `__attribute__((annotate("assume: width >= 64")))`.

    Raises:
        SourceError: one is malformed, or names no integer parameter.
    """
    integers = [p.name for p in parameters if isinstance(p.type.memory, IntegerType)]
    found: list[str] = []
    for attribute in clang_api.children(kernel):
        start, colon, text = attribute.spelling.partition(":")
        if attribute.kind is CursorKind.ANNOTATE_ATTR and start.strip() == "assume" and colon:
            try:
                check_assumption(text.strip(), integers)
            except AssumptionError as error:
                where = location_of(attribute)
                raise SourceError(error.message, *where, notes=[error.place]) from None
            found.append(text.strip())
    return found


def _size(match: re.Match[str]) -> tuple[int, int, int]:
    x, y, z = (int(number.strip().rstrip("uUlL"), 0) for number in match[1].split(","))
    return x, y, z


def _sub_group_size(head: str, where: Location) -> int | None:
    """The size that a kernel requires of its sub-groups (cl_intel_required_subgroup_size).

    Raises:
        UnsupportedError: sub-groups never have this size.
    """
    match = re.search(r"\bintel_reqd_sub_group_size\((.*?)\)", head)
    if match is None:
        return None
    size = int(match[1].strip().rstrip("uUlL"), 0)
    if size not in SUB_GROUP_SIZES:
        known = ", ".join(map(str, SUB_GROUP_SIZES))
        raise UnsupportedError(f"a sub-group has one of {known} work-items, got {size}", *where)
    return size


def _typedef(parameter: Cursor) -> str:
    """The type of a parameter by the name of the source's own typedef, else ""."""
    type, stars = parameter.type, ""
    while type.kind is TypeKind.POINTER:
        type, stars = type.get_pointee(), f"{stars}*"
    declaration = type.get_declaration()
    if declaration.kind is not CursorKind.TYPEDEF_DECL or is_builtin(declaration):
        return ""
    # Of an unnamed struct, the typedef's is the only name.
    is_struct = type.get_canonical().kind is TypeKind.RECORD
    return "" if is_struct else declaration.spelling + stars


def _flags(parameter: Cursor) -> tuple[str, ...]:
    """`const`, `restrict` and `volatile` as clGetKernelArgInfo reports them."""
    type = parameter.type.get_canonical()
    pointee = type.get_pointee()
    if not pointee.spelling:
        return ()
    return tuple(
        name
        for name, is_set in (
            ("const", pointee.is_const_qualified()),
            ("restrict", type.is_restrict_qualified()),
            ("volatile", pointee.is_volatile_qualified()),
        )
        if is_set
    )
