"""The address space of a generic pointer (OpenCL 2.0, section 6.13.9)."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace
from polycl.frontends.opencl_c.builtins.table import Emit
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall
from polycl.frontends.opencl_c.types import pointer_type

_FENCES = {AddressSpace.LOCAL: 1, AddressSpace.GLOBAL: 2}
"""CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE; private memory has none."""


def _pointer_in(space: AddressSpace) -> Emit:
    """`to_global(p)`: p, or null if it points into another space."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        pointer = e.emit(call.arguments[0])
        target = pointer_type(ocl.pointee_of(pointer), space)
        generic = pointer_type(ocl.pointee_of(pointer), AddressSpace.GENERIC)
        known = ocl.space_of(pointer)
        null = e.value(ocl.NullOp(target))
        if known is space:
            result = pointer
        elif known is AddressSpace.GENERIC:
            is_in = e.value(ocl.IsInOp(pointer, space))
            cast = e.op(ocl.CastOp, pointer, type=target)
            result = e.op(arith.SelectOp, is_in, cast, null, type=target)
        else:
            result = null
        assert isinstance(call.type.value, ocl.PtrType)
        if call.type.space is AddressSpace.GENERIC:
            result = e.op(ocl.CastOp, result, type=generic)
        same = result.type == call.type.value
        return result if same else e.op(ocl.CastOp, result, type=call.type.value)

    return emit


def _fence(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    pointer = e.emit(call.arguments[0])
    known = ocl.space_of(pointer)
    if known is not AddressSpace.GENERIC:
        return e.constant(_FENCES.get(known, 0), i32)
    fence = e.constant(0, i32)
    for space, flag in _FENCES.items():
        is_in = e.value(ocl.IsInOp(pointer, space))
        fence = e.op(arith.SelectOp, is_in, e.constant(flag, i32), fence, type=i32)
    return fence


TABLE: dict[str, Emit] = {
    f"to_{space.value}": _pointer_in(space)
    for space in (AddressSpace.GLOBAL, AddressSpace.LOCAL, AddressSpace.PRIVATE)
} | {"get_fence": _fence}
