"""The pass `ocl-expand-pipes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, i8, i32, i64
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl
from polycl.lowering.build import Build
from polycl.lowering.ocl.function_library import Library, library

PREFIX = "pipe."
"""The prefix of the functions of pipe_functions.mlir, which no function of C has."""
_MEMORY = ocl.PtrType(i8, ocl.AddressSpace.GLOBAL)


@dataclass(frozen=True)
class OclExpandPipesPass(ModulePass):
    """Replace pipes by pointers to their headers, and operations on them by function calls.

    ```
    %r = ocl.pipe_reserve %p, %n : !ocl.pipe<read>
    ```

    becomes `%r = func.call @pipe.reserve_read(%p, %n)`, where %p is a pointer. The functions
    (pipe_functions.cl) never wait for another work-item. Only called ones are added to the module.
    """

    name = "ocl-expand-pipes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_pipes(op)


def expand_pipes(module: ModuleOp) -> None:
    """Expand all pipes of the module in place."""
    needed: list[str] = []
    for function in module.ops:
        if isinstance(function, ocl.KernelLike | FuncOp) and _has_pipes(function):
            _expand_function(function, needed)
    if needed:
        _functions().add_to(module, dict.fromkeys(needed))


def _functions() -> Library:
    return library(Path(__file__).with_name("pipe_functions.mlir"), PREFIX)


def _has_pipes(function: ocl.KernelLike | FuncOp) -> bool:
    return any(isinstance(type, ocl.PipeType) for type in function.function_type.inputs)


def _expand_function(function: ocl.KernelLike | FuncOp, needed: list[str]) -> None:
    for op in list(function.body.walk()):
        values = _replacement(op, needed)
        if values is not None:
            Rewriter.replace_op(op, [], values)
    # Last: the replacement of an operation depends on the access of its pipe.
    old = function.function_type
    inputs = [_MEMORY if isinstance(type, ocl.PipeType) else type for type in old.inputs]
    function.properties["function_type"] = FunctionType.from_lists(inputs, list(old.outputs))
    for argument in function.body.block.args:
        if isinstance(argument.type, ocl.PipeType):
            Rewriter.replace_value_with_new_type(argument, _MEMORY)


def _replacement(op: Operation, needed: list[str]) -> Sequence[SSAValue] | None:
    """The results of the operations that replace `op`; None if it stays."""
    match op:
        case ocl.PipeReserveOp():
            return _call(op, f"reserve_{_access(op.pipe)}", needed, i64)
        case ocl.PipeCommitOp():
            return _call(op, f"commit_{_access(op.pipe)}", needed)
        case ocl.PipeQueryOp():
            return _call(op, op.field.data.value, needed, i32)
        case ocl.PipePacketOp():
            (address,) = _call(op, "packet", needed, _MEMORY)
            return [Build(op).emit(ocl.CastOp(address, op.result.type))]
        case _:
            return None


def _access(pipe: SSAValue) -> str:
    assert isinstance(pipe.type, ocl.PipeType)
    return pipe.type.access.value


def _call(op: Operation, name: str, needed: list[str], *results: Attribute) -> Sequence[SSAValue]:
    needed.append(PREFIX + name)
    call = CallOp(PREFIX + name, op.operands, results)
    Build(op).emit_void(call)
    return call.results
