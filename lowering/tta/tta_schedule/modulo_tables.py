"""The modulo reservation tables of a loop whose iterations begin every II cycles.

A resource that an iteration uses in one cycle is used in all cycles that are equal modulo II, since
all iterations use it (B. R. Rau, Iterative Modulo Scheduling, MICRO-27, 1994). Cycles count from
the begin of an iteration, and exceed II if iterations overlap. A port or register holds a value for
at most II cycles, then the next iteration writes its own value.

If the loop is unrolled, a value that is read later has several registers, which successive
iterations use in turn (modulo variable expansion; M. Lam, Software Pipelining, PLDI 1988).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from polycl.dialects.tta import Register
from polycl.lowering.tta.tta_schedule.connections import Connections
from polycl.lowering.tta.tta_schedule.tables import OPEN, Interval, Tables

STAGES = 8, 64
"""Feasible cycles are repeated for this many stages: for more if they are short."""

REPEATED = 8192
"""The cycles for which more stages are repeated."""

_T = TypeVar("_T")


class _Slots(defaultdict[int, _T]):
    """Entries for cycles modulo II."""

    def __init__(self, default: Any, interval: int):
        super().__init__(default)
        self.interval = interval

    def __getitem__(self, cycle: int) -> _T:
        return super().__getitem__(cycle % self.interval)

    def __setitem__(self, cycle: int, content: _T) -> None:
        super().__setitem__(cycle % self.interval, content)


class _FileSlots(defaultdict[tuple[str, int], _T]):
    """Entries for register files and cycles modulo II."""

    def __init__(self, default: Any, interval: int):
        super().__init__(default)
        self.interval = interval

    def __getitem__(self, key: tuple[str, int]) -> _T:
        return super().__getitem__((key[0], key[1] % self.interval))


@dataclass(eq=False)
class _Held(Interval):
    """A value in a register that is not carried from iteration to iteration."""


def registers_in_turn(copies: int, least: int) -> int | None:
    """The fewest registers, `least` or more, that a loop unrolled so often uses in turn."""
    return next((n for n in range(least, copies + 1) if copies % n == 0), None)


class ModuloTables(Tables):
    """The state of one loop whose iterations begin every `interval` cycles.

    `carried` are the registers that hold a value when an iteration begins, or when the loop ends.
    They are used for nothing else.
    """

    long = False

    def __init__(
        self, connections: Connections, interval: int, carried: Iterable[Register], copies: int = 1
    ):
        """`copies` is how often the loop is unrolled: the most registers of a value."""
        super().__init__(connections)
        self.interval = interval
        self.copies = copies
        self.asked = 1
        """The most registers that a value needed, whether it got them or not."""
        self.turns: dict[Register, tuple[int, tuple[Register, ...]]] = {}
        """By the register of the first iteration: the cycle of its write, and the registers that
        the iterations use in turn."""
        self.carried = frozenset(carried)
        self.buses = _Slots[int](int, interval)
        self.reads = _FileSlots[list[tuple[int, int]]](list, interval)
        self.writes = _FileSlots[list[Any]](list, interval)
        self._full = (1 << interval) - 1
        stages = sorted((*STAGES, REPEATED // interval))[1]
        self._repeated = sum(1 << interval * stage for stage in range(stages))
        self._used: dict[Register, int] = defaultdict(int)
        """By register: the slots in which it is taken, as bits."""
        self.operands: dict[tuple[str, str, object], list[Interval]] = defaultdict(list)
        """By operand port and value: when an iteration needs it there."""

    def _use(self, key: Register, mask: int) -> None:
        """Sets the slots in which a register is taken."""
        self.log.append((self._used.__setitem__, (key, self._used[key])))
        self._used[key] = mask

    # Cycles as bits.

    def slot(self, cycle: int) -> int:
        return cycle % self.interval

    def cycles(self, slots: int) -> int:
        return slots * self._repeated

    def span(self, start: int, end: int) -> int:
        if end - start >= self.interval:
            return self._full
        bits = ((1 << max(end - start, 0)) - 1) << (start % self.interval)
        return (bits | bits >> self.interval) & self._full

    def earlier(self, slots: int, count: int) -> int:
        count %= self.interval
        return (slots >> count | slots << self.interval - count) & self._full

    # Units.

    def last(self, cycle: int, end: int) -> int:
        return max(cycle, end) + self.interval - 1

    def shared_operand(self, unit: str, port: str, cycle: int, value: object) -> bool:
        interval = self._sharing(unit, port, cycle, value)
        if interval is None:
            return False
        if cycle > interval.end:
            self._occupy(unit, port, value, interval.end + 1, cycle)
            super().set_end(interval, cycle)
        return True

    def at_port(self, unit: str, port: str, cycle: int, value: object) -> bool | None:
        if self._sharing(unit, port, cycle, value) is not None:
            return True
        return None if self.port_slots[unit, port] >> cycle % self.interval & 1 else False

    def _sharing(self, unit: str, port: str, cycle: int, value: object) -> Interval | None:
        """The operand that is in the port at `cycle`, or stays there until then."""
        for interval in self.operands.get((unit, port, value), ()):
            if interval.start <= cycle < interval.start + self.interval:
                more = self.span(interval.end + 1, cycle + 1)
                if cycle <= interval.end or not self.port_slots[unit, port] & more:
                    return interval
        return None

    def operand(self, unit: str, port: str, start: int, cycle: int, value: object) -> bool:
        if cycle - start >= self.interval or not super().operand(unit, port, start, cycle, value):
            return False
        self._insert(self.operands[unit, port, value], Interval(start, cycle, value))
        return True

    # Registers: from the write at `start` to before the next write, at `end`.

    def holds(self, interval: Interval, cycle: int) -> bool:
        if interval.start < 0 or cycle <= interval.start + self.interval:
            return True
        return isinstance(interval, _Held) and self._take_turns(interval, cycle)

    def held(self, interval: Interval) -> int:
        if interval.start < 0 or (self.copies > 1 and isinstance(interval, _Held)):
            return -1
        return (2 << interval.start + self.interval) - 1

    def _take_turns(self, held: _Held, cycle: int) -> bool:
        """Has a value until `cycle`, as further registers of its file hold it in turn."""
        first = held.register
        assert first is not None
        least = -(-(cycle - held.start) // self.interval)
        self.asked = max(self.asked, least)
        count = registers_in_turn(self.copies, least)
        if count is None or self._used[first] != self._full:
            return False
        old = self.turns.get(first)
        registers = (first,) if old is None else old[1]
        missing = max(count - len(registers), 0)
        more = tuple([r for r in self._like(first) if not self._used[r]][:missing])
        if len(more) < missing:
            return False
        for register in more:
            if self.take_register(register, held.start, OPEN, held.value) is None:
                return False
        if old is None:
            self.log.append((self.turns.pop, (first,)))
        else:
            self.log.append((self.turns.__setitem__, (first, old)))
        self.turns[first] = held.start, (*registers, *more)
        return True

    def _like(self, first: Register) -> list[Register]:
        """The other registers of the same file that do the same, except carried ones."""
        file = self.machine.register_file(first.file)
        assert file is not None
        guards = {index for name, index in self.machine.guard_registers if name == first.file}
        guarding = first.index in guards
        return [
            register
            for index in (file.guarding if guarding else file.allocatable)
            if (index in guards) == guarding
            for register in [Register(first.file, index)]
            if register not in self.carried and register != first
        ]

    def read_index(self, register: Register, cycle: int) -> int:
        turn = self.turns.get(register)
        later = 0 if turn is None else (cycle - turn[0] - 1) // self.interval
        # An iteration reads the register of an earlier one through a port of its own.
        return register.index if later <= 0 else -later << 16 | register.index

    def take_register(
        self, register: Register, start: int, end: int, value: object
    ) -> Interval | None:
        if start < 0 or register in self.carried:
            return super().take_register(register, start, end, value)
        mask = self.span(start, end)
        if self._used[register] & mask or (end != OPEN and end - start > self.interval):
            return None
        self._use(register, self._used[register] | mask)
        interval = _Held(start, end, value, register)
        self._insert(self.registers[register], interval)
        if end == OPEN:
            self._set_open(register, True)
        return interval

    def release(self, register: Register, interval: Interval) -> None:
        if isinstance(interval, _Held):
            self._use(register, self._used[register] & ~self.span(interval.start, interval.end))
        super().release(register, interval)

    def set_end(self, interval: Interval, end: int) -> None:
        if isinstance(interval, _Held):
            register = interval.register
            assert register is not None
            free = self.span(interval.start, interval.end) & ~self.span(interval.start, end)
            self._use(register, self._used[register] & ~free)
        super().set_end(interval, end)
