"""Lower bounds of the cycles of a block, by its resources and by its latencies."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TypeGuard

from polycl.dialects.tta import Instruction, Machine, UnitPort
from polycl.lowering.tta.tta_schedule.block_graph import (
    COPY,
    ENTRY,
    GUARD,
    JUMP,
    SELECT,
    Graph,
    Operand,
    Value,
)

IN_REGISTERS = (SELECT, GUARD)
"""Operations whose results are in a register, never in a port."""


@dataclass(frozen=True)
class BlockBound:
    """The lower bounds of one block by each resource, and the cycles of its schedule."""

    block: str
    achieved: int
    bounds: tuple[tuple[str, int], ...]
    """Names such as `ALU0..3`, `buses`, `latency`, with cycles; the highest one first."""

    def __post_init__(self) -> None:
        name, cycles = self.bounds[0]
        assert self.achieved >= cycles, f"{self.achieved} cycles, but the {name} bound is {cycles}"

    def __str__(self) -> str:
        name, cycles = self.bounds[0]
        return f"{self.block}: {name} bound {cycles}, achieved {self.achieved}"


def bounds(graph: Graph, machine: Machine) -> tuple[tuple[str, int], ...]:
    """The bounds of a block, the highest first."""
    found: dict[str, int] = {}
    units: dict[tuple[str, ...], int] = defaultdict(int)
    moves = 0
    for value in graph.values:
        if value.operation == COPY and _in_register(value.inputs[0]):
            continue  # the moves into the register can be those of the copy
        moves += 2 if value.operation == SELECT else 1
        if value.operation not in (COPY, JUMP, *IN_REGISTERS):
            units[tuple(u.name for u in machine.units_with(value.operation))] += 1
    for names, count in units.items():
        found[_label(names)] = -(-count // len(names))
    found["buses"] = -(-moves // len(machine.buses))
    found["latency"] = _latency(graph, machine)
    return tuple(sorted(found.items(), key=lambda item: -item[1]))


def moves_bounds(
    instructions: tuple[Instruction, ...], machine: Machine
) -> tuple[tuple[str, int], ...]:
    """The bounds of scheduled moves by resources, the highest first."""
    units: dict[tuple[str, ...], int] = defaultdict(int)
    moves = 0
    for instruction in instructions:
        for move in instruction.moves:
            moves += 1
            end = move.destination
            if isinstance(end, UnitPort) and end.operation and end.unit != machine.control.name:
                units[tuple(u.name for u in machine.units_with(end.operation))] += 1
    found = {_label(names): -(-count // len(names)) for names, count in units.items()}
    found["buses"] = -(-moves // len(machine.buses))
    return tuple(sorted(found.items(), key=lambda item: -item[1]))


def _label(units: tuple[str, ...]) -> str:
    return units[0] if len(units) == 1 else f"{units[0]}..{units[-1]}"


def _latency(graph: Graph, machine: Machine) -> int:
    """The length of the critical path."""
    slots = machine.control.delay_slots
    at: dict[Value, int] = {}
    length = 1
    for value in graph.values:
        cycle = 0
        for operand in value.operands:
            if value.operation == COPY and _in_register(operand):
                cycle = at[operand]
            elif isinstance(operand, Value):
                ready = _ready(operand, at, machine)
                if operand is value.guard and operand.operation != ENTRY:
                    # From the port to a register, and from there to the guards.
                    delays = [machine.guard_delay(f) for f in machine.register_files]
                    ready += min(delays) - (operand.operation in IN_REGISTERS)
                cycle = max(cycle, ready)
        for other, distance in value.after:
            cycle = max(cycle, at[other] + distance)
        at[value] = cycle
        length = max(length, cycle + 1 + (slots if value.operation == JUMP else 0))
    return length


def cycles_left(graph: Graph, machine: Machine) -> dict[Value, int]:
    """For each value, the least cycles from its begin to the end of the block, by latencies."""
    slots = machine.control.delay_slots
    found: dict[Value, int] = {}
    for value in reversed(graph.values):
        left = 1 + slots if value.operation == JUMP else 1
        latency = 1 if value.operation in IN_REGISTERS else machine.least_latency(value.operation)
        for user in value.users:
            # The move into a register can be that of a copy.
            same = user.operation == COPY and value.operation in IN_REGISTERS
            left = max(left, found[user] + (0 if same else latency))
        for other, distance in value.before:
            left = max(left, found[other] + distance)
        found[value] = left
    return found


def _ready(value: Value, at: dict[Value, int], machine: Machine) -> int:
    """The earliest cycle in which a value can be moved."""
    if value.operation == ENTRY:
        return 0
    if value.operation in IN_REGISTERS:
        return at[value] + 1
    return at[value] + machine.least_latency(value.operation)


def _in_register(operand: Operand) -> TypeGuard[Value]:
    return isinstance(operand, Value) and operand.operation in IN_REGISTERS
