"""Data races: the accesses to bytes of global and local memory, and their order.

Two accesses of different work-items to the same bytes, one of them a write, race unless something
orders them:

- a barrier of their work-group that fences the memory (`CLK_LOCAL_MEM_FENCE` for local memory,
  `CLK_GLOBAL_MEM_FENCE` for global memory). The barriers of a group cut its execution into
  epochs, counted for each memory; accesses of one group in different epochs are ordered. A read
  is done before any barrier lets the group continue, whatever it fences: it does not race with a
  write after the barrier, except by the letter of the standard, which strict checks follow.
- both being atomic. A compare-and-exchange that fails is an atomic read.
- a fence, then an atomic of the first; then an atomic of the second. The places of the atomics are
  not compared: a race may be missed here, but none is invented.

Nothing else orders the accesses of two groups. The groups run one after the other, so one access of
each kind is enough for all earlier groups.
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
its operation, and the launch's clock."""

ORDERED = -1
"""The epoch of accesses that do not race with any access of the same group."""

Bounds: TypeAlias = tuple[int, int, int]
"""For each age below, the first epoch of accesses that are not ordered before now."""

# The table of a cell: an access of each kind and age. Two readers are kept, since the next writer
# may be one of them; so are two atomics. An update is an atomic that writes, a peek one that only
# reads. An early read came before a barrier that did not end the epoch; strict checks need it.
WRITE, READ, READ2, EARLY_READ, EARLY_READ2, UPDATE, UPDATE2, PEEK, PEEK2 = range(9)
OLD_WRITE, OLD_READ, OLD_UPDATE, OLD_PEEK = range(9, 13)
_SLOTS = 13

_VERBS = (
    *("writes", "reads", "reads", "reads", "reads", "updates", "updates", "reads", "reads"),
    *("writes", "reads", "updates", "reads"),
)
"""The verb of the access in each slot."""

_AGES = ((WRITE, OLD_WRITE), (READ, OLD_READ), (UPDATE, OLD_UPDATE), (PEEK, OLD_PEEK))

# Two accesses of different work-items race if the earlier one is of this epoch; or after the last
# barrier (in strict checks, the last that fences the memory); or of an earlier group.
EPOCH, BARRIER, GROUP = range(3)
_READS = (BARRIER, (READ, READ2, EARLY_READ, EARLY_READ2))
_RIVALS = {
    READ: ((EPOCH, (WRITE, UPDATE, UPDATE2)), (GROUP, (OLD_WRITE, OLD_UPDATE))),
    WRITE: (
        (EPOCH, (WRITE, UPDATE, UPDATE2)),
        (EPOCH, (PEEK, PEEK2)),
        _READS,
        (GROUP, (OLD_WRITE, OLD_READ, OLD_UPDATE, OLD_PEEK)),
    ),
    UPDATE: ((EPOCH, (WRITE,)), _READS, (GROUP, (OLD_WRITE, OLD_READ))),
    PEEK: ((EPOCH, (WRITE,)), (GROUP, (OLD_WRITE,))),
}
"""The slots that an access may race with; the first race of each part is reported."""


class Cell:
    """The accesses to one granule of memory that a later one may race with."""

    __slots__ = ("accesses", "group")

    def __init__(self, group: Group):
        self.group = group
        """The last group that accessed the cell."""
        self.accesses: list[Access | None] = [None] * _SLOTS
        """By slot."""

    def enter(self, group: Group) -> None:
        """The first access of another group."""
        last = self.accesses
        self.accesses = [None] * _SLOTS
        for slot, old in _AGES:
            self.accesses[old] = last[slot] or last[old]
        self.group = group

    def copy(self) -> Cell:
        new = Cell(self.group)
        new.accesses = self.accesses[:]
        return new


class Shadow:
    """The cells of one buffer that several work-items can access.

    A cell is `granule` bytes: the largest size that divides all accesses so far.
    """

    __slots__ = ("cells", "granule", "is_local", "name")

    def __init__(self, name: str, *, is_local: bool):
        self.name = name
        """The noun phrase that a finding uses, say "local memory 'tile'"."""
        self.is_local = is_local
        self.granule = 0
        self.cells: dict[int, Cell] = {}

    def cells_of(self, offset: int, size: int, group: Group) -> list[tuple[int, Cell]]:
        """The cells of an access with the byte offset of each."""
        granule, cells = self.granule, self.cells
        if size == granule and offset % size == 0:
            # The most common case is written out.
            cell = cells.get(offset // size)
            if cell is not None and cell.group is group:
                return [(offset, cell)]
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
        """Make the cells so small that the access covers whole cells."""
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

    def access(
        self,
        kind: int,
        offset: int,
        size: int,
        op: Operation,
        item: WorkItem,
        launch: CheckedLaunch,
        before: bytes = b"",
        after: bytes = b"",
        *,
        lasting: bool = True,
    ) -> None:
        """READ, WRITE, UPDATE or PEEK; `before` and `after` are the bytes of a write.

        Without `lasting`, the access is ordered before later accesses of its own group.
        """
        group: CheckedGroup = launch.group
        bounds = group.bounds[self.is_local]
        access = (item, group.barriers if kind == READ else bounds[EPOCH], op, launch.clock)
        # The most common case: the first access to one granule.
        if size == self.granule and offset % size == 0 and offset // size not in self.cells:
            cell = self.cells[offset // size] = Cell(group)
            cell.accesses[kind] = access if lasting else (item, ORDERED, op, launch.clock)
            return
        for at, cell in self.cells_of(offset, size, group):
            accesses = cell.accesses
            for age, rivals in _RIVALS[kind]:
                bound = bounds[age]
                for rival in rivals:
                    other = accesses[rival]
                    if other is None or other[0] is item or other[1] < bound:
                        continue
                    part = slice(at - offset, at - offset + self.granule)
                    same = _VERBS[kind] == _VERBS[rival] == "writes" and before[part] == after[part]
                    unfenced = age == BARRIER and other[1] != group.barriers
                    verbs = _VERBS[kind], _VERBS[rival]
                    launch.race(self, at, size, access, other, verbs, same=same, unfenced=unfenced)
                    if not same:
                        break
            first = accesses[kind]
            if not lasting:
                if kind == WRITE or first is None:
                    accesses[kind] = (item, ORDERED, op, launch.clock)
            elif kind == WRITE:
                accesses[WRITE] = access
            elif first is None or first[1] != access[1]:
                if kind == READ and first is not None and first[1] >= bounds[BARRIER]:
                    accesses[EARLY_READ : EARLY_READ2 + 1] = accesses[READ : READ2 + 1]
                accesses[kind], accesses[kind + 1] = access, None
            elif first[0] is not item and accesses[kind + 1] is None:
                accesses[kind + 1] = access
