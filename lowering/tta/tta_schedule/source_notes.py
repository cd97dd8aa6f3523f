"""The work-item and the source line of each move, as notes such as `item 3, line 5`."""

from __future__ import annotations

from bisect import bisect_left
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
    for unit, cycle in sorted(triggered):
        cycles[unit].append(cycle)

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
                begun = [triggered[unit, cycle] for cycle in cycles[unit] if cycle < move.cycle]
                done = [v for v in begun if not v.is_store and ready(v) <= move.cycle]
                found = max(done, key=ready, default=None)
            case _:
                pass
        return source_note(found.source) if found is not None else ""

    return note
