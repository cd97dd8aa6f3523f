"""What the analysis says of a part of a launch, against what the interpreter does in it."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import islpy as isl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polycl
from launches import Launch, all_launches, sampled
from polycl.analysis.poly.byte_ranges import ByteRanges
from polycl.analysis.poly.images_of_sets import image_of
from polycl.backends.device import NDRange, Part
from polycl.backends.interp import access
from polycl.backends.interp.buffers import Buffer
from polycl.errors import PolyclError
from polycl.runtime.poly.distribute.footprint import Footprint, integers_of

ROOT = Path(__file__).resolve().parent.parent.parent
KERNELS = all_launches(ROOT / "tests" / "kernels", ROOT / "tests" / "poly" / "kernels")
_REFUSED = (
    "images and pipes are not distributed",
    "uses variables of the program",
    "printf is not supported",
    "its pointer comes from memory",
)


class Observed:
    """The bytes that work-items read and write, by the name of the parameter."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.reads: dict[str, list[tuple[int, int]]] = {}
        self.writes: dict[str, list[tuple[int, int]]] = {}
        sizes: dict[int, int] = {}
        of_array, resolve = Buffer.of_array, access.resolve_access

        def watched(what: str, array: Any, read_only: str = "") -> Buffer:
            buffer = of_array(what, array, read_only)
            sizes[id(buffer)] = buffer.size
            # Each access now asks whether it is in bounds.
            buffer.size = buffer.writable_size = -1
            return buffer

        def record(item: Any, pointer: Any, size: int, align: int, *, writes: bool) -> Any:
            buffer, offset = pointer
            if id(buffer) not in sizes:
                return resolve(item, pointer, size, align, writes=writes)
            assert 0 <= offset <= sizes[id(buffer)] - size
            kind = self.writes if writes else self.reads
            kind.setdefault(buffer.what, []).append((offset, offset + size))
            return pointer

        monkeypatch.setattr(Buffer, "of_array", staticmethod(watched))
        monkeypatch.setattr(access, "resolve_access", record)

    def of(self, kind: dict[str, list[tuple[int, int]]], name: str) -> ByteRanges:
        ranges = kind.get(f"parameter '{name}'", [])
        return ByteRanges.of(
            np.array([a for a, _ in ranges], np.int64), np.array([b for _, b in ranges], np.int64)
        )


def footprint_of(launch: Launch) -> tuple[Footprint, polycl.BoundKernel]:
    bound = launch.bound(polycl.device("interp"))
    kernel = launch.load().kernel(launch.kernel)
    scalars = {i: v for i, v in enumerate(bound.args) if isinstance(v, bytes)}
    sizes = {i: v.nbytes for i, v in enumerate(bound.args) if isinstance(v, np.ndarray)}
    return Footprint(kernel, bound.ndrange, integers_of(kernel, scalars), sizes), bound


def random_part(ndrange: NDRange, seed: int) -> Part:
    rng = random.Random(seed)
    sides = [sorted(rng.sample(range(n + 1), 2)) for n in ndrange.num_groups]
    (x0, x1), (y0, y1), (z0, z1) = sides
    return Part((x0, y0, z0), (x1 - x0, y1 - y0, z1 - z0), ndrange.local_size)


@pytest.mark.parametrize("launch", sampled(KERNELS, 10))
def test_observed_accesses_are_claimed(launch: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    observed = Observed(monkeypatch)
    try:
        footprint, bound = footprint_of(launch)
    except PolyclError as error:
        reason = str(error)
        if any(known in reason for known in _REFUSED):
            return
        raise
    part = random_part(bound.ndrange, launch.line)
    sides = (range(a, a + n) for a, n in zip(part.first, part.groups, strict=True))
    executable: Any = bound.compiled
    executable.run(bound.args, bound.ndrange, list(product(*sides)))
    for position in footprint.sizes:
        name = footprint.kernel.parameters[position].name
        if position in footprint.reductions:
            continue
        use = footprint.use(position, part)
        assert observed.of(observed.reads, name) <= use.reads, name
        assert observed.of(observed.writes, name) <= use.writes, name
        if use.is_exact:
            whole = observed.of(observed.reads, name) | observed.of(observed.writes, name)
            # What is not under a condition on data is accessed indeed.
            assert use.writes - use.kept <= observed.of(observed.writes, name), name
            assert (use.reads | use.writes) == whole, name


@pytest.mark.parametrize(
    "condition", ["(k - i) mod 3 = 0", "k mod 3 = 1", "(k + i) mod 2 = 0 and i mod 4 = 1", "k <= i"]
)
def test_steps_that_begin_elsewhere_in_each_row(condition: str) -> None:
    rows = isl.Set(f"{{ [k, i] : 0 <= k < 16 and 0 <= i < 8 and {condition} }}")
    found = image_of(rows, isl.PwAff("{ [k, i] -> [16i + k] }"), 1)
    assert found is not None
    assert sum(end - start for start, end in found[0]) == rows.count_val().to_python()
    assert found[1]


ranges = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 6)), max_size=8)


def _set(pairs: list[tuple[int, int]]) -> tuple[ByteRanges, set[int]]:
    starts = np.array([a for a, _ in pairs], np.int64)
    ends = np.array([a + n for a, n in pairs], np.int64)
    return ByteRanges.of(starts, ends), {b for a, n in pairs for b in range(a, a + n)}


@settings(max_examples=200, deadline=None)
@given(ranges, ranges)
def test_ranges_are_sets(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    (a, one), (b, two) = _set(first), _set(second)

    def points(found: ByteRanges) -> set[int]:
        assert (found.ends > found.starts).all()
        assert (found.starts[1:] >= found.ends[:-1]).all()
        return {p for start, end in found for p in range(start, end)}

    assert points(a | b) == one | two
    assert points(a & b) == one & two
    assert points(a - b) == one - two
    assert (a <= b) == (one <= two)
    assert a.nbytes == len(one)
    memory = np.arange(60, dtype=np.uint8)
    assert a.gathered(memory).tolist() == sorted(one)
    again = np.zeros(60, np.uint8)
    a.scatter(a.gathered(memory), again)
    assert {int(p) for p in np.flatnonzero(again)} == one - {0}
