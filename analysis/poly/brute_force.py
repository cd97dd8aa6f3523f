"""Checks a subkernel work-item by work-item, for given parameters.

isl is used for membership in sets only; the behaviour of a work-item is found by executing it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation

from polycl.analysis.poly.concrete import (
    Launch,
    Moment,
    Place,
    Trace,
    execute,
)
from polycl.analysis.poly.model import model_of
from polycl.analysis.poly.partition import without_thin
from polycl.analysis.poly.points import contains
from polycl.analysis.poly.predicates import consecutive
from polycl.analysis.poly.spaces import project_out
from polycl.analysis.poly.tiles import Tiling
from polycl.dialects.poly import CodeletOp, KernelOp, SubkernelOp
from polycl.dialects.poly.kernel import names_of

Item = tuple[int, ...]
"""Ids of a work-item, outermost first."""


class ClaimViolated(Exception):
    """A claim of a subkernel, at `op`, does not hold."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op


@dataclass
class Checked:
    """The amount of checks."""

    samples: int = 0
    items: int = 0
    tiles: int = 0
    accesses: int = 0
    steps: int = 0
    left_out: str = ""
    """Why a work-item could not be executed, if any."""


def group_size(kernel: KernelOp, parameters: Mapping[str, int]) -> Item:
    """The number of work-items of each dimension, outermost first."""
    count = len(kernel.work_items)
    return tuple(parameters[f"L{count - 1 - place}"] for place in range(count))


def consecutive_somewhere(kernel: KernelOp, codelet: CodeletOp) -> list[Operation]:
    """The accesses that are consecutive with `mem = cons`: all that are consecutive on some full
    tile whose work-items all execute them.

    Tiles that exist for certain values of parameters only, as `width = 1`, do not count.
    """
    model = model_of(kernel, codelet.body)
    dimension, lanes = codelet.along.value.data, codelet.lanes.value.data
    tiling = Tiling(model.names, codelet.position, lanes, "t")
    full = tiling.with_lane(model.items, 0).intersect(tiling.with_lane(model.items, lanes - 1))
    found: list[Operation] = []
    for access in model.accesses:
        where = without_thin(consecutive(model, access, dimension)[0], model.context)
        others = project_out(access.domain.subtract(where), len(model.names))
        absent = model.items.subtract(project_out(access.domain, len(model.names)))
        tiles = full.subtract(tiling.touched(others, lanes - 1))
        if not tiles.is_subset(tiling.touched(absent, lanes)):
            found.append(access.op)
    return found


@dataclass
class BruteForce:
    """The check of a subkernel for given parameters."""

    kernel: KernelOp
    subkernel: SubkernelOp
    parameters: Mapping[str, int]
    claims: Mapping[CodeletOp, Sequence[Operation]]
    """The accesses that are consecutive on each tile of a codelet."""
    checked: Checked

    def __post_init__(self) -> None:
        self.names = names_of(self.kernel.work_items)
        self.sizes = group_size(self.kernel, self.parameters)
        self.launch = Launch(self.kernel, self.parameters, self.checked.samples)

    def check(self, random: Random, max_steps: int) -> None:
        """Check that the codelets cover the work-items, then the classes of the codelets.

        The tiles come in random order, until `max_steps` operations were executed.

        Raises:
            ClaimViolated: for the first claim that does not hold.
            CannotExecute: the code of a work-item has an unsupported operation.
        """
        self.checked.samples += 1
        owners = self._owners()
        self.checked.items += owners.size
        tiles = list(self._tiles(owners))
        random.shuffle(tiles)
        last = self.checked.steps + max_steps
        for codelet, tile in tiles:
            if self.checked.steps > last:
                break
            self._check_tile(codelet, tile)
        idle = [tuple(item) for item in np.argwhere(owners < 0).tolist()]
        random.shuffle(idle)
        for item in idle:
            if self.checked.steps > last + max_steps // 4:
                break
            self._check_idle(item)

    # ---- the codelet of each work-item ----

    def _owners(self) -> NDArray[np.int64]:
        """The index of the codelet of each work-item of the group, -1 for none."""
        width = self.subkernel.width.value.data
        # A margin of one tile around the group shows work-items that do not exist.
        starts = [np.arange(-width, size + width) for size in self.sizes]
        grid = np.meshgrid(*starts, indexing="ij") if starts else []
        shape = tuple(len(start) for start in starts)
        exists = np.ones(shape, bool)
        for ids, size in zip(grid, self.sizes, strict=True):
            exists &= (ids >= 0) & (ids < size)
        domain = self._contained(self.subkernel.domain.isl, self.names, grid, shape)
        self._refuse(
            domain & ~exists, self.subkernel, "is in the domain, but the group does not have it"
        )
        owners = np.full(shape, -1)
        for i, codelet in enumerate(self.subkernel.codelets):
            has = self._has(codelet, grid, shape)
            self._refuse(
                has & ~exists, codelet, "is a lane of a tile, but the group does not have it"
            )
            self._refuse(has & ~domain, codelet, "is in the codelet, but not in the domain")
            twice = has & (owners >= 0)
            if twice.any():
                first = self.subkernel.codelets[owners[twice][0]]
                self._refuse(twice, codelet, f"is also in the codelet '{name_of(first)}'")
            owners[has] = i
        self._refuse(domain & (owners < 0), self.subkernel, "is in the domain, but in no codelet")
        inside = tuple(slice(width, width + size) for size in self.sizes)
        return owners[inside]

    def _has(
        self, codelet: CodeletOp, grid: Sequence[NDArray[np.int64]], shape: tuple[int, ...]
    ) -> NDArray[np.bool_]:
        ids = list(grid)
        ids[codelet.position] = ids[codelet.position] // codelet.lanes.value.data
        return self._contained(codelet.domain.isl, codelet.domain.dimensions, ids, shape)

    def _contained(
        self,
        found: object,
        names: Sequence[str],
        ids: Sequence[NDArray[np.int64]],
        shape: tuple[int, ...],
    ) -> NDArray[np.bool_]:
        at = {**self.parameters, **dict(zip(names, ids, strict=True))}
        return np.array(np.broadcast_to(contains(found, at), shape))  # pyright: ignore

    def _refuse(self, wrong: NDArray[np.bool_], op: Operation, message: str) -> None:
        if wrong.any():
            width = self.subkernel.width.value.data
            item = tuple(place - width for place in np.argwhere(wrong)[0].tolist())
            raise ClaimViolated(op, self._located(op, f"work-item {self._text(item)} {message}"))

    # ---- the class of a tile ----

    def _tiles(self, owners: NDArray[np.int64]) -> Iterator[tuple[CodeletOp, list[Item]]]:
        for i, codelet in enumerate(self.subkernel.codelets):
            lanes = codelet.lanes.value.data
            if lanes == 1:
                continue
            for item in map(tuple, np.argwhere(owners == i).tolist()):
                if item[codelet.position] % lanes == 0:
                    yield codelet, [moved(item, codelet.position, lane) for lane in range(lanes)]

    def _execute(self, codelet: CodeletOp, item: Item) -> Trace:
        trace = execute(self.launch, codelet.body, item)
        self.checked.steps += trace.steps
        return trace

    def _check_tile(self, codelet: CodeletOp, tile: list[Item]) -> None:
        traces = [self._execute(codelet, item) for item in tile]
        self.checked.tiles += 1
        for (one, first), (other, second) in pairwise(zip(tile, traces, strict=True)):
            items = f"work-items {self._text(one)} and {self._text(other)}"
            if codelet.class_.ctl.data == "uniform":
                moment = _first_difference(first.decisions, second.decisions)
                if moment is not None:
                    ways = [_way(trace, moment) for trace in (first, second)]
                    message = (
                        f"{items} diverge at '{moment[0].name}'{_iterations(moment)}: "
                        f"{ways[0]} and {ways[1]}; the class has ctl = uniform"
                    )
                    raise ClaimViolated(codelet, self._located(codelet, message))
            claimed = self.claims.get(codelet, ())
            for moment, (place, size) in first.accesses.items():
                access = second.accesses.get(moment)
                if moment[0] not in claimed or access is None:
                    continue
                self.checked.accesses += 1
                if access.place != Place(place.array, place.offset + size):
                    message = (
                        f"{items} access bytes {place.offset} and {access.place.offset} by "
                        f"'{moment[0].name}'{_iterations(moment)}, not neighbouring elements; the "
                        "class has mem = cons"
                    )
                    raise ClaimViolated(codelet, self._located(codelet, message))

    def _check_idle(self, item: Item) -> None:
        """Checks that a work-item outside the domain has no effect."""
        if not self.subkernel.codelets:
            return
        trace = self._execute(self.subkernel.codelets[0], item)
        if trace.effects:
            message = (
                f"work-item {self._text(item)} is not in the domain, but it executes "
                f"'{trace.effects[0].name}'"
            )
            raise ClaimViolated(self.subkernel, self._located(self.subkernel, message))

    # ---- messages ----

    def _text(self, item: Item) -> str:
        return f"({', '.join(f'{n} = {i}' for n, i in zip(self.names, item, strict=True))})"

    def _located(self, op: Operation, message: str) -> str:
        where = f"subkernel @{self.subkernel.sym_name.data}"
        if isinstance(op, CodeletOp):
            where += f", codelet '{name_of(op)}'"
        values = ", ".join(f"{name} = {value}" for name, value in self.parameters.items())
        return f"kernel @{self.kernel.sym_name.data}, {where}: {message}; with {values}"


def name_of(codelet: CodeletOp) -> str:
    """The name of the tuple of its domain."""
    return codelet.domain.isl.get_tuple_name() or ""


def moved(item: Item, position: int, by: int) -> Item:
    """A work-item further along one dimension."""
    return tuple(i + by if place == position else i for place, i in enumerate(item))


def _first_difference(one: Mapping[Moment, int], other: Mapping[Moment, int]) -> Moment | None:
    if one == other:
        return None
    moments = {**one, **other}
    return next(moment for moment in moments if one.get(moment) != other.get(moment))


def _way(trace: Trace, moment: Moment) -> str:
    decision = trace.decisions.get(moment)
    if decision is None:
        return "not there"
    is_loop = moment[0].name in ("scf.for", "scf.while")
    return f"{decision} iterations" if is_loop else f"{decision}"


def _iterations(moment: Moment) -> str:
    _, iterations = moment
    return f" in iteration {', '.join(map(str, iterations))}" if iterations else ""
