"""Parsing of values whose types are known from their definitions."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.parser import Parser


def parse_value(parser: Parser) -> SSAValue:
    """Reads a value that is defined before."""
    operand = parser.parse_unresolved_operand()
    values = parser.ssa_values.get(operand.operand_name, ())
    if operand.index >= len(values):
        parser.raise_error(f"%{operand.operand_name} is not defined above", operand.span)
    return values[operand.index]


def parse_values(parser: Parser) -> list[SSAValue]:
    """Reads `%a, %b`: one value or more."""
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, lambda: parse_value(parser))
