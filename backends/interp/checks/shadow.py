"""Data races: who accessed which bytes of global and local memory, and in which order.

Two accesses of different work-items to the same bytes, one of them a write, race unless something
orders them:

- a barrier of their work-group that fences the memory (`CLK_LOCAL_MEM_FENCE` for local memory,
  `CLK_GLOBAL_MEM_FENCE` for global memory). The barriers of a group cut its execution into
  epochs, counted for each memory; accesses of one group in different epochs are ordered. A read
  is done before any barrier lets the group go on, whatever it fences: it races with no write
  after the barrier, but by the letter of the standard, which strict checks follow.
- both being atomic. A compare-and-exchange that fails is an atomic read.
- a fence, then an atomic of the first; then an atomic of the second. Whether both atomics name
  the same place is not asked: a race may be missed here, none is invented.

Nothing else orders the accesses of two groups. The groups run one after the other, so that of an
earlier group one access of each sort is enough to remember.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import Operation

from polycl.backends.interp.state import Group, WorkItem

if TYPE_CHECKING:
    from polycl.backends.interp.checks.checked_launch import CheckedGroup, CheckedLaunch

Access: TypeAlias = tuple[WorkItem, int, Operation, int]
"""A work-item, the epoch of its group (of a read: how many barriers the group has passed),
what it executed, and the launch's clock."""

ORDERED = -1
"""The epoch of accesses that nothing in the same group races with."""


class Cell:
    """The accesses to one granule of memory that a later one may race with."""

    __slots__ = (
        "atomic",
        "atomic2",
        "early_read",
        "early_read2",
        "group",
        "old_atomic",
        "old_peek",
        "old_read",
        "old_write",
        "peek",
        "peek2",
        "read",
        "read2",
        "write",
    )

    def __init__(self, group: Group):
        self.group = group
        """Whose accesses the next nine are."""
        self.write: Access | None = None
        # Of two readers, one is not the next writer; so it is with the others.
        self.read: Access | None = None
        self.read2: Access | None = None
        # Reads of this epoch that came before a barrier which did not end it, for strict checks.
        self.early_read: Access | None = None
        self.early_read2: Access | None = None
        self.atomic: Access | None = None
        self.atomic2: Access | None = None
        # Atomic reads.
        self.peek: Access | None = None
        self.peek2: Access | None = None
        # Accesses of earlier groups.
        self.old_write: Access | None = None
        self.old_read: Access | None = None
        self.old_atomic: Access | None = None
        self.old_peek: Access | None = None

    def enter(self, group: Group) -> None:
        """Another group is the first to access the cell."""
        self.old_write = self.write or self.old_write
        self.old_read = self.read or self.old_read
        self.old_atomic = self.atomic or self.old_atomic
        self.old_peek = self.peek or self.old_peek
        self.write = self.read = self.read2 = self.early_read = self.early_read2 = None
        self.atomic = self.atomic2 = self.peek = self.peek2 = None
        self.group = group

    def copy(self) -> Cell:
        new = Cell(self.group)
        for name in Cell.__slots__:
            setattr(new, name, getattr(self, name))
        return new


class Shadow:
    """The cells of one buffer that several work-items can access.

    A cell stands for `granule` bytes: as many as accesses have needed so far.
    """

    __slots__ = ("cells", "granule", "is_local", "name")

    def __init__(self, name: str, *, is_local: bool):
        self.name = name
        """The noun phrase that a finding uses, say "local memory 'tile'"."""
        self.is_local = is_local
        self.granule = 0
        self.cells: dict[int, Cell] = {}

    def _new_cell(self, offset: int, size: int, group: Group) -> Cell | None:
        """The cell of an access to one granule, if there has been none: the most common case."""
        if size != self.granule or offset % size or offset // size in self.cells:
            return None
        cell = self.cells[offset // size] = Cell(group)
        return cell

    def cells_of(self, offset: int, size: int, group: Group) -> list[tuple[int, Cell]]:
        """The cells of an access with the byte offset of each."""
        granule = self.granule
        if granule == 0 or size % granule or offset % granule:
            granule = self._refine(offset, size)
        cells = self.cells
        result: list[tuple[int, Cell]] = []
        for index in range(offset // granule, (offset + size) // granule):
            cell = cells.get(index)
            if cell is None:
                cell = cells[index] = Cell(group)
            elif cell.group is not group:
                cell.enter(group)
            result.append((index * granule, cell))
        return result

    def _refine(self, offset: int, size: int) -> int:
        """Cells so small that the access covers whole ones."""
        old, new = self.granule, gcd(self.granule, offset, size)
        if old and new != old:
            parts = old // new
            self.cells = {
                index * parts + part: cell if part == 0 else cell.copy()
                for index, cell in self.cells.items()
                for part in range(parts)
            }
        self.granule = new
        return new

    def read(
        self,
        offset: int,
        size: int,
        op: Operation,
        item: WorkItem,
        launch: CheckedLaunch,
        *,
        lasting: bool = True,
    ) -> None:
        """Without `lasting`, the access orders itself before what its own group does later."""
        group: CheckedGroup = launch.group
        epoch = group.local_epoch if self.is_local else group.global_epoch
        access = (item, group.barriers, op, launch.clock)
        if lasting and (new := self._new_cell(offset, size, group)) is not None:
            new.read = access
            return
        for at, cell in self.cells_of(offset, size, group):
            for other in (cell.write, cell.atomic, cell.atomic2):
                if other is not None and other[1] == epoch and other[0] is not item:
                    launch.race(
                        self.name,
                        self.is_local,
                        at,
                        size,
                        access,
                        "reads",
                        other,
                        _verb(cell, other),
                    )
                    break
            for other in (cell.old_write, cell.old_atomic):
                if other is not None:
                    launch.race(
                        self.name,
                        self.is_local,
                        at,
                        size,
                        access,
                        "reads",
                        other,
                        _verb(cell, other),
                    )
                    break
            if not lasting:
                cell.read = cell.read or (item, ORDERED, op, launch.clock)
                continue
            seen = cell.read
            if seen is None or seen[1] != access[1]:
                if seen is not None and seen[1] >= self._since(group):
                    cell.early_read, cell.early_read2 = seen, cell.read2
                cell.read, cell.read2 = access, None
            elif cell.read2 is None and seen[0] is not item:
                cell.read2 = access

    def write(
        self,
        offset: int,
        size: int,
        op: Operation,
        item: WorkItem,
        launch: CheckedLaunch,
        before: bytes,
        after: bytes,
        *,
        lasting: bool = True,
    ) -> None:
        """`before` and `after` are the bytes in memory."""
        group: CheckedGroup = launch.group
        epoch = group.local_epoch if self.is_local else group.global_epoch
        access = (item, epoch, op, launch.clock)
        if lasting and (new := self._new_cell(offset, size, group)) is not None:
            new.write = access
            return
        for at, cell in self.cells_of(offset, size, group):
            part = slice(at - offset, at - offset + self.granule)
            for other in (cell.write, cell.atomic, cell.atomic2):
                if other is not None and other[1] == epoch and other[0] is not item:
                    same = other is cell.write and before[part] == after[part]
                    verb = _verb(cell, other)
                    launch.race(
                        self.name, self.is_local, at, size, access, "writes", other, verb, same=same
                    )
                    if not same:
                        break
            for other in (cell.peek, cell.peek2):
                if other is not None and other[1] == epoch and other[0] is not item:
                    launch.race(
                        self.name, self.is_local, at, size, access, "writes", other, "reads"
                    )
                    break
            self._race_with_reads(cell, at, size, access, "writes", launch)
            for other in (cell.old_write, cell.old_read, cell.old_atomic, cell.old_peek):
                if other is not None:
                    same = other is cell.old_write and before[part] == after[part]
                    verb = _verb(cell, other)
                    launch.race(
                        self.name, self.is_local, at, size, access, "writes", other, verb, same=same
                    )
                    if not same:
                        break
            cell.write = access if lasting else (item, ORDERED, op, launch.clock)

    def _since(self, group: CheckedGroup) -> int:
        return group.local_since if self.is_local else group.global_since

    def _race_with_reads(
        self, cell: Cell, at: int, size: int, access: Access, verb: str, launch: CheckedLaunch
    ) -> None:
        """A write of the group that has read."""
        group, item = launch.group, access[0]
        since = self._since(group) if launch.findings.strict else group.barriers
        for other in (cell.read, cell.read2, cell.early_read, cell.early_read2):
            if other is not None and other[1] >= since and other[0] is not item:
                unfenced = other[1] != group.barriers
                launch.race(
                    self.name,
                    self.is_local,
                    at,
                    size,
                    access,
                    verb,
                    other,
                    "reads",
                    unfenced=unfenced,
                )
                break

    def update(
        self,
        offset: int,
        size: int,
        op: Operation,
        item: WorkItem,
        launch: CheckedLaunch,
        *,
        writes: bool,
    ) -> None:
        """An atomic access; `writes`: it is more than a read."""
        group: CheckedGroup = launch.group
        epoch = group.local_epoch if self.is_local else group.global_epoch
        access = (item, epoch, op, launch.clock)
        for at, cell in self.cells_of(offset, size, group):
            verb = "updates" if writes else "reads"
            other = cell.write
            if other is not None and other[1] == epoch and other[0] is not item:
                launch.race(self.name, self.is_local, at, size, access, verb, other, "writes")
            if writes:
                self._race_with_reads(cell, at, size, access, verb, launch)
            for other in (cell.old_write, cell.old_read if writes else None):
                if other is not None:
                    before = _verb(cell, other)
                    launch.race(self.name, self.is_local, at, size, access, verb, other, before)
                    break
            if writes:
                cell.atomic, cell.atomic2 = _two(cell.atomic, cell.atomic2, access)
            else:
                cell.peek, cell.peek2 = _two(cell.peek, cell.peek2, access)


def _two(
    first: Access | None, second: Access | None, access: Access
) -> tuple[Access | None, Access | None]:
    """`access` and one of another work-item in the same epoch, if there was one."""
    if first is None or first[1] != access[1]:
        return access, None
    if second is None and first[0] is not access[0]:
        return first, access
    return first, second


def _verb(cell: Cell, access: Access) -> str:
    """What an access of the cell did."""
    if access is cell.write or access is cell.old_write:
        return "writes"
    if access in (cell.atomic, cell.atomic2, cell.old_atomic):
        return "updates"
    return "reads"
