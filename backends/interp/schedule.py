"""The order of execution: groups one after the other, work-items in turns between barriers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from xdsl.ir import Operation

from polycl.backends.device import Size3
from polycl.backends.interp.state import Group, Launch, WorkItem, located_error, place_of
from polycl.backends.interp.translate import FunctionCode, Wait
from polycl.dialects.ocl import KernelOp

Stops: TypeAlias = dict[Operation | None, list[WorkItem]]
"""The work-items of a group by the barrier where they wait; None: they have finished."""


def ids(size: Size3) -> Iterator[Size3]:
    """All ids below `size`, x fastest."""
    nx, ny, nz = size
    return ((x, y, z) for z in range(nz) for y in range(ny) for x in range(nx))


def run_launch(
    launch: Launch, kernel: Operation, code: FunctionCode, arguments: Callable[[], Sequence[Any]]
) -> None:
    """Run every work-group of `launch`.

    `arguments` gives the values of the parameters for one group: local memory is new for each.
    """
    mark = launch.addresses.mark()
    for group_id in ids(launch.ndrange.num_groups):
        run_group(Group(launch, group_id), kernel, code, arguments(), _raise_divergence)
        # The addresses of private and local memory end with the group.
        launch.addresses.forget(mark)


def run_group(
    group: Group,
    kernel: Operation,
    code: FunctionCode,
    arguments: Sequence[Any],
    diverged: Callable[[Sequence[WorkItem], Stops], None],
) -> None:
    """Run one work-group.

    The body of a `wg.func` runs once, an `ocl.kernel` once for each work-item. A group whose
    work-items stop at different barriers is given to `diverged` and ends.
    """
    if not isinstance(kernel, KernelOp):
        code.call(WorkItem(group, None), arguments)
        return
    items = [WorkItem(group, local_id) for local_id in ids(group.size)]
    if not code.waits:
        for item in items:
            code.call(item, arguments)
        return
    threads: list[Wait] = [code.call(item, arguments) for item in items]
    while True:
        # Each work-item runs up to its next barrier, or to its end (None).
        stops = [next(thread, None) for thread in threads]
        if any(stop is not stops[0] for stop in stops):
            where: Stops = {}
            for item, stop in zip(items, stops, strict=True):
                where.setdefault(stop, []).append(item)
            diverged(items, where)
            return
        if stops[0] is None:
            return


def _raise_divergence(items: Sequence[WorkItem], where: Stops) -> None:
    barrier = next(stop for stop in where if stop is not None)
    parts = [
        describe_items(members, "has finished", "have finished")
        if stop is None
        else f"{describe_items(members, 'waits', 'wait')} at {place_of(stop)}"
        for stop, members in where.items()
    ]
    raise located_error(
        barrier,
        f"divergent barrier in work-group {items[0].group.id}: {', but '.join(parts)}; "
        "expected all work-items of the group to reach the same barrier",
    )


def describe_items(items: Sequence[WorkItem], does: str, do: str) -> str:
    """The local ids of the first few work-items, and a verb."""
    shown = ", ".join(str(item.local_id) for item in items[:3])
    more = len(items) - 3
    noun = "the work-item with local id" if len(items) == 1 else "work-items with local ids"
    more_text = f" and {more} more" if more > 0 else ""
    return f"{noun} {shown}{more_text} {does if len(items) == 1 else do}"
