"""What every device is: something that compiles a kernel of a module and launches it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

Size3: TypeAlias = tuple[int, int, int]


SMALL = (1 << 32) - (1 << 12)
"""Bytes of a small buffer: no 32-bit index below 2^32 by less than 2^12 names an element of it."""


@dataclass(frozen=True)
class ArgumentFacts:
    """What a compiler may know of a launch's arguments, beyond their types. By default nothing."""

    local_bytes: tuple[int, ...] = ()
    """Of the arguments for `local` pointers, in order."""

    distinct_buffers: bool = False
    """No two arrays overlap."""

    small_buffers: bool = False
    """No array has more than SMALL bytes."""

    constants: tuple[tuple[int, int], ...] = ()
    """Arguments passed by value that are the same in all launches: the position of each, and its
    bytes as a number, the first the lowest."""

    def hold_for(self, given: ArgumentFacts) -> bool:
        """Whether what is compiled for these facts may be launched where `given` holds."""
        return (
            self.local_bytes in ((), given.local_bytes)
            and self.distinct_buffers <= given.distinct_buffers
            and self.small_buffers <= given.small_buffers
            and set(self.constants) <= set(given.constants)
        )


@dataclass(frozen=True)
class NDRange:
    """The index space of one launch (OpenCL 1.2, section 3.2); unused dimensions have size 1.

    `local_size` divides `global_size` in every dimension.
    """

    global_size: Size3
    local_size: Size3
    global_offset: Size3 = (0, 0, 0)
    work_dim: int = 1
    facts: ArgumentFacts = ArgumentFacts()
    """What a compiler may know of the arguments: all launches of what it compiles are like that."""

    @property
    def num_groups(self) -> Size3:
        gx, gy, gz = self.global_size
        lx, ly, lz = self.local_size
        return gx // lx, gy // ly, gz // lz


@dataclass(frozen=True)
class LocalMemory:
    """An argument for a `local` pointer parameter: `nbytes` of memory for each work-group."""

    nbytes: int


class DeviceArray(ABC):
    """An array in the memory of a device, which launches there read and write as it is."""

    def __init__(self, device: Device, dtype: np.dtype[Any], shape: tuple[int, ...]):
        self.device = device
        self.dtype = dtype
        self.shape = shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @abstractmethod
    def get(self) -> NDArray[Any]:
        """A copy in the host's memory."""

    @abstractmethod
    def set(self, values: NDArray[Any]) -> None:
        """Replace the contents. Raises ArgumentError where type or shape differ."""

    @abstractmethod
    def write_part(self, offset: int, data: NDArray[np.uint8]) -> None:
        """Replace the bytes from `offset` on by `data`."""

    @abstractmethod
    def read_part(self, offset: int, into: NDArray[np.uint8]) -> None:
        """Copy the bytes from `offset` on to `into`, which says how many."""

    @abstractmethod
    def part(self, offset: int, nbytes: int) -> DeviceArray:
        """The same memory from byte `offset` on, as bytes."""

    @abstractmethod
    def copy_part(self, offset: int, source: DeviceArray, start: int, nbytes: int) -> None:
        """Copy bytes of another array of the device, from its byte `start` on."""


KernelArg: TypeAlias = "NDArray[np.generic] | DeviceArray | LocalMemory | bytes | None"
"""One kernel argument as a device takes it.

- a C-contiguous array, updated in place: a `global` or `constant` pointer parameter,
- a `DeviceArray` of the same device, where it makes such: the same,
- `LocalMemory`: a `local` pointer parameter,
- `bytes` in the layout of `polycl.dialects.ocl.layout`: a parameter passed by value,
- `None`: a null pointer.
"""


def facts_of(args: Sequence[KernelArg]) -> ArgumentFacts:
    """What is known of these arguments."""
    arrays = [(arg.ctypes.data, arg.nbytes) for arg in args if isinstance(arg, np.ndarray)]
    return ArgumentFacts(
        tuple(arg.nbytes for arg in args if isinstance(arg, LocalMemory)),
        distinct_buffers=ranges_are_distinct(arrays),
        small_buffers=all(nbytes <= SMALL for _, nbytes in arrays),
    )


def constants_of(
    args: Sequence[KernelArg], positions: Iterable[int]
) -> tuple[tuple[int, int], ...]:
    """The values at these positions, as `ArgumentFacts` has them."""
    values = ((i, args[i]) for i in positions if i < len(args))
    return tuple((i, int.from_bytes(v, "little")) for i, v in values if isinstance(v, bytes))


def ranges_are_distinct(ranges: list[tuple[int, int]]) -> bool:
    """Whether no two ranges of memory, as their first address and their bytes, overlap."""
    ranges.sort()
    return all(a + size <= b for (a, size), (b, _) in pairwise(ranges))


class Executable(Protocol):
    """A kernel compiled for one device and one local size."""

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """Launch once and return when every work-item has finished."""
        ...


class Device(ABC):
    """Where kernels run. Devices are cheap to make and keep no per-kernel state."""

    name: str

    def own_passes(self, ndrange: NDRange) -> tuple[ModulePass, ...]:
        """What `compile` runs where it is given no pipeline; by default it runs no passes."""
        return ()

    @abstractmethod
    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> Executable:
        """Compile `kernel` of `module` for launches with the local size of `ndrange`, and with its
        facts about the arguments.

        `module` is not changed. `pipeline` replaces the device's own passes by an explicit
        pass pipeline in `ocl-opt -p` syntax.

        Raises:
            PolyclError: the kernel uses what this device cannot do; located where possible.
        """

    def kept(self, content: Callable[[], str], kernel: str, ndrange: NDRange) -> Executable | None:
        """What an earlier `compile` with the device's own passes made of the same, here or in
        another process, if it was kept. `content` gives a name of what the module holds."""
        return None

    def keep(
        self, executable: Executable, content: Callable[[], str], kernel: str, ndrange: NDRange
    ) -> None:
        """Keep the result of `compile` with the device's own passes for `kept`."""
