"""Functions that no kernel, and no function of other modules, needs."""

from __future__ import annotations

from typing import TypeGuard

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from polycl.dialects.inside import operations_of


def erase_uncalled(module: ModuleOp) -> None:
    """Erase the private functions that are called from nowhere else."""
    functions = {op.sym_name.data: op for op in module.ops if is_private_function(op)}
    wanted: list[Operation] = [op for op in module.ops if not is_private_function(op)]
    for op in wanted:
        for call in operations_of(op, CallOp):
            callee = functions.pop(call.callee.string_value(), None)
            if callee is not None:
                wanted.append(callee)
    for op in functions.values():
        Rewriter.erase_op(op)


def is_private_function(op: Operation) -> TypeGuard[FuncOp]:
    """Whether only the module itself can call `op`."""
    if not isinstance(op, FuncOp) or op.sym_visibility is None:
        return False
    return op.sym_visibility.data == "private"
