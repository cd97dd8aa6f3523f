"""How an operation begins in a certain cycle: its unit, and how its operands come there.

A value that is read once is placed together with its reader, as late as that allows, so that the
result travels from port to port (software bypassing).
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
from polycl.lowering.tta.tta_schedule.homes import Home, Result
from polycl.lowering.tta.tta_schedule.possible import EARLY, PATIENCE, Possible

ALIKE = 2
"""Units tried for an operation in one cycle, of those that are free: they are much the same."""
MANY = 4
"""A value with so many readers stays in an operand port rather than a constant."""


class Operations(Possible):
    """Attempts: each takes what it needs from the tables, or fails; who called it undoes that."""

    def operate(self, value: Value, cycle: int) -> bool:
        """Triggers an operation at `cycle`, with all that this needs before."""
        if cycle < 0 or not self._in_order(value, cycle):
            return False
        tables = self.tables
        failed = 0
        for unit, operation, inputs in self._arrangements(value, cycle):
            self.attempts -= 1
            if self.attempts < 0:
                return False
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
    """How many more operations are tried in this transaction."""
    triggered: dict[tuple[str, int], Value]
    """By unit and cycle."""

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
        """The units that are free, and the order of inputs: those first that have an operand."""
        units = [
            (unit, operation)
            for unit, operation in self.units(value.operation)
            if self.tables.free(unit.name, operation.output, operation.latency) >> cycle & 1
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
        # What is likely to be shared does not trigger.
        others.sort(key=lambda other: other[0])
        for _, unit, operation, inputs in others:
            yield unit, operation, inputs

    def _worth(self, operand: Operand) -> int:
        """How much is gained if an operand stays in its port."""
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
            # What is there fails at once, if it does.
            ends.sort(key=lambda end: isinstance(end[1], Value) and end[1] not in self.cycles)
        for port, operand in ends:
            if port == trigger:
                destination = UnitPort(unit.name, port, value.operation)
                if not self.fetch(operand, cycle, destination, guard):
                    return False
            elif not self._operand(operand, cycle, unit.name, port):
                return False
        return True

    def _operand(self, operand: Operand, cycle: int, unit: str, port: str) -> bool:
        """Brings an operand to a port that does not trigger: in this cycle, or some before."""
        if self.tables.shared_operand(unit, port, cycle, operand):
            if isinstance(operand, Value):
                self.used(operand)
            return True
        mark = self.tables.mark()
        for start in range(cycle, max(cycle - EARLY, -1), -1):
            if not self.tables.operand(unit, port, start, cycle, operand):
                break
            if self.fetch(operand, start, UnitPort(unit, port)):
                return True
            self.tables.undo(mark)
        return False

    def guard(self, condition: Value, cycle: int) -> Guard | None:
        """The guard that is `condition` at `cycle`, if it is in its register by then."""
        home = self.homes[condition]
        file = self.machine.register_file(home.register.file)
        assert file is not None
        read = cycle - self.machine.guard_delay(file) + 1
        if self.written(condition, home) >= read or not self.tables.holds(home.interval, read):
            return None
        self.read_home(condition, home, read)
        return Guard(home.register.file, home.register.index)

    def fetch(
        self, operand: Operand, cycle: int, destination: Destination, guard: Guard | None = None
    ) -> bool:
        """Moves a value to `destination` at `cycle`; places it before, if it is not yet."""
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
                if tables.move(cycle, source, destination, guard) is None:
                    return False
                tables.hold_result(result.unit, result.port, result.ready, cycle)
                self.used(operand)
                return True
        home = self.homes.get(operand)
        if home is None or self.written(operand, home) >= cycle:
            return False
        if not tables.holds(home.interval, cycle):
            return False
        if tables.move(cycle, home.register, destination, guard) is None:
            return False
        self.read_home(operand, home, cycle)
        return True

    def _fetch_new(
        self, value: Value, cycle: int, destination: Destination, guard: Guard | None
    ) -> bool:
        """Places a value so that its result is in a port at `cycle`, or else in a register."""
        latency = self.latency(value)
        possible = self.tree.get(value, -1)
        mark = self.tables.mark()
        begins = [
            begin
            for begin in range(cycle - latency, max(cycle - PATIENCE - latency, -1), -1)
            if possible >> begin & 1
        ]
        for begin in begins:
            if self.operate(value, begin):
                if self.fetch(value, cycle, destination, guard):
                    return True
                self.tables.undo(mark)
        for begin in begins:
            ready = begin + latency
            if ready < cycle and self.operate(value, begin):
                if self.write_home(value, ready, cycle):
                    home = self.homes[value]
                    home.write = None
                    if self._read_new(value, home, cycle, destination, guard):
                        return True
                self.tables.undo(mark)
        return False

    def _read_new(
        self, value: Value, home: Home, cycle: int, destination: Destination, guard: Guard | None
    ) -> bool:
        if self.tables.move(cycle, home.register, destination, guard) is None:
            return False
        self.read_home(value, home, cycle)
        return True

    tree: dict[Value, int]
    """For the values of the tree that is placed: in which cycles they may fit."""
