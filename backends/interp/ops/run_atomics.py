"""Atomics. One work-item runs at a time, so they are plain reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from xdsl.ir import Attribute, Operation

from polycl.backends.interp import integers
from polycl.backends.interp.access import check_access
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.elementwise import format_of, width_of
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import ocl
from polycl.dialects.ocl import AtomicKind

_INTEGER: dict[AtomicKind, Callable[[int], integers.Binary]] = {
    AtomicKind.ADD: integers.add,
    AtomicKind.SUB: integers.sub,
    AtomicKind.AND: integers.bit_and,
    AtomicKind.OR: integers.bit_or,
    AtomicKind.XOR: integers.bit_xor,
    AtomicKind.SMIN: integers.min_signed,
    AtomicKind.SMAX: integers.max_signed,
    AtomicKind.UMIN: integers.min_unsigned,
    AtomicKind.UMAX: integers.max_unsigned,
}


def _extreme(x: float, y: float, smaller: bool) -> float:
    """`fmin` or `fmax`: the other one where one is NaN."""
    if x != x or y != y:
        return y if x != x else x
    return min(x, y) if smaller else max(x, y)


def combination(kind: AtomicKind, type: Attribute) -> Callable[[Any, Any], Any]:
    """The new value from the old one and the operand."""
    if kind is AtomicKind.XCHG:
        return lambda old, operand: operand
    if kind is AtomicKind.FADD:
        return format_of(type).add
    if kind in (AtomicKind.FMIN, AtomicKind.FMAX):
        smaller = kind is AtomicKind.FMIN
        return lambda old, operand: _extreme(old, operand, smaller)
    return _INTEGER[kind](width_of(type))


NewValue: TypeAlias = Callable[[Frame, Any], Any]
"""The value that an atomic writes, from the frame and the old value."""


def new_value(op: ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp, t: Translator) -> NewValue:
    if isinstance(op, ocl.AtomicRMWOp):
        operand, combine = t.slot(op.value), combination(op.kind.data, op.value.type)
        return lambda frame, old: combine(old, frame[operand])
    expected, desired = t.slots((op.expected, op.desired))
    return lambda frame, old: frame[desired] if old == frame[expected] else old


def _update(op: ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp, t: Translator) -> Step:
    """Replaces the value at the pointer by the new one; the result is the old one."""
    pointer, target = t.slot(op.pointer), t.slot(op.result)
    codec, new = codec_of(op.result.type), new_value(op, t)

    def step(frame: Frame) -> None:
        item = frame[0]
        buffer, offset = check_access(
            op, item, frame[pointer], codec.size, codec.align, writes=True
        )
        old = codec.read(buffer.data, offset, item.addresses)
        codec.write(buffer.data, offset, new(frame, old), item.addresses)
        frame[target] = old

    return step


OPERATIONS: dict[type[Operation], OpHandler] = {
    ocl.AtomicRMWOp: _update,
    ocl.AtomicCmpXchgOp: _update,
}
