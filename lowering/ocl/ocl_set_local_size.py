"""`ocl-set-local-size`: specialise kernels for one local size."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.dialects import ocl, wg
from polycl.dialects.ocl import KernelLike
from polycl.errors import error_at
from polycl.lowering.build import Build


@dataclass(frozen=True)
class OclSetLocalSizePass(ModulePass):
    """Fix the local size: `ocl.local_size` becomes a constant and the kernel requires that size.

    With `size=64,1,1`:

    ```
    %n = ocl.local_size 0 : index      ->      %n = arith.constant 64 : index
    ```

    `size` has one to three numbers; missing ones are 1. `kernel` names the kernel to specialise;
    without it, all kernels are specialised.

    Raises:
        PolyclError: located: the kernel's reqd_work_group_size is another size.
    """

    name = "ocl-set-local-size"

    size: tuple[int, ...]
    kernel: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not 1 <= len(self.size) <= 3 or any(n < 1 for n in self.size):
            text = ",".join(map(str, self.size))
            raise PassFailedException(
                f"{self.name}: size must be one to three positive numbers, got '{text}'"
            )
        kernels = [k for k in op.walk() if isinstance(k, KernelLike)]
        if self.kernel is not None:
            names = ", ".join(k.sym_name.data for k in kernels)
            kernels = [k for k in kernels if k.sym_name.data == self.kernel]
            if not kernels:
                raise PassFailedException(
                    f"{self.name}: no kernel '{self.kernel}'; the module has: {names or 'none'}"
                )
        x, y, z = (*self.size, 1, 1)[:3]
        for kernel in kernels:
            _specialise(kernel, (x, y, z))


def _specialise(kernel: KernelLike, size: tuple[int, int, int]) -> None:
    required = kernel.required_size
    if required is not None and required != size:
        raise error_at(
            kernel,
            f"kernel '{kernel.sym_name.data}' requires the local size {_text(required)} "
            f"(reqd_work_group_size), it cannot be specialised for {_text(size)}",
        )
    kernel.reqd_work_group_size = DenseArrayBase.from_list(i64, list(size))
    if isinstance(kernel, wg.FuncOp):
        kernel.set_local_size(size)
    for op in list(kernel.body.walk()):
        if isinstance(op, ocl.LocalSizeOp):
            Rewriter.replace_op(op, [], [Build(op).index(size[op.dimension])])


def _text(size: tuple[int, int, int]) -> str:
    return "x".join(map(str, size))
