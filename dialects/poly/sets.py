"""isl sets, maps and piecewise affine expressions as attributes."""

from __future__ import annotations

from typing import ClassVar, Generic, NoReturn, Self, cast

import islpy as isl
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from polycl.dialects.poly.isl_context import IslT, object_of
from polycl.dialects.poly.isl_text import (
    KINDS,
    IslTextError,
    canonical_isl,
    dimensions_of,
    parameters_of,
)


class IslAttr(Data[str], Generic[IslT]):
    """An isl object as its canonical text, which defines `==` and `hash`.

    So an attribute does not depend on a thread or an isl context, and can be copied and pickled.
    Making the canonical text takes 0.5 to 2.5 ms, so passes compute on `isl` objects and make
    attributes at the end.
    """

    kind: ClassVar[type[isl.Set] | type[isl.Map] | type[isl.PwAff]]

    def __init__(self, data: str):
        super().__init__(canonical_isl(cast(type[IslT], self.kind), data))

    @classmethod
    def of(cls, found: IslT) -> Self:
        """The attribute of an isl object."""
        return cls.new(canonical_isl(cast(type[IslT], cls.kind), found))

    @property
    def isl(self) -> IslT:
        """The object, in the context of this thread."""
        return object_of(cast(type[IslT], self.kind), self.data)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, sorted; each is used."""
        return parameters_of(self.isl)

    def is_equal(self, other: Self) -> bool:
        """Semantic equality: the same elements, or the same values on the same domain.

        `==` compares texts.
        """
        return self.isl.is_equal(other.isl)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            return parse_isl(parser, cast(type[IslT], cls.kind))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data)


def parse_isl(parser: AttrParser, kind: type[IslT]) -> str:
    """Parses a string literal; returns the canonical text."""
    start = parser.pos
    text = parser.parse_str_literal(f" for the text of an isl {KINDS[kind]}")
    return canonical_at(parser, start, kind, text)


def canonical_at(parser: AttrParser, start: int, kind: type[IslT], text: str) -> str:
    """The canonical text of `text`, the string literal that begins at `start`."""
    try:
        return canonical_isl(kind, text)
    except IslTextError as error:
        raise_inside(parser, start, error)


def raise_inside(parser: AttrParser, start: int, error: IslTextError) -> NoReturn:
    """Reports an error at its location in the string literal that begins at `start`."""
    at = min(start + 1 + error.offset, parser.pos - 1)
    parser.raise_error(str(error), at, at + 1)


@irdl_attr_definition
class SetAttr(IslAttr[isl.Set]):
    """A set of work-items, tiles or parameters: `#poly.set<"[L0] -> { R[x] : 5 <= x < L0 }">`."""

    name = "poly.set"
    kind = isl.Set

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of the dimensions; "" for one without a name."""
        return dimensions_of(self.isl)


@irdl_attr_definition
class MapAttr(IslAttr[isl.Map]):
    """A relation, for example of an access: `#poly.map<"[G0] -> { R[x] -> A[G0 + x] }">`."""

    name = "poly.map"
    kind = isl.Map


@irdl_attr_definition
class AffAttr(IslAttr[isl.PwAff]):
    """A piecewise affine expression: `#poly.aff<"[n] -> { R[x] -> [(max(x, n))] }">`."""

    name = "poly.aff"
    kind = isl.PwAff

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of the dimensions of the domain."""
        return dimensions_of(self.isl.domain())

    def __add__(self, other: AffAttr) -> AffAttr:
        return AffAttr.of(self.isl.add(other.isl))
