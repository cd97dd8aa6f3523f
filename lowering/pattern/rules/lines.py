"""The lines of a script, and errors at places in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from polycl.errors import SourceError

NAME = r"[A-Za-z_]\w*"


class DerivationError(SourceError):
    """A step of a derivation is malformed or does not apply; with its place in the script."""


@dataclass(frozen=True)
class Position:
    """A place in a script; line and column count from 1."""

    filename: str
    line: int
    col: int
    source_line: str

    def error(
        self,
        message: str,
        notes: Sequence[str] = (),
        kind: type[DerivationError] = DerivationError,
    ) -> DerivationError:
        return kind(
            message,
            self.filename,
            self.line,
            self.col,
            source_line=self.source_line,
            notes=notes,
        )


class Line:
    """One line that is read from left to right, without comments."""

    def __init__(self, text: str, filename: str, number: int):
        self._source = text
        self._filename = filename
        self._number = number
        comment = re.match(r'(?:[^"/]|"[^"]*"|/(?!/))*', text)
        self._text = (comment.group() if comment else text).rstrip()
        self._at = 0
        self._skip_blanks()

    def accept(self, pattern: str, *, blanks: bool = True) -> str | None:
        """The next text if it matches `pattern`; blanks after it are skipped."""
        found = re.compile(pattern).match(self._text, self._at)
        if found is None:
            return None
        self._at = found.end()
        if blanks:
            self._skip_blanks()
        return found.group()

    def expect(self, pattern: str, what: str, *, blanks: bool = True) -> str:
        found = self.accept(pattern, blanks=blanks)
        if found is None:
            rest = self._text[self._at :]
            got = f"'{rest}'" if rest else "the end of the line"
            raise self.here.error(f"expected {what}, got {got}")
        return found

    def end(self) -> None:
        self.expect("$", "the end of the line")

    @property
    def at_end(self) -> bool:
        return self._at == len(self._text)

    @property
    def here(self) -> Position:
        return Position(self._filename, self._number, self._at + 1, self._source)

    def text_since(self, position: Position) -> str:
        return self._text[position.col - 1 : self._at].rstrip()

    def _skip_blanks(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
