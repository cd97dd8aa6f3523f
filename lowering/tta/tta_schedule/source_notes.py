"""The work-item and the source line of each move, as notes such as `item 3, line 5`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import NameLoc
from xdsl.ir import Operation

from polycl.dialects.tta import Register, UnitPort
from polycl.errors import location_of
from polycl.lowering.tta.tta_schedule.block_graph import Value
from polycl.lowering.tta.tta_schedule.tables import Transport


def source_note(op: Operation | None) -> str:
    """Empty if nothing is known. Operations that all work-items share have no item."""
    if op is None:
        return ""
    parts: list[str] = []
    if isinstance(op.location, NameLoc) and op.location.desc.data.startswith("item "):
        parts.append(op.location.desc.data)
    place = location_of(op)
    if place is not None:
        parts.append(f"line {place[1]}")
    return ", ".join(parts)


def source_notes(
    triggered: Mapping[tuple[str, int], Value], ready: Callable[[Value], int]
) -> Callable[[Transport], str]:
    """A function that returns the note of each move of a block.

    `triggered` maps (unit, cycle) to the value whose operation began there; `ready` returns the
    first cycle in which a value is in its port.
    """
    cycles: dict[str, list[int]] = defaultdict(list)
    results: dict[str, list[tuple[int, Value]]] = defaultdict(list)
    for unit, cycle in sorted(triggered):
        cycles[unit].append(cycle)
        value = triggered[unit, cycle]
        if not value.is_store:
            results[unit].append((ready(value), value))
    for found in results.values():
        found.sort(key=_cycle)

    def note(move: Transport) -> str:
        found: Value | None = None
        match move.source, move.destination:
            case _, UnitPort(unit):
                # The first operation that reads the operand.
                at = bisect_left(cycles[unit], move.cycle)
                if at < len(cycles[unit]):
                    found = triggered[unit, cycles[unit][at]]
            case UnitPort(unit), Register():
                # The last operation whose result is in the port.
                at = bisect_right(results[unit], move.cycle, key=_cycle)
                if at:
                    found = results[unit][at - 1][1]
            case _:
                pass
        return source_note(found.source) if found is not None else ""

    return note


def _cycle(result: tuple[int, Value]) -> int:
    return result[0]
