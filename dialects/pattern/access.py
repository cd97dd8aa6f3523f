"""Single elements: tuples, random access, and arrays made from an index."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, TupleType, i64
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.lambdas import (
    int_attr,
    parse_binders,
    parse_function,
    print_binders,
    print_function,
    verify_binders,
    yielded,
    yielded_type,
)
from polycl.dialects.pattern.nat import NatAttr, nat
from polycl.dialects.pattern.text import parse_value
from polycl.dialects.pattern.types import ArrayType, array, tuple_of
from polycl.dialects.pattern.values import Properties, ValueOp, array_in


@irdl_op_definition
class TupleOp(ValueOp):
    """Values as one tuple: `%t = pattern.tuple %a, %b : tuple<f32, i32>`."""

    name = "pattern.tuple"

    inputs = var_operand_def()
    result = result_def(TupleType)

    def __init__(self, *inputs: SSAValue):
        super().__init__(inputs)

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        if len(operands) < 2:
            raise VerifyException(f"expected at least two values, got {len(operands)}")
        return [tuple_of(operands)]


@irdl_op_definition
class GetOp(ValueOp):
    """A part of a tuple: `%a = pattern.get %t[0] : f32`."""

    name = "pattern.get"

    input = operand_def(TupleType)
    index = prop_def(IntegerAttr)
    result = result_def()

    def __init__(self, input: SSAValue, index: int | IntegerAttr):
        super().__init__([input], {"index": int_attr(index)})

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type, index = operands[0], properties["index"]
        assert isinstance(index, IntegerAttr)
        if not isinstance(type, TupleType):
            raise VerifyException(f"expected a tuple, got {type}")
        if index.value.data not in range(len(type.types)):
            raise VerifyException(f"{type} has no part {index.value.data}; the first one is 0")
        return [type.types.data[index.value.data]]

    @property
    def part(self) -> int:
        """The number of the part, from 0."""
        return self.index.value.data

    def print_modifiers(self, printer: Printer) -> None:
        printer.print_string(f"[{self.part}]")

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> tuple[list[SSAValue], Properties]:
        with parser.in_square_brackets():
            return [], {"index": IntegerAttr(parser.parse_integer(), i64)}


@irdl_op_definition
class AtOp(ValueOp):
    """One element: `%q = pattern.at %p[%j] : vector<4xf32>`.

    The index is at least 0 and less than the array's size; integers are signed.
    """

    name = "pattern.at"

    input = operand_def(ArrayType)
    index = operand_def()
    result = result_def()

    def __init__(self, input: SSAValue, index: SSAValue):
        super().__init__([input, index])

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type, index = operands
        if not isinstance(index, IntegerType | IndexType):
            raise VerifyException(f"expected an integer or an index, got {index}")
        return [array_in(type).element_type]

    @property
    def leading_operands(self) -> Sequence[SSAValue]:
        return [self.input]

    def print_modifiers(self, printer: Printer) -> None:
        printer.print_string("[")
        printer.print_ssa_value(self.index)
        printer.print_string("]")

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> tuple[list[SSAValue], Properties]:
        with parser.in_square_brackets():
            return [parse_value(parser)], {}


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """An array whose elements are a function of their index.

    `%x = pattern.generate as %i : index {...} : !pattern.array<N, f32>`
    """

    name = "pattern.generate"

    result = result_def(ArrayType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, size: NatAttr | int | str, body: Region):
        super().__init__(result_types=[array(nat(size), yielded_type(body))], regions=[body])

    @property
    def size(self) -> NatAttr:
        """The number of elements."""
        assert isinstance(self.result.type, ArrayType)
        return self.result.type.size

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """The yielded values."""
        return yielded(self.body)

    def verify_(self) -> None:
        assert isinstance(self.result.type, ArrayType)
        verify_binders(self.body.block.args, [IndexType()])
        if yielded_type(self.body) != self.result.type.element_type:
            raise VerifyException(
                f"the function yields {yielded_type(self.body)}, "
                f"expected the result's element type {self.result.type.element_type}"
            )

    def print(self, printer: Printer) -> None:
        print_binders(printer, [self.body.block.args])
        print_function(printer, self, self.body)

    @classmethod
    def parse(cls, parser: Parser):
        return parse_function(cls, parser, [], parse_binders(parser))
