"""docs/dialects lists the operations of the dialects, and the parser reads its examples."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Dialect
from xdsl.printer import Printer
from xdsl.universe import XDSL_UNIVERSE

from polycl.dialects.host import HOST
from polycl.dialects.llvm import LLVM_EXT
from polycl.dialects.ocl import OCL
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.dialects.pattern import PATTERN
from polycl.dialects.poly import POLY
from polycl.dialects.tta import TTA
from polycl.dialects.vec import VEC
from polycl.dialects.wg import WG
from polycl.frontends.mlir.mlir_text import parse_mlir

DOCS = Path(__file__).resolve().parents[2] / "docs"
DIALECTS = {
    "host": HOST,
    "ocl": OCL,
    "pattern": PATTERN,
    "poly": POLY,
    "wg": WG,
    "tta": TTA,
    "llvm_ext": LLVM_EXT,
    "vec": VEC,
}


def page(name: str) -> str:
    """A dialect of the core has a page in docs/dialects, one of a column in the column's folder."""
    column = DOCS / name / "dialect.md"
    core = DOCS / "dialects" / f"{name}.md"
    return (column if column.is_file() else core).read_text(encoding="utf-8")


def examples(name: str) -> list[str]:
    return re.findall(r"^```mlir(?: [^\n]*)?\n(.*?)^```$", page(name), re.MULTILINE | re.DOTALL)


def parse(text: str) -> ModuleOp:
    ctx = Context()
    for dialect, factory in XDSL_UNIVERSE.all_dialects.items():
        ctx.register_dialect(dialect, factory)
    for dialect, loaded in DIALECTS.items():
        ctx.register_dialect(dialect, lambda loaded=loaded: loaded)
    return parse_mlir(ctx, text.encode(), "example.mlir")


def printed(module: ModuleOp) -> str:
    out = StringIO()
    Printer(out).print_op(module)
    return out.getvalue()


@pytest.mark.parametrize("name", DIALECTS)
def test_examples_parse(name: str) -> None:
    assert examples(name)
    for text in examples(name):
        module = parse(text)
        module.verify()
        assert printed(parse(printed(module))) == printed(module)


@pytest.mark.parametrize(("name", "dialect"), DIALECTS.items(), ids=list(DIALECTS))
def test_every_operation_is_described_and_shown(name: str, dialect: Dialect) -> None:
    rows = " ".join(line for line in page(name).splitlines() if line.startswith("|"))
    # Its machine is no preset, and a text of one is long: shown in its row, parsed in test_adf.py.
    shown = " ".join((*examples(name), *re.findall(r"`(tta\.immediate [^`]+)`", rows)))
    for op in dialect.operations:
        assert f"`{op.name}`" in rows
        assert re.search(rf"{re.escape(op.name)}\b", shown), op.name


def test_the_table_of_builtins_is_complete() -> None:
    names: dict[tuple[str, str], list[str]] = {}
    for builtin in BUILTINS.values():
        names.setdefault((builtin.section, builtin.signature), []).append(f"`{builtin.name}`")
    rows = [
        f"| {' '.join(functions)} | `{signature}` | {section} |"
        for (section, signature), functions in names.items()
    ]
    _, _, table = page("ocl").partition("| functions | signature | OpenCL 1.2 |\n|---|---|---|\n")
    lines = [line for line in table.splitlines() if line.startswith("|")]
    missing = "\n".join(row for row in rows if row not in lines)
    wrong = "\n".join(line for line in lines if line not in rows)
    if rows != lines:
        pytest.fail(f"docs/dialects/ocl.md: replace\n{wrong}\nby\n{missing}")
