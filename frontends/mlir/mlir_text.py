"""`.mlir` text -> module, with a source location for every operation."""

from __future__ import annotations

import re
from bisect import bisect_right

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FileLineColLoc,
    IndexType,
    IntAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Operation
from xdsl.parser import AttrParser, Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer

from polycl.diagnostics import XDSL_FAILURES, from_parse_error, malformed
from polycl.errors import SourceError
from polycl.frontends.mlir.mlir_forms import FormsContext

_NUMBERED_BLOCK = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|\^(\d)')
"""Strings, comments, and blocks whose names are numbers, which xDSL does not take: `^0`."""

_UNKNOWN_LINALG = re.compile(r"Operation linalg\.\S+ is not registered")

_COMMENT = re.compile(r"//[^\n]*")


class _Lexer(MLIRLexer):
    """xDSL's lexer, but without its exponential time for strings without a closing quote."""

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')


class _Element(AttrParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """An element of `dense<...>`. The bits of a float, `0xff800000`, are not an integer: xDSL
    prints infinities so, but reads them as 4.28657869e+09."""

    def to_type(self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType):
        if not isinstance(type, AnyFloat) or self.span.text[:2] not in ("0x", "0X"):
            return super().to_type(parser, type)
        assert isinstance(self.value, int)
        if self.value >> 8 * type.compile_time_size:
            parser.raise_error(f"expected the bits of {type}", at_position=self.span)
        return next(type.iter_unpack(self.value.to_bytes(type.compile_time_size, "little")))


class LocatingParser(Parser):
    """xDSL's parser; an operation without `loc(...)` gets its position in the text."""

    def __init__(self, ctx: Context, text: str, filename: str, line_offset: int = 0):
        # The base class reads the first token with xDSL's own lexer, so it gets no text.
        super().__init__(FormsContext(ctx), "", filename)
        self._parser_state = ParserState(_Lexer(Input(text, filename)))
        self._filename = StringAttr(filename)
        self._line_offset = line_offset
        self._line_starts = [0] + [i + 1 for i, c in enumerate(text) if c == "\n"]

    def _parse_tensor_literal_element(self) -> _Element:
        element = super()._parse_tensor_literal_element()
        return _Element(element.is_negative, element.value, element.span)

    def parse_operation(self) -> Operation:
        start = self.pos
        try:
            op = super().parse_operation()
        except VerifyException as error:
            # Types and assembly formats are verified while they are parsed.
            self.raise_error(str(error), start, self.pos)
        except XDSL_FAILURES as error:
            self.raise_error(f"this operation {malformed(error)}", start, self.pos)
        if isinstance(op.location, UnknownLoc):
            line = bisect_right(self._line_starts, start)
            col = start - self._line_starts[line - 1] + 1
            op.location = FileLineColLoc(
                self._filename, IntAttr(line + self._line_offset), IntAttr(col)
            )
        return op


def parse_mlir(
    ctx: Context,
    data: bytes,
    filename: str,
    *,
    line_offset: int = 0,
    implicit_module: bool = True,
) -> ModuleOp:
    """Parses `data` (UTF-8) into a module, which is not verified.

    `line_offset` is the number of lines of the file that precede `data`. Without
    `implicit_module` the text must be one `builtin.module`. Raises `SourceError`.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        col = error.start - (before.rfind(b"\n") + 1) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8 text; expected an MLIR text file"
        raise SourceError(message, filename, line + line_offset, col) from error
    if implicit_module and not _COMMENT.sub("", text).strip():
        return ModuleOp([])  # xDSL's parser refuses an empty text
    text = _NUMBERED_BLOCK.sub(
        lambda found: found[0].replace("^", "^_") if found[1] else found[0], text
    )
    try:
        parser = LocatingParser(ctx, text, filename, line_offset)
        module = parser.parse_module(implicit_module)
    except ParseError as error:
        if _UNKNOWN_LINALG.fullmatch(error.msg):
            error.msg += "; write it as linalg.generic: mlir-opt --linalg-generalize-named-ops"
        raise from_parse_error(error, line_offset) from error
    if isinstance(module.location, UnknownLoc):
        module.location = FileLineColLoc(StringAttr(filename), IntAttr(line_offset + 1), IntAttr(1))
    return module
