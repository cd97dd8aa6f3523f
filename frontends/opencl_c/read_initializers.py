"""The items of an initialiser list, from libclang's cursors (C99, section 6.7.8)."""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import Cursor

from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import clang_api
from polycl.frontends.opencl_c.clang_api import CursorKind
from polycl.frontends.opencl_c.initializers import Designator
from polycl.frontends.opencl_c.printed import PrintedTokens
from polycl.frontends.opencl_c.source import location_of
from polycl.frontends.opencl_c.tree import Expr
from polycl.frontends.opencl_c.types import is_unnamed


def read_items(
    cursor: Cursor, read: Callable[[Cursor], Expr], printed: PrintedTokens
) -> list[tuple[tuple[Designator, ...], Expr]]:
    """The items of `{...}`, each with its designators; `read` reads the value of one.

    Raises UnsupportedError for a designator that is no field and no constant index.
    """
    items: list[tuple[tuple[Designator, ...], Expr]] = []
    for item in clang_api.children(cursor):
        is_exposed = clang_api.kind_of(item) is not CursorKind.UNEXPOSED_EXPR
        if is_exposed or item.type.spelling != "void":
            items.append(((), read(item)))
            continue
        *designators, value = clang_api.children(item)
        path: list[Designator] = []
        for designator in designators:
            _append(path, item, designator, printed)
        items.append((tuple(path), read(value)))
    return items


def _append(
    path: list[Designator], item: Cursor, designator: Cursor, printed: PrintedTokens
) -> None:
    """Add a field, an index, or the end of a range that begins at the last index."""
    if clang_api.kind_of(designator) is CursorKind.MEMBER_REF:
        name = designator.referenced.spelling
        if not is_unnamed(name):
            printed.member(name)
            path.append(name)
        return
    index = clang_api.evaluate(designator)
    if not isinstance(index, int):
        raise UnsupportedError("this designator is not supported", *location_of(designator))
    first = path[-1] if path else None
    if isinstance(first, int) and _is_range(item, designator):
        path[-1] = range(first, index + 1)
    else:
        path.append(index)


def _is_range(item: Cursor, last: Cursor) -> bool:
    """Whether an index of a designator ends a range: the token before it is `...`."""
    before = [
        t.spelling for t in item.get_tokens() if t.extent.end.offset <= last.extent.start.offset
    ]
    return before[-1:] == ["..."]
