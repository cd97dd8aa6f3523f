"""Places in the user's Python source, and errors that point at them."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from types import CodeType, FrameType, TracebackType

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from polycl.errors import SourceError

_OWN = (
    *("polycl.frontends.pattern", "polycl.runtime.pattern", "polycl.pattern"),
    *("contextlib", "functools", "inspect"),
)
"""The modules whose frames are not the user's."""


@dataclass(frozen=True)
class Place:
    """A line and a column, from 1, of a Python file."""

    filename: str
    line: int
    col: int

    @property
    def source_line(self) -> str | None:
        """The text of the line, where the file can be read."""
        return linecache.getline(self.filename, self.line).rstrip("\n") or None

    @property
    def location(self) -> FileLineColLoc:
        """The place as an attribute of operations."""
        return FileLineColLoc(StringAttr(self.filename), IntAttr(self.line), IntAttr(self.col))

    def error(self, message: str, callers: Sequence[Place] = ()) -> SourceError:
        """An error here; `callers` are the places that lead here, the innermost first."""
        notes = [f"{p.filename}:{p.line}:{p.col}: note: called from here" for p in callers]
        line = self.source_line
        return SourceError(
            message, self.filename, self.line, self.col, source_line=line, notes=notes
        )


def user_place() -> Place:
    """Where the user's code calls the front."""
    return next(_user_places(sys._getframe(1)))


def error_here(message: str) -> SourceError:
    """An error where the user's code calls the front, with the calls that lead there."""
    place, *callers = islice(_user_places(sys._getframe(1)), 8)
    # The places outside of the outermost program say nothing about the mistake.
    return place.error(message, callers[: _depth(sys._getframe(1))])


def place_of_code(code: CodeType) -> Place:
    """The line of a function's `def`, which follows its decorators."""
    for line in range(code.co_firstlineno, code.co_firstlineno + _MOST_DECORATORS):
        text = linecache.getline(code.co_filename, line)
        if text.lstrip().startswith(("def ", "async def ")):
            return Place(code.co_filename, line, len(text) - len(text.lstrip()) + 1)
    return Place(code.co_filename, code.co_firstlineno, 1)


_MOST_DECORATORS = 20
"""The most lines of decorators before a `def`."""


def place_of_traceback(traceback: TracebackType | None) -> Place | None:
    """The innermost place of the user's code in a traceback."""
    found: Place | None = None
    while traceback is not None:
        if not _is_own(traceback.tb_frame):
            found = _place(traceback.tb_frame.f_code, traceback.tb_lasti)
        traceback = traceback.tb_next
    return found


def _user_places(frame: FrameType | None) -> Iterator[Place]:
    while frame is not None:
        if not _is_own(frame):
            yield _place(frame.f_code, frame.f_lasti)
        frame = frame.f_back


def _depth(frame: FrameType | None) -> int:
    """The number of the user's frames around the innermost one, inside of the program."""
    count = 0
    while frame is not None and frame.f_code.co_name != "trace_program":
        count += not _is_own(frame)
        frame = frame.f_back
    return max(count - 1, 0) if frame is not None else 0


def _is_own(frame: FrameType) -> bool:
    # A type that is a text is evaluated as a module of its own.
    is_text = frame.f_code.co_filename == "<string>"
    return is_text or frame.f_globals.get("__name__", "").startswith(_OWN)


def _place(code: CodeType, instruction: int) -> Place:
    positions = next(islice(code.co_positions(), instruction // 2, None), None)
    line, _, col, _ = positions or (None, None, None, None)
    return Place(code.co_filename, line or code.co_firstlineno, (col or 0) + 1)
