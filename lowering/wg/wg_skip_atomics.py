"""`wg-skip-atomics`: atomics that would change nothing are loads."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import AtomicKind
from polycl.lowering.build import Build
from polycl.lowering.ocl.atomic_operations import OPERATIONS
from polycl.lowering.ocl.moving import execute_if
from polycl.remarks import emit_remark

_OFTEN_WITHOUT_CHANGE = (
    AtomicKind.AND,
    AtomicKind.OR,
    AtomicKind.SMIN,
    AtomicKind.SMAX,
    AtomicKind.UMIN,
    AtomicKind.UMAX,
    AtomicKind.XCHG,
)
"""A second one with the same operand changes nothing."""


@dataclass(frozen=True)
class WgSkipAtomicsPass(ModulePass):
    """Read memory before an atomic operation, which is done only where it changes something.

    ```
    %old = ocl.atomic_rmw smin %p, %v     ->     %seen = ocl.load volatile %p
                                                 %new = arith.minsi %seen, %v
                                                 %changes = arith.cmpi ne, %new, %seen
                                                 %old = scf.if %changes {
                                                   ocl.atomic_rmw smin %p, %v
                                                 } else { %seen }
    ```

    A lock waits for all loads and stores before it, and those after it wait for the lock: cache
    misses follow each other. A search through a graph lowers the distance of a node once, and
    finds it low enough for all other edges. Where each operation changes memory, the load and
    a branch that goes the same way each time cost a tenth of the lock.

    An atomic operation that writes what it reads is like an atomic load as long as it orders no
    other accesses: a module with fences keeps its atomics. A load of a word is atomic; it is
    volatile, so that it happens once.

    Where no other thread sees the memory there is no lock, and nothing to gain: a branch that data
    decide takes longer than a store.
    """

    name = "wg-skip-atomics"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if operations_of(op, ocl.FenceOp):
            return
        for function in functions_of(op, wg.FuncOp):
            for atomic in operations_of(function.body, ocl.AtomicRMWOp):
                if _may_skip(atomic):
                    emit_remark(atomic, self.name, "done only where it changes memory")
                    _guard(atomic)


def _may_skip(op: ocl.AtomicRMWOp) -> bool:
    return (
        op.kind.data in _OFTEN_WITHOUT_CHANGE
        and isinstance(op.value.type, IntegerType)
        and not ocl.is_own_atomic(op)
    )


def _guard(op: ocl.AtomicRMWOp) -> None:
    build = Build(op)
    seen = build.emit(ocl.LoadOp(op.pointer, volatile=True))
    seen.name_hint = "seen"
    changes = build.emit(arith.CmpiOp(_new_value(op, seen, build), seen, "ne"))
    execute_if(op, changes, lambda _: [seen])


def _new_value(op: ocl.AtomicRMWOp, seen: SSAValue, build: Build) -> SSAValue:
    if op.kind.data == AtomicKind.XCHG:
        return op.value
    return build.emit(OPERATIONS[op.kind.data](seen, op.value))
