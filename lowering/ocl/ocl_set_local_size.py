"""`ocl-set-local-size`: specialise kernels for one local size."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.analysis.ocl.evaluate import evaluate
from polycl.analysis.ocl.numbers import Numbers
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import KernelLike
from polycl.dialects.ocl.kernel import ENQUEUED_LOCAL_SIZE, NON_UNIFORM
from polycl.errors import error_at
from polycl.lowering.build import Build

Size3 = tuple[int, int, int]


@dataclass(frozen=True)
class OclSetLocalSizePass(ModulePass):
    """Fix the local size: `ocl.local_size` becomes a constant and the kernel requires that size.

    With `size=64,1,1`:

    ```
    %n = ocl.local_size 0 : index      ->      %n = arith.constant 64 : index
    ```

    So does what is computed from it and other constants, as `get_local_size(0) / 2`.

    `size` has one to three numbers; missing ones are 1. `kernel` names the kernel to specialise;
    without it, all kernels are specialised. `enqueued` is the local size given at the launch, for
    code of the smaller groups of a non-uniform launch; by default it is `size`.

    Raises:
        PolyclError: located: the kernel's reqd_work_group_size is another size than the one given
            at the launch, or the groups of all its launches have one size.
    """

    name = "ocl-set-local-size"

    size: tuple[int, ...]
    kernel: str | None = None
    enqueued: tuple[int, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        size = self._three("size", self.size)
        enqueued = self._three("enqueued", self.enqueued or self.size)
        kernels = functions_of(op, KernelLike)
        if self.kernel is not None:
            names = ", ".join(k.sym_name.data for k in kernels)
            kernels = [k for k in kernels if k.sym_name.data == self.kernel]
            if not kernels:
                raise PassFailedException(
                    f"{self.name}: no kernel '{self.kernel}'; the module has: {names or 'none'}"
                )
        for kernel in kernels:
            _specialise(kernel, size, enqueued)

    def _three(self, option: str, size: tuple[int, ...]) -> Size3:
        if not 1 <= len(size) <= 3 or any(n < 1 for n in size):
            text = ",".join(map(str, size))
            raise PassFailedException(
                f"{self.name}: {option} must be one to three positive numbers, got '{text}'"
            )
        x, y, z = (*size, 1, 1)[:3]
        return x, y, z


def _specialise(kernel: KernelLike, size: Size3, enqueued: Size3) -> None:
    required = kernel.required_size
    if required is not None and required != enqueued:
        raise error_at(
            kernel,
            f"kernel '{kernel.sym_name.data}' requires the local size {_text(required)} "
            f"(reqd_work_group_size), it cannot be specialised for {_text(enqueued)}",
        )
    if NON_UNIFORM not in kernel.attributes and size != enqueued:
        raise error_at(
            kernel,
            f"kernel '{kernel.sym_name.data}' has groups of one size only; expected the "
            f"attribute {NON_UNIFORM} for groups of {_text(size)} in a launch of "
            f"{_text(enqueued)}",
        )
    if NON_UNIFORM in kernel.attributes:
        kernel.attributes[ENQUEUED_LOCAL_SIZE] = DenseArrayBase.from_list(i64, list(enqueued))
    kernel.reqd_work_group_size = DenseArrayBase.from_list(i64, list(size))
    if isinstance(kernel, wg.FuncOp):
        kernel.set_local_size(size)
    for op in operations_of(kernel.body, ocl.LocalSizeOp, ocl.EnqueuedLocalSizeOp):
        sizes = size if isinstance(op, ocl.LocalSizeOp) else enqueued
        number = Build(op).index(sizes[op.dimension])
        Rewriter.replace_op(op, [], [number])
        _fold_users(number)


def _fold_users(number: SSAValue) -> None:
    """Make constants of what is computed from a number and other ones."""
    todo = [number]
    while todo:
        for op in {use.operation: None for use in todo.pop().uses}:
            if type(op) in Numbers.rules and len(op.results) == 1:
                [result] = op.results
                if (value := evaluate(result, Numbers())) is not None:
                    constant = Build(op).constant(value, result.type)
                    Rewriter.replace_op(op, [], [constant])
                    todo.append(constant)


def _text(size: Size3) -> str:
    return "x".join(map(str, size))
