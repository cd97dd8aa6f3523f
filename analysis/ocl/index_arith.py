"""Index arithmetic: sums of products with `//`, `%`, `min` and `max`, simplified by ranges.

Views of arrays compose into expressions such as `(64 * l + j) // 64`, which is `l` where
`0 <= j < 64`. An expression is a polynomial with integer coefficients in normal form, so that
equal polynomials are equal objects; other expressions are atoms in it. The bounds of variables are
in an environment, not in the variables: an index has its bounds inside of a loop only.

    env = {"l": Range(integer(0), None), "j": Range(integer(0), var("n") - 1)}
    div(var("l") * var("n") + var("j"), var("n"), env)      # l, for every n > 0

Divisors are positive everywhere. The rules simplify Lift's index expressions [lift15]: terms that
are multiples of the divisor leave the quotient; a rest that is proved to be in `[0, divisor)`
vanishes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from polycl.analysis.ocl.index_expr import (
    NOTHING,
    Atom,
    Binary,
    Env,
    Expr,
    Monomial,
    Range,
    evaluate,
    integer,
    var,
)
from polycl.analysis.ocl.index_ranges import bounds, is_below, is_nonneg, number_range

__all__ = [
    "NOTHING",
    "Binary",
    "Env",
    "Expr",
    "Monomial",
    "Range",
    "bounds",
    "div",
    "evaluate",
    "exact_div",
    "integer",
    "is_nonneg",
    "maximum",
    "minimum",
    "mod",
    "simplify_sum",
    "substitute",
    "var",
]


def substitute(expr: Expr, values: Mapping[str, Expr], env: Env) -> Expr:
    """`expr` with expressions for variables, simplified again."""

    def value(atom: Atom) -> Expr:
        if isinstance(atom, str):
            return values[atom] if atom in values else var(atom)
        x, y = (substitute(e, values, env) for e in (atom.x, atom.y))
        return _BUILDERS[atom.kind](x, y, env)

    return simplify_sum(expr.substitute(value), env)


def div(x: Expr, y: Expr, env: Env) -> Expr:
    """`x // y`, rounded down; y > 0."""
    quotient, rest = _divide(simplify_sum(x, env), y, env)
    if rest is None:
        return quotient
    inner = rest.only_atom
    if isinstance(inner, Binary) and inner.kind == "//":
        return quotient + div(inner.x, inner.y * y, env)
    if isinstance(inner, Binary) and inner.kind == "%":
        # x % (y * k) // y is x // y % k.
        if (k := exact_div(inner.y, y)) is not None:
            return quotient + mod(div(inner.x, y, env), k, env)
    if found := _cancelled(rest, y, env):
        # (g * a + b) // (g * e) is a // e where 0 <= b < g.
        _, multiple, _, smaller = found
        return quotient + div(multiple, smaller, env)
    return quotient + var(Binary("//", rest, y))


def mod(x: Expr, y: Expr, env: Env) -> Expr:
    """`x % y`, which is in `[0, y)`; y > 0."""
    x = simplify_sum(x, env)
    # (z % (y * k) + ...) % y is (z + ...) % y.
    for monomial, coefficient in x.terms:
        for atom in monomial:
            if isinstance(atom, Binary) and atom.kind == "%":
                if exact_div(atom.y, y) is not None and monomial == (atom,):
                    return mod(x + coefficient * (atom.x - var(atom)), y, env)
    quotient, rest = _divide(x, y, env)
    if rest is None:
        return simplify_sum(x - quotient * y, env)
    if found := _cancelled(rest, y, env):
        # (g * a + b) % (g * e) is g * (a % e) + b where 0 <= b < g.
        factor, multiple, remainder, smaller = found
        return factor * mod(multiple, smaller, env) + remainder
    return var(Binary("%", rest, y))


def minimum(x: Expr, y: Expr, env: Env) -> Expr:
    """The smaller of both."""
    return _extreme("min", x, y, env)


def maximum(x: Expr, y: Expr, env: Env) -> Expr:
    """The larger of both."""
    return _extreme("max", x, y, env)


def _extreme(kind: str, x: Expr, y: Expr, env: Env) -> Expr:
    for small, large in ((x, y), (y, x)) if kind == "min" else ((y, x), (x, y)):
        if is_nonneg(large - small, env):
            return small if kind == "min" else large
    atom = Binary(kind, *sorted((x, y), key=str))
    low, high = number_range(atom, env)
    return integer(low) if low is not None and low == high else var(atom)


_BUILDERS: dict[str, Callable[[Expr, Expr, Env], Expr]] = {
    "//": div,
    "%": mod,
    "min": minimum,
    "max": maximum,
}


def exact_div(x: Expr, y: Expr) -> Expr | None:
    """The polynomial q with `x = q * y`, or None where there is none."""
    quotient, rest = _split(x, y)
    return None if rest.terms else quotient


def simplify_sum(expr: Expr, env: Env) -> Expr:
    """Join quotients and rests: `x // y * y + x % y` is `x`."""
    for monomial, coefficient in expr.terms:
        for atom in monomial:
            if not isinstance(atom, Binary) or atom.kind != "%":
                continue
            others = list(monomial)
            others.remove(atom)
            scale = Expr(((tuple(others), coefficient),))
            taken = scale * (div(atom.x, atom.y, env) * atom.y + var(atom))
            left = expr - taken
            if len(left.terms) + len(taken.terms) == len(expr.terms):
                return simplify_sum(left + scale * atom.x, env)
    return expr


def _divide(x: Expr, y: Expr, env: Env) -> tuple[Expr, Expr | None]:
    """`x` as quotient and rest: the rest is None where the quotient is all of `x // y`."""
    quotient, rest = _split(x, y)
    if is_below(rest, y, env):
        return quotient, None
    number = y.constant
    if number is not None:
        low, high = bounds(rest, env)
        if low is not None and high is not None and low // number == high // number:
            return quotient + low // number, None
    return quotient, rest


def _split(x: Expr, y: Expr) -> tuple[Expr, Expr]:
    """`(q, r)` with `x = q * y + r`, where no term of r is a multiple of y's first."""
    return x.divided(y, _times)


def _times(monomial: Monomial, a: int, b: int) -> int:
    # The constant rounds down, so that it does not make a rest negative.
    return a // b if a > 0 or not monomial else -(-a // b)


def _cancelled(rest: Expr, y: Expr, env: Env) -> tuple[Expr, Expr, Expr, Expr] | None:
    """(g, a, b, e) with `rest = g * a + b`, `y = g * e` and `0 <= b < g`."""
    for factor in _common_factors(rest, y):
        multiple, remainder = _split(rest, factor)
        smaller = exact_div(y, factor)
        if smaller is not None and is_below(remainder, factor, env):
            return factor, multiple, remainder, smaller
    return None


def _common_factors(rest: Expr, y: Expr) -> Iterable[Expr]:
    """Factors of the one term of y, except y itself, that are factors of terms of `rest`, too."""
    if len(y.terms) != 1:
        return
    (monomial, coefficient) = y.terms[0]
    found: list[Expr] = []
    for term, c in rest.terms:
        shared = list(monomial)
        common: list[Atom] = []
        for atom in term:
            if atom in shared:
                shared.remove(atom)
                common.append(atom)
        factor = Expr(((tuple(common), math.gcd(c, coefficient)),))
        if factor not in (y, integer(1)) and factor not in found:
            found.append(factor)
    # The largest first: it leaves the smallest divisor.
    yield from sorted(found, key=lambda f: (-len(f.terms[0][0]), -f.terms[0][1], str(f)))
