"""`ocl-free-groups`: a kernel that sees global ids only runs in groups that the device chooses."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from polycl.dialects import ocl
from polycl.dialects.inside import functions_of
from polycl.lowering.build import Build
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class OclFreeGroupsPass(ModulePass):
    """Kernels require no local size, and do nothing outside of the global size.

    With `guarded=0`:

    ```
    ocl.kernel @k(...) attributes {                ocl.kernel @k(...) {
        reqd_work_group_size = ...                   %i = ocl.global_id 0 : index
    } {                                              %first = ocl.global_offset 0 : index
      A                                              %n = ocl.global_size 0 : index
      ocl.return                             ->      %end = arith.addi %first, %n : index
    }                                                %in = arith.cmpi slt, %i, %end : index
                                                     scf.if %in { A }
                                                     ocl.return
                                                   }
    ```

    `guarded` are the dimensions in which the groups are more than the global size. `size` is the
    local size that was chosen, for the remark. It is for kernels that do the same in groups of any
    size (`lowering/wg/group_shape.py`); their bodies are one block (run lift-cf-to-scf before).
    """

    name = "ocl-free-groups"

    size: tuple[int, ...] = ()
    guarded: tuple[int, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            kernel.reqd_work_group_size = None
            if self.guarded:
                _guard(kernel, self.guarded)
            size = " x ".join(map(str, self.size)) or "any size"
            message = f"runs in groups of {size}, as it does the same in all groups"
            emit_remark(kernel, self.name, message)


def _guard(kernel: ocl.KernelOp, dimensions: tuple[int, ...]) -> None:
    body = kernel.body.block
    *ops, end = body.ops
    # Private memory belongs to the kernel.
    inside = [op for op in ops if not isinstance(op, ocl.AllocaOp)]
    for op in inside:
        op.detach()
    build = Build(kernel, InsertPoint.before(end))
    condition: SSAValue | None = None
    for dimension in dimensions:
        first = build.emit(ocl.GlobalOffsetOp(dimension))
        last = build.add(first, build.emit(ocl.GlobalSizeOp(dimension)))
        one = build.compare("slt", build.emit(ocl.GlobalIdOp(dimension)), last)
        condition = one if condition is None else build.and_(condition, one)
    assert condition is not None
    with build.when(condition):
        build.block.add_ops(inside)
