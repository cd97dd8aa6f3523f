"""Calls of functions that were not inlined."""

from __future__ import annotations

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from polycl.dialects.inside import operations_of


def callee_of(call: CallOp) -> FuncOp:
    """The function that is called, which the module defines."""
    callee = SymbolTable.lookup_symbol(call, call.callee)
    assert isinstance(callee, FuncOp)
    return callee


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
