"""What printf is told to print: texts that are known become a part of its format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from polycl.frontends.opencl_c.tree import Expr
from polycl.frontends.opencl_host.rewriting import text_of

_CONVERSION = re.compile(r"%(?:%|([-+ #0-9.]*)(?:hh|h|ll|l|z|j|t|L)?([a-zA-Z]))")


def with_texts(arguments: Sequence[Expr]) -> list[Expr]:
    """`("%s: %d", "time", n)` as `("time: %d", n)`: the format, and the other arguments."""
    format = text_of(arguments[0]) if arguments else None
    if format is None:
        return list(arguments)
    left: list[Expr] = []
    rest = iter(arguments[1:])

    def conversion(match: re.Match[str]) -> str:
        if match[0] == "%%" or (argument := next(rest, None)) is None:
            return match[0]
        text = text_of(argument)
        if match[2] != "s" or text is None:
            left.append(argument)
            return match[0]
        return (f"%{match[1]}s" % text.text).replace("%", "%%")

    changed = replace(format, text=_CONVERSION.sub(conversion, format.text))
    return [changed, *left, *rest]
