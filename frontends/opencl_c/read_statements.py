"""libclang's statement cursors -> the typed tree."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from itertools import islice

from clang.cindex import Cursor, Type

from polycl.dialects.ocl import AddressSpace
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import clang_api, tree
from polycl.frontends.opencl_c.clang_api import CursorKind
from polycl.frontends.opencl_c.contraction import ContractionPragmas
from polycl.frontends.opencl_c.initializers import resolve
from polycl.frontends.opencl_c.jumps import CaseLabel, Goto, Label
from polycl.frontends.opencl_c.read_cpp import CppReader
from polycl.frontends.opencl_c.read_expressions import ExpressionReader
from polycl.frontends.opencl_c.source import location_of
from polycl.frontends.opencl_c.tree import Segment, Stmt, Variable
from polycl.frontends.opencl_c.types import Kind, is_reference, space_of

_REFUSED = {
    CursorKind.INDIRECT_GOTO_STMT: "computed goto is",
    CursorKind.ASM_STMT: "inline assembly is",
    CursorKind.MS_ASM_STMT: "inline assembly is",
}

_OF_PROGRAM = (AddressSpace.CONSTANT, AddressSpace.GLOBAL)
"""The address spaces of variables that live as long as the program."""


def _unroll_hint(cursor: Cursor) -> int | None:
    """The hint in front of a loop, as `ocl.unroll` has it; None where there is none.

    A count that is not a number (a macro) is not known here: the hint is then that it is worth it.
    """
    words = [token.spelling for token in islice(cursor.get_tokens(), 8)]
    for name, hint in _UNROLL_WORDS.items():
        if name in words:
            rest = [word for word in words[words.index(name) + 1 :] if word != "("]
            count = rest[0] if rest else ""
            return int(count) if hint == 0 and count.isdecimal() else hint
    return None


_UNROLL_WORDS = {"unroll": 0, "opencl_unroll_hint": 0, "nounroll": 1}


class StatementReader:
    """Reads the statements of one function, in source order."""

    def __init__(self, expressions: ExpressionReader, debug: bool = False):
        self.expressions = expressions
        self.debug = debug
        self.scopes: list[tuple[int, int, int, int]] = []
        """The statements around a declaration, by their lines and columns, in a debug build."""
        self.expressions.block_expressions.read_body = self.body
        self.program_data: list[tuple[Variable, Cursor]] = []
        """`__constant` and static variables declared inside the function."""
        self.pragmas: ContractionPragmas | None = None

    def body(self, cursor: Cursor) -> list[Stmt]:
        """A statement as a list: the statements of a block, or the one statement."""
        if clang_api.kind_of(cursor) is not CursorKind.COMPOUND_STMT:
            return self.statement(cursor)
        outer = self.expressions.contraction
        if self.pragmas is not None:
            self.expressions.contraction = self.pragmas.in_block(cursor, outer)
        with self.scope(cursor):
            body = [s for child in clang_api.children(cursor) for s in self.statement(child)]
        self.expressions.contraction = outer
        return body

    @contextmanager
    def scope(self, cursor: Cursor) -> Generator[None]:
        """What is declared inside of the `with` block belongs to the statement or function."""
        if not self.debug:
            yield
            return
        start, end = cursor.extent.start, cursor.extent.end
        self.scopes.append((start.line, start.column, end.line, end.column))
        yield
        self.scopes.pop()

    def statement(self, cursor: Cursor) -> list[Stmt]:
        """A statement, after the statements that its statement expressions need."""
        with self.expressions.block_expressions.before_statement() as before:
            read = self._statement(cursor)
        return [*before, *read]

    def _statement(self, cursor: Cursor) -> list[Stmt]:
        kind = clang_api.kind_of(cursor)
        where = location_of(cursor)
        if clang_api.is_expression(kind):
            return [tree.Evaluate(where, self.expressions.expr(cursor))]
        if kind is CursorKind.FOR_STMT:
            with self.scope(cursor):
                return self._for(cursor)
        children = clang_api.children(cursor)
        match kind:
            case CursorKind.COMPOUND_STMT:
                return [tree.Block(where, self.body(cursor))]
            case CursorKind.DECL_STMT:
                return [s for child in children for s in self._declaration(child)]
            case CursorKind.NULL_STMT:
                return []
            case CursorKind.RETURN_STMT:
                value = self.expressions.returned(children[0]) if children else None
                return [tree.Return(where, value)]
            case CursorKind.IF_STMT:
                condition = self.expressions.value(children[0])
                branches = [self.body(child) for child in children[1:]]
                return [tree.If(where, condition, *branches)]
            case CursorKind.WHILE_STMT:
                with self.expressions.block_expressions.under_condition():
                    condition = self.expressions.value(children[0])
                return [tree.While(where, condition, self.body(children[1]))]
            case CursorKind.DO_STMT:
                body = self.body(children[0])
                with self.expressions.block_expressions.under_condition():
                    condition = self.expressions.value(children[1])
                return [tree.DoWhile(where, body, condition)]
            case CursorKind.SWITCH_STMT:
                return self._switch(children)
            case CursorKind.BREAK_STMT:
                return [tree.Break(where)]
            case CursorKind.CONTINUE_STMT:
                return [tree.Continue(where)]
            case CursorKind.CASE_STMT | CursorKind.DEFAULT_STMT:
                segment, first = self._labels(cursor)
                label = CaseLabel(where, segment.values, segment.is_default)
                return [label, *self.statement(first)]
            case CursorKind.GOTO_STMT:
                return [Goto(where, children[0].spelling)]
            case CursorKind.LABEL_STMT:
                return [Label(where, cursor.spelling), *self.statement(children[0])]
            case CursorKind.UNEXPOSED_STMT if children:
                # A loop with a pragma or attribute, such as `#pragma unroll`: a hint.
                read = self.statement(children[-1])
                if read and isinstance(read[-1], tree.While | tree.DoWhile):
                    read[-1].unroll = _unroll_hint(cursor)
                return read
            case _:
                what = _REFUSED.get(kind) if kind is not None else None
                raise UnsupportedError(
                    f"{what or 'this kind of statement is'} not supported", *where
                )

    def _for(self, cursor: Cursor) -> list[Stmt]:
        where = location_of(cursor)
        *slots, body = clang_api.children(cursor)
        has_init, has_condition, has_step = self.expressions.printed.for_slots(len(slots))
        rest = iter(slots)
        init = self.statement(next(rest)) if has_init else []
        with self.expressions.block_expressions.under_condition():
            condition = self.expressions.value(next(rest)) if has_condition else None
            step = self.expressions.expr(next(rest)) if has_step else None
        return [*init, tree.While(where, condition, self.body(body), step)]

    def _declaration(self, cursor: Cursor) -> list[Stmt]:
        where = location_of(cursor)
        if cursor.kind is not CursorKind.VAR_DECL:
            if cursor.kind is CursorKind.FUNCTION_DECL:
                raise UnsupportedError("a function declared in a function is not supported", *where)
            return []
        self.expressions.printed.name(cursor.spelling)
        variable = self.declare(cursor)
        if variable.type.kind is Kind.SAMPLER:
            self.define_sampler(variable, cursor)
            return []
        if variable.symbol:
            self.program_data.append((variable, cursor))
            return []
        initializer = clang_api.initializer(cursor)
        value = None
        if initializer is not None and is_reference(cursor.type):
            assert isinstance(self.expressions, CppReader)
            value = self.expressions.bound(variable.type, initializer)
        elif initializer is not None:
            value = resolve(variable.type, self.expressions.value(initializer))
        return [tree.Declare(where, variable, value)]

    def declare(self, cursor: Cursor, adjusted: Type | None = None) -> Variable:
        """Make the variable of a declaration of a variable or parameter.

        `adjusted` is the type of a parameter in its function's type, where an array is a pointer.
        """
        where = location_of(cursor)
        expressions = self.expressions
        type = expressions.types.of(adjusted or cursor.type, where)
        space = AddressSpace.PRIVATE if adjusted else space_of(cursor.type.get_canonical())
        variable = Variable(
            cursor.spelling or "unnamed",
            type,
            len(expressions.variables),
            where,
            in_memory=type.needs_memory or space is not AddressSpace.PRIVATE,
            volatile=cursor.type.is_volatile_qualified(),
            space=space,
            symbol=cursor.spelling if space in _OF_PROGRAM else "",
        )
        variable.in_memory |= variable.volatile
        variable.scope = self.scopes[-1] if self.scopes else None
        expressions.variables[clang_api.key_of(cursor)] = variable
        return variable

    def define_sampler(self, variable: Variable, declaration: Cursor) -> None:
        """A sampler is a constant wherever it is defined (OpenCL 1.2, section 6.12.14.1)."""
        initializer = clang_api.initializer(declaration)
        value = None if initializer is None else self.expressions.value(initializer)
        while isinstance(value, tree.Cast):
            value = value.operand
        if not isinstance(value, tree.Const):
            raise UnsupportedError(
                f"sampler '{variable.name}' needs a constant as its value", *variable.location
            )
        variable.value, variable.symbol, variable.in_memory = int(value.value), "", False

    def _switch(self, children: list[Cursor]) -> list[Stmt]:
        where = location_of(children[0])
        value = self.expressions.value(children[0])
        if clang_api.kind_of(children[1]) is not CursorKind.COMPOUND_STMT:
            raise UnsupportedError("a switch without a block is not supported", *where)
        segments: list[Segment] = []
        before: list[Stmt] = []
        for child in clang_api.children(children[1]):
            kind = clang_api.kind_of(child)
            if kind not in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT):
                statements = self.statement(child)
                if not segments:
                    # Statements before the first label never run, but declare variables.
                    before += _declarations(statements)
                    continue
                segments[-1].body += statements
                continue
            segment, first = self._labels(child)
            segments.append(segment)
            segment.body += self.statement(first)
        return [*before, tree.Switch(where, value, segments)]

    def _labels(self, cursor: Cursor) -> tuple[Segment, Cursor]:
        """The labels of one statement, and the statement."""
        segment = Segment([], False, [])
        while clang_api.kind_of(cursor) in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT):
            *labels, statement = clang_api.children(cursor)
            if cursor.kind is CursorKind.DEFAULT_STMT:
                segment.is_default = True
            else:
                values = [clang_api.evaluate(label) for label in labels]
                if not all(isinstance(value, int) for value in values):
                    raise UnsupportedError(
                        "clang does not know the value of this label", *location_of(cursor)
                    )
                segment.values.append((int(values[0] or 0), int(values[-1] or 0)))
            cursor = statement
        return segment, cursor


def _declarations(statements: list[Stmt]) -> list[Stmt]:
    """The declarations among statements that never run, without initial values."""
    found: list[Stmt] = []
    for statement in statements:
        if isinstance(statement, tree.Declare):
            found.append(tree.Declare(statement.location, statement.variable, None))
        elif not isinstance(statement, tree.Evaluate):
            raise UnsupportedError(
                "statements before the first case label are not supported", *statement.location
            )
    return found
