"""`ocl-any-local-size`: code for one local size becomes code for any."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.dialects import ocl
from polycl.dialects.inside import functions_of
from polycl.dialects.ocl.collectives import Collective
from polycl.errors import error_at


@dataclass(frozen=True)
class OclAnyLocalSizePass(ModulePass):
    """Kernels do not require a local size, so that their code reads it at the launch.

    ```
    ocl.kernel @k(...) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
                                              ->
    ocl.kernel @k(...) {
    ```

    The launch still checks the size. It is the opposite of `ocl-set-local-size`.

    Raises:
        PolyclError: located: a function of work-groups or sub-groups, whose rows of work-items
            need a constant local size.
    """

    name = "ocl-any-local-size"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            kernel.reqd_work_group_size = None
            for inner in kernel.body.walk():
                if isinstance(inner, Collective | ocl.SubGroupOp):
                    raise error_at(
                        inner,
                        f"'{inner.name}' needs a constant local size; run ocl-set-local-size "
                        "instead of ocl-any-local-size",
                    )
