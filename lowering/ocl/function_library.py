"""Functions in C that passes call: read as IR, and copied into the modules that need them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, math, scf, ub, vector
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.dialects import ocl, vec
from polycl.dialects.inside import operations_of


@cache
def library(path: Path, prefix: str) -> Library:
    """The functions of a file of IR, by name with the prefix `prefix`, which no function of C has.

    `ocl-opt` writes the file from the `.cl` file next to it.
    """
    text = path.read_text(encoding="utf-8")
    return Library(prefix, {match[2]: match[0] for match in _FUNCTION.finditer(text)})


_FUNCTION = re.compile(r"^(  )func\.func private @(\w+)\(.*?^  }$", re.M | re.S)


class Library:
    """Functions as text; only needed ones are parsed."""

    def __init__(self, prefix: str, texts: dict[str, str]):
        self._prefix = prefix
        self._texts = texts
        self._parsed: dict[str, FuncOp] = {}
        self.context = Context()
        """A context with the dialects of the functions."""
        for dialect in (
            *(builtin.Builtin, arith.Arith, func.Func, math.Math, scf.Scf, ub.UB, vector.Vector),
            *(ocl.OCL, vec.VEC),
        ):
            self.context.load_dialect(dialect)

    def add_to(self, module: ModuleOp, needed: Iterable[str]) -> None:
        """Copy the functions and their callees to the beginning of the module, in their order.

        `needed` are names with the prefix.
        """
        wanted = list(needed)
        for name in wanted:
            calls = (op for op in self._function(name).walk() if isinstance(op, CallOp))
            wanted += {call.callee.string_value() for call in calls} - set(wanted)
        present = {op.sym_name.data for op in module.ops if isinstance(op, FuncOp)}
        names = [self._prefix + name for name in self._texts]
        copies = [self._function(n).clone() for n in names if n in set(wanted) - present]
        first = module.body.block.first_op
        point = InsertPoint.before(first) if first else InsertPoint.at_end(module.body.block)
        Rewriter.insert_op(copies, point)

    def _function(self, name: str) -> FuncOp:
        if name not in self._parsed:
            text = self._texts[name.removeprefix(self._prefix)]
            (function,) = Parser(self.context, text).parse_module().ops
            assert isinstance(function, FuncOp)
            function.detach()
            for op in operations_of(function, CallOp):
                op.callee = builtin.SymbolRefAttr(self._prefix + op.callee.string_value())
            function.sym_name = builtin.StringAttr(name)
            self._parsed[name] = function
        return self._parsed[name]
