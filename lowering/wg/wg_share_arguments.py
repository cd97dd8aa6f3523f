"""`wg-share-arguments`: a struct argument that work-items only read is there once for the group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.argument_memory import argument_in
from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.build import Build
from polycl.remarks import emit_remark


@dataclass(frozen=True)
class WgShareArgumentsPass(ModulePass):
    """Copy a struct argument to memory of the group, where each work-item had a copy of its own.

    ```
    wg.parallel (%x, ...) in (64, 1, 1) {       %s = ocl.alloca : ... "Matrix", private
      %s = ocl.alloca : ... "Matrix", private   ocl.store %argument, %s
      ocl.store %argument, %s              ->   wg.parallel (%x, ...) in (64, 1, 1) {
      %m = ocl.member %s["m"]                     %m = ocl.member %s["m"]
      %v = ocl.load %m[%i]                        %v = ocl.load %m[%i]
    ```

    Of structs with arrays: others are values (`split-structs`). Where the index is the same for all
    work-items, so is what they read, which vectors would gather from the copies of the lanes. The
    argument is all that is ever written to the memory, whose address is used for nothing else.
    """

    name = "wg-share-arguments"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            for memory in operations_of(function.body, ocl.AllocaOp, wg.ContextOp):
                argument = argument_in(_pointers(memory))
                if argument is not None:
                    emit_remark(memory, self.name, "an argument is copied once for the group")
                    _share(function, memory, argument)


def _pointers(memory: ocl.AllocaOp | wg.ContextOp) -> Sequence[SSAValue]:
    """The addresses of a work-item's part of the memory, one in each region."""
    if isinstance(memory, wg.ContextOp):
        slots = [use.operation for use in memory.result.uses]
        pointers = [slot.result for slot in slots if isinstance(slot, wg.SlotOp)]
        return pointers if len(pointers) == len(slots) else []
    return [] if isinstance(memory.parent_op(), wg.FuncOp) else [memory.result]


def _share(function: wg.FuncOp, memory: ocl.AllocaOp | wg.ContextOp, argument: SSAValue) -> None:
    build = Build(memory, InsertPoint.at_start(function.body.block))
    shared = build.emit(ocl.AllocaOp(argument.type))
    build.emit_void(ocl.StoreOp(argument, shared))
    for pointer in _pointers(memory):
        for use in list(pointer.uses):
            op = use.operation
            if isinstance(op, ocl.StoreOp):
                Rewriter.erase_op(op)
            elif isinstance(op, ocl.LoadOp) and op.result.type == argument.type and not op.index:
                # Another copy, which a function was called with: it is shared next.
                Rewriter.replace_op(op, [], [argument])
        pointer.replace_all_uses_with(shared)
    if isinstance(memory, wg.ContextOp):
        for use in list(memory.result.uses):
            Rewriter.erase_op(use.operation)
    else:
        shared.name_hint = memory.result.name_hint
    Rewriter.erase_op(memory)
