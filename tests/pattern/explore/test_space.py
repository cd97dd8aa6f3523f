"""Parameters and which of their values go together."""

from __future__ import annotations

import random
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from polycl.runtime.pattern.explore.space import (
    AtMost,
    Divides,
    Space,
    Tunable,
    near_divisors,
    powers_of_two,
)

SPLIT = Space(
    (Tunable("n", (1, 2, 3, 4, 6)), Tunable("m", (1, 2, 3, 4, 6)), Tunable("w", (1, 4))),
    (Divides("n*m", "N"), AtMost("m*w", "8", "registers")),
    (("N", 24),),
)


def by_force(space: Space) -> list[dict[str, int]]:
    names = [tunable.name for tunable in space.tunables]
    every = (dict(zip(names, v)) for v in product(*(t.values for t in space.tunables)))
    known = dict(space.sizes)
    return [c for c in every if all(x.holds({**known, **c}) for x in space.constraints)]


def test_the_tree_holds_what_satisfies_the_constraints_and_nothing_else():
    assert list(SPLIT) == by_force(SPLIT)
    assert len(SPLIT) == 30


@given(
    values=st.lists(st.lists(st.integers(1, 12), min_size=1, max_size=4, unique=True), max_size=3),
    size=st.integers(1, 60),
    limit=st.integers(0, 40),
)
def test_any_space_is_that_found_by_force(values: list[list[int]], size: int, limit: int):
    tunables = tuple(Tunable(f"t{i}", tuple(sorted(v))) for i, v in enumerate(values))
    all_of_them = "*".join([t.name for t in tunables]) or "1"
    constraints = (Divides(all_of_them, "N"), AtMost(all_of_them, str(limit)))
    space = Space(tunables, constraints, (("N", size),))
    assert list(space) == by_force(space)
    assert all(configuration in space for configuration in space)


def test_a_space_without_parameters_has_one_configuration_or_none():
    assert list(Space(())) == [{}]
    assert list(Space((), (AtMost("2", "N"),), (("N", 1),))) == []


def test_no_configuration_is_drawn_twice_and_the_seed_decides():
    drawn = SPLIT.sample(30, random.Random("a"))
    assert sorted(drawn, key=str) == sorted(SPLIT, key=str)
    assert drawn == SPLIT.sample(30, random.Random("a"))
    assert len(SPLIT.sample(1000, random.Random("a"))) == 30
    assert drawn != SPLIT.sample(30, random.Random("b"))


def test_neighbours_are_one_step_away_or_trade_one_parameter_for_another():
    assert SPLIT.neighbours({"n": 2, "m": 4, "w": 1}) == [
        {"n": 3, "m": 4, "w": 1},
        {"n": 1, "m": 4, "w": 1},
        {"n": 2, "m": 6, "w": 1},
        {"n": 2, "m": 3, "w": 1},
        {"n": 1, "m": 6, "w": 1},
    ]


def test_what_has_no_value_of_the_list_is_not_in_the_space():
    assert {"n": 5, "m": 1, "w": 1} not in SPLIT
    assert {"n": 1, "m": 1} not in SPLIT


def test_chunks_have_sizes_that_divide():
    values = powers_of_two(2, 1024)
    assert near_divisors(values, 1024) == values
    assert near_divisors(values, 1000) == (2, 4, 8, 20, 40, 50, 125, 250, 500, 1000)
    assert near_divisors(values, 10007) == ()


def test_powers_of_two():
    assert powers_of_two(1, 8) == (1, 2, 4, 8)
    assert powers_of_two(3, 9) == (4, 8)
    assert powers_of_two(9, 8) == ()


def test_the_nearest_configuration_is_legal():
    tunables = (Tunable("n", (2, 4, 8, 16)), Tunable("m", (1, 2, 4)))
    space = Space(tunables, (Divides("n*m", "N"),), (("N", 8),))
    assert space.nearest({"n": 0, "m": 2}) == {"n": 2, "m": 4}
    assert space.nearest({"n": 3, "m": 2}) == {"n": 8, "m": 1}
    assert space.nearest({"n": 1, "m": 2}) == {"n": 4, "m": 2}
