"""`ocl-opt -t opencl-c`: a module as OpenCL C."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from polycl.backends.opencl_c.write_module import emit


@dataclass(frozen=True)
class OpenclCTarget(Target):
    """OpenCL C 1.2, with the source line of each statement.

    Pointers into the generic address space need OpenCL C 2.0.
    """

    name = "opencl-c"

    contract: bool = True
    """Whether `a * b + c` may be rounded once."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        print(emit(module, self.contract).text, file=output, end="")
