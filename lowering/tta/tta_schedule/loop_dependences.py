"""Loop-carried dependences of a loop that is one block, and the recurrence bound (RecMII)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polycl.dialects.tta import OPSET, Kind, Machine, Register
from polycl.lowering.tta.tta_schedule.block_graph import (
    COPY,
    ENTRY,
    Graph,
    Operand,
    Value,
    base_and_offset,
)
from polycl.lowering.tta.tta_schedule.bounds import IN_REGISTERS
from polycl.lowering.tta.word_builder import MASK, signed


class CarriedEdge(NamedTuple):
    """`second`, in the next iteration, begins at least `distance` cycles after `first`: values of a
    graph, by their position in it."""

    first: int
    second: int
    distance: int


def carried_edges(graph: Graph, machine: Machine) -> list[CarriedEdge]:
    """Dependences on values that an iteration passes to the next one in a register."""
    edges: list[CarriedEdge] = []
    position = graph.positions()
    for copy in _copies(graph).values():
        (source,) = copy.inputs
        old = graph.replaced(copy)
        if old is None or not isinstance(source, Value) or source.operation == ENTRY:
            continue
        ready = 1 if source.operation in IN_REGISTERS else _latency(source, machine)
        edges += [CarriedEdge(position[source], position[user], ready) for user in old.users]
    return edges


def memory_edges(graph: Graph, parallel: bool) -> list[CarriedEdge]:
    """Dependences between accesses that may overlap, of which one at least is a store.

    Iterations that are `parallel` have none.
    """
    if parallel:
        return []
    copies = _copies(graph)
    values = enumerate(graph.values)
    accesses = [(i, _Access.of(value, copies)) for i, value in values if _is_access(value)]
    return [
        # Loads of a cycle read before its stores write.
        CarriedEdge(i, j, 1 if x.stores else 0)
        for i, x in accesses
        for j, y in accesses
        if (x.stores or y.stores) and not x.never_meets(y)
    ]


@dataclass(frozen=True)
class _Access:
    value: Value
    stores: bool
    base: Operand
    offset: int
    size: int
    step: int | None
    """How much the base grows in one iteration; None if that is not known."""

    @staticmethod
    def of(value: Value, copies: dict[Register, Value]) -> _Access:
        base, offset = base_and_offset(value.inputs[0])
        size, step = OPSET[value.operation].size, _step(base, copies)
        return _Access(value, value.is_store, base, offset, size, step)

    def never_meets(self, later: _Access) -> bool:
        """Whether this access does not overlap with `later` in any later iteration."""
        x, y = self.value.alias, later.value.alias
        if x is not None and y is not None and x.excludes_set(y):
            return True
        if self.base is not later.base and self.base != later.base or self.step is None:
            return False
        distance = signed((later.offset - self.offset) & MASK)
        if self.step == 0:
            return distance >= self.size or -distance >= later.size
        if self.step > 0:
            return distance + self.step >= self.size
        return -(distance + self.step) >= later.size


def _is_access(value: Value) -> bool:
    semantics = OPSET.get(value.operation)
    return semantics is not None and semantics.kind in (Kind.LOAD, Kind.STORE)


def _copies(graph: Graph) -> dict[Register, Value]:
    return {
        value.target: value
        for value in graph.values
        if value.operation == COPY and value.target is not None
    }


def _step(base: Operand, copies: dict[Register, Value]) -> int | None:
    if isinstance(base, int):
        return 0
    if base.operation != ENTRY or base.target is None:
        return None
    copy = copies.get(base.target)
    if copy is None:
        return 0 if base.live_out else None
    following, step = base_and_offset(copy.inputs[0])
    if following is not base:
        return None
    return signed(step & MASK)


def recurrence_bound(graph: Graph, machine: Machine, memory: Iterable[CarriedEdge]) -> int:
    """The least initiation interval (II) that loop-carried dependences allow.

    `memory` are those between accesses to memory. Each cycle of dependences must take at most II
    cycles for each iteration that it crosses.
    """
    paths = _Paths(graph, machine, memory)
    least = 1
    while (longer := paths.needed(least)) is not None:
        least = longer
    return least


class _Paths:
    """The dependences of a loop between the positions of its values in program order."""

    def __init__(self, graph: Graph, machine: Machine, memory: Iterable[CarriedEdge]):
        position = graph.positions()
        self.within: list[tuple[int, int, int]] = []
        """In an iteration: from, to, and the least distance, ordered by `to`."""
        earlier: list[int] = []
        """For each value: the accesses that come before it, as bits."""
        for i, value in enumerate(graph.values):
            for operand in value.operands:
                if isinstance(operand, Value) and operand in position:
                    self.within.append((position[operand], i, _latency(operand, machine)))
            before = {position[other]: distance for other, distance in value.after}
            self.within += ((j, i, before[j]) for j in _last(before, earlier))
            earlier.append(sum(1 << j for j in before))
        self.across = carried_edges(graph, machine)
        """To the next iteration."""
        stores: dict[int, dict[int, int]] = defaultdict(dict)
        for first, second, distance in memory:
            stores[second][first] = distance
        for second, before in stores.items():
            self.across += (CarriedEdge(i, second, before[i]) for i in _last(before, earlier))
        self.count = len(graph.values)

    def needed(self, interval: int) -> int | None:
        """The interval that one cycle of dependences needs, if any needs more than `interval`.

        The earliest cycles of operations would grow without end, such that the edges by which they
        grow close a cycle (Bellman-Ford).
        """
        at = [0] * self.count
        grown: dict[int, tuple[int, int, int]] = {}
        """By value: the value before it, the distance, and whether the edge is to the next one."""
        while True:
            # In program order, one pass settles all dependences within an iteration.
            for first, second, distance in self.within:
                cycle = at[first] + distance
                if cycle > at[second]:
                    at[second] = cycle
                    grown[second] = first, distance, 0
            changed = False
            for first, second, distance in self.across:
                cycle = at[first] + distance - interval
                if cycle > at[second]:
                    at[second] = cycle
                    grown[second] = first, distance, 1
                    changed = True
            if not changed:
                return None
            found = _cycle(grown)
            if found:
                distance, iterations = (sum(grown[value][i] for value in found) for i in (1, 2))
                return -(-distance // iterations)


def _cycle(before: Mapping[int, tuple[int, int, int]]) -> list[int]:
    """The values of a cycle, where each value has at most one before it; none without a cycle."""
    passed: dict[int, int] = {}
    for start in before:
        value = start
        while value in before and value not in passed:
            passed[value] = start
            value = before[value][0]
        if passed.get(value) == start and value in before:
            found = [value]
            while before[found[-1]][0] != value:
                found.append(before[found[-1]][0])
            return found
    return []


def _last(accesses: Iterable[int], earlier: Sequence[int]) -> list[int]:
    """The accesses without those that come before another one of them: these need no edge of their
    own, since an access is at the same distance before all that come after it."""
    found: list[int] = []
    covered = 0
    for i in sorted(accesses, reverse=True):
        if not covered >> i & 1:
            found.append(i)
            covered |= earlier[i]
    return found


def _latency(value: Value, machine: Machine) -> int:
    """Cycles until a value can be moved."""
    return 1 if value.operation in IN_REGISTERS else machine.least_latency(value.operation)
