"""`wg`: vector accesses to memory, lane by lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.addresses import required_alignment
from polycl.backends.interp.access import check_access
from polycl.backends.interp.buffers import NOWHERE
from polycl.backends.interp.codec import Codec, codec_of
from polycl.backends.interp.integers import to_signed
from polycl.backends.interp.ops.run_atomics import combination
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import wg
from polycl.dialects.ocl import pointee_of
from polycl.dialects.vec import count_of
from polycl.dialects.wg.attributes import MAPPED


class Lanes:
    """The accesses of the lanes of one operation."""

    def __init__(self, op: Operation, pointer: SSAValue, vector: SSAValue, t: Translator):
        self.op = op
        self.count = count_of(vector.type)
        self.codec: Codec = codec_of(pointee_of(pointer))
        self.align = required_alignment(pointer, self.codec.align)
        self.pointer = t.slot(pointer)
        mask: SSAValue | None = getattr(op, "mask", None)
        self.unit = self.codec.size
        """The bytes between two consecutive indices."""
        self._each = 1
        """The elements that a lane has side by side."""
        if isinstance(op, wg.GatherOp | wg.ScatterOp | wg.UpdateOp):
            self.unit = wg.stride_in_bytes(op)
            self._each = self.count // count_of(op.indices.type)
        everyone = (1,) * (self.count // self._each)
        self._mask = t.constant_slot(everyone) if mask is None else t.slot(mask)
        self._of_lanes = self._indices(t)
        self._is_mapped = MAPPED in op.attributes

    def _indices(self, t: Translator) -> Callable[[Frame], Sequence[int]]:
        """The index of each lane's element, relative to the pointer."""
        match self.op:
            case wg.GatherOp() | wg.ScatterOp() | wg.UpdateOp() as op:
                indices = t.slot(op.indices)
                return lambda frame: frame[indices]
            case wg.LoadOp() | wg.StoreOp() as op:
                index, lanes = t.slot(op.index), range(self.count)
                return lambda frame: [frame[index] + lane for lane in lanes]
            case _:
                raise AssertionError(self.op.name)

    def indices(self, frame: Frame) -> Sequence[Any]:
        """The index of each element, of its lane for those that a lane has side by side."""
        return self._repeated(self._of_lanes(frame))

    def active(self, frame: Frame) -> Sequence[Any]:
        """Whether the lane of each element is active."""
        return self._repeated(frame[self._mask])

    def _repeated(self, values: Sequence[Any]) -> Sequence[Any]:
        each = self._each
        return values if each == 1 else [value for value in values for _ in range(each)]

    def offset(self, number: int, index: int) -> int:
        """The bytes from the pointer to an element with a number and an index."""
        return to_signed(index, 64) * self.unit + number % self._each * self.codec.size

    def read(self, frame: Frame) -> tuple[Any, ...]:
        values: list[Any] = []
        pairs = zip(self.active(frame), self.indices(frame), strict=True)
        for number, (active, index) in enumerate(pairs):
            if active and not (self._is_mapped and self._is_outside(frame, number, index)):
                buffer, at = self._place(frame, number, index, writes=False)
                values.append(self.codec.read(buffer.data, at, frame[0].addresses))
            else:
                values.append(self.codec.zero)
        return tuple(values)

    def write(self, frame: Frame, values: Sequence[Any]) -> None:
        triples = zip(self.active(frame), self.indices(frame), values, strict=True)
        for number, (active, index, value) in enumerate(triples):
            if active:
                buffer, at = self._place(frame, number, index, writes=True)
                self.codec.write(buffer.data, at, value, frame[0].addresses)

    def update(
        self, frame: Frame, values: Sequence[Any], combine: Callable[[Any, Any], Any]
    ) -> None:
        """Combine the elements with the values, one lane after the other."""
        lanes = zip(self.active(frame), self.indices(frame), values, strict=True)
        for lane, (active, index, value) in enumerate(lanes):
            if active:
                buffer, at = self._place(frame, lane, index, writes=True)
                old = self.codec.read(buffer.data, at, frame[0].addresses)
                self.codec.write(buffer.data, at, combine(old, value), frame[0].addresses)

    def _is_outside(self, frame: Frame, number: int, index: int) -> bool:
        """Whether an element is outside of its array."""
        buffer, start = frame[self.pointer]
        at = start + self.offset(number, index)
        return buffer is not NOWHERE and not 0 <= at <= buffer.size - self.codec.size

    def _place(self, frame: Frame, number: int, index: int, *, writes: bool) -> Any:
        buffer, start = frame[self.pointer]
        place = (buffer, start + self.offset(number, index))
        return check_access(self.op, frame[0], place, self.codec.size, self.align, writes=writes)


def _read(op: wg.LoadOp | wg.GatherOp, t: Translator) -> Step:
    target, lanes = t.slot(op.result), Lanes(op, op.pointer, op.result, t)

    def step(frame: Frame) -> None:
        frame[target] = lanes.read(frame)

    return step


def _write(op: wg.StoreOp | wg.ScatterOp, t: Translator) -> Step:
    value, lanes = t.slot(op.value), Lanes(op, op.pointer, op.value, t)

    def step(frame: Frame) -> None:
        lanes.write(frame, frame[value])

    return step


def _update(op: wg.UpdateOp, t: Translator) -> Step:
    value, lanes = t.slot(op.value), Lanes(op, op.pointer, op.indices, t)
    combine = combination(op.kind.data, pointee_of(op.pointer))
    each = not isinstance(op.value.type, VectorType)

    def step(frame: Frame) -> None:
        values = [frame[value]] * lanes.count if each else frame[value]
        lanes.update(frame, values, combine)

    return step


def _any_lane(op: wg.AnyLaneOp, t: Translator) -> Step:
    mask, target = t.slot(op.mask), t.slot(op.result)

    def step(frame: Frame) -> None:
        frame[target] = int(any(frame[mask]))

    return step


def _lane_bits(op: wg.LaneBitsOp, t: Translator) -> Step:
    mask, target = t.slot(op.mask), t.slot(op.result)

    def step(frame: Frame) -> None:
        frame[target] = sum(1 << lane for lane, on in enumerate(frame[mask]) if on)

    return step


OPERATIONS: dict[type[Operation], OpHandler] = {
    wg.LoadOp: _read,
    wg.GatherOp: _read,
    wg.StoreOp: _write,
    wg.ScatterOp: _write,
    wg.UpdateOp: _update,
    wg.AnyLaneOp: _any_lane,
    wg.LaneBitsOp: _lane_bits,
}
