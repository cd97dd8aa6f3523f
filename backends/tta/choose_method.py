"""`wg_method="auto"`: chooses the work-group method from the kernel."""

from __future__ import annotations

from math import prod

from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import ModuleOp

from polycl.analysis.ocl.uniformity import Uniformity
from polycl.backends.cpu.compile import find_kernel
from polycl.backends.tta.pipeline import WgMethod
from polycl.lowering.ocl.ocl_to_wg import in_lock_step
from polycl.remarks import emit_remark

MOST_ITEMS = 64
MOST_OPERATIONS = 8192
"""The most operations of all work-items together: more take too long to schedule."""

_APART = (scf.IfOp, scf.WhileOp, cf.BranchOp, cf.ConditionalBranchOp, cf.SwitchOp, func.CallOp)
"""Operations that need jumps for each work-item."""


def choose_method(module: ModuleOp, name: str, local_size: tuple[int, ...]) -> WgMethod:
    """`replicate` if that gives straight-line code of a size that can be scheduled, else `loops`;
    a remark has the reason."""
    kernel = find_kernel(module, name)
    reason = _against_copies(module, name, prod(local_size))
    method: WgMethod = "loops" if reason else "replicate"
    why = reason or f"{prod(local_size)} work-items execute the same operations"
    emit_remark(kernel, "tta", f"method {method}: {why}")
    return method


def _against_copies(module: ModuleOp, name: str, items: int) -> str | None:
    kernel = find_kernel(module, name)
    if items > MOST_ITEMS:
        return f"{items} work-items are too many to replicate, {MOST_ITEMS} are the most"
    operations = list(kernel.body.walk())
    for op in operations:
        if isinstance(op, _APART):
            return f"each work-item has its own '{op.name}'"
    if len(operations) * items > MOST_OPERATIONS:
        return f"{len(operations)} operations of {items} work-items are too many"
    facts = Uniformity(kernel)
    if not all(in_lock_step(op, facts) for op in operations if isinstance(op, scf.ForOp)):
        return "the trip counts of its loops may differ between work-items"
    return None
