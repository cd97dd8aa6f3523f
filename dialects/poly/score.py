"""The score of a subkernel, as a polynomial in the extents of boxes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

import islpy as isl
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from polycl.dialects.poly.isl_context import isl_context, object_of
from polycl.dialects.poly.isl_text import IslTextError, canonical_isl
from polycl.dialects.poly.sets import raise_inside
from polycl.symbolic import Poly, atom, integer

Extent: TypeAlias = tuple[str, ...]
"""Affine expressions over parameters; the extent is their minimum, and 0 if that is negative."""

Box: TypeAlias = tuple[Extent, ...]
"""The number of points of a box: the product of its extents."""

Term: TypeAlias = tuple[Box, int]
"""A box and the weight of each of its points."""

_NAME = re.compile(r"[A-Za-z_]\w*")
_FUNCTIONS = {"floor", "mod"}


@irdl_attr_definition
class ScoreAttr(Data[tuple[Term, ...]]):
    """`#poly.score<"6*[L0]*[L1] + 4*[L1]*[min(L0, L0 + G0 - vs)]">`, or "0".

    A sum of weighted boxes, with extents in brackets: a polynomial whose variables are extents. The
    text is canonical: the expressions of extents are isl's, sorted, constant extents are part of
    the weight, and each box occurs once.
    """

    name = "poly.score"

    @staticmethod
    def of(terms: Iterable[Term]) -> ScoreAttr:
        """The sum of terms. Raises IslTextError for an extent that is not affine."""
        total = Poly[Extent, int]()
        for box, weight in terms:
            total += math.prod(map(_factor, box), start=integer(weight))
        return ScoreAttr(tuple(sorted(total.coefficients.items())))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names in the extents, sorted."""
        names = (n for box, _ in self.data for extent in box for e in extent for n in _names(e))
        return tuple(sorted(set(names)))

    def evaluate(self, env: Mapping[str, int]) -> int:
        """The score for the values of the parameters in `env`.

        Raises:
            KeyError: a parameter is not in `env`.
        """
        values = " and ".join(f"{name} = {env[name]}" for name in self.parameters)
        header = f"[{', '.join(self.parameters)}]"
        point = isl.Set.read_from_str(isl_context(), f"{header} -> {{ : {values} }}").sample_point()

        def value(expression: str) -> int:
            return value_of(expression).align_params(point.get_space()).eval(point).to_python()

        return Poly(self.data).evaluate(lambda extent: max(0, min(map(value, extent))))

    def __str__(self) -> str:
        return " + ".join("*".join([str(w), *map(_print_extent, b)]) for b, w in self.data) or "0"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Term, ...]:
        with parser.in_angle_brackets():
            start = parser.pos
            text = parser.parse_str_literal(" for a score")
            try:
                return parse_score(text).data
            except IslTextError as error:
                raise_inside(parser, start, error)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(str(self))


def parse_score(text: str) -> ScoreAttr:
    """Reads `score ::= term ('+' term)*` with `term ::= integer ('*' '[' extent ']')*`.

    Raises:
        IslTextError: `text` is not a score.
    """
    return ScoreAttr.of(_parse_terms(text))


_TERM = re.compile(r"\s*(\d+)((?:\s*\*\s*\[[^\]]*\])*)\s*")
_EXTENT = re.compile(r"\[([^\]]*)\]")
_MIN = re.compile(r"\s*min\((.*)\)\s*", re.DOTALL)


def _parse_terms(text: str) -> list[Term]:
    terms: list[Term] = []
    place = 0
    while True:
        term = _TERM.match(text, place)
        if term is None:
            raise IslTextError("expected a term of a score such as '4*[L0]*[min(5, n)]'", place)
        box = [
            _parse_extent(extent[1], extent.start(1))
            for extent in _EXTENT.finditer(text, term.start(2), term.end(2))
        ]
        terms.append((tuple(box), int(term[1])))
        place = term.end()
        if place == len(text):
            return terms
        if text[place] != "+":
            raise IslTextError("expected '+' or the end of the score", place)
        place += 1


def _parse_extent(text: str, offset: int) -> Extent:
    """The expressions of `min(a, b)`, or `text` itself; errors have their place in the score."""
    least = _MIN.fullmatch(text)
    found: list[str] = []
    place = least.start(1) if least is not None else 0
    for expression in (least[1] if least is not None else text).split(","):
        try:
            found.append(canonical_affine(expression))
        except IslTextError as error:
            spaces = len(expression) - len(expression.lstrip())
            raise IslTextError(str(error), offset + place + spaces) from None
        place += len(expression) + 1
    return tuple(found)


def _factor(extent: Extent) -> Poly[Extent, int]:
    """An extent as a factor of a box: a variable, or a number."""
    least = tuple(sorted({canonical_affine(expression) for expression in extent}))
    is_number = len(least) == 1 and least[0].removeprefix("-").isdigit()
    return integer(max(0, int(*least))) if is_number else atom(least)


def value_of(expression: str) -> isl.PwAff:
    """An expression of an extent as an isl object."""
    return object_of(isl.PwAff, _as_isl(expression))


def _names(expression: str) -> list[str]:
    return sorted({n for n in _NAME.findall(expression) if n not in _FUNCTIONS})


def _as_isl(expression: str) -> str:
    return f"[{', '.join(_names(expression))}] -> {{ [({expression})] }}"


_SUMMAND = re.compile(r"\s*([+-]?)\s*(\d*)\s*\*?\s*([A-Za-z_]\w*)?\s*")


def _linear(expression: str) -> str | None:
    """isl's text of a linear expression, computed without isl (which takes 0.2 ms); else None."""
    factors: dict[str, int] = {}
    place = 0
    while place < len(expression):
        found = _SUMMAND.match(expression, place)
        assert found is not None  # All of it is optional.
        sign, number, name = found.groups(default="")
        is_summand = (number or name) and (bool(sign) if place else sign != "+")
        if not is_summand or name in _FUNCTIONS or ("*" in found[0] and not (number and name)):
            return None
        factors[name] = factors.get(name, 0) + int(f"{sign}{number or 1}")
        place = found.end()
    text = ""
    for name, factor in sorted(factors.items()):
        if factor:
            sign = "-" if factor < 0 else "+"
            text += f" {sign} " if text else sign.strip("+")
            text += f"{abs(factor) if abs(factor) != 1 or not name else ''}{name}"
    return (text or "0") if factors else None


@lru_cache(maxsize=4096)
def canonical_affine(expression: str) -> str:
    """isl's text of an affine expression over parameters.

    Raises:
        IslTextError: it is not affine.
    """
    linear = _linear(expression)
    if linear is not None:
        return linear
    try:
        text = canonical_isl(isl.PwAff, _as_isl(expression))
    except IslTextError:
        raise IslTextError(f"expected an affine expression, got '{expression.strip()}'") from None
    found = object_of(isl.PwAff, text)
    if found.n_piece() != 1:
        raise IslTextError(f"expected one affine expression, got '{expression.strip()}'")
    body = text[text.index("[", text.index("{")) + 1 : text.rindex("]")]
    return body.removeprefix("(").removesuffix(")")


def _print_extent(extent: Extent) -> str:
    text = ", ".join(extent)
    return f"[min({text})]" if len(extent) > 1 else f"[{text}]"
