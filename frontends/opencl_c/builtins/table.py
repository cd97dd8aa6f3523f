"""Common parts of the tables of builtins."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall
from polycl.frontends.opencl_c.types import CType, Kind

Emit: TypeAlias = Callable[[ExpressionEmitter, BuiltinCall], SSAValue | None]


def element_type(type: CType) -> CType:
    """The element of a vector type, or the scalar type itself."""
    return type.element if type.kind is Kind.VECTOR else type


def operands(e: ExpressionEmitter, call: BuiltinCall) -> list[SSAValue]:
    """The arguments' values; a scalar beside a vector result becomes a vector.

    `max(float4, float)` and similar functions take a scalar for all lanes (OpenCL 1.2, 6.12.4).
    """
    values = [e.emit(argument) for argument in call.arguments]
    return [spread(e, value, call.type.value) for value in values]


def spread(e: ExpressionEmitter, value: SSAValue, like: Attribute) -> SSAValue:
    """A scalar as a vector of type `like`, if that is a vector of the scalar's type."""
    if isinstance(like, VectorType) and value.type == like.element_type:
        return e.broadcast(value, like)
    return value


def operation(make: Callable[..., Operation]) -> Emit:
    """A builtin that is one operation on all its arguments."""
    return lambda e, call: e.value(make(*operands(e, call)))


def as_c(e: ExpressionEmitter, truth: SSAValue, call: BuiltinCall) -> SSAValue:
    """C's value of a truth: true is 1 for scalars, all bits for vectors."""
    extend = arith.ExtSIOp if isinstance(truth.type, VectorType) else arith.ExtUIOp
    return e.op(extend, truth, type=call.type.value)
