"""Atomics and fences."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from polycl.dialects import llvm as llvm_ext
from polycl.dialects import ocl
from polycl.dialects.ocl import AtomicKind
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering

_ORDERING = "monotonic"
"""OpenCL 1.2's atomics order nothing but themselves; fences and barriers do."""

_LLVM_NAMES = {AtomicKind.SMIN: "min", AtomicKind.SMAX: "max"}
"""The names that LLVM writes in another way."""


def _atomic_rmw(op: ocl.AtomicRMWOp, low: FunctionLowering) -> SSAValue:
    kind = _LLVM_NAMES.get(op.kind.data, op.kind.data.value)
    pointer, value = low.value(op.pointer), low.value(op.value)
    scope = low.conventions.scope_of(op.pointer)
    return low.emit(llvm_ext.AtomicRMWOp(kind, pointer, value, _ORDERING, scope))


def _atomic_cmpxchg(op: ocl.AtomicCmpXchgOp, low: FunctionLowering) -> SSAValue:
    pointer, expected, desired = low.values_of([op.pointer, op.expected, op.desired])
    pair = low.emit(
        llvm_ext.CmpXchgOp(
            pointer, expected, desired, _ORDERING, low.conventions.scope_of(op.pointer)
        )
    )
    return low.extract_value(pair, 0, low.type(op.result.type))


def _fence(op: ocl.FenceOp, low: FunctionLowering) -> None:
    """Of local memory alone, it is for the work-group, which no other one can observe."""
    group, device = low.conventions.scopes
    scope = group if op.global_ is None else device
    low.emit_void(llvm_ext.FenceOp(op.order.data.value, scope))


CONVERTERS: dict[type[Operation], Converter] = {
    ocl.AtomicRMWOp: _atomic_rmw,
    ocl.AtomicCmpXchgOp: _atomic_cmpxchg,
    ocl.FenceOp: _fence,
}
