"""Elements before and after an array, which a stencil reads at its edges."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.nat import NatAttr, nat, read_nat
from polycl.dialects.pattern.text import parse_value
from polycl.dialects.pattern.types import ArrayType
from polycl.dialects.pattern.values import Properties, ValueOp, array_in
from polycl.dialects.pattern.views import nat_property

MODES = ("clamp", "mirror", "wrap", "constant")


@irdl_op_definition
class PadOp(ValueOp):
    """`left` elements before and `right` elements after an array. Three on each side of `a b c`:

    - `clamp`: `a a a | a b c | c c c`
    - `mirror`: `c b a | a b c | c b a`
    - `wrap`: `a b c | a b c | a b c`
    - `constant %v`: `v v v | a b c | v v v`

    `%y = pattern.pad %x left 1 right 1 clamp : !pattern.array<N + 2, f32>`
    """

    name = "pattern.pad"

    input = operand_def(ArrayType)
    value = opt_operand_def()
    left = prop_def(NatAttr)
    right = prop_def(NatAttr)
    mode = prop_def(StringAttr)
    result = result_def(ArrayType)

    def __init__(
        self,
        input: SSAValue,
        left: NatAttr | int | str,
        right: NatAttr | int | str,
        mode: str = "clamp",
        value: SSAValue | None = None,
    ):
        operands = [input] if value is None else [input, value]
        sides = {"left": nat(left), "right": nat(right)}
        super().__init__(operands, {**sides, "mode": StringAttr(mode)})

    @classmethod
    def infer(cls, operands: Sequence[Attribute], properties: Properties) -> Sequence[Attribute]:
        type, mode = array_in(operands[0]), properties["mode"]
        assert isinstance(mode, StringAttr)
        if mode.data not in MODES:
            raise VerifyException(f"unknown mode '{mode.data}'; expected {', '.join(MODES)}")
        if (mode.data == "constant") != (len(operands) == 2):
            raise VerifyException("expected a value to pad with in the mode 'constant', only there")
        if len(operands) == 2 and operands[1] != type.element_type:
            raise VerifyException(
                f"expected a value of the elements' type {type.element_type}, got {operands[1]}"
            )
        left, right = nat_property(properties, "left"), nat_property(properties, "right")
        for side in (left, right):
            if side.is_constant and side.value < 0:
                raise VerifyException(f"expected 0 elements or more on a side, got {side}")
        size = type.size + left + right
        return [ArrayType(size, type.element_type)]

    @property
    def leading_operands(self) -> Sequence[SSAValue]:
        return [self.input]

    def print_modifiers(self, printer: Printer) -> None:
        printer.print_string(f" left {self.left} right {self.right} {self.mode.data}")
        if self.value is not None:
            printer.print_string(" ")
            printer.print_ssa_value(self.value)

    @classmethod
    def parse_modifiers(cls, parser: Parser) -> tuple[list[SSAValue], Properties]:
        parser.parse_keyword("left")
        left = read_nat(parser)
        parser.parse_keyword("right")
        right = read_nat(parser)
        mode = parser.parse_identifier()
        value = [parse_value(parser)] if mode == "constant" else []
        return value, {"left": left, "right": right, "mode": StringAttr(mode)}
