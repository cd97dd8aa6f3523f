"""Overlaps the rounds of a loop that is one block (modulo scheduling).

A round begins every II cycles, although it takes longer: its cycles from k * II on are its stage k.
While the loop goes round, the stages of several rounds run side by side (`kernel`). Before that the
first rounds begin one after the other (`fill`), behind it the last ones end (`drain`):

    fill    0          a loop of three stages; each line takes II cycles
            1 0        -> drain1, if there was but one round
    kernel  2 1 0      -> kernel, while there are more
    drain     2 1
                2

Whether another round begins is known in the first stage. So no round begins in vain, and any loop
can be overlapped, whatever its condition is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from polycl.dialects.tta import (
    Block,
    Guard,
    Instruction,
    Label,
    Machine,
    Move,
    Register,
    UnitPort,
)
from polycl.lowering.tta.tta_schedule.block_graph import JUMP, Graph, Value
from polycl.lowering.tta.tta_schedule.bounds import bounds
from polycl.lowering.tta.tta_schedule.modulo_tables import ModuloTables
from polycl.lowering.tta.tta_schedule.notes import notes
from polycl.lowering.tta.tta_schedule.order import placement_order
from polycl.lowering.tta.tta_schedule.placement import Placement, PlacementError
from polycl.lowering.tta.tta_schedule.rounds import (
    RoundEdge,
    carried_edges,
    memory_edges,
    recurrence_bound,
)
from polycl.lowering.tta.tta_schedule.tiles import order_by_tiles

TREES = (8, 2)
"""The most operations that are placed in one transaction; fewer where that fails."""


@dataclass(frozen=True)
class Overlapped:
    """The cycles of a round, of which `interval` pass until the next one begins."""

    machine: Machine
    interval: int
    cycles: tuple[tuple[Move, ...], ...]
    """Without the jump."""
    jump: Move
    """From the first stage back to the kernel; the label is not that of a block yet."""
    limits: tuple[tuple[str, int], ...]
    """The bounds of the interval, the highest first."""

    @property
    def stages(self) -> int:
        return -(-len(self.cycles) // self.interval)

    def blocks(self, name: str, target: str, falls_through: bool) -> list[Block]:
        """The loop `name`; behind it comes `target`, which is the next block if `falls_through`."""
        stages = self.stages
        drains = [f"{name}_drain{begun}" for begun in range(1, stages - 1)] + [f"{name}_drain"]
        fills = [
            Block(
                name if begun == 1 else f"{name}_fill{begun}",
                self._jumping(range(begun), drains[begun - 1], inverse=True),
            )
            for begun in range(1, stages)
        ]
        kernel = Block(f"{name}_kernel", self._jumping(range(stages), f"{name}_kernel"))
        ends = [
            Block(drain, self._drain(begun + 1, None if falls_through and last else target))
            for begun, drain in enumerate(drains)
            for last in [stages == 2 or begun == stages - 3]
        ]
        # What runs most often comes behind the kernel.
        return [*fills, kernel, ends[-1], *ends[:-1]]

    def _part(self, stages: Iterable[int]) -> list[list[Move]]:
        """The moves of some stages side by side."""
        found: list[list[Move]] = [[] for _ in range(self.interval)]
        for stage in stages:
            begin = stage * self.interval
            for slot, moves in enumerate(self.cycles[begin : begin + self.interval]):
                found[slot] += moves
        return found

    def _jumping(
        self, stages: Iterable[int], target: str, inverse: bool = False
    ) -> tuple[Instruction, ...]:
        part = self._part(stages)
        guard = self.jump.guard
        assert guard is not None
        if inverse:
            guard = replace(guard, inverted=not guard.inverted)
        jump = replace(self.jump, source=Label(target), guard=guard)
        part[self.interval - 1 - self.machine.control.delay_slots].append(jump)
        return _instructions(part)

    def _drain(self, begun: int, target: str | None) -> tuple[Instruction, ...]:
        """What is left of the last rounds, when `begun` stages of the oldest one are done."""
        part: list[list[Move]] = []
        for first in range(1, self.stages):
            part += self._part(range(first, min(first + begun, self.stages)))
        while part and not part[-1]:
            part.pop()
        if target is None:
            return _instructions(part)
        slots = self.machine.control.delay_slots
        port = self.machine.control.unit.trigger
        at = max(0, len(part) - 1 - slots)
        while True:
            part += [[] for _ in range(at + 1 + slots - len(part))]
            free = self.machine.buses_of(port) - {move.bus for move in part[at]}
            if free:
                unit = UnitPort(self.machine.control.name, port.name, "jump")
                part[at].append(Move(min(free), Label(target), unit))
                return _instructions(part)
            at += 1


def _instructions(cycles: list[list[Move]]) -> tuple[Instruction, ...]:
    return tuple(Instruction(tuple(sorted(moves, key=lambda m: m.bus))) for moves in cycles)


class NotOverlapped(Exception):
    """Why the rounds of a loop come one after the other."""


def overlap(
    make: Callable[[], Graph],
    inverse: bool,
    machine: Machine,
    reserved: frozenset[Register],
    first: int,
    most: int,
    parallel: bool,
) -> Overlapped:
    """The shortest interval from `first` to `most` for which there is a schedule.

    `make` makes the graph of a round. The loop goes on if the condition of the graph's jump is
    true, or false if `inverse`. Raises NotOverlapped.
    """
    limits = _limits(make(), machine, parallel)
    name, least = limits[0]
    if least > most:
        if name == "recurrence" and _limits(make(), machine, True)[0][1] < least:
            name = "memory (a round may read or write what the one before stores)"
        raise NotOverlapped(f"{name} bound {least}, and one after the other they take {most + 1}")
    for tree in TREES:
        interval = max(first, least)
        while interval <= most:
            for late in (False, True):
                round_ = _Round(make(), inverse, machine, reserved, interval, parallel, tree, late)
                if round_.place():
                    found = round_.overlapped(limits)
                    if found.stages < 2:
                        raise NotOverlapped(f"a round takes no more than {interval} cycles")
                    return found
            interval += max(1, interval // 16)
    raise NotOverlapped(f"none of the schedules tried has less than {most + 1} cycles a round")


def _limits(graph: Graph, machine: Machine, parallel: bool) -> tuple[tuple[str, int], ...]:
    found = {name: cycles for name, cycles in bounds(graph, machine) if name != "latency"}
    edges = [*carried_edges(graph, machine), *memory_edges(graph, parallel)]
    found["jump"] = 1 + machine.control.delay_slots
    found["recurrence"] = recurrence_bound(graph, machine, edges)
    return tuple(sorted(found.items(), key=lambda item: -item[1]))


class _Round:
    """The attempt to place one round for one interval."""

    def __init__(
        self,
        graph: Graph,
        inverse: bool,
        machine: Machine,
        reserved: frozenset[Register],
        interval: int,
        parallel: bool,
        tree: int,
        late: bool,
    ):
        self.graph = graph
        self.inverse = inverse
        self.machine = machine
        self.interval = interval
        self.edges: list[RoundEdge] = memory_edges(graph, parallel)
        order_by_tiles(graph, machine)
        self.order = _condition_first(placement_order(graph, tree), graph)
        for edge in self.edges:
            edge.second.after.append((edge.first, edge.distance - interval))
            edge.first.before.append((edge.second, edge.distance - interval))
        self.tables = ModuloTables(machine, interval, {*reserved, *graph.entries})
        self.placement = Placement(graph, self.tables, reserved, late)

    def place(self) -> bool:
        """Whether all found a place."""
        try:
            for root in self.order:
                if root.operation == JUMP:
                    if not self._jump(root):
                        return False
                else:
                    self.placement.place(root)
        except PlacementError:
            return False
        return self._is_in_order() and self._is_handed_on()

    def _jump(self, jump: Value) -> bool:
        control = self.machine.control
        destination = UnitPort(control.name, control.unit.trigger.name, "jump")
        cycle = self.interval - 1 - control.delay_slots
        assert isinstance(jump.guard, Value)
        guard = self.placement.guard(jump.guard, cycle)
        if guard is None:
            return False
        # A bus on which the jumps of the fill can have the inverse guard.
        other = Guard(guard.register_file, guard.index, True)
        if not all(g in bus.guard_set for bus in self.machine.buses for g in (guard, other)):
            return False
        chosen = other if self.inverse else guard
        self.placement.cycles[jump] = cycle
        return self.tables.move(cycle, Label("kernel"), destination, chosen) is not None

    def _is_in_order(self) -> bool:
        """Whether accesses to memory come as they must, also where they were placed together."""
        cycles = self.placement.cycles
        return all(
            cycles[other] + distance <= cycles[value]
            for value in self.graph.values
            for other, distance in value.after
        )

    def _is_handed_on(self) -> bool:
        """Whether a round reads all that it gets in registers before the next one's is there."""
        moves = [move for at in self.tables.moves.values() for move in at]
        for register in self.graph.entries:
            file = self.machine.register_file(register.file)
            assert file is not None
            delay = self.machine.guard_delay(file) - 1
            written = [m.cycle for m in moves if m.destination == register]
            if not written:
                continue
            read = [m.cycle for m in moves if m.source == register]
            read += [
                m.cycle - delay
                for m in moves
                if m.guard is not None
                and (m.guard.register_file, m.guard.index) == (register.file, register.index)
            ]
            old = [cycle for cycle in read if cycle <= min(written)]
            if old and max(written) > min(old) + self.interval - 1:
                return False
        return True

    def overlapped(self, limits: tuple[tuple[str, int], ...]) -> Overlapped:
        results = self.placement.results
        note = notes(self.placement.triggered, lambda value: results[value].ready)
        cycles: list[list[Move]] = []
        back: Move | None = None
        for cycle in range(max(self.tables.moves) + 1):
            cycles.append([])
            for m in self.tables.moves.get(cycle, ()):
                move = Move(m.bus, m.source, m.destination, m.guard, note(m))
                if isinstance(m.source, Label):
                    back = move
                else:
                    cycles[-1].append(move)
        while not cycles[-1]:
            cycles.pop()
        assert back is not None
        moves = tuple(map(tuple, cycles))
        return Overlapped(self.machine, self.interval, moves, back, limits)


def _condition_first(order: list[Value], graph: Graph) -> list[Value]:
    """The jump, and what it needs, before all else: it must be in the first stage."""
    assert graph.jump is not None
    needed: set[Value] = set()
    work: list[Value] = [graph.jump]
    while work:
        value = work.pop()
        if value not in needed:
            needed.add(value)
            work += [o for o in value.operands if isinstance(o, Value)]
            work += [other for other, _ in value.after]
    return sorted(order, key=lambda root: root not in needed)
