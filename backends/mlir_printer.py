"""Prints modules without the loss of attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.targets.mlir import MLIRTarget


class MLIRPrinter(Printer):
    """xDSL's printer. Comparisons with attributes are in generic syntax: their own drops them."""

    def print_op(self, op: Operation) -> None:
        generic = self.print_generic_format
        if op.attributes and isinstance(op, arith.CmpiOp | arith.CmpfOp):
            self.print_generic_format = True
        super().print_op(op)
        self.print_generic_format = generic


@dataclass(frozen=True)
class MLIRTextTarget(MLIRTarget):
    """xDSL's target `mlir` with the printer above."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        if self.syntax_highlight:
            super().emit(ctx, module, output)
            return
        printer = MLIRPrinter(
            stream=output,
            print_generic_format=self.print_generic_format,
            print_properties_as_attributes=self.print_properties_as_attributes,
            print_debuginfo=self.print_debuginfo,
        )
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        print("\n", file=output)
