"""Spills within a block: values with a long live range are stored, or are computed again.

The value whose next reader is farthest away is spilled first (L. A. Belady, A study of replacement
algorithms, IBM Systems Journal 5, 1966). Each remaining reader loads it again just in time, so that
it moves from port to port and needs no register.
"""

from __future__ import annotations

from collections.abc import Iterator

from polycl.dialects.tta import OPSET, Kind, Register
from polycl.errors import PolyclError
from polycl.lowering.tta.memory_map import SPILL, SPILL_END
from polycl.lowering.tta.tta_schedule.block_graph import ENTRY, Graph, Value, tree_of
from polycl.lowering.tta.tta_schedule.placement import Placement, PlacementError
from polycl.lowering.tta.tta_schedule.register_assignment import Assigned, BlockRegisters
from polycl.lowering.tta.tta_schedule.tables import Tables


class Slots(Iterator[int]):
    """Consecutive addresses of words in memory for spilled values."""

    def __init__(self):
        self.following = SPILL
        """The next address; set back where what is spilled from it on is not read any more."""
        self._end = SPILL

    def __next__(self) -> int:
        if self.following == SPILL_END:
            raise PolyclError(
                f"tta-schedule: more than {(SPILL_END - SPILL) // 4} values are spilled"
            )
        self.following += 4
        self._end = max(self._end, self.following)
        return self.following - 4

    @property
    def used(self) -> range:
        return range(SPILL, self._end)


class SpillingPlacement(Placement):
    """A placement that spills values if registers run out."""

    def __init__(
        self,
        graph: Graph,
        tables: Tables,
        registers: BlockRegisters,
        late: bool,
        slots: Iterator[int],
    ):
        """`slots` are addresses of words in memory that nothing else uses."""
        super().__init__(graph, tables, registers, late)
        self._slots = slots
        self._stored: dict[Value, tuple[int, Value]] = {}
        """The address of a spilled value, and the store that writes it."""
        self._parts: list[Value] = []
        """The operands that were placed for a root that is not placed yet."""

    def place(self, root: Value) -> None:
        """Places a root, for which it spills values and splits the tree.

        Only values that were placed before the root are spilled for it, each once, and a tree is
        split once a value: so this ends.
        """
        parts = len(self._parts)
        while root not in self.cycles:
            for need in self._missing(root):
                self.place(need)
                self._parts.append(need)
            try:
                super().place(root)
            except PlacementError:
                kind = self.short
                if not self._make_room(root, kind) and not _split(root):
                    self.short = kind
                    raise
        del self._parts[parts:]

    def _missing(self, root: Value) -> list[Value]:
        """The operands of a tree that are roots and not placed: reloads, parts of a split tree."""
        return [
            operand
            for node in tree_of(root)
            for operand in node.operands
            if isinstance(operand, Value) and operand.root and operand not in self.cycles
        ]

    def _make_room(self, root: Value, kind: str | None) -> bool:
        """Frees a register of that kind; returns whether one was found."""
        if kind is None:
            return False
        tree = dict.fromkeys(tree_of(root))
        victims: list[tuple[int, int, Value]] = []
        for value, assigned in self.assigned.items():
            if value.live_out or not self.left[value] or not self._suits(assigned.register, kind):
                continue
            users = self._waiting(value)
            # Two parts of a tree that evict each other would do so for ever.
            if users and value not in self._parts and not tree.keys() & users:
                victims.append((min(user.index for user in users), -len(victims), value))
        # Later readers first; among equals, the value that was placed first.
        for _, _, value in sorted(victims, key=lambda victim: victim[:2], reverse=True):
            if self._is_cheap(value):
                self._replace(value, None)
                self._end(value, self.assigned[value])
                return True
            if self._store(value):
                return True
        return False

    def _suits(self, register: Register, kind: str) -> bool:
        return any(register in file for file in self._files[kind])

    def _waiting(self, value: Value) -> list[Value]:
        """The readers that are not placed yet, each once."""
        return [user for user in dict.fromkeys(value.users) if user not in self.cycles]

    def _is_cheap(self, value: Value) -> bool:
        """Whether a value can be computed again from constants and registers that stay live."""
        semantics = OPSET.get(value.operation)
        return (
            semantics is not None
            and semantics.kind is Kind.PURE
            and self.latency(value) == 1
            and all(
                isinstance(o, int) or (o.operation == ENTRY and o.live_out) for o in value.inputs
            )
        )

    def _store(self, value: Value) -> bool:
        """Spills a value, unless it is in memory already; returns whether that was possible."""
        known = self._stored.get(value)
        if known is not None:
            self._replace(value, known)
            self._end(value, self.assigned[value])
            return True
        address = next(self._slots)
        store = Value(value.index, "st32", (address, value), source=value.source, root=True)
        users, left = value.users, self.left[value]
        value.users = [*(user for user in users if user in self.cycles), store]
        self.left[value] = 1
        self.left[store] = 0
        try:
            super().place(store)
        except PlacementError:
            value.users, self.left[value] = users, left
            return False
        value.users = users
        self._replace(value, (address, store))
        return True

    def _replace(self, value: Value, stored: tuple[int, Value] | None) -> None:
        """Each remaining reader gets a value of its own: a load, or a copy of the operation."""
        waiting = self._waiting(value)
        for user in waiting:
            if stored is None:
                new = Value(user.index, value.operation, value.inputs)
                for operand in new.inputs:
                    if isinstance(operand, Value):
                        operand.users.append(new)
                        self.left[operand] += 1
            else:
                address, store = stored
                new = Value(user.index, "ld32", (address,), after=[(store, 1)])
                store.before.append((new, 1))
                self._stored[new] = stored
            new.boolean, new.source = value.boolean, value.source
            new.users = [user] * value.users.count(user)
            user.inputs = tuple(new if operand is value else operand for operand in user.inputs)
            if user.guard is value:
                user.guard = new
                new.guards = True
            new.root = new.guards or len(new.users) > 1
            self.left[new] = len(new.users)
        value.users = [user for user in value.users if user not in waiting]
        self.left[value] = 0

    def _end(self, value: Value, assigned: Assigned) -> None:
        """Releases the register of a value after its last reader."""
        self.tables.set_end(
            assigned.interval, max(assigned.last, self.written(value, assigned) + 1)
        )
        self.tables.log.clear()


def _split(root: Value) -> bool:
    """Makes the operands that are placed together with a root roots; returns whether any exist."""
    parts = [o for o in root.operands if isinstance(o, Value)]
    parts = [o for o in parts if not o.root and o.operation != ENTRY]
    for part in parts:
        part.root = True
        part.reader = root
    return bool(parts)
