"""`polycl.frontends.mlir.mlir_text`: what xDSL's parser alone would choke on."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import StringAttr

from polycl.backends.pipeline import make_context, run_pipeline
from polycl.errors import PolyclError
from polycl.frontends.mlir.mlir_text import parse_mlir


@pytest.mark.timeout(20)
def test_a_missing_quote_is_an_error_at_once():
    text = b'"' + b"not closed " * 50 + b"\n"
    with pytest.raises(PolyclError, match="k.mlir:1:1: error: End of file"):
        parse_mlir(make_context(), text, "k.mlir")


def test_strings_with_escapes():
    text = b'"test.op"() {a = "x\\"y\\n\\41", b = ""} : () -> ()'
    context = make_context()
    context.allow_unregistered = True
    module = parse_mlir(context, text, "k.mlir")
    (op,) = module.ops
    assert op.attributes["a"] == StringAttr('x"y\nA')
    assert op.attributes["b"] == StringAttr("")


def test_a_type_that_llvm_functions_do_not_have_is_an_error():
    text = b"func.func @f(%a: none) {\n  func.return\n}\n"
    with pytest.raises(PolyclError, match="1:1: error: none has no values in LLVM"):
        run_pipeline(parse_mlir(make_context(), text, "k.mlir"), "convert-to-llvm")
