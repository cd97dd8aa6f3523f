"""Index expressions: polynomials with integer coefficients in normal form.

`x // y`, `x % y`, `min(x, y)` and `max(x, y)` are atoms of a polynomial; `polycl.analysis.ocl.
index_arith` makes them and simplifies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from polycl.symbolic import Poly


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

    def __lt__(self, other: Atom) -> bool:
        return self._text < str(other)

    def __gt__(self, other: Atom) -> bool:
        return self._text > str(other)


Atom: TypeAlias = str | Binary
"""The name of a variable, or an expression that is not a polynomial."""

Monomial: TypeAlias = tuple[Atom, ...]


class Expr(Poly[Atom, int]):
    """A polynomial over variables and quotients, rests, minima and maxima."""

    @property
    def variables(self) -> set[str]:
        """The names of all variables in it and in its atoms."""
        names: set[str] = set()
        for atom in self.atoms:
            names |= {atom} if isinstance(atom, str) else atom.x.variables | atom.y.variables
        return names


@dataclass(frozen=True)
class Range:
    """Inclusive bounds of a variable; None where there is none."""

    low: Expr | None
    high: Expr | None


Env: TypeAlias = Mapping[str, Range]
"""The ranges of variables; a variable without one has no bounds."""

NOTHING: Env = {}


def integer(value: int) -> Expr:
    """The number as an expression."""
    return Expr((((), value),))


def var(atom: Atom) -> Expr:
    """A variable, or another atom, as an expression."""
    return Expr((((atom,), 1),))


def evaluate(expr: Expr, values: Mapping[str, int]) -> int:
    """The value for given variables. Raises KeyError for a variable without one."""

    def value(atom: Atom) -> int:
        if isinstance(atom, str):
            return values[atom]
        return _OPERATIONS[atom.kind](evaluate(atom.x, values), evaluate(atom.y, values))

    return expr.evaluate(value)


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "min": min,
    "max": max,
}
