"""Register assignment within a block: a placed value is in an output port or in a register.

A value with several readers is assigned a register at once. If all readers are able to read the
output port, the register is released again (dead-result elimination).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from polycl.dialects.tta import FunctionUnit, Machine, Register, UnitOperation, UnitPort
from polycl.lowering.tta.tta_schedule.block_graph import COPY, SELECT, Graph, Value
from polycl.lowering.tta.tta_schedule.connections import Connections, Way
from polycl.lowering.tta.tta_schedule.tables import OPEN, Interval, Tables, Transport


@dataclass(eq=False)
class Assigned:
    """The register that is assigned to a value."""

    register: Register
    interval: Interval
    write: Transport | None
    """The only move that writes the register, if that move may be removed."""
    last: int = -1
    reads: int = 0


@dataclass(frozen=True)
class Result:
    """A value in an output port, from cycle `ready` on."""

    unit: str
    port: str
    ready: int


class BlockRegisters:
    """The registers for the values of a block, which do not use the `reserved` ones, the targets of
    copies."""

    def __init__(self, connections: Connections, reserved: Iterable[Register]):
        self.connections = connections
        self.reserved = frozenset(reserved)
        self.files = _register_files(connections.machine)
        """All registers, by kind and file."""
        self.allowed = {
            kind: [(file[0].file, [r for r in file if r not in self.reserved]) for file in files]
            for kind, files in self.files.items()
        }
        """The registers that are not reserved, by kind and file."""

    def count(self, kind: str) -> str:
        """How many registers of a kind there are, for messages."""
        every = sum(map(len, self.files[kind]))
        free = sum(len(file) for _, file in self.allowed[kind])
        name = {"words": "words", "boolean": "truth values", "guards": "guards"}[kind]
        return f"{every} for {name}, {every - free} of them with values for the next blocks"


class _File(NamedTuple):
    """The registers of a file that values of one kind may have."""

    name: str
    bits: int
    """The registers as bits."""
    registers: dict[int, tuple[Register, list[Interval]]]
    """By index: each register with what it holds in which cycles."""


class RegisterAssignment:
    """The placed values of one block, and how many of their readers are not placed yet."""

    def __init__(self, graph: Graph, tables: Tables, registers: BlockRegisters):
        self.graph = graph
        self.machine: Machine = tables.machine
        self.tables = tables
        self.results: dict[Value, Result] = {}
        self.assigned: dict[Value, Assigned] = {}
        self.cycles: dict[Value, int] = {}
        self.left: dict[Value, int] = {}
        self.entries = graph.entries
        self.short: str | None = None
        """The kind of register that was missing when the last attempt failed, if any."""
        self.units = tables.connections.units
        self._files = registers.files
        self._allowed = {
            kind: [
                _File(
                    file,
                    sum(1 << r.index for r in every),
                    {r.index: (r, tables.registers[r]) for r in every},
                )
                for file, every in files
            ]
            for kind, files in registers.allowed.items()
        }
        for value in (*graph.entries.values(), *graph.values):
            self.left[value] = len(value.users)
        for register, value in graph.entries.items():
            interval = tables.take_register(register, -1, OPEN, value)
            assert interval is not None
            self.assigned[value] = Assigned(register, interval, None)
            self.cycles[value] = -1

    def units_for(self, value: Value) -> list[tuple[FunctionUnit, UnitOperation]]:
        """The units that may execute an operation."""
        found = self.units(value.operation)
        return found if value.unit is None else [found[value.unit]]

    def ways_for(self, value: Value) -> list[Way]:
        """The ways to execute an operation."""
        found = self.tables.connections.ways(value.operation)
        return found if value.unit is None else [found[value.unit]]

    def latency(self, value: Value) -> int:
        """Cycles from the trigger of an operation until its result can be moved."""
        units = self.units(value.operation)
        return units[0][1].latency if units else 1

    def written(self, value: Value, assigned: Assigned) -> int:
        """The cycle of the last move that writes a register."""
        return self.cycles[value] if value.operation == SELECT else assigned.interval.start

    def registers(
        self, value: Value, cycle: int, end: int = OPEN
    ) -> Iterator[tuple[Register, Value | None]]:
        """Registers that may be free for a value from `cycle` to `end`, each with the COPY that is
        not needed then."""
        yield from self._targets(value)
        files = self._allowed[self.kind(value)]
        for i in range(len(files)):
            file = files[(i + value.index) % len(files)]
            if not self.tables.can_write(file.name, cycle):
                continue
            bits = file.bits
            if end == OPEN:
                bits &= ~self.tables.open[file.name]
            while bits:
                first = bits & -bits
                bits ^= first
                register, held = file.registers[first.bit_length() - 1]
                if end != OPEN or not held or held[-1].end <= cycle:
                    yield register, None

    def _targets(self, value: Value) -> Iterator[tuple[Register, Value]]:
        """The registers that a value is copied to, if nothing reads their old values."""
        for user in value.users if value.root else ():
            if user.operation != COPY or user in self.cycles or user.target is None:
                continue
            old = self.entries.get(user.target)
            if old is None or (self.left[old] == 0 and not old.live_out):
                if not value.guards or self._guards(user.target):
                    yield user.target, user

    def free_from(self, value: Value) -> int | None:
        """The first cycle from which a suitable register has no value; None if all have one."""
        if any(True for _ in self._targets(value)):
            return 0
        found: int | None = None
        for file in self._allowed[self.kind(value)]:
            bits = file.bits & ~self.tables.open[file.name]
            while bits:
                first = bits & -bits
                bits ^= first
                _, held = file.registers[first.bit_length() - 1]
                if not held:
                    return 0
                end = max(held[-1].end, 0)
                found = end if found is None else min(found, end)
        return found

    def kind(self, value: Value) -> str:
        return "guards" if value.guards else "boolean" if value.boolean else "words"

    def _is_short(self, value: Value, cycle: int) -> bool:
        """Whether all register files for a value can be written, if there are free registers."""
        files = self._allowed[self.kind(value)]
        return all(self.tables.can_write(file.name, cycle) for file in files)

    def assign_register(
        self, value: Value, register: Register, cycle: int, end: int, copy: Value | None
    ) -> Assigned | None:
        """Assigns a register from the move at `cycle` to the last read at `end`.

        Returns None if the register is taken.
        """
        end = end if copy is None else OPEN
        interval = self.tables.take_register(register, cycle, end, value)
        if interval is None:
            return None
        assigned = Assigned(register, interval, None)
        self.assigned[value] = assigned
        self.tables.log.append((self.assigned.pop, (value,)))
        if copy is not None:
            self.set_cycle(copy, cycle)
            self._set_left(value, self.left[value] - 1)
            value.live_out = True
            self.tables.log.append((setattr, (value, "live_out", False)))
        return assigned

    def write_register(self, value: Value, cycle: int, end: int) -> bool:
        """Moves a result from its port to a register that is free from `cycle` to `end`.

        Returns whether there is one.
        """
        result = self.results[value]
        source = UnitPort(result.unit, result.port)
        blocked: set[str] = set()
        """The files that the result does not reach in this cycle."""
        for register, copy in self.registers(value, cycle, end):
            if register.file in blocked:
                continue
            mark = self.tables.mark()
            assigned = self.assign_register(value, register, cycle, end, copy)
            if assigned is not None:
                write = self.tables.move(cycle, source, register)
                if write is not None:
                    assigned.write = None if copy is not None else write
                    self.tables.hold_result(result.unit, result.port, result.ready, cycle)
                    return True
                blocked.add(register.file)
            self.tables.undo(mark)
        if self._is_short(value, cycle):
            self.short = self.kind(value)
        return False

    def read_register(self, value: Value, assigned: Assigned, cycle: int) -> None:
        self.tables.log.append((setattr, (assigned, "last", assigned.last)))
        self.tables.log.append((setattr, (assigned, "reads", assigned.reads)))
        assigned.last = max(assigned.last, cycle)
        assigned.reads += 1
        self.used(value)

    def used(self, value: Value) -> None:
        """Records that a reader is placed; after the last one the register is free for others."""
        self._set_left(value, self.left[value] - 1)
        assigned = self.assigned.get(value)
        if self.left[value] or assigned is None or value.live_out:
            return
        if assigned.reads:
            self.tables.set_end(
                assigned.interval, max(assigned.last, self.written(value, assigned) + 1)
            )
        elif assigned.write is not None:
            self.tables.remove_write(assigned.write)
            self.tables.release(assigned.register, assigned.interval)
            del self.assigned[value]
            self.tables.log.append((self.assigned.__setitem__, (value, assigned)))

    def _set_left(self, value: Value, left: int) -> None:
        self.tables.log.append((self.left.__setitem__, (value, self.left[value])))
        self.left[value] = left

    def set_cycle(self, value: Value, cycle: int) -> None:
        self.cycles[value] = cycle
        self.tables.log.append((self.cycles.pop, (value,)))

    def _guards(self, register: Register) -> bool:
        return (register.file, register.index) in self.machine.guard_registers


def _register_files(machine: Machine) -> dict[str, list[list[Register]]]:
    """The registers for words, for booleans and for guards, by file, in order of preference."""
    guards = set(machine.guard_registers)
    words: list[list[Register]] = []
    booleans: list[list[Register]] = []
    guarding: list[list[Register]] = []
    for file in machine.register_files:
        registers = [Register(file.name, index) for index in file.allocatable]
        if file.width == 32 and registers:
            words.append([r for r in registers if (r.file, r.index) not in guards])
        elif file.width == 1:
            booleans.append([r for r in registers if (r.file, r.index) not in guards])
        every = [Register(file.name, index) for index in file.guarding]
        guarding.append([r for r in every if (r.file, r.index) in guards])
    return {
        "words": [file for file in words if file],
        "boolean": [file for file in (*booleans, *words) if file],
        "guards": [file for file in guarding if file],
    }
