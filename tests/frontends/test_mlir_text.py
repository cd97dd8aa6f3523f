"""`polycl.frontends.mlir.mlir_text`: what xDSL's parser alone would choke on."""

from __future__ import annotations

import math

import pytest
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, StringAttr

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


def test_elements_of_dense_constants_are_bits():
    """As xDSL prints infinities and NaNs."""
    text = (
        b"%0 = arith.constant dense<0xff800000> : vector<4xf32>\n"
        b"%1 = arith.constant dense<[0x7ff0000000000000, 1.5]> : vector<2xf64>\n"
        b"%2 = arith.constant dense<0x10> : vector<2xi32>\n"
    )
    least, most, number = (
        op.properties["value"] for op in parse_mlir(make_context(), text, "k").ops
    )
    assert isinstance(least, DenseIntOrFPElementsAttr)
    assert isinstance(most, DenseIntOrFPElementsAttr)
    assert isinstance(number, DenseIntOrFPElementsAttr)
    assert least.get_values() == (-math.inf,) * 4
    assert most.get_values() == (math.inf, 1.5)
    assert number.get_values() == (16, 16)


def test_too_many_bits_are_an_error():
    text = b"%0 = arith.constant dense<0xfff800000> : vector<4xf32>\n"
    with pytest.raises(PolyclError, match="k:1:27: error: expected the bits of f32"):
        parse_mlir(make_context(), text, "k")
