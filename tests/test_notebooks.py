"""The notebooks of examples/ run, and what notebooks show of our objects is HTML of all of it."""

from __future__ import annotations

import ast
import json
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.backends.interp.checks import CheckError
from polycl.notebooks import load_ipython_extension
from polycl.remarks import Remark, Remarks

NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples" / "notebooks").glob("*.ipynb"))
VOID = {"br", "meta", "input"}


class Html(HTMLParser):
    """Checks that elements are closed in order, and keeps the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def text_of(html: str) -> str:
    page = Html()
    page.feed(html)
    assert page.open == []
    return " ".join(page.words)


class Shell:
    """As much of IPython as our extension and the notebooks need."""

    def __init__(self) -> None:
        self.formatters: dict[type, Any] = {}
        html = SimpleNamespace(for_type=self.formatters.__setitem__)
        self.display_formatter = SimpleNamespace(formatters={"text/html": html})
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, cell: str) -> Any:
        """Execute a cell; gives the value of its last line, if that is an expression."""
        if "%load_ext polycl\n" in cell + "\n":
            polycl.load_ipython_extension(self)
            cell = cell.replace("%load_ext polycl", "")
        tree = ast.parse(cell)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<cell>", "exec"), self.names)
        if not isinstance(last, ast.Expr):
            return None
        return eval(compile(ast.Expression(last.value), "<cell>", "eval"), self.names)

    def html(self, value: object) -> str:
        formatter = self.formatters.get(type(value))
        if formatter is not None:
            return formatter(value)
        return value._repr_html_() if hasattr(value, "_repr_html_") else ""  # pyright: ignore


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks(path: Path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    shell, shown = Shell(), 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            html = shell.html(shell.run("".join(cell["source"])))
            text_of(html)
            shown += bool(html)
    assert shown >= 2


def test_there_are_notebooks():
    assert [path.stem for path in NOTEBOOKS] == ["levels", "race"]


TEXT = "kernel void f(global int *x, local float4 *t, int n) { if (x[0] < n) x[1] = 1; }"


def test_kernels_and_programs():
    program = polycl.load(TEXT)
    for each in (program, program.kernel("f").assuming("n < 4")):
        text = text_of(each._repr_html_())
        for word in ("kernel f", "global int*", "local float4*", "int32"):
            assert word in text
    assert "assumes n < 4" in text_of(program.kernel("f").assuming("n < 4")._repr_html_())


def test_remarks_are_shown_once():
    remark = Remark(("a<b>.cl", 1, 2), "wg-jam", "x < 4 & y")
    text = text_of(Remarks([remark, remark, Remark(None, "wg-jam", "all")])._repr_html_())
    assert text == "place remark pass a<b>.cl:1:2 x < 4 & y wg-jam ? all wg-jam"


def test_findings():
    kernel = polycl.load("kernel void f(global int *x) { x[0] = get_global_id(0); }").kernel("f")
    device = polycl.device("interp", check=True)
    with pytest.raises(CheckError) as caught:
        kernel(np.zeros(1, np.int32), global_size=4, device=device)
    text = text_of(caught.value._repr_html_())
    assert text.startswith("error: race, 3 times place what <source>.cl:1:32 data race")
    assert "work-item (0, 0, 0) of work-group" in text


def test_modules_by_the_extension():
    shell = Shell()
    load_ipython_extension(shell)
    module = polycl.load(TEXT).module
    assert text_of(shell.formatters[ModuleOp](module)) == str(module)


def test_the_page_of_a_program():
    page = polycl.load(TEXT).explorer(global_size=8, local_size=4)
    assert page.source == TEXT
    assert page.group_size == (4, 1, 1)
    html = Html()
    html.feed(page._repr_html_())
    assert html.open == []
    frame = dict(page.data())
    assert [level["name"] for level in frame["levels"]][-1] == "assembly"
