"""Numbers of a recorded program that change from iteration to iteration of the loops around them.

A loop is named by its distance: 0 is the innermost one around the command.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute


@dataclass(frozen=True)
class Linear:
    """`start + step * iteration`."""

    distance: int
    start: Value
    step: Value


@dataclass(frozen=True)
class Table:
    """Any numbers: those of all iterations, in row-major order over the loops.

    `values` are the bits of numbers of the type, as unsigned or signed integers.
    """

    distances: tuple[int, ...]
    shape: tuple[int, ...]
    values: tuple[int, ...]
    type: Attribute = IndexType()


Value = int | Linear | Table


@dataclass(frozen=True)
class Blocks:
    """The data of a transfer: files of `nbytes` bytes, in row-major order over the loops."""

    nbytes: int
    files: tuple[str, ...]
    distances: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()

    @property
    def offset(self) -> Value:
        """The first byte of an iteration's data, in all of them one after the other."""
        return position(self.distances, self.shape, self.nbytes)


def position(distances: Sequence[int], shape: Sequence[int], stride: int = 1) -> Value:
    """The place of an iteration in a table in row-major order."""
    found: Value = 0
    for distance, size in reversed(list(zip(distances, shape, strict=True))):
        found = Linear(distance, found, stride)
        stride *= size
    return found


def merged(values: Sequence[Value], distance: int, type: Attribute | None = None) -> Value | None:
    """The numbers of the iterations of a new loop as one; None where they have no common form.

    Numbers of `type` other than integers have no steps: they are equal, or a table.
    """
    first = values[0]
    if all(value == first for value in values):
        return first
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) == len(values):
        step = numbers[1] - numbers[0]
        if type is None and all(value == numbers[0] + step * i for i, value in enumerate(numbers)):
            return Linear(distance, numbers[0], step)
        return Table((distance,), (len(numbers),), tuple(numbers), type or IndexType())
    if isinstance(first, Linear):
        lines = [v for v in values if isinstance(v, Linear) and v.distance == first.distance]
        if len(lines) < len(values):
            return None
        start = merged([line.start for line in lines], distance)
        step = merged([line.step for line in lines], distance)
        return None if start is None or step is None else Linear(first.distance, start, step)
    tables = [
        value
        for value in values
        if isinstance(value, Table)
        and isinstance(first, Table)
        and (value.distances, value.shape) == (first.distances, first.shape)
    ]
    if len(tables) < len(values):
        return None
    return Table(
        (distance, *tables[0].distances),
        (len(tables), *tables[0].shape),
        tuple(number for table in tables for number in table.values),
        tables[0].type,
    )


def merged_blocks(blocks: Sequence[Blocks], distance: int, each: bool) -> Blocks | None:
    """The data of all iterations; None where their sizes differ. Equal data are one, unless each
    iteration needs its own."""
    first = blocks[0]
    if any((b.nbytes, b.distances, b.shape) != (first.nbytes, first.distances, first.shape)
           for b in blocks):  # fmt: skip
        return None
    if not each and all(block == first for block in blocks):
        return first
    files = tuple(file for block in blocks for file in block.files)
    return Blocks(first.nbytes, files, (distance, *first.distances), (len(blocks), *first.shape))


def divided(value: Value, by: int) -> Value | None:
    """A number of bytes as one of elements; None where it is no whole number."""
    match value:
        case int():
            return value // by if value % by == 0 else None
        case Linear(distance, start, step):
            a, b = divided(start, by), divided(step, by)
            return None if a is None or b is None else Linear(distance, a, b)
        case Table(distances, shape, values, type):
            if any(number % by for number in values):
                return None
            return Table(distances, shape, tuple(number // by for number in values), type)


def numbers_of(value: Value) -> list[int]:
    """Numbers whose common divisors divide all that a value can be."""
    match value:
        case int():
            return [value]
        case Linear(_, start, step):
            return [*numbers_of(start), *numbers_of(step)]
        case Table():
            return list(value.values)
