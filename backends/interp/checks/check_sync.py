"""Barriers, fences, parallel regions and asynchronous copies with checks."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from polycl.backends.interp.buffers import Buffer
from polycl.backends.interp.checks.check_memory import checked, find
from polycl.backends.interp.checks.checked_launch import CheckedGroup, CheckedLaunch, Copy
from polycl.backends.interp.checks.poison import Poison
from polycl.backends.interp.checks.shadow import READ, WRITE
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.integers import to_signed
from polycl.backends.interp.ops.run_sync import copied_elements
from polycl.backends.interp.ops.run_work_group import OPERATIONS as WORK_GROUP
from polycl.backends.interp.state import Frame, WorkItem
from polycl.backends.interp.translate import OpHandler, Step, Stop, Translator, Wait, Waiting
from polycl.dialects import ocl, wg
from polycl.dialects.ocl.layout import align_of, size_of
from polycl.dialects.ocl.memory import pointer_type


def _barrier(op: ocl.BarrierOp, t: Translator) -> Waiting:
    local, global_ = op.local is not None, op.global_ is not None
    stop = Stop(op, (t.program.position(),))

    def wait(frame: Frame) -> Wait:
        yield stop
        item: WorkItem = frame[0]
        # The first work-item continues first, when all have arrived.
        if item.local_id == (0, 0, 0):
            _group(item).pass_barrier(fences_local=local, fences_global=global_)

    return Waiting(wait)


def _group(item: WorkItem) -> CheckedGroup:
    assert isinstance(item.group, CheckedGroup)
    return item.group


def _fence(op: ocl.FenceOp, t: Translator) -> Step:
    return lambda frame: frame[0].launch.fence(frame[0])


def _parallel(op: wg.ParallelOp, t: Translator) -> Any:
    """A parallel region is between two barriers; the memory that they fence is not known."""
    run = WORK_GROUP[wg.ParallelOp](op, t)
    assert run is not None and not isinstance(run, Waiting)

    def step(frame: Frame) -> None:
        group = _group(frame[0])
        group.pass_barrier(fences_local=True, fences_global=True)
        run(frame)
        group.pass_barrier(fences_local=True, fences_global=True)

    return step


def _async_copy(op: ocl.AsyncCopyOp, t: Translator) -> Step:
    """The first work-item copies for the group, the others must give the same operands.

    Until a wait for the copy, no work-item may access its target or write its source.
    """
    operands = t.slots((op.target, op.source, op.count))
    stride = None if op.stride is None else t.slot(op.stride)
    event, result = t.slot(op.event), t.slot(op.result)

    def step(frame: Frame) -> None:
        item: WorkItem = frame[0]
        group, launch = _group(item), checked(item)
        values = tuple(frame[slot] for slot in operands)
        values += (1 if stride is None else frame[stride],)
        unset = next((value for value in values if type(value) is Poison), None)
        frame[result] = 0
        if unset is not None:
            launch.unset(unset, op, item, "an asynchronous copy is given an uninitialised value")
            return
        time = group.copies_by.get((op, item.local_id), 0)
        group.copies_by[op, item.local_id] = time + 1
        copy = group.copies.get((op, time))
        if copy is not None:
            copy.arrived += 1
            frame[result] = copy.event
            if copy.operands != values:
                launch.error(
                    "async", op, item, "work-items give an asynchronous copy different operands"
                )
            return
        joined = frame[event]
        number = joined if type(joined) is int and joined else len(group.copies) + 1
        copy = Copy(op, number, values, item, [], [])
        group.copies[op, time] = copy
        frame[result] = number
        _perform(op, copy)
        # Code that runs once for the group waits at once.
        copy.pending = item.local_id is not None
        if copy.pending:
            group.pending.append(copy)

    return step


def _perform(op: ocl.AsyncCopyOp, copy: Copy) -> None:
    """Copy the elements, as a work-item of its own that no barrier orders."""
    item, launch = copy.item, checked(copy.item)
    to, at, count, stride = copy.operands
    element = pointer_type(op.source).pointee
    size, align = size_of(element), align_of(element)
    number = to_signed(count, 64)
    if number < 0:
        launch.error("async", op, item, f"async copy of {number} elements")
        return
    agent = WorkItem(item.group, None)
    for start, end in copied_elements(op, to, at, number, stride):
        source = find(op, item, start, size, align, writes=False)
        target = find(op, item, end, size, align, writes=True)
        if source is None or target is None:
            return
        _copy_element(op, agent, launch, source, target, size)
        copy.reads.append((*source, source[1] + size))
        copy.writes.append((*target, target[1] + size))
    copy.reads, copy.writes = _joined(copy.reads), _joined(copy.writes)


def _copy_element(
    op: Operation,
    agent: WorkItem,
    launch: CheckedLaunch,
    source: tuple[Buffer, int],
    target: tuple[Buffer, int],
    size: int,
) -> None:
    (read, r), (write, w) = source, target
    before = bytes(write.data[w : w + size])
    after = bytes(read.data[r : r + size])
    write.data[w : w + size] = after
    if write.valid is not None:
        write.valid[w : w + size] = b"\1" * size if read.valid is None else read.valid[r : r + size]
    if read.shadow is not None:
        read.shadow.access(READ, r, size, op, agent, launch, lasting=False)
    if write.shadow is not None:
        write.shadow.access(WRITE, w, size, op, agent, launch, before, after, lasting=False)


def _joined(ranges: list[tuple[Buffer, int, int]]) -> list[tuple[Buffer, int, int]]:
    """The same bytes in fewer ranges."""
    result: list[tuple[Buffer, int, int]] = []
    for buffer, start, end in ranges:
        if result and result[-1][0] is buffer and result[-1][2] == start:
            start = result.pop()[1]
        result.append((buffer, start, end))
    return result


def _wait_events(op: ocl.WaitEventsOp, t: Translator) -> Waiting:
    count, events = t.slots((op.count, op.events))
    codec = codec_of(ocl.EventType())
    stop = Stop(op, (t.program.position(),))

    def wait(frame: Frame) -> Wait:
        yield stop
        item: WorkItem = frame[0]
        launch = checked(item)
        if type(frame[count]) is Poison or type(frame[events]) is Poison:
            unset = next(v for v in (frame[count], frame[events]) if type(v) is Poison)
            launch.unset(unset, op, item, "a wait is given an uninitialised value")
            return
        buffer, offset = frame[events]
        numbers: set[int] = set()
        for i in range(to_signed(frame[count], 64)):
            at = find(op, item, (buffer, offset + i * codec.size), codec.size, 8, writes=False)
            if at is None:
                return
            place, start = at
            if place.valid is not None and 0 in place.valid[start : start + codec.size]:
                launch.error("async", op, item, "a wait for an event that nothing has set")
                return
            number = codec.read(place.data, start, item.addresses)
            if not 1 <= number <= len(_group(item).copies):
                text = "a wait for an event that no asynchronous copy has given"
                launch.error("async", op, item, text)
            numbers.add(number)
        if item.local_id == (0, 0, 0):
            group = _group(item)
            for copy in group.pending:
                copy.pending = copy.event not in numbers
            group.pending = [copy for copy in group.pending if copy.pending]

    return Waiting(wait)


OPERATIONS: dict[type[Operation], OpHandler] = {
    ocl.BarrierOp: _barrier,
    ocl.FenceOp: _fence,
    ocl.AsyncCopyOp: _async_copy,
    ocl.WaitEventsOp: _wait_events,
    wg.ParallelOp: _parallel,
}
