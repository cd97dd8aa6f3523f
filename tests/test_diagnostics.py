"""Errors of xDSL's parser and verifier become located, one-line errors."""

import pickle

import pytest
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func

from polycl.diagnostics import verify_module
from polycl.errors import SourceError, UnsupportedError
from polycl.frontends.mlir.mlir_text import parse_mlir


@pytest.fixture
def ctx() -> Context:
    context = Context()
    for dialect in (Arith, Builtin, Func):
        context.load_dialect(dialect)
    return context


def test_operations_know_where_they_stand(ctx: Context):
    text = b'func.func @f() {\n  %c = arith.constant 1 : i32\n  func.return loc("k.cl":7:9)\n}\n'
    module = parse_mlir(ctx, text, "a.mlir", line_offset=10)
    places = [str(op.location) for op in module.walk()]
    assert places == [
        'loc("a.mlir":11:1)',
        'loc("a.mlir":11:1)',
        'loc("a.mlir":12:3)',
        'loc("k.cl":7:9)',
    ]


def test_errors_are_sent_between_processes():
    error = UnsupportedError("no goto", "a.cl", 2, 3, source_line="\tgoto end;", notes=["a note"])
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is UnsupportedError
    assert str(again) == str(error)
    assert (again.message, again.filename, again.line, again.col) == ("no goto", "a.cl", 2, 3)


def test_syntax_error(ctx: Context):
    with pytest.raises(SourceError) as caught:
        parse_mlir(ctx, b"func.func @f() {\n\t%c = arith.constant : i32\n}", "a.mlir")
    error = caught.value
    assert (error.filename, error.line) == ("a.mlir", 2)
    first, source, caret = str(error).splitlines()
    assert first.startswith("a.mlir:2:")
    assert ": error: " in first
    assert source == "\t%c = arith.constant : i32"
    assert caret.startswith("\t ")
    assert caret.endswith("^")


def test_bytes_that_are_no_text(ctx: Context):
    with pytest.raises(SourceError, match="a.mlir:2:3: error: byte 0xe4 is not UTF-8 text"):
        parse_mlir(ctx, b"\n  \xe4", "a.mlir")


def test_verifier_error_names_the_operation_and_its_line(ctx: Context):
    text = b'func.func @f(%a: i32) {\n  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64\n'
    module = parse_mlir(ctx, text + b"  func.return\n}\n", "a.mlir")
    with pytest.raises(SourceError, match=r"a.mlir:2:3: error: 'arith.addi': .* \(after x\)$"):
        verify_module(module, " (after x)")
