"""The memory of values: marks on the operations that compute them [lift15, section 3.2].

`toLocal(map-local(f))` is `%t = pattern.map_local ...` and then `%u = pattern.to_local %t`.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr
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
    """

    name = "pattern.to_local"

    ahead = opt_prop_def(IntegerAttr)

    def __init__(self, input: SSAValue, ahead: int = 0):
        super().__init__(input, {"ahead": int_attr(ahead)} if ahead else {})

    @property
    def elements_ahead(self) -> int:
        """The number of elements of the reduction between its computation and its use."""
        return self.ahead.value.data if self.ahead is not None else 0

    def print_modifiers(self, printer: Printer) -> None:
        if self.elements_ahead:
            printer.print_string(f" ahead {self.elements_ahead}")

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> tuple[list[SSAValue], Properties]:
        if parser.parse_optional_keyword("ahead") is None:
            return [], {}
        return [], {"ahead": int_attr(parser.parse_integer(allow_negative=False))}

    def verify_(self) -> None:
        super().verify_()
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
