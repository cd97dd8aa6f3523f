"""`wg`: parallel regions and context arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any

from xdsl.ir import Attribute, Operation

from polycl.backends.device import Size3
from polycl.backends.interp.buffers import Buffer
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.state import Frame, WorkItem, place_of, run_error
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import wg
from polycl.dialects.ocl import AddressSpace


class ContextArray:
    """One slot of memory for each work-item of a group, allocated at its first access."""

    def __init__(self, element: Attribute, size: Size3, what: str):
        self.codec = codec_of(element)
        self.size = size
        self.what = what
        self.slots: dict[Size3, Buffer] = {}

    def slot(self, ids: Size3) -> Buffer | None:
        """The slot of a work-item; None where there is no such work-item."""
        buffer = self.slots.get(ids)
        if buffer is None:
            # Ids are unsigned patterns: a negative one is a huge number here.
            if any(lid >= size for lid, size in zip(ids, self.size, strict=True)):
                return None
            buffer = self.slots[ids] = Buffer.allocate(
                f"{self.what}, slot {ids}", self.codec.size, AddressSpace.PRIVATE
            )
        return buffer


def context(op: wg.ContextOp, t: Translator, array: type[ContextArray] = ContextArray) -> Step:
    target, element = t.slot(op.result), _element(op)
    what = f"the context array made at {place_of(op)}"

    def step(frame: Frame) -> None:
        frame[target] = array(element, frame[0].group.size, what)

    return step


def _element(op: wg.ContextOp) -> Attribute:
    assert isinstance(op.result.type, wg.ContextType)
    codec_of(op.result.type.element)  # Refuses an unsupported type now, not at run time.
    return op.result.type.element


def slot_finder(
    op: wg.PutOp | wg.GetOp | wg.SlotOp, t: Translator
) -> Callable[[Frame], tuple[ContextArray, Buffer]]:
    """Finds the context array and the slot that `op` names."""
    context = t.slot(op.context)
    x, y, z = t.slots(op.ids)

    def find(frame: Frame) -> tuple[ContextArray, Buffer]:
        array: ContextArray = frame[context]
        ids = (frame[x], frame[y], frame[z])
        buffer = array.slot(ids)
        if buffer is None:
            raise run_error(
                op, frame[0], f"no slot {ids} in a context array for local size {array.size}"
            )
        return array, buffer

    return find


def _put(op: wg.PutOp, t: Translator) -> Step:
    value, find = t.slot(op.value), slot_finder(op, t)

    def step(frame: Frame) -> None:
        array, buffer = find(frame)
        array.codec.write(buffer.data, 0, frame[value], frame[0].addresses)

    return step


def _get(op: wg.GetOp, t: Translator) -> Step:
    target, find = t.slot(op.result), slot_finder(op, t)

    def step(frame: Frame) -> None:
        array, buffer = find(frame)
        frame[target] = array.codec.read(buffer.data, 0, frame[0].addresses)

    return step


def _slot(op: wg.SlotOp, t: Translator) -> Step:
    target, find = t.slot(op.result), slot_finder(op, t)

    def step(frame: Frame) -> None:
        frame[target] = (find(frame)[1], 0)

    return step


def _any(op: wg.AnyOp, t: Translator) -> Step:
    context, target = t.slot(op.context), t.slot(op.result)

    def step(frame: Frame) -> None:
        frame[target] = int(any(buffer.data[0] for buffer in frame[context].slots.values()))

    return step


def _choose(op: wg.ChooseOp, t: Translator) -> Step:
    """Each form in turn, so that a launch runs both."""
    target = t.slot(op.first)
    turns = cycle((1, 0))

    def step(frame: Frame) -> None:
        frame[target] = next(turns)

    return step


def _chosen(op: wg.ChosenOp, t: Translator) -> Step:
    def step(frame: Frame) -> None:
        """Nothing is measured."""

    return step


def same_value(a: Any, b: Any) -> bool:
    """Whether two values have the same bits; every NaN counts as the same."""
    match a, b:
        case (float(), float()):
            if a != a or b != b:
                return a != a and b != b
            return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)
        case (tuple(), tuple()):
            return all(map(same_value, a, b))
        case _:
            return a is b or a == b


def _parallel(op: wg.ParallelOp, t: Translator) -> Step:
    sizes, ids, results = t.slots(op.sizes), t.slots(op.local_ids), t.slots(op.res)
    run = t.region(op.body).run
    x, y, z = ids
    sx, sy, sz = op.steps

    def step(frame: Frame) -> None:
        outer: WorkItem = frame[0]
        nx, ny, nz = (frame[size] for size in sizes)
        first: Sequence[Any] | None = None
        for k in range(0, nz, sz):
            for j in range(0, ny, sy):
                for i in range(0, nx, sx):
                    frame[0] = WorkItem(outer.group, (i, j, k))
                    frame[x], frame[y], frame[z] = i, j, k
                    values = run(frame)
                    if first is None:
                        first = values
                    elif not same_value(first, values):
                        raise run_error(
                            op,
                            frame[0],
                            f"the results of a parallel region must be uniform: the first "
                            f"work-item yields {first}, this one {values}",
                        )
        frame[0] = outer
        if first is None:
            if results:
                raise run_error(op, outer, "a parallel region without work-items has no results")
            return
        for slot, value in zip(results, first, strict=True):
            frame[slot] = value

    return step


OPERATIONS: dict[type[Operation], OpHandler] = {
    wg.ParallelOp: _parallel,
    wg.ContextOp: context,
    wg.PutOp: _put,
    wg.GetOp: _get,
    wg.SlotOp: _slot,
    wg.AnyOp: _any,
    wg.ChooseOp: _choose,
    wg.ChosenOp: _chosen,
}
