"""The parts of a module: kernels, what each of them calls, and the functions of the host."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, Region
from xdsl.traits import SymbolTable

from polycl.diagnostics import unknown_name
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import KernelLike
from polycl.errors import ArgumentError, LaunchError


def is_host_function(function: FuncOp) -> bool:
    """Whether a function is host code: it has operations or buffers of `host`, or host arrays.

    The core does not import the dialect: it compares names.
    """
    types = (*function.function_type.inputs, *function.function_type.outputs)
    if any(type.name in ("host.buffer", MemRefType.name) for type in types):
        return True
    return any(op.name.startswith(("host.", "memref.")) for op in function.walk())


def host_functions(module: ModuleOp) -> list[FuncOp]:
    """The functions of the host, in order."""
    return [op for op in module.ops if isinstance(op, FuncOp) and is_host_function(op)]


def without_hosts(module: ModuleOp) -> ModuleOp:
    """The module itself, or where it has functions of the host: a copy without them."""
    if not host_functions(module):
        return module
    copy = module.clone()
    for op in host_functions(copy):
        op.detach()
        op.erase(safe_erase=False)
    return copy


def find_kernel(module: ModuleOp, name: str) -> KernelLike:
    """The `ocl.kernel` or `wg.func` of that name.

    Raises:
        ArgumentError: there is none.
        LaunchError: it is another function, or a pass has lowered the kernel below these levels.
    """
    kernels = {op.sym_name.data: op for op in module.ops if isinstance(op, KernelLike)}
    if name in kernels:
        return kernels[name]
    if SymbolTable.lookup_symbol(module, name) is not None:
        raise LaunchError(f"@{name} is no longer a kernel; expected ocl.kernel or wg.func")
    raise ArgumentError(f"{unknown_name('kernel', name, kernels)}; the module has no such kernel")


def only_kernel(module: ModuleOp, name: str) -> ModuleOp:
    """A copy of `module` without its other kernels, pattern programs, and functions that the kernel
    does not call."""
    wanted = find_kernel(module, name)
    called = _called_functions(module, wanted)
    ops = [
        op.clone()
        for op in module.ops
        if op is wanted or (op in called if _is_private(op) else not _is_program(op))
    ]
    return ModuleOp(Region(Block(ops)), attributes=dict(module.attributes))


def _called_functions(module: ModuleOp, kernel: KernelLike) -> set[Operation]:
    """The functions that `kernel` calls, directly or not."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
    found: set[Operation] = set()
    waiting: list[Operation] = [kernel]
    while waiting:
        for op in operations_of(waiting.pop(), CallOp):
            callee = functions.get(op.callee.string_value())
            if callee is not None and callee not in found:
                found.add(callee)
                waiting.append(callee)
    return found


def _is_private(op: Operation) -> bool:
    return (
        isinstance(op, FuncOp)
        and op.sym_visibility is not None
        and op.sym_visibility.data == "private"
    )


def _is_program(op: Operation) -> bool:
    """Whether `op` is an entry point: a kernel, or a function of the host on arrays."""
    if isinstance(op, FuncOp):
        types = (*op.function_type.inputs, *op.function_type.outputs)
        return any(type.name.startswith("pattern.") for type in types)
    return isinstance(op, KernelLike)
