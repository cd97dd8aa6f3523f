"""Derivations: the figures of [lift15], the language of scripts, and its errors."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from polycl.backends.pipeline import make_context
from polycl.dialects.pattern.paper import paper_expression
from polycl.errors import PolyclError
from polycl.frontends.mlir.mlir_text import parse_mlir
from polycl.lowering.pattern.rules.derivation import Derivation, find_function
from polycl.lowering.pattern.rules.lines import DerivationError
from polycl.lowering.pattern.rules.script import Apply
from polycl.runtime.pattern.functions import Function

EXAMPLES = Path(__file__).parents[2] / "examples/pattern"

ASUM = "reduce(+,0) o map(abs)"


def load(name: str) -> ModuleOp:
    path = EXAMPLES / f"{name}.mlir"
    return parse_mlir(make_context(), path.read_bytes(), str(path))


def derived(text: str, program: str = "asum", **parameters: int) -> str:
    """The expression after the steps in `text`."""
    module = Derivation.parse(text, "test.deriv").replay(load(program), parameters=parameters)
    return paper_expression(find_function(module, None))


FIGURES = {
    "figure8": "reduce(+,0) o join o map(reduce-seq(λ p,e: p + abs(e),0)) o split-64",
    "figure9a": """reduce-seq(+,0) o join o map-workgroup(
        join o toGlobal(map-local(map-seq(id))) o split-1
        o iterate-7(join o map-local(reduce-seq(+,0)) o split-2)
        o join o toLocal(map-local(reduce-seq(λ p,e: p + abs(e),0))) o split-2048
        o reorder-stride-128) o split-262144""",
    "figure9b": """reduce-seq(+,0) o join o asScalar o map-workgroup(
        join o toGlobal(map-local(map-seq(vectorize-4(id)))) o split-1
        o iterate-8(join o map-local(reduce-seq(vectorize-4(+),vectorize-4(0))) o split-2)
        o join o toLocal(map-local(reduce-seq(vectorize-4(λ p,e: p + abs(e)),vectorize-4(0))))
        o split-2 o reorder-stride-256) o asVector-4 o split-2048""",
    "figure9c": """reduce-seq(+,0) o join o asScalar o map-workgroup(
        join o map-local(reduce-seq(vectorize-4(λ p,e: p + abs(e)),vectorize-4(0)))
        o split-8192) o asVector-4 o split-32768""",
}


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_of_lift15(figure: str):
    """The derivation ends in the expression of [lift15] and still sums up the absolute values."""
    derivation = Derivation.read(EXAMPLES / f"{figure}.deriv")
    module = derivation.replay(load("asum"))
    function = find_function(module, "asum")
    assert (
        paper_expression(function).split()
        == " ".join(FIGURES[figure].split()).replace("map-workgroup( ", "map-workgroup(").split()
    )
    size = int(re.findall(r"split-(\d+)", FIGURES[figure])[-1])
    numbers = np.random.default_rng(1).integers(-9, 10, size).astype(np.float32)
    # Small integers: floats add them up exactly, in any order.
    assert Function(function)(numbers) == np.abs(numbers).sum()


def test_a_matrix_product_in_registers():
    """Rows and columns side by side, in one loop; the interpreter finds the same product."""
    derivation = Derivation.read(EXAMPLES / "matmul.registers.deriv")
    derived = derivation.replay(load("matmul"), parameters={"rows": 2, "columns": 4})
    function = find_function(derived, "matmul")
    update = "map-seq-unroll(λ h,u: map-seq-unroll(λ a,v: a + u * v) o zip(h, f)) o zip(e, g)"
    assert f"reduce-seq(λ e,(f,g): {update}" in paper_expression(function)
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-9, 9, shape).astype(np.float32) for shape in ((6, 5), (5, 8)))
    assert np.array_equal(Function(function)(a, b), a @ b)


def test_the_rules_of_figure_8_are_in_the_order_of_lift15():
    steps: list[str] = []
    derivation = Derivation.read(EXAMPLES / "figure8.deriv")
    derivation.replay(
        load("asum"), observer=lambda s, _: steps.append(s.rule) if isinstance(s, Apply) else None
    )
    paper = ["3d", "3d", "3c", "3e", "3f", "4a", "3d", "4b", "3f"]
    assert [step.partition(".")[0] for step in steps] == paper


def test_replaying_leaves_the_program_as_it_is():
    module = load("asum")
    before = str(module)
    Derivation.parse("size N divisible_by 4\n3c n=4 @map").replay(module)
    assert str(module) == before


def test_tunables():
    text = "tune n = 8 16\nsize N divisible_by ?n*?k\n3c n=?n*?k @map"
    assert Derivation.parse(text).tunables == {"n": (8, 16), "k": ()}
    assert "split-16" in derived(text, k=2)
    assert "split-12" in derived(text, k=3, n=4)
    with pytest.raises(DerivationError, match=r":2:24: error: the tunable \?k has no value"):
        derived(text)


def test_sizes_are_replaced_everywhere():
    assert derived("size N = 6*M\n3c n=2*M @map").endswith("split-(2*M)")
    assert derived("size N = 24\n3c n=6 @map") == "reduce(+,0) o join o map(map(abs)) o split-6"
    module = Derivation.parse("size N = 24\n3c n=6 @map").replay(load("asum"))
    assert "N" not in re.findall(r"\w+", str(module).replace("asum", ""))


def test_assumptions_on_sizes_are_kept():
    module = Derivation.parse("size N divisible_by 24\nsize N = 4*M").replay(load("asum"))
    assert "#pattern.size<M, divisible_by = 6>" in str(module)
    with pytest.raises(DerivationError, match="the size 20 is not what the function takes"):
        derived("size N divisible_by 24\nsize N = 20")


def test_macros_start_where_they_are_called():
    text = """
    size N = 64*M
    def twice(a, b) = {
      3c n=a @
      3c n=b @join/map/fn
    }
    twice(16, 2*2) @map
    """
    assert derived(text) == ("reduce(+,0) o join o map(join o map(map(abs)) o split-4) o split-16")


def test_macros_use_others_that_are_above_them():
    text = """
    size N = 8*M
    def inner(a) = {
      3c n=a @map
    }
    def outer(a) = {
      inner(a*4) @in
    }
    outer(2) @
    """
    assert derived(text) == "reduce(+,0) o join o map(map(abs)) o split-8"


def test_try_goes_on_and_leaves_no_traces():
    text = """
    size N = 8*M
    def half_done() = {
      3c n=4 @map
      3e @map
    }
    try half_done() @
    try 3c n=3 @map
    """
    assert derived(text) == ASUM


def test_repeat_stops_where_the_step_no_longer_applies():
    text = """
    size N = 8*M
    3c n=4 @map
    3c n=2 @map
    repeat x.split-map @split
    repeat x.map-join @everywhere(map)
    """
    assert "split" in derived(text)
    with pytest.raises(DerivationError, match="still applies after 100 times"):
        derived("repeat x.id @in")


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("@everywhere", "map-seq(map-seq(abs))"),
        ("@everywhere(map)", "map-seq(map-seq(abs))"),
        ("@outermost(map)", "map-seq(map(abs))"),
        ("@innermost(map)", "map(map-seq(abs))"),
        ("@in/everywhere", "map-seq(map-seq(abs))"),
        ("@map/fn/everywhere", "map(map-seq(abs))"),
    ],
)
def test_traversals(place: str, expected: str):
    text = f"size N = 8*M\n3c n=4 @map\n4a.seq {place}"
    assert derived(text) == f"reduce(+,0) o join o {expected} o split-4"


def test_paths_of_several_operands():
    text = "x.zip-join @zip\nx.map-join @\n3f.map @map\nx.split-map @map/in/in1"
    assert "zip(map(" in derived(text, "gemv")


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("3c n=64 @map", "1:1", "3c does not apply at @map: map: n = 64 does not divide the size"),
        ("\n  3x @map", "2:3", "unknown rule '3x'"),
        ("3c k=64 @map", "1:4", "rule 3c has no parameter 'k'; its parameters: n"),
        ("3c @map", "1:1", "3c does not apply at @map: map: the parameter 'n' has no value"),
        ("3c n=6$ @map", "1:7", "expected '@' and a place, or the end of the line, got '$ @map'"),
        ("3c n= @map", "1:6", "expected a number, a size variable or ?tunable, got ' @map'"),
        ("3c n=64 @mpa", "1:10", "unknown place 'mpa'; did you mean 'pad' or 'mma' or 'map'?"),
        ("4b @everywhere/in", "1:5", "'everywhere' can only be the last part of a place"),
        ("4b @outermost", "1:5", "expected the name of a pattern, as in 'outermost(map)'"),
        ("4b @map/in", "1:1", "'in' of pattern.map is made by nothing: it is the argument %x"),
        ("4b @split", "1:1", "no 'split' from here on; there are: reduce, map, arith.constant"),
        ("4b @fn9", "1:1", "'fn9': pattern.yield has 1 of these; they count from 0"),
        ("4b @map @map", "1:9", "expected the end of the line, got '@map'"),
        ("4a.local dim=N @map", "1:1", "expected an integer, got the size N"),
        ("3d.reduce m=7/2 @", "1:15", "2 does not divide 7"),
        ("3d.reduce m=N/2 @", "1:1", "m = N/2 is not known to be an integer"),
        ("3d.reduce m=0 @", "1:1", "m = 0 is not positive"),
        ("4a.local dim=N/2 @map", "1:1", "expected an integer, got the size N/2"),
        ("size N divisible_by 3/2", "1:23", "2 does not divide 3"),
        ("3d.reduce m=N/M @", "1:15", "M does not divide N"),
        ("size K = 4", "1:1", "the arguments have no size variable 'K'; they have: N"),
        ("size N divisible_by M", "1:1", "expected a number of at least 1"),
        ('expect "map(abs)"', "1:1", "the expression is not the expected one"),
        ("expect map(abs)", "1:8", 'expected the expected expression in "..."'),
        ('"map(abs)"', "1:1", "a string goes on with an 'expect', which is not before it"),
        ("}", "1:1", "'}' closes nothing: no 'def' is open"),
        ("def f() = {\n4b @", "1:1", "expected '}' after the lines of this macro, got the end"),
        ("def f() = {\ndef g() = {", "2:1", "a macro cannot be defined within another"),
        ("def f() = {\n  f() @\n}", "2:3", "the macro 'f' cannot use itself"),
        ("def f(n) = {\n}\nf() @", "3:1", "macro 'f' takes 1 values, got 0"),
        ("f() @", "1:1", "unknown macro 'f'"),
        ("def f() = {\n4b @\n}\nf() @everywhere", "4:1", "may be several places, expected one"),
        ("def f() = {\n4b @ret\n}\nf() @in", "2:1", "'ret' can only be the first part"),
        ("tune n = a", "1:10", "expected a number, got 'a'"),
    ],
)
def test_errors_stand_at_their_place(text: str, where: str, message: str):
    with pytest.raises(DerivationError) as caught:
        derived(text)
    assert str(caught.value).startswith(f"test.deriv:{where}: error: ")
    assert message in str(caught.value)


def test_expected_and_found_stand_below_each_other():
    with pytest.raises(DerivationError) as caught:
        derived('expect "reduce(+,0)"\n  "o map(id)"  // continued')
    assert str(caught.value).endswith(f"expected: reduce(+,0) o map(id)\nfound:    {ASUM}")


def test_a_tunable_that_is_not_there():
    with pytest.raises(PolyclError, match="has no tunable 'n'; its tunables: none"):
        derived("4b @", n=3)
