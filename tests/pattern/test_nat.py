"""Sizes: polynomials that agree with integers wherever they are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polycl.dialects.pattern import NatAttr, SizeAttr, exact_div, nat, solve_sizes

VARIABLES = ("K", "M", "N")

Meaning = Callable[[dict[str, int]], Fraction]
Pair = tuple[NatAttr, Meaning]
"""A symbolic size, and its expected value."""


def leaf() -> st.SearchStrategy[Pair]:
    def variable(name: str) -> Pair:
        return nat(name), lambda env: Fraction(env[name])

    def integer(number: int) -> Pair:
        return nat(number), lambda env: Fraction(number)

    return st.one_of(st.sampled_from(VARIABLES).map(variable), st.integers(-9, 9).map(integer))


def inner(pairs: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    def combine(left: Pair, right: Pair, sign: str) -> Pair:
        (a, f), (b, g) = left, right
        match sign:
            case "+":
                return a + b, lambda env: f(env) + g(env)
            case "-":
                return a - b, lambda env: f(env) - g(env)
            case _:
                return a * b, lambda env: f(env) * g(env)

    def divide(pair: Pair, by: int) -> Pair:
        a, f = pair
        quotient = a.quotient(by)
        assert quotient is not None
        return quotient, lambda env: f(env) / by

    return st.one_of(
        st.builds(combine, pairs, pairs, st.sampled_from("+-*")),
        st.builds(divide, pairs, st.integers(1, 8)),
    )


pairs = st.recursive(leaf(), inner, max_leaves=8)
environments = st.fixed_dictionaries({name: st.integers(1, 50) for name in VARIABLES})


@given(pairs, environments)
def test_arithmetic_agrees_with_integers(pair: Pair, env: dict[str, int]):
    size, meaning = pair
    expected = meaning(env)
    if expected.denominator == 1:
        assert size.evaluate(env) == expected
    else:
        with pytest.raises(ValueError, match="is not an integer for"):
            size.evaluate(env)


@given(pairs)
def test_the_text_is_read_back(pair: Pair):
    size, _ = pair
    assert nat(str(size)) == size


@given(pairs, pairs, pairs)
def test_equal_sizes_are_equal_attributes(a: Pair, b: Pair, c: Pair):
    (x, _), (y, _), (z, _) = a, b, c
    assert (x + y) * z == z * y + x * z
    assert x - y == -(y - x)


@given(pairs, pairs)
def test_a_quotient_times_its_divisor_is_the_dividend(a: Pair, b: Pair):
    (x, _), (y, _) = a, b
    if y == nat(0):
        assert x.quotient(y) is None
    else:
        assert (x * y).quotient(y) == x
        quotient = x.quotient(y)
        assert quotient is None or quotient * y == x


@given(pairs, environments)
def test_substituted_numbers_leave_the_value(pair: Pair, env: dict[str, int]):
    size, meaning = pair
    rest = size.substitute({name: nat(value) for name, value in env.items()})
    assert rest.is_constant
    assert rest == nat(0) if meaning(env) == 0 else rest.quotient(rest) == nat(1)
    assert Fraction(dict(rest.terms).get((), 0), rest.denominator) == meaning(env)


@given(pairs, st.integers(1, 12), st.integers(1, 12), environments)
def test_a_division_that_is_exact_leaves_no_remainder(
    pair: Pair, divisor: int, known: int, env: dict[str, int]
):
    size, meaning = pair
    sizes = {name: SizeAttr(name, divisible_by=known) for name in VARIABLES}
    quotient = exact_div(size, divisor, sizes)
    if quotient is not None:
        multiples = {name: value * known for name, value in env.items()}
        assert quotient.evaluate(multiples) == meaning(multiples) / divisor


@pytest.mark.parametrize(
    ("size", "divisor", "quotient"),
    [
        ("64*N", 64, "N"),
        ("64*N", 96, None),
        ("N", 64, None),
        ("M*N + 2*N", "M + 2", "N"),
        ("M*N", "K", None),
        ("0", 5, "0"),
        ("4*N*N - 1", "2*N - 1", "2*N + 1"),
    ],
)
def test_exact_division(size: str, divisor: int | str, quotient: str | None):
    assert nat(size).exact_div(divisor) == (None if quotient is None else nat(quotient))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("2*(N + 3) - N", "N + 6"),
        ("N*M*2/4", "M*N/2"),
        ("3 - N", "-N + 3"),
        ("N - N", "0"),
        ("N/2 + N/3", "5*N/6"),
    ],
)
def test_the_normal_form(text: str, printed: str):
    assert str(nat(text)) == printed


@pytest.mark.parametrize("text", ["", "N +", "f(N)", "2 N", "N/M", "N/0", "N > 2"])
def test_what_is_no_size(text: str):
    with pytest.raises(ValueError, match="is not a size"):
        nat(text)


def test_sizes_are_found_from_shapes():
    equations = [(nat("N*M + 2"), 202), (nat("64*N"), 6400), (nat(7), 7)]
    assert solve_sizes(equations) == {"N": 100, "M": 2}


@pytest.mark.parametrize(
    ("equations", "message"),
    [
        ([("64*N", 100)], r"the size 64\*N cannot be 100: N is an integer"),
        ([("N", 5), ("N + 1", 7)], r"the size N \+ 1 is 6 here, got 7"),
        ([("N*M", 6)], r"cannot tell the variables M, N from M\*N = 6"),
        ([("N*N", 9)], r"cannot tell the variables N from N\*N = 9"),
    ],
)
def test_shapes_that_fit_no_sizes(equations: list[tuple[str, int]], message: str):
    with pytest.raises(ValueError, match=message):
        solve_sizes([(nat(size), value) for size, value in equations])
