"""Elements combined with those of an array at given indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerType, UnitAttr
from xdsl.ir import Attribute, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
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
    flag,
    parse_binders,
    parse_flags,
    parse_function,
    print_binders,
    print_flags,
    print_function,
    verify_binders,
    yielded,
    yielded_type,
)
from polycl.dialects.pattern.text import parse_value
from polycl.dialects.pattern.types import ArrayType


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """An array with elements combined into it: a histogram, or sums by keys.

    ```
    %r = pattern.scatter %x to %ids init %start as %old : f32, %new : f32 assoc comm {
      %s = arith.addf %old, %new : f32
      pattern.yield %s : f32
    } : !pattern.array<M, f32>
    ```

    Element k of the result is that of `init`, combined with the elements of the input whose index
    is k, in order, by a function `(T, T) -> T`. A function whose value is its second argument
    overwrites. Each index is at least 0 and less than M; integers are signed.
    """

    name = "pattern.scatter"

    input = operand_def(ArrayType)
    indices = operand_def(ArrayType)
    init = operand_def(ArrayType)
    assoc = opt_prop_def(UnitAttr)
    comm = opt_prop_def(UnitAttr)
    result = result_def(ArrayType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    FLAGS: ClassVar[tuple[str, ...]] = ("assoc", "comm")

    def __init__(
        self,
        input: SSAValue,
        indices: SSAValue,
        init: SSAValue,
        body: Region,
        *,
        assoc: bool = False,
        comm: bool = False,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(
            operands=[input, indices, init],
            result_types=[init.type],
            regions=[body],
            properties={"assoc": flag(assoc), "comm": flag(comm)},
            attributes=attributes or {},
        )

    @property
    def element_type(self) -> Attribute:
        """The type of the elements that are combined."""
        assert isinstance(self.init.type, ArrayType)
        return self.init.type.element_type

    @property
    def argument_groups(self) -> list[Sequence[BlockArgument]]:
        """The arguments for the element of the result so far, and for the new element."""
        return binder_groups(self.body.block.args, [self.element_type] * 2)

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """The yielded values."""
        return yielded(self.body)

    def verify_(self) -> None:
        input, indices, init = self.input.type, self.indices.type, self.init.type
        assert isinstance(input, ArrayType)
        assert isinstance(indices, ArrayType)
        assert isinstance(init, ArrayType)
        if not isinstance(indices.element_type, IntegerType | IndexType):
            raise VerifyException(f"expected indices that are integers, got {indices}")
        if indices.size != input.size:
            raise VerifyException(
                f"expected an index for each of the {input.size} elements, got {indices.size}"
            )
        if init.element_type != input.element_type:
            raise VerifyException(
                f"expected an initial array of elements of type {input.element_type}, got {init}"
            )
        if self.result.type != init:
            raise VerifyException(
                f"expected a result of the initial array's type {init}, got {self.result.type}"
            )
        verify_binders(self.body.block.args, [init.element_type] * 2)
        if yielded_type(self.body) != init.element_type:
            raise VerifyException(
                f"the function yields {yielded_type(self.body)}, "
                f"expected the elements' type {init.element_type}"
            )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        printer.print_string(" to ")
        printer.print_ssa_value(self.indices)
        printer.print_string(" init ")
        printer.print_ssa_value(self.init)
        print_binders(printer, self.argument_groups)
        print_flags(printer, {"assoc": self.assoc, "comm": self.comm})
        print_function(printer, self, self.body)

    @classmethod
    def parse(cls, parser: Parser):
        input = parse_value(parser)
        parser.parse_keyword("to")
        indices = parse_value(parser)
        parser.parse_keyword("init")
        init = parse_value(parser)
        arguments = parse_binders(parser)
        properties = parse_flags(parser, cls.FLAGS)
        return parse_function(cls, parser, [input, indices, init], arguments, properties)
