"""The order of execution: groups one after the other, work-items in turns between barriers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.ir import Operation

from polycl.backends.device import Size3
from polycl.backends.interp.collectives import collective_results
from polycl.backends.interp.state import Group, Launch, WorkItem, located_error, place_of
from polycl.backends.interp.translate import FunctionCode, Stop, Wait
from polycl.dialects.ocl import BarrierOp, Collective, KernelOp, sub_group_size_of

Stops: TypeAlias = dict[Operation | None, list[WorkItem]]
"""The work-items of a group by the barrier where they wait; None: they have finished."""


def ids(size: Size3) -> Iterator[Size3]:
    """All ids below `size`, x fastest."""
    nx, ny, nz = size
    return ((x, y, z) for z in range(nz) for y in range(ny) for x in range(nx))


def run_launch(
    launch: Launch,
    kernel: Operation,
    code: FunctionCode,
    arguments: Callable[[], Sequence[Any]],
    groups: Iterable[Size3] | None = None,
) -> None:
    """Run every work-group of `launch`, or some `groups`.

    `arguments` gives the values of the parameters for one group: local memory is new for each.
    """
    mark = launch.addresses.mark()
    for group_id in ids(launch.ndrange.num_groups) if groups is None else groups:
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
    _Turns(items, [code.call(item, arguments) for item in items], kernel, diverged).run()


class _Turns:
    """The work-items of a group, each at the place where it waits."""

    def __init__(
        self,
        items: Sequence[WorkItem],
        threads: Sequence[Wait],
        kernel: Operation,
        diverged: Callable[[Sequence[WorkItem], Stops], None],
    ):
        self.items = items
        self.threads = threads
        self.width = sub_group_size_of(kernel)
        self.diverged = diverged
        self.stops: list[Stop | None] = [None] * len(items)
        """Where each one waits; None: it has finished."""

    def run(self) -> None:
        """Run each work-item up to its next stop, or to its end, until all have finished."""
        answers: Mapping[int, Any] | None = dict.fromkeys(range(len(self.items)))
        while answers:
            for number, answer in answers.items():
                try:
                    self.stops[number] = self.threads[number].send(answer)
                except StopIteration:
                    self.stops[number] = None
            answers = self._of_sub_groups()
            if answers is not None and not answers:
                answers = self._of_work_group()

    def _of_sub_groups(self) -> Mapping[int, Any] | None:
        """The work-items that continue since their sub-group can, with the answers they get; None
        where one cannot continue."""
        answers: dict[int, Any] = {}
        if not any(stop is not None and _is_of_sub_group(stop.op) for stop in self.stops):
            return answers
        for start in range(0, len(self.items), self.width):
            row = range(start, min(start + self.width, len(self.items)))
            stops = {number: stop for number in row if (stop := self.stops[number]) is not None}
            if not stops:
                continue
            # Work-items that have executed less go first: all meet where control flow joins.
            first = min(stops.values(), key=lambda stop: stop.path)
            if not _is_of_sub_group(first.op):
                continue
            together = {n: stop for n, stop in stops.items() if stop.path == first.path}
            partial = isinstance(first.op, Collective) and first.op.non_uniform is not None
            if len(together) < len(row) and not partial:
                self._diverge(row)
                return None
            answers.update(self._answers(first.op, row, together))
        return answers

    def _of_work_group(self) -> Mapping[int, Any] | None:
        """The same for the work-group; nothing where all have finished."""
        stops = self.stops
        row = range(len(stops))
        first = stops[0]
        if any((stop and stop.op) is not (first and first.op) for stop in stops):
            self._diverge(row)
            return None
        if first is None:
            return None
        together = {number: stop for number, stop in enumerate(stops) if stop is not None}
        return self._answers(first.op, row, together)

    def _answers(self, op: Operation, row: range, stops: Mapping[int, Stop]) -> Mapping[int, Any]:
        if not isinstance(op, Collective):
            return dict.fromkeys(row)
        values = [stops[number].values if number in stops else None for number in row]
        results = collective_results(op, values, self.width)
        return {number: results[number - row.start] for number in stops}

    def _diverge(self, row: range) -> None:
        where: Stops = {}
        for number in row:
            stop = self.stops[number]
            where.setdefault(None if stop is None else stop.op, []).append(self.items[number])
        self.diverged(self.items, where)


def _is_of_sub_group(op: Operation) -> bool:
    """Whether the work-items of a sub-group, not those of the work-group, meet at `op`."""
    return op.is_sub_group if isinstance(op, Collective | BarrierOp) else False


def meeting(op: Operation) -> tuple[str, str]:
    """What work-items meet at, and whose they are: `barrier`, `group`."""
    what = "collective function" if isinstance(op, Collective) else "barrier"
    return what, "sub-group" if _is_of_sub_group(op) else "group"


def _raise_divergence(items: Sequence[WorkItem], where: Stops) -> None:
    barrier = next(stop for stop in where if stop is not None)
    parts = [
        describe_items(members, "has finished", "have finished")
        if stop is None
        else f"{describe_items(members, 'waits', 'wait')} at {place_of(stop)}"
        for stop, members in where.items()
    ]
    what, group = meeting(barrier)
    raise located_error(
        barrier,
        f"divergent {what} in work-group {items[0].group.id}: {', but '.join(parts)}; "
        f"expected all work-items of the {group} to reach the same {what}",
    )


def describe_items(items: Sequence[WorkItem], does: str, do: str) -> str:
    """The local ids of the first few work-items, and a verb."""
    shown = ", ".join(str(item.local_id) for item in items[:3])
    more = len(items) - 3
    noun = "the work-item with local id" if len(items) == 1 else "work-items with local ids"
    more_text = f" and {more} more" if more > 0 else ""
    return f"{noun} {shown}{more_text} {does if len(items) == 1 else do}"
