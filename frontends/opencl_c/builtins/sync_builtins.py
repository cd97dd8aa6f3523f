"""Barriers, fences, async copies and printf (OpenCL 1.2, 6.12.8 to 6.12.13)."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import UnitAttr, i8
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace, FenceOrder
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builtins.table import Emit
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall, Expr
from polycl.frontends.opencl_c.types import Kind

_LOCAL, _GLOBAL = 1, 2
"""CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE, as the base header has them."""
_CONVERSION = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d*)?(?:v(?:2|3|4|8|16))?(?:hh|hl|h|l)?[a-zA-Z])")


def fenced_spaces(e: ExpressionEmitter, flags: Expr) -> dict[str, bool]:
    """The fenced address spaces: all where the flags are not constant."""
    if not isinstance(flags, tree.Const):
        e.effect(flags)
        return {"local": True, "global_": True}
    value = int(flags.value)
    return {"local": bool(value & _LOCAL), "global_": bool(value & _GLOBAL)}


def _barrier(e: ExpressionEmitter, call: BuiltinCall) -> None:
    spaces = fenced_spaces(e, call.arguments[0])
    properties = {name.removesuffix("_"): UnitAttr() for name, fenced in spaces.items() if fenced}
    e.new(ocl.BarrierOp, properties=properties)


def _fence(order: FenceOrder) -> Emit:
    def emit(e: ExpressionEmitter, call: BuiltinCall) -> None:
        e.add(ocl.FenceOp(order, **fenced_spaces(e, call.arguments[0])))

    return emit


def _async_copy(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    target, source, count, *stride, event = call.arguments
    to, from_, number = e.emit(target), e.emit(source), e.index(count)
    strides = [e.index(value) for value in stride]
    before = e.emit(event)
    return e.value(ocl.AsyncCopyOp(to, from_, number, before, strides[0] if strides else None))


def _wait(e: ExpressionEmitter, call: BuiltinCall) -> None:
    count, events = call.arguments
    e.add(ocl.WaitEventsOp(e.index(count), e.emit(events)))


def _printf(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    first, *rest = call.arguments
    format = _string(first)
    if format is None:
        raise UnsupportedError("printf needs a string literal as its format", *first.location)
    values: list[SSAValue] = []
    remaining = iter(rest)

    def convert(match: re.Match[str]) -> str:
        conversion = match[0]
        if conversion == "%%":
            return conversion
        argument = next(remaining, None)
        if argument is None:
            raise UnsupportedError(f"printf has no argument for '{conversion}'", *first.location)
        text = _string(argument) if conversion.endswith("s") else None
        if text is not None:
            return (conversion % text).replace("%", "%%")
        if conversion.endswith("s") and not _is_text(argument):
            raise UnsupportedError(
                "%s takes a string literal or a pointer to constant char", *argument.location
            )
        values.append(e.emit(argument))
        return conversion

    format = _CONVERSION.sub(convert, format)
    for argument in remaining:
        e.effect(argument)
    return e.value(ocl.PrintfOp(format, values))


def _string(argument: Expr) -> str | None:
    """The string literal that the argument is the address of."""
    while isinstance(argument, tree.Cast):
        argument = argument.operand
    if isinstance(argument, tree.AddressOf) and isinstance(argument.place, tree.String):
        return argument.place.text.partition("\0")[0]
    return None


def _is_text(argument: Expr) -> bool:
    """Whether the argument points to characters in constant memory."""
    type = argument.type
    return (
        type.kind is Kind.POINTER
        and type.space is AddressSpace.CONSTANT
        and type.element.memory == i8
    )


TABLE: dict[str, Emit] = {
    "barrier": _barrier,
    "work_group_barrier": _barrier,
    "mem_fence": _fence(FenceOrder.ACQ_REL),
    "read_mem_fence": _fence(FenceOrder.ACQUIRE),
    "write_mem_fence": _fence(FenceOrder.RELEASE),
    "async_work_group_copy": _async_copy,
    "async_work_group_strided_copy": _async_copy,
    "wait_group_events": _wait,
    "printf": _printf,
}
