"""Index arithmetic: sums of products with `//`, `%`, `min` and `max`, simplified by ranges.

Views of arrays compose into expressions such as `(64 * l + j) // 64`, which is `l` where
`0 <= j < 64`. An expression is a polynomial with integer coefficients in normal form, so that
equal polynomials are equal objects; what is no polynomial is an atom in it. What is known of the
variables stands in an environment, not in them: an index has its bounds inside of a loop only.

    env = {"l": Range(integer(0), None), "j": Range(integer(0), var("n") - 1)}
    div(var("l") * var("n") + var("j"), var("n"), env)      # l, for every n > 0

Divisors are positive everywhere. The rules follow research on Lift's index expressions: terms that
the divisor divides leave the quotient; a rest that is proved to lie in `[0, divisor)` vanishes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias


@dataclass(frozen=True)
class Var:
    """A variable; its name says which."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Binary:
    """`x // y` (rounded down), `x % y` (in `[0, y)`), `min(x, y)` or `max(x, y)`."""

    kind: str
    x: Expr
    y: Expr

    @cached_property
    def _text(self) -> str:
        if self.kind in ("min", "max"):
            return f"{self.kind}({self.x}, {self.y})"
        return f"({self.x} {self.kind} {self.y})"

    def __str__(self) -> str:
        return self._text


Atom: TypeAlias = Var | Binary
Monomial: TypeAlias = tuple[Atom, ...]
"""The factors, in the order of their texts."""


@dataclass(frozen=True)
class Expr:
    """A sum of monomials times integers; see the functions below for how to make one."""

    terms: tuple[tuple[Monomial, int], ...]
    """In normal form: no monomial twice, no coefficient 0, the larger monomials first."""

    @property
    def constant(self) -> int | None:
        """The value where it is a number."""
        if not self.terms:
            return 0
        (monomial, coefficient), *others = self.terms
        return None if monomial or others else coefficient

    @property
    def atoms(self) -> set[Atom]:
        """All that are factors in it; for what these contain see `variables`."""
        return {atom for monomial, _ in self.terms for atom in monomial}

    @property
    def variables(self) -> set[str]:
        """The names of all variables in it."""
        names: set[str] = set()
        for atom in self.atoms:
            names |= {atom.name} if isinstance(atom, Var) else atom.x.variables | atom.y.variables
        return names

    def __add__(self, other: Expr | int) -> Expr:
        return _sum([*self.terms, *as_expr(other).terms])

    def __radd__(self, other: int) -> Expr:
        return self + other

    def __neg__(self) -> Expr:
        return Expr(tuple((monomial, -c) for monomial, c in self.terms))

    def __sub__(self, other: Expr | int) -> Expr:
        return self + -as_expr(other)

    def __rsub__(self, other: int) -> Expr:
        return as_expr(other) - self

    def __mul__(self, other: Expr | int) -> Expr:
        return _sum((_product(m, k), c * d) for m, c in self.terms for k, d in as_expr(other).terms)

    def __rmul__(self, other: int) -> Expr:
        return self * other

    @cached_property
    def _text(self) -> str:
        parts: list[str] = []
        for monomial, c in self.terms:
            factors = [str(atom) for atom in monomial]
            if abs(c) != 1 or not factors:
                factors.insert(0, str(abs(c)))
            sign = (" - " if c < 0 else " + ") if parts else ("-" if c < 0 else "")
            parts.append(sign + " * ".join(factors))
        return "".join(parts) or "0"

    def __str__(self) -> str:
        return self._text


@dataclass(frozen=True)
class Range:
    """Inclusive bounds of a variable; None where there is none."""

    low: Expr | None
    high: Expr | None


Env: TypeAlias = Mapping[str, Range]
"""What is known of variables; a variable that is not in it may be anything."""

NOTHING: Env = {}


def integer(value: int) -> Expr:
    """The number as an expression."""
    return Expr(((((), value)),)) if value else Expr(())


def var(name: str) -> Expr:
    """The variable `name`."""
    return _atom(Var(name))


def as_expr(value: Expr | int) -> Expr:
    """An expression for what may be a number."""
    return integer(value) if isinstance(value, int) else value


def evaluate(expr: Expr, values: Mapping[str, int]) -> int:
    """The value for given variables. Raises KeyError for a variable without one."""
    total = 0
    for monomial, value in expr.terms:
        for atom in monomial:
            if isinstance(atom, Var):
                value *= values[atom.name]
            else:
                value *= _OPERATIONS[atom.kind](evaluate(atom.x, values), evaluate(atom.y, values))
        total += value
    return total


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "min": min,
    "max": max,
}


def substitute(expr: Expr, values: Mapping[str, Expr], env: Env) -> Expr:
    """`expr` with other expressions in the place of variables, simplified again."""
    total = integer(0)
    for monomial, coefficient in expr.terms:
        product = integer(coefficient)
        for atom in monomial:
            if isinstance(atom, Var):
                product *= values.get(atom.name, _atom(atom))
            else:
                x, y = (substitute(e, values, env) for e in (atom.x, atom.y))
                product *= _BUILDERS[atom.kind](x, y, env)
        total += product
    return simplify_sum(total, env)


# Quotient and rest


def div(x: Expr, y: Expr, env: Env) -> Expr:
    """`x // y`, rounded down; y > 0."""
    quotient, rest = _divide(simplify_sum(x, env), y, env)
    if rest is None:
        return quotient
    inner = _only_atom(rest)
    if isinstance(inner, Binary) and inner.kind == "//":
        return quotient + div(inner.x, inner.y * y, env)
    if isinstance(inner, Binary) and inner.kind == "%":
        # x % (y * k) // y is x // y % k.
        if (k := exact_div(inner.y, y)) is not None:
            return quotient + mod(div(inner.x, y, env), k, env)
    for factor in _common_factors(rest, y):
        # (g * a + b) // (g * e) is a // e where 0 <= b < g.
        multiple, remainder = _split(rest, factor)
        smaller = exact_div(y, factor)
        if smaller is not None and _is_below(remainder, factor, env):
            return quotient + div(multiple, smaller, env)
    return quotient + _atom(Binary("//", rest, y))


def mod(x: Expr, y: Expr, env: Env) -> Expr:
    """`x % y`, which lies in `[0, y)`; y > 0."""
    x = simplify_sum(x, env)
    # (z % (y * k) + ...) % y is (z + ...) % y.
    for monomial, coefficient in x.terms:
        for atom in monomial:
            if isinstance(atom, Binary) and atom.kind == "%":
                if exact_div(atom.y, y) is not None and monomial == (atom,):
                    return mod(x + coefficient * (atom.x - _atom(atom)), y, env)
    quotient, rest = _divide(x, y, env)
    if rest is None:
        return simplify_sum(x - quotient * y, env)
    for factor in _common_factors(rest, y):
        # (g * a + b) % (g * e) is g * (a % e) + b where 0 <= b < g.
        multiple, remainder = _split(rest, factor)
        smaller = exact_div(y, factor)
        if smaller is not None and _is_below(remainder, factor, env):
            return factor * mod(multiple, smaller, env) + remainder
    return _atom(Binary("%", rest, y))


def minimum(x: Expr, y: Expr, env: Env) -> Expr:
    """The smaller of both."""
    if is_nonneg(y - x, env):
        return x
    if is_nonneg(x - y, env):
        return y
    return _unless_known(Binary("min", *sorted((x, y), key=str)), env)


def maximum(x: Expr, y: Expr, env: Env) -> Expr:
    """The larger of both."""
    if is_nonneg(x - y, env):
        return x
    if is_nonneg(y - x, env):
        return y
    return _unless_known(Binary("max", *sorted((x, y), key=str)), env)


def _unless_known(atom: Binary, env: Env) -> Expr:
    low, high = _number_range(atom, env)
    return integer(low) if low is not None and low == high else _atom(atom)


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
    """Put quotients and rests together again: `x // y * y + x % y` is `x`."""
    for monomial, coefficient in expr.terms:
        for atom in monomial:
            if not isinstance(atom, Binary) or atom.kind != "%":
                continue
            others = list(monomial)
            others.remove(atom)
            scale = Expr(((tuple(others), coefficient),))
            taken = scale * (div(atom.x, atom.y, env) * atom.y + _atom(atom))
            left = expr - taken
            if len(left.terms) + len(taken.terms) == len(expr.terms):
                return simplify_sum(left + scale * atom.x, env)
    return expr


def _divide(x: Expr, y: Expr, env: Env) -> tuple[Expr, Expr | None]:
    """`x` as quotient and rest: the rest is None where the quotient is all of `x // y`."""
    quotient, rest = _split(x, y)
    if _is_below(rest, y, env):
        return quotient, None
    number = y.constant
    if number is not None:
        low, high = bounds(rest, env)
        if low is not None and high is not None and low // number == high // number:
            return quotient + low // number, None
    return quotient, rest


def _split(x: Expr, y: Expr) -> tuple[Expr, Expr]:
    """`(q, r)` with `x = q * y + r`, where no term of r is a multiple of y's first."""
    if not y.terms:
        raise ZeroDivisionError("a divisor is 0")
    monomial, coefficient = y.terms[0]
    quotient, rest = integer(0), integer(0)
    # Each step removes a term and adds smaller ones: monomials are ordered by their degree.
    for _ in range(4 * (len(x.terms) + len(y.terms)) ** 2):
        if not x.terms:
            return quotient, rest
        (first, c), *_others = x.terms
        factors = _without(first, monomial)
        # The number at the end rounds down, so that a rest is not negative for its sake alone.
        times = c // coefficient if c > 0 or not first else -(-c // coefficient)
        if factors is None or not times:
            step = rest_part = Expr(((first, c),))
            rest += rest_part
            x -= step
        else:
            step = Expr(((factors, times),))
            quotient += step
            left = Expr(((first, c),)) - step * y
            # What is left of the first term itself belongs to the rest.
            kept = Expr(tuple(t for t in left.terms if t[0] == first))
            rest += kept
            x = x - Expr(((first, c),)) + (left - kept)
    return integer(0), x + rest + quotient * y


def _common_factors(rest: Expr, y: Expr) -> Iterable[Expr]:
    """Factors of the one term of y that terms of `rest` have, too; y itself is not among them."""
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
        factor = Expr(((tuple(common), _gcd(c, coefficient)),))
        if factor not in (y, integer(1)) and factor not in found:
            found.append(factor)
    # The largest first: it leaves the smallest divisor.
    yield from sorted(found, key=lambda f: (-len(f.terms[0][0]), -f.terms[0][1], str(f)))


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return abs(a)


# What is known of values


def is_nonneg(expr: Expr, env: Env, depth: int = 4) -> bool:
    """Whether `expr >= 0` could be proved: bounds take the place of variables."""
    low, _ = bounds(expr, env)
    if low is not None and low >= 0:
        return True
    if not depth:
        return False
    for atom in sorted(expr.atoms, key=str):
        range_ = _range_of(atom, env, depth)
        for bound, sign in ((range_.high, -1), (range_.low, 1)):
            if bound is None or bound == integer(0):
                continue
            replaced = _bound_terms(expr, atom, bound, sign, env)
            if replaced != expr and is_nonneg(replaced, env, depth - 1):
                return True
    return False


def bounds(expr: Expr, env: Env) -> tuple[int | None, int | None]:
    """Numbers between which the value lies, inclusive; None where none was found."""
    low: int | None = 0
    high: int | None = 0
    for monomial, coefficient in expr.terms:
        term: tuple[int | None, int | None] = (coefficient, coefficient)
        for atom in monomial:
            term = _times(term, _number_range(atom, env))
        low = None if low is None or term[0] is None else low + term[0]
        high = None if high is None or term[1] is None else high + term[1]
    return low, high


def _is_below(x: Expr, y: Expr, env: Env) -> bool:
    """Whether `0 <= x < y`."""
    if not x.terms:
        return True
    return is_nonneg(x, env) and is_nonneg(y - 1 - x, env)


def _bound_terms(expr: Expr, atom: Atom, bound: Expr, sign: int, env: Env) -> Expr:
    """`expr` or less: `bound` for `atom` in the terms of this sign whose other factors are >= 0."""
    result = expr
    for monomial, coefficient in expr.terms:
        if atom not in monomial or (coefficient > 0) != (sign > 0):
            continue
        others = list(monomial)
        others.remove(atom)
        if all(_is_zero_up(other, env) for other in others):
            term = Expr(((tuple(others), coefficient),))
            result = result - Expr(((monomial, coefficient),)) + term * bound
    return result


def _is_zero_up(atom: Atom, env: Env) -> bool:
    low, _ = _number_range(atom, env)
    return low is not None and low >= 0


def _range_of(atom: Atom, env: Env, depth: int) -> Range:
    """Bounds of `atom` that may contain variables."""
    if isinstance(atom, Var):
        return env.get(atom.name, Range(None, None))
    if atom.kind == "%":
        return Range(integer(0), atom.y - 1)
    if atom.kind == "min":
        return Range(None, atom.x)
    if atom.kind == "max":
        return Range(atom.x, None)
    if is_nonneg(atom.x, env, depth - 1):
        return Range(integer(0), atom.x)
    return Range(None, None)


def _number_range(atom: Atom, env: Env) -> tuple[int | None, int | None]:
    """Bounds of `atom` that are numbers."""
    if isinstance(atom, Var):
        range_ = env.get(atom.name)
        if range_ is None:
            return None, None
        low = None if range_.low is None else bounds(range_.low, env)[0]
        high = None if range_.high is None else bounds(range_.high, env)[1]
        return low, high
    (xl, xh), (yl, yh) = bounds(atom.x, env), bounds(atom.y, env)
    match atom.kind:
        case "%":
            high = None if yh is None else yh - 1
            if xl is not None and xl >= 0 and xh is not None:
                high = xh if high is None else min(high, xh)
            return 0, high
        case "//":
            yl = max(yl or 1, 1)
            low = high = None
            if xl is not None:
                low = xl // yl if xl < 0 else xl // yh if yh else 0
            if xh is not None:
                high = xh // yl if xh >= 0 else xh // yh if yh else -1
            return low, high
        case "min":
            low = None if xl is None or yl is None else min(xl, yl)
            highs = [h for h in (xh, yh) if h is not None]
            if (total := (atom.x + atom.y).constant) is not None:
                # At most half of what both are together.
                highs.append(total // 2)
            return low, min(highs, default=None)
        case _:
            lows = [bound for bound in (xl, yl) if bound is not None]
            if (total := (atom.x + atom.y).constant) is not None:
                lows.append(-(-total // 2))
            high = None if xh is None or yh is None else max(xh, yh)
            return max(lows, default=None), high


def _times(
    a: tuple[int | None, int | None], b: tuple[int | None, int | None]
) -> tuple[int | None, int | None]:
    """The range of products of numbers in two ranges."""
    if None not in a and None not in b:
        products = [x * y for x in a for y in b if x is not None and y is not None]
        return min(products), max(products)
    (al, ah), (bl, bh) = a, b
    if al is not None and bl is not None and al >= 0 and bl >= 0:
        return al * bl, None
    if ah is not None and bl is not None and ah <= 0 and bl >= 0:
        return None, ah * bl
    if bh is not None and al is not None and bh <= 0 and al >= 0:
        return None, bh * al
    return None, None


# Normal form


def _atom(atom: Atom) -> Expr:
    return Expr((((atom,), 1),))


def _only_atom(expr: Expr) -> Atom | None:
    """The atom that is all of `expr`."""
    if len(expr.terms) == 1 and expr.terms[0][1] == 1 and len(expr.terms[0][0]) == 1:
        return expr.terms[0][0][0]
    return None


def _product(a: Monomial, b: Monomial) -> Monomial:
    return tuple(sorted(a + b, key=str))


def _without(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The factors of `monomial` that are not in `divisor`, or None where it does not divide."""
    factors = list(monomial)
    for atom in divisor:
        if atom not in factors:
            return None
        factors.remove(atom)
    return tuple(factors)


def _sum(terms: Iterable[tuple[Monomial, int]]) -> Expr:
    total: dict[Monomial, int] = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, 0) + coefficient
    kept = [(monomial, c) for monomial, c in total.items() if c]
    return Expr(tuple(sorted(kept, key=lambda term: (-len(term[0]), *map(str, term[0])))))
