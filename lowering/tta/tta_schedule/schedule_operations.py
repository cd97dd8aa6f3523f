"""Triggers an operation in a given cycle: chooses its unit and moves its operands.

A value that is read once is placed together with its reader, as late as possible, so that the
result moves from port to port (software bypassing).
"""

from __future__ import annotations

from collections.abc import Iterator

from polycl.dialects.tta import (
    Destination,
    FunctionUnit,
    Guard,
    Immediate,
    UnitOperation,
    UnitPort,
)
from polycl.lowering.tta.tta_schedule.block_graph import Operand, Value
from polycl.lowering.tta.tta_schedule.feasible_cycles import EARLY, PATIENCE, FeasibleCycles
from polycl.lowering.tta.tta_schedule.register_assignment import Assigned, Result

ALIKE = 2
"""The number of free units that are tried for an operation in one cycle: they are similar."""
MANY = 4
"""A value with more readers is preferred to a constant for an operand port that is shared."""


class Operations(FeasibleCycles):
    """Each method takes its resources from the tables, or fails; the caller undoes a failure."""

    def operate(self, value: Value, cycle: int) -> bool:
        """Triggers an operation at `cycle`, after placing the operands that it needs."""
        if cycle < 0 or self.attempts <= 0 or not self._in_order(value, cycle):
            return False
        tables = self.tables
        failed = 0
        for unit, operation, inputs in self._arrangements(value, cycle):
            if self.attempts <= 0:
                return False
            self.attempts -= 1
            mark = tables.mark()
            ready = cycle + operation.latency
            if (
                tables.trigger(unit.name, cycle)
                and (operation.output is None or tables.result(unit.name, operation.output, ready))
                and self._operands(value, cycle, unit, operation, inputs)
            ):
                if operation.output is not None:
                    self.results[value] = Result(unit.name, operation.output, ready)
                    tables.log.append((self.results.pop, (value,)))
                self.triggered[unit.name, cycle] = value
                tables.log.append((self.triggered.pop, ((unit.name, cycle),)))
                self.set_cycle(value, cycle)
                return True
            tables.undo(mark)
            failed += 1
            if failed == ALIKE:
                break
        return False

    attempts: int
    """The number of operations that may still be tried in this transaction."""
    triggered: dict[tuple[str, int], Value]
    """By unit and cycle: the value whose operation is triggered."""

    def _in_order(self, value: Value, cycle: int) -> bool:
        cycles = self.cycles
        for other, distance in value.after:
            if other in cycles and cycles[other] + distance > cycle:
                return False
        for other, distance in value.before:
            if other in cycles and cycle + distance > cycles[other]:
                return False
        return True

    def _arrangements(
        self, value: Value, cycle: int
    ) -> Iterator[tuple[FunctionUnit, UnitOperation, tuple[Operand, ...]]]:
        """The free units and orders of inputs, units that have an operand already first."""
        units = [
            (unit, operation)
            for unit, operation in self.units_for(value)
            if self.tables.is_free(unit.name, operation.output, operation.latency, cycle)
        ]
        if len(value.inputs) < 2:
            for unit, operation in units:
                yield unit, operation, value.inputs
            return
        orders: list[tuple[Operand, ...]] = [value.inputs]
        if units and units[0][1].semantics.commutative:
            orders.append(value.inputs[::-1])
        others: list[tuple[int, FunctionUnit, UnitOperation, tuple[Operand, ...]]] = []
        for unit, operation in units:
            trigger = operation.inputs.index(unit.trigger.name)
            port = operation.inputs[1 - trigger]
            for inputs in orders:
                rest = inputs[1 - trigger]
                there = self.tables.at_port(unit.name, port, cycle, rest)
                if there:
                    yield unit, operation, inputs
                elif there is not None:
                    others.append((-self._worth(rest), unit, operation, inputs))
        # An operand that is likely to be shared goes to the port that does not trigger.
        others.sort(key=lambda other: other[0])
        for _, unit, operation, inputs in others:
            yield unit, operation, inputs

    def _worth(self, operand: Operand) -> int:
        """The benefit if an operand stays in its port."""
        if isinstance(operand, int):
            return MANY
        return len(operand.users) if operand in self.cycles else 0

    def _operands(
        self,
        value: Value,
        cycle: int,
        unit: FunctionUnit,
        operation: UnitOperation,
        inputs: tuple[Operand, ...],
    ) -> bool:
        guard = None
        if isinstance(value.guard, Value):
            guard = self.guard(value.guard, cycle)
            if guard is None:
                return False
        trigger = unit.trigger.name
        ends = list(zip(operation.inputs, inputs, strict=True))
        if len(ends) > 1:
            # A placed operand fails at once, if it fails; the one that triggers has one cycle only.
            ends.sort(
                key=lambda end: (
                    isinstance(end[1], Value) and end[1] not in self.cycles,
                    end[0] != trigger,
                )
            )
        if len(ends) == 1 or not self.machine.is_sparse:
            return self._moved(value, cycle, unit, guard, ends, cycle)
        # The operands may compete for a bus; the one that triggers has no choice of cycles.
        first, last = ends if ends[0][0] == trigger else ends[::-1]
        tables = self.tables
        reach = tables.connections.reach
        buses = reach(UnitPort(unit.name, trigger, value.operation), True)
        buses |= reach(UnitPort(unit.name, last[0]), True)
        # Long immediates take a bus, too, in the cycles before; so both orders are tried.
        attempts = [([last, first], cycle - 1), ([first, last], cycle)]
        if buses.bit_count() > 1:
            attempts = [([first, last], cycle), ([last, first], cycle), attempts[0]]
        mark = tables.mark()
        for ends, latest in attempts:
            if self._moved(value, cycle, unit, guard, ends, latest):
                return True
            tables.undo(mark)
        return False

    def _moved(
        self,
        value: Value,
        cycle: int,
        unit: FunctionUnit,
        guard: Guard | None,
        ends: list[tuple[str, Operand]],
        latest: int,
    ) -> bool:
        """Moves the operands to their ports, that which does not trigger at `latest` or before."""
        trigger = unit.trigger.name
        for port, operand in ends:
            if port == trigger:
                destination = UnitPort(unit.name, port, value.operation)
                if not self.fetch(operand, cycle, destination, guard):
                    return False
            elif not self._operand(operand, cycle, unit.name, port, latest):
                return False
        return True

    def _operand(self, operand: Operand, cycle: int, unit: str, port: str, latest: int) -> bool:
        """Moves an operand to a port that does not trigger, at `latest` or a few cycles before."""
        if self.tables.shared_operand(unit, port, cycle, operand):
            if isinstance(operand, Value):
                self.used(operand)
            return True
        mark = self.tables.mark()
        for start in range(latest, max(cycle - EARLY, -1), -1):
            if not self.tables.operand(unit, port, start, cycle, operand):
                break
            if self.fetch(operand, start, UnitPort(unit, port)):
                return True
            self.tables.undo(mark)
        return False

    def guard(self, condition: Value, cycle: int) -> Guard | None:
        """The guard that has the value of `condition` at `cycle`; None if it is not ready."""
        assigned = self.assigned[condition]
        file = self.machine.register_file(assigned.register.file)
        assert file is not None
        read = cycle - self.machine.guard_delay(file) + 1
        if self.written(condition, assigned) >= read or not self.tables.holds(
            assigned.interval, read
        ):
            return None
        self.read_register(condition, assigned, read)
        return Guard(assigned.register.file, assigned.register.index)

    def fetch(
        self, operand: Operand, cycle: int, destination: Destination, guard: Guard | None = None
    ) -> bool:
        """Moves a value to `destination` at `cycle`, after placing it if it is not placed yet."""
        if cycle < 0:
            return False
        tables = self.tables
        if isinstance(operand, int):
            return tables.move(cycle, Immediate(operand), destination, guard) is not None
        if operand not in self.cycles:
            return self._fetch_new(operand, cycle, destination, guard)
        result = self.results.get(operand)
        if result is not None and result.ready <= cycle:
            if cycle <= tables.result_until(result.unit, result.port, result.ready):
                source = UnitPort(result.unit, result.port)
                if tables.move(cycle, source, destination, guard) is not None:
                    tables.hold_result(result.unit, result.port, result.ready, cycle)
                    self.used(operand)
                    return True
                if tables.connections.reaches(source, destination):
                    return False
        assigned = self.assigned.get(operand)
        if assigned is None or self.written(operand, assigned) >= cycle:
            return False
        if not tables.holds(assigned.interval, cycle):
            return False
        if tables.move(cycle, assigned.register, destination, guard) is None:
            return False
        self.read_register(operand, assigned, cycle)
        return True

    def _fetch_new(
        self, value: Value, cycle: int, destination: Destination, guard: Guard | None
    ) -> bool:
        """Places a value such that its result is in a port at `cycle`, or else in a register."""
        if self.attempts <= 0:
            return False
        latency = self.latency(value)
        feasible = self.tree.get(value, -1)
        tables = self.tables
        taken = -1
        for way in self.ways_for(value):
            taken &= tables.taken(way.unit, way.output, way.latency)
            if not taken:
                break
        mark = tables.mark()
        begins = [
            begin
            for begin in range(cycle - latency, max(cycle - PATIENCE - latency, -1), -1)
            if feasible >> begin & 1 and not taken >> tables.slot(begin) & 1
        ]
        for begin in begins:
            if self.operate(value, begin):
                if self.fetch(value, cycle, destination, guard):
                    return True
                self.tables.undo(mark)
        for begin in begins:
            if begin + latency < cycle and self.operate(value, begin):
                # The units that execute the operation may have different latencies.
                ready = self.results[value].ready
                if ready < cycle and self.write_register(value, ready, cycle):
                    assigned = self.assigned[value]
                    assigned.write = None
                    if self._read_new(value, assigned, cycle, destination, guard):
                        return True
                self.tables.undo(mark)
        return False

    def _read_new(
        self,
        value: Value,
        assigned: Assigned,
        cycle: int,
        destination: Destination,
        guard: Guard | None,
    ) -> bool:
        if self.tables.move(cycle, assigned.register, destination, guard) is None:
            return False
        self.read_register(value, assigned, cycle)
        return True

    tree: dict[Value, int]
    """The feasible cycles of the values of the current tree."""
