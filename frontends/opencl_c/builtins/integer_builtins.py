"""Integer functions (OpenCL 1.2, section 6.12.3)."""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.ir import SSAValue

from polycl.frontends.opencl_c.builtins.table import (
    Emit,
    call_named,
    element_type,
    named,
    operands,
    operation,
    signed_named,
)
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall

_BY_SIGN = "abs_diff add_sat sub_sat hadd rhadd mul_hi mul24 mad_hi mad_sat mad24"


def _abs(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    values = operands(e, call)
    if not element_type(call.arguments[0].type).signed:
        return values[0]
    return call_named(e, "s_abs", values)[0]


TABLE: dict[str, Emit] = {name: signed_named(name) for name in _BY_SIGN.split()} | {
    "abs": _abs,
    "clz": operation(math.CountLeadingZerosOp),
    "ctz": operation(math.CountTrailingZerosOp),
    "popcount": operation(math.CtPopOp),
    "rotate": named("rotate"),
    "upsample": named("upsample"),
}
