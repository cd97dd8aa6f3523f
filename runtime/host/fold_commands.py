"""Stretches of commands that repeat -> loops.

Two commands have the same shape if they differ in numbers only: offsets, sizes, arguments that are
no memory, and the data of transfers. A stretch of shapes that follows itself three times or more
becomes a loop, if each of its numbers has a common form (`varying.py`): equal, linear in the
iteration, or a table. Short stretches come first, so that the inner loops are found before the
loops around them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

from polycl.dialects.ocl import KernelLike
from polycl.runtime.host.recorded import (
    SCALARS,
    Command,
    Fill,
    Launch,
    LaunchArgument,
    Loop,
    Scalar,
    Transfer,
)
from polycl.runtime.host.varying import Blocks, NewLoop, Value, merged, merged_blocks

_MOST_COMMANDS = 512
"""Of one iteration of a loop."""

_LEAST_COUNT = 3


def folded(commands: Sequence[Command]) -> list[Command]:
    """The same commands, with loops."""
    found = list(commands)
    length = 1
    while length <= min(_MOST_COMMANDS, len(found) // 2):
        shapes: dict[Hashable, int] = {}
        keys = np.array([shapes.setdefault(_shape(command), len(shapes)) for command in found])
        shorter = _fold_stretches(found, keys, length)
        # A loop may be a part of stretches that are shorter than those that made it.
        length = length + 1 if shorter is None else 1
        found = found if shorter is None else shorter
    return found


def _fold_stretches(
    commands: Sequence[Command], keys: NDArray[np.intp], length: int
) -> list[Command] | None:
    """The commands with loops of `length` commands; None if there are none."""
    same = keys[:-length] == keys[length:]
    if not same.any():
        return None
    # How many commands from each on are equal to those `length` later.
    ends = np.flatnonzero(np.append(~same, True))
    places = np.arange(len(same) + 1)
    runs = ends[np.searchsorted(ends, places)] - places
    found: list[Command] = []
    at = 0
    changed = False
    while at < len(commands):
        run = int(runs[at]) if at < len(runs) else 0
        count = run // length + 1
        loop = None
        if count >= _LEAST_COUNT:
            rows = [commands[at + i * length : at + (i + 1) * length] for i in range(count)]
            loop = _longest_loop(rows)
        if loop is None:
            found.append(commands[at])
            at += 1
        else:
            assert isinstance(loop.count, int)
            found.append(loop)
            at += loop.count * length
            changed = True
    return found if changed else None


def _longest_loop(rows: Sequence[Sequence[Command]]) -> Loop | None:
    """A loop of the first rows: as long as their numbers are on lines, since the rows after those
    may belong to another iteration of an outer loop; else of all rows, with tables."""
    short, long = 1, len(rows) + 1  # the former is possible, the latter is not
    while long - short > 1:
        middle = (short + long) // 2
        if _merged_bodies(rows[:middle], NewLoop(0, tables=False)) is None:
            long = middle
        else:
            short = middle
    is_line = short >= _LEAST_COUNT
    count = short if is_line else len(rows)
    body = _merged_bodies(rows[:count], NewLoop(0, tables=not is_line))
    return None if body is None else Loop(count, body)


def _merged_bodies(rows: Sequence[Sequence[Command]], loop: NewLoop) -> list[Command] | None:
    body: list[Command] = []
    for column in zip(*rows, strict=True):
        command = _merged_commands(column, loop)
        if command is None:
            return None
        body.append(command)
    return body


def _shape(command: Command) -> Hashable:
    match command:
        case Loop():
            return (Loop, *map(_shape, command.body))
        case Fill():
            return Fill, command.target, command.pattern
        case Transfer():
            source, target = command.source, command.target
            return Transfer, _side(source), _side(target)
        case Launch():
            arguments = [Scalar if isinstance(a, Scalar) else a for a in command.arguments]
            has_local = command.local_size is not None
            return Launch, command.kernel, command.work_dim, has_local, *arguments


def _side(side: object) -> Hashable:
    return (Blocks, side.nbytes, side.distances) if isinstance(side, Blocks) else side


def _merged_commands(commands: Sequence[Command], loop: NewLoop) -> Command | None:
    """The commands of all iterations as one; None where there is no common form."""
    first = commands[0]
    match first:
        case Loop():
            loops = [command for command in commands if isinstance(command, Loop)]
            count = merged([loop.count for loop in loops], loop)
            body = _merged_bodies([loop.body for loop in loops], loop.outside)
            return None if count is None or body is None else Loop(count, body)
        case Fill():
            fills = [command for command in commands if isinstance(command, Fill)]
            offset = merged([fill.offset for fill in fills], loop)
            nbytes = merged([fill.nbytes for fill in fills], loop)
            if offset is None or nbytes is None:
                return None
            return replace(first, offset=offset, nbytes=nbytes)
        case Transfer():
            return _merged_transfers(
                [command for command in commands if isinstance(command, Transfer)], loop
            )
        case Launch():
            return _merged_launches(
                [command for command in commands if isinstance(command, Launch)], loop
            )


def _merged_transfers(transfers: Sequence[Transfer], loop: NewLoop) -> Transfer | None:
    first = transfers[0]
    source, target = first.source, first.target
    sources = [t.source for t in transfers if isinstance(t.source, Blocks)]
    targets = [t.target for t in transfers if isinstance(t.target, Blocks)]
    if sources:
        source = merged_blocks(sources, loop, each=False)
    if targets:
        # What is read in an iteration is compared after the end.
        target = merged_blocks(targets, loop, each=True)
    nbytes = merged([t.nbytes for t in transfers], loop)
    start = merged([t.source_offset for t in transfers], loop)
    end = merged([t.target_offset for t in transfers], loop)
    if source is None or target is None or nbytes is None or start is None or end is None:
        return None
    return Transfer(source, target, nbytes, start, end)


def _merged_launches(launches: Sequence[Launch], loop: NewLoop) -> Launch | None:
    first = launches[0]
    sizes = _merged_sizes([launch.global_size for launch in launches], loop)
    offset = _merged_sizes([launch.global_offset for launch in launches], loop)
    local = first.local_size
    if local is not None:
        local = _merged_sizes([launch.local_size or () for launch in launches], loop)
        if local is None:
            return None
    arguments = [
        _merged_argument(column, first.kernel, index, loop)
        for index, column in enumerate(zip(*(x.arguments for x in launches), strict=True))
    ]
    given = [argument for argument in arguments if argument is not None]
    if sizes is None or offset is None or len(given) < len(arguments):
        return None
    return replace(
        first, arguments=given, global_size=sizes, local_size=local, global_offset=offset
    )


def _merged_sizes(sizes: Sequence[Sequence[Value]], loop: NewLoop) -> tuple[Value, ...] | None:
    found = [merged(column, loop) for column in zip(*sizes, strict=True)]
    known = [value for value in found if value is not None]
    return tuple(known) if len(known) == len(found) else None


def _merged_argument(
    arguments: Sequence[LaunchArgument], kernel: KernelLike, index: int, loop: NewLoop
) -> LaunchArgument | None:
    scalars = [argument for argument in arguments if isinstance(argument, Scalar)]
    if not scalars:
        return arguments[0]
    type: Attribute = kernel.function_type.inputs.data[index]
    if type not in SCALARS and any(scalar != scalars[0] for scalar in scalars):
        return None  # there are no tables of vectors
    value = merged(
        [scalar.value for scalar in scalars],
        loop,
        None if isinstance(type, IntegerType) else type,
    )
    return None if value is None else Scalar(value)
