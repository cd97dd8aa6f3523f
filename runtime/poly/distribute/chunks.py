"""The parts of a launch: boxes of work-groups."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from polycl.backends.device import NDRange, Part, Size3


def cuts_of(groups: Size3, count: int) -> Iterator[Size3]:
    """The numbers of chunks along the dimensions whose product is `count`, or the largest possible
    product below."""
    count = min(count, math.prod(groups))
    while True:
        found = [
            (x, y, z)
            for z in _divisors(count, groups[2])
            for y in _divisors(count // z, groups[1])
            if (x := count // z // y) <= groups[0]
        ]
        if found:
            yield from found
            return
        count -= 1


def _divisors(number: int, most: int) -> list[int]:
    return [d for d in range(1, min(number, most) + 1) if number % d == 0]


def parts_of(ndrange: NDRange, cut: Size3) -> list[Part]:
    """The chunks, dimension 0 fastest; their sizes differ by one group at most."""
    sides = [
        [(i * n // c, (i + 1) * n // c) for i in range(c)]
        for n, c in zip(ndrange.num_groups, cut, strict=True)
    ]
    found: list[Part] = []
    for z, y, x in product(*reversed(sides)):
        first = x[0], y[0], z[0]
        groups = x[1] - x[0], y[1] - y[0], z[1] - z[0]
        found.append(Part(first, groups, ndrange.local_size))
    return found


def launches_of(ndrange: NDRange, part: Part) -> list[NDRange]:
    """The launches that run a part: one for each size of its groups."""
    found: list[NDRange] = []
    for whole in ndrange.parts():
        box = whole.groups
        sides = [
            (max(a, b), min(a + n, b + m))
            for a, n, b, m in zip(box.first, box.groups, part.first, part.groups, strict=True)
        ]
        if all(start < end for start, end in sides):
            (x0, x1), (y0, y1), (z0, z1) = sides
            inside = Part((x0, y0, z0), (x1 - x0, y1 - y0, z1 - z0), box.size)
            found.append(replace(ndrange, part=inside))
    return found


def part_text(part: Part) -> str:
    """The ids of a part's groups, as in messages: `work-groups (0..3, 8..15)`."""
    sides = [f"{a}..{a + n - 1}" for a, n in zip(part.first, part.groups, strict=True)]
    while len(sides) > 1 and sides[-1] == "0..0":
        sides.pop()
    return f"work-groups ({', '.join(sides)})"
