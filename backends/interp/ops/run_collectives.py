"""Collective functions, and queries of sub-groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation, SSAValue

from polycl.backends.interp.collectives import Combine
from polycl.backends.interp.ops.run_work_group import ContextArray
from polycl.backends.interp.schedule import ids
from polycl.backends.interp.state import Frame, WorkItem, run_error
from polycl.backends.interp.translate import OpHandler, Step, Stop, Translator, Wait, Waiting
from polycl.dialects import ocl, wg
from polycl.dialects.ocl import SubGroupField


def _collective(op: ocl.Collective, t: Translator) -> Waiting:
    operands, result = [t.slot(op.value)], t.slot(op.result)
    if isinstance(op, ocl.GroupShuffleOp):
        operands.append(t.slot(op.index))
    path = (t.program.position(),)

    def wait(frame: Frame) -> Wait:
        frame[result] = yield Stop(op, path, tuple([frame[slot] for slot in operands]))

    return Waiting(wait)


def linear_id(item: WorkItem) -> int:
    """The linear local id (OpenCL C 3.0, section 6.15.1)."""
    assert item.local_id is not None
    (x, y, z), (lx, ly, _) = item.local_id, item.launch.ndrange.local_size
    return (z * ly + y) * lx + x


_FIELDS: dict[SubGroupField, Callable[[int, int, int], int]] = {
    SubGroupField.SIZE: lambda lid, total, width: min(width, total - lid // width * width),
    SubGroupField.MAX_SIZE: lambda lid, total, width: min(width, total),
    SubGroupField.COUNT: lambda lid, total, width: -(-total // width),
    SubGroupField.ENQUEUED_COUNT: lambda lid, total, width: -(-total // width),
    SubGroupField.ID: lambda lid, total, width: lid // width,
    SubGroupField.LOCAL_ID: lambda lid, total, width: lid % width,
}
"""From the linear local id, the size of the group and that of sub-groups."""


def _sub_group(op: ocl.SubGroupOp, t: Translator) -> Step:
    target, query = t.slot(op.result), _FIELDS[op.field.data]

    def step(frame: Frame) -> None:
        item: WorkItem = frame[0]
        if item.local_id is None:
            raise run_error(op, item, f"'{op.name}' outside of a work-item has no value")
        lx, ly, lz = item.launch.ndrange.local_size
        frame[target] = query(linear_id(item), lx * ly * lz, item.launch.sub_group_size)

    return step


# Of the `wg` level


def _peek(op: wg.PeekOp, t: Translator) -> Step:
    context, index, target = t.slot(op.context), t.slot(op.index), t.slot(op.result)

    def step(frame: Frame) -> None:
        array: ContextArray = frame[context]
        lx, ly, _ = array.size
        rest, x = divmod(frame[index], lx)
        z, y = divmod(rest, ly)
        buffer = array.slot((x, y, z))
        if buffer is None:
            raise run_error(op, frame[0], f"no work-item has the linear local id {frame[index]}")
        frame[target] = array.codec.read(buffer.data, 0, frame[0].addresses)

    return step


Reader = Callable[[Frame], list[Any]]


def _reader(source: SSAValue, active: SSAValue | None, t: Translator) -> Reader:
    """Reads the slots of an array in the order of linear ids; None for those that do not count."""
    slot = t.slot(source)
    mask = None if active is None else t.slot(active)

    def read(frame: Frame) -> list[Any]:
        values = _slots(frame, slot)
        if mask is None:
            return values
        flags = _slots(frame, mask)
        return [value if flag else None for value, flag in zip(values, flags, strict=True)]

    return read


def _slots(frame: Frame, slot: int) -> list[Any]:
    array: ContextArray = frame[slot]
    found: list[Any] = []
    for id in ids(array.size):
        buffer = array.slot(id)
        assert buffer is not None
        found.append(array.codec.read(buffer.data, 0, frame[0].addresses))
    return found


def _reduce(op: wg.ReduceOp, t: Translator) -> Step:
    read, target = _reader(op.source, op.active, t), t.slot(op.result)
    combine = Combine.by(op.kind.data, op.result.type)

    def step(frame: Frame) -> None:
        frame[target] = combine.reduced(read(frame), op.row)

    return step


def _into_slots(op: wg.ReduceRowsOp | wg.ScanOp, t: Translator) -> Step:
    read, target = _reader(op.source, op.active, t), t.slot(op.target)
    assert isinstance(op.source.type, wg.ContextType)
    combine = Combine.by(op.kind.data, op.source.type.element)

    def step(frame: Frame) -> None:
        if isinstance(op, wg.ScanOp):
            whole, exclusive = op.whole is not None, op.exclusive is not None
            results = combine.scanned(read(frame), op.row, whole=whole, exclusive=exclusive)
        else:
            results = combine.reduced_rows(read(frame), op.row)
        array: ContextArray = frame[target]
        for id, result in zip(ids(array.size), results, strict=True):
            buffer = array.slot(id)
            assert buffer is not None
            array.codec.write(buffer.data, 0, result, frame[0].addresses)

    return step


OPERATIONS: dict[type[Operation], OpHandler] = {
    ocl.GroupReduceOp: _collective,
    ocl.GroupScanOp: _collective,
    ocl.GroupShuffleOp: _collective,
    ocl.SubGroupOp: _sub_group,
    wg.PeekOp: _peek,
    wg.ReduceOp: _reduce,
    wg.ReduceRowsOp: _into_slots,
    wg.ScanOp: _into_slots,
}
