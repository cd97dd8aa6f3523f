"""Polynomials over atoms: the one symbolic algebra.

    x, y = atom("x"), atom("y")
    (x + 1) * (x - y)                       # x * x - x * y + x - y

An atom is a symbol without structure: the name of a size, a value of the IR, a quotient of two
polynomials. Atoms must support `==`, `hash` and, where they are multiplied with one another, `<`.
Coefficients are integers (`Fraction`s where sizes are divided) or anything else that has `+`, `-`
and `*`, such as piecewise affine expressions of isl. With a modulus the coefficients are integers
modulo it: 2^32 for sums that wrap in 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

AtomT = TypeVar("AtomT", bound=Hashable)
NumberT = TypeVar("NumberT")
OtherT = TypeVar("OtherT")


class Poly(Generic[AtomT, NumberT]):
    """A sum of monomials (products of atoms) times numbers; it is immutable.

    The normal form is unique: the atoms of a monomial are sorted, no monomial occurs twice, and no
    coefficient is 0. So equal polynomials are equal objects.
    """

    def __init__(self, terms: Iterable[tuple[Sequence[AtomT], NumberT]] = (), modulus: int = 0):
        found: dict[tuple[AtomT, ...], Any] = {}
        for factors, number in terms:
            monomial = tuple(factors) if len(factors) < 2 else _sorted(factors)
            found[monomial] = found[monomial] + number if monomial in found else number
        self._keep(found, modulus)

    def _keep(self, found: dict[tuple[AtomT, ...], Any], modulus: int) -> None:
        if modulus:
            found = {monomial: number % modulus for monomial, number in found.items()}
        if not all(found.values()):
            found = {monomial: number for monomial, number in found.items() if number}
        self.coefficients: dict[tuple[AtomT, ...], NumberT] = found
        """The terms in the order in which they were added."""
        self.modulus = modulus

    def _made(self, found: dict[tuple[AtomT, ...], Any]) -> Self:
        made = object.__new__(type(self))
        made._keep(found, self.modulus)
        return made

    def _read(self, other: Poly[AtomT, NumberT] | NumberT) -> dict[tuple[AtomT, ...], NumberT]:
        return other.coefficients if isinstance(other, Poly) else {(): other}

    # Its parts

    @cached_property
    def terms(self) -> tuple[tuple[tuple[AtomT, ...], NumberT], ...]:
        """The monomials with their coefficients: larger degrees first, then by their atoms."""
        return tuple(sorted(self.coefficients.items(), key=lambda term: (-len(term[0]), term[0])))

    @property
    def atoms(self) -> set[AtomT]:
        """All atoms in it."""
        return {atom for monomial in self.coefficients for atom in monomial}

    @property
    def degree(self) -> int:
        """The number of factors of the largest monomial."""
        return max(map(len, self.coefficients), default=0)

    @property
    def constant(self) -> NumberT | None:
        """The value of a polynomial without atoms, else None."""
        return None if len(self.coefficients) > 1 or self.degree else self.number

    @property
    def number(self) -> NumberT:
        """The coefficient without atoms."""
        coefficients: dict[tuple[AtomT, ...], Any] = self.coefficients
        return coefficients.get((), 0)

    @cached_property
    def factors(self) -> Mapping[AtomT, NumberT]:
        """The coefficients of the monomials of one atom, in the order of `coefficients`."""
        return {m[0]: number for m, number in self.coefficients.items() if len(m) == 1}

    @property
    def only_atom(self) -> AtomT | None:
        """The atom of a polynomial that is one atom, else None."""
        ((monomial, number), *others) = [*self.coefficients.items()] or [((), 0)]
        return monomial[0] if not others and len(monomial) == 1 and number == 1 else None

    def where(self, keep: Callable[[tuple[AtomT, ...]], bool]) -> Self:
        """The terms whose monomials are kept."""
        return self._made({m: number for m, number in self.coefficients.items() if keep(m)})

    # Arithmetic

    def __add__(self, other: Poly[AtomT, NumberT] | NumberT) -> Self:
        found: dict[tuple[AtomT, ...], Any] = dict(self.coefficients)
        for monomial, number in self._read(other).items():
            found[monomial] = found[monomial] + number if monomial in found else number
        return self._made(found)

    __radd__ = __add__

    def __neg__(self) -> Self:
        return self.mapped(lambda number: -number)

    def __sub__(self, other: Poly[AtomT, NumberT] | NumberT) -> Self:
        found: dict[tuple[AtomT, ...], Any] = dict(self.coefficients)
        others: dict[tuple[AtomT, ...], Any] = dict(self._read(other))
        for monomial, number in others.items():
            found[monomial] = found[monomial] - number if monomial in found else -number
        return self._made(found)

    def __rsub__(self, other: NumberT) -> Self:
        return -self + other

    def __mul__(self, other: Poly[AtomT, NumberT] | NumberT) -> Self:
        found: dict[tuple[AtomT, ...], Any] = {}
        others: dict[tuple[AtomT, ...], Any] = dict(self._read(other))
        for left, a in self.coefficients.items():
            for right, b in others.items():
                monomial = _sorted(left + right) if left and right else left or right
                found[monomial] = found[monomial] + a * b if monomial in found else a * b
        return self._made(found)

    __rmul__ = __mul__

    def mapped(self, change: Callable[[Any], Any]) -> Self:
        """The polynomial with each coefficient changed."""
        return self._made({m: change(number) for m, number in self.coefficients.items()})

    def over(self, rename: Callable[[AtomT], OtherT], modulus: int) -> Poly[OtherT, NumberT]:
        """The polynomial with other atoms, modulo another number."""
        terms = (([*map(rename, m)], number) for m, number in self.coefficients.items())
        return Poly(terms, modulus)  # pyright: ignore[reportArgumentType, reportReturnType]

    def substitute(self, value: Callable[[AtomT], Any]) -> Self:
        """The polynomial with a polynomial or number in the place of each atom."""
        return self._made({}) + self._valued(value)

    def evaluate(self, value: Callable[[AtomT], Any]) -> NumberT:
        """Its value for these values of the atoms."""
        return self._valued(value)

    def _valued(self, value: Callable[[AtomT], Any]) -> Any:
        total: Any = 0
        for monomial, number in self.terms:
            product: Any = number
            for atom in monomial:
                product = product * value(atom)
            total = total + product
        return total

    def along(self, is_moved: Callable[[AtomT], bool]) -> Self:
        """The increase where one such atom increases by 1, by the terms with exactly one.

        The terms with several such atoms are left out.
        """
        found: dict[tuple[AtomT, ...], Any] = {}
        for monomial, number in self.coefficients.items():
            rest = tuple(atom for atom in monomial if not is_moved(atom))
            if len(rest) == len(monomial) - 1:
                found[rest] = found[rest] + number if rest in found else number
        return self._made(found)

    def divided(
        self,
        divisor: Poly[AtomT, NumberT],
        ratio: Callable[[tuple[AtomT, ...], Any, Any], Any],
    ) -> tuple[Self, Self]:
        """`(q, r)` with `self == q * divisor + r`: the long division by the divisor's first term.

        `ratio(monomial, a, b)` is the quotient of a, the coefficient of `monomial`, and b, the one
        of the divisor's first term. The remainder of a, and each term that the divisor's first one
        does not divide, belong to r.

        Raises:
            ZeroDivisionError: the divisor is 0.
        """
        if not divisor.terms:
            raise ZeroDivisionError("a divisor is 0")
        lead, by = divisor.terms[0]
        left, quotient, rest = self, self._made({}), self._made({})
        # Each step removes a term and adds smaller ones: products keep the order of the terms.
        while left.terms:
            first, number = left.terms[0]
            factors = without(first, lead)
            times = None if factors is None else ratio(first, number, by)
            if factors is not None and times:
                step = self._made({factors: times})
                quotient += step
                left -= step * divisor
            kept = left.where(lambda monomial, first=first: monomial == first)
            rest += kept
            left -= kept
        return quotient, rest

    # As an object

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Poly)
            and self.coefficients == other.coefficients
            and self.modulus == other.modulus
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self.coefficients.items()))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Poly({self})"

    @cached_property
    def _text(self) -> str:
        return self.text(" * ")

    def text(self, times: str) -> str:
        """The terms in order, with `times` between factors: `2 * x * y - x/64 + 1`."""
        parts: list[str] = []
        terms: Any = self.terms
        for monomial, number in terms:
            factors = [str(atom) for atom in monomial]
            numerator, denominator = number.numerator, number.denominator
            if abs(numerator) != 1 or not factors:
                factors.insert(0, str(abs(numerator)))
            sign = (" - " if number < 0 else " + ") if parts else ("-" if number < 0 else "")
            parts.append(sign + times.join(factors) + (f"/{denominator}" * (denominator != 1)))
        return "".join(parts) or "0"


def atom(name: AtomT, modulus: int = 0) -> Poly[AtomT, int]:
    """An atom as a polynomial."""
    return _term((name,), 1, modulus)


def integer(value: int, modulus: int = 0) -> Poly[Any, int]:
    """A number as a polynomial."""
    return _term((), value, modulus)


def _term(monomial: tuple[Any, ...], number: int, modulus: int) -> Poly[Any, int]:
    made: Poly[Any, int] = object.__new__(Poly)
    made._keep({monomial: number}, modulus)
    return made


def without(monomial: tuple[AtomT, ...], divisor: tuple[AtomT, ...]) -> tuple[AtomT, ...] | None:
    """The factors of `monomial` that are not in `divisor`, or None where it does not divide."""
    factors = list(monomial)
    for factor in divisor:
        if factor not in factors:
            return None
        factors.remove(factor)
    return tuple(factors)


def _sorted(factors: Sequence[AtomT]) -> tuple[AtomT, ...]:
    order: Any = factors
    return tuple(sorted(order))
