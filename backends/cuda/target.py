"""`ocl-opt -t ptx`: a module in the LLVM dialect as PTX, the assembly language of NVIDIA's GPUs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from polycl.backends.cpu.codegen import PTX
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.backends.cpu.llvm_process import run_llvm
from polycl.errors import ArgumentError

SM = "sm_70"
"""The oldest processor for which LLVM has all that `ocl-to-nvvm` makes."""

PTX_VERSION = 80
"""The version of PTX, times ten: drivers from 525 (CUDA 12.0) on take it."""


def ptx(module: ModuleOp, sm: str = SM, ptx_version: int = PTX_VERSION) -> str:
    """The text of a module that `ocl-to-nvvm` has made.

    Raises:
        ArgumentError: `sm` names no processor.
        PolyclError: the module is not in the LLVM dialect, or LLVM has no form for it.
    """
    if not re.fullmatch(r"sm_\d+[af]?", sm):
        raise ArgumentError(f"'{sm}' is not a processor of NVIDIA; expected, say, {SM} or sm_90a")
    return run_llvm(f"{PTX} {sm} +ptx{ptx_version}", llvm_ir(module), 3).decode()


@dataclass(frozen=True)
class PtxTarget(Target):
    """PTX of a module after `ocl-to-nvvm`, as LLVM makes it."""

    name = "ptx"

    sm: str = SM
    """The oldest processor that runs it."""

    ptx_version: int = PTX_VERSION
    """The version of PTX, times ten."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        print(ptx(module, self.sm, self.ptx_version), file=output)
