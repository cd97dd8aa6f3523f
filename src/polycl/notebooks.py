"""What notebooks show of polycl's objects: HTML for their `_repr_html_`.

`%load_ext polycl` registers a formatter for modules, which are xDSL's.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

_CELL = 'style="text-align: left; padding: 1px 8px; vertical-align: top"'
_TEXT = 'style="font-size: 12px; line-height: 1.4; white-space: pre; overflow: auto"'


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of plain texts; lines of a text stay lines."""
    lines = [("th", head), *(("td", row) for row in rows)]
    text = "".join(f"<tr>{''.join(_cell(tag, cell) for cell in row)}</tr>" for tag, row in lines)
    return f"<table>{text}</table>"


def _cell(tag: str, text: str) -> str:
    return f"<{tag} {_CELL}>{escape(text).replace(chr(10), '<br>')}</{tag}>"


def titled(title: str, content: str) -> str:
    """`content`, which is HTML, below a title."""
    return f"<p><b>{escape(title)}</b></p>{content}"


def text(content: str) -> str:
    """A text in a fixed font."""
    return f"<pre {_TEXT}>{escape(content)}</pre>"


def load_ipython_extension(ipython: Any) -> None:
    """`%load_ext polycl`."""
    from xdsl.dialects.builtin import ModuleOp

    formatter = ipython.display_formatter.formatters["text/html"]
    formatter.for_type(ModuleOp, lambda module: text(str(module)))
