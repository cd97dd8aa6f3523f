"""The algebra of lane strides is sound: what it claims holds for every local id."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polycl.analysis.ocl.lane_stride import (
    ALL_VARYING,
    UNIFORM,
    UNKNOWN,
    VARYING,
    Lanes,
    depends_on,
    local_id,
)

Ids = tuple[int, int, int]


@dataclass
class Sample:
    """A value as a function of the local id, and what the algebra says of it."""

    value: Callable[[Ids], int]
    lanes: Lanes


def constant(number: int) -> Sample:
    return Sample(lambda ids: number, UNIFORM)


def identity(dimension: int) -> Sample:
    return Sample(lambda ids: ids[dimension], local_id(dimension))


def add(a: Sample, b: Sample) -> Sample:
    return Sample(lambda ids: a.value(ids) + b.value(ids), a.lanes + b.lanes)


def sub(a: Sample, b: Sample) -> Sample:
    return Sample(lambda ids: a.value(ids) - b.value(ids), a.lanes - b.lanes)


def scale(a: Sample, factor: int, *, known: bool) -> Sample:
    return Sample(lambda ids: a.value(ids) * factor, a.lanes.scaled(factor if known else None))


def product(a: Sample, b: Sample) -> Sample:
    return Sample(lambda ids: a.value(ids) * b.value(ids), depends_on(a.lanes, b.lanes))


def choose(a: Sample, b: Sample, *, first: bool) -> Sample:
    return Sample(a.value if first else b.value, a.lanes.joined(b.lanes))


NUMBERS = st.integers(-9, 9)
LEAVES = NUMBERS.map(constant) | st.sampled_from(range(3)).map(identity)
SAMPLES: st.SearchStrategy[Sample] = st.recursive(
    LEAVES,
    lambda s: (
        st.builds(add, s, s)
        | st.builds(sub, s, s)
        | st.builds(scale, s, NUMBERS, known=st.booleans())
        | st.builds(product, s, s)
        | st.builds(choose, s, s, first=st.booleans())
    ),
    max_leaves=12,
)


@given(SAMPLES, st.tuples(*[st.integers(0, 5)] * 3))
def test_a_claimed_stride_is_the_difference_between_neighbours(sample: Sample, ids: Ids) -> None:
    for dimension, stride in enumerate(sample.lanes.strides):
        if stride is VARYING:
            continue
        steps = []
        for start in (ids, (0, 0, 0)):
            here = list(ids)
            here[dimension] = start[dimension]
            there = list(here)
            there[dimension] += 1
            after = there[0], there[1], there[2]
            before = here[0], here[1], here[2]
            steps.append(sample.value(after) - sample.value(before))
        if stride is UNKNOWN:
            assert steps[0] == steps[1]
        else:
            assert steps == [stride, stride]


@pytest.mark.parametrize(
    ("lanes", "text"),
    [
        (UNIFORM, "uniform"),
        (ALL_VARYING, "varying"),
        (local_id(1), "y:1"),
        (Lanes(4, 0, UNKNOWN), "x:4 z:?"),
        (Lanes(VARYING, 0, 0), "x:varying"),
    ],
)
def test_text(lanes: Lanes, text: str) -> None:
    assert str(lanes) == text


def test_zero_times_anything_affine_is_uniform() -> None:
    assert local_id(0).scaled(0) == UNIFORM
    assert Lanes(UNKNOWN, 0, 0).scaled(0) == UNIFORM
    assert ALL_VARYING.scaled(0) == ALL_VARYING


def test_a_deterministic_function_keeps_uniform_dimensions_only() -> None:
    assert depends_on(local_id(0), UNIFORM) == Lanes(VARYING, 0, 0)
    assert local_id(2).blurred() == Lanes(0, 0, VARYING)


@given(st.integers(-64, 64), st.integers(0, 40), st.integers(-1000, 1000))
def test_low_bits_that_steps_leave_alone(stride: int, mask: int, start: int) -> None:
    found = Lanes(stride, 0, UNKNOWN).masked(mask)
    assert found.z is VARYING
    assert found.y == 0
    if found.x == 0:
        assert len({(start + stride * lane) & mask for lane in range(16)}) == 1
