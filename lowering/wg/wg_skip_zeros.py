"""`wg-skip-zeros`: atomic additions of zero are left out."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import AtomicKind
from polycl.lowering.build import Build
from polycl.remarks import emit_remark

_KEEP_WITH_ZERO = (AtomicKind.ADD, AtomicKind.SUB, AtomicKind.OR, AtomicKind.XOR)


@dataclass(frozen=True)
class WgSkipZerosPass(ModulePass):
    """Do an atomic operation that changes nothing for zero only for other numbers.

    ```
    %old = ocl.atomic_rmw add %p, %v     ->     %c = arith.cmpi ne, %v, %c0
                                                scf.if %c { ocl.atomic_rmw add %p, %v }
    ```

    A locked addition takes as long as twenty others. The result must be unused: then nobody sees
    whether the memory was written again. Memory of the group is accessed without locks anyway.

    Where few numbers are zero, the branch is for nothing, so that the pass is for kernels of which
    the contrary is known (`polycl port`).
    """

    name = "wg-skip-zeros"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for atomic in operations_of(function.body, ocl.AtomicRMWOp):
                if _may_skip(atomic):
                    emit_remark(atomic, self.name, "left out for zero")
                    _guard(atomic)


def _may_skip(op: ocl.AtomicRMWOp) -> bool:
    return (
        op.kind.data in _KEEP_WITH_ZERO
        and isinstance(op.value.type, IntegerType)
        and op.result.first_use is None
        and not ocl.is_own_atomic(op)
        and constant_value(op.value) is None
    )


def _guard(op: ocl.AtomicRMWOp) -> None:
    build = Build(op)
    is_other = build.compare("ne", op.value, build.constant(0, op.value.type))
    with build.when(is_other):
        op.detach()
        build.emit_void(op)
