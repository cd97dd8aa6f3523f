"""Formats of printf, of which known texts become a part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from polycl.frontends.host.rewriting import expressions_in, text_of, without_casts
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.tree import BuiltinCall, Const, Expr, Stmt, Variable

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


def printed_texts(body: list[Stmt]) -> dict[Variable, str]:
    """The contents of arrays of characters that a single sprintf sets, if known."""
    found: dict[Variable, str | None] = {}
    for call in expressions_in(body):
        if isinstance(call, BuiltinCall) and call.name in ("sprintf", "snprintf", "strcpy"):
            target, *rest = call.arguments
            array = without_casts(target)
            if isinstance(array, tree.AddressOf) and isinstance(array.place, tree.VarRef):
                variable = array.place.variable
                text = None if variable in found else _printed(rest[call.name == "snprintf" :])
                found[variable] = text
    return {variable: text for variable, text in found.items() if text is not None}


def _printed(arguments: Sequence[Expr]) -> str | None:
    """The text of a format and its arguments; None if one is unknown."""
    format, *rest = with_texts(arguments)
    text, plain = text_of(format), [without_casts(argument) for argument in rest]
    values = tuple(argument.value for argument in plain if isinstance(argument, Const))
    if text is None or len(values) < len(plain):
        return None
    try:
        return _CONVERSION.sub(_without_length, text.text) % values
    except (TypeError, ValueError):
        return None


def _without_length(match: re.Match[str]) -> str:
    """`%lu` in Python's syntax."""
    return match[0] if match[0] == "%%" else f"%{match[1]}{match[2]}"
