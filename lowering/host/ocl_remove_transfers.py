"""`ocl-remove-transfers`: transfers whose data nobody uses, or that is there already."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.liveness import TRANSFERS, Liveness
from polycl.dialects import host
from polycl.dialects.host.launches import is_host_operation
from polycl.errors import PolyclError
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class OclRemoveTransfersPass(ModulePass):
    """Remove transfers and fills that are dead or redundant on the graph of host and kernels.

    ```
    host.fill %d with %zero                        host.write %h to %d
    host.write %h to %d                    ->      host.launch @k (%d, %e)
    host.launch @k (%d, %e)                        host.launch @k (%d, %f)
    host.write %h to %d
    host.launch @k (%d, %f)
    ```

    `ocl-print-liveness` shows why ([ppopencl19], section 3.2.2): nothing uses what the fill
    defines, and `%d` still has the contents of `%h` when it is written again, as the kernel only
    reads it. Only transfers of whole buffers are redundant. One whose event is used stays, and so
    does one of memory that other code may see at any time.
    """

    name = "ocl-remove-transfers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        program = Program(op)
        for function in op.walk():
            if isinstance(function, FuncOp) and any(map(is_host_operation, function.walk())):
                try:
                    self._remove(function, program)
                except PolyclError as error:
                    emit_remark(function, self.name, f"left as it is: {error}")

    def _remove(self, function: FuncOp, program: Program) -> None:
        # Each removal changes what the others do: a transfer before a loop is dead if the loop
        # repeats it, but redundant is the one in the loop, which comes first.
        while True:
            known = Liveness(function, program.kernel)
            candidates = [
                op
                for op in function.walk()
                if isinstance(op, TRANSFERS) and not (op.event is not None and op.event.uses)
            ]
            redundant = next((op for op in candidates if known.is_redundant(op)), None)
            dead = next((op for op in candidates if known.is_dead(op)), None)
            op = redundant or dead
            if op is None:
                return
            if isinstance(redundant, host.WriteOp | host.ReadOp | host.CopyOp):
                names = f"{known.name(redundant.source)} and {known.name(redundant.target)}"
                why = f"{names} are equal before it"
            else:
                why = f"nothing uses {known.name(op.target)} after it"
            emit_remark(op, self.name, f"'{op.name}' is removed: {why}")
            Rewriter.erase_op(op)
