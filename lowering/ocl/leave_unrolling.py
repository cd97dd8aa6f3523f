"""`leave-unrolling`: loops that what makes machine code unrolls better than LLVM."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.passes import ModulePass

from polycl.analysis.ocl.lane_stride import UNKNOWN, Stride
from polycl.analysis.ocl.loop_strides import LoopStrides
from polycl.analysis.ocl.trip_count import trip_count
from polycl.dialects import ocl
from polycl.dialects.inside import operations_in, operations_of
from polycl.dialects.ocl import UNROLL, AddressSpace


@dataclass(frozen=True)
class LeaveUnrollingPass(ModulePass):
    """Leave loops whose steps through memory are known only at run time to the GPU's assembler.

    ```
    scf.for %i = %c0 to %n step %c1 {              scf.for %i = %c0 to %n step %c1 {
      %at = arith.muli %i, %width                    %at = arith.muli %i, %width
      %v = ocl.load %x[%at]                 ->       %v = ocl.load %x[%at]
      ...                                            ...
    }                                              } {ocl.unroll = -1 : i32}
    ```

    Unrolled by LLVM, such a loop has an address of 64 bits for each copy of its body, which all are
    computed before it; an offset that is constant costs nothing. ptxas unrolls the loop then. Loops
    with a constant trip count, with loops in them or with a hint of the program stay.
    """

    name = "leave-unrolling"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_of(op, scf.ForOp):
            if UNROLL not in loop.attributes and _steps_at_run_time(loop):
                loop.attributes[UNROLL] = IntegerAttr(-1, i32)


def _steps_at_run_time(loop: scf.ForOp) -> bool:
    """Whether it has accesses to global memory that move, and all by a number that is not known."""
    inner = [op for op in operations_in(loop) if op is not loop]
    if trip_count(loop) is not None or any(isinstance(op, scf.ForOp | scf.WhileOp) for op in inner):
        return False
    accesses = [op for op in inner if isinstance(op, ocl.LoadOp | ocl.StoreOp) and _is_global(op)]
    if not accesses:
        return False
    strides = LoopStrides(loop)
    moving = [stride for op in accesses if (stride := _stride(op, strides)) != 0]
    return bool(moving) and all(stride is UNKNOWN for stride in moving)


def _stride(op: ocl.LoadOp | ocl.StoreOp, strides: LoopStrides) -> Stride:
    lanes = strides.of(op.pointer)
    return (lanes if op.index is None else lanes + strides.of(op.index)).x


def _is_global(op: ocl.LoadOp | ocl.StoreOp) -> bool:
    return ocl.pointer_type(op.pointer).address_space is AddressSpace.GLOBAL
