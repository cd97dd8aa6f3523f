"""The parts of machines as a table: a row for each kind of part, a column for each machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from polycl.dialects.tta import FunctionUnit, Machine, RegisterFile

Part = TypeVar("Part", FunctionUnit, RegisterFile)


def machine_table(machines: Mapping[str, Machine]) -> str:
    """The table of several machines by name."""
    columns = [_resources(machine) for machine in machines.values()]
    rows = dict.fromkeys(row for column in columns for row in column)
    # Registers and other parts come after the units of all machines.
    ordered = sorted(rows, key=lambda row: (row in _LAST, row.endswith(_OF_FILES)))
    cells = [["", *machines]]
    cells += [[row, *(column.get(row, "-") for column in columns)] for row in ordered]
    return aligned(cells)


def operation_table(machine: Machine) -> str:
    """The operations of each kind of unit, with their latencies."""
    cells: list[list[str]] = []
    for name, units in _kinds(machine.units).items():
        by_latency: dict[int, list[str]] = {}
        for operation in units[0].operations:
            by_latency.setdefault(operation.latency, []).append(operation.name)
        for latency, operations in by_latency.items():
            cycles = f"{latency} cycle{'s'[: latency != 1]}" if latency else "no result"
            cells.append([name, cycles, " ".join(operations)])
            name = ""
    return aligned(cells)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as lines with aligned columns."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


_OF_FILES = (" files", " width", " ports")
_LAST = ("guards", "delay slots", "memory")


def _resources(machine: Machine) -> dict[str, str]:
    found = {"buses": str(len(machine.buses))}
    found |= {name: str(len(units)) for name, units in _kinds(machine.units).items()}
    for name, files in _kinds(machine.register_files).items():
        first = files[0]
        found[f"{name} files"] = f"{len(files)} of {first.size}"
        found[f"{name} width"] = f"{first.width} bit{'s'[: first.width != 1]}"
        found[f"{name} ports"] = f"{len(first.reads)} out, {len(first.writes)} in"
    found["guards"] = f"{len(machine.guard_registers)} registers"
    found["delay slots"] = str(machine.control.delay_slots)
    data = [s for s in machine.spaces if s.name in {unit.space for unit in machine.units}]
    found["memory"] = ", ".join(f"{(s.maximum + 1 - s.minimum) / 2**20:g} MiB" for s in data)
    return found


def _kinds(parts: Sequence[Part]) -> dict[str, list[Part]]:
    """Groups equal parts by their names without numbers; a different part keeps its own name."""
    found: dict[str, list[Part]] = {}
    for part in parts:
        kind = part.name.rstrip("0123456789") or part.name
        if kind in found and not _alike(found[kind][0], part):
            kind = part.name
        found.setdefault(kind, []).append(part)
    return found


def _alike(one: FunctionUnit | RegisterFile, other: FunctionUnit | RegisterFile) -> bool:
    match one, other:
        case FunctionUnit(), FunctionUnit():
            return {(o.name, o.latency) for o in one.operations} == {
                (o.name, o.latency) for o in other.operations
            }
        case RegisterFile(), RegisterFile():
            ports = len(one.reads), len(one.writes)
            return (one.size, one.width, *ports) == (
                other.size,
                other.width,
                len(other.reads),
                len(other.writes),
            )
        case _:
            return False
