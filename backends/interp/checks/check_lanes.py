"""Vector accesses to memory with checks of each active lane.

A tile counts as one work-item: races between tiles are found, races between the lanes of a tile are
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation

from polycl.backends.interp.buffers import Pointer
from polycl.backends.interp.checks.check_memory import ADDRESS, checked, find, read_at, write_at
from polycl.backends.interp.checks.poison import Poison
from polycl.backends.interp.ops.run_lanes import Lanes
from polycl.backends.interp.state import Frame
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import wg

_MASK = "whether a work-item runs depends on an uninitialised value"


class _Places:
    """The places that the lanes of one operation access."""

    def __init__(self, op: Operation, lanes: Lanes, t: Translator, *, writes: bool):
        self._lanes = lanes
        self._writes = writes
        # The index of the first of consecutive elements, which may be unset.
        self._first = t.slot(op.index) if isinstance(op, wg.LoadOp | wg.StoreOp) else None

    def of(self, frame: Frame) -> list[Pointer | None]:
        """The place of each lane; None where it is masked off, or after a finding."""
        start = frame[self._lanes.pointer]
        pairs = zip(self._lanes.active(frame), self._indices(frame), strict=True)
        return [
            self._one(frame, start, number, active, index)
            for number, (active, index) in enumerate(pairs)
        ]

    def _one(
        self, frame: Frame, start: Any, number: int, active: Any, index: Any
    ) -> Pointer | None:
        if type(active) is Poison:
            self._unset(active, frame, _MASK)
            return None
        if not active:
            return None
        if type(start) is Poison or type(index) is Poison:
            self._unset(start if type(start) is Poison else index, frame, ADDRESS)
            return None
        lanes = self._lanes
        buffer, offset = start
        at = (buffer, offset + lanes.offset(number, index))
        return find(lanes.op, frame[0], at, lanes.codec.size, lanes.align, writes=self._writes)

    def _indices(self, frame: Frame) -> Sequence[Any]:
        if self._first is not None and type(frame[self._first]) is Poison:
            return [frame[self._first]] * self._lanes.count
        return self._lanes.indices(frame)

    def _unset(self, unset: Poison, frame: Frame, use: str) -> None:
        checked(frame[0]).unset(unset, self._lanes.op, frame[0], use)


def _read(op: wg.LoadOp | wg.GatherOp, t: Translator) -> Step:
    target, lanes = t.slot(op.result), Lanes(op, op.pointer, op.result, t)
    places, codec = _Places(op, lanes, t, writes=False), lanes.codec

    def step(frame: Frame) -> None:
        item = frame[0]
        frame[target] = tuple(
            codec.zero if at is None else read_at(at, codec, codec.size, op, item)
            for at in places.of(frame)
        )

    return step


def _write(op: wg.StoreOp | wg.ScatterOp, t: Translator) -> Step:
    values, lanes = t.slot(op.value), Lanes(op, op.pointer, op.value, t)
    places, codec = _Places(op, lanes, t, writes=True), lanes.codec

    def step(frame: Frame) -> None:
        for at, value in zip(places.of(frame), frame[values], strict=True):
            if at is not None:
                write_at(at, codec, codec.size, value, op, frame[0])

    return step


def _any_lane(op: wg.AnyLaneOp, t: Translator) -> Step:
    mask, target = t.slot(op.mask), t.slot(op.result)

    def step(frame: Frame) -> None:
        unset = [on for on in frame[mask] if type(on) is Poison]
        if unset:
            checked(frame[0]).unset(unset[0], op, frame[0], _MASK)
        frame[target] = int(any(type(on) is not Poison and on for on in frame[mask]))

    return step


OPERATIONS: dict[type[Operation], OpHandler] = {
    wg.LoadOp: _read,
    wg.GatherOp: _read,
    wg.StoreOp: _write,
    wg.ScatterOp: _write,
    wg.AnyLaneOp: _any_lane,
}
