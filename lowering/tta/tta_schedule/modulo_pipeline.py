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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import lcm
from typing import TypeAlias

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
    ENTRY,
    GUARD,
    JUMP,
    Graph,
    Value,
)
from polycl.lowering.tta.tta_schedule.bounds import IN_REGISTERS, bounds
from polycl.lowering.tta.tta_schedule.loop_dependences import (
    CarriedEdge,
    memory_edges,
    recurrence_bound,
)
from polycl.lowering.tta.tta_schedule.modulo_tables import ModuloTables, registers_in_turn
from polycl.lowering.tta.tta_schedule.order import needed, placement_order, root_of
from polycl.lowering.tta.tta_schedule.outer_products import order_outer_products
from polycl.lowering.tta.tta_schedule.placement import Placement, PlacementError
from polycl.lowering.tta.tta_schedule.register_assignment import BlockRegisters
from polycl.lowering.tta.tta_schedule.source_notes import source_notes

TREES = (8, 2)
"""The most operations that are placed in one transaction; fewer where that fails."""

RETRIES = 3
"""How often the value that failed is placed earlier, before a longer interval is tried."""

WAITS = (0, 2, 4, 6, 8, 12)
"""For how many cycles an outer product waits after its operands could be there: the loads of a tile
take time, and tiles that begin at once pass through the units without gaps."""

MOST_COPIES = 4
"""How often a kernel is unrolled at most."""

MOST_VALUES = 60
"""The values of the longest iteration whose kernel is unrolled; longer ones gain little."""

TRIPS = 4
"""An unrolled kernel is not slower for so many iterations, although its fill may be longer."""

UNKNOWN = 8
"""The iterations of a loop whose trip count is not constant."""

PAYS = 32
"""In so many iterations, shorter intervals make up for the cycles of fill and drain."""

EFFORT = 8_000
"""How many cycles a search tries for values, some four seconds of them: the more that an interval
takes, the fewer are tried."""

GRAPH = 4
"""Values of a graph that count as one cycle that is tried."""

FEW = 4
"""An attempt that left more than one value of so many is not retried."""

LARGE = 1000
"""The values of an iteration for which the longest interval, which needs the fewest registers, is
tried first."""


Way: TypeAlias = tuple[int, int, bool, int | None, int]
"""How an iteration is scheduled: the arguments of `_Search.attempt`."""


class NotOverlapped(Exception):
    """Why the iterations of a loop do not overlap."""


Searched: TypeAlias = dict[tuple[object, ...], Way | NotOverlapped]
"""What the search found for loops of some form."""


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
    turns: dict[Register, tuple[Register, ...]] = field(
        default_factory=dict[Register, tuple[Register, ...]]
    )
    """The registers that successive iterations use instead of one."""
    way: Way | None = None
    """How it was found."""

    @property
    def copies(self) -> int:
        """How often the kernel is unrolled, such that each copy uses the same registers again."""
        return lcm(*map(len, self.turns.values()))

    @property
    def stages(self) -> int:
        return -(-len(self.cycles) // self.interval)

    def pays(self, plain: int) -> bool:
        """Whether PAYS iterations take fewer cycles than those of a loop of `plain` cycles."""
        return (PAYS - 1) * self.interval + len(self.cycles) < PAYS * plain

    def blocks(self, name: str, target: str, falls_through: bool) -> list[Block]:
        """The blocks of loop `name`, followed by `target` (the next block if `falls_through`)."""
        stages, copies = self.stages, self.copies
        drains = [f"{name}_drain{begun}" for begun in range(1, stages - 1)] + [f"{name}_drain"]
        fills = [
            Block(
                name if begun == 1 else f"{name}_fill{begun}",
                self._jumping(range(begun), begun - 1, drains[begun - 1], inverse=True),
            )
            for begun in range(1, stages)
        ]
        kernels: list[Block] = []
        ends = [(drain, begun, begun) for begun, drain in enumerate(drains)]
        for copy in range(copies):
            last = copy == copies - 1
            number = "" if copy == 0 else str(copy)
            to = f"{name}_kernel" if last else f"{name}_drain_kernel{number}"
            newest = stages - 1 + copy
            jumping = self._jumping(range(stages), newest, to, inverse=not last)
            kernels.append(Block(f"{name}_kernel{number}", jumping))
            if not last:
                ends.insert(0, (to, stages - 2, newest))
        # The most frequent drain follows the kernel.
        ends = [ends[-1], *ends[:-1]]
        return [
            *fills,
            *kernels,
            *(
                Block(
                    drain,
                    self._drain(begun + 1, newest, None if falls_through and i == last else target),
                )
                for last in [len(ends) - 1]
                for i, (drain, begun, newest) in enumerate(ends)
            ),
        ]

    def _part(self, stages: Iterable[int], newest: int) -> list[list[Move]]:
        """The moves of some stages in parallel; stage 0 is that of the iteration `newest`."""
        found: list[list[Move]] = [[] for _ in range(self.interval)]
        for stage in stages:
            begin = stage * self.interval
            for slot, moves in enumerate(self.cycles[begin : begin + self.interval]):
                found[slot] += (self._in_turn(move, newest - stage) for move in moves)
        return found

    def _in_turn(self, move: Move, iteration: int) -> Move:
        """A move of an iteration, with the registers whose turn it is."""

        def turn(register: Register) -> Register:
            registers = self.turns.get(register, (register,))
            return registers[iteration % len(registers)]

        source, destination, guard = move.source, move.destination, move.guard
        if isinstance(source, Register):
            source = turn(source)
        if isinstance(destination, Register):
            destination = turn(destination)
        if guard is not None:
            register = turn(Register(guard.register_file, guard.index))
            guard = replace(guard, index=register.index)
        return replace(move, source=source, destination=destination, guard=guard)

    def _jumping(
        self, stages: Iterable[int], newest: int, target: str, inverse: bool = False
    ) -> tuple[Instruction, ...]:
        part = self._part(stages, newest)
        guard = self._in_turn(self.jump, newest).guard
        assert guard is not None
        if inverse:
            guard = replace(guard, inverted=not guard.inverted)
        jump = replace(self.jump, source=Label(target), guard=guard)
        part[self.interval - 1 - self.machine.control.delay_slots].append(jump)
        return _instructions(part)

    def _drain(self, begun: int, newest: int, target: str | None) -> tuple[Instruction, ...]:
        """The remaining stages of the last iterations, after `begun` stages of the oldest one.

        `newest` is the number of the last iteration.
        """
        part: list[list[Move]] = []
        for first in range(1, self.stages):
            part += self._part(range(first, min(first + begun, self.stages)), newest + first)
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


def overlap(
    graph: Graph,
    inverse: bool,
    machine: Machine,
    registers: BlockRegisters,
    first: int,
    most: int,
    parallel: bool,
    searched: Searched,
) -> Overlapped:
    """The schedule with the least initiation interval that is found from `first` to `most`.

    `graph` is that of an iteration. The loop continues if the condition of the graph's jump
    is true, or false if `inverse`. A loop of a form that was `searched` before is scheduled in the
    same way.

    Raises:
        NotOverlapped: there is no such schedule.
    """
    edges = memory_edges(graph, parallel)
    limits = _limits(graph, machine, edges)
    name, least = limits[0]
    if least > most:
        if name == "recurrence" and _limits(graph, machine, [])[0][1] < least:
            name = "memory (an iteration may access what the previous one stores)"
        raise NotOverlapped(f"{name} bound {least}, and without overlap one takes {most + 1}")
    tiled = bool(order_outer_products(graph.copy(), machine))
    search = _Search(graph, inverse, machine, registers, edges, limits, tiled)
    first = 1 if tiled else first
    form = (*_form(graph, edges), parallel, first, most)
    known = searched.get(form)
    if isinstance(known, NotOverlapped):
        raise known
    if known is not None:
        found = search.attempt(*known)
        if found is not None and found.stages > 1:
            return found
    try:
        found = _searched(search, max(first, least), least, most)
    except NotOverlapped as reason:
        searched[form] = reason
        raise
    assert found.way is not None
    searched[form] = found.way
    return found


def _searched(search: _Search, first: int, least: int, most: int) -> Overlapped:
    found: Overlapped | None = None
    reason: NotOverlapped | None = None
    try:
        found = search.shortest(first, most)
    except NotOverlapped as error:
        reason = error
    if found is not None and not found.pays(most + 1):
        reason = NotOverlapped(f"the first and last iterations take more than {PAYS} of them gain")
        found = None
    unrolled = None if search.tiled else search.unrolled(least, found, most)
    if unrolled is not None:
        return unrolled
    if found is None:
        assert reason is not None
        raise reason
    return found


@dataclass
class _Search:
    """The search for the schedule of an iteration with the least interval."""

    graph: Graph
    inverse: bool
    machine: Machine
    registers: BlockRegisters
    edges: list[CarriedEdge]
    """The dependences between accesses to memory in successive iterations."""
    limits: tuple[tuple[str, int], ...]
    tiled: bool
    effort: int = 0
    """What the search has taken, in tried cycles."""
    asked: int = 1
    """The most registers that a value of the last attempts needed."""
    few: bool = False
    """Whether the last attempt failed with more values left than one of FEW."""
    late_differs: bool = False
    """Whether the last attempt could have done otherwise with the other value of `late`."""
    failed: dict[tuple[object, ...], bool] = field(default_factory=dict[tuple[object, ...], bool])
    """The attempts that failed, with their `late_differs`: trees may be the same for several of
    TREES, and so may orders be for other urgent values."""

    def shortest(self, first: int, most: int) -> Overlapped:
        """The schedule that is found for the least interval from `first` to `most`.

        Raises:
            NotOverlapped: there is no such schedule.
        """
        if len(self.graph.values) > LARGE:
            self.attempt(most, TREES[-1], True, None)
            if self.few:
                raise NotOverlapped("there are too few registers for any interval")
        single = most + 1
        for tree in TREES:
            # The longest interval needs the fewest registers. Where it fails, shorter ones hardly
            # succeed. Tiles are an exception, as their order fits some intervals only.
            longest = None if self.tiled else self._of_interval(most, tree)
            if longest is None and not self.tiled:
                continue
            self.effort = 0
            failed, interval = first - 1, first
            while interval < most + self.tiled and self.effort < EFFORT:
                before = self.effort
                found = self._of_interval(interval, tree)
                if found is not None and found.stages > 1:
                    return self._shorter(found, failed, tree)
                if found is not None:
                    # Nothing overlaps; with a longer interval, operations begin elsewhere.
                    single = min(single, interval)
                failed = interval
                interval += self._step(interval, most, self.effort - before)
            if longest is not None and longest.stages > 1:
                return self._shorter(longest, failed, tree)
            if longest is not None:
                single = min(single, most)
        if single <= most:
            raise NotOverlapped(f"an iteration takes at most {single} cycles")
        raise NotOverlapped(f"no schedule that was tried takes less than {most + 1} cycles")

    def _step(self, interval: int, most: int, cost: int) -> int:
        """How much longer the next interval is, such that those up to `most` are within EFFORT.

        The last interval took `cost`.
        """
        share = min(1.0, cost / max(1, EFFORT - self.effort))
        step = int(interval * ((most / interval) ** share - 1))
        return max(1, 0 if self.tiled else interval // 16, step)

    def _shorter(self, found: Overlapped, failed: int, tree: int) -> Overlapped:
        """The schedule for the least interval that is found above `failed`."""
        while found.interval - failed > max(1, failed // 16):
            interval = (failed + found.interval) // 2
            other = self._of_interval(interval, tree)
            if other is not None and other.stages > 1:
                found = other
            else:
                failed = interval
        # The next interval may have a much shorter iteration, whose drain is shorter.
        longer = self._of_interval(found.interval + 1, tree)
        if longer is not None and longer.stages > 1:
            return min(longer, found, key=lambda x: (UNKNOWN - 1) * x.interval + len(x.cycles))
        return found

    def _of_interval(self, interval: int, tree: int) -> Overlapped | None:
        """The shortest iteration that is found for an interval."""
        orders: list[tuple[bool, int | None]] = [(False, None), (True, None)]
        if self.tiled:
            orders[1:] = [(True, wait) for wait in WAITS]
        found: list[Overlapped] = []
        for late, wait in orders:
            attempt = self.attempt(interval, tree, late, wait)
            if attempt is not None:
                found.append(attempt)
            overlaps = bool(found) and found[-1].stages > 1
            if not self.tiled and (overlaps or not self.late_differs):
                break
        # Short iterations have short drains; those of one stage do not overlap.
        return min(found, key=lambda x: (x.stages == 1, len(x.cycles)), default=None)

    def unrolled(self, least: int, plain: Overlapped | None, most: int) -> Overlapped | None:
        """A schedule of an unrolled kernel that is faster than `plain`, if one is found.

        `plain` takes `most + 1` cycles for each iteration if it is None.
        """
        if len(self.graph.values) > MOST_VALUES:
            return None
        interval, length = most + 1, most + 1
        if plain is not None:
            interval, length = plain.interval, len(plain.cycles)
        self.effort = 0
        for shorter in range(least, interval):
            failed: dict[int, int] = {}
            for copies in range(2, MOST_COPIES + 1):
                if self.effort > EFFORT:
                    return None
                if any(_alike(copies, other, asked) for other, asked in failed.items()):
                    continue
                self.asked = 1
                for late in (False, True):
                    found = self.attempt(shorter, TREES[0], late, None, copies)
                    if found is not None and found.stages > 1:
                        if len(found.cycles) - length <= (TRIPS - 1) * (interval - shorter):
                            return found
                    if not self.late_differs:
                        break
                failed[copies] = self.asked
        return None

    def attempt(
        self, interval: int, tree: int, late: bool, wait: int | None, copies: int = 1
    ) -> Overlapped | None:
        urgent: list[int] = []
        left = len(self.graph.values) + 1
        self.late_differs = False
        while True:
            attempt = _Attempt(
                self.graph.copy(),
                self.inverse,
                self.machine,
                self.registers,
                interval,
                self.edges,
                tree,
                late,
                wait,
                urgent,
                copies,
            )
            position = attempt.graph.positions()
            order = tuple(position[root] for root in attempt.order)
            key = interval, late, wait, copies, order
            if key in self.failed:
                self.late_differs |= self.failed[key]
                return None
            placed = attempt.place()
            if not placed:
                self.failed[key] = attempt.placement.late_differs
            self.few = attempt.left * FEW > len(attempt.order)
            self.effort += attempt.placement.tried + len(attempt.graph.values) // GRAPH
            self.late_differs |= attempt.placement.late_differs
            self.asked = max(self.asked, attempt.tables.asked)
            if placed:
                way = interval, tree, late, wait, copies
                return replace(attempt.overlapped(self.limits), way=way)
            if not attempt.failed or len(urgent) == RETRIES or wait is not None:
                return None
            if attempt.left >= left:
                return None
            left = attempt.left
            urgent.insert(0, attempt.failed.index)


def _form(graph: Graph, edges: Sequence[CarriedEdge]) -> tuple[object, ...]:
    """The operations of an iteration and their dependences, without the names of registers."""
    entries = {value: -1 - i for i, value in enumerate(graph.entries.values())}
    number = entries | graph.positions()
    # Constants and values are told apart by their types.
    values = tuple(
        (
            value.operation,
            tuple(o if isinstance(o, int) else (number[o],) for o in value.operands),
            value.guard is None,
            tuple((number[other], distance) for other, distance in value.after),
            None if (old := graph.replaced(value)) is None else number[old],
        )
        for value in graph.values
    )
    return values, tuple(value.live_out for value in entries), tuple(edges)


def _alike(copies: int, other: int, asked: int) -> bool:
    """Whether values that need up to `asked` registers get as many in both unrolled kernels."""
    counts = range(2, asked + 1)
    return all(registers_in_turn(copies, n) == registers_in_turn(other, n) for n in counts)


def _limits(
    graph: Graph, machine: Machine, edges: Sequence[CarriedEdge]
) -> tuple[tuple[str, int], ...]:
    found = {name: cycles for name, cycles in bounds(graph, machine) if name != "latency"}
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
        registers: BlockRegisters,
        interval: int,
        edges: Sequence[CarriedEdge],
        tree: int,
        late: bool,
        wait: int | None,
        urgent: Sequence[int],
        copies: int = 1,
    ):
        """The values with the indices `urgent`, and those that they need, are placed first.

        Outer products wait for `wait` cycles, if that is a number.
        """
        self.graph = graph
        self.inverse = inverse
        self.machine = machine
        self.interval = interval
        values = list(graph.values)
        products = order_outer_products(graph, machine)
        if copies > 1:
            _keep_addresses(graph, machine, interval)
        self.order = _in_front(placement_order(graph, tree), graph, urgent)
        self.failed: Value | None = None
        """The value for which there was no place, if most others have theirs."""
        self.left = 0
        """How many roots have no place."""
        for first, second, distance in edges:
            values[second].after.append((values[first], distance - interval))
            values[first].before.append((values[second], distance - interval))
        self.tables = ModuloTables(
            registers.connections, interval, {*registers.reserved, *graph.entries}, copies
        )
        self.placement = Placement(graph, self.tables, registers, late)
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
            self.left = sum(root not in self.placement.cycles for root in self.order)
            if self.left * FEW <= len(self.order):
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
        turns = {first: registers for first, (_, registers) in self.tables.turns.items()}
        return Overlapped(self.machine, self.interval, moves, back, limits, turns)


def _keep_addresses(graph: Graph, machine: Machine, interval: int) -> None:
    """Copies the address of each late store to a register of its own.

    Otherwise the pointer that it is made from would be needed after the next iteration changes it.
    """
    at: dict[Value, int] = {}
    for value in list(graph.values):
        inputs = [o for o in value.operands if isinstance(o, Value)]
        ready = {o: at[o] + _ready_after(o, machine) if o in at else 0 for o in inputs}
        at[value] = max(ready.values(), default=0)
        if not value.is_store or not isinstance(address := value.inputs[0], Value):
            continue
        changes = address.operation == ENTRY and not address.live_out
        once = address.operation != ENTRY and len(address.users) == 1
        if (changes or once) and at[value] - ready[address] + 1 >= interval:
            keep = Value(address.index, GUARD, (address,), source=value.source, users=[value])
            address.users[address.users.index(value)] = keep
            value.inputs = (keep, *value.inputs[1:])
            graph.values.insert(graph.values.index(value), keep)


def _ready_after(value: Value, machine: Machine) -> int:
    return 1 if value.operation in IN_REGISTERS else machine.least_latency(value.operation)


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
            if (old := graph.replaced(value)) is not None
            for user in old.users
            if user.operation != JUMP
        ]
        more = needed([*roots, *users])
        if more <= others:
            break
        others |= more
    return sorted(order, key=lambda root: 0 if root in condition else 1 if root in roots else 2)
