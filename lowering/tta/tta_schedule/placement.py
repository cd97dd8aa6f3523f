"""Places the operations of a block: the cycle, the unit and the operand moves of each.

Values are placed as trees: a root together with the values that only it reads. A tree is one
transaction: its root is tried in successive cycles until the whole tree fits, and a failed attempt
is undone. Cycles that are not feasible are skipped (feasible_cycles.py). A value with several
readers is placed before them, no sooner than the first of them needs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from polycl.dialects.tta import Guard
from polycl.lowering.tta.tta_schedule.block_graph import (
    COPY,
    GUARD,
    SELECT,
    Graph,
    Value,
    tree_of,
)
from polycl.lowering.tta.tta_schedule.feasible_cycles import PATIENCE, lowest, since
from polycl.lowering.tta.tta_schedule.register_assignment import BlockRegisters
from polycl.lowering.tta.tta_schedule.schedule_operations import Operations
from polycl.lowering.tta.tta_schedule.tables import OPEN, Tables

ATTEMPTS = 40
"""The most operations that are tried in one transaction for one cycle of its root."""
NEAR = 32
"""The number of cycles that are tried one by one; then steps become larger and larger."""
BACK = 6
"""The number of cycles tried before the one in which a value's first reader needs it."""


class PlacementError(Exception):
    """A value could not be placed."""

    def __init__(self, value: Value, reason: str):
        super().__init__(reason)
        self.value = value


class Placement(Operations):
    """The schedule of one block, root by root."""

    def __init__(self, graph: Graph, tables: Tables, registers: BlockRegisters, late: bool = False):
        """With `late`, a value with several readers is placed when the first of them needs it."""
        super().__init__(graph, tables, registers)
        self.triggered = {}
        self.end = 0
        self.attempts = 0
        self.tried = 0
        """How many cycles were tried for roots: what the time of a placement grows with."""
        self.tree = {}
        self.asap = self._soonest()
        self._late = late
        self.late_differs = False
        """Whether a value would be placed elsewhere with the other value of `late`."""
        self._wanted: dict[Value, int] = {}

    def place(self, root: Value) -> None:
        """Places a root and the tree of values that only it reads. Raises PlacementError."""
        if root in self.cycles:
            return
        self.tree = {}
        self.short = None
        register = self._register_from(root)
        if register is None:
            self.short = self.kind(root)
            raise PlacementError(root, "all registers hold values that are still read")
        feasible = self.feasible(root, self.tree)
        first = register - self._latest_write(root) if register else 0
        for cycle in self._candidates(root, feasible):
            if cycle < first:
                self.short = self.kind(root)
                continue
            mark = self.tables.mark()
            self.attempts = ATTEMPTS
            self.tried += 1
            if self._place_root(root, cycle):
                self.tables.log.clear()
                self.end = max(self.end, self.cycles[root])
                return
            self.tables.undo(mark)
        raise PlacementError(root, "no cycle has the registers, ports and units that it needs")

    def _register_from(self, root: Value) -> int | None:
        """A cycle before which no register is free for the root and what reads it later.

        None if no register is free, nor becomes free when its tree is placed.
        """
        if root.operation == COPY or root.is_store:
            return 0
        found = self.free_from(root)
        if found == 0:
            return 0
        read = Counter(
            operand
            for node in tree_of(root)
            for operand in node.operands
            if isinstance(operand, Value) and operand in self.assigned
        )
        files = {file.name for file in self._allowed[self.kind(root)]}
        for value, count in read.items():
            assigned = self.assigned[value]
            if assigned.register.file in files and self.left[value] <= count:
                if not value.live_out:
                    end = max(assigned.last, 0)
                    found = end if found is None else min(found, end)
        return found

    def _latest_write(self, root: Value) -> int:
        """The most cycles from the begin of a value to the move into its register."""
        latencies = [operation.latency for _, operation in self.units_for(root)]
        return max(latencies) + PATIENCE if latencies else 0

    def _candidates(self, root: Value, feasible: int) -> Iterator[int]:
        """The cycles to try: near the one wanted by the first reader, else the earliest ones."""
        feasible &= since(0)
        if not feasible:
            return
        first = lowest(feasible)
        last = self.tables.last(first, self.end)
        wanted = self._wanted_at(root) if self._late or not self.late_differs else None
        later = wanted is not None and wanted > first
        self.late_differs |= later
        if wanted is not None and later and self._late:
            before = feasible & ((2 << wanted) - 1)
            for _ in range(BACK):
                if not before:
                    break
                cycle = before.bit_length() - 1
                yield cycle
                before ^= 1 << cycle
            first = wanted + 1
        tried = 0
        feasible &= since(first)
        while feasible:
            cycle = lowest(feasible)
            if cycle > last:
                return
            yield cycle
            tried += 1
            step = 1 if tried < NEAR else min(1 << (tried - NEAR) // 4, 16)
            feasible &= since(cycle + step)

    # When a value is wanted.

    def _soonest(self) -> dict[Value, int]:
        """For each value, a lower bound of the cycle in which it can begin, by latencies (ASAP)."""
        found: dict[Value, int] = {}
        for value in self.graph.values:
            cycle = 0
            for operand in value.operands:
                if isinstance(operand, Value) and operand in found:
                    cycle = max(cycle, found[operand] + self.latency(operand))
            for other, distance in value.after:
                cycle = max(cycle, found.get(other, 0) + distance)
            found[value] = cycle
        return found

    def _wanted_at(self, root: Value) -> int | None:
        """The cycle in which a value should begin for the reader that needs it first."""
        chain = [root]
        while chain[-1].reader is not None and chain[-1] not in self._wanted:
            chain.append(chain[-1].reader)
        for value in reversed(chain):
            if value in self._wanted or value.reader is None:
                continue
            reader = value.reader
            tree: dict[Value, int] = {}
            feasible = self.feasible(reader, tree) & since(self._wanted.get(reader, 0))
            begin = lowest(feasible) if feasible else self.end
            self._wanted[value] = begin - self._distance(reader, value)
        return self._wanted.get(root)

    def _distance(self, reader: Value, value: Value) -> int:
        """The cycles from the begin of a value to the begin of the root whose tree reads it."""
        best = 0
        work = [(reader, 0)]
        while work:
            node, distance = work.pop()
            for operand in node.operands:
                if operand is value:
                    # A guard is moved into its register first.
                    best = max(best, distance + (operand is node.guard))
                elif isinstance(operand, Value) and not operand.root:
                    if operand not in self.cycles:
                        work.append((operand, distance + self.latency(operand)))
        return best + self.latency(value)

    # Roots.

    def _place_root(self, root: Value, cycle: int) -> bool:
        if root.operation == COPY:
            return self._copy(root, cycle)
        if root.operation == SELECT:
            return self._select(root, cycle)
        if root.operation == GUARD:
            return self._fill_guard(root, cycle)
        if not self.operate(root, cycle):
            return False
        return root.is_store or self._keep(root)

    def _copy(self, copy: Value, cycle: int) -> bool:
        """Moves the input into the register of the following blocks."""
        target, source = copy.target, copy.inputs[0]
        assert target is not None
        assigned = self.assigned.get(source) if isinstance(source, Value) else None
        if assigned is not None and assigned.register == target and assigned.interval.start < 0:
            assert isinstance(source, Value)
            self.used(source)
        elif not self.fetch(source, cycle, target):
            return False
        elif self.tables.take_register(target, cycle, OPEN, copy) is None:
            return False
        self.set_cycle(copy, cycle)
        return True

    def _select(self, value: Value, cycle: int) -> bool:
        """Two guarded moves in one cycle, or one without a guard followed by a guarded one."""
        condition = value.guard
        assert isinstance(condition, Value)
        guard = self.guard(condition, cycle)
        if guard is None:
            return False
        inverse = Guard(guard.register_file, guard.index, True)
        for first in (cycle, cycle - 1, cycle - 2):
            for register, copy in self.registers(value, first):
                mark = self.tables.mark()
                assigned = self.assign_register(value, register, first, OPEN, copy)
                if (
                    assigned is not None
                    and self.fetch(value.inputs[0], cycle, register, guard)
                    and self.fetch(
                        value.inputs[1], first, register, inverse if first == cycle else None
                    )
                ):
                    # A read must see both writes.
                    self.set_cycle(value, cycle)
                    return True
                self.tables.undo(mark)
                if assigned is not None:
                    break
            else:
                self.short = self.kind(value)
        return False

    def _fill_guard(self, value: Value, cycle: int) -> bool:
        """Moves the input into a guard register."""
        for register, copy in self.registers(value, cycle):
            mark = self.tables.mark()
            assigned = self.assign_register(value, register, cycle, OPEN, copy)
            if assigned is not None:
                if self.fetch(value.inputs[0], cycle, register):
                    self.set_cycle(value, cycle)
                    return True
                self.tables.undo(mark)
                return False
        self.short = self.kind(value)
        return False

    def _keep(self, value: Value) -> bool:
        """Assigns a register as early as possible, for readers that are placed later."""
        result = self.results[value]
        until = self.tables.result_until(result.unit, result.port, result.ready)
        for cycle in range(result.ready, min(until, result.ready + PATIENCE) + 1):
            if self.write_register(value, cycle, OPEN):
                return True
        return False
