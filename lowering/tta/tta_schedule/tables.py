"""The reservation tables of a block: what each part of a machine does in each cycle.

An undo log makes each placement a transaction: `mark`, take resources one by one, and `undo` to
the mark if one is missing.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from polycl.dialects.tta import (
    Destination,
    Encoding,
    Guard,
    Immediate,
    Label,
    LongImmediate,
    Machine,
    Register,
    Source,
)
from polycl.lowering.tta.tta_schedule.connections import (
    MOST_INSTRUCTIONS,
    Connections,
    union,
)

LONG_BEFORE = 16
"""For how many cycles a long immediate may wait in its register."""

OPEN = 1 << 30
"""The end of an interval that has no end yet."""


@dataclass(eq=False)
class Interval:
    """Something holds `value` from the move at cycle `start` until the last read at `end`."""

    start: int
    end: int
    value: object
    register: Register | None = None
    """Of a value that is in a register, not in a port."""


@dataclass(eq=False)
class Transport:
    """A move in the making."""

    cycle: int
    bus: int
    source: Source
    destination: Destination
    guard: Guard | None


_Write = tuple[Register, Guard | None, int]
"""A write: the register, its guard, and the number of the port."""


def _accepts(writes: list[_Write], port: int, guard: Guard | None) -> bool:
    """Whether a port accepts another write with that guard."""
    others = [other for _, other, used in writes if used == port]
    return all(guard is not None and guard.excludes(other) for other in others)


def _first(ports: list[int], bus: int, taken: set[int]) -> int:
    """The free port with the fewest buses that connects to `bus`."""
    free = (port for port in range(len(ports)) if port not in taken and ports[port] & bus)
    return min(free, key=lambda port: ports[port].bit_count())


class Tables:
    """The state of one block; cycles count from 0."""

    def __init__(self, connections: Connections):
        self.connections = connections
        self.machine: Machine = connections.machine
        self.log: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self.moves: dict[int, list[Transport]] = defaultdict(list)
        self.buses: dict[int, int] = defaultdict(int)
        self.immediates: dict[int, LongImmediate] = {}
        self.registers: dict[Register, list[Interval]] = defaultdict(list)
        self.reads: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
        """The registers that are read, each with the number of the port."""
        self.writes: dict[tuple[str, int], list[_Write]] = defaultdict(list)
        self.busy_slots: dict[str, int] = defaultdict(int)
        """By unit: the cycles in which it is triggered, as bits."""
        self.bus_slots = [0] * len(self.machine.buses)
        """By bus: the cycles in which it is taken, as bits."""
        self._transporting: dict[int, int] = {}
        """By buses, as bits: what `transporting` found since a bus was taken or became free."""
        self.arrival_slots: dict[tuple[str, str], int] = defaultdict(int)
        """By output port: the cycles in which a result arrives, as bits."""
        self.held_slots: dict[tuple[str, str], int] = defaultdict(int)
        """By output port: the cycles in which no result can arrive, as bits."""
        self.port_slots: dict[tuple[str, str], int] = defaultdict(int)
        """By operand port: the cycles in which it has an operand that is needed, as bits."""
        self.value_slots: dict[tuple[str, str, object], int] = defaultdict(int)
        """By operand port and value: the cycles in which it has that value, as bits."""
        self.read_slots: dict[str, int] = defaultdict(int)
        """By register file: the cycles in which all its read ports are taken, as bits."""
        self.register_slots: dict[Register, int] = defaultdict(int)
        """By register: the cycles in which it is read, as bits."""
        self.write_slots: dict[str, int] = defaultdict(int)
        """By register file: the cycles in which all its write ports are taken, as bits."""
        self.open: dict[str, int] = defaultdict(int)
        """By register file: the registers that have a value without an end, as bits."""

    # Cycles as bits.

    def slot(self, cycle: int) -> int:
        """The bit that represents a cycle."""
        return cycle

    def cycles(self, slots: int) -> int:
        """The cycles that bits represent, as bits."""
        return slots

    def span(self, start: int, end: int) -> int:
        """The bits of the cycles from `start` to before `end`."""
        return (1 << end) - (1 << start)

    def earlier(self, slots: int, count: int) -> int:
        """The bits of the cycles that are `count` before those of `slots`, from 0 on."""
        return slots >> count

    def _set(self, slots: dict[Any, int], key: Any, bits: int) -> None:
        old = slots[key]
        slots[key] = old | bits
        self.log.append((slots.__setitem__, (key, old)))

    def taken(self, unit: str, output: str | None, latency: int) -> int:
        """The bits of the cycles in which a unit cannot be triggered."""
        busy = self.busy_slots[unit]
        if output is not None:
            busy |= self.earlier(self.held_slots[unit, output], latency)
        return busy

    def free(self, unit: str, output: str | None, latency: int, unfitting: int = 0) -> int:
        """The cycles in which a unit can be triggered, without those of the bits `unfitting`."""
        return ~self.cycles(self.taken(unit, output, latency) | unfitting)

    def is_free(self, unit: str, output: str | None, latency: int, cycle: int) -> bool:
        """Whether a unit can be triggered in a cycle."""
        if self.busy_slots[unit] >> self.slot(cycle) & 1:
            return False
        if output is None:
            return True
        return not self.held_slots[unit, output] >> self.slot(cycle + latency) & 1

    def leaving(self, buses: int, latency: int) -> int:
        """The cycles after which one of the buses is free for the move of a result into a
        register."""
        free = self.transporting(buses) >> latency
        return free | free >> 1 | free >> 2 | free >> 3 | free >> 4 | free >> 5 | free >> 6

    def unfitting(self, unit: str, port: str, values: Iterable[object]) -> int:
        """The bits of the cycles in which an operand port has another value that is needed."""
        taken = self.port_slots[unit, port]
        if taken:
            for value in values:
                taken &= ~self.value_slots.get((unit, port, value), 0)
        return taken

    def _occupy(self, unit: str, port: str, value: object, start: int, end: int) -> None:
        bits = self.span(start, end + 1)
        self._set(self.port_slots, (unit, port), bits)
        self._set(self.value_slots, (unit, port, value), bits)

    def readable(self, register: Register) -> int:
        """The cycles in which a register can be read."""
        full = self.read_slots[register.file] & ~self.register_slots[register]
        return ~self.cycles(full)

    def transporting(self, buses: int) -> int:
        """The cycles in which one of the buses, given as bits, is free."""
        found = self._transporting.get(buses)
        if found is None:
            taken, left = -1, buses
            while left and taken:
                # The last buses are those that moves take last.
                bus = left.bit_length() - 1
                taken &= self.bus_slots[bus]
                left ^= 1 << bus
            found = self._transporting[buses] = ~self.cycles(taken)
        return found

    def _switch(self, cycle: int, buses: int) -> None:
        """Takes free buses, given as bits, in a cycle, or makes taken ones free."""
        self.buses[cycle] ^= buses
        self._transporting.clear()
        bit = 1 << self.slot(cycle)
        while buses:
            bus = buses.bit_length() - 1
            self.bus_slots[bus] ^= bit
            buses ^= 1 << bus

    def writable(self, file: str) -> int:
        """The cycles in which a register file has a free write port."""
        return ~self.cycles(self.write_slots[file])

    # The undo log.

    def mark(self) -> int:
        return len(self.log)

    def undo(self, mark: int) -> None:
        log = self.log
        while len(log) > mark:
            function, arguments = log.pop()
            function(*arguments)

    # Buses.

    long = True
    """Whether long immediates are used."""

    def _long_move(
        self,
        cycle: int,
        source: Immediate | Label,
        destination: Destination,
        guard: Guard | None,
    ) -> Transport | None:
        """Encodes a constant in an instruction before, and moves it from its immediate unit."""
        for encoding in self.machine.encodings:
            if isinstance(source, Immediate):
                fits = encoding.immediate.holds(source.value)
            else:
                fits = encoding.immediate.holds(MOST_INSTRUCTIONS)
            if not fits:
                continue
            for index in range(encoding.registers):
                mark = self.mark()
                register = Register(encoding.unit, index)
                if self._encode(cycle, source, encoding, register):
                    found = self.move(cycle, register, destination, guard)
                    if found is not None:
                        return found
                self.undo(mark)
        return None

    def _encode(
        self, cycle: int, source: Immediate | Label, encoding: Encoding, register: Register
    ) -> bool:
        """Has the constant in `register` at `cycle`, from an instruction as late as possible."""
        intervals = self.registers[register]
        for interval in intervals:
            if interval.start < cycle and interval.value == source:
                following = [i.start for i in intervals if i.start > interval.start]
                if cycle <= min(following, default=OPEN):
                    self.set_end(interval, max(interval.end, cycle))
                    return True
        buses = sum(1 << bus for bus in encoding.buses)
        for start in range(cycle - 1, max(cycle - 1 - LONG_BEFORE, -1), -1):
            if start in self.immediates or self.buses[start] & buses:
                continue
            if self.take_register(register, start, cycle, source) is None:
                continue
            self._switch(start, buses)
            self.immediates[start] = LongImmediate(register, source, encoding.template)
            self.log.append((self._drop_immediate, (start, buses)))
            return True
        return False

    def _drop_immediate(self, start: int, buses: int) -> None:
        self._switch(start, buses)
        del self.immediates[start]

    def move(
        self,
        cycle: int,
        source: Source,
        destination: Destination,
        guard: Guard | None = None,
    ) -> Transport | None:
        """Takes a bus and the register ports of a move; None if one of them is missing."""
        connections = self.connections
        free = connections.reach(source, False) & connections.reach(destination, True)
        free &= ~self.buses[cycle]
        if connections.narrow:
            free &= connections.wide_enough(source, destination)
        if guard is not None:
            free &= connections.guarded_buses(guard)
        if not free:
            if (
                self.long
                and isinstance(source, Immediate | Label)
                and not connections.reaches(source, destination, guard)
            ):
                return self._long_move(cycle, source, destination, guard)
            return None
        if isinstance(source, Register):
            free &= self._readable_buses(source, cycle)
        if isinstance(destination, Register):
            free &= self._writable_buses(destination, cycle, guard)
        if not free:
            return None
        bit = next(bits & -bits for same in connections.preferred if (bits := free & same))
        if isinstance(source, Register):
            self._read(source, cycle, bit)
        if isinstance(destination, Register):
            self._write(destination, cycle, guard, bit)
        self._switch(cycle, bit)
        transport = Transport(cycle, bit.bit_length() - 1, source, destination, guard)
        self.moves[cycle].append(transport)
        self.log.append((self._drop, (transport,)))
        return transport

    def _drop(self, transport: Transport) -> None:
        self._switch(transport.cycle, 1 << transport.bus)
        self.moves[transport.cycle].remove(transport)

    def remove_write(self, transport: Transport) -> None:
        """Removes a move from a port to a register; its bus and write port are free again."""
        assert isinstance(transport.destination, Register)
        self._drop(transport)
        writes = self.writes[transport.destination.file, transport.cycle]
        key = transport.destination, transport.guard
        entry = next(entry for entry in writes if entry[:2] == key)
        writes.remove(entry)
        self.log.append((self._restore_write, (transport, entry)))
        slots, file = self.write_slots, transport.destination.file
        self.log.append((slots.__setitem__, (file, slots[file])))
        slots[file] &= ~(1 << self.slot(transport.cycle))

    def _restore_write(self, transport: Transport, entry: _Write) -> None:
        self._switch(transport.cycle, 1 << transport.bus)
        self.moves[transport.cycle].append(transport)
        self.writes[entry[0].file, transport.cycle].append(entry)

    def read_index(self, register: Register, cycle: int) -> int:
        """What is read through a port; reads of the same index at a cycle share one port."""
        return register.index

    def _readable_buses(self, register: Register, cycle: int) -> int:
        """The buses of the ports that are free, or read the register already."""
        read = self.reads[register.file, cycle]
        wanted = self.read_index(register, cycle)
        taken = {port for index, port in read if index != wanted}
        if len(read) >= self._most(register, False):
            taken = {*range(len(self.connections.port_buses(register.file, False)))} - {
                port for index, port in read if index == wanted
            }
        ports = enumerate(self.connections.port_buses(register.file, False))
        return union(buses for port, buses in ports if port not in taken)

    def _read(self, register: Register, cycle: int, bus: int) -> None:
        """Takes a read port; any number of buses can read the same register through one port."""
        read = self.reads[register.file, cycle]
        ports = self.connections.port_buses(register.file, False)
        wanted = self.read_index(register, cycle)
        if any(index == wanted and ports[port] & bus for index, port in read):
            return
        taken = {port for _, port in read}
        entry = wanted, _first(ports, bus, taken)
        read.append(entry)
        self.log.append((read.remove, (entry,)))
        bit = 1 << self.slot(cycle)
        self._set(self.register_slots, register, bit)
        if len(read) >= self._most(register, False):
            self._set(self.read_slots, register.file, bit)

    def _writable_buses(self, register: Register, cycle: int, guard: Guard | None) -> int:
        """The buses of the ports that take a value: none, or one whose guard excludes this one."""
        writes = self.writes[register.file, cycle]
        used = {port for _, _, port in writes}
        full = len(used) >= self._most(register, True)
        return union(
            buses
            for port, buses in enumerate(self.connections.port_buses(register.file, True))
            if _accepts(writes, port, guard) and (port in used or not full)
        )

    def _most(self, register: Register, takes: bool) -> int:
        file = self.machine.register_file(register.file)
        assert file is not None
        return file.most_writes if takes else file.most_reads

    def _write(self, register: Register, cycle: int, guard: Guard | None, bus: int) -> None:
        """Takes a write port, which accepts one value, or two whose guards exclude each other."""
        writes = self.writes[register.file, cycle]
        ports = self.connections.port_buses(register.file, True)
        taken = {port for port in range(len(ports)) if not _accepts(writes, port, guard)}
        used = {port for _, _, port in writes}
        if len(used) >= self._most(register, True):
            taken |= {*range(len(ports))} - used
        shared = [p for _, _, p in writes if p not in taken and ports[p] & bus]
        entry = register, guard, shared[0] if shared else _first(ports, bus, taken)
        writes.append(entry)
        self.log.append((writes.remove, (entry,)))
        if len({port for _, _, port in writes}) >= self._most(register, True):
            self._set(self.write_slots, register.file, 1 << self.slot(cycle))

    def can_write(self, file: str, cycle: int) -> bool:
        return len(self.writes[file, cycle]) < self.connections.most_writes[file]

    # Units.

    def last(self, cycle: int, end: int) -> int:
        """The last cycle worth trying from `cycle` on, in a block that ends at `end` so far."""
        return max(cycle, end) + 64

    def trigger(self, unit: str, cycle: int) -> bool:
        bit = 1 << self.slot(cycle)
        if self.busy_slots[unit] & bit:
            return False
        self._set(self.busy_slots, unit, bit)
        return True

    def result(self, unit: str, port: str, ready: int) -> bool:
        """Takes an output port for a result; False if another result arrives at that cycle, or an
        earlier one is read after it."""
        bit = 1 << self.slot(ready)
        if self.held_slots[unit, port] & bit:
            return False
        self._set(self.arrival_slots, (unit, port), bit)
        self._set(self.held_slots, (unit, port), bit)
        return True

    def result_until(self, unit: str, port: str, ready: int) -> int:
        """The last cycle in which the result that arrives at `ready` is in the port."""
        later = self.earlier(self.arrival_slots[unit, port], ready + 1)
        return ready + (later & -later).bit_length() - 1 if later else OPEN

    def hold_result(self, unit: str, port: str, ready: int, cycle: int) -> None:
        """Records that a result is read at `cycle`; no other result may arrive before."""
        self._set(self.held_slots, (unit, port), self.span(ready, cycle + 1))

    def shared_operand(self, unit: str, port: str, cycle: int, value: object) -> bool:
        """Whether the operand port has `value` from an earlier move, and keeps it until `cycle`."""
        last = self._last_operand(unit, port, cycle)
        if last < 0 or not self.value_slots.get((unit, port, value), 0) >> last & 1:
            return False
        if cycle > last:
            self._occupy(unit, port, value, last, cycle)
        return True

    def at_port(self, unit: str, port: str, cycle: int, value: object) -> bool | None:
        """Whether an operand port has `value` at `cycle`.

        None if another operation needs the value that the port has then.
        """
        last = self._last_operand(unit, port, cycle)
        if last >= 0 and self.value_slots.get((unit, port, value), 0) >> last & 1:
            return True
        return None if last == cycle else False

    def _last_operand(self, unit: str, port: str, cycle: int) -> int:
        """The last cycle, up to `cycle`, in which an operand port has an operand that is needed;
        -1 if there is none."""
        taken = self.port_slots[unit, port] & (2 << cycle) - 1
        return taken.bit_length() - 1

    def operand(self, unit: str, port: str, start: int, cycle: int, value: object) -> bool:
        """Takes an operand port from the move at `start` to the trigger at `cycle`, if possible."""
        if self.port_slots[unit, port] & self.span(start, cycle + 1):
            return False
        self._occupy(unit, port, value, start, cycle)
        return True

    # Registers.

    def holds(self, interval: Interval, cycle: int) -> bool:
        """Whether a register still has the interval's value at `cycle`."""
        return True

    def held(self, interval: Interval) -> int:
        """The cycles, with all before them, in which a register may still have a value."""
        return -1

    def take_register(
        self, register: Register, start: int, end: int, value: object
    ) -> Interval | None:
        """Takes a register from the move at `start` to the last read at `end`; None if it is taken.

        A read in the cycle of a write sees the old value.
        """
        intervals = self.registers[register]
        at = (len(intervals) if end == OPEN else bisect_left(intervals, end, key=_start)) - 1
        if at >= 0 and intervals[at].end > start:
            return None
        interval = Interval(start, end, value, register)
        self._insert(intervals, interval)
        if end == OPEN:
            self._set_open(register, True)
        return interval

    def _set_open(self, register: Register, holds: bool) -> None:
        old, bit = self.open[register.file], 1 << register.index
        new = old | bit if holds else old & ~bit
        if new != old:
            self.log.append((self.open.__setitem__, (register.file, old)))
            self.open[register.file] = new

    def release(self, register: Register, interval: Interval) -> None:
        intervals = self.registers[register]
        intervals.remove(interval)
        self.log.append((insort_interval, (intervals, interval)))
        if interval.end == OPEN:
            self._set_open(register, False)

    def set_end(self, interval: Interval, end: int) -> None:
        self.log.append((setattr, (interval, "end", interval.end)))
        if interval.register is not None and interval.end == OPEN != end:
            self._set_open(interval.register, False)
        interval.end = end

    def _insert(self, intervals: list[Interval], interval: Interval) -> None:
        insort_interval(intervals, interval)
        self.log.append((intervals.remove, (interval,)))


def _start(interval: Interval) -> int:
    return interval.start


def insort_interval(intervals: list[Interval], interval: Interval) -> None:
    insort(intervals, interval, key=_start)
