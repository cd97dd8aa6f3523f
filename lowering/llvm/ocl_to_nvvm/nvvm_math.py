"""Divisions and roots by the GPU's approximations, which are within OpenCL's limits."""

from __future__ import annotations

from collections.abc import Callable
from math import frexp

from xdsl.dialects import arith, llvm, math
from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.ir import Operation, SSAValue

from polycl.dialects.ocl import NO_CONTRACT
from polycl.dialects.vec import element_of
from polycl.lowering.llvm.convert_to_llvm import CONVERTERS as EXACT
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import (
    Converter,
    FunctionLowering,
    Results,
)


def _estimates(op: Operation, low: FunctionLowering) -> bool:
    """Whether the result may be inexact. Formulas of `expand-math` count on exact operations."""
    is_float = element_of(op.results[0].type) == f32
    return low.conventions.estimate and is_float and NO_CONTRACT not in op.attributes


def _divide(op: arith.DivfOp, low: FunctionLowering) -> Results:
    """Within 2 ULP (OpenCL: 2.5); 1 / sqrt(x) at once. A division by a power of two is a product,
    and exact."""
    if not _estimates(op, low) or _is_power_of_two(op.rhs):
        return EXACT[arith.DivfOp](op, low)
    root = op.rhs.owner
    if _constant(op.lhs) == 1.0 and isinstance(root, math.SqrtOp) and _estimates(root, low):
        return _each(low, "rsqrt.approx.f", low.value(root.operand))
    return _each(low, "div.full", low.value(op.lhs), low.value(op.rhs))


def _root(name: str) -> Callable[[math.SqrtOp | math.RsqrtOp, FunctionLowering], Results]:
    def convert(op: math.SqrtOp | math.RsqrtOp, low: FunctionLowering) -> Results:
        if not _estimates(op, low):
            return EXACT[type(op)](op, low)
        return _each(low, name, low.value(op.operand))

    return convert


def _each(low: FunctionLowering, name: str, *args: SSAValue) -> SSAValue:
    def call(*scalars: SSAValue) -> SSAValue:
        return low.intrinsic_named(f"llvm.nvvm.{name}", scalars, scalars[0].type)

    return low.each_element(call, args, args[0].type)


def _constant(value: SSAValue) -> float | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, FloatAttr):
        return owner.value.value.data
    return None


def _is_power_of_two(value: SSAValue) -> bool:
    number = _constant(value)
    return number is not None and abs(frexp(number)[0]) == 0.5


def _intrinsic(op: llvm.CallIntrinsicOp, low: FunctionLowering) -> Results:
    """What an earlier pass has chosen."""
    (result,) = op.results
    return low.intrinsic_named(op.intrin.data, low.values_of(op.args), result.type)


CONVERTERS: dict[type[Operation], Converter] = {
    arith.DivfOp: _divide,
    math.SqrtOp: _root("sqrt.approx.f"),
    math.RsqrtOp: _root("rsqrt.approx.f"),
    llvm.CallIntrinsicOp: _intrinsic,
}
