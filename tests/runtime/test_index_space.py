"""Sizes of a launch: checked, and the local size chosen where it is left out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polycl import ArgumentError
from polycl.backends.device import NDRange, Part
from polycl.runtime.index_space import CHOSEN_GROUP, CHOSEN_ROW, choose_local_size, make_ndrange

SMALLER_GROUPS = (
    "smaller last groups need a program built with -cl-std=CL2.0 or higher, and without "
    "-cl-uniform-work-group-size"
)


def test_missing_dimensions_are_one() -> None:
    assert make_ndrange("k", 64, 16) == NDRange((64, 1, 1), (16, 1, 1), (0, 0, 0), 1)
    assert make_ndrange("k", (8, 6), (4, 3), (1, 0)) == NDRange((8, 6, 1), (4, 3, 1), (1, 0, 0), 2)
    sizes = np.array([2, 4, 6])
    assert make_ndrange("k", sizes, [1, 2, 3]) == NDRange((2, 4, 6), (1, 2, 3), (0, 0, 0), 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0,), "global_size must be at least 1 in dimension 0, got 0"),
        (((4, -1),), "global_size must be at least 1 in dimension 1, got 4x-1"),
        ((1.5,), "global_size must be an integer or 1 to 3 integers, got 1.5"),
        (("64",), "global_size must be an integer or 1 to 3 integers, got '64'"),
        ((None,), "global_size must be an integer or 1 to 3 integers, got None"),
        (((),), "global_size must have 1 to 3 dimensions, got 0"),
        (((1, 2, 3, 4),), "global_size must have 1 to 3 dimensions, got 4"),
        (((8, 8), 4), "local_size 4 has 1 dimension, but global_size 8x8 has 2"),
        ((8, 0), "local_size must be at least 1 in dimension 0, got 0"),
        ((8, 4, -1), "global_offset must be at least 0 in dimension 0, got -1"),
        (
            ((8, 10), (4, 4)),
            "the local size 4x4 does not divide the global size 8x10 in dimension 1: "
            f"10 is not a multiple of 4; {SMALLER_GROUPS}",
        ),
        (
            ((128, 256), (128, 128)),
            "local size 128x128 has 16384 work-items; a work-group has at most 8192",
        ),
        (
            (2**62, 1, 1),
            f"global ids of dimension 0 would reach {2**62}; they must stay below 2^62",
        ),
        (((2**31,) * 3,), f"global_size {'x'.join(['2147483648'] * 3)} has too many work-items"),
    ],
)
def test_refused_sizes(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        make_ndrange("k", *arguments)
    assert str(error.value) == f"kernel 'k': {message}"


def test_largest_id_is_accepted() -> None:
    assert not make_ndrange("k", 2**31, 1).wide_ids
    assert make_ndrange("k", 2**31, 1, 1).wide_ids
    assert make_ndrange("k", 2**61, 1, 2**61).global_offset[0] == 2**61


def test_parts_of_a_launch() -> None:
    assert make_ndrange("k", 64, 16).parts() == (make_ndrange("k", 64, 16),)
    launch = make_ndrange("k", (37, 5, 4), (16, 5, 3), uniform=False)
    assert launch.num_groups == (3, 1, 2)
    assert [part.groups for part in launch.parts()] == [
        Part((0, 0, 0), (2, 1, 1), (16, 5, 3)),
        Part((2, 0, 0), (1, 1, 1), (5, 5, 3)),
        Part((0, 0, 1), (2, 1, 1), (16, 5, 1)),
        Part((2, 0, 1), (1, 1, 1), (5, 5, 1)),
    ]
    assert [part.parts() for part in launch.parts()] == [(part,) for part in launch.parts()]
    assert launch.size_of((2, 0, 1)) == (5, 5, 1)
    assert launch.parts((3, 1, 2)) == launch.parts()
    assert [part.groups.groups for part in launch.parts((1, 1, 1))] == [(1, 1, 1)] * 6
    large = make_ndrange("k", (20, 70), (10, 10))
    assert [part.groups for part in large.parts((9, 3, 1))] == [
        Part((0, 0, 0), (2, 3, 1), (10, 10, 1)),
        Part((0, 3, 0), (2, 3, 1), (10, 10, 1)),
        Part((0, 6, 0), (2, 1, 1), (10, 10, 1)),
    ]
    assert all(part.is_uniform_part for part in large.parts((9, 3, 1)))
    (only,) = make_ndrange("k", 10, 64, uniform=False).parts()
    assert only.groups == Part((0, 0, 0), (1, 1, 1), (10, 1, 1))


def test_required_local_size() -> None:
    assert make_ndrange("k", (16, 16), required=(8, 4, 1)).local_size == (8, 4, 1)
    assert make_ndrange("k", (16, 16), (8, 4), required=(8, 4, 1)).local_size == (8, 4, 1)
    for arguments, message in [
        (((16, 16), (4, 8)), "local size 4x8 differs from the kernel's required local size 8x4x1"),
        ((16,), "the required local size is 8x4x1, but global_size has 1 dimension"),
        (
            ((16, 6),),
            "the local size 8x4 does not divide the global size 16x6 in dimension 1: "
            f"6 is not a multiple of 4; {SMALLER_GROUPS}",
        ),
    ]:
        with pytest.raises(ArgumentError) as error:
            make_ndrange("k", *arguments, required=(8, 4, 1))
        assert str(error.value) == f"kernel 'k': {message}"


def test_hint_is_taken_where_it_divides() -> None:
    assert make_ndrange("k", 48, hint=(16, 1, 1)).local_size == (16, 1, 1)
    assert make_ndrange("k", 48, hint=(32, 1, 1)).local_size == (48, 1, 1)
    assert make_ndrange("k", 48, hint=(16, 2, 1)).local_size == (48, 1, 1)


def test_no_choice_where_local_memory_depends_on_it() -> None:
    with pytest.raises(ArgumentError, match="local_size is missing: because"):
        make_ndrange("k", 64, needs_local_size="because")
    assert make_ndrange("k", 64, 8, needs_local_size="because").local_size == (8, 1, 1)


@pytest.mark.parametrize(
    ("global_size", "local_size"),
    [
        ((1024,), (64,)),
        ((1000,), (50,)),
        ((1009,), (1,)),
        ((7,), (7,)),
        ((640, 480), (64, 4)),
        ((1, 1024), (1, 256)),
        ((16, 16, 16), (16, 16, 1)),
    ],
)
def test_chosen_local_size(global_size: tuple[int, ...], local_size: tuple[int, ...]) -> None:
    assert choose_local_size(global_size) == local_size


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=3))
def test_chosen_local_size_always_fits(global_size: list[int]) -> None:
    local_size = choose_local_size(global_size)
    assert all(n % d == 0 for n, d in zip(global_size, local_size, strict=True))
    assert local_size[0] <= CHOSEN_ROW
    assert math.prod(local_size) <= CHOSEN_GROUP
