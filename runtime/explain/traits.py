"""What single operations show: the facts that have nothing to do with addresses.

Each trait is a name with a predicate on an operation of the program of one work-item.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import Float32Type, Float64Type, FloatAttr, IntegerType
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.addresses import root_of
from polycl.analysis.ocl.same_value import same_value
from polycl.analysis.ocl.speculation import INTEGER_DIVISIONS
from polycl.analysis.ocl.uniformity import Uniformity, constant_value
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.parents import parents
from polycl.dialects.vec import element_of

_DOUBLE_RESULTS = (
    arith.AddfOp,
    arith.SubfOp,
    arith.MulfOp,
    arith.DivfOp,
    arith.NegfOp,
    math.SqrtOp,
    math.FmaOp,
)
_FEW = 64
"""Operations that are looked through."""
_Atomic = ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp


def _is_volatile(op: Operation, facts: Uniformity) -> bool:
    return isinstance(op, ocl.LoadOp | ocl.StoreOp) and op.volatile is not None


def _is_widened_double(op: Operation, facts: Uniformity) -> bool:
    """Arithmetic in f64 with a literal on what was f32 and becomes f32 again: nobody wants that."""
    if not isinstance(op, _DOUBLE_RESULTS) or element_of(op.results[0].type) != Float64Type():
        return False
    has_literal = any(isinstance(operand.owner, arith.ConstantOp) for operand in op.operands)
    return has_literal and _comes_from_float(op.results[0]) and _becomes_float(op.results[0])


def _comes_from_float(value: SSAValue) -> bool:
    """Whether all numbers in an f64 but literals were f32."""
    waiting, seen = [value], 0
    while waiting:
        owner, seen = waiting.pop().owner, seen + 1
        if isinstance(owner, _DOUBLE_RESULTS) and seen < _FEW:
            waiting += owner.operands
        elif isinstance(owner, arith.ExtFOp):
            if element_of(owner.input.type) != Float32Type():
                return False
        elif not isinstance(owner, arith.ConstantOp):
            return False
    return True


def _becomes_float(value: SSAValue) -> bool:
    """Whether an f64 is only rounded to f32, perhaps after other arithmetic of f64."""
    waiting, seen = [value], 0
    while waiting:
        for use in waiting.pop().uses:
            user, seen = use.operation, seen + 1
            if isinstance(user, _DOUBLE_RESULTS) and seen < _FEW:
                waiting += user.results
            elif not isinstance(user, arith.TruncFOp):
                return False
    return True


def _is_long_division(op: Operation, facts: Uniformity) -> bool:
    """A division of 64-bit integers that differs between work-items, by no constant."""
    if not isinstance(op, INTEGER_DIVISIONS) or constant_value(op.rhs) is not None:
        return False
    type = element_of(op.results[0].type)
    is_long = isinstance(type, IntegerType) and type.width.data == 64
    return is_long and not facts.is_uniform(op.results[0])


def _is_small_power(op: Operation, facts: Uniformity) -> bool:
    """A power with a small whole number as its exponent."""
    return small_exponent(op) is not None


def small_exponent(op: Operation) -> int | None:
    """The exponent of a power, if it is a constant from 2 to 4."""
    if not isinstance(op, math.PowFOp) or not isinstance(op.rhs.owner, arith.ConstantOp):
        return None
    value = op.rhs.owner.value
    exponent = value.value.data if isinstance(value, FloatAttr) else None
    return int(exponent) if exponent in (2.0, 3.0, 4.0) else None


def _is_scattered_private(op: Operation, facts: Uniformity) -> bool:
    """An access to a private array at an index that each work-item computes."""
    if not isinstance(op, ocl.LoadOp | ocl.StoreOp) or op.index is None:
        return False
    root = root_of(op.pointer)
    if ocl.space_of(root) is not ocl.AddressSpace.PRIVATE or not isinstance(
        root.owner, ocl.AllocaOp
    ):
        return False
    return not facts.is_uniform(op.index)


def _is_sum_in_memory(op: Operation, facts: Uniformity) -> bool:
    """A store, in a loop, of what was computed from the element that was there before."""
    if not isinstance(op, ocl.StoreOp) or ocl.space_of(op.pointer) is ocl.AddressSpace.PRIVATE:
        return False
    loop = next(iter(parents(op)), None)
    if not isinstance(loop, scf.ForOp | scf.WhileOp) or op.volatile is not None:
        return False
    if operations_of(loop, ocl.BarrierOp, ocl.AtomicRMWOp, ocl.AtomicCmpXchgOp):
        # Other work-items may read it in this loop.
        return False
    for operand in _inputs(op.value):
        load = operand.owner
        if isinstance(load, ocl.LoadOp) and root_of(load.pointer) is root_of(op.pointer):
            same = same_value(load.pointer, op.pointer) and _same_index(load, op)
            if same and _is_outside(op.index, loop) and _is_outside(op.pointer, loop):
                return True
    return False


def _inputs(value: SSAValue) -> tuple[SSAValue, ...]:
    return tuple(value.owner.operands) if isinstance(value.owner, Operation) else ()


def _same_index(load: ocl.LoadOp, store: ocl.StoreOp) -> bool:
    if load.index is None or store.index is None:
        return load.index is store.index
    return same_value(load.index, store.index)


def _is_outside(value: SSAValue | None, loop: Operation) -> bool:
    """Whether a value does not change in a loop, by how it is computed."""
    waiting, seen = [value] if value is not None else [], 0
    while waiting and seen < 64:
        each, seen = waiting.pop(), seen + 1
        owner = each.owner
        if not isinstance(owner, Operation):
            if loop.is_ancestor(owner):
                return False
        elif loop.is_ancestor(owner):
            if owner.regions or isinstance(owner, ocl.LoadOp | ocl.VLoadOp | _Atomic):
                return False
            waiting += owner.operands
    return not waiting


def _is_needless_barrier(op: Operation, facts: Uniformity) -> bool:
    """A barrier in a kernel in which no memory that work-items share is both written and read, or
    written by one access and by another one."""
    kernel = next(each for each in parents(op) if isinstance(each, ocl.KernelLike))
    return isinstance(op, ocl.BarrierOp) and not shares_memory(kernel, facts)


def shares_memory(kernel: ocl.KernelLike, facts: Uniformity) -> bool:
    """Whether a work-item may read or write what another one of its group has written."""
    if any(
        isinstance(op, ocl.Collective | ocl.AsyncCopyOp | ocl.PrintfOp | _Atomic)
        for op in kernel.walk()
    ):
        return True
    written: dict[SSAValue, int] = {}
    read: set[SSAValue] = set()
    for op in operations_of(kernel.body, ocl.LoadOp, ocl.StoreOp, ocl.VLoadOp, ocl.VStoreOp):
        root = root_of(op.pointer)
        if ocl.space_of(root) is ocl.AddressSpace.PRIVATE:
            continue
        if not isinstance(root.owner, ocl.LocalAllocOp) and isinstance(root.owner, Operation):
            # A pointer that is chosen, or comes from memory: it may be to any object.
            return True
        if isinstance(op, ocl.StoreOp | ocl.VStoreOp):
            if all(map(facts.is_uniform, _place(op))):
                # All write one element: which of them is the last?
                return True
            written[root] = written.get(root, 0) + 1
        else:
            read.add(root)
    return any(count > 1 or root in read for root, count in written.items())


def _place(op: ocl.StoreOp | ocl.VStoreOp) -> tuple[SSAValue, ...]:
    return (op.pointer,) if op.index is None else (op.pointer, op.index)


def _is_from_memory(op: Operation, facts: Uniformity) -> bool:
    """An access whose index is computed from what other memory holds."""
    waiting = [getattr(op, "index", None), getattr(op, "pointer", None)]
    seen: set[SSAValue] = set()
    while waiting:
        value = waiting.pop()
        if not isinstance(value, SSAValue) or value in seen:
            continue
        seen.add(value)
        if isinstance(value.owner, ocl.LoadOp | ocl.VLoadOp | _Atomic):
            return True
        waiting += _inputs(value)
    return False


TRAITS: Mapping[str, Callable[[Operation, Uniformity], bool]] = {
    "volatile": _is_volatile,
    "widened double": _is_widened_double,
    "long division": _is_long_division,
    "small power": _is_small_power,
    "scattered private": _is_scattered_private,
    "sum in memory": _is_sum_in_memory,
    "needless barrier": _is_needless_barrier,
    "from memory": _is_from_memory,
}


def traits_of(op: Operation, facts: Uniformity) -> frozenset[str]:
    return frozenset(name for name, holds in TRAITS.items() if holds(op, facts))
