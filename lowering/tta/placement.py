"""Places the operations of a block: when each is triggered, where, and how its operands come there.

A value that is read once is placed together with its reader, as late as that allows, so that the
result travels from port to port (software bypassing). Such a tree is one transaction: its root is
tried in one cycle after the other until everything fits, and what an attempt took is given back.
A value with several readers is placed before them and gets a register at once; where all readers
find it in the port it came from, the register is given back (dead-result elimination).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polycl.dialects.tta import (
    Destination,
    FunctionUnit,
    Guard,
    Immediate,
    Machine,
    Register,
    UnitOperation,
    UnitPort,
)
from polycl.lowering.tta.graph import COPY, GUARD, SELECT, Graph, Operand, Value
from polycl.lowering.tta.tables import OPEN, Interval, Tables, Transport

PATIENCE = 6
"""For how many cycles a result may wait in its port before another placement is tried."""
ATTEMPTS = 40
"""Operations tried in one transaction for one cycle of its root."""

ALIKE = 2
"""Units tried for an operation in one cycle, of those that are free: they are much the same."""


class PlacementError(Exception):
    """Nothing fits: a value that could not be placed, and why."""

    def __init__(self, value: Value, reason: str):
        super().__init__(reason)
        self.value = value


@dataclass(eq=False)
class Home:
    """The register of a value."""

    register: Register
    interval: Interval
    write: Transport | None
    """The only move that writes it, if that may be taken back."""
    last: int = -1
    reads: int = 0


@dataclass(frozen=True)
class Result:
    """A value in an output port, from cycle `ready` on."""

    unit: str
    port: str
    ready: int


class Placement:
    """The schedule of one block, root by root."""

    def __init__(self, graph: Graph, tables: Tables, reserved: frozenset[Register]):
        """Values of this block stay out of the `reserved` registers, where copies go."""
        self.machine = machine = tables.machine
        self.tables = tables
        self.reserved = reserved
        self.results: dict[Value, Result] = {}
        self.homes: dict[Value, Home] = {}
        self.cycles: dict[Value, int] = {}
        self.left: dict[Value, int] = {}
        self.triggered: dict[tuple[str, int], Value] = {}
        """By unit and cycle."""
        self.entries = graph.entries
        self.end = 0
        self.attempts = 0
        self._free_from: dict[str, int] = {}
        self._tried: dict[str, int] = {}
        """For trees of some operations: in all cycles before, a root was tried in vain."""
        self._units: dict[str, list[tuple[FunctionUnit, UnitOperation]]] = {}
        self._files = _register_files(machine)
        for value in (*graph.entries.values(), *graph.values):
            self.left[value] = len(value.users)
        for register, value in graph.entries.items():
            interval = self.tables.take_register(register, -1, OPEN, value)
            assert interval is not None
            self.homes[value] = Home(register, interval, None)
            self.cycles[value] = -1

    # Roots.

    def place(self, root: Value) -> None:
        """Places a root and the tree of values that only it reads. Raises PlacementError."""
        if root in self.cycles:
            return
        self._advance(root)
        shape = self._shape(root)
        tried = self._tried.get(shape, 0)
        first = self._earliest(root)
        cycle = max(first, tried)
        limit = self.tables.last(cycle, self.end)
        while cycle <= limit:
            mark = self.tables.mark()
            self.attempts = ATTEMPTS
            if self._place_root(root, cycle):
                self.tables.log.clear()
                self.end = max(self.end, self.cycles[root])
                if first <= tried:
                    self._tried[shape] = cycle
                return
            self.tables.undo(mark)
            cycle += 1
        raise PlacementError(root, "no cycle has the registers, ports and units that it needs")

    def _place_root(self, root: Value, cycle: int) -> bool:
        if root.operation == COPY:
            return self._copy(root, cycle)
        if root.operation == SELECT:
            return self._select(root, cycle)
        if root.operation == GUARD:
            return self._fill_guard(root, cycle)
        if not self._operate(root, cycle):
            return False
        return root.is_store or self._keep(root)

    def _copy(self, copy: Value, cycle: int) -> bool:
        """Moves the input into the register of the following blocks."""
        target, source = copy.target, copy.inputs[0]
        assert target is not None
        home = self.homes.get(source) if isinstance(source, Value) else None
        if home is not None and home.register == target and home.interval.start < 0:
            assert isinstance(source, Value)
            self._used(source)
        elif not self._fetch(source, cycle, target):
            return False
        elif self.tables.take_register(target, cycle, OPEN, copy) is None:
            return False
        self._set_cycle(copy, cycle)
        return True

    def _select(self, value: Value, cycle: int) -> bool:
        """Two guarded moves in one cycle, or one without a guard and later the other."""
        condition = value.guard
        assert isinstance(condition, Value)
        guard = self.guard(condition, cycle)
        if guard is None:
            return False
        inverse = Guard(guard.register_file, guard.index, True)
        for first in (cycle, cycle - 1, cycle - 2):
            for register, copy in self._homes(value, first):
                mark = self.tables.mark()
                home = self._take_home(value, register, first, OPEN, copy)
                if (
                    home is not None
                    and self._fetch(value.inputs[0], cycle, register, guard)
                    and self._fetch(
                        value.inputs[1], first, register, inverse if first == cycle else None
                    )
                ):
                    # A read must see both writes.
                    self._set_cycle(value, cycle)
                    return True
                self.tables.undo(mark)
                if home is not None:
                    break
        return False

    def _fill_guard(self, value: Value, cycle: int) -> bool:
        """Moves the input into a register that can guard."""
        for register, copy in self._homes(value, cycle):
            mark = self.tables.mark()
            home = self._take_home(value, register, cycle, OPEN, copy)
            if home is not None:
                if self._fetch(value.inputs[0], cycle, register):
                    self._set_cycle(value, cycle)
                    return True
                self.tables.undo(mark)
                return False
        return False

    def _keep(self, value: Value) -> bool:
        """Gives a value a register as soon as possible, for readers that come later."""
        result = self.results[value]
        until = self.tables.result_until(result.unit, result.port, result.ready)
        for cycle in range(result.ready, min(until, result.ready + PATIENCE) + 1):
            if self._write_home(value, cycle, OPEN):
                return True
        return False

    def _write_home(self, value: Value, cycle: int, end: int) -> bool:
        """Moves a result from its port to a register that is free from `cycle` to `end`."""
        result = self.results[value]
        source = UnitPort(result.unit, result.port)
        for register, copy in self._homes(value, cycle):
            mark = self.tables.mark()
            home = self._take_home(value, register, cycle, end, copy)
            if home is not None:
                write = self.tables.move(cycle, source, register)
                if write is not None:
                    home.write = None if copy is not None else write
                    self.tables.hold_result(result.unit, result.port, result.ready, cycle)
                    return True
            self.tables.undo(mark)
        return False

    def _take_home(
        self, value: Value, register: Register, cycle: int, end: int, copy: Value | None
    ) -> Home | None:
        end = end if copy is None else OPEN
        interval = self.tables.take_register(register, cycle, end, value)
        if interval is None:
            return None
        home = Home(register, interval, None)
        self.homes[value] = home
        self.tables.log.append((self.homes.pop, (value,)))
        if copy is not None:
            self._set_cycle(copy, cycle)
            self._set_left(value, self.left[value] - 1)
            value.live_out = True
            self.tables.log.append((setattr, (value, "live_out", False)))
        return home

    def _homes(self, value: Value, cycle: int) -> Iterator[tuple[Register, Value | None]]:
        """Registers that a value may have, each with the copy that this would make needless."""
        for user in value.users if value.root else ():
            if user.operation != COPY or user in self.cycles or user.target is None:
                continue
            old = self.entries.get(user.target)
            if old is None or (self.left[old] == 0 and not old.live_out):
                if not value.guards or self._guards(user.target):
                    yield user.target, user
        kind = "guards" if value.guards else "boolean" if value.boolean else "words"
        files = self._files[kind]
        for i in range(len(files)):
            registers = files[(i + value.index) % len(files)]
            if not self.tables.can_write(registers[0].file, cycle):
                continue
            for register in registers:
                if register not in self.reserved:
                    yield register, None

    def _guards(self, register: Register) -> bool:
        return (register.file, register.index) in self.machine.guard_registers

    # Operations.

    def _operate(self, value: Value, cycle: int) -> bool:
        """Triggers an operation at `cycle`, with all that this needs before."""
        if cycle < 0:
            return False
        for other, distance in value.after:
            if other in self.cycles and self.cycles[other] + distance > cycle:
                return False
        for other, distance in value.before:
            if other in self.cycles and cycle + distance > self.cycles[other]:
                return False
        mark = self.tables.mark()
        failed = 0
        for unit, operation in self.units(value.operation):
            if not self.tables.trigger(unit.name, cycle):
                continue
            ready = cycle + operation.latency
            free = operation.output is None or self.tables.result(
                unit.name, operation.output, ready
            )
            if free:
                self.attempts -= 1
                if self.attempts < 0:
                    self.tables.undo(mark)
                    return False
                if self._operands(value, cycle, unit.name, unit.trigger.name, operation):
                    if operation.output is not None:
                        self.results[value] = Result(unit.name, operation.output, ready)
                        self.tables.log.append((self.results.pop, (value,)))
                    self.triggered[unit.name, cycle] = value
                    self.tables.log.append((self.triggered.pop, ((unit.name, cycle),)))
                    self._set_cycle(value, cycle)
                    return True
                failed += 1
            self.tables.undo(mark)
            if failed == ALIKE:
                break
        return False

    def _operands(
        self, value: Value, cycle: int, unit: str, trigger: str, operation: UnitOperation
    ) -> bool:
        guard = None
        if isinstance(value.guard, Value):
            guard = self.guard(value.guard, cycle)
            if guard is None:
                return False
        orders = [value.inputs]
        if operation.semantics.commutative:
            orders.append(value.inputs[::-1])
            # A constant stays in its port for the next operation, if it does not trigger.
            trigger_at = operation.inputs.index(trigger)
            if isinstance(value.inputs[trigger_at], int):
                orders.reverse()
        mark = self.tables.mark()
        for inputs in orders:
            ends = list(zip(operation.inputs, inputs, strict=True))
            ends.sort(key=lambda end: end[0] != trigger)
            if all(
                self._fetch(operand, cycle, UnitPort(unit, port, value.operation), guard)
                if port == trigger
                else self._operand(operand, cycle, unit, port)
                for port, operand in ends
            ):
                return True
            self.tables.undo(mark)
        return False

    def _operand(self, operand: Operand, cycle: int, unit: str, port: str) -> bool:
        """Brings an operand to a port that does not trigger: in this cycle, or some before."""
        if self.tables.shared_operand(unit, port, cycle, operand):
            if isinstance(operand, Value):
                self._used(operand)
            return True
        mark = self.tables.mark()
        for start in range(cycle, max(cycle - 4, -1), -1):
            if self.tables.operand(unit, port, start, cycle, operand):
                if self._fetch(operand, start, UnitPort(unit, port)):
                    return True
                self.tables.undo(mark)
        return False

    def guard(self, condition: Value, cycle: int) -> Guard | None:
        """The guard that is `condition` at `cycle`, if it is in its register by then."""
        home = self.homes[condition]
        file = self.machine.register_file(home.register.file)
        assert file is not None
        read = cycle - self.machine.guard_delay(file) + 1
        if self._written(condition, home) >= read or not self.tables.holds(home.interval, read):
            return None
        self._read_home(condition, home, read)
        return Guard(home.register.file, home.register.index)

    def _written(self, value: Value, home: Home) -> int:
        """The cycle of the last move that writes a register."""
        return self.cycles[value] if value.operation == SELECT else home.interval.start

    # Moves.

    def _fetch(
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
                self._used(operand)
                return True
        home = self.homes.get(operand)
        if home is None or self._written(operand, home) >= cycle:
            return False
        if not tables.holds(home.interval, cycle):
            return False
        if tables.move(cycle, home.register, destination, guard) is None:
            return False
        self._read_home(operand, home, cycle)
        return True

    def _fetch_new(
        self, value: Value, cycle: int, destination: Destination, guard: Guard | None
    ) -> bool:
        """Places a value so that its result is in a port at `cycle`, or else in a register."""
        latency = self._latency(value)
        mark = self.tables.mark()
        for ready in range(cycle, max(cycle - PATIENCE, latency - 1), -1):
            if self._operate(value, ready - latency):
                if self._fetch(value, cycle, destination, guard):
                    return True
                self.tables.undo(mark)
        for ready in range(cycle - 1, max(cycle - PATIENCE, latency - 1), -1):
            if self._operate(value, ready - latency):
                if self._write_home(value, ready, cycle):
                    home = self.homes[value]
                    home.write = None
                    if self.tables.move(cycle, home.register, destination, guard) is not None:
                        self._read_home(value, home, cycle)
                        return True
                self.tables.undo(mark)
        return False

    def _read_home(self, value: Value, home: Home, cycle: int) -> None:
        self.tables.log.append((setattr, (home, "last", home.last)))
        self.tables.log.append((setattr, (home, "reads", home.reads)))
        home.last = max(home.last, cycle)
        home.reads += 1
        self._used(value)

    def _used(self, value: Value) -> None:
        """A reader is placed; behind the last one the register is free for others."""
        self._set_left(value, self.left[value] - 1)
        home = self.homes.get(value)
        if self.left[value] or home is None or value.live_out:
            return
        if home.reads:
            self.tables.set_end(home.interval, max(home.last, self._written(value, home) + 1))
        elif home.write is not None:
            self.tables.remove_write(home.write)
            self.tables.release(home.register, home.interval)
            del self.homes[value]
            self.tables.log.append((self.homes.__setitem__, (value, home)))

    def _set_left(self, value: Value, left: int) -> None:
        self.tables.log.append((self.left.__setitem__, (value, self.left[value])))
        self.left[value] = left

    def _set_cycle(self, value: Value, cycle: int) -> None:
        self.cycles[value] = cycle
        self.tables.log.append((self.cycles.pop, (value,)))

    # Where to begin.

    def units(self, name: str) -> list[tuple[FunctionUnit, UnitOperation]]:
        """The units that execute an operation."""
        found = self._units.get(name)
        if found is None:
            units = self.machine.units_with(name)
            found = [(u, op) for u in units if (op := u.operation(name)) is not None]
            self._units[name] = found
        return found

    def _latency(self, value: Value) -> int:
        return self.units(value.operation)[0][1].latency

    def _earliest(self, value: Value) -> int:
        """No cycle before is possible, by what the value needs and what units are free."""
        found = self._free_from.get(value.operation, 0)
        for operand in value.operands:
            if isinstance(operand, Value):
                found = max(found, self._available(operand))
        for other, distance in value.after:
            if other in self.cycles:
                found = max(found, self.cycles[other] + distance)
        return found

    def _available(self, value: Value) -> int:
        if value not in self.cycles:
            return self._earliest(value) + self._latency(value)
        result = self.results.get(value)
        return result.ready if result is not None else self._written(value, self.homes[value]) + 1

    def _shape(self, value: Value) -> str:
        """The operations of a tree: trees that look the same need the same units."""
        parts = [
            "#" if isinstance(o, int) else "r" if o in self.cycles else self._shape(o)
            for o in value.operands
        ]
        return f"{value.operation}({' '.join(parts)})"

    def _advance(self, value: Value) -> None:
        """Skips cycles in which all units for the operations of a tree are busy."""
        operation = value.operation
        units = self.units(operation)
        if units:
            cycle = self._free_from.get(operation, 0)
            limit = self.tables.last(cycle, self.end)
            while cycle <= limit and all(self.tables.busy(unit.name, cycle) for unit, _ in units):
                cycle += 1
            self._free_from[operation] = cycle
        for operand in value.inputs:
            if isinstance(operand, Value) and operand not in self.cycles:
                self._advance(operand)


def _register_files(machine: Machine) -> dict[str, list[list[Register]]]:
    """The registers for words, for booleans and for guards, by file, the best ones first."""
    guards = set(machine.guard_registers)
    words: list[list[Register]] = []
    booleans: list[list[Register]] = []
    guarding: list[list[Register]] = []
    for file in machine.register_files:
        if not file.reads or not file.writes:
            continue
        registers = [Register(file.name, index) for index in range(file.size)]
        if file.width == 32:
            words.append(registers)
        else:
            booleans.append([r for r in registers if (r.file, r.index) not in guards])
        guarding.append([r for r in registers if (r.file, r.index) in guards])
    return {
        "words": words,
        "boolean": [file for file in booleans if file] + words,
        "guards": [file for file in guarding if file],
    }
