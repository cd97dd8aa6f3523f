"""Atomics and fences."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from polycl.dialects import llvm as llvm_ext
from polycl.dialects import ocl
from polycl.dialects.ocl import AtomicKind
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering
from polycl.lowering.llvm.convert_to_llvm.types_to_llvm import llvm_type

_ORDERING = "monotonic"
"""OpenCL 1.2's atomics order nothing but themselves; fences and barriers do."""

_LLVM_NAMES = {AtomicKind.SMIN: "min", AtomicKind.SMAX: "max"}
"""The names that LLVM writes in another way."""


def _atomic_rmw(op: ocl.AtomicRMWOp, low: FunctionLowering) -> SSAValue:
    kind = _LLVM_NAMES.get(op.kind.data, op.kind.data.value)
    return low.emit(
        llvm_ext.AtomicRMWOp(kind, low.value(op.pointer), low.value(op.value), _ORDERING)
    )


def _atomic_cmpxchg(op: ocl.AtomicCmpXchgOp, low: FunctionLowering) -> SSAValue:
    pointer, expected, desired = low.values_of([op.pointer, op.expected, op.desired])
    pair = low.emit(llvm_ext.CmpXchgOp(pointer, expected, desired, _ORDERING))
    return low.extract_value(pair, 0, llvm_type(op.result.type))


CONVERTERS: dict[type[Operation], Converter] = {
    ocl.AtomicRMWOp: _atomic_rmw,
    ocl.AtomicCmpXchgOp: _atomic_cmpxchg,
    ocl.FenceOp: lambda op, low: low.emit_void(llvm_ext.FenceOp(op.order.data.value)),
}
