"""The text of a string literal, from libclang's escaped spelling of it."""

from __future__ import annotations

import re

from clang.cindex import Cursor

_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)", re.DOTALL)
_NAMED_ESCAPES = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))


def string_text(cursor: Cursor) -> str:
    """The text of a string literal, a character for each byte (C99, section 6.4.5)."""

    def unescape(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] == "x":
            return chr(int(code[1:], 16))
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _NAMED_ESCAPES.get(code, code)

    return _ESCAPE.sub(unescape, cursor.spelling[1:-1])
