"""Whether the parts of an object that work-items of a launch access are different.

If all accesses to an object that several work-items share go to parts that are different for each
work-item, no two of them race on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import numpy as np

from polycl.analysis.ocl.launch_sums import (
    COUNTERS,
    GLOBAL,
    GROUP,
    LOCAL,
    NO_IDS,
    SHARED,
    Range,
    Ranges,
    Sum,
    range_of,
)
from polycl.analysis.ocl.launch_values import LaunchNumbers

_FEW = 12
"""Guards of which two together are tried."""

_MOST_DISTANCES = 1 << 20
"""Distances between work-items and iterations that are looked at one by one."""


@dataclass(frozen=True)
class Part:
    """A part of an object that a work-item accesses."""

    place: Sum
    size: int
    ranges: Ranges
    """Of the ids that access one."""
    guards: tuple[Sum, ...]
    """Sums that are not positive for these."""
    rivals: frozenset[int]
    """The kinds of accesses that it may race with."""
    kind: int

    def may_race(self, other: Part) -> bool:
        return other.kind in self.rivals

    @property
    def range(self) -> Range:
        """The least and the largest place. Guards, times positive numbers, may be added where each
        takes an id away: the place is not less than the sum."""
        return self._range(self.place, self.guards, 2 if len(self.guards) <= _FEW else 1)

    def _range(self, place: Sum, guards: tuple[Sum, ...], most: int) -> Range:
        low, high = range_of(place, self.ranges)
        for number, guard in enumerate(guards[: len(guards) if most else 0]):
            others = (*guards[:number], *guards[number + 1 :])
            pairs = zip(place.ids, guard.ids, strict=True)
            for times in {
                own // other for own, other in pairs if own and other and own % other == 0
            }:
                moved = place + guard.times(-times)
                first, last = self._range(moved, others, most - 1)
                if times < 0:
                    low = max(low, first)
                else:
                    high = min(high, last)
        return low, high


def are_disjoint(parts: Sequence[Part], launch: LaunchNumbers) -> bool:
    """Whether no two work-items of the launch race on a byte of the parts.

    Parts that depend on the ids in the same way are compared by them, others by their ranges.
    """
    if any(_is_shared(part.place) for part in parts):
        return False
    moved = (replace(part, place=_by_global_id(part.place, launch)) for part in parts)
    different = list(dict.fromkeys(moved))
    return all(
        _are_alike_apart([a, b], launch) or (a is not b and _are_elsewhere(a, b))
        for a, b in combinations_with_replacement(different, 2)
        if a.may_race(b)
    )


def _are_elsewhere(a: Part, b: Part) -> bool:
    """Whether two parts are different ranges of the object, or of all rows of some length."""
    (low_a, high_a), (low_b, high_b) = a.range, b.range
    if high_a + a.size <= low_b or high_b + b.size <= low_a:
        return True
    for row in {abs(factor) for part in (a, b) for factor in part.place.ids if factor}:
        first, second = _in_row(a, row), _in_row(b, row)
        if first is None or second is None:
            continue
        if first[1] <= second[0] or second[1] <= first[0]:
            return True
    return False


def _in_row(part: Part, row: int) -> Range | None:
    """The first byte and the end of a part in each row of so many bytes that it is in."""
    start = _row_start(part, row)
    if start is None:
        return None
    low, high = range_of(_without_rows(part.place, row), part.ranges)
    return low - start, high + part.size - start


def _row_start(part: Part, row: int) -> int | None:
    """Where the row begins in which all of a part is; None if it is in several. Ids that move it by
    whole rows are left out."""
    low, high = range_of(_without_rows(part.place, row), part.ranges)
    start = low // row * row
    return start if high + part.size - start <= row else None


def _without_rows(place: Sum, row: int) -> Sum:
    ids = tuple(0 if factor % row == 0 else factor for factor in place.ids)
    return Sum(place.low, place.high, ids)


def _are_alike_apart(parts: Sequence[Part], launch: LaunchNumbers) -> bool:
    """Whether different ids lead to different bytes of parts that they move alike; iterations may
    move them by whole rows."""
    ids = [part.place.ids[: COUNTERS[0]] for part in parts]
    if ids[0] != ids[-1]:
        return False
    factors = {abs(part.place.ids[place]) for part in parts for place in COUNTERS}
    return any(_are_apart_in_rows(parts, row, launch) for row in (0, *sorted(factors - {0})))


def _are_apart_in_rows(parts: Sequence[Part], row: int, launch: LaunchNumbers) -> bool:
    """Whether different work-items access different bytes of rows of so many bytes; 0: of a single
    one."""
    ids = parts[0].place.ids
    extents = _extents(parts)
    digits: list[tuple[int, int]] = []
    for d in range(3):
        by_group = ids[LOCAL[d]] or ids[GROUP[d]]
        if ids[GLOBAL[d]] and by_group:
            return False
        if ids[GLOBAL[d]]:
            digits.append((abs(ids[GLOBAL[d]]), extents[GLOBAL[d]]))
        else:
            # The global ids tell how many groups there can be, and in a single one how many local
            # ids; those of two groups may be far from each other.
            local, groups = extents[LOCAL[d]], _groups_of(parts, d, launch)
            digits += [
                (abs(ids[LOCAL[d]]), min(local, extents[GLOBAL[d]]) if groups == 1 else local),
                (abs(ids[GROUP[d]]), min(extents[GROUP[d]], groups)),
            ]
    digits += [digit for digit in _counter_digits(parts) if not row or digit[0] % row]
    starts = [part.place.low for part in parts]
    if row:
        if any(factor % row == 0 and extent > 1 for factor, extent in digits):
            return False
        for number, part in enumerate(parts):
            start = _row_start(part, row)
            if start is None:
                return False
            starts[number] -= start
    rests = [part.place.high - part.place.low + part.size for part in parts]
    span = max(map(sum, zip(starts, rests, strict=True))) - min(starts)
    # Different ids lead to different bytes: each moves the parts by more than all before it.
    for factor, extent in sorted(digits):
        if extent <= 1:
            continue
        if factor < span:
            return False
        span += factor * (extent - 1)
    return True


def _groups_of(parts: Sequence[Part], d: int, launch: LaunchNumbers) -> int:
    """How many groups have the global ids of the parts in a dimension."""
    ranges = [part.ranges[GLOBAL[d]] for part in parts]
    first, last = min(low for low, _ in ranges), max(high for _, high in ranges)
    size, offset = launch.local_size[d], launch.global_offset[d]
    return (last - offset) // size - (first - offset) // size + 1


def _counter_digits(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """How far iterations move the parts, and how often, in any of them."""
    ends: dict[int, Range] = {}
    for part in parts:
        for place in COUNTERS:
            if factor := part.place.ids[place]:
                low, high = sorted(end if factor > 0 else -end for end in part.ranges[place])
                first, last = ends.get(abs(factor), (0, 0))
                ends[abs(factor)] = min(first, low), max(last, high)
    return [(factor, last - first + 1) for factor, (first, last) in ends.items()]


def are_disjoint_in_group(
    parts: tuple[Part, Part], launch: LaunchNumbers, *, same_iteration: bool
) -> bool:
    """Whether no two work-items of a group share a byte of two parts; `same_iteration`: what loops
    carry is the same number in both."""
    if not same_iteration and any(_is_shared(part.place) for part in parts):
        return False
    a, b = (replace(part, place=_by_local_id(part.place, launch)) for part in parts)
    if a.place.ids[: COUNTERS[0]] == b.place.ids[: COUNTERS[0]]:
        return _never_meet(a, b)
    a, b = parts
    return _is_below(a, b, launch) or _is_below(b, a, launch)


def _never_meet(a: Part, b: Part) -> bool:
    """Whether different work-items of a group access different bytes, for all distances of theirs
    and all iterations: the parts depend on local ids in the same way."""
    extents = _extents([a, b])
    moved, is_same = np.zeros(1, np.int64), np.ones(1, np.bool_)
    for place in LOCAL:
        extent = min(extents[place], extents[place - LOCAL[0]])
        distances = np.arange(1 - extent, extent)
        moved = np.add.outer(moved, a.place.ids[place] * distances).ravel()
        is_same = np.logical_and.outer(is_same, distances == 0).ravel()
    # Ids that are the same need no look at iterations.
    moved = moved[~is_same]
    low, high = a.place.low - b.place.high, a.place.high - b.place.low
    for part, sign in ((a, 1), (b, -1)):
        for place in COUNTERS:
            factor = sign * part.place.ids[place]
            first, last = part.ranges[place]
            if not factor or moved.size * (last - first + 1) > _MOST_DISTANCES:
                ends = sorted((factor * first, factor * last))
                low, high = low + ends[0], high + ends[1]
            else:
                moved = np.add.outer(moved, factor * np.arange(first, last + 1)).ravel()
    return not bool(np.any((moved + high > -a.size) & (moved + low < b.size)))


def covered_range(place: Sum, size: int, ranges: Ranges) -> Range | None:
    """The first byte and the end of what the work-items of a group access together, if there are no
    gaps: each id moves the part by no more than all before it together."""
    others = (*GLOBAL, *GROUP, *SHARED, *COUNTERS)
    if place.low != place.high or any(place.ids[i] for i in others):
        return None
    span = size
    for i in sorted(LOCAL, key=lambda i: abs(place.ids[i])):
        if not place.ids[i]:
            continue
        if abs(place.ids[i]) > span:
            return None
        span += abs(place.ids[i]) * (ranges[i][1] - ranges[i][0])
    first = range_of(place, ranges)[0]
    return first, first + span


def _is_shared(sum: Sum) -> bool:
    return any(sum.ids[place] for place in SHARED)


def _by_local_id(sum: Sum, launch: LaunchNumbers) -> Sum:
    """Within a group, global ids differ as local ids do."""
    ids = list(sum.ids)
    for d in range(3):
        ids[LOCAL[d]] += ids[GLOBAL[d]]
        ids[GROUP[d]] += ids[GLOBAL[d]] * launch.local_size[d]
        ids[GLOBAL[d]] = 0
    return Sum(sum.low, sum.high, tuple(ids))


def _is_below(a: Part, b: Part, launch: LaunchNumbers) -> bool:
    """Whether a part of any work-item ends before that of another one begins."""
    own, other = _by_local_id(a.place, launch), _by_local_id(b.place, launch)
    if any(own.ids[place] != other.ids[place] for place in GROUP):
        return False
    for guard, of_own in [
        (Sum(0, 0), True),
        *((guard, True) for guard in a.guards),
        *((guard, False) for guard in b.guards),
    ]:
        guard = _by_local_id(guard, launch)
        factor = 0
        for place in SHARED:
            more = own.ids[place] - other.ids[place]
            if more and guard.ids[place] and more % guard.ids[place] == 0:
                factor = more // guard.ids[place]
        if factor < 0 or (guard.ids != NO_IDS and not factor):
            continue
        # A positive multiple of what is not positive may be taken away from each side.
        left, right = own + Sum(a.size, a.size), other
        if of_own:
            left = left + guard.times(-factor)
        else:
            right = right + guard.times(factor)
        shared = [left.ids[place] - right.ids[place] for place in (*SHARED, *GROUP)]
        if any(shared):
            continue
        highest = range_of(_without_shared(left), a.ranges)[1]
        lowest = range_of(_without_shared(right), b.ranges)[0]
        if highest <= lowest:
            return True
    return False


def _without_shared(sum: Sum) -> Sum:
    gone = (*GROUP, *SHARED)
    ids = tuple(0 if place in gone else factor for place, factor in enumerate(sum.ids))
    return Sum(sum.low, sum.high, ids)


def _extents(parts: Sequence[Part]) -> list[int]:
    """How many values each id may have in the parts."""
    return [
        max(part.ranges[place][1] for part in parts)
        - min(part.ranges[place][0] for part in parts)
        + 1
        for place in range(len(NO_IDS))
    ]


def _by_global_id(sum: Sum, launch: LaunchNumbers) -> Sum:
    """Local and group ids that make up global ids, as these."""
    ids = list(sum.ids)
    low, high = sum.low, sum.high
    for d in range(3):
        factor = ids[LOCAL[d]]
        size = launch.local_size[d]
        if ids[GROUP[d]] == factor * size or (size == 1 and not factor):
            factor = ids[GROUP[d]] // size
            ids[GLOBAL[d]] += factor
            ids[LOCAL[d]] = ids[GROUP[d]] = 0
            low -= factor * launch.global_offset[d]
            high -= factor * launch.global_offset[d]
        elif launch.num_groups[d] == 1 and not ids[GROUP[d]]:
            ids[GLOBAL[d]] += factor
            ids[LOCAL[d]] = 0
            low -= factor * launch.global_offset[d]
            high -= factor * launch.global_offset[d]
    return Sum(low, high, tuple(ids))
