"""`wg-drop-volatile`: local memory that work-items exchange at barriers only is not volatile."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polycl.analysis.ocl.addresses import is_parameter, root_of
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_in, operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.parents import is_in_loop
from polycl.remarks import emit_remark

_ADDRESSES = (ocl.OffsetOp, ocl.CastOp, ocl.MemberOp)


@dataclass(frozen=True)
class WgDropVolatilePass(ModulePass):
    """Make volatile accesses to local memory plain ones, where no work-item can see what another
    one stores in the same region.

    ```
    wg.parallel (%x, ...) in (128, 1, 1) {                wg.parallel (%x, ...) in (128, 1, 1) {
      %a = ocl.load volatile %t[%x]                         %a = ocl.load %t[%x]
      %b = ocl.load volatile %t[%x + 128]             ->    %b = ocl.load %t[%x + 128]
      ocl.store volatile %a + %b, %t[%x]                    ocl.store %a + %b, %t[%x]
    }                                                     }
    ```

    Only the work-items of the group see local memory, and what they exchange at a barrier is there
    without `volatile`, which programs for GPUs write for work-items that take their steps together.
    Where a region reads an array after it has stored to it, or stores to it several times or in a
    loop, the program may count on that: its accesses stay volatile, and so does all in regions with
    atomics, calls, or pointers whose array is not known.
    """

    name = "wg-drop-volatile"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for region in operations_of(function.body, wg.ParallelOp):
                _drop(region)


def _drop(region: wg.ParallelOp) -> None:
    accesses: dict[SSAValue, list[ocl.LoadOp | ocl.StoreOp]] = {}
    for op in operations_in(region.body):
        if not any(map(_may_be_local, op.operands)) or isinstance(op, _ADDRESSES):
            continue
        is_access = isinstance(op, ocl.LoadOp | ocl.StoreOp)
        if not is_access or (isinstance(op, ocl.StoreOp) and _may_be_local(op.value)):
            return
        root = root_of(op.pointer)
        if not isinstance(root.owner, ocl.LocalAllocOp) and not is_parameter(root):
            return
        accesses.setdefault(root, []).append(op)
    for ops in accesses.values():
        volatile = [op for op in ops if op.volatile is not None]
        if volatile and not _exchanges(ops, region):
            emit_remark(volatile[0], WgDropVolatilePass.name, "not volatile: seen after a barrier")
            for op in volatile:
                op.volatile = None


def _may_be_local(value: SSAValue) -> bool:
    is_pointer = isinstance(value.type, ocl.PtrType)
    return is_pointer and ocl.space_of(value) in (AddressSpace.LOCAL, AddressSpace.GENERIC)


def _exchanges(ops: list[ocl.LoadOp | ocl.StoreOp], region: wg.ParallelOp) -> bool:
    """Whether a work-item may read in a region what another one stores there."""
    stores = [op for op in ops if isinstance(op, ocl.StoreOp)]
    if not stores or len(stores) == len(ops):
        return False
    return len(stores) > 1 or ops[-1] is not stores[0] or is_in_loop(stores[0], region)
