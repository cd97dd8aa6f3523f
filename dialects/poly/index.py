"""Index polynomials for addresses such as `y * width + x`, which are not affine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import islpy as isl
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from polycl.dialects.poly.sets import AffAttr, canonical_at
from polycl.symbolic import Poly

Monomial: TypeAlias = tuple[str, ...]
"""The sorted names of uniform values; () is the affine part of an index."""

Term: TypeAlias = tuple[Monomial, AffAttr]


@irdl_attr_definition
class IndexAttr(Data[tuple[Term, ...] | None]):
    """A sum of products of uniform values and piecewise affine expressions, or `top`: unknown.

    `#poly.index<"{ R[y, x] -> [(x)] }", "width" * "[G1] -> { R[y, x] -> [(G1 + y)] }">`
    is `x + width * (G1 + y)`. The terms are sorted by their monomials, and each monomial occurs
    once; the order and the grouping of the text do not matter.
    """

    name = "poly.index"

    def __init__(self, terms: Iterable[Term] | None):
        super().__init__(None if terms is None else _collected(terms))

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms; () for an unknown index."""
        return self.data or ()

    @property
    def uniform_values(self) -> tuple[str, ...]:
        """The names in the monomials, sorted."""
        return tuple(sorted({name for monomial, _ in self.terms for name in monomial}))

    @property
    def domain(self) -> isl.Set | None:
        """The domain of the index; None for an unknown index."""
        domains = [coefficient.isl.domain() for _, coefficient in self.terms]
        if not domains:
            return None
        found, *others = domains
        for other in others:
            found = found.intersect(other)
        return found

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Term, ...] | None:
        with parser.in_angle_brackets():
            if parser.parse_optional_keyword("top"):
                return None
            start = parser.pos
            terms = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, lambda: _parse_term(parser)
            )
            try:
                return _collected(terms)
            except ValueError as error:
                parser.raise_error(str(error), start, parser.pos)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            if self.data is None:
                printer.print_string("top")
            else:
                printer.print_list(self.data, lambda term: _print_term(printer, term))


def _parse_term(parser: AttrParser) -> Term:
    """Reads `term ::= (name '*')* expression`, all of them quoted."""
    names: list[str] = []
    while True:
        start = parser.pos
        text = parser.parse_str_literal(" for a uniform value or a piecewise affine expression")
        if not parser.parse_optional_punctuation("*"):
            coefficient = AffAttr.new(canonical_at(parser, start, isl.PwAff, text))
            return tuple(names), coefficient
        if not text.isidentifier():
            parser.raise_error("expected the name of a uniform value before '*'", start, start)
        names.append(text)


def _collected(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The sorted terms, each monomial once. Raises ValueError for terms over different tuples."""
    terms = list(terms)
    for _, coefficient in terms:
        first = terms[0][1]
        spaces = [term.isl.get_domain_space() for term in (first, coefficient)]
        # isl compares the tuples, which have no names of dimensions.
        if coefficient.dimensions != first.dimensions or not spaces[0].has_equal_tuples(spaces[1]):
            raise ValueError(
                "expected the terms of an index over the same tuple, got "
                f"{first.data} and {coefficient.data}"
            )
    if not terms:
        raise ValueError("expected at least one term; the index 0 has the affine term 0")
    found = Poly(terms).coefficients
    return tuple(sorted(found.items(), key=lambda term: (len(term[0]), term[0])))


def _print_term(printer: Printer, term: Term) -> None:
    monomial, coefficient = term
    for name in monomial:
        printer.print_string_literal(name)
        printer.print_string(" * ")
    printer.print_string_literal(coefficient.data)
