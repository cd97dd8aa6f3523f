"""Random values of parameters in a set: small values, and values at its borders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import islpy as isl

_PARAMETER, _DIMENSION = isl.dim_type.param, isl.dim_type.set

_TRIES = 4
"""The number of random values that are tried: some may be excluded, such as odd numbers."""


def sample(
    known: isl.Set,
    names: Sequence[str],
    fixed: Mapping[str, int],
    scales: Sequence[int],
    random: Random,
) -> dict[str, int] | None:
    """A value for each name, such that they are in the set of parameters; None if it is empty.

    A value exceeds the least possible one by at most one of `scales`. Values are chosen one by one
    in random order. A parameter without a lower bound begins at -2.
    """
    for name, value in fixed.items():
        known = _with_value(known, name, value)
    if known.is_empty():
        return None
    found = dict(fixed)
    for name in random.sample(names, len(names)):
        if name in found:
            continue
        first, last = _range_of(known, name, random.choice(scales))
        tries = [random.randint(first, last) for _ in range(_TRIES)]
        for value in [*tries, first, last]:
            rest = _with_value(known, name, value)
            if not rest.is_empty():
                break
        else:
            value = _any_value(known, name)
            rest = _with_value(known, name, value)
        found[name], known = value, rest
    return {name: found[name] for name in names}


def _with_value(known: isl.Set, name: str, value: int) -> isl.Set:
    place = known.find_dim_by_name(_PARAMETER, name)
    if place < 0:
        return known
    return known.fix_val(_PARAMETER, place, isl.Val.int_from_si(known.get_ctx(), value))


def _only(known: isl.Set, name: str) -> isl.Set | None:
    """The values of one parameter, as a set with one dimension; None if all are allowed."""
    place = known.find_dim_by_name(_PARAMETER, name)
    if place < 0:
        return None
    return isl.Set.from_params(known).move_dims(_DIMENSION, 0, _PARAMETER, place, 1)


def _range_of(known: isl.Set, name: str, scale: int) -> tuple[int, int]:
    values = _only(known, name)
    if values is None:
        return -2, scale
    values = values.project_out(_PARAMETER, 0, values.dim(_PARAMETER))
    lowest, highest = values.dim_min_val(0), values.dim_max_val(0)
    if lowest.is_int():
        first = lowest.to_python()
    else:
        first = min(-2, highest.to_python() - scale) if highest.is_int() else -2
    last = first + scale
    return first, min(last, highest.to_python()) if highest.is_int() else last


def _any_value(known: isl.Set, name: str) -> int:
    values = _only(known, name)
    assert values is not None, "all values were excluded, but the set does not have the parameter"
    values = values.project_out(_PARAMETER, 0, values.dim(_PARAMETER))
    return values.sample_point().get_coordinate_val(_DIMENSION, 0).to_python()
