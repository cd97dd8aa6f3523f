"""In which cycles something may fit, as bits: what is not among them need not be tried.

A set of cycles is an integer whose bit `c` stands for cycle `c`; as all is free behind the end of
a block, most sets have no end (they are negative). A set is found by a few operations on whole
integers. It says what one value needs; where several compete for one thing, only an attempt tells.
"""

from __future__ import annotations

from polycl.lowering.tta.tta_schedule.block_graph import COPY, GUARD, JUMP, SELECT, Operand, Value
from polycl.lowering.tta.tta_schedule.homes import Homes
from polycl.lowering.tta.tta_schedule.tables import OPEN

PATIENCE = 6
"""For how many cycles a result may wait in its port before another placement is tried."""
EARLY = 4
"""For how many cycles an operand may wait in its port for the operation."""


def since(cycle: int) -> int:
    """All cycles from that one on."""
    return -1 << max(cycle, 0)


def lowest(cycles: int) -> int:
    """The first cycle of a set that is not empty."""
    return (cycles & -cycles).bit_length() - 1


def spread(cycles: int, count: int) -> int:
    """Each of the cycles, and the `count - 1` cycles behind it."""
    done = 1
    while done < count:
        step = min(done, count - done)
        cycles |= cycles << step
        done += step
    return cycles


class Possible(Homes):
    """The sets of cycles for values that are not placed yet."""

    def possible(self, value: Value, tree: dict[Value, int]) -> int:
        """When an operation could begin; puts the sets of what is placed with it into `tree`."""
        operation = value.operation
        if operation == COPY:
            assert value.target is not None
            old = self.entries.get(value.target)
            last = -1 if old is None else max(self.homes[old].last, 0)
            found = self.tables.writable(value.target.file) & since(last)
            found &= self._arrives(value.inputs[0], tree)
        elif operation == SELECT:
            found = self._arrives(value.inputs[0], tree)
            found &= spread(self._arrives(value.inputs[1], tree), 3)
        elif operation in (GUARD, JUMP):
            found = -1
            for operand in value.inputs:
                found &= self._arrives(operand, tree)
        else:
            found = self._operation(value, tree)
        if isinstance(value.guard, Value):
            guard = value.guard
            if guard in self.cycles and guard in self.homes:
                found &= since(self.written(guard, self.homes[guard]) + 1)
            else:
                found &= since(self.soonest(guard) + 2)
        for other, distance in value.after:
            cycle = self.cycles.get(other)
            if cycle is None:
                cycle = self.soonest(other)
            found &= since(cycle + distance)
        tree[value] = found
        return found

    def soonest(self, value: Value) -> int:
        """A cycle before which a value that is not placed cannot begin."""
        return self.asap.get(value, 0)

    asap: dict[Value, int]

    def _operation(self, value: Value, tree: dict[Value, int]) -> int:
        found = 0
        two = len(value.inputs) > 1
        for unit, operation in self.units(value.operation):
            free = self.tables.free(unit.name, operation.output, operation.latency)
            if two:
                swaps = operation.semantics.commutative
                waiting = operation.inputs[0] == unit.trigger.name
                rest = value.inputs if swaps else value.inputs[1:] if waiting else value.inputs[:1]
                port = operation.inputs[1 if waiting else 0]
                free &= self.tables.fitting(unit.name, port, rest)
            found |= free
        early = EARLY if two else 1
        for operand in value.inputs:
            if isinstance(operand, Value):
                found &= spread(self._arrives(operand, tree), early)
        return found

    def _arrives(self, operand: Operand, tree: dict[Value, int]) -> int:
        """When an operand can be moved."""
        if isinstance(operand, int):
            return -1
        if operand not in self.cycles:
            if operand.root:
                return since(self.soonest(operand) + self.latency(operand))
            return spread(self.possible(operand, tree) << self.latency(operand), PATIENCE)
        found = 0
        result = self.results.get(operand)
        if result is not None:
            until = self.tables.result_until(result.unit, result.port, result.ready)
            found = since(result.ready)
            if until < OPEN:
                found &= (2 << until) - 1
        home = self.homes.get(operand)
        if home is not None:
            written = self.written(operand, home)
            found |= self.tables.readable(home.register) & since(written + 1)
        return found
