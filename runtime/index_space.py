"""Global size, local size and offset of a launch: checked, and chosen where left out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from polycl.backends.device import MAX_GROUP, WIDE_IDS, NDRange, Size3
from polycl.errors import ArgumentError

MAX_ID = 1 << 62
"""Global ids stay below this, so that sums of ids do not wrap."""

CHOSEN_ROW = 64
CHOSEN_GROUP = 256
"""Limits for a chosen local size: work-items in dimension 0, and in the whole group."""


def make_ndrange(
    kernel: str,
    global_size: Any,
    local_size: Any = None,
    global_offset: Any = None,
    *,
    required: Size3 | None = None,
    hint: Size3 | None = None,
    needs_local_size: str = "",
    uniform: bool = True,
) -> NDRange:
    """The index space of a launch of `kernel`.

    Sizes are an integer or 1 to 3 integers. Without `local_size` the kernel's `required` size
    (reqd_work_group_size) is taken, its `hint` where that divides the global size, or else a
    size is chosen. `needs_local_size` is the reason why none may be chosen. Without `uniform` the
    local size need not divide the global size: the last groups are smaller then.

    Raises:
        ArgumentError: a size is malformed or does not fit another; names the dimension.
    """
    where = f"kernel '{kernel}': "
    sizes = _sizes(where + "global_size", global_size, least=1)
    offset = (0,) * len(sizes)
    if global_offset is not None:
        offset = _sizes(where + "global_offset", global_offset, least=0, like=sizes)
    for dim, (size, start) in enumerate(zip(sizes, offset, strict=True)):
        if size + start > MAX_ID:
            raise ArgumentError(
                f"{where}global ids of dimension {dim} would reach {size + start - 1}; they must "
                "stay below 2^62"
            )
    if math.prod(sizes) >= 1 << 62:
        raise ArgumentError(f"{where}global_size {_text(sizes)} has too many work-items")

    local = _local_size(where, sizes, local_size, required, hint, needs_local_size)
    for dim, (size, part) in enumerate(zip(sizes, local, strict=True)):
        if uniform and size % part:
            raise ArgumentError(
                f"{where}the local size {_text(local)} does not divide the global size "
                f"{_text(sizes)} in dimension {dim}: {size} is not a multiple of {part}; smaller "
                "last groups need a program built with -cl-std=CL2.0 or higher, and without "
                "-cl-uniform-work-group-size"
            )
    if math.prod(local) > MAX_GROUP:
        raise ArgumentError(
            f"{where}local size {_text(local)} has {math.prod(local)} work-items; "
            f"a work-group has at most {MAX_GROUP}"
        )
    return NDRange(_three(sizes, 1), _three(local, 1), _three(offset, 0), len(sizes))


def choose_local_size(global_size: Sequence[int]) -> tuple[int, ...]:
    """A local size that divides `global_size`: long rows, at most `CHOSEN_GROUP` work-items."""
    local = [_largest_divisor(global_size[0], CHOSEN_ROW)]
    for size in global_size[1:]:
        local.append(_largest_divisor(size, CHOSEN_GROUP // math.prod(local)))
    return tuple(local)


def _largest_divisor(number: int, limit: int) -> int:
    return next(d for d in range(min(number, limit), 0, -1) if number % d == 0)


def _local_size(
    where: str,
    sizes: tuple[int, ...],
    local_size: Any,
    required: Size3 | None,
    hint: Size3 | None,
    needs_local_size: str,
) -> tuple[int, ...]:
    rank = len(sizes)
    if required is not None:
        if any(n != 1 for n in required[rank:]):
            raise ArgumentError(
                f"{where}the required local size is {_text(required)}, "
                f"but global_size has {_dimensions(rank)}"
            )
        if local_size is None:
            return required[:rank]
    if local_size is None:
        if needs_local_size:
            raise ArgumentError(f"{where}local_size is missing: {needs_local_size}")
        if hint is not None and all(
            n % h == 0 for n, h in zip(_three(sizes, 1), hint, strict=True)
        ):
            return hint[:rank]
        return choose_local_size(sizes)
    local = _sizes(where + "local_size", local_size, least=1, like=sizes)
    if required is not None and _three(local, 1) != required:
        raise ArgumentError(
            f"{where}local size {_text(local)} differs from the kernel's "
            f"required local size {_text(required)}"
        )
    return local


def _sizes(
    what: str, value: Any, *, least: int, like: tuple[int, ...] | None = None
) -> tuple[int, ...]:
    values = value if isinstance(value, Sequence | np.ndarray) else (value,)
    if isinstance(value, str | bytes) or not all(_is_integer(v) for v in values):
        raise ArgumentError(f"{what} must be an integer or 1 to 3 integers, got {value!r}")
    sizes = tuple(int(v) for v in values)
    if not 1 <= len(sizes) <= 3:
        raise ArgumentError(f"{what} must have 1 to 3 dimensions, got {len(sizes)}")
    if like is not None and len(sizes) != len(like):
        raise ArgumentError(
            f"{what} {_text(sizes)} has {_dimensions(len(sizes))}, "
            f"but global_size {_text(like)} has {len(like)}"
        )
    for dim, size in enumerate(sizes):
        if size < least:
            raise ArgumentError(
                f"{what} must be at least {least} in dimension {dim}, got {_text(sizes)}"
            )
    return sizes


def _is_integer(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _three(sizes: Sequence[int], fill: int) -> Size3:
    x, y, z = (*sizes, fill, fill)[:3]
    return x, y, z


def _dimensions(count: int) -> str:
    return f"{count} dimension{'s' * (count != 1)}"


def _text(sizes: Sequence[int]) -> str:
    return "x".join(map(str, sizes))


_SHORT_ROW = 16
"""Work-items that fill a vector register."""
_LONG_ROW = 64
"""Work-items that take longer than what is done once for a group."""
_MOST_WHOLE = 2 * _LONG_ROW
"""Work-items of a row of the launch that is one group."""
_MOST_OUTSIDE = 1 / 8
"""The share of work-items outside of the global size that long rows may cause."""
_GROUPS_OF_THREAD = 4
"""Groups that a thread should have, so that all threads end at about the same time."""


def in_best_groups(ndrange: NDRange, best: Size3 | None, threads: int) -> NDRange:
    """A launch in groups that suit a kernel, instead of those that were given.

    `best` is the local size that suits it if the launch is large; None if it sees in which groups
    it runs. The groups of the launch stay if they are about as good, if ids or the global size are
    too large or too small for others, if there would not be a group for each of the `threads`, or
    if work-items differ in ids that the kernel does not read.
    """
    if best is None or ndrange.wide_ids:
        return ndrange
    given, whole = ndrange.local_size, ndrange.global_size
    if any(n > 1 and b == 0 for n, b in zip(whole, best, strict=True)):
        return ndrange
    longest = max(best)
    long = best.index(longest)
    if whole[long] < min(longest, _SHORT_ROW):
        return ndrange
    size = [b if d == long else max(1, min(b, whole[d])) for d, b in enumerate(best)]
    one_row, given_row = math.prod(size) == longest, math.prod(given) == given[long]
    vector = min(longest, _SHORT_ROW)
    if one_row:
        enough = given[long] >= longest // 2 and (given_row or longest <= _SHORT_ROW)
    else:
        enough = all(n >= min(s, vector) for n, s in zip(given, size, strict=True))
        enough = enough and given[long] % vector == 0
    if enough:
        return ndrange
    for d in range(3):
        if size[d] < longest:
            # Few rows are not worth a guard.
            size[d] = math.gcd(size[d], whole[d])

    def groups() -> int:
        return math.prod(-(-n // s) for n, s in zip(whole, size, strict=True))

    few = _GROUPS_OF_THREAD * threads
    size[long] = whole[long]
    if longest < _LONG_ROW or not _is_odd_row(whole[long]) or groups() < few:
        size[long] = _row(whole[long], longest)
    for d in sorted(range(3), key=lambda d: d == long):
        least = _SHORT_ROW if d == long else 1
        while groups() < few and size[d] >= 2 * least:
            size[d] //= 2
    # With fewer rows, what is done once for a group counts.
    most = given[long] if given_row else min(given[long], _LONG_ROW - 1)
    if one_row and size[long] <= most:
        return ndrange
    local = _three(size, 1)
    outside = tuple(d for d in range(3) if whole[d] % local[d])
    sums = zip(whole, local, ndrange.global_offset, strict=True)
    reached = max(map(sum, sums))
    if local == given or groups() < threads or reached > WIDE_IDS:
        return ndrange
    return replace(ndrange, local_size=local, given_size=given, guarded=outside)


def _is_odd_row(whole: int) -> bool:
    """Whether a row of the launch is to be one group: of its vectors only the last one is under a
    mask, where all of a group would be that is partly outside. (Programs round up to multiples of a
    vector, with a guard of their own, which stops some of such a row.)"""
    return _SHORT_ROW < whole <= _MOST_WHOLE and whole % _SHORT_ROW != 0


def _row(whole: int, longest: int) -> int:
    """The length of rows that divide `whole`, or else leave few work-items outside."""
    lengths = [longest]
    while lengths[-1] > _SHORT_ROW:
        lengths.append(lengths[-1] // 2)
    for length in lengths:
        if length >= min(longest, _LONG_ROW) and whole % length == 0:
            return length
    return next((n for n in lengths if -whole % n <= _MOST_OUTSIDE * whole), lengths[-1])
