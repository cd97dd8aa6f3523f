"""The cut of a launch into chunks that moves the fewest bytes, and what it moves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np

from polycl.analysis.poly.byte_ranges import NONE, ByteRanges
from polycl.analysis.poly.slices import Touch
from polycl.backends.device import Part, Size3
from polycl.errors import ArgumentError, PolyclError
from polycl.runtime.poly.distribute.chunks import cuts_of, part_text, parts_of
from polycl.runtime.poly.distribute.footprint import PAGE, Footprint, Use, addresses_of, place_of

_MOST_CHUNKS = 1 << 16

Held = Mapping[tuple[int, int], ByteRanges]
"""The bytes of a buffer that a worker has already, by the buffer's position and the worker."""


@dataclass(frozen=True, eq=False)
class Chunk:
    """One part of a launch and its slices, by the position of the buffer."""

    number: int
    part: Part
    worker: int
    uses: Mapping[int, Use]

    def nbytes(self) -> int:
        """The memory of a worker that it needs: the pages of the windows that it touches, and the
        slices that come and go."""
        return sum(
            use.pages * PAGE + use.needed.nbytes + use.writes.nbytes for use in self.uses.values()
        )


@dataclass(frozen=True)
class Traffic:
    """The bytes of one buffer that a launch moves."""

    name: str
    whole: int
    """Of the buffer."""
    sent: int
    """To workers, each slice once to a worker."""
    returned: int
    """Results, if they go back; reductions and their parts, too."""
    bound: int
    """The bytes that the workers' parts read and write, as isl counts them: each byte once for a
    worker that has not got it."""

    @property
    def moved(self) -> int:
        return self.sent + self.returned


@dataclass(frozen=True, eq=False)
class Plan:
    """How a launch is cut, and what it moves. `print(plan)` shows it as a table."""

    footprint: Footprint
    workers: int
    cut: Size3
    """The number of chunks along each dimension."""
    chunks: Sequence[Chunk]
    held: Held = field(default_factory=dict)
    stays: frozenset[int] = frozenset()
    """The positions of the buffers that stay on the workers."""
    keeps_all: bool = True
    """Whether workers keep all that their chunks have read, and not only what the last one has, as
    where memory is short."""

    @cached_property
    def traffic(self) -> list[Traffic]:
        """By buffer, in the order of the parameters."""
        return [self._traffic(position) for position in self.footprint.sizes]

    @property
    def moved(self) -> int:
        return sum(t.moved for t in self.traffic)

    @property
    def bound(self) -> int:
        return sum(t.bound for t in self.traffic)

    def _traffic(self, position: int) -> Traffic:
        footprint = self.footprint
        name, whole = footprint.kernel.parameters[position].name, footprint.sizes[position]
        if position in footprint.reductions:
            # Each chunk has a partial result, and the old values are where the caller is.
            parts = len(self.chunks) * whole
            return Traffic(name, whole, 0, parts, parts)
        sent = returned = bound = 0
        for worker, chunks in self.by_worker.items():
            held = self.held.get((position, worker), NONE)
            all_needed = ByteRanges.union(chunk.uses[position].needed for chunk in chunks)
            bound += (all_needed - held).nbytes
            kept = NONE
            for chunk in chunks:
                needed = chunk.uses[position].needed - held
                sent += (needed - kept).nbytes
                kept = needed | kept if self.keeps_all else needed
            if position not in self.stays:
                written = sum(chunk.uses[position].writes.nbytes for chunk in chunks)
                returned += written
                bound += written
        return Traffic(name, whole, sent, returned, bound)

    @cached_property
    def by_worker(self) -> Mapping[int, list[Chunk]]:
        """The chunks of each worker that has some."""
        found: dict[int, list[Chunk]] = {}
        for chunk in self.chunks:
            found.setdefault(chunk.worker, []).append(chunk)
        return found

    def plot(self, path: str | Path) -> None:
        """Draws what each chunk needs and writes to an `.svg` file, or with matplotlib to a `.png`
        or `.pdf` file.

        Raises:
            PolyclError: the file cannot be written.
        """
        # Late: few plans are drawn.
        from polycl.runtime.figures.files import save
        from polycl.runtime.poly.distribute.picture import plan_picture

        save(plan_picture(self), path)

    def __str__(self) -> str:
        # Late: the table is made for readers only.
        from polycl.runtime.poly.distribute.report import plan_text

        return plan_text(self)


def plan_launch(
    footprint: Footprint,
    workers: int,
    *,
    chunks: int | None = None,
    memory: int | None = None,
    held: Held | None = None,
    stays: frozenset[int] = frozenset(),
) -> Plan:
    """The cut into at least `chunks` chunks (default: one a worker) that moves the fewest bytes.

    With `memory`, the bytes that a worker has for a chunk, there are as many chunks as it takes.

    Raises:
        PolyclError: located: two chunks may write the same bytes in every cut.
        ArgumentError: one group needs more memory.
    """
    fewest = count = workers if chunks is None else chunks
    most_chunks = min(math.prod(footprint.ndrange.num_groups), _MOST_CHUNKS)
    while True:
        costs = _costs(footprint, workers, count, held or {})
        least = min(cost.most for cost in costs)
        fitting = [cost for cost in costs if memory is None or cost.most <= memory]
        if fitting and count > fewest:
            # More chunks may move less, if these are rows in place of boxes.
            more = (count * 5 // 4, count * 3 // 2, 2 * count)
            others = [c for n in more for c in _costs(footprint, workers, n, held or {})]
            fitting = sorted(
                {c.cut: c for c in (*others, *fitting) if c.most <= (memory or 0)}.values(),
                key=lambda cost: (cost.moved, cost.most),
            )
        if fitting:
            plan = _best(footprint, workers, fitting, held or {}, stays)
            plan = replace(plan, keeps_all=len(plan.chunks) <= fewest)
            least = max(chunk.nbytes() for chunk in plan.chunks)
            if memory is None or least <= memory:
                return plan
        assert memory is not None
        if count >= most_chunks:
            raise ArgumentError(
                f"kernel '{footprint.kernel.name}': the smallest chunk needs {least} bytes of "
                f"memory, and a worker has {memory} for it"
            )
        count = min(most_chunks, max(count + 1, min(2 * count, -(-count * least // memory))))


@dataclass(frozen=True)
class _Cost:
    """What a cut costs, by a sample of its chunks."""

    moved: int
    most: int
    """The bytes of memory of the largest chunk."""
    cut: Size3


def _costs(footprint: Footprint, workers: int, count: int, held: Held) -> list[_Cost]:
    """Those of all cuts into `count` chunks, the best first."""
    ndrange = footprint.ndrange
    costs: list[_Cost] = []
    for cut in cuts_of(ndrange.num_groups, count):
        parts = parts_of(ndrange, cut)
        moved = groups = most = 0
        for place, times in _samples(cut):
            chunk = _chunk(footprint, parts, place, workers)
            before = _chunk(footprint, parts, place - 1, workers) if place else None
            if before is not None and before.worker != chunk.worker:
                before = None
            moved += times * _cost(chunk, before, held)
            groups += times * math.prod(chunk.part.groups)
            most = max(most, chunk.nbytes())
        # The sizes of chunks differ by a group: for as many groups as there are.
        costs.append(_Cost(moved * math.prod(ndrange.num_groups) // groups, most, cut))
    return sorted(costs, key=lambda cost: (cost.moved, cost.most))


def _best(
    footprint: Footprint,
    workers: int,
    costs: Sequence[_Cost],
    held: Held,
    stays: frozenset[int],
) -> Plan:
    """The first cut whose chunks are proved to write different bytes."""
    problem: PolyclError | None = None
    for cost in costs:
        parts = parts_of(footprint.ndrange, cost.cut)
        chunks = [_chunk(footprint, parts, place, workers) for place in range(len(parts))]
        found = _conflict(footprint, chunks)
        if found is None:
            return Plan(footprint, workers, cost.cut, chunks, held, stays)
        problem = problem or found
    assert problem is not None
    raise problem


def _samples(cut: Size3) -> list[tuple[int, int]]:
    """Chunks by which a cut is compared with others, and how many each stands for: along each
    dimension the first, one in the middle and the last."""
    sides: list[list[tuple[int, int]]] = []
    for n in cut:
        sides.append([(0, 1), (n // 2, n - 2), (n - 1, 1)] if n > 2 else [(i, 1) for i in range(n)])
    return [
        ((z * cut[1] + y) * cut[0] + x, a * b * c)
        for (z, c), (y, b), (x, a) in product(*reversed(sides))
    ]


def _chunk(footprint: Footprint, parts: Sequence[Part], place: int, workers: int) -> Chunk:
    uses = {
        position: footprint.use(position, parts[place])
        for position in footprint.sizes
        if position not in footprint.reductions
    }
    return Chunk(place, parts[place], place * workers // len(parts), uses)


def _cost(chunk: Chunk, before: Chunk | None, held: Held) -> int:
    """The bytes that a worker lacks, which has run the chunk before."""
    total = 0
    for position, use in chunk.uses.items():
        missing = use.needed - held.get((position, chunk.worker), NONE)
        if before is not None:
            missing = missing - before.uses[position].needed
        total += missing.nbytes
    return total


def _conflict(footprint: Footprint, chunks: Sequence[Chunk]) -> PolyclError | None:
    """The error that two chunks may write the same bytes."""
    for position in footprint.written:
        if position in footprint.reductions:
            continue
        writes = [chunk.uses[position].writes for chunk in chunks]
        if ByteRanges.union(writes).nbytes == sum(bytes.nbytes for bytes in writes):
            continue
        return _overlap(footprint, position, chunks)
    return None


def _overlap(footprint: Footprint, position: int, chunks: Sequence[Chunk]) -> PolyclError:
    writes = [chunk.uses[position].writes for chunk in chunks]
    # The ranges of all chunks in order: the first that starts before the end of those before it.
    owners = np.repeat(np.arange(len(writes)), [len(bytes.starts) for bytes in writes])
    starts = np.concatenate([bytes.starts for bytes in writes])
    ends = np.concatenate([bytes.ends for bytes in writes])
    order = np.argsort(starts, kind="stable")
    end, last, place = -1, 0, 0
    for place in order.tolist():
        if starts[place] < end and owners[place] != last:
            break
        if ends[place] > end:
            end, last = int(ends[place]), int(owners[place])
    one, two = chunks[last], chunks[int(owners[place])]
    both = one.uses[position].writes & two.uses[position].writes
    return conflict_error(footprint, position, one, two, both)


def conflict_error(
    footprint: Footprint, position: int, one: Chunk, two: Chunk, both: ByteRanges
) -> PolyclError:
    """The error that names the two accesses and the elements."""
    name = footprint.kernel.parameters[position].name
    first = footprint.writers(position, one.part, both)[0]
    second = footprint.writers(position, two.part, both)[-1]
    size = max(first.nbytes, 1)
    where = f"element {both.first // size}" if first.address is not None else "any element"
    notes = (_note(first, one.part), _note(second, two.part))
    return PolyclError(
        f"{place_of(first)}: error: kernel '{footprint.kernel.name}' cannot be cut: two parts of "
        f"the launch may write {where} of '{name}'; expected writes that are proved disjoint, or "
        "one kind of atomic operation whose old value is not used\n" + "\n".join(notes)
    )


def _note(touch: Touch, part: Part) -> str:
    why = f", to {addresses_of(touch)}" if touch.unknowns or touch.address is None else ""
    return f"{place_of(touch)}: the write of {part_text(part)}{why}"
