"""Symbolic sizes: polynomials in size variables, in normal form.

A symbolic size is `sum of coefficient * variables`, divided by one positive integer: `64*N`,
`N*M + 2`, `N/64`. The normal form is unique: sizes are equal if and only if their attributes are.
A quotient such as `N/64` is a size only where N is known to be a multiple of 64 (`sizes.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from xdsl.context import Context
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError

from polycl.symbolic import Poly, atom, integer

Term: TypeAlias = tuple[tuple[str, ...], int]
"""A product of variables, sorted and with repetitions, and its coefficient."""


@irdl_attr_definition
class NatAttr(Data[Poly[str, Any]]):
    """A symbolic size: `#pattern.nat<64*N>`; the coefficients are integers and fractions."""

    name = "pattern.nat"

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the sum that `denominator` divides: the highest degree first."""
        denominator = self.denominator
        return tuple((v, int(c * denominator)) for v, c in self.data.terms)

    @property
    def denominator(self) -> int:
        """The divisor of the sum of the terms; 1 for a polynomial with integer coefficients."""
        return math.lcm(*(c.denominator for c in self.data.coefficients.values()))

    @property
    def is_constant(self) -> bool:
        """Whether it has no variables."""
        return not self.data.degree

    @property
    def value(self) -> int:
        """The integer. Raises ValueError for a size with variables, or a fraction."""
        if not self.is_constant:
            raise ValueError(f"the size {self} is not a constant")
        return self.evaluate({})

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables in it, sorted."""
        return tuple(sorted(self.data.atoms))

    def evaluate(self, env: Mapping[str, int]) -> int:
        """Its value for the variables' values in `env`.

        Raises:
            KeyError: a variable is not in `env`.
            ValueError: the division has a remainder.
        """
        value = self.data.evaluate(lambda variable: env[variable])
        if value.denominator != 1:
            given = ", ".join(f"{v} = {env[v]}" for v in self.variables)
            raise ValueError(f"the size {self} is not an integer for {given}")
        return int(value)

    def substitute(self, env: Mapping[str, NatAttr]) -> NatAttr:
        """The size with variables replaced by sizes."""
        return NatAttr(self.data.substitute(lambda v: env[v].data if v in env else atom(v)))

    def exact_div(self, divisor: NatAttr | int | str) -> NatAttr | None:
        """The quotient, where it is a polynomial with integer coefficients; else None.

        `sizes.exact_div` also uses assumptions on the variables.
        """
        quotient = self.quotient(divisor)
        return quotient if quotient is not None and quotient.denominator == 1 else None

    def quotient(self, divisor: NatAttr | int | str) -> NatAttr | None:
        """The quotient as a polynomial with rational coefficients, or None."""
        by = nat(divisor).data
        if not by.coefficients:
            return None
        quotient, rest = self.data.divided(by, lambda _, a, b: Fraction(a, b) if a % b else a // b)
        return None if rest.coefficients else NatAttr(quotient)

    def __add__(self, other: NatAttr | int) -> NatAttr:
        return NatAttr(self.data + nat(other).data)

    def __radd__(self, other: int) -> NatAttr:
        return self + other

    def __neg__(self) -> NatAttr:
        return NatAttr(-self.data)

    def __sub__(self, other: NatAttr | int) -> NatAttr:
        return NatAttr(self.data - nat(other).data)

    def __rsub__(self, other: int) -> NatAttr:
        return nat(other) - self

    def __mul__(self, other: NatAttr | int) -> NatAttr:
        return NatAttr(self.data * nat(other).data)

    def __rmul__(self, other: int) -> NatAttr:
        return self * other

    def __str__(self) -> str:
        return self.data.text("*")

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Poly[str, Any]:
        with parser.in_angle_brackets():
            return read_nat(parser).data

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self))


def nat(x: int | str | NatAttr) -> NatAttr:
    """The symbolic size of an integer, of a text such as "64*N", or itself."""
    match x:
        case NatAttr():
            return x
        case int():
            return NatAttr(integer(x))
        case str():
            return parse_nat(x)


def parse_nat(text: str) -> NatAttr:
    """The symbolic size with this text. Raises ValueError for anything else."""
    if text.isidentifier() and text.isascii():
        return NatAttr(atom(text))
    parser = Parser(Context(), text)
    try:
        result = read_nat(parser)
        if parser.pos < len(text):
            parser.raise_error("expected the end of the size behind it")
    except ParseError as error:
        raise ValueError(f"'{text}' is not a size: {error.msg}") from error
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
            product *= NatAttr(Poly([((), Fraction(1, divisor))]))
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
    return NatAttr(atom(variable))
