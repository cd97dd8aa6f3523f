"""Sources, destinations and guards of moves as attributes."""

from __future__ import annotations

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from polycl.dialects.tta.machine import Guard
from polycl.dialects.tta.program import Source, parse_end, parse_guard


@irdl_attr_definition
class EndAttr(Data[Source]):
    """A source or destination of a move: `#tta.end<"RF0.3">`, `#tta.end<"ALU0.in1t.add">`."""

    name = "tta.end"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Source:
        with parser.in_angle_brackets():
            at = parser.pos
            try:
                return parse_end(parser.parse_str_literal())
            except ValueError as error:
                parser.raise_error(str(error), at)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f'<"{self.data}">')


@irdl_attr_definition
class GuardAttr(Data[Guard]):
    """The condition of a move: `#tta.guard<"BOOL0.3">`, `#tta.guard<"!BOOL0.3">`."""

    name = "tta.guard"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Guard:
        with parser.in_angle_brackets():
            at = parser.pos
            try:
                return parse_guard(parser.parse_str_literal())
            except ValueError as error:
                parser.raise_error(str(error), at)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f'<"{self.data}">')
