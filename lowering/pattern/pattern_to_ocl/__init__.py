"""`pattern-to-ocl`: low-level pattern programs become kernels and a host function."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects.pattern.types import ArrayType
from polycl.lowering.pattern.pattern_inline_calls import inline_calls
from polycl.lowering.pattern.pattern_to_ocl import map_code as maps
from polycl.lowering.pattern.pattern_to_ocl import mma_code, scatter_code, sort_code
from polycl.lowering.pattern.pattern_to_ocl import reduction_code as reductions
from polycl.lowering.pattern.pattern_to_ocl.host_code import HostProgram

__all__ = ["PatternToOclPass"]

# Each registers the code generation of its patterns.
_ = maps, mma_code, reductions, scatter_code, sort_code


@dataclass(frozen=True)
class PatternToOclPass(ModulePass):
    """Lower pattern programs to `ocl.kernel`s and a host function of the same name.

    ```
    func.func @twice(%x : !pattern.array<1024, f32>) -> !pattern.array<1024, f32> {
      %y = pattern.map_global %x as %e : f32 {
        %s = arith.addf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<1024, f32>
      func.return %y : !pattern.array<1024, f32>
    }
    ```

    becomes

    ```
    ocl.kernel @twice_0(%x: !ocl.ptr<f32, global> {..}, %out: !ocl.ptr<f32, global> {..}) {
      %item0 = ocl.global_id 0 : index
      %0 = ocl.load %x[%item0] : !ocl.ptr<f32, global>
      %s = arith.addf %0, %0 : f32
      ocl.store %s, %out[%item0] : !ocl.ptr<f32, global>
      ocl.return
    }
    func.func @twice(%x : !pattern.array<1024, f32>) -> !pattern.array<1024, f32> {
      %out = pattern.alloc : !pattern.array<1024, f32>
      pattern.launch @twice_0 global [1024] local [128] (%x, %out) : ...
      func.return %out : !pattern.array<1024, f32>
    }
    ```

    docs/pattern/kernels.md describes the code generation. `aligned`: every buffer starts at a
    multiple of 16 bytes or more, so that vectors are loaded as such. `async_copies`: what is copied
    from global to local memory ahead of its use is copied asynchronously (`ocl.commit_copies`).
    `tensor_cores`: the generation, as the compute capability of NVIDIA's GPUs times ten, of those
    that compute `pattern.mma`: from 80 on products of 16 x 8 (`ocl.mma`), with 90 those of 64 x n
    (`ocl.wgmma`), too. Others are loops.

    Raises:
        PolyclError: located: a pattern violates the thread hierarchy, or the size of memory is
            not a number.
    """

    name = "pattern-to-ocl"

    aligned: bool = False
    async_copies: bool = False
    tensor_cores: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        programs = [f for f in op.ops if isinstance(f, FuncOp) and _is_program(f)]
        # Before any is lowered: a program may call another one.
        for function in programs:
            inline_calls(function)
        for function in programs:
            program = HostProgram(function, self.aligned, self.async_copies, self.tensor_cores)
            host = program.run()
            for kernel in program.kernels:
                Rewriter.insert_op(kernel, InsertPoint.before(function))
            Rewriter.insert_op(host, InsertPoint.before(function))
            Rewriter.erase_op(function)


def _is_program(function: FuncOp) -> bool:
    """Whether it computes arrays of the pattern dialect and is not lowered yet."""
    types = (*function.function_type.inputs, *function.function_type.outputs)
    if not function.body.blocks or not any(isinstance(type, ArrayType) for type in types):
        return False
    return not any(op.name in ("pattern.launch", "pattern.alloc") for op in function.walk())
