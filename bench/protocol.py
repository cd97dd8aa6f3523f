"""What `bench.worker` asks of a runtime, and what is sent between the processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.case import Arg

ALIGNMENT = 4096
"""Of buffers, for all runtimes alike: those that share memory with the host then do not copy."""


@dataclass(frozen=True)
class Build:
    """What is compiled, and for which launch."""

    path: str
    options: tuple[str, ...]
    kernel: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]
    without: tuple[str, ...] = ()
    """Passes for speed to leave out, of those of our own device."""


@dataclass(frozen=True)
class Round:
    """Seconds of the launches of one round; the first one, which warms up, is left out."""

    count: int
    minimum: float
    median: float
    processor: float
    """The least time of the processor, of all threads of the process together."""

    def least(self, threads: int) -> float:
        """The least time: of one thread that of the processor, which other programs do not take."""
        return min(self.minimum, self.processor) if threads == 1 else self.minimum


class Runtime(Protocol):
    title: str

    def load(self, args: Sequence[Arg]) -> None:
        """Takes over the arguments for all that is built from now on."""
        ...

    def prepare(self, build: Build) -> Callable[[], object]:
        """A function that launches and waits."""
        ...

    def restore(self) -> None:
        """Gives the buffers their first contents again."""
        ...

    def read(self) -> dict[int, NDArray[Any]]:
        """The buffers by the index of their argument."""
        ...


def aligned_copy(array: NDArray[Any]) -> NDArray[Any]:
    """A copy whose first byte is aligned and whose last page is its own."""
    memory = np.empty(array.nbytes + 2 * ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
