"""`wg-local-atomics`: atomics on memory that only one thread sees are plain loads and stores."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.ocl import AtomicKind
from polycl.lowering.build import Build
from polycl.lowering.ocl.atomic_operations import OPERATIONS


@dataclass(frozen=True)
class WgLocalAtomicsPass(ModulePass):
    """Make atomics on local memory a load, an operation and a store.

    ```
    %old = ocl.atomic_rmw add %p, %v     ->     %old = ocl.load %p
                                                %new = arith.addi %old, %v
                                                ocl.store %new, %p
    ```

    One thread runs all work-items of a group, one after the other or as lanes of vectors, for
    which `wg-vectorize` repeats an atomic lane by lane: nobody else sees the memory in between.
    So the pass must follow `wg-vectorize`, to which loads and stores of different lanes are
    independent. Atomics on other memory stay, except for those that `ocl-own-atomics` marks.
    """

    name = "wg-local-atomics"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for inner in operations_of(function.body, ocl.AtomicRMWOp, ocl.AtomicCmpXchgOp):
                if ocl.is_own_atomic(inner):
                    _rewrite(inner)


def _rewrite(op: ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp) -> None:
    build = Build(op)
    old = build.emit(ocl.LoadOp(op.pointer))
    old.name_hint = op.result.name_hint
    build.emit_void(ocl.StoreOp(_new_value(op, old, build), op.pointer))
    Rewriter.replace_op(op, [], [old])


def _new_value(op: ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp, old: SSAValue, build: Build) -> SSAValue:
    if isinstance(op, ocl.AtomicCmpXchgOp):
        equal = build.emit(arith.CmpiOp(old, op.expected, "eq"))
        return build.emit(arith.SelectOp(equal, op.desired, old))
    if op.kind.data == AtomicKind.XCHG:
        return op.value
    return build.emit(OPERATIONS[op.kind.data](old, op.value))
