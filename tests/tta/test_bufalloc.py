"""Buffers never overlap, and have the addresses of a model without chunks."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polycl.backends.tta.bufalloc import Memory, OutOfMemory, Region, Strategy

START, END, ALIGNMENT = 40, 1000, 16


class Model:
    """Only what is in use: the address of each buffer -> the end of what belongs to it."""

    def __init__(self, strategy: Strategy, split: bool):
        self.strategy, self.split = strategy, split
        self.used: dict[int, int] = {}

    def holes(self) -> list[tuple[int, int]]:
        """Ascending; the last one is what is behind all buffers."""
        found: list[tuple[int, int]] = []
        at = round_up(START)
        for start, end in sorted(self.used.items()):
            if start > at:
                found.append((at, start))
            at = end
        return [*found, (at, END)]

    def allocate(self, size: int) -> int | None:
        holes = self.holes()
        tail = holes[-1]
        order = [tail, *holes[:-1]] if self.strategy == "greedy" else holes
        for hole in order:
            start, end = hole
            if end - start >= size:
                whole = hole != tail and not self.split
                self.used[start] = end if whole else min(end, round_up(start + size))
                return start
        return None


def round_up(address: int) -> int:
    return (address + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


Step = tuple[Literal["allocate", "free"], int]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("allocate"), st.integers(1, 300)),
        st.tuples(st.just("free"), st.integers(0, 20)),
    ),
    max_size=60,
)


@settings(max_examples=150, deadline=None)
@given(steps=STEPS, strategy=st.sampled_from(["greedy", "tight"]), split=st.booleans())
def test_it_does_what_the_model_does(steps: list[Step], strategy: Strategy, split: bool):
    region = Region(START, END - START, ALIGNMENT, strategy, split)
    model = Model(strategy, split)
    sizes: dict[int, int] = {}
    for kind, number in steps:
        if kind == "allocate":
            expected = model.allocate(number)
            if expected is None:
                with pytest.raises(OutOfMemory, match=f"a buffer of {number} bytes"):
                    region.allocate(number)
            else:
                assert region.allocate(number) == expected
                sizes[expected] = number
        elif sizes:
            address = sorted(sizes)[number % len(sizes)]
            region.free(address)
            del sizes[address], model.used[address]
            with pytest.raises(ValueError, match="no buffer begins at"):
                region.free(address)
        check(region, sizes)
    for address in sizes:
        region.free(address)
    assert [(c.start, c.size, c.free) for c in region.chunks] == [
        (round_up(START), END - round_up(START), True)
    ]


def check(region: Region, sizes: dict[int, int]) -> None:
    """Buffers are aligned, inside and apart; chunks have no gaps, no two free ones meet."""
    buffers = sorted(sizes.items())
    for (start, size), (following, _) in pairwise([*buffers, (END, 0)]):
        assert start % ALIGNMENT == 0
        assert START <= start
        assert start + size <= following
    chunks = region.chunks
    assert chunks[-1].free
    assert chunks[-1].start + chunks[-1].size == END
    for chunk, following in pairwise(chunks):
        assert chunk.start + chunk.size == following.start
        assert not (chunk.free and following.free)
        assert chunk.size > 0
    assert {c.start for c in chunks if not c.free} == set(sizes)


def test_strategies_differ_where_a_hole_is():
    """Greedy leaves it while the tail lasts."""
    cases: list[tuple[Strategy, int]] = [("greedy", 192), ("tight", 0)]
    for strategy, expected in cases:
        region = Region(0, 1024, strategy=strategy)
        first, _, _ = (region.allocate(64) for _ in range(3))
        region.free(first)
        assert region.allocate(32) == expected


def test_a_hole_is_handed_out_whole_unless_the_region_splits():
    for split, expected in ((False, 256), (True, 64)):
        region = Region(0, 1024, strategy="tight", split=split)
        hole, _ = region.allocate(128), region.allocate(128)
        region.free(hole)
        assert region.allocate(10) == 0
        assert region.allocate(10) == expected


def test_regions_are_tried_in_their_order():
    memory = Memory(Region(0, 64), Region(4096, 128))
    assert [memory.allocate(64), memory.allocate(64), memory.allocate(64)] == [0, 4096, 4160]
    with pytest.raises(OutOfMemory, match=r"of 0x0 \.\.\. 0x3f has 0; .* of 0x1000"):
        memory.allocate(1)
    memory.free(4096)
    assert memory.allocate(1) == 4096
    with pytest.raises(ValueError, match="0x63 is in no region"):
        memory.free(99)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="expected a power of 2 as alignment, got 48"):
        Region(0, 64, alignment=48)
    with pytest.raises(ValueError, match="expected at least one byte, got 0"):
        Region(0, 64).allocate(0)
