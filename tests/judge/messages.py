"""The messages between the tests' process and the judge's process: pickles over two pipes."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Job:
    """One launch. Buffers are arrays, local memory is `LocalBytes`, values are as they are."""

    source: bytes
    options: tuple[str, ...]
    kernel: str
    args: tuple[Any, ...]
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None
    global_offset: tuple[int, ...] | None


@dataclass(frozen=True)
class LocalBytes:
    """Local memory for a `local` pointer parameter."""

    count: int


@dataclass(frozen=True)
class Verdict:
    """What a launch left behind."""

    arrays: dict[int, NDArray[Any]]
    """The contents of the buffers by the argument's position."""

    printed: str
    """What the kernel's printf wrote."""


@dataclass(frozen=True)
class Failure:
    """Why there is no verdict."""

    message: str


def send(stream: IO[bytes], message: Any) -> None:
    data = pickle.dumps(message)
    stream.write(len(data).to_bytes(8, "little") + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """The next message. Raises EOFError where the other side is gone."""
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    return pickle.loads(stream.read(int.from_bytes(head, "little")))


def as_bytes(value: np.generic) -> bytes:
    """A value in memory, its padding included."""
    return np.array([value], value.dtype).tobytes()
