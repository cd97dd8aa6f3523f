"""The polynomials of `polycl.symbolic`, against integers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polycl.symbolic import Poly, atom

NAMES = "nmk"
numbers = st.integers(-9, 9)
terms = st.lists(st.tuples(st.lists(st.sampled_from(NAMES), max_size=3), numbers), max_size=5)
polys = terms.map(Poly[str, int])
values = st.fixed_dictionaries({name: numbers for name in NAMES})

Values = Mapping[str, int]


def at(poly: Poly[str, int], env: Values) -> int:
    return poly.evaluate(lambda name: env[name])


def exactly(_: object, a: int, b: int) -> int | Fraction:
    return Fraction(a, b)


@given(terms, values)
def test_evaluate(found: list[tuple[list[str], int]], env: Values):
    expected = 0
    for factors, number in found:
        for name in factors:
            number *= env[name]
        expected += number
    assert at(Poly(found), env) == expected


@given(polys, polys, numbers, values)
def test_arithmetic(a: Poly[str, int], b: Poly[str, int], number: int, env: Values):
    x, y = at(a, env), at(b, env)
    assert at(a + b, env) == x + y
    assert at(a - b, env) == x - y
    assert at(a * b, env) == x * y
    assert at(-a, env) == -x
    assert (at(a + number, env), at(number - a, env)) == (x + number, number - x)
    assert at(number * a, env) == number * x


@given(polys, polys, polys)
def test_normal_form(a: Poly[str, int], b: Poly[str, int], c: Poly[str, int]):
    assert a * (b + c) == b * a + c * a
    assert hash(a * (b + c)) == hash(b * a + c * a)
    assert str(a * (b + c)) == str(b * a + c * a)
    assert a - a == Poly()
    assert all((a + b).coefficients.values())


@given(polys, polys, values)
def test_substitute(a: Poly[str, int], b: Poly[str, int], env: Values):
    replaced = a.substitute(lambda name: b if name == "n" else atom(name))
    assert at(replaced, env) == at(a, {**env, "n": at(b, env)})


@given(polys, polys)
def test_division_of_a_product_is_exact(a: Poly[str, int], b: Poly[str, int]):
    if b.terms:
        assert (a * b).divided(b, exactly) == (a, Poly())


@given(polys, polys, values)
def test_division(a: Poly[str, int], b: Poly[str, int], env: Values):
    if b.terms:
        quotient, rest = a.divided(b, lambda _, x, y: x // y)
        assert quotient * b + rest == a
        assert at(quotient, env) * at(b, env) + at(rest, env) == at(a, env)


def test_division_by_zero():
    with pytest.raises(ZeroDivisionError):
        atom("n").divided(Poly(), exactly)


@given(polys, values)
def test_along(a: Poly[str, int], env: Values):
    flat = a.where(lambda monomial: monomial.count("n") < 2)
    grown = at(flat, {**env, "n": env["n"] + 1}) - at(flat, env)
    assert at(a.along(lambda name: name == "n"), env) == grown


@given(terms, terms, values)
def test_modulus(a: list[tuple[list[str], int]], b: list[tuple[list[str], int]], env: Values):
    for whole, wrapped in (
        (Poly(a) + Poly(b), Poly(a, 16) + Poly(b, 16)),
        (Poly(a) - Poly(b), Poly(a, 16) - Poly(b, 16)),
        (Poly(a) * Poly(b), Poly(a, 16) * Poly(b, 16)),
    ):
        assert (at(whole, env) - at(wrapped, env)) % 16 == 0
        assert all(0 < number < 16 for number in wrapped.coefficients.values())
        assert wrapped == whole.over(lambda name: name, 16)


def test_modulus_is_part_of_it():
    assert atom("n", 16) != atom("n", 32)


def test_parts():
    n, m = atom("n"), atom("m")
    poly = 2 * n * m - n + 3
    assert (poly.degree, poly.number, poly.constant, poly.atoms) == (2, 3, None, {"n", "m"})
    assert poly.factors == {"n": -1}
    assert (n - n + 3).constant == 3
    assert (n.only_atom, (2 * n).only_atom, (n * m).only_atom, Poly().only_atom) == (
        "n",
        None,
        None,
        None,
    )
    assert poly.terms == ((("m", "n"), 2), (("n",), -1), ((), 3))


def test_text():
    n, m = atom("n"), atom("m")
    assert str(2 * n * m - n * n + n - 1) == "2 * m * n - n * n + n - 1"
    assert str(Poly()) == "0"
    assert (n.mapped(lambda number: Fraction(-number, 64)) + 2).text("*") == "-n/64 + 2"


def test_coefficients_of_any_kind():
    halves = Poly([(("n",), Fraction(1, 2))])
    assert halves + halves == atom("n")
