"""`ocl-own-atomics`: where one thread runs all work-items, no other sees an atomic change."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of


@dataclass(frozen=True)
class OclOwnAtomicsPass(ModulePass):
    """Mark atomic operations for a launch that runs alone: all its groups on one thread, and no
    other launch beside it (`ArgumentFacts.alone`).

    ```
    ocl.atomic_rmw add %p, %v     ->     ocl.atomic_rmw add %p, %v {ocl.own}
    ```

    Later passes take such an operation for one on the group's local memory: lanes do it one after
    the other, as a load and a store (`wg-local-atomics`).
    """

    name = "ocl-own-atomics"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for atomic in operations_of(op.body, ocl.AtomicRMWOp, ocl.AtomicCmpXchgOp):
            atomic.attributes[ocl.OWN] = UnitAttr()
