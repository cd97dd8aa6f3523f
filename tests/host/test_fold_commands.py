"""Loops of recorded commands: they execute the same commands in the same order."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import IndexType

import polycl
from polycl.dialects.ocl import KernelOp
from polycl.runtime.host.fold_commands import folded
from polycl.runtime.host.recorded import (
    Command,
    Fill,
    Launch,
    Loop,
    RecordedBuffer,
    Scalar,
    Transfer,
)
from polycl.runtime.host.varying import Blocks, Linear, Table, Value, divided, numbers_of

SOURCE = "kernel void k(global float *x, int n, float a) { x[n] = a; }"
KERNEL = next(op for op in polycl.load(SOURCE).module.ops if isinstance(op, KernelOp))
BUFFERS = [RecordedBuffer(64), RecordedBuffer(64)]


def value_of(value: Value, iterations: list[int]) -> int:
    """A number in an iteration of the loops around it, the innermost last."""
    match value:
        case int():
            return value
        case Linear(distance, start, step):
            at = iterations[-1 - distance]
            return value_of(start, iterations) + value_of(step, iterations) * at
        case Table(distances, shape, values):
            place = 0
            for distance, size in zip(distances, shape, strict=True):
                place = place * size + iterations[-1 - distance]
            return values[place]


def executed(commands: list[Command], iterations: list[int]) -> list[Any]:
    """The commands as they are executed, with their numbers and data."""
    found: list[Any] = []

    def number(value: Value) -> int:
        return value_of(value, iterations)

    def data(side: Any) -> Any:
        return side.files[number(side.offset) // side.nbytes] if isinstance(side, Blocks) else side

    for command in commands:
        match command:
            case Loop(count, body):
                for i in range(number(count)):
                    found += executed(list(body), [*iterations, i])
            case Fill():
                found.append(("fill", command.target, command.pattern, number(command.offset)))
            case Transfer(source, target, nbytes, start, end):
                sides = data(source), data(target)
                found.append(("transfer", *sides, number(nbytes), number(start), number(end)))
            case Launch():
                scalars = [number(a.value) if isinstance(a, Scalar) else a
                           for a in command.arguments]  # fmt: skip
                found.append(("launch", *scalars, *map(number, command.global_size)))
    return found


numbers = st.integers(0, 3)
launches = st.builds(
    lambda b, n, a, g: Launch(KERNEL, [BUFFERS[b], Scalar(n), Scalar(a)], [g + 1], None, [0], 1),
    st.integers(0, 1), numbers, numbers, numbers,
)  # fmt: skip
writes = st.builds(
    lambda b, d, o: Transfer(Blocks(4, (f"data{d}",)), BUFFERS[b], 4, 0, 4 * o),
    st.integers(0, 1), numbers, numbers,
)  # fmt: skip
reads = st.builds(
    lambda b, d: Transfer(BUFFERS[b], Blocks(64, (f"read{d}",)), 64), st.integers(0, 1), numbers
)
fills = st.builds(lambda b, o: Fill(BUFFERS[b], b"\0", o, 4), st.integers(0, 1), numbers)


@st.composite
def programs(draw: st.DrawFn) -> list[Command]:
    """Stretches that repeat, with numbers that change or do not, one in the other."""
    found: list[Command] = []
    for _ in range(draw(st.integers(1, 3))):
        stretch = draw(st.lists(launches | writes | reads | fills, min_size=1, max_size=3))
        for t in range(draw(st.integers(1, 6))):
            step = draw(st.integers(0, 2))
            found += [moved(command, step * t) for command in stretch]
    return found * draw(st.integers(1, 4))


def moved(command: Command, by: int) -> Command:
    match command:
        case Launch(kernel, (buffer, Scalar(int(n)), a), sizes):
            return Launch(kernel, [buffer, Scalar(n + by), a], sizes, None, [0], 1)
        case _:
            return command


@given(programs())
def test_loops_execute_the_same(commands: list[Command]) -> None:
    short = folded(commands)
    assert executed(short, []) == executed(commands, [])
    assert len(short) <= len(commands)


def test_nested_loops() -> None:
    """Triangles: inner loops whose length is linear in the outer iteration."""
    commands: list[Command] = [
        Launch(KERNEL, [BUFFERS[0], Scalar(i), Scalar(0)], [9 - i], None, [0], 1)
        for round in range(4)
        for i in range(8 - round)
    ]
    (loop,) = folded(commands)
    assert isinstance(loop, Loop)
    assert loop.count == 4
    (inner,) = loop.body
    assert isinstance(inner, Loop)
    assert inner.count == Linear(0, 8, -1)


def test_numbers() -> None:
    table = Table((0,), (3,), (4, 8, 20), IndexType())
    assert divided(table, 4) == Table((0,), (3,), (1, 2, 5), IndexType())
    assert divided(Linear(0, 8, 6), 4) is None
    assert divided(Linear(0, 8, table), 4) == Linear(0, 2, Table((0,), (3,), (1, 2, 5)))
    assert numbers_of(Linear(0, 8, table)) == [8, 4, 8, 20]
