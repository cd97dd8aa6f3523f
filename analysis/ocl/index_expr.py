"""Index expressions: polynomials with integer coefficients in normal form.

What is no polynomial, `x // y`, `x % y`, `min(x, y)` and `max(x, y)`, is an atom in one; these are
made by `analysis.index_arith`, which simplifies.
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
        return sum_of([*self.terms, *as_expr(other).terms])

    def __radd__(self, other: int) -> Expr:
        return self + other

    def __neg__(self) -> Expr:
        return Expr(tuple((monomial, -c) for monomial, c in self.terms))

    def __sub__(self, other: Expr | int) -> Expr:
        return self + -as_expr(other)

    def __rsub__(self, other: int) -> Expr:
        return as_expr(other) - self

    def __mul__(self, other: Expr | int) -> Expr:
        return sum_of(
            (product(m, k), c * d) for m, c in self.terms for k, d in as_expr(other).terms
        )

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
    return of_atom(Var(name))


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


def of_atom(atom: Atom) -> Expr:
    """The atom as an expression."""
    return Expr((((atom,), 1),))


def only_atom(expr: Expr) -> Atom | None:
    """The atom that is all of `expr`."""
    if len(expr.terms) == 1 and expr.terms[0][1] == 1 and len(expr.terms[0][0]) == 1:
        return expr.terms[0][0][0]
    return None


def product(a: Monomial, b: Monomial) -> Monomial:
    """The product of two monomials."""
    return tuple(sorted(a + b, key=str))


def without(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The factors of `monomial` that are not in `divisor`, or None where it does not divide."""
    factors = list(monomial)
    for atom in divisor:
        if atom not in factors:
            return None
        factors.remove(atom)
    return tuple(factors)


def sum_of(terms: Iterable[tuple[Monomial, int]]) -> Expr:
    """The normal form of a sum."""
    total: dict[Monomial, int] = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, 0) + coefficient
    kept = [(monomial, c) for monomial, c in total.items() if c]
    return Expr(tuple(sorted(kept, key=lambda term: (-len(term[0]), *map(str, term[0])))))
