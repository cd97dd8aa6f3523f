"""All errors that polycl raises; a user may catch `PolyclError` and print it."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation


class PolyclError(Exception):
    """Base class of polycl's errors. `str(error)` is the message for users."""


class ArgumentError(PolyclError):
    """A kernel was called with arguments, sizes or options that do not fit it."""


class LaunchError(PolyclError):
    """A kernel could not be compiled for a device or failed while it ran."""


class SourceError(PolyclError):
    """An error at a place in the user's source.

    Prints as clang does: `file:line:col: error: message`, then the source line with a
    caret where it is known, then the notes.
    """

    def __init__(
        self,
        message: str,
        filename: str,
        line: int,
        col: int,
        *,
        source_line: str | None = None,
        notes: Sequence[str] = (),
    ):
        self.message = message
        self.filename = filename
        self.line = line
        self.col = col
        text = f"{filename}:{line}:{col}: error: {message}"
        if source_line is not None:
            # Tabs before the caret are kept so that it is under its column.
            indent = "".join("\t" if c == "\t" else " " for c in source_line[: max(col - 1, 0)])
            text += f"\n{source_line}\n{indent}^"
        super().__init__("\n".join([text, *notes]))

    def __reduce__(self):
        """For another process: what is not kept is in the text."""
        return BaseException.__new__, (type(self), *self.args), self.__dict__


class UnsupportedError(SourceError):
    """The source is legal, but this construct is not supported (yet)."""


def location_of(op: Operation) -> tuple[str, int, int] | None:
    """The (file, line, column) of the source of `op`, if it is known."""
    return _file_line_col(op.location)


def _file_line_col(loc: Attribute) -> tuple[str, int, int] | None:
    match loc:
        case FileLineColLoc():
            return loc.filename.data, loc.line.data, loc.column.data
        case CallSiteLoc():
            return _file_line_col(loc.callee)
        case NameLoc():
            return _file_line_col(loc.location)
        case FusedLoc(locations=ArrayAttr() as children):
            found = (_file_line_col(child) for child in children)
            return next((f for f in found if f is not None), None)
        case _:
            return None


def error_at(op: Operation, message: str) -> PolyclError:
    """An `UnsupportedError` at the source location of `op`, or a plain error that names the op."""
    where = location_of(op)
    if where is None:
        return PolyclError(f"'{op.name}': {message}")
    return UnsupportedError(message, *where)
