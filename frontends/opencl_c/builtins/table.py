"""What the tables of builtins are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.builtins import BUILTINS
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall
from polycl.frontends.opencl_c.types import CType, Kind

Emit: TypeAlias = Callable[[ExpressionEmitter, BuiltinCall], SSAValue | None]


def element_type(type: CType) -> CType:
    """The element of a vector type, or the scalar type itself."""
    return type.element if type.kind is Kind.VECTOR else type


def operands(e: ExpressionEmitter, call: BuiltinCall) -> list[SSAValue]:
    """The arguments' values; a scalar beside a vector result becomes a vector.

    `max(float4, float)` and its kin take a scalar for all lanes (OpenCL 1.2, section 6.12.4).
    """
    values = [e.emit(argument) for argument in call.arguments]
    return [spread(e, value, call.type.value) for value in values]


def spread(e: ExpressionEmitter, value: SSAValue, like: Attribute) -> SSAValue:
    """A scalar as a vector like `like`, if that is one of the same element type."""
    if isinstance(like, VectorType) and value.type == like.element_type:
        return e.broadcast(value, like)
    return value


def operation(make: Callable[..., Operation]) -> Emit:
    """A builtin that is one operation on all its arguments."""
    return lambda e, call: e.value(make(*operands(e, call)))


def by_sign(signed: Callable[..., Operation], unsigned: Callable[..., Operation]) -> Emit:
    """A builtin that is one of two operations, by the sign of its first argument."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        is_signed = element_type(call.arguments[0].type).signed
        return e.value((signed if is_signed else unsigned)(*operands(e, call)))

    return emit


def named(function: str) -> Emit:
    """A builtin that is `ocl.builtin` of that name with one result."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        return call_named(e, function, operands(e, call))[0]

    return emit


def signed_named(function: str) -> Emit:
    """As `named`, with `s_` or `u_` in front by the sign of the first argument."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        prefix = "s" if element_type(call.arguments[0].type).signed else "u"
        return call_named(e, f"{prefix}_{function}", operands(e, call))[0]

    return emit


def call_named(e: ExpressionEmitter, function: str, values: Iterable[SSAValue]) -> list[SSAValue]:
    """The results of `ocl.builtin "function"` on the values."""
    values = list(values)
    types = BUILTINS[function].result_types([value.type for value in values])
    return list(e.add(ocl.BuiltinOp(function, values, types)).results)
