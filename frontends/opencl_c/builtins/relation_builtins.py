"""Comparisons and `select` (OpenCL 1.2, section 6.12.6) and shuffles (6.12.12)."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.frontends.opencl_c.builtins.table import Emit, as_c, operation
from polycl.frontends.opencl_c.conversions import to_bool
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall

_PREDICATES = {
    "isequal": "oeq",
    "isnotequal": "une",
    "isgreater": "ogt",
    "isgreaterequal": "oge",
    "isless": "olt",
    "islessequal": "ole",
    "islessgreater": "one",
    "isordered": "ord",
    "isunordered": "uno",
    "isnan": "uno",
}


def _comparison(predicate: str) -> Emit:
    """A comparison of two arguments, or of one with itself."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        values = [e.emit(argument) for argument in call.arguments]
        return as_c(e, e.compare(arith.CmpfOp, predicate, values[0], values[-1]), call)

    return emit


def _select(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    """`select(a, b, c)`: b where c holds (for vectors: by the highest bits of c)."""
    a, b, c = (e.emit(argument) for argument in call.arguments)
    if isinstance(c.type, VectorType):
        mask = e.lane_mask(c)
    else:
        mask = to_bool(e, c, call.arguments[2].type)
    return e.op(arith.SelectOp, mask, b, a, type=b.type)


TABLE: dict[str, Emit] = {
    name: _comparison(predicate) for name, predicate in _PREDICATES.items()
} | {
    "select": _select,
    "shuffle": operation(ocl.ShuffleOp),
    "shuffle2": operation(ocl.Shuffle2Op),
}
