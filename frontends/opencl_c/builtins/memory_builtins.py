"""Vector loads and stores (OpenCL 1.2, section 6.12.7), and prefetch (6.12.10)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType, f16
from xdsl.ir import Attribute, SSAValue

from polycl.dialects import ocl
from polycl.frontends.opencl_c.builder import with_element
from polycl.frontends.opencl_c.builtins.table import Emit
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall, Expr

_WIDTHS = ("2", "3", "4", "8", "16")
_ROUNDINGS = {f"_{rounding.value}": rounding for rounding in ocl.Rounding}


def _address(
    e: ExpressionEmitter, arguments: Sequence[Expr], pointee: Attribute | None = None
) -> tuple[SSAValue, SSAValue]:
    """The pointer, cast to `pointee`, and the offset as index, from (offset, pointer)."""
    offset, pointer = arguments
    index = e.index(offset)
    address = e.emit(pointer)
    if pointee is not None:
        address = e.op(ocl.CastOp, address, type=ocl.PtrType(pointee, ocl.space_of(address)))
    return address, index


def _vload(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    pointer, index = _address(e, call.arguments)
    assert isinstance(call.type.value, VectorType)
    return e.value(ocl.VLoadOp(pointer, index, call.type.value))


def _vstore(e: ExpressionEmitter, call: BuiltinCall) -> None:
    value = e.emit(call.arguments[0])
    pointer, index = _address(e, call.arguments[1:])
    e.add(ocl.VStoreOp(value, pointer, index))


def _vload_half(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    halves = with_element(f16, call.type.value)
    pointer, index = _address(e, call.arguments)
    if isinstance(halves, VectorType):
        loaded = e.value(ocl.VLoadOp(pointer, index, halves))
    else:
        loaded = e.load_from(pointer, index)
    return e.op(arith.ExtFOp, loaded, type=call.type.value)


def _vloada_half(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    """Aligned as the vector: three halves have the size of four."""
    pointer, index = _address(e, call.arguments, with_element(f16, call.type.value))
    return e.op(arith.ExtFOp, e.load_from(pointer, index), type=call.type.value)


def _vstore_half(rounding: ocl.Rounding | None, aligned: bool) -> Emit:
    def emit(e: ExpressionEmitter, call: BuiltinCall) -> None:
        value = e.emit(call.arguments[0])
        halves = with_element(f16, value.type)
        if rounding is None:
            value = e.op(arith.TruncFOp, value, type=halves)
        else:
            value = e.value(ocl.ConvertOp(value, halves, rounding=rounding))
        if aligned:
            pointer, index = _address(e, call.arguments[1:], halves)
            e.store_to(value, pointer, index)
            return
        pointer, index = _address(e, call.arguments[1:])
        store = ocl.VStoreOp if isinstance(halves, VectorType) else ocl.StoreOp
        e.add(store(value, pointer, index))

    return emit


def _prefetch(e: ExpressionEmitter, call: BuiltinCall) -> None:
    pointer, count = call.arguments
    e.add(ocl.PrefetchOp(e.emit(pointer), e.index(count)))


TABLE: dict[str, Emit] = (
    {f"vload{n}": _vload for n in _WIDTHS}
    | {f"vstore{n}": _vstore for n in _WIDTHS}
    | {f"vload_half{n}": _vload_half for n in ("", *_WIDTHS)}
    | {f"vloada_half{n}": _vloada_half for n in ("", *_WIDTHS)}
    | {
        f"vstore{a}_half{n}{suffix}": _vstore_half(rounding, bool(a))
        for a in ("", "a")
        for n in ("", *_WIDTHS)
        for suffix, rounding in [("", None), *_ROUNDINGS.items()]
    }
    | {"prefetch": _prefetch}
)
