"""The equations of rules: their notation, its errors, and what the table of rules has of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.dialects import func
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from polycl.backends.pipeline import make_context
from polycl.dialects.pattern.paper import paper_expression
from polycl.errors import SourceError
from polycl.frontends.mlir.mlir_text import parse_mlir
from polycl.lowering.pattern.rules import RULES, Refused
from polycl.lowering.pattern.rules.conditions import divides, divisors, holds
from polycl.lowering.pattern.rules.equations import rule
from polycl.lowering.pattern.rules.rule import Sizes
from polycl.lowering.pattern.rules.terms import PATTERNS, Function, Term, parse_equations

PAGE = Path(__file__).parents[2] / "docs/pattern/rules.md"
FUNCTIONS = {
    "3d.iterate",
    "x.ahead",
    "x.choose",
    "x.choose-block",
    "x.copy-rows",
    "x.filter",
    "x.first-item",
    "x.fission-first",
    "x.hoist",
    "x.interchange",
    "x.local-out",
    "x.mma",
    "x.pad",
    "x.swizzle",
    "x.pad-map",
    "x.pad-scan",
    "x.parts",
    "x.reduce-head",
    "x.reduce-rest",
    "x.reduce-split",
    "x.scatter-split",
    "x.sort",
    "x.split-zip",
    "x.transpose-zip",
    "x.vect",
    "x.vect-fuse",
    "x.zip-join",
    "x.zip-map",
}
"""The rules that no equation can say."""

EQUATIONS = sorted(set(RULES) - FUNCTIONS)


@pytest.mark.parametrize("name", EQUATIONS)
def test_an_equation_of_the_table_prints_as_it_is_written(name: str):
    rule = RULES[name]
    equations = parse_equations(rule.equation, name, rule.parameters)
    assert ", ".join(map(str, equations)) == rule.equation


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_function_states_why_it_is_one(name: str):
    documentation = RULES[name].find.__doc__ or ""
    assert "An equation cannot state it: " in documentation


def test_the_page_is_the_table():
    """Each rule has one row, in the order of the table, with its equation and conditions."""
    rows = [
        line for line in PAGE.read_text().splitlines() if line.startswith(("| `3", "| `4", "| `x"))
    ]
    assert rows == [row(name) for name in RULES]


def row(name: str) -> str:
    rule = RULES[name]
    parameters = " ".join(f"`{parameter}=`" for parameter in rule.parameters)
    equation = rule.equation.replace("|", r"\|")
    return f"| `{name}` | {parameters} | `{equation}` | {rule.conditions} |"


def names_in(function: Function) -> set[str]:
    """The patterns in a side of an equation."""

    def of(term: Term) -> set[str]:
        return {term.name}.union(*map(names_in, term.arguments)) & set(PATTERNS)

    return set[str]().union(*map(of, function.terms))


OPENCL = {"map-workgroup", "map-local", "map-global", "map-seq", "reduce-seq", "asVector"}
OPENCL |= {"toGlobal", "toLocal", "toPrivate", "vect", "reorder-stride"}


@pytest.mark.parametrize("name", [name for name in EQUATIONS if name.startswith("3")])
def test_algorithmic_rules_choose_nothing_of_opencl(name: str):
    for equation in parse_equations(RULES[name].equation, name, RULES[name].parameters):
        left = set[str]().union(*map(names_in, equation.lefts))
        assert names_in(equation.right) & OPENCL <= left


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("map(f)  o  reorder->reorder o map( f )", "map(f) o reorder -> reorder o map(f)"),
        ("iterate^(m+n)(f) -> iterate^n(f)", "iterate^(m+n)(f) -> iterate^n(f)"),
        ("slide(k,s) -> slide(k*n-s, s)", "slide(k,s) -> slide(k*n-s,s)"),
        ("reorder -> id", "reorder -> id"),
        ("join^n o split^n | transpose -> id", "join^n o split^n | transpose -> id"),
        (r"reduce(f, z) -> reduce(\x, y: f(y, x), z)", r"reduce(f,z) -> reduce(\x,y: f(y,x),z)"),
    ],
)
def test_parsing_and_printing(text: str, printed: str):
    (equation,) = parse_equations(text, "test", ["n"])
    assert str(equation) == printed
    assert list(map(str, parse_equations(printed, "test", ["n"]))) == [printed]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("map(f)", 7, "expected '->' and the right-hand side, got the end of the line"),
        ("map(f) -> map(g)", 15, "unknown pattern or variable 'g'"),
        ("mapp(f) -> map(f)", 1, "unknown pattern or variable 'mapp'; did you mean 'map'"),
        ("map(f) -> split^n", 17, "unknown pattern or variable 'n'"),
        ("map(f -> map(f)", 7, "expected ',' or ')', got '-> map(f)'"),
        ("map(f) -> map(f,f)", 11, "map takes 1 arguments, got 2"),
        ("reduce(f,z) -> map(f)) o", 22, "expected the end of the line, got ') o'"),
        ("reorder -> split", 12, "split takes 1 sizes here, got 0"),
        ("join^n -> reorder^n o join", 11, "reorder takes 0 sizes here, got 1"),
        ("split^n o join -> join^n", 19, "join takes 0 sizes here, got 1"),
        ("slide(k) -> id", 1, "slide takes 0 or 2 sizes here, got 1"),
        (r"map(\x: x) -> id", 5, "a function can only be written out on the right-hand side"),
        ("f o map(g) -> map(g)", 1, "expected a pattern to match, got f"),
        ("zip(a,b) -> id", 1, "expected a pattern to match, got zip(a,b)"),
        ("map(f) o map(f) -> map(f)", 1, "the variable f is on the left twice"),
        ("map(split^n o join) -> id", 1, "expected a variable, a pattern, or one after the other"),
        ("split^n | join -> split^n", 25, "unknown pattern or variable 'n'"),
        ("map(f) -> split^) o", 17, "expected a number, a size variable or ?tunable, got ') o'"),
    ],
)
def test_errors_are_at_their_place(text: str, column: int, message: str):
    with pytest.raises(SourceError) as caught:
        parse_equations(text, "4711")
    assert str(caught.value).startswith(f"<4711>:1:{column}: error: {message}")


# ---- matching ----

PROGRAM = """
func.func @f(%x : !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %c = pattern.split %x by 4 : !pattern.array<2*N, 4, i32>
  %j = pattern.join %c : !pattern.array<8*N, i32>
  %r = pattern.map %j as %e : i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
"""


def program() -> tuple[func.FuncOp, dict[str, Operation]]:
    """The function, and its patterns by name."""
    module = parse_mlir(make_context(), PROGRAM.encode(), "program.mlir")
    (function,) = (op for op in module.walk() if isinstance(op, func.FuncOp))
    return function, {op.name.removeprefix("pattern."): op for op in function.walk()}


@pytest.mark.parametrize(
    ("equation", "at", "after"),
    [
        ("map(f) -> map(f) o reorder", "map", "map(mult(3)) o reorder o join o split-4"),
        ("map(f) -> map(f o f)", "map", "map(mult(3) o mult(3)) o join o split-4"),
        ("map(f) o join^n -> join o map(map(f)) o split^(n/2) o join", "map", None),
        ("join^n o split^n -> id", "join", "map(mult(3))"),
        ("join^n o split^m -> join o split^(n*m/2)", "join", "map(mult(3)) o join o split-8"),
        ("transpose -> id, split^n -> split^(n/2) o reorder", "split", None),
        ("X -> reorder o X", "join", "map(mult(3)) o reorder o join o split-4"),
    ],
)
def test_an_equation_is_what_happens(equation: str, at: str, after: str | None):
    function, ops = program()
    before = str(function)
    each = rule("test", equation)
    each.match(ops[at])
    assert str(function) == before
    if after is not None:
        each.apply(ops[at], PatternRewriter(ops[at]))
        function.verify()
        assert paper_expression(function) == after


@pytest.mark.parametrize(
    ("equation", "at", "message"),
    [
        ("reduce(f,z) | reorder -> reorder", "map", "expected reduce or reorder, got map"),
        ("map(f) o split^n -> id", "map", "expected an input made by split, got one made by join"),
        ("map(f) o join^n o split^3 -> id", "map", "split takes !pattern.array<8*N, i32>, join"),
        ("map(map(f)) -> id", "map", "expected a function that is one map; x.fission separates"),
    ],
)
def test_what_does_not_match_is_refused(equation: str, at: str, message: str):
    _, ops = program()
    with pytest.raises(Refused, match=re.escape(message)):
        rule("test", equation).match(ops[at])


def test_conditions_are_checked_in_order():
    _, ops = program()
    conditions = [divides("n"), holds("N is n", "the size is {N}, not {n}")]
    split = rule(
        "test", "map(f) -> map(f) o join o split^n", conditions, "A note.", n=Sizes(divisors)
    )
    assert split.conditions == "n divides N; N is n. A note."
    with pytest.raises(Refused, match="n = 3 does not divide the size 8"):
        split.match(ops["map"], n=3)
    with pytest.raises(Refused, match=r"the size is 8\*N, not 4"):
        split.match(ops["map"], n=4)
    with pytest.raises(Refused, match="the parameter 'n' has no value"):
        split.match(ops["map"])
    assert list(split.bindings(ops["map"])) == []
    split.match(ops["map"], n="8*N")
