"""The elements of an array in another order, which a function of them determines."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Attribute, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.lambdas import (
    binder_groups,
    parse_binders,
    parse_function,
    print_binders,
    print_function,
    verify_binders,
    yielded,
    yielded_type,
)
from polycl.dialects.pattern.text import parse_value
from polycl.dialects.pattern.types import ArrayType, array


class PermutationBase(IRDLOperation, ABC):
    """The elements of the input in an order that depends on a function `(T, ...) -> i1`."""

    PARAMETERS: ClassVar[int]

    input = operand_def(ArrayType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    @property
    def element_type(self) -> Attribute:
        """The type of the elements."""
        assert isinstance(self.input.type, ArrayType)
        return self.input.type.element_type

    @property
    def argument_groups(self) -> list[Sequence[BlockArgument]]:
        """The arguments for each parameter: one, or one for each part of a tuple."""
        return binder_groups(self.body.block.args, [self.element_type] * self.PARAMETERS)

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """The yielded value."""
        return yielded(self.body)

    def verify_(self) -> None:
        verify_binders(self.body.block.args, [self.element_type] * self.PARAMETERS)
        if yielded_type(self.body) != i1:
            raise VerifyException(
                f"the function yields {yielded_type(self.body)}, expected a truth value, i1"
            )
        first = self.results[0]
        if first.type != self.input.type:
            raise VerifyException(
                f"expected a result of the input's type {self.input.type}, got {first.type}"
            )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        print_binders(printer, self.argument_groups)
        print_function(printer, self, self.body)

    @classmethod
    def parse(cls, parser: Parser):
        return parse_function(cls, parser, [parse_value(parser)], parse_binders(parser))


@irdl_op_definition
class FilterOp(PermutationBase):
    """The elements for which a function holds, then the others, and the number of the former.

    ```
    %y, %n = pattern.filter %x as %e : f32 {
      %p = arith.cmpf ogt, %e, %zero : f32
      pattern.yield %p : i1
    } : !pattern.array<N, f32>, !pattern.array<1, index>
    ```

    Both are in the order of the input. The number is known at run time only, so that the type
    cannot have it: the first result has all N elements.
    """

    name = "pattern.filter"
    PARAMETERS: ClassVar[int] = 1

    result = result_def(ArrayType)
    count = result_def(ArrayType)

    def __init__(self, input: SSAValue, body: Region):
        super().__init__(
            operands=[input],
            result_types=[input.type, array(1, IndexType())],
            regions=[body],
        )

    def verify_(self) -> None:
        super().verify_()
        expected = array(1, IndexType())
        if self.count.type != expected:
            raise VerifyException(
                f"expected a number of elements of type {expected}, got {self.count.type}"
            )


@irdl_op_definition
class SortOp(PermutationBase):
    """The elements in the order of a function `before(a, b)`.

    ```
    %y = pattern.sort %x as %a : i32, %b : i32 {
      %p = arith.cmpi slt, %a, %b : i32
      pattern.yield %p : i1
    } : !pattern.array<N, i32>
    ```

    Elements of which neither is before the other stay in the order of the input. The function is a
    strict weak order: not of an element and itself, and transitive, as is "neither is before the
    other". With NaN in the input, a comparison of floats is none, and the order is unspecified.
    """

    name = "pattern.sort"
    PARAMETERS: ClassVar[int] = 2

    result = result_def(ArrayType)

    def __init__(self, input: SSAValue, body: Region):
        super().__init__(operands=[input], result_types=[input.type], regions=[body])
