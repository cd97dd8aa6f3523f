"""Maps: a function applied to every element, and the work-items or groups that apply it."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import IntegerAttr, UnitAttr
from xdsl.ir import Attribute, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
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
    int_attr,
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
from polycl.dialects.pattern.types import ArrayType, array


class MapBase(IRDLOperation, ABC):
    """`T[n] -> U[n]`, with a function `T -> U` [lift15, Tables 1 and 2].

    The function's arguments are the element, or the parts of a tuple.
    """

    input = operand_def(ArrayType)
    result = result_def(ArrayType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        input: SSAValue,
        body: Region,
        properties: Mapping[str, Attribute | None] | None = None,
        attributes: dict[str, Attribute] | None = None,
    ):
        assert isinstance(input.type, ArrayType)
        super().__init__(
            operands=[input],
            result_types=[array(input.type.size, yielded_type(body))],
            regions=[body],
            properties=properties or {},
            attributes=attributes or {},
        )

    @property
    def element_args(self) -> Sequence[BlockArgument]:
        """The arguments for the element: one, or one for each part of a tuple."""
        return self.body.block.args

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """The yielded values."""
        return yielded(self.body)

    def verify_(self) -> None:
        assert isinstance(self.input.type, ArrayType) and isinstance(self.result.type, ArrayType)
        verify_binders(self.body.block.args, [self.input.type.element_type])
        expected = ArrayType(self.input.type.size, self.result.type.element_type)
        if self.result.type != expected:
            raise VerifyException(
                f"expected a result of the input's size, {expected}, got {self.result.type}"
            )
        if yielded_type(self.body) != self.result.type.element_type:
            raise VerifyException(
                f"the function yields {yielded_type(self.body)}, "
                f"expected the result's element type {self.result.type.element_type}"
            )

    def print_modifiers(self, printer: Printer) -> None:
        """Prints the text between the arguments and the function."""

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> dict[str, Attribute]:
        """Reads what `print_modifiers` prints, as properties."""
        return {}

    def print(self, printer: Printer) -> None:
        assert isinstance(self.input.type, ArrayType)
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        print_binders(printer, binder_groups(self.body.block.args, [self.input.type.element_type]))
        self.print_modifiers(printer)
        print_function(printer, self, self.body)

    @classmethod
    def parse(cls, parser: Parser):
        input = parse_value(parser)
        arguments = parse_binders(parser)
        properties = cls.parse_modifiers(parser)
        return parse_function(cls, parser, [input], arguments, properties)


@irdl_op_definition
class MapOp(MapBase):
    """A function applied to every element, in any order.

    ```
    %a = pattern.map %x as %e : f32 {
      %s = math.absf %e : f32
      pattern.yield %s : f32
    } : !pattern.array<N, f32>
    ```
    """

    name = "pattern.map"


class ParallelMapBase(MapBase, ABC):
    """A map over the items of one level of OpenCL's thread hierarchy, along one dimension."""

    dim = prop_def(IntegerAttr)

    def __init__(
        self,
        input: SSAValue,
        body: Region,
        dim: int | IntegerAttr = 0,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(input, body, {"dim": int_attr(dim)}, attributes)

    @property
    def dimension(self) -> int:
        """The dimension of the NDRange: 0, 1 or 2."""
        return self.dim.value.data

    def verify_(self) -> None:
        super().verify_()
        if self.dimension not in (0, 1, 2):
            raise VerifyException(f"expected the dimension 0, 1 or 2, got {self.dimension}")

    def print_modifiers(self, printer: Printer) -> None:
        if self.dimension:
            printer.print_string(f" dim {self.dimension}")

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> dict[str, Attribute]:
        given = parser.parse_optional_keyword("dim") is not None
        return {"dim": int_attr(parser.parse_integer() if given else 0)}


@irdl_op_definition
class MapWorkgroupOp(ParallelMapBase):
    """Each work-group applies the function to other elements: `map-workgroup(f)`.

    `%g = pattern.map_workgroup %x as %c : !pattern.array<64, f32> dim 1 {...} : ...`
    """

    name = "pattern.map_workgroup"


@irdl_op_definition
class MapLocalOp(ParallelMapBase):
    """Each work-item of a group applies the function to other elements: `map-local(f)`."""

    name = "pattern.map_local"


@irdl_op_definition
class MapGlobalOp(ParallelMapBase):
    """Each work-item, whatever its group, applies the function to other elements.

    Those before the work-item `first` have nothing to do, so that rows of work-items begin where
    memory is aligned: `%g = pattern.map_global %x as %e : f32 first 4 {...}`.
    """

    name = "pattern.map_global"

    first = opt_prop_def(IntegerAttr)

    @property
    def first_item(self) -> int:
        """The number of the work-item that has the first element."""
        return 0 if self.first is None else self.first.value.data

    def verify_(self) -> None:
        super().verify_()
        if self.first_item < 0:
            raise VerifyException(f"expected a number of a work-item, got {self.first_item}")

    def print_modifiers(self, printer: Printer) -> None:
        super().print_modifiers(printer)
        if self.first_item:
            printer.print_string(f" first {self.first_item}")

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> dict[str, Attribute]:
        found = super().parse_modifiers(parser)
        if parser.parse_optional_keyword("first") is not None:
            found["first"] = int_attr(parser.parse_integer())
        return found


@irdl_op_definition
class MapSeqOp(MapBase):
    """One work-item applies the function to the elements in order.

    With `unroll` the loop is unrolled: `pattern.map_seq %x as %e : f32 unroll {...}`.
    """

    name = "pattern.map_seq"

    unroll = opt_prop_def(UnitAttr)

    def __init__(
        self,
        input: SSAValue,
        body: Region,
        unroll: bool = False,
        attributes: dict[str, Attribute] | None = None,
    ):
        super().__init__(input, body, {"unroll": flag(unroll)}, attributes)

    def print_modifiers(self, printer: Printer) -> None:
        print_flags(printer, {"unroll": self.unroll})

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> dict[str, Attribute]:
        return parse_flags(parser, ["unroll"])
