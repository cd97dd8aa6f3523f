"""Long reductions that no derivation maps: many work-items compute what the interpreter does."""

from __future__ import annotations

from operator import add
from typing import Any

import numpy as np
import pytest

import polycl.pattern as p
from polycl.lowering.pattern.rules.derivation import Derivation
from polycl.lowering.pattern.rules.sums import SHORT
from polycl.pattern import Array, N, Value, f32, i32, map, program, reduce, where, zip
from polycl.runtime.pattern.python_program import PythonProgram


@program
def two_sums(x: Array[i32, N], y: Array[i32, N]):
    def both(a: Value, b: Value):
        return a[0] + b[0], p.max(a[1], b[1])

    return p.unzip @ reduce(both, (0, -(2**31))) @ zip(x, y)


@program
def around_the_largest(x: Array[i32, N], y: Array[i32, N]):
    """The second sum needs the first one, whose result is a result, too."""
    m = reduce(p.max, -(2**31), x)
    return m, reduce(add, 0) @ map(lambda a, b: (m[0] - a) * b) @ zip(x, y)


@program
def first_largest(x: Array[i32, N], y: Array[i32, N]):
    """A function of tuples of which only the program knows that it may be reordered."""

    def better(a: Value, b: Value):
        takes = (b[0] > a[0]) | ((b[0] == a[0]) & (b[1] < a[1]))
        return where(takes, b[0], a[0]), where(takes, b[1], a[1])

    numbered = zip(map(add) @ zip(x, y), p.generate(N, lambda i: i32(i)))
    start = (-(2**31), 2**31 - 1)
    return p.unzip @ reduce(better, start, numbered, assoc=True, comm=True, neutral=True)


@program
def in_order(x: Array[i32, N], y: Array[i32, N]):
    """Not associative: the order is that of the array."""
    return reduce(lambda a, b: 31 * a + b, 7) @ map(add) @ zip(x, y)


@program
def from_five(x: Array[i32, N], y: Array[i32, N]):
    """The initial value counts once."""
    return reduce(add, 5) @ map(add) @ zip(x, y)


SUMS = [two_sums, around_the_largest, first_largest, in_order, from_five]
SIZES = (SHORT - 1, 2 * SHORT + 77)


@pytest.mark.parametrize("sums", SUMS, ids=[each.name for each in SUMS])
def test_long_reductions(sums: PythonProgram):
    for n in SIZES:
        x, y = np.random.default_rng(n).integers(-100, 100, (2, n)).astype(np.int32)
        assert parts(sums(x, y, device="cpu")) == parts(sums(x, y)), n


def parts(result: Any) -> list[Any]:
    return [each.tolist() for each in (result if isinstance(result, tuple) else (result,))]


def test_chunks_go_to_groups_and_a_rest_to_one():
    x, y = np.random.default_rng(0).integers(-9, 9, (2, (1 << 19) + 77)).astype(np.int32)
    found, largest = two_sums(x, y, device="cpu")
    assert (found[0], largest[0]) == (x.sum(), y.max())


@pytest.mark.parametrize(
    ("sums", "parallel"), [(two_sums, True), (first_largest, True), (in_order, False)]
)
def test_who_combines_what(sums: PythonProgram, parallel: bool):
    x, y = np.ones((2, 2 * SHORT), np.int32)
    sums(x, y, device="cpu")
    (lowered,) = [v for k, v in sums._lowered.items() if k[2] == (("N", 2 * SHORT),)]
    assert ("ocl.barrier" in str(lowered.program.module)) == parallel


def test_sums_of_floats_are_as_exact_as_their_order_allows():
    @program
    def total(x: Array[f32, N]):
        return reduce(add, 0.0, x)

    x = np.random.default_rng(1).random(10007, dtype=np.float32)
    assert abs(total(x, device="cpu")[0] - x.sum(dtype=np.float64)) < 1e-5 * len(x)


def keeps(a: Value, b: Value):
    """What follows a NaN is kept."""
    return where(a[0] >= b[0], a[0], b[0]), where(a[0] >= b[0], a[1], b[1])


def takes(a: Value, b: Value):
    """A NaN is never kept; one of the conditions is negated."""
    return where(a[0] < b[0], b[0], a[0]), where(~(b[0] > a[0]), a[1], b[1])


def least(a: Value, b: Value):
    """Of equal ones that of the larger index."""
    better = (b[0] < a[0]) | ((b[0] == a[0]) & (a[1] < b[1]))
    return where(better, b[0], a[0]), where(better, b[1], a[1])


def latest(a: Value, b: Value):
    """The last of equal ones, and what follows a NaN."""
    return where(a[0] > b[0], a[0], b[0]), where(a[0] > b[0], a[1], b[1])


@pytest.mark.parametrize("better", [keeps, takes, least, latest])
def test_a_choice_by_comparison_is_what_the_loop_keeps(better: Any):
    @program
    def chosen(x: Array[f32, N]):
        return p.unzip @ reduce(better, (0.0, -7)) @ zip(x, p.generate(N, lambda i: i32(i)))

    n = SHORT + 3
    numbers = np.random.default_rng(n).integers(-5, 5, n).astype(np.float32)
    zeros = np.where(np.arange(n) % 2, np.float32(0), np.float32(-0.0))
    arrays = [numbers, zeros, *np.full((3, n), [[np.nan], [-np.inf], [np.inf]], np.float32)]
    for place in ([0], [n - 1], [5, n // 2]):
        arrays += [numbers.copy(), np.full(n, -np.inf, np.float32)]
        for each in arrays[-2:]:
            each[place] = np.nan
    for x in arrays:
        (key, place), (expected, first) = chosen(x, device="cpu"), chosen(x)
        np.testing.assert_array_equal(key, expected)
        assert (place[0], np.signbit(key[0])) == (first[0], np.signbit(expected[0]))
    assert all("ocl.barrier" in str(each.program.module) for each in chosen._lowered.values())


def smallest(a: Value, b: Value):
    """The first of equal ones; a NaN is never kept."""
    return where(b[0] < a[0], b[0], a[0]), where(b[0] < a[0], b[1], a[1])


@pytest.mark.parametrize("better", [keeps, takes, latest, smallest])
@pytest.mark.parametrize("start", [-np.inf, 1.0, np.nan])
def test_blocks_have_what_the_loop_keeps(better: Any, start: float):
    @program
    def chosen(x: Array[f32, N]):
        return p.unzip @ reduce(better, (start, -7)) @ zip(x, p.generate(N, lambda i: i32(i)))

    by_blocks = chosen.derived(Derivation.parse("x.choose-block n=4 @in"))
    rng = np.random.default_rng(3)
    for values in ([-np.inf, np.nan], [-np.inf, 0, 0, 1, np.inf], [np.nan, -0.0, 0, 1, 1, 2]):
        for n in (8, 11, 19, 24):
            x = rng.choice(values, n).astype(np.float32)
            assert repr(by_blocks(x)) == repr(chosen(x)), x
