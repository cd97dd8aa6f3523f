"""`convert_<type>[_sat][_<rounding>]` (OpenCL 1.2, section 6.2.3)."""

from __future__ import annotations

from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import Rounding
from polycl.frontends.opencl_c.builtins.table import Emit, element_type
from polycl.frontends.opencl_c.conversions import convert_numbers
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall
from polycl.frontends.opencl_c.types import Kind

_TYPES = "char uchar short ushort int uint long ulong half float double".split()
_ROUNDINGS: dict[str, Rounding | None] = {"": None} | {f"_{r.value}": r for r in Rounding}


def _convert(saturate: bool, rounding: Rounding | None) -> Emit:
    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        value = e.emit(call.arguments[0])
        source = element_type(call.arguments[0].type)
        target = element_type(call.type)
        integers = source.kind is not Kind.FLOAT and target.kind is not Kind.FLOAT
        same = source.value == target.value and source.signed == target.signed
        # The rounding of C: none between integers or to a wider float, toward zero to integers,
        # to nearest even to floats.
        default = Rounding.RTE if target.kind is Kind.FLOAT else Rounding.RTZ
        widens = source.kind is target.kind is Kind.FLOAT and target.width >= source.width
        is_plain = integers or widens or rounding in (None, default)
        if same or (is_plain and not saturate):
            return convert_numbers(e, value, source, target)
        return e.value(
            ocl.ConvertOp(
                value,
                call.type.value,
                rounding=None if integers else rounding,
                saturate=saturate,
                from_unsigned=source.kind is Kind.INT and not source.signed,
                to_unsigned=target.kind is Kind.INT and not target.signed,
            )
        )

    return emit


TABLE: dict[str, Emit] = {
    f"convert_{name}{count}{'_sat' * saturate}{suffix}": _convert(saturate, rounding)
    for name in _TYPES
    for count in ("", 2, 3, 4, 8, 16)
    for saturate in (False, True)
    for suffix, rounding in _ROUNDINGS.items()
}
