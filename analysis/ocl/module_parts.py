"""The two parts of a module: kernels with what they call, and the functions of the host."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp


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
