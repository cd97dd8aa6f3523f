"""Numbers of one launch as sums: each id of a work-item times a number, and a rest in a range."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product as pairs_of
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation

from polycl.analysis.ocl.integers import bits_of
from polycl.dialects import ocl

Range: TypeAlias = tuple[int, int]
"""The least and the largest number."""

GLOBAL, LOCAL, GROUP = range(0, 3), range(3, 6), range(6, 9)
"""The places of the ids of three dimensions among all."""
SHARED = range(9, 13)
"""The places of a few numbers that loops carry and that are the same for all work-items of a group:
their ranges are known, and what they are compared with."""
COUNTERS = range(13, 17)
"""The places of the iterations of a few other loops, counted from 0: of each work-item its own."""
NO_IDS = (0,) * 17


@dataclass(frozen=True)
class Sum:
    """A number: each id times a factor, and a rest between `low` and `high`."""

    low: int
    high: int
    ids: tuple[int, ...] = NO_IDS
    within: Range | None = None
    """A range of the whole that is known otherwise."""

    def __add__(self, other: Sum) -> Sum:
        ids = tuple(a + b for a, b in zip(self.ids, other.ids, strict=True))
        within: Range | None = None
        for sum, number in ((self, other.number), (other, self.number)):
            if sum.within is not None and number is not None:
                within = sum.within[0] + number, sum.within[1] + number
        return Sum(self.low + other.low, self.high + other.high, ids, within)

    def times(self, number: int) -> Sum:
        low, high = sorted((self.low * number, self.high * number))
        within: Range | None = None
        if self.within is not None:
            first, last = sorted(number * end for end in self.within)
            within = first, last
        return Sum(low, high, tuple(number * factor for factor in self.ids), within)

    @property
    def number(self) -> int | None:
        """Its value if it is one number."""
        return self.low if self.low == self.high and self.ids == NO_IDS else None


Ranges: TypeAlias = tuple[Range, ...]
"""Of each id."""


def range_of(sum: Sum, ranges: Ranges) -> Range:
    """The least and the largest number that a sum may be."""
    low, high = sum.low, sum.high
    for factor, (first, last) in zip(sum.ids, ranges, strict=True):
        if factor:
            ends = factor * first, factor * last
            low, high = low + min(ends), high + max(ends)
    if sum.within is not None:
        first, last = max(low, sum.within[0]), min(high, sum.within[1])
        return (first, last) if first <= last else (low, high)
    return low, high


def id_sum(place: int) -> Sum:
    """The id at a place alone."""
    return Sum(0, 0, tuple(int(i == place) for i in range(len(NO_IDS))))


def number_sum(number: int) -> Sum:
    return Sum(number, number)


def fitting(sum: Sum, type: Attribute, ranges: Ranges) -> Sum | None:
    """None where the type cannot hold the number."""
    if isinstance(type, ocl.PtrType):
        return sum
    low, high = range_of(sum, ranges)
    half = 1 << (bits_of(type) - 1)
    return sum if -half <= low and high < max(half, 2) else None


def hull(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    """What covers both."""
    if a is None or b is None:
        return None
    if a.ids == b.ids:
        return Sum(min(a.low, b.low), max(a.high, b.high), a.ids)
    ends = (*range_of(a, ranges), *range_of(b, ranges))
    return Sum(min(ends), max(ends))


Rule: TypeAlias = Callable[[Sum | None, Sum | None, Ranges], Sum | None]


def _total(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if a is None or b is None:
        return None
    (low_a, high_a), (low_b, high_b) = range_of(a, ranges), range_of(b, ranges)
    return narrower(a + b, (low_a + low_b, high_a + high_b), ranges)


def narrower(sum: Sum, known: Range, ranges: Ranges) -> Sum:
    """With a range of the whole, if it is a part of what follows from the ids."""
    low, high = range_of(sum, ranges)
    first, last = max(low, known[0]), min(high, known[1])
    return (
        replace(sum, within=(first, last)) if low < first <= last or first <= last < high else sum
    )


def _product(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if a is None or b is None:
        return None
    if b.number is not None:
        return a.times(b.number)
    if a.number is not None:
        return b.times(a.number)
    ends = [x * y for x, y in pairs_of(range_of(a, ranges), range_of(b, ranges))]
    return Sum(min(ends), max(ends))


def _remainder(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    """Signed; of numbers that are not negative the same as unsigned."""
    if b is None or b.number is None or b.number <= 0:
        return None
    by = b.number
    if a is None:
        return Sum(1 - by, by - 1)
    low, high = range_of(a, ranges)
    if low < 0:
        return Sum(1 - by, by - 1)
    return a if high < by else Sum(0, by - 1)


def _unsigned_remainder(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if b is None or b.number is None or b.number <= 0:
        return None
    if a is not None and range_of(a, ranges)[0] >= 0:
        return _remainder(a, b, ranges)
    return Sum(0, b.number - 1)


def _quotient(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if a is None or b is None or b.number is None or b.number <= 0:
        return None
    low, high = range_of(a, ranges)
    return None if low < 0 else Sum(low // b.number, high // b.number)


def _shifted_left(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if a is None or b is None or b.number is None or not 0 <= b.number < 64:
        return None
    return a.times(1 << b.number)


def _shifted_right(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    if b is None or b.number is None or not 0 <= b.number < 64:
        return None
    return _quotient(a, Sum(1 << b.number, 1 << b.number), ranges)


def _masked(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    for value, mask in ((a, b), (b, a)):
        if mask is None or mask.number is None or mask.number < 0:
            continue
        if value is not None and not mask.number & (mask.number + 1):
            low, high = range_of(value, ranges)
            if low >= 0 and high <= mask.number:
                return value
        return Sum(0, mask.number)
    return None


def _united(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
    """Of `or` and `xor`."""
    if a is None or b is None:
        return None
    (low_a, high_a), (low_b, high_b) = range_of(a, ranges), range_of(b, ranges)
    if low_a < 0 or low_b < 0:
        return None
    return Sum(0, (1 << max(high_a, high_b).bit_length()) - 1)


def _extreme(choose: Callable[..., int]) -> Rule:
    def rule(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
        if a is None or b is None:
            return None
        (low_a, high_a), (low_b, high_b) = range_of(a, ranges), range_of(b, ranges)
        return Sum(choose(low_a, low_b), choose(high_a, high_b))

    return rule


def _of_natural(rule: Rule) -> Rule:
    """The same for numbers that are read as unsigned."""

    def of_natural(a: Sum | None, b: Sum | None, ranges: Ranges) -> Sum | None:
        if any(x is None or range_of(x, ranges)[0] < 0 for x in (a, b)):
            return None
        return rule(a, b, ranges)

    return of_natural


SUM_RULES: Mapping[type[Operation], Rule] = {
    arith.AddiOp: _total,
    arith.SubiOp: lambda a, b, ranges: _total(a, None if b is None else b.times(-1), ranges),
    arith.MuliOp: _product,
    arith.RemSIOp: _remainder,
    arith.RemUIOp: _unsigned_remainder,
    arith.DivSIOp: _quotient,
    arith.FloorDivSIOp: _quotient,
    arith.DivUIOp: _quotient,
    arith.ShLIOp: _shifted_left,
    arith.ShRSIOp: _shifted_right,
    arith.ShRUIOp: _shifted_right,
    arith.AndIOp: _masked,
    arith.OrIOp: _united,
    arith.XOrIOp: _united,
    arith.MaxSIOp: _extreme(max),
    arith.MinSIOp: _extreme(min),
    arith.MaxUIOp: _of_natural(_extreme(max)),
    arith.MinUIOp: _of_natural(_extreme(min)),
}
"""What operations on two integers make of sums; None where that is not known."""
