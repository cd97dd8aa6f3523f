"""Formats of printf, of which known texts become a part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from polycl.frontends.host.rewriting import text_of, without_casts
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import bodies_of, expressions_of, walk
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
    """The contents of arrays of characters that sprintf sets and extends, if known.

    All of them are in one block; after a second sprintf the contents are unknown.
    """
    found: dict[Variable, str | None] = {}
    blocks: dict[Variable, int] = {}
    for block, call in _calls_by_block(body):
        if not isinstance(call, BuiltinCall) or call.name not in _PRINTERS or not call.arguments:
            continue
        target, *rest = call.arguments
        end = _end_of(target)
        variable = _array(target) if end is None else end
        if variable is not None:
            is_same = blocks.setdefault(variable, block) == block
            text = _printed(rest[call.name == "snprintf" :]) if is_same else None
            before = found.get(variable, "")
            if end is not None or call.name == "strcat":
                text = None if text is None or before is None else before + text
            elif variable in found:
                text = None
            found[variable] = text
    return {variable: text for variable, text in found.items() if text is not None}


def _calls_by_block(body: list[Stmt]) -> Iterator[tuple[int, Expr]]:
    """The expressions of the statements, each with a number of the block that it is in."""
    for statement in body:
        for expr in expressions_of(statement):
            yield from ((id(body), node) for node in walk(expr))
        for inner in bodies_of(statement):
            yield from _calls_by_block(inner)


_PRINTERS = ("sprintf", "snprintf", "strcpy", "strcat")


def _array(pointer: Expr) -> Variable | None:
    """The array variable that a pointer is the address of."""
    match without_casts(pointer):
        case tree.AddressOf(place=tree.VarRef(variable=variable)):
            return variable
        case _:
            return None


def _end_of(pointer: Expr) -> Variable | None:
    """The array of `text + strlen(text)`."""
    match without_casts(pointer):
        case tree.Binary(op="+", left=left, right=right):
            length = without_casts(right)
            if isinstance(length, BuiltinCall) and length.name == "strlen":
                array = _array(left)
                return array if array is _array(length.arguments[0]) else None
    return None


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
