"""The cycles in which an operation may fit, as bits; no other cycle is tried.

A set of cycles is an integer whose bit `c` means cycle `c`. All resources are free after the end
of a block, so most sets are infinite (negative integers). A set considers each value alone:
whether several values that compete for a resource fit together is found out by an attempt.
"""

from __future__ import annotations

from polycl.lowering.tta.tta_schedule.block_graph import COPY, GUARD, JUMP, SELECT, Operand, Value
from polycl.lowering.tta.tta_schedule.register_assignment import RegisterAssignment
from polycl.lowering.tta.tta_schedule.tables import OPEN

PATIENCE = 6
"""For how many cycles a result may wait in its port before another placement is tried."""
EARLY = 4
"""For how many cycles an operand may wait in its port for the operation."""


def since(cycle: int) -> int:
    """All cycles from `cycle` on."""
    return -1 << max(cycle, 0)


def lowest(cycles: int) -> int:
    """The first cycle of a nonempty set."""
    return (cycles & -cycles).bit_length() - 1


def spread(cycles: int, count: int) -> int:
    """Each of the cycles, and the `count - 1` cycles after it."""
    done = 1
    while done < count:
        step = min(done, count - done)
        cycles |= cycles << step
        done += step
    return cycles


class FeasibleCycles(RegisterAssignment):
    """The feasible cycles of values that are not placed yet."""

    def feasible(self, value: Value, tree: dict[Value, int]) -> int:
        """The cycles in which an operation may begin.

        The sets of the values that are placed together with it are stored in `tree`.
        """
        operation = value.operation
        if operation == COPY:
            assert value.target is not None
            old = self.entries.get(value.target)
            last = -1 if old is None else max(self.assigned[old].last, 0)
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
            if guard in self.cycles and guard in self.assigned:
                found &= since(self.written(guard, self.assigned[guard]) + 1)
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
        """A lower bound of the cycle in which a value that is not placed can begin."""
        return self.asap.get(value, 0)

    asap: dict[Value, int]

    def _operation(self, value: Value, tree: dict[Value, int]) -> int:
        tables = self.tables
        found = 0
        arrivals = [self._arrives(operand, tree) for operand in value.inputs]
        in_time = [arrivals[0], arrivals[0]]
        if len(arrivals) > 1:
            # Only the operand that triggers cannot wait in its port.
            first, second = arrivals
            in_time = [first & spread(second, EARLY), second & spread(first, EARLY)]
        for way in self.ways_for(value):
            unfitting = 0
            when = in_time[way.last]
            if way.port is not None:
                rest = value.inputs if way.swaps else (value.inputs[1 - way.last],)
                when |= in_time[1 - way.last] if way.swaps else 0
                unfitting = tables.unfitting(way.unit, way.port, rest)
            when &= tables.transporting(way.triggers)
            if value.root and way.output is not None:
                when &= tables.leaving(way.leaves, way.latency)
            found |= when & tables.free(way.unit, way.output, way.latency, unfitting)
        return found & since(self.soonest(value))

    def _arrives(self, operand: Operand, tree: dict[Value, int]) -> int:
        """The cycles in which an operand can be moved."""
        if isinstance(operand, int):
            return -1
        if operand not in self.cycles:
            if operand.root:
                return since(self.soonest(operand) + self.latency(operand))
            return spread(self.feasible(operand, tree) << self.latency(operand), PATIENCE)
        found = 0
        result = self.results.get(operand)
        if result is not None:
            until = self.tables.result_until(result.unit, result.port, result.ready)
            found = since(result.ready)
            if until < OPEN:
                found &= (2 << until) - 1
        assigned = self.assigned.get(operand)
        if assigned is not None:
            written = self.written(operand, assigned)
            held = self.tables.held(assigned.interval)
            found |= self.tables.readable(assigned.register) & held & since(written + 1)
        return found
