"""Attributes with the facts about a memory access and about a codelet."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import NoneAttr, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.poly.index import IndexAttr
from polycl.dialects.poly.sets import SetAttr


@irdl_attr_definition
class AccessAttr(ParametrizedAttribute):
    """An access, and the work-items for which it is consecutive or uniform along a dimension.

    `#poly.access<read @a, #poly.index<...>, cons = #poly.set<...>, uni = #poly.set<...>, exact>`

    In `cons` the next lane accesses the next element, in `uni` the same element; elsewhere nothing
    is known. Without `exact` the sets may be too small, never too large. They are left out before a
    dimension is chosen.
    """

    name = "poly.access"

    direction: StringAttr
    array: SymbolRefAttr
    index: IndexAttr
    cons: SetAttr | NoneAttr
    uni: SetAttr | NoneAttr
    exact: UnitAttr | NoneAttr

    def __init__(
        self,
        direction: str,
        array: str,
        index: IndexAttr,
        cons: SetAttr | None = None,
        uni: SetAttr | None = None,
        exact: bool = False,
    ):
        super().__init__(
            StringAttr(direction),
            SymbolRefAttr(array),
            index,
            cons or NoneAttr(),
            uni or NoneAttr(),
            UnitAttr() if exact else NoneAttr(),
        )

    @property
    def is_exact(self) -> bool:
        """Whether an access is neither consecutive nor uniform outside of the sets."""
        return isinstance(self.exact, UnitAttr)

    def verify(self) -> None:
        if self.direction.data not in ("read", "write"):
            raise VerifyException(f"expected 'read' or 'write', got '{self.direction.data}'")
        sets = [known.isl for known in (self.cons, self.uni) if isinstance(known, SetAttr)]
        domain = self.index.domain
        spaces = [found.get_space() for found in (*sets, domain) if found is not None]
        if not all(space.has_equal_tuples(spaces[0]) for space in spaces):
            raise VerifyException(
                "expected the index and the sets over the same tuple, got "
                + ", ".join(str(space) for space in spaces)
            )
        if len(sets) == 2 and not sets[0].is_disjoint(sets[1]):
            raise VerifyException("'cons' and 'uni' overlap; no access is both")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            direction = StringAttr(parser.parse_identifier())
            array = SymbolRefAttr(parser.parse_symbol_name())
            parser.parse_punctuation(",")
            index = parser.parse_attribute()
            sets: dict[str, Attribute] = {"cons": NoneAttr(), "uni": NoneAttr()}
            exact: Attribute = NoneAttr()
            while parser.parse_optional_punctuation(","):
                at = parser.pos
                key = parser.parse_identifier()
                if key == "exact":
                    exact = UnitAttr()
                elif key in sets:
                    parser.parse_punctuation("=")
                    sets[key] = parser.parse_attribute()
                else:
                    parser.raise_error(f"expected 'cons', 'uni' or 'exact', got '{key}'", at, at)
        return direction, array, index, sets["cons"], sets["uni"], exact

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.direction.data} ")
            printer.print_attribute(self.array)
            printer.print_string(", ")
            printer.print_attribute(self.index)
            for key, known in (("cons", self.cons), ("uni", self.uni)):
                if isinstance(known, SetAttr):
                    printer.print_string(f", {key} = ")
                    printer.print_attribute(known)
            if self.is_exact:
                printer.print_string(", exact")


CLASSES = {
    "tile": ("full", "partial"),
    "mem": ("cons", "div"),
    "ctl": ("uniform", "mixed"),
}
"""The values of each part of a class."""


@irdl_attr_definition
class ClassAttr(ParametrizedAttribute):
    """The class of a codelet: `#poly.class<tile = full, mem = cons, ctl = uniform>`.

    `tile` and `mem` are a cell of [split16], Table 1. Tiles of a `partial` codelet miss lanes. With
    `mem = cons`, each access that is consecutive anywhere is consecutive in the codelet. With
    `ctl = uniform`, all lanes take the same branches and run the same iterations of loops.
    """

    name = "poly.class"

    tile: StringAttr
    mem: StringAttr
    ctl: StringAttr

    def __init__(self, tile: str, mem: str, ctl: str):
        super().__init__(StringAttr(tile), StringAttr(mem), StringAttr(ctl))

    def verify(self) -> None:
        for key, expected in CLASSES.items():
            got = getattr(self, key).data
            if got not in expected:
                choices = " or ".join(f"'{choice}'" for choice in expected)
                raise VerifyException(f"expected {key} = {choices}, got '{got}'")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        found: list[Attribute] = []
        with parser.in_angle_brackets():
            for key in CLASSES:
                if found:
                    parser.parse_punctuation(",")
                parser.parse_keyword(key)
                parser.parse_punctuation("=")
                found.append(StringAttr(parser.parse_identifier()))
        return found

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(", ".join(f"{key} = {getattr(self, key).data}" for key in CLASSES))
