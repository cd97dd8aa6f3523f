"""Patterns without a function: their results' types follow from their operands.

Text: the operands, other parameters of the operation, and the types of the results, for example
`pattern.split %x by 64 : !pattern.array<N, 64, f32>`. The operands' types are those of their
definitions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.sizes import verify_integer
from polycl.dialects.pattern.text import parse_values
from polycl.dialects.pattern.types import ArrayType, nats_in

Properties: TypeAlias = Mapping[str, Attribute]


class ValueOp(IRDLOperation, ABC):
    """A pattern whose value depends on its operands and properties only.

    Its construction raises VerifyException for operands that do not fit.
    """

    traits = traits_def(Pure())

    def __init__(self, operands: Sequence[SSAValue], properties: Properties | None = None):
        properties = properties or {}
        types = self.infer([operand.type for operand in operands], properties)
        Operation.__init__(self, operands=operands, result_types=types, properties=dict(properties))

    @classmethod
    @abstractmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        """The results' types from the operands'. Raises VerifyException where they do not fit."""

    def verify_(self) -> None:
        expected = list(self.infer([operand.type for operand in self.operands], self.properties))
        for type in expected:
            for size in nats_in(type):
                verify_integer(self, size, "the result's size")
        found = [result.type for result in self.results]
        if found != expected:
            raise VerifyException(
                f"expected the result type {', '.join(map(str, expected))}, "
                f"got {', '.join(map(str, found))}"
            )

    def print_modifiers(self, printer: Printer) -> None:
        """Prints the text after the operands."""

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> tuple[list[SSAValue], Properties]:
        """Reads what `print_modifiers` prints: more operands, and properties."""
        return [], {}

    @property
    def leading_operands(self) -> Sequence[SSAValue]:
        """The operands before the modifiers."""
        return self.operands

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.leading_operands, printer.print_ssa_value)
        self.print_modifiers(printer)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_list([result.type for result in self.results], printer.print_attribute)

    @classmethod
    def parse(cls, parser: Parser):
        operands = parse_values(parser)
        more, properties = cls.parse_modifiers(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.create(
            operands=[*operands, *more],
            result_types=types,
            properties=properties,
            attributes=attributes.data if attributes else {},
        )


class OneToOneOp(ValueOp, ABC):
    """A pattern from one array to one array."""

    input = operand_def(ArrayType)
    result = result_def(ArrayType)

    def __init__(self, input: SSAValue, properties: Properties | None = None):
        super().__init__([input], properties)

    @property
    def input_type(self) -> ArrayType:
        """The type of the input."""
        assert isinstance(self.input.type, ArrayType)
        return self.input.type


def array_in(type: Attribute) -> ArrayType:
    """The type, which is one of an array. Raises VerifyException where it is not."""
    if not isinstance(type, ArrayType):
        raise VerifyException(f"expected an array, got {type}")
    return type


def rows_in(type: Attribute) -> tuple[ArrayType, ArrayType]:
    """The type of an array of arrays, and that of the inner ones. Raises VerifyException."""
    outer = array_in(type)
    if not isinstance(outer.element_type, ArrayType):
        raise VerifyException(f"expected an array of arrays, got {outer}")
    return outer, outer.element_type
