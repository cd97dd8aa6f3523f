"""`ocl-opt -t spirv`: a module in the LLVM dialect as SPIR-V."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from polycl.backends.cpu.codegen import SPIRV, SPIRV_TEXT
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.backends.cpu.llvm_process import run_llvm

VERSION = "1.2"
"""OpenCL 2.2 and later take it, and OpenCL 2.1 with the extension cl_khr_il_program."""


def spirv(module: ModuleOp, version: str = VERSION) -> bytes:
    """The binary of a module that `ocl-to-spir` has made.

    Raises:
        PolyclError: the module is not in the LLVM dialect, or LLVM has no form for it.
    """
    return run_llvm(f"{SPIRV} {version}", llvm_ir(module), 2)


@dataclass(frozen=True)
class SpirvTarget(Target):
    """SPIR-V of a module after `ocl-to-spir`, as text: what `spirv-as` makes a binary of."""

    name = "spirv"

    version: str = VERSION

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        print(run_llvm(f"{SPIRV_TEXT} {self.version}", llvm_ir(module), 2).decode(), file=output)
