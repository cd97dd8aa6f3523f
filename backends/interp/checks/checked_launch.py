"""The state of a checked launch, and its execution."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Operation

from polycl.backends.device import NDRange, Size3
from polycl.backends.interp.buffers import AddressMap, Buffer, Pointer
from polycl.backends.interp.checks import remedies
from polycl.backends.interp.checks.findings import Findings
from polycl.backends.interp.checks.poison import Poison
from polycl.backends.interp.checks.shadow import ORDERED, Access, Bounds, Shadow
from polycl.backends.interp.schedule import Stops, describe_items, ids, meeting, run_group
from polycl.backends.interp.state import Group, Launch, StepLimit, WorkItem
from polycl.backends.interp.translate import FunctionCode
from polycl.dialects.ocl import AddressSpace
from polycl.errors import LaunchError


@dataclass
class Copy:
    """An asynchronous copy of a group that has begun."""

    op: Operation
    event: int
    operands: tuple[Any, ...]
    item: WorkItem
    """The first work-item that started it."""
    reads: list[tuple[Buffer, int, int]]
    """Buffer, first byte, end."""
    writes: list[tuple[Buffer, int, int]]
    arrived: int = 1
    """The number of work-items that started it."""
    pending: bool = True
    """Whether it has not been waited for."""


class CheckedGroup(Group):
    """One work-group while it runs: its barriers and asynchronous copies."""

    def __init__(self, launch: CheckedLaunch, group_id: Size3):
        super().__init__(launch, group_id)
        self.barriers = 0
        """The number of barriers that the group has passed."""
        self.bounds: list[Bounds] = [(0, 0, ORDERED)] * 2
        """Of global and of local memory."""
        self._strict = launch.findings.strict
        self.copies: dict[tuple[Operation, int], Copy] = {}
        """By operation and by the number of its earlier executions by a work-item."""
        self.copies_by: dict[tuple[Operation, Size3 | None], int] = {}
        """The number of executions of an operation by a work-item."""
        self.pending: list[Copy] = []

    def pass_barrier(self, *, fences_local: bool, fences_global: bool) -> None:
        self.barriers += 1
        for is_local, fences in enumerate((fences_global, fences_local)):
            epoch, since, old = self.bounds[is_local]
            since = since if self._strict and not fences else self.barriers
            self.bounds[is_local] = (epoch + fences, since, old)


class CheckedLaunch(Launch):
    """One run of a kernel with checks: its findings, and the order of its accesses."""

    def __init__(
        self,
        ndrange: NDRange,
        constants: Mapping[str, Buffer],
        addresses: AddressMap,
        findings: Findings,
    ):
        super().__init__(ndrange, constants, addresses)
        self.findings = findings
        self.group = CheckedGroup(self, (0, 0, 0))
        """The group that runs."""
        self.clock = 0
        """The number of releases so far."""
        self.fenced: set[WorkItem] = set()
        """Work-items that executed a fence: their next atomics release."""
        self._released: dict[WorkItem | Group, int] = {}
        self._acquired: dict[WorkItem | Group, int] = {}
        self._shadows: dict[tuple[int, int], Shadow] = {}
        self._aliases: dict[str, list[str]] = {}
        """The parameters that are each array."""

    def watch_argument(self, name: str, pointer: Pointer, address: int) -> None:
        """Record the accesses to an array, which is at `address` of the host.

        Two parameters may name the same memory.
        """
        buffer = pointer[0]
        if buffer.size == 0:
            return
        key = (address, buffer.size)
        shadow = self._shadows.setdefault(key, Shadow(f"global memory '{name}'", is_local=False))
        buffer.shadow = shadow
        self._aliases.setdefault(shadow.name, []).append(name)

    def new_local(self, name: str, size: int) -> Buffer:
        """Local memory of a new group."""
        what = f"local memory '{name}'" if name else "local memory"
        buffer = Buffer.allocate(what, size, AddressSpace.LOCAL)
        buffer.valid = bytearray(size)
        buffer.shadow = Shadow(what, is_local=True)
        return buffer

    # The order of accesses.

    def fence(self, item: WorkItem) -> None:
        self.fenced.add(item)

    def atomic(self, item: WorkItem) -> None:
        """An atomic acquires what was released before, and releases after a fence."""
        if not self.fenced:
            return
        if item in self.fenced:
            self.clock += 1
            self._released[item] = self._released[item.group] = self.clock
        self._acquired[item] = self._acquired[item.group] = self.clock

    def _ordered(self, first: Access, item: WorkItem) -> bool:
        """Whether fences and atomics order `first` before what `item` does now."""
        before, _, _, clock = first
        same_group = before.group is item.group
        released = self._released.get(before if same_group else before.group)
        acquired = self._acquired.get(item if same_group else item.group)
        return released is not None and acquired is not None and clock < released <= acquired

    # Findings.

    def error(
        self,
        kind: str,
        op: Operation,
        item: WorkItem,
        text: str,
        remedy: Callable[[], str] = str,
    ) -> None:
        """An error of one work-item."""
        self.findings.add(kind, op, lambda: f"{text}; in {item}", remedy=remedy)

    def unset(self, poison: Poison, op: Operation, item: WorkItem, use: str) -> None:
        """`op` uses an unset value."""
        if poison.division:
            self.error("division", poison.op, item, poison.division)
            return
        notes = () if poison.op is op else ((poison.op, poison.describe),)
        self.findings.add(
            "uninitialised",
            op,
            lambda: f"{use}; in {item}",
            notes,
            remedy=lambda: remedies.of_unset(poison.buffer),
        )

    def race(
        self,
        shadow: Shadow,
        offset: int,
        size: int,
        access: Access,
        other: Access,
        verbs: tuple[str, str],
        *,
        same: bool,
        unfenced: bool,
    ) -> None:
        """Two accesses to the same bytes.

        `same`: both write the value that is there. `unfenced`: a read, then a barrier that does
        not fence this memory, then a write.
        """
        item, _, op, _ = access
        before, _, before_op, _ = other
        if self._ordered(other, item):
            return
        place = f"element {offset // size}" if offset % size == 0 else f"byte offset {offset}"
        flag = "CLK_LOCAL_MEM_FENCE" if shadow.is_local else "CLK_GLOBAL_MEM_FENCE"
        if unfenced:
            why = f"the barrier between them is not a barrier({flag})"
        elif before.group is item.group:
            why = f"no barrier({flag}) is between them"
        else:
            why = "nothing orders two work-groups"
        same_text = " the same value" if same else ""

        def message() -> str:
            return f"data race on {shadow.name}, {place}: {short(item)} {verbs[0]}{same_text} here"

        def note() -> str:
            return f"{short(before)} {verbs[1]} here; {why}"

        def remedy() -> str:
            place = remedies.RacePlace(
                shadow.is_local,
                before.group is item.group,
                math.prod(self.ndrange.num_groups) == 1,
                self._aliases.get(shadow.name, ()),
            )
            return remedies.of_race(op, before_op, verbs, place)

        severity = "warning" if same else "error"
        self.findings.add("race", op, message, ((before_op, note),), severity, remedy)

    def touches(
        self, buffer: Buffer, offset: int, size: int, op: Operation, item: WorkItem, *, writes: bool
    ) -> None:
        """An access while copies are under way."""
        for copy in self.group.pending:
            for ranges, is_target in ((copy.writes, True), (copy.reads, False)):
                if not is_target and not writes:
                    continue
                for target, start, end in ranges:
                    if target is not buffer or offset >= end or offset + size <= start:
                        continue
                    verb = "writes" if writes else "reads"
                    role = "target" if is_target else "source"

                    def message(verb: str = verb, role: str = role) -> str:
                        return (
                            f"{short(item)} {verb} the {role} of an asynchronous copy that has "
                            f"not been waited for: byte offset {offset} of {buffer.what}"
                        )

                    notes = ((copy.op, lambda: "the copy starts here"),)
                    self.findings.add("async", op, message, notes)
                    return


def short(item: WorkItem) -> str:
    """`work-item (3, 0, 0) of work-group (0, 0, 0)`, with its local id."""
    if item.local_id is None:
        return f"work-group {item.group.id}"
    return f"work-item {item.local_id} of work-group {item.group.id}"


def run_checked_launch(
    launch: CheckedLaunch,
    kernel: Operation,
    code: FunctionCode,
    arguments: Callable[[], Sequence[Any]],
    groups: Iterable[Size3] | None = None,
) -> None:
    """Run every work-group, or those given; a group that cannot continue ends early."""

    def diverged(items: Sequence[WorkItem], where: Stops) -> None:
        _report_divergence(launch, items, where)

    mark = launch.addresses.mark()
    for group_id in ids(launch.ndrange.num_groups) if groups is None else groups:
        group = launch.group = CheckedGroup(launch, group_id)
        try:
            run_group(group, kernel, code, arguments(), diverged)
        except StepLimit:
            raise
        except LaunchError as error:
            launch.findings.add_error(error, f"work-group {group_id}")
        _finish_copies(launch, group)
        launch.addresses.forget(mark)
    launch.findings.drop_consequences()
    launch.findings.put_causes_first()
    launch.findings.select()


def _report_divergence(launch: CheckedLaunch, items: Sequence[WorkItem], where: Stops) -> None:
    (first, *others) = (stop for stop in where if stop is not None)
    what, group = meeting(first)
    text = f"divergent {what} in work-group {items[0].group.id}: "
    text += f"{describe_items(where[first], 'waits', 'wait')} here"
    if None in where:
        text += f", but {describe_items(where[None], 'has finished', 'have finished')}"
    text += f"; expected all work-items of the {group} to reach the same {what}"
    notes = tuple(
        (stop, lambda stop=stop: f"{describe_items(where[stop], 'waits', 'wait')} here")
        for stop in others
    )
    launch.findings.add(
        "barrier", first, lambda: text, notes, remedy=lambda: remedies.of_divergence(first)
    )


def _finish_copies(launch: CheckedLaunch, group: CheckedGroup) -> None:
    """Every copy must have been started by all work-items, and been waited for."""
    lx, ly, lz = group.size
    for copy in group.copies.values():
        if copy.item.local_id is not None and copy.arrived != lx * ly * lz:
            text = (
                f"an asynchronous copy is started by {copy.arrived} of the {lx * ly * lz} "
                f"work-items of work-group {group.id}; expected all of them"
            )
            launch.findings.add("async", copy.op, lambda text=text: text)
        elif copy.pending:
            text = f"an asynchronous copy of work-group {group.id} is never waited for"
            launch.findings.add("async", copy.op, lambda text=text: text)
