"""Calls of functions that were not inlined."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation

from polycl.dialects.inside import functions_of, operations_of


def callee_of(call: CallOp) -> FuncOp:
    """The function that is called, which the module defines."""
    # xDSL's lookup asks each operation of the module for its traits, which takes long in passes
    # that ask for each call several times.
    module: Operation | None = call.parent_op()
    while not isinstance(module, ModuleOp):
        assert module is not None
        module = module.parent_op()
    name = call.callee.root_reference
    return next(f for f in functions_of(module, FuncOp) if f.properties["sym_name"] == name)


def called_functions(op: Operation) -> list[FuncOp]:
    """The functions that `op` calls, and those that they call, each once."""
    found: dict[str, FuncOp] = {}
    waiting = [op]
    while waiting:
        for inner in operations_of(waiting.pop(), CallOp):
            name = inner.callee.string_value()
            if name not in found:
                found[name] = callee_of(inner)
                waiting.append(found[name])
    return list(found.values())
