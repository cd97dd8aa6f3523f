"""Sizes: polynomials in size variables, in normal form.

A nat is `sum of coefficient * variables`, divided by one positive integer: `64*N`, `N*M + 2`,
`N/64`. The normal form is unique, so equal attributes are equal sizes and the other way round.
A quotient such as `N/64` is a size only where N is known to be a multiple of 64 (`sizes.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

from xdsl.context import Context
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError

Term: TypeAlias = tuple[tuple[str, ...], int]
"""A product of variables (sorted; one that is there twice is squared) and its coefficient."""

Form: TypeAlias = tuple[tuple[Term, ...], int]
"""The terms in canonical order, and the integer that divides their sum."""


@irdl_attr_definition
class NatAttr(Data[Form]):
    """A size: `#pattern.nat<64*N>`."""

    name = "pattern.nat"

    @staticmethod
    def of(coefficients: Mapping[tuple[str, ...], int], denominator: int = 1) -> NatAttr:
        """The normal form of the sum of these terms, divided by `denominator`."""
        present = {v: c for v, c in coefficients.items() if c}
        divisor = math.gcd(denominator, *present.values())
        # The highest degree first, then by the variables' names; the constant stands last.
        order = sorted(present, key=lambda variables: (-len(variables), variables))
        terms = tuple((variables, present[variables] // divisor) for variables in order)
        return NatAttr((terms, denominator // divisor))

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the sum that `denominator` divides."""
        return self.data[0]

    @property
    def denominator(self) -> int:
        """What divides the sum of the terms; 1 for a polynomial with integer coefficients."""
        return self.data[1]

    @property
    def is_constant(self) -> bool:
        """Whether it has no variables."""
        return all(not variables for variables, _ in self.terms)

    @property
    def value(self) -> int:
        """The integer. Raises ValueError where there are variables or a fraction is left."""
        if not self.is_constant:
            raise ValueError(f"the size {self} is not a constant")
        return self.evaluate({})

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables in it, sorted."""
        return tuple(sorted({v for variables, _ in self.terms for v in variables}))

    def evaluate(self, env: Mapping[str, int]) -> int:
        """Its value where the variables have the values of `env`.

        Raises:
            KeyError: a variable is not in `env`.
            ValueError: the division leaves a remainder.
        """
        total = sum(c * math.prod(env[v] for v in variables) for variables, c in self.terms)
        quotient, rest = divmod(total, self.denominator)
        if rest:
            given = ", ".join(f"{v} = {env[v]}" for v in self.variables)
            raise ValueError(f"the size {self} is not an integer for {given}")
        return quotient

    def substitute(self, env: Mapping[str, NatAttr]) -> NatAttr:
        """The same with nats in the place of variables."""
        total = nat(0)
        for variables, coefficient in self.terms:
            term = nat(coefficient)
            for variable in variables:
                term *= env.get(variable) or nat(variable)
            total += term
        return total._divided_by(self.denominator)

    def exact_div(self, divisor: NatAttr | int | str) -> NatAttr | None:
        """The quotient, where it is a polynomial with integer coefficients; else None.

        `sizes.exact_div` knows more: it takes assumptions on the variables into account.
        """
        quotient = self.quotient(divisor)
        return quotient if quotient is not None and quotient.denominator == 1 else None

    def quotient(self, divisor: NatAttr | int | str) -> NatAttr | None:
        """The quotient as a polynomial with rational coefficients; None where it is none."""
        divisor = nat(divisor)
        if not divisor.terms:
            return None
        # Long division. The terms are ordered by degree, an order that products keep.
        (lead, lead_coefficient), *_ = divisor.terms
        rest, result = self, nat(0)
        while rest.terms:
            (variables, coefficient), *_ = rest.terms
            left = list(variables)
            for variable in lead:
                if variable not in left:
                    return None
                left.remove(variable)
            numerator = coefficient * divisor.denominator
            sign = -1 if lead_coefficient < 0 else 1
            step = NatAttr.of(
                {tuple(left): sign * numerator}, abs(lead_coefficient) * rest.denominator
            )
            result += step
            rest -= step * divisor
        return result

    def _divided_by(self, number: int) -> NatAttr:
        return NatAttr.of(dict(self.terms), self.denominator * number)

    def __add__(self, other: NatAttr | int) -> NatAttr:
        other = nat(other)
        total = {v: c * other.denominator for v, c in self.terms}
        for variables, coefficient in other.terms:
            total[variables] = total.get(variables, 0) + coefficient * self.denominator
        return NatAttr.of(total, self.denominator * other.denominator)

    def __radd__(self, other: int) -> NatAttr:
        return self + other

    def __neg__(self) -> NatAttr:
        return self * -1

    def __sub__(self, other: NatAttr | int) -> NatAttr:
        return self + -nat(other)

    def __rsub__(self, other: int) -> NatAttr:
        return nat(other) - self

    def __mul__(self, other: NatAttr | int) -> NatAttr:
        other = nat(other)
        total: dict[tuple[str, ...], int] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                variables = tuple(sorted(left + right))
                total[variables] = total.get(variables, 0) + a * b
        return NatAttr.of(total, self.denominator * other.denominator)

    def __rmul__(self, other: int) -> NatAttr:
        return self * other

    def __str__(self) -> str:
        text = ""
        for variables, numerator in self.terms:
            divisor = math.gcd(numerator, self.denominator)
            coefficient, denominator = numerator // divisor, self.denominator // divisor
            factors = list(variables)
            if abs(coefficient) != 1 or not factors:
                factors.insert(0, str(abs(coefficient)))
            term = "*".join(factors) + (f"/{denominator}" if denominator != 1 else "")
            if text:
                text += f" - {term}" if coefficient < 0 else f" + {term}"
            else:
                text = f"-{term}" if coefficient < 0 else term
        return text or "0"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Form:
        with parser.in_angle_brackets():
            return read_nat(parser).data

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self))


def nat(x: int | str | NatAttr) -> NatAttr:
    """The nat of an integer, of a text such as "64*N", or of a nat."""
    match x:
        case NatAttr():
            return x
        case int():
            return NatAttr.of({(): x})
        case str():
            return parse_nat(x)


def parse_nat(text: str) -> NatAttr:
    """The nat that `text` is. Raises ValueError for anything else."""
    if text.isidentifier() and text.isascii():
        return NatAttr.of({(text,): 1})
    parser = Parser(Context(), text)
    try:
        result = read_nat(parser)
        if parser.pos < len(text):
            parser.raise_error("expected the end of the size behind it")
    except ParseError as error:
        raise ValueError(f"'{text}' is no size: {error.msg}") from error
    return result


def read_nat(parser: AttrParser) -> NatAttr:
    """Reads `sum ::= '-'? term (('+' | '-') term)*`."""
    total = -_read_term(parser) if parser.parse_optional_punctuation("-") else _read_term(parser)
    while True:
        if parser.parse_optional_punctuation("+"):
            total += _read_term(parser)
        elif parser.parse_optional_punctuation("-"):
            total -= _read_term(parser)
        else:
            return total


def _read_term(parser: AttrParser) -> NatAttr:
    """Reads `term ::= factor ('*' factor | '/' integer)*`."""
    product = _read_factor(parser)
    while True:
        if parser.parse_optional_punctuation("*"):
            product *= _read_factor(parser)
        elif parser.parse_optional_punctuation("/"):
            divisor = parser.parse_integer(allow_boolean=False, allow_negative=False)
            if not divisor:
                parser.raise_error("a size cannot be divided by 0")
            product = product * NatAttr.of({(): 1}, divisor)
        else:
            return product


def _read_factor(parser: AttrParser) -> NatAttr:
    """Reads `factor ::= integer | variable | '(' sum ')'`."""
    if parser.parse_optional_punctuation("("):
        inner = read_nat(parser)
        parser.parse_punctuation(")")
        return inner
    number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if number is not None:
        return nat(number)
    variable = parser.parse_optional_identifier()
    if variable is None:
        parser.raise_error("expected a size: an integer, a variable, or a sum of products of them")
    return NatAttr.of({(variable,): 1})
