"""The memory of a debug build that only debuggers read."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.debug import VARIABLE


def erase_variables(module: ModuleOp) -> None:
    """Erase the memory, and what is written to it, for a device without debuggers."""
    for op in module.ops:
        for region in op.regions:
            for alloca in operations_of(region, ocl.AllocaOp):
                if VARIABLE in alloca.attributes:
                    _erase(alloca)


def _erase(op: Operation) -> None:
    """Erase an operation with all that uses its results: stores, and casts before stores."""
    for result in op.results:
        for use in list(result.uses):
            _erase(use.operation)
    Rewriter.erase_op(op)
