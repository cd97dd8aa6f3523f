"""Dot products of bytes (cl_khr_integer_dot_product)."""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.ocl import AddressSpace
from polycl.frontends.opencl_c.builtins import functions
from polycl.frontends.opencl_c.builtins.table import Emit, element_type
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall, Expr
from polycl.frontends.opencl_c.types import Kind

_SIGNS = ("uu", "us", "su", "ss")
"""Of the bytes of both arguments."""


def _dot(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue | None:
    if element_type(call.arguments[0].type).kind is Kind.FLOAT:
        return functions.TABLE["dot"](e, call)
    left, right = ("s" if argument.type.element.signed else "u" for argument in call.arguments[:2])
    return _packed(e, call, signs=left + right)


def _packed(e: ExpressionEmitter, call: BuiltinCall, *, signs: str) -> SSAValue:
    """The sum of the products; a third argument is added, with saturation."""
    kind = "uint" if signs == "uu" else "int"
    factors = [_packed_bytes(e, argument) for argument in call.arguments[:2]]
    result = e.value(ocl.BuiltinOp(f"dot_4x8packed_{signs}_{kind}", factors, [i32]))
    for argument in call.arguments[2:]:
        add = "u_add_sat" if signs == "uu" else "s_add_sat"
        result = e.value(ocl.BuiltinOp(add, [result, e.emit(argument)], [i32]))
    return result


def _packed_bytes(e: ExpressionEmitter, argument: Expr) -> SSAValue:
    """The value as an i32. What was loaded as four bytes is loaded as one number instead, which
    vectorizes."""
    value = e.emit(argument)
    if value.type == i32:
        return value
    load = value.owner
    if isinstance(load, ocl.LoadOp) and _may_be_repeated(e, load):
        number = ocl.PtrType(i32, ocl.space_of(load.pointer))
        return e.value(ocl.LoadOp(e.op(ocl.CastOp, load.pointer, type=number), load.index))
    return e.value(ocl.BitcastOp(value, i32))


def _may_be_repeated(e: ExpressionEmitter, load: ocl.LoadOp) -> bool:
    """Whether nothing was written since the load, which reads memory that stays memory."""
    if load.volatile is not None or ocl.space_of(load.pointer) == AddressSpace.PRIVATE:
        return False
    if load.parent is not e.block:
        return False
    op = load.next_op
    while op is not None and (is_side_effect_free(op) or isinstance(op, ocl.LoadOp)):
        op = op.next_op
    return op is None


TABLE: dict[str, Emit] = {
    "dot": _dot,
    "dot_acc_sat": _dot,
    **{
        f"{name}_4x8packed_{signs}_{'uint' if signs == 'uu' else 'int'}": partial(
            _packed, signs=signs
        )
        for name in ("dot", "dot_acc_sat")
        for signs in _SIGNS
    },
}
