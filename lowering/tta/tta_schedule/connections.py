"""Which buses connect the ports and registers of a machine, as bits, and the units of operations.

All blocks of a function share what was found, as it depends on the machine only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from polycl.dialects.tta import (
    Destination,
    FunctionUnit,
    Guard,
    Immediate,
    Label,
    Machine,
    Port,
    Register,
    Source,
    UnitOperation,
    UnitPort,
)
from polycl.dialects.tta.checks import port_of

MOST_INSTRUCTIONS = (1 << 13) - 1
"""Addresses of blocks up to this one are assumed to be encoded; longer programs are refused."""


class Way(NamedTuple):
    """A unit that executes an operation, and what the moves of its operands and result need."""

    unit: str
    latency: int
    triggers: int
    """The buses that connect to the port that triggers."""
    last: int
    """The position of the operand that triggers."""
    port: str | None
    """The port of the other operand, if there are two."""
    swaps: bool
    """Whether the two operands can be exchanged."""
    output: str | None
    leaves: int
    """The buses that connect to the output port."""


class Connections:
    """The buses of one machine."""

    def __init__(self, machine: Machine):
        self.machine = machine
        self.narrow = any(bus.width < 32 for bus in machine.buses)
        """Whether some buses do not transport words."""
        self.preferred = _preferred(machine)
        """The buses in groups, those first that moves take first."""
        self.most_writes = {file.name: file.most_writes for file in machine.register_files}
        self._reach: dict[tuple[Source | Destination, bool], int] = {}
        self._guard_reach: dict[Guard, int] = {}
        self._file_buses: dict[tuple[str, bool], list[int]] = {}
        self._units: dict[str, list[tuple[FunctionUnit, UnitOperation]]] = {}
        self._ways: dict[str, list[Way]] = {}

    def units(self, name: str) -> list[tuple[FunctionUnit, UnitOperation]]:
        """The units that execute an operation."""
        found = self._units.get(name)
        if found is None:
            units = self.machine.units_with(name)
            found = [(u, op) for u in units if (op := u.operation(name)) is not None]
            self._units[name] = found
        return found

    def ways(self, name: str) -> list[Way]:
        """The ways to execute an operation, one for each of its units."""
        found = self._ways.get(name)
        if found is None:
            found = self._ways[name] = [self._way(u, op) for u, op in self.units(name)]
        return found

    def _way(self, unit: FunctionUnit, operation: UnitOperation) -> Way:
        inputs, output = operation.inputs, operation.output
        last = inputs.index(unit.trigger.name)
        return Way(
            unit=unit.name,
            latency=operation.latency,
            triggers=self.reach(UnitPort(unit.name, unit.trigger.name, operation.name), True),
            last=last,
            port=inputs[1 - last] if len(inputs) > 1 else None,
            swaps=operation.semantics.commutative,
            output=output,
            leaves=0 if output is None else self.reach(UnitPort(unit.name, output), False),
        )

    def reach(self, end: Source | Destination, takes: bool) -> int:
        """The buses that connect to a source or (`takes`) a destination, as bits."""
        key = (end, takes)
        found = self._reach.get(key)
        if found is None:
            if isinstance(end, Immediate):
                immediates = self.machine.immediates
                found = union(buses for kind, buses in immediates if kind.holds(end.value))
            elif isinstance(end, Label):
                held = [bus.immediate.holds(MOST_INSTRUCTIONS) for bus in self.machine.buses]
                if not any(held) and not self._encodes_labels():
                    # Short programs fit; the program is checked in the end.
                    widths = [bus.immediate.width for bus in self.machine.buses]
                    held = [width == max(widths) > 0 for width in widths]
                found = sum(1 << i for i, holds in enumerate(held) if holds)
            else:
                buses = {b for p in self._ports(end, takes) for b in self.machine.buses_of(p)}
                found = sum(1 << bus for bus in buses)
            self._reach[key] = found
        return found

    def _encodes_labels(self) -> bool:
        return any(e.immediate.holds(MOST_INSTRUCTIONS) for e in self.machine.encodings)

    def _ports(self, end: Source | Destination, takes: bool) -> tuple[Port, ...]:
        """The ports that a move of `end` can use; none for reads of registers that only guard."""
        if isinstance(end, Register):
            file = self.machine.register_file(end.file)
            assert file is not None
            return file.writes if takes else file.reads
        assert isinstance(end, UnitPort)
        return (port_of(self.machine, end, takes),)

    def port_buses(self, file: str, takes: bool) -> list[int]:
        """The buses of each read or write port of a register file, as bits."""
        key = file, takes
        if key not in self._file_buses:
            self._file_buses[key] = [
                sum(1 << bus for bus in self.machine.buses_of(port))
                for port in self._ports(Register(file, 0), takes)
            ]
        return self._file_buses[key]

    def reaches(self, source: Source, destination: Destination, guard: Guard | None = None) -> bool:
        """Whether a bus transports values from `source` to `destination`, under a guard if any."""
        buses = self.reach(source, False) & self.reach(destination, True)
        buses &= self.wide_enough(source, destination)
        return bool(buses if guard is None else buses & self.guarded_buses(guard))

    def wide_enough(self, source: Source, destination: Destination) -> int:
        """The buses that transport all bits of the source, or all that the destination takes."""
        width = port_of(self.machine, destination, True).width
        if not isinstance(source, Immediate | Label):
            width = min(width, port_of(self.machine, source, False).width)
        return sum(1 << i for i, bus in enumerate(self.machine.buses) if bus.width >= width)

    def guarded_buses(self, guard: Guard) -> int:
        found = self._guard_reach.get(guard)
        if found is None:
            buses = enumerate(self.machine.buses)
            found = sum(1 << i for i, bus in buses if guard in bus.guard_set)
            self._guard_reach[guard] = found
        return found


def union(buses: Iterable[int]) -> int:
    """All buses of several sets."""
    found = 0
    for bits in buses:
        found |= bits
    return found


def _preferred(machine: Machine) -> tuple[int, ...]:
    """The buses, as bits, in groups: first those that encode the shortest constants, which other
    moves need least."""
    groups: dict[int, int] = {}
    for index, bus in enumerate(machine.buses):
        groups[bus.immediate.width] = groups.get(bus.immediate.width, 0) | 1 << index
    return tuple(groups[width] for width in sorted(groups))
