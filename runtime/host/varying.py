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


@dataclass(frozen=True)
class NewLoop:
    """A loop that is made around commands."""

    distance: int
    """From the command whose numbers are merged."""

    tables: bool
    """Whether numbers may be tables, or only lines."""

    @property
    def outside(self) -> NewLoop:
        """The same loop, for commands in a loop of its body."""
        return NewLoop(self.distance + 1, self.tables)


def merged(values: Sequence[Value], loop: NewLoop, type: Attribute | None = None) -> Value | None:
    """The numbers of the iterations of a new loop as one; None where they have no common form.

    Numbers of `type` other than integers are on no line: they are equal, or a table.
    """
    first = values[0]
    if all(value == first for value in values):
        return first
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) == len(values):
        return _merged_numbers(numbers, loop, type)
    if isinstance(first, Linear):
        lines = [v for v in values if isinstance(v, Linear) and v.distance == first.distance]
        if len(lines) < len(values):
            return None
        start = merged([line.start for line in lines], loop)
        step = merged([line.step for line in lines], loop)
        return None if start is None or step is None else Linear(first.distance, start, step)
    return _merged_tables(values, loop)


def _merged_numbers(numbers: Sequence[int], loop: NewLoop, type: Attribute | None) -> Value | None:
    start, step = numbers[0], numbers[1] - numbers[0]
    if type is None and all(number == start + step * i for i, number in enumerate(numbers)):
        return Linear(loop.distance, start, step)
    if not loop.tables:
        return None
    return Table((loop.distance,), (len(numbers),), tuple(numbers), type or IndexType())


def _merged_tables(values: Sequence[Value], loop: NewLoop) -> Table | None:
    tables = [value for value in values if isinstance(value, Table)]
    forms = {(table.distances, table.shape, table.type) for table in tables}
    if len(tables) < len(values) or len(forms) > 1 or not loop.tables:
        return None
    ((distances, shape, type),) = forms
    numbers = tuple(number for table in tables for number in table.values)
    return Table((loop.distance, *distances), (len(tables), *shape), numbers, type)


def merged_blocks(blocks: Sequence[Blocks], loop: NewLoop, each: bool) -> Blocks | None:
    """The data of all iterations; None where their sizes differ. Equal data are one, unless each
    iteration needs its own."""
    first = blocks[0]
    forms = {(block.nbytes, block.distances, block.shape) for block in blocks}
    if len(forms) > 1:
        return None
    if not each and all(block == first for block in blocks):
        return first
    files = tuple(file for block in blocks for file in block.files)
    distances, shape = (loop.distance, *first.distances), (len(blocks), *first.shape)
    return Blocks(first.nbytes, files, distances, shape)


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
