"""The bytes that an access touches: the image of a set of numbers under an affine address.

isl projects the set onto one coordinate for each distinct factor of the address. A coordinate box
is then a number of rows at equal distances, and neighbouring rows are one range. So no point is
enumerated, and the result is exact, or says that it is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import islpy as isl
import numpy as np

from polycl.analysis.poly.byte_ranges import NONE, ByteRanges

_SET, _IN, _DIV = isl.dim_type.set, isl.dim_type.in_, isl.dim_type.div

MOST_ROWS = 1 << 20
"""Of more rows the gaps are taken in."""
MOST_CUTS = 512
"""The number of parts into which a set that is no box is cut along one coordinate."""

Rows = tuple[ByteRanges, bool]
"""Bytes, and whether they are exact."""


def image_of(domain: isl.Set, address: isl.PwAff, size: int) -> Rows | None:
    """The bytes of `size` bytes at each `address` in `domain`, a set without parameters.

    None if they have no bounds.
    """
    found: list[ByteRanges] = []
    exact = True
    for where, aff in address.get_pieces():
        for part in domain.intersect(where).coalesce().get_basic_sets():
            rows = _image(isl.Set.from_basic_set(part), aff, size)
            if rows is None:
                return None
            found.append(rows[0])
            exact = exact and rows[1]
    return ByteRanges.union(found), exact


def _image(part: isl.Set, aff: isl.Aff, size: int) -> Rows | None:
    if part.is_empty():
        return NONE, True
    if not aff.get_denominator_val().is_one():
        return _hull(part, aff, size)
    factors: dict[int, isl.Aff] = {}
    for term, factor in _terms(aff):
        term = term if factor > 0 else term.neg()
        before = factors.get(abs(factor))
        factors[abs(factor)] = term if before is None else before.add(term)
    base = aff.get_constant_val().to_python()
    if not factors:
        return ByteRanges.one(base, base + size), True
    order = sorted(factors, reverse=True)
    image = part.apply(_map([factors[factor] for factor in order], part))
    return _rows(image.coalesce(), order, base, size)


def _terms(aff: isl.Aff) -> list[tuple[isl.Aff, int]]:
    """The terms of an address with their factors. `x` beside `floor(x / m)` is written as
    `m * floor(x / m) + x mod m`, the group and the local id, which are independent."""
    local = aff.get_domain_local_space()
    domain = isl.LocalSpace.from_space(aff.get_domain_space())
    dims = {
        k: aff.get_coefficient_val(_IN, k).to_python()
        for k in range(local.dim(_SET))
        if not aff.get_coefficient_val(_IN, k).is_zero()
    }
    terms: list[tuple[isl.Aff, int]] = []
    for k in range(local.dim(_DIV)):
        factor = aff.get_coefficient_val(_DIV, k).to_python()
        if not factor:
            continue
        inner = aff.get_div(k)
        floor = inner.floor()
        used = [d for d in range(local.dim(_SET)) if inner.involves_dims(_IN, d, 1)]
        by = inner.get_denominator_val()
        if len(used) == 1 and used[0] in dims and _is_part(inner, used[0]):
            # inner = (x + c) / m
            whole = inner.scale_val(by)
            times = dims.pop(used[0])
            rest = whole.sub(floor.scale_val(by))
            constant = whole.get_constant_val().neg()
            terms.append((rest.add_constant_val(constant), times))
            factor += times * by.to_python()
        if factor:
            terms.append((floor, factor))
    terms.extend((isl.Aff.var_on_domain(domain, _SET, k), factor) for k, factor in dims.items())
    return terms


def _is_part(inner: isl.Aff, place: int) -> bool:
    return inner.get_coefficient_val(_IN, place).mul(inner.get_denominator_val()).is_one()


def _map(terms: Sequence[isl.Aff], part: isl.Set) -> isl.Map:
    """The map from points to the values of terms."""
    found: isl.Map | None = None
    for term in terms:
        column = isl.Map.from_pw_aff(isl.PwAff.from_aff(term))
        found = column if found is None else found.flat_range_product(column)
    assert found is not None
    return found.intersect_domain(part)


def _hull(part: isl.Set, aff: isl.Aff, size: int) -> Rows | None:
    low, high = part.min_val(aff), part.max_val(aff)
    if not low.is_rat() or not high.is_rat():
        return None
    return ByteRanges.one(math.floor(low.to_python()), math.ceil(high.to_python()) + size), False


def _rows(image: isl.Set, factors: Sequence[int], base: int, size: int) -> Rows | None:
    """The bytes of a set of coordinates, each with its factor, the largest first."""
    found: list[ByteRanges] = []
    exact = True
    for part in image.get_basic_sets():
        rows = _part_rows(isl.Set.from_basic_set(part), factors, base, size)
        if rows is None:
            return None
        found.append(rows[0])
        exact = exact and rows[1]
    return ByteRanges.union(found), exact


def _part_rows(
    part: isl.Set, factors: Sequence[int], base: int, size: int, cuts: int = MOST_CUTS
) -> Rows | None:
    sides: list[tuple[int, int, int]] = []
    box = isl.Set.universe(part.get_space())
    for place in range(part.dim(_SET)):
        low, high = _end(part, place, least=True), _end(part, place, least=False)
        if low is None or high is None:
            return None
        if low > high:
            return NONE, True
        step = _step(part, place)
        side = _side(part, place, low, high, step)
        if step > 1 and not part.is_subset(side):
            # Where the steps begin depends on other coordinates, as in `(x - y) mod 3 = 0`.
            step = 1
            side = _side(part, place, low, high, step)
        sides.append((low, high, step))
        box = box.intersect(side)
    if box.is_subset(part):
        return _box_rows(sides, factors, base, size)
    # The first coordinate with several values has the largest factor: rows of it do not overlap.
    place = next(k for k, (low, high, _) in enumerate(sides) if low < high)
    low, high, _ = sides[place]
    wide = max(1, -(-(high - low + 1) // cuts))
    found: list[ByteRanges] = []
    exact = True
    for start in range(low, high + 1, wide):
        cut = part.intersect(_side(part, place, start, min(high, start + wide - 1), 1))
        if cut.is_empty():
            continue
        # Each further coordinate gets fewer parts, so that their number stays bounded.
        rows = (
            _part_rows(cut, factors, base, size, max(1, cuts // 8))
            if wide == 1
            else _box_of(cut, factors, base, size)
        )
        if rows is None:
            return None
        found.append(rows[0])
        exact = exact and rows[1] and wide == 1
    return ByteRanges.union(found), exact


def _box_of(part: isl.Set, factors: Sequence[int], base: int, size: int) -> Rows | None:
    sides: list[tuple[int, int, int]] = []
    for place in range(part.dim(_SET)):
        low, high = _end(part, place, least=True), _end(part, place, least=False)
        if low is None or high is None:
            return None
        sides.append((low, high, 1))
    return _box_rows(sides, factors, base, size)


def _end(part: isl.Set, place: int, *, least: bool) -> int | None:
    value = part.dim_min_val(place) if least else part.dim_max_val(place)
    return value.to_python() if value.is_int() else None


def _step(part: isl.Set, place: int) -> int:
    return part.get_stride(place).to_python()


def _side(part: isl.Set, place: int, low: int, high: int, step: int) -> isl.Set:
    """The points whose coordinate is `low`, `low + step` and so on up to `high`."""
    names = [f"i{k}" for k in range(part.dim(_SET))]
    stride = f" and ({names[place]} - {low}) mod {step} = 0" if step > 1 else ""
    text = f"{{ [{', '.join(names)}] : {low} <= {names[place]} <= {high}{stride} }}"
    return isl.Set.read_from_str(part.get_ctx(), text)


def _box_rows(
    sides: Sequence[tuple[int, int, int]], factors: Sequence[int], base: int, size: int
) -> Rows:
    """The bytes of a box: rows at the larger distances, merged along the smaller ones."""
    start, length = base, size
    distances: list[tuple[int, int]] = []
    for (low, high, step), factor in zip(sides, factors, strict=True):
        start += low * factor
        if high > low:
            distances.append((factor * step, (high - low) // step + 1))
    exact = True
    rows: list[tuple[int, int]] = []
    for distance, count in sorted(distances):
        if not rows and distance <= length:
            length += distance * (count - 1)
        else:
            rows.append((distance, count))
    while math.prod(count for _, count in rows) > MOST_ROWS:
        distance, count = rows.pop(0)
        length += distance * (count - 1)
        exact = False
    starts = np.array([start], np.int64)
    for distance, count in reversed(rows):
        starts = np.add.outer(starts, distance * np.arange(count, dtype=np.int64)).reshape(-1)
    return ByteRanges.of(starts, starts + length), exact
