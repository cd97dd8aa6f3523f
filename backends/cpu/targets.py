"""The targets of `ocl-opt -t` for a module in the LLVM dialect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from polycl.backends.cpu.jit import OPTIMISATION_LEVEL, emit_assembly
from polycl.backends.cpu.llvm_ir import llvm_ir
from polycl.dialects.ocl.debug import has_lines, is_debug_build


@dataclass(frozen=True)
class LlvmIrTarget(Target):
    """LLVM IR, before LLVM's own passes.

    xDSL's target `llvm` does the same for modules without operations of `llvm_ext`.
    """

    name = "llvm-ir"

    debug_info: bool = False
    """Whether every instruction has its source line."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        print(llvm_ir(module, self.debug_info or has_lines(module)), file=output)


@dataclass(frozen=True)
class CpuAssemblyTarget(Target):
    """The machine code that the device `cpu` runs on this machine, as assembly."""

    name = "cpu-assembly"

    debug_info: bool = False
    """Whether `.loc` gives the source line of the following instructions."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        text = llvm_ir(module, self.debug_info or has_lines(module))
        level = 0 if is_debug_build(module) else OPTIMISATION_LEVEL
        print(emit_assembly(text, level), file=output)
