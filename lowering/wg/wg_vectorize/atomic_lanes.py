"""Atomic operations of all lanes, where nobody sees in which order the lanes do them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import Attribute, SSAValue

from polycl.dialects import ocl, wg
from polycl.dialects.ocl import AtomicKind
from polycl.dialects.ocl.layout import size_of
from polycl.dialects.vec import count_of
from polycl.lowering.ocl.atomic_operations import OPERATIONS
from polycl.lowering.wg.wg_vectorize.lane_addresses import place_of
from polycl.lowering.wg.wg_vectorize.lane_values import Lanes
from polycl.lowering.wg.wg_vectorize.shuffles import shuffled
from polycl.lowering.wg.wg_vectorize.vector_emitter import Emitter
from polycl.lowering.wg.wg_vectorize.vector_memory import as_pointers

_NEUTRAL: dict[AtomicKind, Callable[[int], int]] = {
    AtomicKind.ADD: lambda bits: 0,
    AtomicKind.SUB: lambda bits: 0,
    AtomicKind.OR: lambda bits: 0,
    AtomicKind.XOR: lambda bits: 0,
    AtomicKind.UMAX: lambda bits: 0,
    AtomicKind.AND: lambda bits: -1,
    AtomicKind.UMIN: lambda bits: -1,
    AtomicKind.SMAX: lambda bits: -1 << bits - 1,
    AtomicKind.SMIN: lambda bits: (1 << bits - 1) - 1,
}
"""The operand that changes nothing, by the width: these have the same result in any order."""

_SUMS = {AtomicKind.ADD: arith.AddiOp, AtomicKind.SUB: arith.SubiOp}


def is_for_all_lanes(op: ocl.AtomicRMWOp, is_uniform: Callable[[SSAValue], bool]) -> bool:
    """Whether the lanes change one element in a way that knows no order, or elements that no other
    thread sees in the meantime, and use no old value, or that of a sum to which all add alike."""
    if op.result.first_use is not None:
        counts = op.kind.data in _SUMS and isinstance(op.value.type, IntegerType)
        return counts and is_uniform(op.pointer) and is_uniform(op.value)
    if is_uniform(op.pointer) and op.kind.data in _NEUTRAL:
        return True
    if ocl.space_of(op.pointer) is ocl.AddressSpace.LOCAL:
        # Lanes often meet in the few counters of a group, as a processor learns for each pair of a
        # load and a store: sums by a hundred keys take 2.3 times as long in turn.
        return op.kind.data is AtomicKind.ADD and op.value.type == i32 and is_uniform(op.value)
    return ocl.is_own_atomic(op)


def for_all_lanes(e: Emitter, op: ocl.AtomicRMWOp) -> None:
    """One operation for the element that all lanes share, or an update of theirs in turn."""
    kind = op.kind.data
    if e.is_uniform(op.pointer) and kind in _NEUTRAL:
        value = _of_all(e, op)
        once = ocl.AtomicRMWOp(kind, e.lane(op.pointer, 0), value)
        once.attributes |= op.attributes
        old = e.emit(once)
        if op.result.first_use is not None:
            before = e.mul(_lanes_before(e, old.type), e.splat(e.lane(op.value, 0)))
            seen = e.alike(_SUMS[kind], e.splat(old), before)
            e.values[op.result] = Lanes((seen,))
        return
    value = e.lane(op.value, 0) if e.is_uniform(op.value) else e.vector(op.value)
    place = as_pointers(e, place_of(e, op.pointer, None, size_of(op.value.type)), 1)
    e.emit_void(wg.UpdateOp(kind, value, place.base, place.indices, e.mask, place.stride))


def _of_all(e: Emitter, op: ocl.AtomicRMWOp) -> SSAValue:
    """What the lanes that are on do together."""
    kind, type = op.kind.data, op.value.type
    assert isinstance(type, IntegerType)
    sums = kind in _SUMS
    if e.is_uniform(op.value) and kind is not AtomicKind.XOR:
        value = e.lane(op.value, 0)
        return e.mul(lanes_on(e, type), value) if sums else value
    values = e.vector(op.value)
    if e.mask is not None:
        nothing = e.constant(_NEUTRAL[kind](type.width.data), values.type)
        values = e.select(e.mask, values, nothing)
    combine = arith.AddiOp if sums else OPERATIONS[kind]
    while (count := count_of(values.type)) % 2 == 0:
        low, high = range(count // 2), range(count // 2, count)
        halves = (shuffled(e, values, values, half) for half in (low, high))
        values = e.alike(combine, *halves)
    elements = (e.emit(vector.ExtractOp(values, [i], type)) for i in range(count))
    return reduce(partial(e.alike, combine), elements)


def lanes_on(e: Emitter, type: Attribute) -> SSAValue:
    """How many lanes are on."""
    if e.mask is None:
        return e.constant(e.lanes, type)
    assert isinstance(type, IntegerType)
    bits = e.emit(math.CtPopOp(e.emit(wg.LaneBitsOp(e.mask))))
    return e.resize(bits, type.width.data, signed=False)


def _lanes_before(e: Emitter, type: Attribute) -> SSAValue:
    """For each lane, how many of those before it are on."""
    assert isinstance(type, IntegerType)
    if e.mask is None:
        return e.per_lane(range(e.lanes), type)
    bits = IntegerType(64 if e.lanes > 32 else 32)
    on = e.splat(e.resize(e.emit(wg.LaneBitsOp(e.mask)), bits.width.data, signed=False))
    below = e.and_(on, e.per_lane([(1 << lane) - 1 for lane in range(e.lanes)], bits))
    return e.resize(e.emit(math.CtPopOp(below)), type.width.data, signed=False)
