"""Schedules with one mistake each, as a scheduler could make it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import TypeAlias

from polycl.dialects.tta import (
    Guard,
    Immediate,
    Instruction,
    Label,
    Machine,
    Move,
    Program,
    Register,
    UnitPort,
)

Cycles: TypeAlias = list[list[Move]]
"""The instructions of one block, to be changed."""


def mutants(program: Program, random: Random) -> Iterator[tuple[str, Program]]:
    """Endless: the name of what was done, and the program; each kind as often as the others."""
    while True:
        for kind in KINDS:
            for _ in range(20):
                found = _mutant(program, kind, random)
                if found is not None:
                    yield kind.__name__.strip("_"), found
                    break


def _mutant(program: Program, kind: Mutation, random: Random) -> Program | None:
    at = random.randrange(len(program.blocks))
    block = program.blocks[at]
    cycles = [list(instruction.moves) for instruction in block.instructions]
    places = [(i, j) for i, moves in enumerate(cycles) for j in range(len(moves))]
    if not places:
        return None
    i, j = random.choice(places)
    if not kind(cycles, i, j, program.machine, random):
        return None
    instructions = tuple(Instruction(tuple(sorted(moves, key=lambda m: m.bus))) for moves in cycles)
    blocks = list(program.blocks)
    blocks[at] = replace(block, instructions=instructions)
    return replace(program, blocks=tuple(blocks))


def _free_bus(moves: list[Move], machine: Machine) -> int | None:
    """A bus for one more move; on the presets any bus connects all."""
    return next((b for b in range(len(machine.buses)) if all(m.bus != b for m in moves)), None)


def _shift(cycles: Cycles, i: int, j: int, machine: Machine, by: int) -> bool:
    if not 0 <= i + by < len(cycles):
        return False
    bus = _free_bus(cycles[i + by], machine)
    if bus is None:
        return False
    cycles[i + by].append(replace(cycles[i].pop(j), bus=bus))
    return True


def _later(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    return _shift(cycles, i, j, machine, 1)


def _earlier(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    return _shift(cycles, i, j, machine, -1)


def _dropped(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    del cycles[i][j]
    return True


def _other(register: Register, machine: Machine, random: Random) -> Register:
    """A register next to it, which is in use more often than one far away."""
    file = machine.register_file(register.file)
    assert file is not None
    return Register(file.name, (register.index + random.choice([1, 2, -1])) % file.size)


def _other_source(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    move = cycles[i][j]
    if not isinstance(move.source, Register):
        return False
    cycles[i][j] = replace(move, source=_other(move.source, machine, random))
    return True


def _other_target(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    move = cycles[i][j]
    if not isinstance(move.destination, Register):
        return False
    cycles[i][j] = replace(move, destination=_other(move.destination, machine, random))
    return True


def _other_result(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    move = cycles[i][j]
    if not isinstance(move.source, UnitPort):
        return False
    units = [u.name for u in machine.units if u.name != move.source.unit and u.port("out1")]
    cycles[i][j] = replace(move, source=UnitPort(random.choice(units), "out1"))
    return True


def _swapped(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    """The operands of an operation."""
    one = cycles[i][j]
    end = one.destination
    if not isinstance(end, UnitPort) or one.guard is not None:
        return False
    for k, other in enumerate(cycles[i]):
        same = isinstance(other.destination, UnitPort) and other.destination.unit == end.unit
        if same and k != j and other.source != one.source and other.guard is None:
            cycles[i][j] = replace(one, source=other.source)
            cycles[i][k] = replace(other, source=one.source)
            return True
    return False


def _unguarded(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    move = cycles[i][j]
    cycles[i][j] = replace(move, guard=None)
    return move.guard is not None


def _inverted(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    move = cycles[i][j]
    if move.guard is None:
        return False
    cycles[i][j] = replace(move, guard=replace(move.guard, inverted=not move.guard.inverted))
    return True


def _guarded(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    file, index = random.choice(machine.guard_registers[:3])
    move = cycles[i][j]
    cycles[i][j] = replace(move, guard=Guard(file, index))
    return move.guard is None


def _other_guard(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    move = cycles[i][j]
    if move.guard is None:
        return False
    file, index = random.choice(machine.guard_registers[:6])
    cycles[i][j] = replace(move, guard=Guard(file, index, move.guard.inverted))
    return (file, index) != (move.guard.register_file, move.guard.index)


def _other_number(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    move = cycles[i][j]
    if not isinstance(move.source, Immediate):
        return False
    number = move.source.value ^ random.choice([1, 4, 8, 0x80000000])
    cycles[i][j] = replace(move, source=Immediate(number))
    return True


def _other_bus(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    """One that is taken."""
    others = [move.bus for k, move in enumerate(cycles[i]) if k != j]
    if not others:
        return False
    cycles[i][j] = replace(cycles[i][j], bus=random.choice(others))
    return True


def _other_operation(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    move = cycles[i][j]
    end = move.destination
    if not isinstance(end, UnitPort) or end.operation is None:
        return False
    unit = machine.unit(end.unit)
    assert unit is not None
    old = unit.operation(end.operation)
    assert old is not None
    alike = [op.name for op in unit.operations if op.ports == old.ports and op is not old]
    if not alike:
        return False
    cycles[i][j] = replace(move, destination=end._replace(operation=random.choice(alike)))
    return True


def _exchanged(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    """Two instructions."""
    if i + 1 >= len(cycles) or not cycles[i + 1]:
        return False
    cycles[i], cycles[i + 1] = cycles[i + 1], cycles[i]
    return True


def _lost_cycle(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    """An instruction that nothing is in, or the moves of two in one."""
    if i + 1 >= len(cycles) or len(cycles[i]) + len(cycles[i + 1]) > len(machine.buses):
        return False
    for move in cycles.pop(i + 1):
        bus = _free_bus(cycles[i], machine)
        assert bus is not None
        cycles[i].append(replace(move, bus=bus))
    return True


def _other_jump(cycles: Cycles, i: int, j: int, machine: Machine, random: Random) -> bool:
    """To the first block behind the beginning."""
    for moves in cycles:
        for k, move in enumerate(moves):
            if isinstance(move.source, Label) and move.source.block != "block1":
                moves[k] = replace(move, source=Label("block1"))
                return True
    return False


Mutation: TypeAlias = Callable[[Cycles, int, int, Machine, Random], bool]
"""Changes the move j of cycle i, or what is near; returns whether it did."""

KINDS: tuple[Mutation, ...] = (
    _later,
    _earlier,
    _dropped,
    _other_source,
    _other_target,
    _other_result,
    _swapped,
    _unguarded,
    _inverted,
    _guarded,
    _other_guard,
    _other_number,
    _other_bus,
    _other_operation,
    _exchanged,
    _lost_cycle,
    _other_jump,
)
