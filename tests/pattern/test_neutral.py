"""Which initial values are proven to be neutral."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser

from polycl.backends.pipeline import make_context
from polycl.dialects.pattern import ReduceBase, is_neutral


def reduction(type: str, init: str, body: str, flags: str = "") -> ReduceBase:
    """A reduction of elements `%e` into `%a`; `body` makes `%s`."""
    module = Parser(
        make_context(),
        f"""
func.func @f(%x: !pattern.array<N, {type}>, %any: {type}) {{
  {init}
  %r = pattern.reduce %x init %z as %a: {type}, %e: {type} {flags} {{
    {body}
    pattern.yield %s : {type}
  }} : !pattern.array<1, {type}>
  func.return
}}""",
    ).parse_module()
    (found,) = (op for op in module.walk() if isinstance(op, ReduceBase))
    return found


@pytest.mark.parametrize(
    ("op", "type", "value"),
    [
        ("addf", "f32", "0.0"),
        ("addf", "f32", "-0.0"),
        ("addi", "i32", "0"),
        ("mulf", "f64", "1.0"),
        ("muli", "i8", "1"),
        ("ori", "i32", "0"),
        ("xori", "i32", "0"),
        ("andi", "i32", "-1"),
        ("andi", "i1", "true"),
        ("maximumf", "f32", "0xFF800000"),
        ("maxsi", "i8", "-128"),
        ("maxui", "i8", "0"),
        ("minimumf", "f32", "0x7F800000"),
        ("minsi", "i8", "127"),
        ("minui", "i8", "-1"),
        ("addf", "vector<4xf32>", "dense<0.0>"),
    ],
)
def test_what_is_neutral(op: str, type: str, value: str):
    typed = value if value in ("true", "false") else f"{value} : {type}"
    init = f"%z = arith.constant {typed}"
    for operands in ("%a, %e", "%e, %a"):
        assert is_neutral(reduction(type, init, f"%s = arith.{op} {operands} : {type}"))


@pytest.mark.parametrize(
    ("op", "type", "value"),
    [
        ("addf", "f32", "5.0"),
        ("mulf", "f32", "0.0"),
        ("subf", "f32", "0.0"),
        ("andi", "i32", "0"),
        ("maximumf", "f32", "0.0"),
        ("maxsi", "i8", "0"),
        ("minui", "i8", "127"),
        ("addf", "vector<2xf32>", "dense<[0.0, 1.0]>"),
    ],
)
def test_what_is_not_neutral(op: str, type: str, value: str):
    init = f"%z = arith.constant {value} : {type}"
    assert not is_neutral(reduction(type, init, f"%s = arith.{op} %a, %e : {type}"))


def test_a_function_of_other_values_is_not_proven():
    zero = "%z = arith.constant 0.0 : f32"
    assert not is_neutral(reduction("f32", zero, "%s = arith.addf %e, %e : f32"))
    assert not is_neutral(reduction("f32", zero, "%s = arith.addf %a, %any : f32"))
    absolute = "%b = math.absf %e : f32\n    %s = arith.addf %a, %b : f32"
    assert not is_neutral(reduction("f32", zero, absolute))


def test_a_value_that_is_no_constant_is_declared():
    init, body = "%z = math.absf %any : f32", "%s = arith.addf %a, %e : f32"
    assert not is_neutral(reduction("f32", init, body))
    assert is_neutral(reduction("f32", init, body, "neutral"))


def test_lanes_are_proven_one_by_one():
    vect = """%s = pattern.vect %a, %e as %p: f32, %q: f32 {
      %t = arith.mulf %p, %q : f32
      pattern.yield %t : f32
    } : vector<4xf32>"""
    one = "%z = arith.constant dense<1.0> : vector<4xf32>"
    assert is_neutral(reduction("vector<4xf32>", one, vect))
    assert not is_neutral(reduction("vector<4xf32>", one.replace("1.0", "0.0"), vect))


def test_parts_of_a_tuple_are_proven_one_by_one():
    text = """
func.func @f(%x: !pattern.array<N, tuple<f32, i32>>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant VALUE : i32
  %z = pattern.tuple %zero, %one : tuple<f32, i32>
  %r = pattern.reduce %x init %z as (%a: f32, %b: i32), (%c: f32, %d: i32) {
    %s = arith.addf %a, %c : f32
    %t = arith.muli %b, %d : i32
    pattern.yield %s, %t : f32, i32
  } : !pattern.array<1, tuple<f32, i32>>
  func.return
}"""
    for value in (1, 2):
        module = Parser(make_context(), text.replace("VALUE", str(value))).parse_module()
        (op,) = (op for op in module.walk() if isinstance(op, ReduceBase))
        assert is_neutral(op) == (value == 1)
