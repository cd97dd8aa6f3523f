"""Atomic functions of OpenCL 1.x (1.2, section 6.12.11) and of C11 (OpenCL 2.0, 6.13.11).

Both are relaxed atomic read-modify-writes, with fences around them for the memory orders of C11.
A load is a read-modify-write that changes nothing.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float16Type, Float32Type, Float64Type, i1, i32, i64
from xdsl.ir import SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace, AtomicKind, FenceOrder
from polycl.errors import UnsupportedError
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builtins.table import Emit, element_type
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.tree import BuiltinCall, Expr
from polycl.frontends.opencl_c.types import Kind

_RELAXED, _ACQUIRE, _RELEASE = 0, 2, 3
"""memory_order_*, as the base header has them."""


def _atomic(kind: AtomicKind, unsigned: AtomicKind | None = None, step: bool = False) -> Emit:
    """A read-modify-write; `step`: by one, as in atomic_inc and atomic_dec."""

    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        pointer = e.emit(call.arguments[0])
        value = e.constant(1, call.type.value) if step else e.emit(call.arguments[1])
        signed = element_type(call.type).signed
        return e.value(ocl.AtomicRMWOp(kind if signed else unsigned or kind, pointer, value))

    return emit


def _compare_exchange(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    return e.value(ocl.AtomicCmpXchgOp(*[e.emit(argument) for argument in call.arguments]))


def _object(e: ExpressionEmitter, argument: Expr) -> SSAValue:
    """The pointer to an atomic object, in its address space before the cast to generic.

    No atomic operation names private memory, which only its work-item sees: that pointer stays
    generic.
    """
    pointer = e.emit(argument)
    if isinstance(ocl.pointee_of(pointer), Float16Type):
        raise UnsupportedError("atomics on 'half' are not supported", *argument.location)
    while isinstance(pointer.owner, ocl.CastOp):
        before = pointer.owner.pointer
        assert isinstance(before.type, ocl.PtrType) and isinstance(pointer.type, ocl.PtrType)
        if pointer.type.address_space is not AddressSpace.GENERIC:
            break
        if before.type.pointee != pointer.type.pointee:
            break
        if before.type.address_space is AddressSpace.PRIVATE:
            break
        pointer = before
    return pointer


def _fence(e: ExpressionEmitter, order: Expr | None, *, before: bool) -> None:
    """The fence of an order before or after the operation; the default order is seq_cst."""
    value = order.value if isinstance(order, tree.Const) else None
    if value == _RELAXED or value == (_ACQUIRE if before else _RELEASE):
        return
    half = FenceOrder.RELEASE if before else FenceOrder.ACQUIRE
    e.add(ocl.FenceOp(half, local=True, global_=True))


def _ordered(emit: Emit, operands: int) -> Emit:
    """`emit` with the fences of the order, an optional argument after the operands."""

    def fenced(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue | None:
        order = call.arguments[operands] if len(call.arguments) > operands else None
        _fence(e, order, before=True)
        result = emit(e, call)
        _fence(e, order, before=False)
        return result

    return fenced


_FLOAT_KINDS = {
    AtomicKind.ADD: AtomicKind.FADD,
    AtomicKind.SUB: AtomicKind.FADD,
    AtomicKind.SMIN: AtomicKind.FMIN,
    AtomicKind.SMAX: AtomicKind.FMAX,
}


def _fetch(kind: AtomicKind, unsigned: AtomicKind | None = None) -> Emit:
    def emit(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
        target = _object(e, call.arguments[0])
        value = e.emit(call.arguments[1])
        chosen = kind if call.type.signed else unsigned or kind
        if isinstance(value.type, Float32Type | Float64Type):
            if kind is AtomicKind.SUB:
                value = e.op(arith.NegfOp, value)
            chosen = _FLOAT_KINDS[kind]
        if value.type != call.type.value:
            value = e.op(arith.TruncIOp, value, type=call.type.value)
        return e.value(ocl.AtomicRMWOp(chosen, target, value))

    return emit


def _exchange(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    target = _object(e, call.arguments[0])
    return e.value(ocl.AtomicRMWOp(AtomicKind.XCHG, target, e.emit(call.arguments[1])))


def _as_word(e: ExpressionEmitter, pointer: SSAValue) -> SSAValue:
    """A pointer to a float as one to the integer of its bits."""
    if not isinstance(ocl.pointee_of(pointer), Float32Type | Float64Type):
        return pointer
    word = i32 if isinstance(ocl.pointee_of(pointer), Float32Type) else i64
    return e.op(ocl.CastOp, pointer, type=ocl.PtrType(word, ocl.space_of(pointer)))


def _load(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    target = _as_word(e, _object(e, call.arguments[0]))
    zero = e.constant(0, ocl.pointee_of(target))
    value = e.value(ocl.AtomicRMWOp(AtomicKind.OR, target, zero))
    is_float = call.type.kind is Kind.FLOAT
    return e.op(ocl.BitcastOp, value, type=call.type.value) if is_float else value


def _store(e: ExpressionEmitter, call: BuiltinCall) -> None:
    _exchange(e, call)


def _init(e: ExpressionEmitter, call: BuiltinCall) -> None:
    """Initialise an object; this is not an atomic access."""
    target = _object(e, call.arguments[0])
    e.store_to(e.emit(call.arguments[1]), target)


def _compare_and_set(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    """`compare_exchange(object, expected, desired)`: `*expected` becomes the old value."""
    target = _as_word(e, _object(e, call.arguments[0]))
    place = _as_word(e, e.emit(call.arguments[1]))
    desired = e.emit(call.arguments[2])
    expected = e.load_from(place)
    if desired.type != expected.type:
        desired = e.op(ocl.BitcastOp, desired, type=expected.type)
    found = e.value(ocl.AtomicCmpXchgOp(target, expected, desired))
    e.store_to(found, place)
    return _as_result(e, e.compare(arith.CmpiOp, "eq", found, expected), call)


def _as_result(e: ExpressionEmitter, truth: SSAValue, call: BuiltinCall) -> SSAValue:
    return truth if call.type.value == i1 else e.op(arith.ExtUIOp, truth, type=call.type.value)


def _test_and_set(e: ExpressionEmitter, call: BuiltinCall) -> SSAValue:
    target = _object(e, call.arguments[0])
    old = e.value(ocl.AtomicRMWOp(AtomicKind.XCHG, target, e.constant(1, i32)))
    return _as_result(e, e.compare(arith.CmpiOp, "ne", old, e.constant(0, i32)), call)


def _clear(e: ExpressionEmitter, call: BuiltinCall) -> None:
    target = _object(e, call.arguments[0])
    e.add(ocl.AtomicRMWOp(AtomicKind.XCHG, target, e.constant(0, i32)))


def _work_item_fence(e: ExpressionEmitter, call: BuiltinCall) -> None:
    order = call.arguments[1]
    value = order.value if isinstance(order, tree.Const) else None
    if value == _RELAXED:
        return
    orders = {_ACQUIRE: FenceOrder.ACQUIRE, _RELEASE: FenceOrder.RELEASE}
    e.add(ocl.FenceOp(orders.get(int(value or -1), FenceOrder.ACQ_REL), local=True, global_=True))


_KINDS: dict[str, tuple[AtomicKind, AtomicKind | None]] = {
    "add": (AtomicKind.ADD, None),
    "sub": (AtomicKind.SUB, None),
    "and": (AtomicKind.AND, None),
    "or": (AtomicKind.OR, None),
    "xor": (AtomicKind.XOR, None),
    "min": (AtomicKind.SMIN, AtomicKind.UMIN),
    "max": (AtomicKind.SMAX, AtomicKind.UMAX),
}
"""The operation, and another one for unsigned integers."""

_ATOMICS: dict[str, Emit] = {
    **{name: _atomic(*kinds) for name, kinds in _KINDS.items()},
    "xchg": _atomic(AtomicKind.XCHG),
    "inc": _atomic(AtomicKind.ADD, step=True),
    "dec": _atomic(AtomicKind.SUB, step=True),
    "cmpxchg": _compare_exchange,
}
_C11: dict[str, tuple[Emit, int]] = {
    **{f"atomic_fetch_{name}": (_fetch(*kinds), 2) for name, kinds in _KINDS.items()},
    "atomic_exchange": (_exchange, 2),
    "atomic_load": (_load, 1),
    "atomic_store": (_store, 2),
    "atomic_compare_exchange_strong": (_compare_and_set, 3),
    "atomic_compare_exchange_weak": (_compare_and_set, 3),
    "atomic_flag_test_and_set": (_test_and_set, 1),
    "atomic_flag_clear": (_clear, 1),
}
"""The emitter, and the number of operands before the order of the `_explicit` form."""

TABLE: dict[str, Emit] = (
    {f"{prefix}_{name}": emit for prefix in ("atomic", "atom") for name, emit in _ATOMICS.items()}
    | {
        name + suffix: _ordered(emit, operands)
        for name, (emit, operands) in _C11.items()
        for suffix in ("", "_explicit")
    }
    | {"atomic_init": _init, "atomic_work_item_fence": _work_item_fence}
)
