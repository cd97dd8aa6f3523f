"""The host's part of a lowered pattern program: memory, and kernels in sequence.

```
func.func @asum(%x : !pattern.array<1024, f32>) -> !pattern.array<1, f32> {
  %partial = pattern.alloc : !pattern.array<16, f32>
  pattern.launch @asum_0 global [1024] local [64] (%x, %partial) : ...
  %r = pattern.alloc : !pattern.array<1, f32>
  pattern.launch @asum_1 global [1] local [1] (%partial, %r) : ...
  func.return %r : !pattern.array<1, f32>
}
```
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.pattern.nat import NatAttr, read_nat
from polycl.dialects.pattern.types import ArrayType


@irdl_op_definition
class AllocOp(IRDLOperation):
    """Global memory of the device for an array: `%t = pattern.alloc : !pattern.array<N, f32>`.

    Each part of a tuple in the array has memory of its own, in row-major order.
    """

    name = "pattern.alloc"

    result = result_def(ArrayType)

    traits = traits_def(MemoryAllocEffect())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type: ArrayType):
        super().__init__(result_types=[type])


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """Run a kernel and wait (OpenCL 1.2, section 5.8).

    `pattern.launch @k global [N] local [64] (%x, %a) sizes [N] : !pattern.array<N, f32>, f32`

    An array passes its memory, one pointer for each part of a tuple; the sizes follow all arguments
    as 64-bit integers. Without `local` the device chooses a size.
    """

    name = "pattern.launch"

    kernel = prop_def(SymbolRefAttr)
    global_size = prop_def(ArrayAttr[NatAttr])
    local_size = opt_prop_def(ArrayAttr[NatAttr])
    sizes = prop_def(ArrayAttr[NatAttr])
    arguments = var_operand_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        kernel: str,
        global_size: Sequence[NatAttr],
        local_size: Sequence[NatAttr] | None,
        arguments: Sequence[SSAValue],
        sizes: Sequence[NatAttr] = (),
    ):
        super().__init__(
            operands=[arguments],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "global_size": ArrayAttr(global_size),
                "local_size": None if local_size is None else ArrayAttr(local_size),
                "sizes": ArrayAttr(sizes),
            },
        )

    def verify_(self) -> None:
        for name, sizes in (("global", self.global_size), ("local", self.local_size)):
            if sizes is not None and not 1 <= len(sizes) <= 3:
                raise VerifyException(f"expected 1 to 3 {name} sizes, got {len(sizes)}")
        if self.local_size is not None and len(self.local_size) != len(self.global_size):
            raise VerifyException(
                f"expected as many local sizes as global sizes, {len(self.global_size)}, "
                f"got {len(self.local_size)}"
            )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.kernel)
        _print_sizes(printer, "global", self.global_size)
        if self.local_size is not None:
            _print_sizes(printer, "local", self.local_size)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.arguments, printer.print_ssa_value)
        if len(self.sizes):
            _print_sizes(printer, "sizes", self.sizes)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        if len(self.arguments):
            printer.print_string(" : ")
            printer.print_list([a.type for a in self.arguments], printer.print_attribute)

    @classmethod
    def parse(cls, parser: Parser) -> LaunchOp:
        kernel = parser.parse_symbol_name().data
        parser.parse_keyword("global")
        global_size = _parse_sizes(parser)
        local = _parse_sizes(parser) if parser.parse_optional_keyword("local") else None
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        sizes = _parse_sizes(parser) if parser.parse_optional_keyword("sizes") else []
        attributes = parser.parse_optional_attr_dict_with_keyword()
        types: Sequence[Attribute] = ()
        if operands:
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        arguments = parser.resolve_operands(operands, types, parser.pos)
        op = cls(kernel, global_size, local, arguments, sizes)
        op.attributes = dict(attributes.data) if attributes else {}
        return op


def _print_sizes(printer: Printer, keyword: str, sizes: ArrayAttr[NatAttr]) -> None:
    printer.print_string(f" {keyword} [{', '.join(map(str, sizes))}]")


def _parse_sizes(parser: Parser) -> list[NatAttr]:
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: read_nat(parser))
