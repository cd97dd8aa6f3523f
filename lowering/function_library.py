"""Functions in C that passes call: read as IR, and copied into the modules that need them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, math, scf, ub, vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl


@cache
def library(filename: str, prefix: str) -> dict[str, FuncOp]:
    """The functions of a file of IR in this folder, by their names with `prefix` in front, which
    no function of C has. `ocl-opt` writes the file from the `.cl` file next to it."""
    context = Context()
    for dialect in (
        *(builtin.Builtin, arith.Arith, func.Func, math.Math, scf.Scf, ub.UB, vector.Vector),
        ocl.OCL,
    ):
        context.load_dialect(dialect)
    path = Path(__file__).with_name(filename)
    module = Parser(context, path.read_text(encoding="utf-8"), path.name).parse_module()
    found: dict[str, FuncOp] = {}
    for function in module.walk():
        if isinstance(function, CallOp):
            function.callee = builtin.SymbolRefAttr(prefix + function.callee.string_value())
        elif isinstance(function, FuncOp):
            function.sym_name = builtin.StringAttr(prefix + function.sym_name.data)
            found[function.sym_name.data] = function
    return found


def add_functions(module: ModuleOp, functions: dict[str, FuncOp], needed: Iterable[str]) -> None:
    """Copy the functions and those that they call, in their order, to the module's beginning."""
    wanted = set(needed)
    for name in reversed(functions):
        if name in wanted:
            for op in functions[name].walk():
                if isinstance(op, CallOp):
                    wanted.add(op.callee.string_value())
    present = {op.sym_name.data for op in module.ops if isinstance(op, FuncOp)}
    copies = [f.clone() for name, f in functions.items() if name in wanted - present]
    first = module.body.block.first_op
    point = InsertPoint.before(first) if first else InsertPoint.at_end(module.body.block)
    Rewriter.insert_op(copies, point)
