"""Work-item queries."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation

from polycl.backends.device import Size3
from polycl.backends.interp.state import Frame, WorkItem, run_error
from polycl.backends.interp.translate import OpHandler, Step, Translator
from polycl.dialects import ocl

_QUERIES: dict[type[Operation], Callable[[WorkItem], Size3 | None]] = {
    ocl.GlobalIdOp: lambda item: item.global_id,
    ocl.LocalIdOp: lambda item: item.local_id,
    ocl.GroupIdOp: lambda item: item.group.id,
    ocl.GlobalSizeOp: lambda item: item.launch.ndrange.global_size,
    ocl.LocalSizeOp: lambda item: item.group.size,
    ocl.EnqueuedLocalSizeOp: lambda item: item.launch.ndrange.local_size,
    ocl.NumGroupsOp: lambda item: item.launch.ndrange.num_groups,
    ocl.GlobalOffsetOp: lambda item: item.launch.ndrange.global_offset,
}


def _query(op: ocl.DimensionQuery, t: Translator) -> Step:
    target, dimension, query = t.slot(op.result), op.dimension, _QUERIES[type(op)]

    def step(frame: Frame) -> None:
        numbers = query(frame[0])
        if numbers is None:
            raise run_error(op, frame[0], f"'{op.name}' outside of a work-item has no value")
        # A negative number cannot occur: sizes, ids and offsets count from 0.
        frame[target] = numbers[dimension]

    return step


def _work_dim(op: ocl.WorkDimOp, t: Translator) -> Step:
    target = t.slot(op.result)

    def step(frame: Frame) -> None:
        frame[target] = frame[0].launch.ndrange.work_dim

    return step


OPERATIONS: dict[type[Operation], OpHandler] = {
    **dict.fromkeys(_QUERIES, _query),
    ocl.WorkDimOp: _work_dim,
}
