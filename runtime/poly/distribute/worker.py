"""The functions that workers run. What they take and return are bytes and texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.analysis.poly.byte_ranges import ByteRanges
from polycl.backends.device import Device, KernelArg, LocalMemory, NDRange
from polycl.errors import ArgumentError, PolyclError

Bytes = NDArray[np.uint8]

ALIGNMENT = 128
"""Bytes of a window's start and of its memory: the largest alignment of OpenCL C."""


@dataclass(frozen=True)
class Window:
    """The part of a buffer that a chunk gets."""

    start: int
    """In bytes; a multiple of the element and of ALIGNMENT."""
    nbytes: int
    unit: int
    """The bytes of an element of the parameter."""
    inputs: tuple[ByteRanges, ...]
    """What each of the values that are sent has."""
    writes: ByteRanges


@dataclass(frozen=True)
class Partial:
    """A buffer of a chunk that starts with what leaves atomic operations unchanged."""

    fill: bytes
    nbytes: int


ChunkArgument = bytes | LocalMemory | Window | Partial | None


@dataclass(frozen=True)
class ChunkTask:
    """A chunk as a worker runs it."""

    text: str
    """The module, whose kernel takes the start of each window after its own arguments."""
    kernel: str
    device: str
    what: str
    """What messages call the chunk."""
    launches: tuple[NDRange, ...]
    arguments: tuple[ChunkArgument, ...]
    starts: tuple[int, ...]
    """For each buffer, the elements before its window."""


def run_chunk(task: ChunkTask, *values: Bytes) -> tuple[Any, ...]:
    """Runs a chunk; `values` are those of all windows' inputs, in order. The results are the
    seconds that it took, the worker, and the bytes that it wrote: one array for each written window
    and partial result.

    Raises:
        PolyclError: the kernel cannot be compiled or fails, as in a launch on this machine.
    """
    start = perf_counter()
    remaining = iter(values)
    args: list[KernelArg] = []
    memory: list[tuple[Window | Partial, Bytes]] = []
    for argument in task.arguments:
        match argument:
            case Window():
                window = _zeros(argument.nbytes)
                for ranges in argument.inputs:
                    ranges.scatter(next(remaining), window, argument.start)
                memory.append((argument, window))
                args.append(window)
            case Partial():
                part = np.frombuffer(argument.fill * (argument.nbytes // len(argument.fill)), "u1")
                part = part.copy()
                memory.append((argument, part))
                args.append(part)
            case _:
                args.append(argument)
    starts = [start.to_bytes(8, "little") for start in task.starts]
    try:
        kernel, device = _kernel(task.text, task.kernel), _device(task.device)
        for ndrange in task.launches:
            kernel.bind_raw([*args, *starts], ndrange, device).launch()
    except PolyclError as error:
        error.args = (f"{error}\nin {task.what}", *error.args[1:])
        raise
    except Exception as error:
        # For example a MemoryError.
        error.add_note(f"in {task.what}")
        raise
    written = [
        _copied(argument.writes, array, argument.start) if isinstance(argument, Window) else array
        for argument, array in memory
        if isinstance(argument, Partial) or argument.writes
    ]
    return perf_counter() - start, _address(), *written


def _address() -> str:
    from distributed import get_worker

    return get_worker().address


def _copied(ranges: ByteRanges, window: Bytes, start: int) -> Bytes:
    """The bytes of some ranges; the window itself is not kept for a small part of it."""
    found = ranges.gathered(window, start)
    return found if found.nbytes * 2 >= window.nbytes else found.copy()


def _zeros(nbytes: int) -> Bytes:
    memory = np.zeros(nbytes + ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % ALIGNMENT
    return memory[first : first + nbytes]


@lru_cache(maxsize=64)
def _kernel(text: str, name: str) -> Any:
    # Late: a process that only cuts bytes needs no compiler.
    from polycl.runtime.program import load

    return load(text, language="mlir").kernel(name)


@lru_cache(maxsize=16)
def _device(name: str) -> Device:
    from polycl.runtime.devices import device

    # A worker has a thread for each chunk that it runs at the same time.
    found = device(name, threads=1) if name == "cpu" else device(name)
    if not found.compiles_parts:
        raise ArgumentError(f"device '{name}' does not run parts of a launch; expected cpu or cuda")
    return found


def item(results: Sequence[Any], place: int) -> Any:
    """One of several results."""
    return results[place]


def without(results: Sequence[Any], places: Sequence[int]) -> tuple[Any, ...]:
    """The other ones of several results."""
    return tuple(result for place, result in enumerate(results) if place not in places)


def hold(values: Any) -> Any:
    """Values that came with the task: a worker keeps them, and they can be sent again."""
    return values


def cut(values: Bytes, have: ByteRanges, wanted: ByteRanges) -> Bytes:
    """Some of the bytes of a piece."""
    origin = have.starts
    lengths = have.ends - have.starts
    places = np.cumsum(lengths) - lengths
    # Each wanted range is inside of one range of the piece.
    inside = np.searchsorted(origin, wanted.starts, "right") - 1
    moved = wanted.starts - origin[inside] + places[inside]
    local = ByteRanges(moved, moved + (wanted.ends - wanted.starts))
    return local.gathered(values).copy()


def assemble(dtype: str, shape: tuple[int, ...], have: Sequence[ByteRanges], *parts: Bytes) -> Any:
    """An array of several parts of its bytes."""
    array = np.empty(shape, dtype)
    for ranges, values in zip(have, parts, strict=True):
        ranges.scatter(values, array.reshape(-1).view(np.uint8))
    return array


def read_file(path: str, offset: int, wanted: ByteRanges) -> Bytes:
    """Some of the bytes of an array in a file."""
    memory = np.memmap(path, np.uint8, "r", offset)
    return np.array(wanted.gathered(memory))


def combine(kind: str, element: str, *parts: Bytes) -> Bytes:
    """The partial results of atomic operations as one."""
    function = COMBINE[kind]
    arrays = [part.view(element) for part in parts]
    total = arrays[0].copy()
    with np.errstate(over="ignore"):
        for array in arrays[1:]:
            function(total, array, out=total)
    return total.view(np.uint8)


COMBINE: dict[str, Any] = {
    "add": np.add,
    "fadd": np.add,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "smin": np.minimum,
    "umin": np.minimum,
    "fmin": np.fmin,
    "smax": np.maximum,
    "umax": np.maximum,
    "fmax": np.fmax,
}
"""By the name of the atomic operation."""


def identity_of(kind: str, element: np.dtype[Any]) -> bytes:
    """The value that leaves a combination unchanged."""
    match kind:
        case "and":
            value = ~np.zeros((), element)
        case "smin" | "umin":
            value = np.array(np.iinfo(element).max, element)
        case "smax" | "umax":
            value = np.array(np.iinfo(element).min, element)
        case "fmin":
            value = np.array(np.inf, element)
        case "fmax":
            value = np.array(-np.inf, element)
        case "fadd":
            value = np.array(-0.0, element)
        case _:
            value = np.zeros((), element)
    return value.tobytes()
