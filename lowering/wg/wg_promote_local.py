"""`wg-promote-local`: local memory that the host sizes gets that size, and lives in the group."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, VectorType
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of
from polycl.lowering.build import Build
from polycl.lowering.wg.launch_abi import is_local_pointer
from polycl.remarks import emit_remark

_WORDS, _WORD = VectorType(IntegerType(64), [16]), 128
"""What local memory consists of: words with the largest alignment of OpenCL C, and their bytes."""


@dataclass(frozen=True)
class WgPromoteLocalPass(ModulePass):
    """Allocate what `local` pointer parameters point to, `sizes` bytes for each of them in order.

    With `sizes=1024`:

    ```
    wg.func @k(%s: !ocl.ptr<f32, local>) {        wg.func @k(%s: !ocl.ptr<f32, local>) {
      ... %s ...                             ->     %m = ocl.local_alloc : ...1024 bytes
                                                    %s1 = ocl.cast %m : ... !ocl.ptr<f32, local>
                                                    ... %s1 ...
    ```

    Nobody sees the memory after the group has ended, and its size is known: where all accesses
    are at known places once loops are unrolled, it is in registers and never in memory. The sizes
    are those of the launch; without them the pass does nothing.
    """

    name = "wg-promote-local"

    sizes: tuple[int, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            pointers = [arg for arg in function.args if is_local_pointer(arg.type)]
            if len(pointers) != len(self.sizes):
                continue
            build = Build(function, InsertPoint.at_start(function.body.block))
            for pointer, nbytes in zip(pointers, self.sizes, strict=True):
                if nbytes == 0 or pointer.first_use is None:
                    continue
                memory = build.emit(ocl.LocalAllocOp(ocl.ArrayType(-(-nbytes // _WORD), _WORDS)))
                cast = build.emit(ocl.CastOp(memory, ocl.pointer_type(pointer)))
                pointer.replace_all_uses_with(cast)
                emit_remark(function, self.name, f"'{pointer.name_hint}' has {nbytes} bytes")
