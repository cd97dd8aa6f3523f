"""The utilisation of the parts of a machine, as text and as JSON (OpenASIP's `info proc stats`).

The utilisation is 100 % with one use in each cycle: a move of a bus, an operation of a unit, a
register of each port of a register file. Nothing is counted while a program runs (counters.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

from polycl.backends.tta.counters import Counters, count
from polycl.backends.tta.interpreter import Result
from polycl.dialects.tta import Machine, Program


@dataclass(frozen=True)
class Use:
    count: int
    percent: float
    """The share of the possible uses; for an operation, the share of all operations."""


@dataclass(frozen=True)
class FileUse:
    reads: Use
    writes: Use
    guards: int
    """The moves that registers of the file guard; guards need no port."""


@dataclass(frozen=True)
class Statistics:
    """The uses of all parts of the machine, in machine order."""

    cycles: int
    moves: int
    buses: dict[str, Use]
    units: dict[str, Use]
    operations: dict[str, Use]
    """The operations that were executed, the most frequent one first."""
    register_files: dict[str, FileUse]

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    def as_text(self) -> str:
        lines = [f"{self.cycles} cycles, {self.moves} moves"]
        for title, uses in (
            ("buses", self.buses),
            ("function units", self.units),
            ("operations", self.operations),
        ):
            width = max(map(len, uses), default=0)
            lines += ["", f"{title}:"]
            lines += [f"  {name:{width}} {_text(use)}" for name, use in uses.items()]
        width = max(map(len, self.register_files), default=0)
        heads = f"  {'':{width}} {'reads':>12}{'writes':>22}{'guards':>22}"
        lines += ["", "register files:", heads]
        for name, use in self.register_files.items():
            ports = f"{_text(use.reads)} {_text(use.writes)}"
            lines.append(f"  {name:{width}} {ports} {use.guards:>12}")
        return "\n".join(lines) + "\n"


def statistics(program: Program, result: Result) -> Statistics:
    """The statistics of an execution by either engine."""
    return summarise(program.machine, count(program, result.block_counts))


def summarise(machine: Machine, counters: Counters) -> Statistics:
    """The statistics of the counters of one or several executions."""
    cycles = counters.cycles
    units = [*machine.units, machine.control.unit]
    operations: Counter[str] = Counter()
    for (_, operation), times in counters.operations.items():
        operations[operation] += times
    return Statistics(
        cycles,
        counters.buses.total(),
        {bus.name: _use(counters.buses[i], cycles) for i, bus in enumerate(machine.buses)},
        {unit.name: _use(counters.triggers(unit.name), cycles) for unit in units},
        {name: _use(n, operations.total()) for name, n in operations.most_common()},
        {
            file.name: FileUse(
                _use(counters.reads[file.name], cycles * len(file.reads)),
                _use(counters.writes[file.name], cycles * len(file.writes)),
                counters.guard_reads[file.name],
            )
            for file in machine.register_files
        },
    )


def _use(times: int, possible: int) -> Use:
    return Use(times, round(100 * times / possible, 2) if possible else 0.0)


def _text(use: Use) -> str:
    return f"{use.count:>12} {use.percent:>6.1f} %"
