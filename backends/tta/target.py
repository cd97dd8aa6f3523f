"""The target `tceasm`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from polycl.dialects.tta import ProgramOp, from_ir, print_tceasm


@dataclass(frozen=True)
class TceasmTarget(Target):
    """Prints the `tta` programs of a module for OpenASIP's assembler."""

    name = "tceasm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        for op in module.ops:
            if isinstance(op, ProgramOp):
                print(print_tceasm(from_ir(op)), end="", file=output)
