"""One launch on a cluster: what moves, what runs, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from polycl.analysis.poly.byte_ranges import NONE, ByteRanges
from polycl.backends.device import KernelArg, LocalMemory
from polycl.errors import ArgumentError, LaunchError
from polycl.runtime.poly.distribute.arrays import ClusterArray, DaskHome, Home, Piece
from polycl.runtime.poly.distribute.chunks import launches_of, part_text
from polycl.runtime.poly.distribute.cluster import let_new_workers_help
from polycl.runtime.poly.distribute.footprint import Footprint
from polycl.runtime.poly.distribute.plan import Chunk, Held, Plan, plan_launch
from polycl.runtime.poly.distribute.worker import (
    ALIGNMENT,
    Bytes,
    ChunkArgument,
    ChunkTask,
    Partial,
    Window,
    assemble,
    combine,
    cut,
    identity_of,
    item,
    run_chunk,
    without,
)

if TYPE_CHECKING:
    from polycl.runtime.poly.distribute.launcher import DistributedKernel

_WAIT_SECONDS = 30
"""For workers that are starting, or come back."""
_TREE = 8
"""Partial results that one task combines."""
_SMALL = 1 << 24
"""Bytes of partial results that this process combines."""
_BATCH = 16
"""Results that are fetched together."""


@dataclass(frozen=True)
class Report:
    """What a launch did. `print(report)` shows it as a table."""

    plan: Plan
    sent: Mapping[int, int]
    """Bytes to workers, by the position of the buffer."""
    returned: Mapping[int, int]
    seconds: Sequence[float]
    """By chunk: until its results were there, with the compilation."""
    workers: Sequence[str]
    """By chunk: the address of the worker that ran it."""

    @property
    def moved(self) -> int:
        return sum(self.sent.values()) + sum(self.returned.values())

    def plot(self, path: str | Path) -> None:
        """Draws what each chunk had and wrote, where, and how long it took: see `Plan.plot`."""
        from polycl.runtime.figures.files import save
        from polycl.runtime.poly.distribute.picture import plan_picture

        save(plan_picture(self.plan, self.seconds), path)

    def __str__(self) -> str:
        from polycl.runtime.poly.distribute.report import report_text

        return report_text(self)


class Cluster:
    """The workers of a client, by number."""

    def __init__(self, client: Any, most: int | None = None):
        self.client = client
        let_new_workers_help(client)
        found = _workers_of(client)
        if not found:
            try:
                client.wait_for_workers(1, timeout=_WAIT_SECONDS)
            except TimeoutError:
                raise ArgumentError(f"the cluster {client.scheduler} has no workers") from None
            found = _workers_of(client)
        self.workers = _in_order(client, list(found))[:most]
        used = [found[address] for address in self.workers]
        self.threads = sum(worker["nthreads"] for worker in used)
        limits = [w["memory_limit"] // w["nthreads"] for w in used if w["memory_limit"]]
        self.memory = min(limits) if limits else None
        """The bytes that each thread of a worker has."""


def _workers_of(client: Any) -> dict[str, Any]:
    """What the scheduler knows of each worker, by address.

    `client.scheduler_info()` may lack them: the client overwrites its answer from time to time.
    """
    return client.sync(client.scheduler.identity, n_workers=-1)["workers"]


def _in_order(client: Any, addresses: Sequence[str]) -> list[str]:
    """A worker keeps its number as long as it lives; a new one gets that of one that died."""
    before: list[str] = getattr(client, _ORDER, [])
    new = sorted(address for address in addresses if address not in before)
    order = [address if address in addresses else "" for address in before]
    order = [address or (new.pop(0) if new else "") for address in order]
    order = [address for address in (*order, *new) if address]
    setattr(client, _ORDER, order)
    return order


_ORDER = "polycl_workers"


class Launch:
    """One launch on a cluster."""

    def __init__(
        self,
        owner: DistributedKernel,
        cluster: Cluster,
        homes: Mapping[int, Home | ClusterArray],
        values: Mapping[int, KernelArg],
        footprint: Footprint,
    ):
        self.report: Report | None = None
        self._owner = owner
        self._cluster = cluster
        self._client = cluster.client
        self._homes = homes
        self._values = values
        self._footprint = footprint
        self._arrays = {
            position: home if isinstance(home, ClusterArray) else ClusterArray(home)
            for position, home in homes.items()
        }
        self._stays = frozenset(
            position
            for position, home in homes.items()
            if isinstance(home, ClusterArray | DaskHome)
        )
        memory = owner.memory
        if memory is None and cluster.memory is not None:
            memory = cluster.memory // 4
        self._plan = plan_launch(
            self._footprint,
            len(cluster.workers),
            chunks=cluster.threads,
            memory=memory,
            held=self._held(),
            stays=self._stays,
        )
        self._sent = dict.fromkeys(homes, 0)
        self._returned = dict.fromkeys(homes, 0)
        self._cuts: dict[Any, Any] = {}
        """Parts of pieces that were cut out for a worker."""
        self._fetched: dict[int, list[tuple[int, Piece]]] = {}
        """For each worker, what its chunks fetched from homes, by position."""
        self._results: dict[int, list[tuple[Chunk, Any]]] = {p: [] for p in self._footprint.written}
        """For each written buffer, what chunks left on their workers."""
        self._ran: dict[int, tuple[float, str]] = {}
        """For each chunk that has run, its seconds and its worker."""
        self._partials: dict[int, dict[int, Bytes]] = {p: {} for p in footprint.reductions}
        """Small partial results that came with their chunks, by chunk."""
        self._at_once = frozenset(filter(self._comes_at_once, footprint.written))

    def _comes_at_once(self, position: int) -> bool:
        """Whether the results of each chunk come back as soon as it has run: nothing of the launch
        reads them, so they need no memory on the worker."""
        if position in self._stays:
            return False
        chunks = self._plan.chunks
        if position in self._footprint.reductions:
            return len(chunks) * self._footprint.sizes[position] <= _SMALL
        return not any(chunk.uses[position].needed for chunk in chunks)

    def _held(self) -> Held:
        return {
            (position, worker): array.held(worker)
            for position, array in self._arrays.items()
            for worker in range(len(self._cluster.workers))
        }

    # Running

    def run(self) -> dict[str, Any]:
        # Late: `import polycl` needs no dask.
        from distributed import as_completed

        waiting = {worker: list(chunks) for worker, chunks in self._plan.by_worker.items()}
        running: dict[Any, Chunk] = {}
        threads = max(1, self._cluster.threads // len(self._cluster.workers))
        most = len(self._plan.chunks) if self._plan.keeps_all else 2 * threads
        total = len(self._plan.chunks)
        bar = tqdm(
            total=total,
            unit="chunk",
            desc=self._owner.kernel.name,
            leave=False,
            disable=not self._owner.progress,
        )
        try:
            with bar:
                for worker in waiting:
                    for chunk in waiting[worker][:most]:
                        running[self._submit(chunk)] = chunk
                    del waiting[worker][:most]
                completed = as_completed(list(running), with_results=True, raise_errors=False)
                for future, found in completed:
                    chunk = running.pop(future)
                    if future.status != "finished":
                        raise future.exception()
                    self._take(chunk, *found)
                    bar.update()
                    if waiting[chunk.worker]:
                        after = waiting[chunk.worker].pop(0)
                        started = self._submit(after)
                        running[started] = after
                        completed.add(started)
        except BaseException as error:
            self._client.cancel(list(running))
            raise self._located(error) from None
        written = self._finish()
        ordered = [self._ran[chunk.number] for chunk in self._plan.chunks]
        seconds, workers = zip(*ordered, strict=True)
        self.report = Report(self._plan, self._sent, self._returned, seconds, workers)
        return written

    def _located(self, error: BaseException) -> BaseException:
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            return LaunchError(
                f"kernel '{self._owner.kernel.name}': the workers that ran a chunk died again and "
                f"again; the largest needs {max(c.nbytes() for c in self._plan.chunks)} bytes"
            )
        return error

    def _submit(self, chunk: Chunk) -> Any:
        """Starts a chunk: what it needs that its worker has not got, and the launch. The future is
        of what comes back at once."""
        owner = self._owner
        values: list[Any] = []
        arguments: list[ChunkArgument] = []
        written: list[int] = []
        starts: dict[int, int] = dict.fromkeys(owner.buffers, 0)
        if not self._plan.keeps_all:
            self._forget(chunk)
        for position in range(len(owner.kernel.parameters)):
            if position in self._footprint.reductions:
                reduction = self._footprint.reductions[position]
                fill = identity_of(reduction.kind.value, reduction.element)
                arguments.append(Partial(fill, self._footprint.sizes[position]))
                written.append(position)
            elif position in self._arrays:
                window, futures = self._window(chunk, position)
                starts[position] = window.start // window.unit
                arguments.append(window)
                values.extend(futures)
                if window.writes:
                    written.append(position)
            else:
                value = self._values[position]
                assert value is None or isinstance(value, bytes | LocalMemory)
                arguments.append(value)
        task = ChunkTask(
            owner.text,
            owner.kernel.name,
            owner.device,
            f"chunk {chunk.number + 1} of {len(self._plan.chunks)}, {part_text(chunk.part)}",
            tuple(launches_of(self._footprint.ndrange, chunk.part)),
            tuple(arguments),
            tuple(starts.values()),
        )
        worker = self._cluster.workers[chunk.worker]
        future = self._at(worker, run_chunk, task, *values)
        left = {
            position: place + 2
            for place, position in enumerate(written)
            if position not in self._at_once
        }
        for position, place in left.items():
            self._results[position].append((chunk, self._at(worker, item, future, place)))
        return self._at(worker, without, future, (*left.values(),)) if left else future

    def _forget(self, chunk: Chunk) -> None:
        """Drops what the last chunk of a worker had and this one does not need."""
        fetched = self._fetched.get(chunk.worker, [])
        self._fetched[chunk.worker] = [
            (position, piece)
            for position, piece in fetched
            if piece.ranges & chunk.uses[position].needed
        ]
        self._cuts.clear()

    def _at(self, worker: str, function: Any, *args: Any) -> Any:
        """A future of a call on a worker, or on another one if that has died."""
        return self._client.submit(
            function, *args, workers=[worker], allow_other_workers=True, pure=False
        )

    def _window(self, chunk: Chunk, position: int) -> tuple[Window, list[Any]]:
        """The memory of a buffer that a chunk gets, and futures of the values in it."""
        use = chunk.uses[position]
        unit = self._owner.units[position]
        if not use.touched:
            return Window(0, 0, unit, (), NONE), []
        step = ALIGNMENT * unit
        start = use.touched.first // step * step
        inputs, futures = self._values_for(chunk.worker, position, use.needed)
        window = Window(start, use.touched.end - start, unit, tuple(inputs), use.writes)
        return window, futures

    def _values_for(
        self, worker: int, position: int, needed: ByteRanges
    ) -> tuple[list[ByteRanges], list[Any]]:
        """Futures of needed bytes, and the bytes of each."""
        array = self._arrays[position]
        fetched = [piece for at, piece in self._fetched.get(worker, []) if at == position]
        here = [p for p in (*array.pieces, *array.copies, *fetched) if p.worker == worker]
        there = [piece for piece in array.pieces if piece.worker != worker]
        inputs: list[ByteRanges] = []
        futures: list[Any] = []
        rest = needed
        for piece in (*here, *there):
            part = piece.ranges & rest
            if part:
                inputs.append(part)
                futures.append(self._part_of(piece, part, worker, position))
                rest = rest - part
        if rest:
            future = array.home.fetch(self._client, rest, self._cluster.workers[worker])
            self._sent[position] += rest.nbytes
            piece = Piece(rest, future, rest, worker)
            self._fetched.setdefault(worker, []).append((position, piece))
            inputs.append(rest)
            futures.append(future)
        return inputs, futures

    def _part_of(self, piece: Piece, part: ByteRanges, worker: int, position: int) -> Any:
        """A future of some bytes of a piece, cut out where the piece is."""
        key = piece.future.key, part, worker
        if key not in self._cuts:
            if piece.worker != worker:
                self._sent[position] += part.nbytes
            self._cuts[key] = (
                piece.future
                if part == piece.have
                else self._at(self._address(piece.worker), cut, piece.future, piece.have, part)
            )
        return self._cuts[key]

    def _address(self, worker: int) -> str:
        workers = self._cluster.workers
        return workers[worker] if worker < len(workers) else workers[0]

    # Results

    def _take(self, chunk: Chunk, seconds: float, worker: str, *results: Bytes) -> None:
        """Keeps what came back with a chunk."""
        self._ran[chunk.number] = seconds, worker
        remaining = iter(results)
        for position in self._footprint.written:
            if position not in self._at_once:
                continue
            if position in self._partials:
                self._partials[position][chunk.number] = next(remaining)
            elif chunk.uses[position].writes:
                self._store(position, chunk, next(remaining))

    def _store(self, position: int, chunk: Chunk, values: Bytes) -> None:
        ranges = chunk.uses[position].writes
        self._arrays[position].home.store(ranges, values)
        self._returned[position] += ranges.nbytes

    def _finish(self) -> dict[str, Any]:
        """All chunks have run: the results by the names of the parameters."""
        written: dict[str, Any] = {}
        for position in self._footprint.written:
            array, results = self._arrays[position], self._results[position]
            if position in self._footprint.reductions:
                partials = self._partials[position]
                parts = [partials[number] for number in sorted(partials)]
                self._reduce(position, parts or [future for _, future in results])
            elif position in self._stays:
                pieces = [
                    Piece(writes, future, writes, chunk.worker)
                    for chunk, future in results
                    if (writes := chunk.uses[position].writes)
                ]
                array.replace(pieces)
            else:
                for first in range(0, len(results), _BATCH):
                    batch = results[first : first + _BATCH]
                    found = self._client.gather([future for _, future in batch])
                    for (chunk, _), values in zip(batch, found, strict=True):
                        self._store(position, chunk, values)
            home = self._homes[position]
            name = self._owner.kernel.parameters[position].name
            if isinstance(home, DaskHome):
                written[name] = self._as_dask(array, home)
            else:
                written[name] = home.array if isinstance(home, Home) else home
        self._keep_copies()
        return written

    def _keep_copies(self) -> None:
        """What was fetched from the homes of arrays that stay is still right where it was not
        written."""
        for worker, fetched in self._fetched.items():
            for position, piece in fetched:
                array = self._arrays[position]
                valid = piece.ranges - ByteRanges.union(p.ranges for p in array.pieces)
                if isinstance(self._homes[position], ClusterArray) and valid:
                    array.copies.append(Piece(valid, piece.future, piece.have, worker))

    def _reduce(self, position: int, parts: list[Any]) -> None:
        """Combines partial results, by a tree where they are on workers, and then with the old
        values."""
        array, reduction = self._arrays[position], self._footprint.reductions[position]
        kind, element = reduction.kind.value, reduction.element.str
        self._returned[position] += len(parts) * array.nbytes
        everything = ByteRanges.one(0, array.nbytes)
        if position in self._at_once:
            old = np.ascontiguousarray(array.home.read()).reshape(-1).view(np.uint8)
            array.home.store(everything, combine(kind, element, old, *parts))
            return
        if position in self._stays:
            ranges, old = self._values_for(0, position, everything)
            worker = self._cluster.workers[0]
            whole = self._at(worker, assemble, "u1", (array.nbytes,), ranges, *old)
            parts = [*parts, whole]
        while len(parts) > 1:
            groups = [parts[i : i + _TREE] for i in range(0, len(parts), _TREE)]
            parts = [self._client.submit(combine, kind, element, *g, pure=False) for g in groups]
        if position in self._stays:
            array.replace([Piece(everything, parts[0], everything, 0)])
            return
        old = np.ascontiguousarray(array.home.read()).reshape(-1).view(np.uint8)
        array.home.store(everything, combine(kind, element, old, parts[0].result()))

    def _as_dask(self, array: ClusterArray, home: DaskHome) -> Any:
        """A dask array of the values, in blocks of the rows that the old one had."""
        import dask.array as da

        row = array.nbytes // array.shape[0]
        blocks: list[Any] = []
        first = 0
        for place, rows in enumerate(home.array.chunks[0]):
            worker = place * len(self._cluster.workers) // len(home.array.chunks[0])
            bytes = ByteRanges.one(first * row, (first + rows) * row)
            ranges, values = self._values_for(worker, self._position_of(array), bytes)
            shape = (rows, *array.shape[1:])
            moved = [_shifted(part, -first * row) for part in ranges]
            at = self._cluster.workers[worker]
            future = self._at(at, assemble, array.dtype.str, shape, moved, *values)
            blocks.append(da.from_delayed(_delayed(future), shape, array.dtype))
            first += rows
        return da.concatenate(blocks)

    def _position_of(self, array: ClusterArray) -> int:
        return next(position for position, found in self._arrays.items() if found is array)


def _shifted(ranges: ByteRanges, by: int) -> ByteRanges:
    return ByteRanges(ranges.starts + by, ranges.ends + by)


def _delayed(future: Any) -> Any:
    from dask.delayed import delayed

    return delayed(future)
