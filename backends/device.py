"""The interface of devices, which compile a kernel of a module and launch it."""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.dialects.ocl.image_header import image_format
from polycl.errors import ArgumentError

Size3: TypeAlias = tuple[int, int, int]


MAX_GROUP = 8192
"""Most work-items in a work-group (CL_DEVICE_MAX_WORK_GROUP_SIZE)."""

SMALL = (1 << 32) - (1 << 12)
"""The maximum size of a small buffer: no index from 2^32 - 2^12 to 2^32 is in its bounds."""


INLINING_BUDGET = 5000
"""Operations that a kernel may have with all that it calls, before functions stay functions."""

ANY_NUMBER: Size3 = (sys.maxsize, sys.maxsize, sys.maxsize)
"""Of groups in each dimension: no limit."""

WIDE_IDS = 1 << 31
"""Ids and sizes of a launch are *wide* if one of them may be this or more: an `int` cannot hold
them, and no 32-bit number is proven to be an id."""


@dataclass(frozen=True)
class ArgumentFacts:
    """Facts about a launch's arguments that a compiler may assume. The default is no facts."""

    local_bytes: tuple[int, ...] = ()
    """The sizes of the arguments for `local` pointers, in order."""

    distinct_buffers: bool = False
    """No two arrays overlap."""

    small_buffers: bool = False
    """No array has more than SMALL bytes."""

    alone: bool = False
    """No other thread accesses the arrays while the launch runs, which is on one thread."""

    constants: tuple[tuple[int, int], ...] = ()
    """Arguments passed by value that are the same in all launches: the position of each, and its
    bytes as a little-endian number."""

    images: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """What is known of arguments that are images or samplers: the position of each, and what
    `image_format` finds, or the sampler's bits."""

    def hold_for(self, given: ArgumentFacts) -> bool:
        """Whether code compiled for these facts may be launched with arguments of facts `given`."""
        return (
            self.local_bytes in ((), given.local_bytes)
            and self.distinct_buffers <= given.distinct_buffers
            and self.small_buffers <= given.small_buffers
            and self.alone <= given.alone
            and set(self.constants) <= set(given.constants)
            and set(self.images) <= set(given.images)
        )


@dataclass(frozen=True)
class Part:
    """A box of a launch's groups, all of the same size."""

    first: Size3
    """The ids of its first group."""

    groups: Size3
    """The number of its groups."""

    size: Size3
    """The local size of its groups."""


@dataclass(frozen=True)
class NDRange:
    """The index space of one launch (OpenCL 1.2, section 3.2); unused dimensions have size 1.

    Where `local_size` does not divide `global_size`, the last groups are smaller (OpenCL 2.0,
    section 5.8).
    """

    global_size: Size3
    local_size: Size3
    global_offset: Size3 = (0, 0, 0)
    work_dim: int = 1
    facts: ArgumentFacts = ArgumentFacts()
    """Facts about the arguments that hold for all launches of the compiled code."""

    part: Part | None = None
    """The groups to run; None: all."""

    given_size: Size3 | None = None
    """The local size that the user gave, if `local_size` was chosen instead."""

    guarded: tuple[int, ...] | None = None
    """None: `local_size` is the one of the launch. Otherwise it is one that suits a kernel which
    does the same in all groups; all have that size, and in these dimensions work-items may be
    outside of `global_size`, and do nothing."""

    @property
    def num_groups(self) -> Size3:
        """The number of all groups of the launch."""
        x, y, z = (-(-g // n) for g, n in zip(self.global_size, self.local_size, strict=True))
        return x, y, z

    @property
    def wide_ids(self) -> bool:
        """Whether global ids are wide."""
        return any(
            size + start > WIDE_IDS
            for size, start in zip(self.global_size, self.global_offset, strict=True)
        )

    @property
    def is_uniform(self) -> bool:
        """Whether all groups have `local_size`."""
        return self.guarded is not None or not any(
            g % n for g, n in zip(self.global_size, self.local_size, strict=True)
        )

    @property
    def is_uniform_part(self) -> bool:
        """Whether it is a part of a launch whose groups have one size."""
        return self.part is not None and self.is_uniform

    @property
    def groups(self) -> Part:
        """The groups to run, which all have one size: `part`, or without it all groups."""
        return self.part or Part((0, 0, 0), self.num_groups, self.local_size)

    def size_of(self, group: Size3) -> Size3:
        """The local size of the group with these ids."""
        sizes = zip(self.global_size, self.local_size, group, strict=True)
        x, y, z = (min(n, g - n * id) for g, n, id in sizes)
        return x, y, z

    def parts(self, most: Size3 = ANY_NUMBER) -> tuple[NDRange, ...]:
        """The launch in parts whose groups have the same size, and of which there are at most
        `most` in each dimension: one for a uniform launch, at most 2 for each dimension, if these
        are not too large."""
        fits = all(n <= m for n, m in zip(self.num_groups, most, strict=True))
        if self.part is not None or (self.is_uniform and fits):
            return (self,)
        ranges: list[list[tuple[int, int, int]]] = []
        for g, n, m in zip(self.global_size, self.local_size, most, strict=True):
            boxes = ((0, g // n, n), (g // n, 1, g % n))
            ranges.append(
                [
                    (first + start, min(m, groups - start), size)
                    for first, groups, size in boxes
                    if size
                    for start in range(0, groups, m)
                ]
            )
        return tuple(
            replace(self, part=Part(*zip(x, y, z, strict=True)))
            for z, y, x in product(*reversed(ranges))
        )


@dataclass(frozen=True)
class LocalMemory:
    """An argument for a `local` pointer parameter: `nbytes` of memory for each work-group."""

    nbytes: int


class DeviceArray(ABC):
    """An array in the memory of a device, which launches on the device use without a copy."""

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

    def check_like(self, values: NDArray[Any]) -> None:
        """Raises ArgumentError if `values` have another type or shape."""
        if values.dtype != self.dtype or values.shape != self.shape:
            raise ArgumentError(
                f"expected an array of {self.dtype} with shape {self.shape}, got one of "
                f"{values.dtype} with shape {values.shape}"
            )

    @abstractmethod
    def get(self) -> NDArray[Any]:
        """A copy in the host's memory."""

    @abstractmethod
    def set(self, values: NDArray[Any]) -> None:
        """Replace the contents. Raises ArgumentError if type or shape differ."""

    @abstractmethod
    def write_part(self, offset: int, data: NDArray[np.uint8]) -> None:
        """Replace the bytes at `offset` by `data`."""

    @abstractmethod
    def read_part(self, offset: int, into: NDArray[np.uint8]) -> None:
        """Copy bytes at `offset` to `into`, whose size is the number of bytes."""

    @abstractmethod
    def part(self, offset: int, nbytes: int) -> DeviceArray:
        """The bytes of the same memory that start at `offset`."""

    @abstractmethod
    def copy_part(self, offset: int, source: DeviceArray, start: int, nbytes: int) -> None:
        """Copy bytes of another array of the device, starting at its byte `start`."""


KernelArg: TypeAlias = "NDArray[np.generic] | DeviceArray | LocalMemory | bytes | None"
"""One kernel argument as a device takes it.

- a C-contiguous array, updated in place: a `global` or `constant` pointer parameter,
- a `DeviceArray` of the same device: the same,
- `LocalMemory`: a `local` pointer parameter,
- `bytes` in the layout of `polycl.dialects.ocl.layout`: a parameter passed by value,
- `None`: a null pointer.
"""


def facts_of(args: Sequence[KernelArg]) -> ArgumentFacts:
    """The facts that hold for these arguments."""
    arrays = [(arg.ctypes.data, arg.nbytes) for arg in args if isinstance(arg, np.ndarray)]
    return ArgumentFacts(
        tuple(arg.nbytes for arg in args if isinstance(arg, LocalMemory)),
        distinct_buffers=ranges_are_distinct(arrays),
        small_buffers=all(nbytes <= SMALL for _, nbytes in arrays),
    )


def constants_of(
    args: Sequence[KernelArg], positions: Iterable[int]
) -> tuple[tuple[int, int], ...]:
    """The values at these positions, in the form of `ArgumentFacts.constants`."""
    values = ((i, args[i]) for i in positions if i < len(args))
    return tuple((i, int.from_bytes(v, "little")) for i, v in values if isinstance(v, bytes))


def images_of(
    args: Sequence[KernelArg], positions: Iterable[int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """What is known of the images and samplers at these positions: `ArgumentFacts.images`."""
    found: list[tuple[int, tuple[int, ...]]] = []
    for position in positions:
        arg = args[position]
        if isinstance(arg, bytes):
            found.append((position, (int.from_bytes(arg, "little"),)))
        elif isinstance(arg, np.ndarray) and (format := image_format(arg.data)) is not None:
            found.append((position, format))
    return tuple(found)


def ranges_are_distinct(ranges: list[tuple[int, int]]) -> bool:
    """Whether no two ranges, given by address and size, overlap."""
    ranges.sort()
    return all(a + size <= b for (a, size), (b, _) in pairwise(ranges))


@dataclass(frozen=True)
class KernelTime:
    """The time of one launch, by the device's clock."""

    kernel: str
    seconds: float


class Executable(Protocol):
    """A kernel compiled for one device and one local size."""

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """Launch once and return when every work-item has finished."""


class Device(ABC):
    """A device that runs kernels. Devices are cheap to create and have no state for kernels."""

    name: str

    threads = 1
    """The number of groups that run at the same time."""

    @property
    def runs_alone(self) -> bool:
        """Whether launches of code for `ArgumentFacts.alone` run one after the other."""
        return False

    def with_own_form(self, executable: Executable, make: Callable[[], Executable]) -> None:
        """The kernel changes memory atomically: `make` compiles it for `ArgumentFacts.alone`, and
        the device may run that instead."""

    capability = 0
    """Of an NVIDIA GPU for which PTX is made, the compute capability times ten."""

    lanes = 0
    """The floats in a vector of a processor; 0: not known."""

    compiles_parts = False
    """Whether `compile` is for one size of groups: a non-uniform launch is compiled and launched in
    parts (`NDRange.parts`)."""

    most_groups: Size3 = ANY_NUMBER
    """The most groups in each dimension of what is launched at once, if it `compiles_parts`."""

    finds_bounds = False
    """Whether a launch reports accesses outside of arrays itself."""

    @property
    def chooses_groups(self) -> bool:
        """Whether a kernel that does the same in all groups may run in others than those of the
        launch (`NDRange.guarded`)."""
        return False

    def own_passes(self, ndrange: NDRange) -> tuple[ModulePass, ...]:
        """The passes that `compile` runs without a pipeline; the default is no passes."""
        return ()

    @abstractmethod
    def compile(
        self, module: ModuleOp, kernel: str, ndrange: NDRange, pipeline: str | None = None
    ) -> Executable:
        """Compile `kernel` of `module` for launches with the local size and the facts of `ndrange`.

        `module` is not changed. `pipeline` replaces the device's own passes by an explicit
        pass pipeline in `ocl-opt -p` syntax.

        Raises:
            PolyclError: the device does not support the kernel; located where possible.
        """

    def address_of_variables(self, memory: NDArray[np.uint8]) -> int:
        """What a pointer to the memory of program-scope variables is in kernels.

        Raises:
            ArgumentError: it is not the same in all launches.
        """
        raise ArgumentError(
            f"device '{self.name}': program-scope variables that are initialised with addresses "
            "are not supported; initialise them in a kernel"
        )

    def kept(self, content: Callable[[], str], kernel: str, ndrange: NDRange) -> Executable | None:
        """The result of an earlier `compile` with the device's own passes, in this or another
        process, if it was kept. `content` gives a text that identifies the module's content."""
        return None

    def keep(
        self, executable: Executable, content: Callable[[], str], kernel: str, ndrange: NDRange
    ) -> None:
        """Keep the result of `compile` with the device's own passes for `kept`."""

    @property
    def is_remote(self) -> bool:
        """Whether another process can compile for it: `save` and `restore` are implemented."""
        return False

    def save(self, executable: Executable) -> bytes:
        """The result of `compile`, for `restore` in this or another process."""
        raise NotImplementedError

    def restore(self, data: bytes) -> Executable:
        """The executable that `save` has saved."""
        raise NotImplementedError
