"""Overlaps the iterations of a loop that is one block (modulo scheduling).

An iteration begins every II cycles (the initiation interval), although it takes longer: its cycles
from k * II on are stage k. The `kernel` executes the stages of several iterations in parallel. The
first iterations begin before it (prologue, `fill`), the last ones end after it (epilogue, `drain`):

    fill    0          a loop of three stages; each line takes II cycles
            1 0        -> drain1, if there is one iteration only
    kernel  2 1 0      -> kernel, while there are more iterations
    drain     2 1
                2

The first stage decides whether another iteration begins. So no iteration is speculative, and loops
with any condition can be overlapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
from polycl.lowering.tta.tta_schedule.block_graph import (
    COPY,
    ENTRY,
    JUMP,
    Graph,
    Value,
)
from polycl.lowering.tta.tta_schedule.bounds import bounds
from polycl.lowering.tta.tta_schedule.loop_dependences import (
    CarriedEdge,
    carried_edges,
    memory_edges,
    recurrence_bound,
)
from polycl.lowering.tta.tta_schedule.modulo_tables import ModuloTables
from polycl.lowering.tta.tta_schedule.order import needed, placement_order, root_of
from polycl.lowering.tta.tta_schedule.outer_products import order_outer_products
from polycl.lowering.tta.tta_schedule.placement import Placement, PlacementError
from polycl.lowering.tta.tta_schedule.source_notes import source_notes

TREES = (8, 2)
"""The most operations that are placed in one transaction; fewer where that fails."""

RETRIES = 3
"""How often the value that failed is placed earlier, before a longer interval is tried."""

WAITS = (0, 2, 4, 6, 8, 12)
"""For how many cycles an outer product waits after its operands could be there: the loads of a tile
take time, and tiles that begin at once pass through the units without gaps."""

FEW = 4
"""An attempt that left more than one value of so many is not retried."""


@dataclass(frozen=True)
class Overlapped:
    """The schedule of one iteration; the next one begins after `interval` cycles."""

    machine: Machine
    interval: int
    cycles: tuple[tuple[Move, ...], ...]
    """The moves of each cycle, without the jump."""
    jump: Move
    """The jump of the first stage back to the kernel; its label is replaced later."""
    limits: tuple[tuple[str, int], ...]
    """The bounds of the interval, the highest first."""

    @property
    def stages(self) -> int:
        return -(-len(self.cycles) // self.interval)

    def blocks(self, name: str, target: str, falls_through: bool) -> list[Block]:
        """The blocks of loop `name`, followed by `target` (the next block if `falls_through`)."""
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
        # The most frequent drain follows the kernel.
        return [*fills, kernel, ends[-1], *ends[:-1]]

    def _part(self, stages: Iterable[int]) -> list[list[Move]]:
        """The moves of some stages in parallel."""
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
        """The remaining stages of the last iterations, after `begun` stages of the oldest one."""
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
    """Why the iterations of a loop do not overlap."""


def overlap(
    make: Callable[[], Graph],
    inverse: bool,
    machine: Machine,
    reserved: frozenset[Register],
    first: int,
    most: int,
    parallel: bool,
) -> Overlapped:
    """The schedule with the least initiation interval that is found from `first` to `most`.

    `make` makes the graph of an iteration. The loop continues if the condition of the graph's jump
    is true, or false if `inverse`.

    Raises:
        NotOverlapped: there is no such schedule.
    """
    limits = _limits(make(), machine, parallel)
    name, least = limits[0]
    if least > most:
        if name == "recurrence" and _limits(make(), machine, True)[0][1] < least:
            name = "memory (an iteration may access what the previous one stores)"
        raise NotOverlapped(f"{name} bound {least}, and without overlap one takes {most + 1}")
    shortest = most + 1
    tiled = bool(order_outer_products(make(), machine))
    if tiled:
        first = 1
    orders: list[tuple[bool, int | None]] = [(False, None), (True, None)]
    if tiled:
        orders[1:] = [(True, wait) for wait in WAITS]
    for tree in TREES:
        interval = max(first, least)
        while interval <= most:
            found: list[Overlapped] = []
            for late, wait in orders:
                urgent: list[int] = []
                while True:
                    attempt = _Attempt(
                        make(),
                        inverse,
                        machine,
                        reserved,
                        interval,
                        parallel,
                        tree,
                        late,
                        wait,
                        urgent,
                    )
                    if attempt.place():
                        found.append(attempt.overlapped(limits))
                        break
                    if not attempt.failed or len(urgent) == RETRIES or wait is not None:
                        break
                    urgent.insert(0, attempt.failed.index)
                if found and found[-1].stages > 1 and not tiled:
                    break
            if found:
                # Short iterations have short drains.
                best = min(found, key=lambda overlapped: len(overlapped.cycles))
                if best.stages > 1:
                    return best
                # Nothing overlaps; with a longer interval, operations begin elsewhere.
                shortest = min(shortest, interval)
            interval += 1 if tiled else max(1, interval // 16)
    if shortest <= most:
        raise NotOverlapped(f"an iteration takes at most {shortest} cycles")
    raise NotOverlapped(f"no schedule that was tried takes less than {most + 1} cycles")


def _limits(graph: Graph, machine: Machine, parallel: bool) -> tuple[tuple[str, int], ...]:
    found = {name: cycles for name, cycles in bounds(graph, machine) if name != "latency"}
    edges = [*carried_edges(graph, machine), *memory_edges(graph, parallel)]
    found["jump"] = 1 + machine.control.delay_slots
    found["recurrence"] = recurrence_bound(graph, machine, edges)
    return tuple(sorted(found.items(), key=lambda item: -item[1]))


class _Attempt:
    """The attempt to schedule an iteration for one initiation interval."""

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
        wait: int | None,
        urgent: Sequence[int],
    ):
        """The values with the indices `urgent`, and those that they need, are placed first.

        Outer products wait for `wait` cycles, if that is a number.
        """
        self.graph = graph
        self.inverse = inverse
        self.machine = machine
        self.interval = interval
        self.edges: list[CarriedEdge] = memory_edges(graph, parallel)
        products = order_outer_products(graph, machine)
        self.order = _in_front(placement_order(graph, tree), graph, urgent)
        self.failed: Value | None = None
        """The value for which there was no place, if most others have theirs."""
        for edge in self.edges:
            edge.second.after.append((edge.first, edge.distance - interval))
            edge.first.before.append((edge.second, edge.distance - interval))
        self.tables = ModuloTables(machine, interval, {*reserved, *graph.entries})
        self.placement = Placement(graph, self.tables, reserved, late)
        if wait is not None:
            asap = self.placement.asap
            asap.update(dict.fromkeys(products, wait + max(asap[p] for p in products)))

    def place(self) -> bool:
        """Whether all operations could be placed."""
        try:
            for root in self.order:
                if root.operation == JUMP:
                    if not self._jump(root):
                        return False
                else:
                    self.placement.place(root)
        except PlacementError as error:
            left = sum(root not in self.placement.cycles for root in self.order)
            if left * FEW <= len(self.order):
                self.failed = error.value
            return False
        return self._is_in_order() and self._is_carried_in_time()

    def _jump(self, jump: Value) -> bool:
        control = self.machine.control
        destination = UnitPort(control.name, control.unit.trigger.name, "jump")
        cycle = self.interval - 1 - control.delay_slots
        assert isinstance(jump.guard, Value)
        guard = self.placement.guard(jump.guard, cycle)
        if guard is None:
            return False
        # The jumps of the fill need a bus with the inverse guard.
        other = Guard(guard.register_file, guard.index, True)
        if not all(g in bus.guard_set for bus in self.machine.buses for g in (guard, other)):
            return False
        chosen = other if self.inverse else guard
        self.placement.cycles[jump] = cycle
        return self.tables.move(cycle, Label("kernel"), destination, chosen) is not None

    def _is_in_order(self) -> bool:
        """Whether memory accesses are in order, also those placed in one transaction."""
        cycles = self.placement.cycles
        return all(
            cycles[other] + distance <= cycles[value]
            for value in self.graph.values
            for other, distance in value.after
        )

    def _is_carried_in_time(self) -> bool:
        """Whether each carried value is read before the next iteration's value replaces it."""
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
        note = source_notes(self.placement.triggered, lambda value: results[value].ready)
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


def _in_front(order: list[Value], graph: Graph, urgent: Sequence[int]) -> list[Value]:
    """The order with the jump and its operands first, since the jump is in the first stage.

    The values with the indices `urgent` are next, each with what must be placed before it.
    """
    assert graph.jump is not None
    condition = needed([graph.jump])
    others = needed(value for value in order if value.index in urgent)
    while True:
        roots = {root_of(value) for value in others if value.operation != ENTRY}
        # A register that a copy overwrites is read before.
        users = [
            user
            for value in others
            if value.operation == COPY and value.target in graph.entries
            for user in graph.entries[value.target].users
            if user.operation != JUMP
        ]
        more = needed([*roots, *users])
        if more <= others:
            break
        others |= more
    return sorted(order, key=lambda root: 0 if root in condition else 1 if root in roots else 2)
