"""Patterns with a function: the function is the operation's own region.

Text: `as %e : f32 {...}` for a function of one value, `as (%a : f32, %b : f32) {...}` for one
that takes a tuple apart. `pattern.yield` ends it; several yielded values are a tuple.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i64
from xdsl.ir import Attribute, BlockArgument, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.types import parts_of, tuple_of

OpT = TypeVar("OpT", bound=IRDLOperation)

UNIT = UnitAttr()


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The value of a function: `pattern.yield %s : f32`. Several values are a tuple."""

    name = "pattern.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    assembly_format = "$values attr-dict `:` type($values)"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])

    def verify_(self) -> None:
        if not self.values:
            raise VerifyException("expected at least one value")


def yielded(body: Region) -> tuple[SSAValue, ...]:
    """The values that a function yields."""
    terminator = body.block.last_op
    if not isinstance(terminator, YieldOp):
        found = f"'{terminator.name}'" if terminator is not None else "nothing"
        raise VerifyException(f"expected 'pattern.yield' at the end of the function, got {found}")
    return tuple(terminator.values)


def yielded_type(body: Region) -> Attribute:
    """The type of a function's value: a tuple where it yields several."""
    return tuple_of([value.type for value in yielded(body)])


def binders(args: Sequence[BlockArgument], type: Attribute) -> int:
    """The number of `args` for the first parameter, which has type `type`.

    It is one, or the number of the tuple's parts. Raises VerifyException where they do not fit.
    """
    if args and args[0].type == type:
        return 1
    parts = parts_of(type)
    types = [arg.type for arg in args[: len(parts)]]
    if len(parts) > 1 and types == list(parts):
        return len(parts)
    found = ", ".join(map(str, types)) or "none"
    either = f"{type}, or its parts" if len(parts) > 1 else str(type)
    raise VerifyException(f"expected the function to take {either}; its arguments there: {found}")


def verify_binders(args: Sequence[BlockArgument], types: Sequence[Attribute]) -> None:
    """Check that a function's arguments are those for parameters of these types."""
    rest = list(args)
    for type in types:
        rest = rest[binders(rest, type) :]
    if rest:
        raise VerifyException(f"the function takes {len(rest)} arguments more than there are")


def binder_groups(
    args: Sequence[BlockArgument], types: Sequence[Attribute]
) -> list[Sequence[BlockArgument]]:
    """The arguments for each parameter: one, or those of the tuple's parts."""
    groups: list[Sequence[BlockArgument]] = []
    for type in types:
        count = binders(args, type)
        groups.append(args[:count])
        args = args[count:]
    return groups


# ---- text ----


def print_binders(printer: Printer, groups: Sequence[Sequence[BlockArgument]]) -> None:
    """Prints ` as %e : f32, (%a : f32, %b : f32)`."""
    printer.print_string(" as ")
    for i, group in enumerate(groups):
        if i:
            printer.print_string(", ")
        if len(group) == 1:
            printer.print_block_argument(group[0])
        else:
            with printer.in_parens():
                printer.print_list(group, printer.print_block_argument)


def parse_binders(parser: Parser) -> list[Parser.Argument]:
    """Reads what `print_binders` prints."""
    parser.parse_keyword("as")

    def group() -> list[Parser.Argument]:
        parts = parser.parse_optional_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_argument
        )
        return parts if parts is not None else [parser.parse_argument()]

    return [
        argument
        for arguments in parser.parse_comma_separated_list(parser.Delimiter.NONE, group)
        for argument in arguments
    ]


def print_function(printer: Printer, op: IRDLOperation, body: Region) -> None:
    """Prints the attributes, the function and the results' types."""
    printer.print_op_attributes(op.attributes, reserved_attr_names=(), print_keyword=True)
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False)
    printer.print_string(" : ")
    printer.print_list([result.type for result in op.results], printer.print_attribute)


def parse_function(
    cls: type[OpT],
    parser: Parser,
    operands: Sequence[SSAValue],
    arguments: Sequence[Parser.Argument],
    properties: Mapping[str, Attribute] | None = None,
) -> OpT:
    """Reads what `print_function` prints: the operation with these operands and properties."""
    attributes = parser.parse_optional_attr_dict_with_keyword()
    body = parser.parse_region(arguments)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return cls.create(
        operands=operands,
        result_types=types,
        properties=properties or {},
        attributes=attributes.data if attributes else {},
        regions=[body],
    )


def print_flags(printer: Printer, flags: dict[str, UnitAttr | None]) -> None:
    """Prints the names of the set flags."""
    for name, flag in flags.items():
        if flag is not None:
            printer.print_string(f" {name}")


def parse_flags(parser: Parser, names: Sequence[str]) -> dict[str, Attribute]:
    """Reads flags, in the order of `names`."""
    return {name: UNIT for name in names if parser.parse_optional_keyword(name)}


def flag(value: bool) -> UnitAttr | None:
    """The property of a flag."""
    return UNIT if value else None


def int_attr(value: int | IntegerAttr) -> IntegerAttr:
    """An integer as a property."""
    return value if isinstance(value, IntegerAttr) else IntegerAttr(value, i64)
