"""The target `pattern-paper`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.target import Target

from polycl.dialects.pattern.paper import paper


@dataclass(frozen=True)
class PatternPaperTarget(Target):
    """The pattern programs of a module in the notation of [lift15]."""

    name = "pattern-paper"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        for op in module.ops:
            if isinstance(op, FuncOp) and op.body.blocks:
                print(paper(op), file=output)
