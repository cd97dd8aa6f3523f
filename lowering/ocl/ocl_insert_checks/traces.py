"""What the addresses of a launch prove, as far as they do not depend on memory.

`EvaluatedLaunch` computes the addresses of all work-items. Each byte of an object that is written
(or a few, its granule) has the work-item that wrote it last, so that two work-items that may race
are found as the compiled checks would find them, once for all launches with these numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.evaluated_launch import (
    Clock,
    EvaluatedLaunch,
    Lanes,
    NotEvaluated,
    Numbers,
)
from polycl.analysis.ocl.launch_values import LaunchNumbers
from polycl.analysis.ocl.subscripts import subscripts
from polycl.dialects import ocl
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.ocl.memory import space_of
from polycl.lowering.ocl.ocl_insert_checks.accesses import (
    READ,
    SHARED,
    UPDATE,
    WRITE,
    Access,
    depends_on_memory,
)

_MOST_GRANULES = 1 << 24
"""Of an object, with those of all groups that have one; untouched ones take no memory."""
_MOST_ITEMS = 1 << 19
"""Work-items of a launch that is evaluated as a whole; else one group is."""

Items: TypeAlias = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class Traced:
    """What an evaluation has proved."""

    in_bounds: frozenset[int]
    """Accesses by their number in the kernel."""
    free: frozenset[SSAValue]
    """Objects on which no two work-items race."""
    all_set: frozenset[SSAValue]
    """Objects of which each part was written before it is read."""


NOTHING = Traced(frozenset(), frozenset(), frozenset())


def trace(
    kernel: ocl.KernelOp,
    launch: LaunchNumbers,
    accesses: Sequence[Access],
    numbers: Sequence[int],
    bytes_of: Callable[[SSAValue], int | None],
    most_work: int,
) -> tuple[Traced, int]:
    """Prove what can be of the accesses `numbers`, which are all those of some objects.

    Returns the work that it took, too.
    """
    items = int(np.prod(launch.global_size))
    modes = [True] if items > _MOST_ITEMS else [True, False]
    found, work = NOTHING, 0
    for one_group in modes:
        tracer = _Tracer(kernel, launch, accesses, numbers, bytes_of, one_group, most_work - work)
        try:
            tracer.evaluation.run()
        except NotEvaluated:
            return found, work + tracer.evaluation.work
        work += tracer.evaluation.work
        new = tracer.found()
        found = Traced(
            found.in_bounds | new.in_bounds, found.free | new.free, found.all_set | new.all_set
        )
        if found.in_bounds.issuperset(numbers) and all(
            accesses[number].root in found.free for number in numbers
        ):
            break
    return found, work


class _Tracer:
    def __init__(
        self,
        kernel: ocl.KernelOp,
        launch: LaunchNumbers,
        accesses: Sequence[Access],
        numbers: Sequence[int],
        bytes_of: Callable[[SSAValue], int | None],
        one_group: bool,
        most_work: int,
    ):
        self._accesses: dict[Operation, Access] = {
            accesses[number].op: accesses[number] for number in numbers
        }
        self._numbers: dict[Operation, int] = {accesses[number].op: number for number in numbers}
        self._limits = {op: subscripts(op) for op in self._accesses}
        self._outside: set[int] = set()
        self.evaluation = EvaluatedLaunch(
            kernel, launch, self._accesses, self, one_group=one_group, most_work=most_work
        )
        self._objects: dict[SSAValue, _Object] = {}
        several_groups = one_group and launch.num_groups != (1, 1, 1)
        for root in dict.fromkeys(access.root for access in self._accesses.values()):
            own = [access for access in self._accesses.values() if access.root is root]
            granule = 0
            for access in own:
                granule = gcd(granule, access.granule, access.align)
            self._objects[root] = _Object(
                self.evaluation,
                space_of(root),
                bytes_of(root),
                granule,
                {access.kind for access in own},
                is_known=not (several_groups and space_of(root) is AddressSpace.GLOBAL),
            )

    def found(self) -> Traced:
        return Traced(
            frozenset(self._numbers.values()) - self._outside,
            frozenset(root for root, object in self._objects.items() if object.is_free),
            frozenset(
                root for root, object in self._objects.items() if object.is_free and object.is_set
            ),
        )

    def observe(self, op: Operation) -> None:
        access, number = self._accesses[op], self._numbers[op]
        object = self._objects[access.root]
        place = self._place(access)
        evaluation = self.evaluation
        may = evaluation.may
        if place is None:
            self._outside.add(number)
            object.give_up()
            return
        inside = np.broadcast_to(object.has(place, access.size), may.shape)
        if not self._is_inside(access, may & inside) or np.any(may & ~inside):
            self._outside.add(number)
        if object.is_tracked:
            evaluation.spend(10 * evaluation.items)
            object.access(access, np.broadcast_to(place, may.shape), may & inside)

    def enter(self) -> None:
        for object in self._objects.values():
            object.enter()

    def leave(self) -> None:
        for object in self._objects.values():
            object.leave()

    def _place(self, access: Access) -> Numbers | None:
        """The distance from the start of the object, in bytes."""
        op = access.op
        pointer = self.evaluation.of(op.pointer)
        if pointer is None or isinstance(op, ocl.AtomicRMWOp | ocl.AtomicCmpXchgOp):
            return pointer
        if op.index is None:
            return pointer
        index = self.evaluation.of(op.index)
        is_vector = isinstance(op, ocl.VLoadOp | ocl.VStoreOp)
        stride = access.size if is_vector else stride_of(access.type)
        return None if index is None else pointer + index * stride

    def _is_inside(self, access: Access, lanes: Lanes) -> bool:
        """Whether all subscripts are inside of their arrays."""
        for limit in self._limits[access.op]:
            total = np.array(0)
            for value, factor in limit.terms:
                index = self.evaluation.of(value)
                if index is None:
                    return False
                total = total + index * factor
            outside = (total < 0) | (total + limit.width > limit.limit)
            if np.any(lanes & outside):
                return False
        return True


_MANY = -1
"""Instead of a work-item: several of different groups. Below it: several of one group."""


class _Object:
    """The work-items that wrote, updated and read each granule of an object, and when."""

    def __init__(
        self,
        evaluation: EvaluatedLaunch,
        space: AddressSpace,
        size: int | None,
        granule: int,
        kinds: set[int],
        *,
        is_known: bool,
    ):
        self._evaluation = evaluation
        self._space = space
        self._is_of_group = space is AddressSpace.LOCAL or evaluation.items == (
            evaluation.group_items
        )
        self._size = size
        self._granule = granule
        self._was_set: NDArray[np.bool_] | None = None
        self._outer: list[NDArray[np.bool_]] = []
        items = np.arange(evaluation.items, dtype=np.int64)
        self._groups = items // evaluation.group_items
        count = -(-(size or 0) // granule) + 1
        owners = {
            AddressSpace.PRIVATE: items,
            AddressSpace.LOCAL: self._groups,
        }
        owner = owners.get(space)
        self._base = np.zeros_like(items) if owner is None else owner * count
        total = count * (1 if owner is None else int(owner[-1]) + 1)
        if kinds == {READ} and space not in (AddressSpace.LOCAL, AddressSpace.PRIVATE):
            self.is_free, self.is_set, self.is_tracked = True, False, False
            return
        self.is_tracked = is_known and size is not None and total <= _MOST_GRANULES
        self.is_free = self.is_tracked
        self.is_set = self.is_tracked and space in (AddressSpace.LOCAL, AddressSpace.PRIVATE)
        if not self.is_tracked:
            return
        self._was_set = np.zeros(total, np.bool_) if self.is_set else None
        self._needs_races = space in SHARED
        if self._needs_races:
            self._who = {kind: np.zeros(total, np.int32) for kind in kinds}
            self._when = {kind: np.zeros(total, np.int32) for kind in kinds}

    def give_up(self) -> None:
        if self.is_tracked:
            self.is_free = self.is_set = self.is_tracked = False

    def enter(self) -> None:
        """What is set from here on may be left out."""
        if self._was_set is not None:
            self._evaluation.spend(len(self._was_set))
            self._outer.append(self._was_set.copy())

    def leave(self) -> None:
        if self._was_set is not None:
            self._was_set = self._outer.pop()

    def has(self, place: Numbers, size: int) -> Lanes:
        if self._size is None:
            return np.array(False)
        return np.asarray((place >= 0) & (place + size <= self._size))

    def access(self, access: Access, place: Numbers, lanes: Lanes) -> None:
        """Count an access; what is outside of the object does not happen."""
        (items,) = np.nonzero(lanes)
        place = place[items]
        if np.any(place % self._granule):
            self.give_up()
            return
        first = place // self._granule + self._base[items]
        must = self._evaluation.must[items]
        for number in range(-(-access.size // self._granule)):
            self._granule_at(access, first + number, items, must)

    def _granule_at(self, access: Access, at: Items, items: Items, must: Lanes) -> None:
        kind = access.kind
        if self._was_set is not None:
            if (kind == READ or depends_on_memory(access.op)) and not np.all(self._was_set[at]):
                self.is_set = False
            if kind != READ:
                self._was_set[at[must]] = True
        if not self._needs_races or not self.is_free:
            return
        fences = self._evaluation.fences[self._space]
        for other, who in self._who.items():
            if other in _RIVALS[kind]:
                # A read is over when any barrier is passed.
                clock = self._evaluation.barriers if other == READ else fences
                owner, when = who[at], self._when[other][at]
                if np.any(self._conflicts(owner, when, items, clock.since[items])):
                    self.is_free = False
                    return
        who, when = self._who[kind], self._when[kind]
        clock = self._evaluation.barriers if kind == READ else fences
        time, since = clock.now[items], clock.since[items]
        if self._is_lost(who[at], when[at], items, clock):
            self.is_free = False
            return
        if kind == WRITE:
            who[at], when[at] = items + 1, time
            if np.any(who[at] != items + 1):
                self.is_free = False
            return
        # Others may have read it, too: before, or in this operation.
        own = self._groups[items]
        together = _MANY - 1 - own
        owner, before = who[at], when[at]
        others = (owner != 0) & (owner != items + 1)
        new = np.where(others & (before >= since), together, items + 1)
        if not self._is_of_group:
            new = np.where(others & (self._group_of(owner) != own), _MANY, new)
        who[at], when[at] = new, time
        winner = who[at]
        lost = winner != new
        who[at[lost]] = together[lost]
        if not self._is_of_group:
            who[at[lost & (self._group_of(winner) != own)]] = _MANY

    def _is_lost(self, owner: Items, when: Items, items: Items, clock: Clock) -> bool:
        """Whether another work-item is forgotten with which one may race after a part of the kernel
        that groups may leave out."""
        if not clock.uncertain:
            return False
        other = (owner != 0) & (owner != items + 1)
        return any(
            bool(np.any(other & (since[items] <= when) & (when <= now[items])))
            for since, now in clock.uncertain
            if np.any(clock.since[items] > now[items])
        )

    def _conflicts(self, owner: Items, when: Items, items: Items, since: Items) -> Lanes:
        """Whether work-items race with the owners of granules."""
        other = (owner != 0) & (owner != items + 1)
        if self._is_of_group:
            return other & (when >= since)
        return other & ((when >= since) | (self._group_of(owner) != self._groups[items]))

    def _group_of(self, owner: Items) -> Items:
        """The group of the owners; of several groups, and of nobody, none."""
        single = self._groups[np.maximum(owner - 1, 0)]
        return np.where(owner > 0, single, np.where(owner < _MANY, _MANY - 1 - owner, -1))


_RIVALS = {
    READ: frozenset({WRITE, UPDATE}),
    WRITE: frozenset({READ, WRITE, UPDATE}),
    UPDATE: frozenset({READ, WRITE}),
}
