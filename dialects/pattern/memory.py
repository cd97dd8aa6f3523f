"""The memory of values: marks on the operations that compute them [lift15, section 3.2].

`toLocal(map-local(f))` is `%t = pattern.map_local ...` and then `%u = pattern.to_local %t`.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.lambdas import int_attr
from polycl.dialects.pattern.reductions import ReduceSeqOp
from polycl.dialects.pattern.values import OneToOneOp, Properties, array_in


class ToMemoryBase(OneToOneOp, ABC):
    """The input, computed into one kind of memory."""

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        return [array_in(operands[0])]


@irdl_op_definition
class ToLocalOp(ToMemoryBase):
    """In the work-group's local memory: `%u = pattern.to_local %t : !pattern.array<64, f32>`.

    `%u = pattern.to_local %t ahead 2 : ...` in the function of a reduction by a group: the input is
    computed two elements before its use, while the group works on those before it. It may depend on
    the element, not on the accumulator.

    `pad 4`: in memory each innermost row is followed by space for four elements, so that the
    elements of a column are in different banks.

    `swizzled`: for the same purpose pieces of 16 bytes change their places: of row r of 128 bytes,
    piece p lies where piece p xor (r mod 8) would. Tensor cores read products of 64 rows so.
    """

    name = "pattern.to_local"

    pad = opt_prop_def(IntegerAttr)
    ahead = opt_prop_def(IntegerAttr)
    swizzled = opt_prop_def(UnitAttr)

    def __init__(self, input: SSAValue, ahead: int = 0, pad: int = 0, *, swizzled: bool = False):
        given = {"pad": pad, "ahead": ahead}
        properties: Properties = {name: int_attr(value) for name, value in given.items() if value}
        if swizzled:
            properties = {**properties, "swizzled": UnitAttr()}
        super().__init__(input, properties)

    @property
    def padding(self) -> int:
        """The number of elements after each innermost row."""
        return self.pad.value.data if self.pad is not None else 0

    @property
    def elements_ahead(self) -> int:
        """The number of elements of the reduction between its computation and its use."""
        return self.ahead.value.data if self.ahead is not None else 0

    def print_modifiers(self, printer: Printer) -> None:
        for name, value in (("pad", self.padding), ("ahead", self.elements_ahead)):
            if value:
                printer.print_string(f" {name} {value}")
        if self.swizzled is not None:
            printer.print_string(" swizzled")

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> tuple[list[SSAValue], Properties]:
        given: dict[str, Attribute] = {
            name: int_attr(parser.parse_integer(allow_negative=False))
            for name in ("pad", "ahead")
            if parser.parse_optional_keyword(name) is not None
        }
        if parser.parse_optional_keyword("swizzled") is not None:
            given["swizzled"] = UnitAttr()
        return [], given

    def verify_(self) -> None:
        super().verify_()
        if self.padding and self.swizzled is not None:
            raise VerifyException("rows are padded or swizzled, not both")
        if not self.elements_ahead:
            return
        around = self.parent_op()
        if not isinstance(around, ReduceSeqOp) or self.parent is None:
            raise VerifyException("only in the function of a reduce_seq are elements ahead")
        if any(value in around.accumulator_args for value in needs_in_block(self)):
            raise VerifyException("what is computed ahead depends on the accumulator")


def needs_in_block(op: Operation) -> set[SSAValue]:
    """All values of the block of `op` on which it depends."""
    found: set[SSAValue] = set()
    rest = [op]
    for user in rest:
        for value in (v for inner in user.walk() for v in inner.operands):
            block = value.owner if isinstance(value.owner, Block) else value.owner.parent
            if block is op.parent and value not in found:
                found.add(value)
                if isinstance(value.owner, Operation):
                    rest.append(value.owner)
    return found


@irdl_op_definition
class ToGlobalOp(ToMemoryBase):
    """In global memory: `%u = pattern.to_global %t : !pattern.array<64, f32>`."""

    name = "pattern.to_global"


@irdl_op_definition
class ToPrivateOp(ToMemoryBase):
    """In the work-item's own memory: `%u = pattern.to_private %t : !pattern.array<4, f32>`."""

    name = "pattern.to_private"
