"""A picture of a plan: which chunk reads and writes which part of each buffer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polycl.analysis.poly.byte_ranges import ByteRanges
from polycl.runtime.figures.figure import Axis, Cells, Figure, Lines, Rect, Texts
from polycl.runtime.poly.distribute.plan import Chunk, Plan
from polycl.runtime.poly.distribute.report import bytes_text

COLUMNS = 256
"""Of a buffer."""
MOST = 32
"""The most chunks that are drawn."""
_GAP = 12
_READ, _WRITTEN = "#9cc4e4", "#b5452c"


def plan_picture(plan: Plan, seconds: Sequence[float] | None = None) -> Figure:
    """Each row is a chunk, each column of cells a buffer, from its first byte to its last.

    `seconds` of the chunks are shown beside them.
    """
    chunks = list(plan.chunks)
    if len(chunks) > MOST:
        places = {i * (len(chunks) - 1) // (MOST - 1) for i in range(MOST)}
        chunks = [chunks[place] for place in sorted(places)]
    footprint = plan.footprint
    positions = list(footprint.sizes)
    reads: list[Rect] = []
    writes: list[Rect] = []
    names: list[tuple[float, float, str]] = []
    for number, position in enumerate(positions):
        left = number * (COLUMNS + _GAP)
        name = footprint.kernel.parameters[position].name
        size = footprint.sizes[position]
        names.append((left + COLUMNS / 2, -0.75, f"{name}: {bytes_text(size)}"))
        for row, chunk in enumerate(chunks):
            needed, written = _bytes(plan, position, chunk)
            reads.extend((left + a, row - 0.45, b - a, 0.9) for a, b in _cells(needed, size))
            writes.extend((left + a, row - 0.1, b - a, 0.5) for a, b in _cells(written, size))
    workers = tuple(
        (
            row,
            f"{c.number} on {c.worker}"
            + (f", {seconds[c.number] * 1e3:.3g} ms" if seconds is not None else ""),
        )
        for row, c in enumerate(chunks)
    )
    width = len(positions) * (COLUMNS + _GAP) - _GAP
    edges = [chunks[i].worker != chunks[i - 1].worker for i in range(1, len(chunks))]
    borders = [(0, row + 0.5, width, row + 0.5) for row, new in enumerate(edges) if new]
    cut = "x".join(map(str, plan.cut[: footprint.ndrange.work_dim]))
    shown = "" if len(chunks) == len(plan.chunks) else f"; {len(chunks)} of them are drawn"
    return Figure(
        title=f"{footprint.kernel.name}: {len(plan.chunks)} chunks ({cut}) on "
        f"{plan.workers} workers",
        note=f"{bytes_text(plan.moved)} move, at least {bytes_text(plan.bound)}{shown}",
        x=Axis("byte of the buffer, from its first to its last", 0, width),
        y=Axis("chunk on worker", len(chunks) - 0.5, -1.25, workers),
        layers=[
            Cells("needed", reads, _READ, legend="needed"),
            Cells("written", writes, _WRITTEN, legend="written"),
            Lines("workers", borders, "#666", 0.5),
            Texts("buffers", names),
        ],
        width=max(420, min(1100, width)),
        height=16 * (len(chunks) + 1),
    )


def _bytes(plan: Plan, position: int, chunk: Chunk) -> tuple[ByteRanges, ByteRanges]:
    if position in plan.footprint.reductions:
        whole = ByteRanges.one(0, plan.footprint.sizes[position])
        return ByteRanges.one(0, 0), whole
    use = chunk.uses[position]
    return use.needed, use.writes


def _cells(bytes: ByteRanges, size: int) -> list[tuple[float, float]]:
    """The columns that have some of the bytes, as ranges."""
    first = bytes.starts * COLUMNS // max(size, 1)
    end = -(-bytes.ends * COLUMNS // max(size, 1))
    columns = ByteRanges.of(first, np.maximum(end, first + 1))
    return [(float(a), float(b)) for a, b in columns]
