"""Index arithmetic: its simplifications, and that it agrees with isl and with plain numbers."""

from __future__ import annotations

import random

import islpy as isl
import pytest

from polycl.analysis.ocl.index_arith import (
    Env,
    Expr,
    Range,
    div,
    evaluate,
    exact_div,
    integer,
    is_nonneg,
    maximum,
    minimum,
    mod,
    simplify_sum,
    substitute,
    var,
)

n, m, i, j, k = (var(name) for name in "nmijk")


def below(size: Expr | int) -> Range:
    return Range(integer(0), size - 1 if isinstance(size, Expr) else integer(size - 1))


SYMBOLIC: Env = {
    "n": Range(integer(1), None),
    "m": Range(integer(1), None),
    "i": below(m),
    "j": below(n),
    "k": below(n * m),
}
CONSTANT: Env = {"i": below(6), "j": below(8), "k": below(48), "n": Range(integer(8), integer(8))}


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (div(i * n + j, n, SYMBOLIC), "i"),
        (mod(i * n + j, n, SYMBOLIC), "j"),
        (div(k, n, SYMBOLIC) * n + mod(k, n, SYMBOLIC), "k"),
        (div(i * 8 + j, integer(8), CONSTANT), "i"),
        (mod(i * 8 + j, integer(8), CONSTANT), "j"),
        (div(mod(k, n * m, {}), n, {}), "((k // n) % m)"),
        (div(mod(k, n * m, SYMBOLIC), n, SYMBOLIC), "(k // n)"),
        (div(div(k, n, {}), m, {}), "(k // m * n)"),
        (mod(mod(k, n * 4, {}), n, {}), "(k % n)"),
        (div(i * 16 + j, integer(4), CONSTANT), "(j // 4) + 4 * i"),
        (mod(i * 2, integer(8), CONSTANT), "2 * (i % 4)"),
        (div(i * 2 + mod(j, integer(2), {}), integer(4), CONSTANT), "(i // 2)"),
        (minimum(i, m - 1, SYMBOLIC), "i"),
        (maximum(i - m, integer(0), SYMBOLIC), "0"),
        (minimum(i, integer(3), CONSTANT), "min(3, i)"),
    ],
)
def test_what_is_simplified(expr: Expr, text: str):
    assert str(simplify_sum(expr, {})) == text


def test_the_coalesced_read_of_figure_9_has_no_quotient_left():
    """Split and join of 2048 around a reorder with stride 128: work-item l reads l, l + 128, ..."""
    g, item = var("g"), var("l")
    env = {"g": below(64), "l": below(128), "j": below(2048)}
    flat = item * 2048 + j
    read = g * 262144 + div(flat, integer(2048), env) + mod(flat, integer(2048), env) * 128
    assert str(read) == "262144 * g + 128 * j + l"


def test_symbolic_sizes_as_well():
    item, s = var("l"), var("s")
    env = {"n": Range(integer(1), None), "j": below(n), "l": below(s), "s": Range(integer(1), None)}
    assert str(div(item * n + j, n, env) + mod(item * n + j, n, env) * s) == "j * s + l"


def test_exact_division():
    assert exact_div(n * n - 1, n - 1) == n + 1
    assert exact_div(n * 6, integer(4)) is None


def test_what_cannot_be_proved_is_not_claimed():
    assert not is_nonneg(i - j, SYMBOLIC)
    assert not is_nonneg(var("unknown"), SYMBOLIC)


class _Random:
    """Random expressions, built by this module and as text for isl at the same time."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.sizes = {name: self.random.choice([1, 2, 3, 4, 6, 8, 12]) for name in "ijkl"}
        self.env = {name: below(size) for name, size in self.sizes.items()}

    def expr(self, depth: int) -> tuple[Expr, str]:
        if depth == 0 or self.random.random() < 0.1:
            if self.random.random() < 0.2:
                number = self.random.randint(-9, 9)
                return integer(number), f"({number})"
            name = self.random.choice("ijkl")
            return var(name), name
        x, x_text = self.expr(depth - 1)
        divisor = self.random.choice([1, 2, 3, 4, 6, 8, 12])
        match self.random.choice("++**//%%m"):
            case "+":
                y, y_text = self.expr(depth - 1)
                return simplify_sum(x + y, self.env), f"({x_text} + {y_text})"
            case "*":
                return x * divisor, f"({divisor} * {x_text})"
            case "/":
                return div(x, integer(divisor), self.env), f"floor(({x_text}) / {divisor})"
            case "%":
                return mod(x, integer(divisor), self.env), f"(({x_text}) mod {divisor})"
            case _:
                y, y_text = self.expr(depth - 1)
                if self.random.random() < 0.5:
                    return minimum(x, y, self.env), f"min({x_text}, {y_text})"
                return maximum(x, y, self.env), f"max({x_text}, {y_text})"


def _isl_text(expr: Expr) -> str:
    """The result in isl's syntax: products of variables do not occur."""
    if expr.constant is not None:
        return str(expr.constant)
    parts: list[str] = []
    for monomial, coefficient in expr.terms:
        factors = [str(coefficient)]
        for atom in monomial:
            if isinstance(atom, str):
                factors.append(atom)
                continue
            x, y = _isl_text(atom.x), _isl_text(atom.y)
            forms = {
                "//": f"floor(({x}) / {y})",
                "%": f"(({x}) mod {y})",
                "min": f"min({x}, {y})",
                "max": f"max({x}, {y})",
            }
            factors.append(forms[atom.kind])
        parts.append(" * ".join(factors))
    return " + ".join(parts)


@pytest.mark.parametrize("seed", range(150))
def test_agrees_with_isl(seed: int):
    made = _Random(seed)
    expr, text = made.expr(4)
    domain = " and ".join(f"0 <= {name} < {size}" for name, size in made.sizes.items())
    ours = _isl_text(expr)

    def function(body: str) -> isl.PwAff:
        return isl.PwAff(f"{{ [i, j, k, l] -> [({body})] : {domain} }}")

    assert function(text).is_equal(function(ours)), f"{text} became {expr}"


@pytest.mark.parametrize("seed", range(100))
def test_symbolic_results_have_the_values_of_plain_numbers(seed: int):
    """Divisors with variables, which isl has not: every point of a small box is tried."""
    rng = random.Random(seed)
    sizes = {"n": rng.randint(1, 4), "m": rng.randint(1, 4)}
    flat = rng.choice([i * n + j, j * m + i, k * m + i * 2, i * n * m + k])
    by = rng.choice([n, m, n * m, n * 2])
    quotient, rest = div(flat, by, SYMBOLIC), mod(flat, by, SYMBOLIC)
    for i_ in range(sizes["m"]):
        for j_ in range(sizes["n"]):
            for k_ in range(sizes["n"] * sizes["m"]):
                point = sizes | {"i": i_, "j": j_, "k": k_}
                x, y = evaluate(flat, point), evaluate(by, point)
                assert evaluate(quotient, point) == x // y
                assert evaluate(rest, point) == x % y


def test_substitution_simplifies_again():
    expr = div(k, n, {})
    assert str(substitute(expr, {"k": i * n + j}, SYMBOLIC)) == "i"
