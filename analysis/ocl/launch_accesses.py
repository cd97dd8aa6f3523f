"""What the accesses and branches of one work-group do in a launch whose numbers are known.

`EvaluatedLaunch` computes the addresses; this file notes how far apart those of neighbours and of
following iterations are, which cache lines they touch, and whether neighbours decide alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.addresses import root_of
from polycl.analysis.ocl.cache_line import LINE
from polycl.analysis.ocl.evaluated_launch import EvaluatedLaunch, NotEvaluated
from polycl.analysis.ocl.launch_values import LaunchNumbers
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.layout import size_of, stride_of

TILE = 16
"""Neighbours that are compared: the lanes of a vector of 512 bits."""
MOST_NOTED = 1 << 19
"""Addresses of an object that are kept."""
MOST_WORK = 1 << 24
"""Numbers that are computed at most: about a quarter of a second."""

ACCESSES = (
    ocl.LoadOp,
    ocl.StoreOp,
    ocl.VLoadOp,
    ocl.VStoreOp,
    ocl.AtomicRMWOp,
    ocl.AtomicCmpXchgOp,
)


def accessed_bytes(op: Operation) -> int:
    """The bytes of one execution of an access."""
    match op:
        case ocl.LoadOp() | ocl.VLoadOp():
            return size_of(op.result.type)
        case ocl.StoreOp() | ocl.VStoreOp():
            return size_of(op.value.type)
        case _:
            assert isinstance(op, ACCESSES)
            return stride_of(ocl.pointee_of(op.pointer))


@dataclass
class Seen:
    """What a group's work-items did at one operation."""

    executions: int = 0
    """Of all work-items together."""
    neighbours: int | None = None
    """The bytes from most work-items' address to that of the next work-item."""
    iterations: int | None = None
    """The bytes from most addresses of a work-item to its next one."""
    taken: float | None = None
    """Of a branch: the share of the work-items that take it; of a loop: its mean iterations."""
    mixed: float | None = None
    """Of a branch: the share of tiles whose neighbours decide differently, without a range that
    decides alike and without a single exception. Of a loop: how many times as long as the mean
    the longest of a tile is."""

    sides: tuple[float, float] = (0.0, 0.0)
    """Of a branch: the shares of tiles in which any work-item takes it, and any does not."""
    lanes_on: int = 0
    lanes_kept: int = 0
    """Of a `while`: lanes that go on, and lanes of tiles in which any does, over all iterations."""

    def add(
        self, taken: float, mixed: float, items: int, sides: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        """Another execution of a branch or loop, by so many of the work-items counted so far."""
        weight = items / self.executions
        on, off = (a + (b - a) * weight for a, b in zip(self.sides, sides, strict=True))
        self.sides = on, off
        self.taken = taken if self.taken is None else self.taken + (taken - self.taken) * weight
        self.mixed = mixed if self.mixed is None else self.mixed + (mixed - self.mixed) * weight


@dataclass
class Lines:
    """The cache lines of one object that a group touches."""

    count: int
    used: float
    """The share of their bytes that the group accesses."""


@dataclass
class GroupAccesses:
    """What one group does. What depends on memory is not known."""

    seen: dict[Operation, Seen] = field(default_factory=dict[Operation, Seen])
    lines: dict[SSAValue, Lines] = field(default_factory=dict[SSAValue, Lines])
    """By the pointer of the object; missing where an address is not known."""
    complete: bool = False
    """Whether the whole group was evaluated."""


def group_accesses(
    kernel: ocl.KernelLike,
    launch: LaunchNumbers,
    memory: Mapping[SSAValue, NDArray[Any]] | None = None,
    group: Sequence[int] | None = None,
) -> GroupAccesses:
    """What a group does, without one the group in the middle of the launch; `memory` has the arrays
    of arguments that the kernel does not write."""
    at = [
        *operations_of(kernel.body, *ACCESSES),
        *operations_of(kernel.body, scf.IfOp, scf.ForOp, scf.ConditionOp),
    ]
    observer = _Observer(launch)
    found = GroupAccesses(observer.seen)
    if not at:
        return found
    if group is None:
        group = [count // 2 for count in launch.num_groups]
    evaluation = EvaluatedLaunch(
        kernel,
        launch,
        at,
        observer,
        one_group=True,
        most_work=MOST_WORK,
        group=group,
        memory=memory,
    )
    observer.evaluation = evaluation
    try:
        evaluation.run()
        found.complete = True
    except NotEvaluated:
        # What was seen until then is right.
        pass
    found.lines = observer.lines()
    for op, seen in observer.seen.items():
        if isinstance(op, scf.ConditionOp) and seen.lanes_on:
            seen.mixed = seen.lanes_kept / seen.lanes_on
    for notes, seen in observer.notes():
        seen.neighbours, seen.iterations = notes.most("neighbours"), notes.most("iterations")
    return found


def _is_mixed(decisions: NDArray[Any]) -> bool:
    """Whether neighbours decide differently: one change is the end of a range (a guard, or the tail
    of a reduction), and few exceptions leave few lanes idle."""
    on = int(np.count_nonzero(decisions))
    rarer = min(on, len(decisions) - on)
    return 5 * rarer >= len(decisions) and int(np.count_nonzero(np.diff(decisions))) > 1


@dataclass
class _Notes:
    distances: dict[str, dict[int, int]] = field(
        default_factory=lambda: {"neighbours": {}, "iterations": {}}
    )
    last: NDArray[np.int64] | None = None
    blind: bool = False
    """Whether an address was not known."""

    def add(self, kind: str, distances: NDArray[np.int64]) -> None:
        values, counts = np.unique(distances, return_counts=True)
        found = self.distances[kind]
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            found[value] = found.get(value, 0) + count

    def most(self, kind: str) -> int | None:
        """The distance of most, if three quarters have it."""
        found = self.distances[kind]
        if self.blind or not found:
            return None
        value = max(found, key=lambda key: found[key])
        return value if 4 * found[value] >= 3 * sum(found.values()) else None


class _Observer:
    evaluation: EvaluatedLaunch

    def __init__(self, launch: LaunchNumbers):
        self._size = launch.local_size
        self._x = next((d for d, size in enumerate(launch.local_size) if size > 1), 0)
        self.seen: dict[Operation, Seen] = {}
        self._notes: dict[Operation, _Notes] = {}
        self._addresses: dict[SSAValue, list[NDArray[np.int64]]] = {}
        self._sizes: dict[SSAValue, int] = {}
        self._blind: set[SSAValue] = set()
        self._kept: dict[SSAValue, int] = {}

    def enter(self) -> None:
        pass

    def leave(self) -> None:
        pass

    def notes(self) -> Sequence[tuple[_Notes, Seen]]:
        return [(notes, self.seen[op]) for op, notes in self._notes.items()]

    def lines(self) -> dict[SSAValue, Lines]:
        found: dict[SSAValue, Lines] = {}
        for root, parts in self._addresses.items():
            if root in self._blind:
                continue
            places = np.unique(np.concatenate(parts))
            lines = np.unique(places // LINE)
            used = len(places) * self._sizes[root] / (len(lines) * LINE)
            found[root] = Lines(len(lines), min(1.0, used))
        return found

    def observe(self, op: Operation) -> None:
        lanes = self.evaluation.may
        seen = self.seen.setdefault(op, Seen())
        seen.executions += int(lanes.sum())
        match op:
            case scf.IfOp() | scf.ConditionOp():
                self._decision(op.operands[0], seen, lanes)
            case scf.ForOp():
                self._loop(op, seen, lanes)
            case _:
                assert isinstance(op, ACCESSES)
                self._access(op, lanes)

    def _tiles(self, numbers: NDArray[Any], lanes: NDArray[np.bool_]) -> list[NDArray[Any]]:
        """The numbers of active neighbours, tile by tile."""
        ordered = self._rows(numbers), self._rows(lanes)
        values, active = (part.reshape(-1) for part in ordered)
        width = min(TILE, ordered[0].shape[-1])
        return [
            values[start : start + width][active[start : start + width]]
            for start in range(0, len(values), width)
        ]

    def _rows(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """With the first dimension of several work-items last."""
        x, y, z = self._size
        shaped = np.broadcast_to(numbers, (x * y * z,)).reshape(z, y, x)
        return np.moveaxis(shaped, 2 - self._x, -1)

    def _decision(self, condition: SSAValue, seen: Seen, lanes: NDArray[np.bool_]) -> None:
        decided = self.evaluation.of(condition)
        if decided is None or not lanes.any():
            return
        tiles = [tile for tile in self._tiles(decided != 0, lanes) if len(tile)]
        mixed = sum(map(_is_mixed, tiles)) / len(tiles)
        taken = float(np.broadcast_to(decided != 0, lanes.shape)[lanes].mean())
        on = sum(bool(tile.any()) for tile in tiles) / len(tiles)
        off = sum(not tile.all() for tile in tiles) / len(tiles)
        seen.add(taken, mixed, int(lanes.sum()), (on, off))
        seen.lanes_on += sum(int(tile.sum()) for tile in tiles)
        width = min(TILE, self._size[self._x])
        seen.lanes_kept += sum(width for tile in tiles if tile.any())

    def _loop(self, op: scf.ForOp, seen: Seen, lanes: NDArray[np.bool_]) -> None:
        first, end, step = (self.evaluation.of(value) for value in (op.lb, op.ub, op.step))
        if first is None or end is None or step is None or not lanes.any() or not np.all(step):
            return
        trips = np.broadcast_to(np.maximum(0, -(-(end - first) // step)), lanes.shape)
        mean = float(trips[lanes].mean())
        tiles = [tile for tile in self._tiles(trips, lanes) if len(tile)]
        longest = sum(float(tile.max()) for tile in tiles) / len(tiles)
        seen.add(mean, longest / mean if mean else 1.0, int(lanes.sum()))

    def _access(self, op: Any, lanes: NDArray[np.bool_]) -> None:
        notes = self._notes.setdefault(op, _Notes())
        root = root_of(op.pointer)
        place = self.evaluation.of(op.pointer)
        index = getattr(op, "index", None)
        if isinstance(index, SSAValue) and place is not None:
            number = self.evaluation.of(index)
            packed = isinstance(op, ocl.VLoadOp | ocl.VStoreOp)
            step = accessed_bytes(op) if packed else stride_of(ocl.pointee_of(op.pointer))
            place = None if number is None else place + number * step
        if place is None:
            notes.blind = True
            self._blind.add(root)
            return
        if not lanes.any():
            return
        places = np.broadcast_to(place, lanes.shape)
        rows, active = self._rows(places), self._rows(lanes)
        both = active[..., 1:] & active[..., :-1]
        notes.add("neighbours", np.diff(rows, axis=-1)[both])
        if notes.last is not None:
            notes.add("iterations", (places - notes.last)[lanes])
        notes.last = places
        kept = self._kept.get(root, 0)
        if kept < MOST_NOTED:
            here = np.unique(places[lanes])
            size = accessed_bytes(op)
            self._sizes[root] = max(size, self._sizes.get(root, 0))
            self._addresses.setdefault(root, []).append(here)
            self._kept[root] = kept + len(here)
