"""Calls of a lowered program that differ from an earlier one in values only.

Such a call replaces the addresses and numbers in the launches that the earlier one has prepared. It
copies no array and allocates only what it returns. It is refused, before anything ran, where an
argument is of another kind; the slow path in `Function` then checks it and explains what is wrong.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polycl.backends.device import Device, ranges_are_distinct
from polycl.runtime.kernel import Kernel
from polycl.runtime.repeated import (
    ALIGNED,
    C_CONTIGUOUS,
    DATA,
    READS_ADDRESSES,
    WRITEABLE,
    Refillable,
    number_code,
    word_at,
)

Words = Sequence[Any]
"""Addresses and numbers: those of the function's arguments, and then of its result."""


@dataclass(frozen=True)
class BoundLaunch:
    """One kernel of a call with its arguments."""

    kernel: Kernel
    launch: Callable[[], None]
    """Some devices can replace its arguments."""

    args: Sequence[Any]
    origins: Sequence[int | None]
    """For each argument the word that replaces it, if any."""


class _Filled:
    """A launch whose arguments are words of the call, and constants.

    `memory` has the arrays between kernels, which live as long as the launch.
    """

    def __init__(
        self,
        launch: Refillable,
        layout: str,
        constants: Words,
        places: Sequence[int],
        memory: Sequence[NDArray[Any]],
    ):
        self.launch = launch
        self._constants = tuple(constants)
        self._memory = tuple(memory)
        self._pack_into = struct.Struct(layout).pack_into
        self._places = itemgetter(*places) if len(places) > 1 else lambda words: (words[places[0]],)
        self._arguments = launch.arguments

    def fill(self, words: list[Any]) -> None:
        """Raises `struct.error` or `OverflowError` where a number does not fit."""
        self._pack_into(self._arguments, 0, *self._places([*words, *self._constants]))


@dataclass(frozen=True)
class Shape:
    """An array that a call takes or returns."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape)) * self.dtype.itemsize


class ReadyCall:
    """Calls with arrays of these shapes, and numbers of these types, on one device.

    Args:
        device: As the caller names it.
        parameters: A shape or a type for each argument of the function.
        overwritten: The number of the argument that has the result; None if it is a new array.
        given: Whether callers pass that argument as `out` too.
        bind: Binds all launches for some arguments and memory for the result.
    """

    def __init__(
        self,
        device: Device | str,
        parameters: Sequence[Shape | type],
        result: Shape,
        overwritten: int | None,
        given: bool,
        bind: Callable[[Sequence[Any], Any], list[BoundLaunch]],
    ):
        self.device = device
        self._bind = bind
        self._overwritten = overwritten
        self._given = given
        self._result = result
        readable = C_CONTIGUOUS | ALIGNED
        self._writable = readable | WRITEABLE
        self._expected = tuple(
            (np.ndarray, p.dtype, p.shape, self._writable if i == overwritten else readable)
            if isinstance(p, Shape)
            else (p, None, None, 0)
            for i, p in enumerate(parameters)
        )
        self._arrays = [(i, p.nbytes) for i, p in enumerate(parameters) if isinstance(p, Shape)]
        self._with_out = [*self._arrays, (len(parameters), result.nbytes)]
        self._free: list[list[_Filled]] = []
        """The launches of a call; no thread is using them."""

    def __call__(self, args: Sequence[Any], out: Any) -> Any:
        """The result; None, if the call is of another kind and nothing ran."""
        if len(args) != len(self._expected):
            return None
        words: list[Any] = []
        for arg, (kind, dtype, shape, flags) in zip(args, self._expected, strict=True):
            if type(arg) is not kind:
                return None
            if dtype is None:
                words.append(arg)
                continue
            if arg.dtype is not dtype and arg.dtype != dtype:
                return None
            if arg.shape != shape or arg.flags.num & flags != flags:
                return None
            words.append(word_at(id(arg) + DATA).value)
        result = self._memory(args, out)
        if result is None:
            return None
        words.append(word_at(id(result) + DATA).value)
        # New memory overlaps nothing.
        arrays = self._arrays if out is None or self._given else self._with_out
        if len(arrays) > 1 and not ranges_are_distinct([(words[i], size) for i, size in arrays]):
            return None
        try:
            launches = self._free.pop()
        except IndexError:
            launches = self._prepare(args, result)
            if launches is None:
                return None
        try:
            for each in launches:
                each.fill(words)
        except (struct.error, OverflowError):
            self._free.append(launches)
            return None
        for each in launches:
            each.launch()
        self._free.append(launches)
        return result

    def _memory(self, args: Sequence[Any], out: Any) -> NDArray[Any] | None:
        if self._overwritten is not None:
            array = args[self._overwritten]
            return array if out is (array if self._given else None) else None
        if out is None:
            return np.empty(self._result.shape, self._result.dtype)
        fits = (
            type(out) is np.ndarray
            and out.shape == self._result.shape
            and out.dtype == self._result.dtype
            and out.flags.num & self._writable == self._writable
        )
        return out if fits else None

    def _prepare(self, args: Sequence[Any], result: Any) -> list[_Filled] | None:
        filled = [_fill(bound, len(args) + 1) for bound in self._bind(args, result)]
        if not READS_ADDRESSES or any(each is None for each in filled):
            return None
        return [each for each in filled if each is not None]


def _fill(bound: BoundLaunch, words: int) -> _Filled | None:
    """A launch that takes `words` words. None where the device cannot replace its arguments."""
    launch: Any = bound.launch
    if not hasattr(launch, "forget_arguments"):
        return None
    layout, end = "<", 0
    constants: list[Any] = []
    places: list[int] = []
    memory: list[NDArray[Any]] = []
    for parameter, arg, origin, offset in zip(
        bound.kernel.parameters, bound.args, bound.origins, launch.offsets, strict=True
    ):
        is_array = isinstance(arg, np.ndarray)
        code = "Q" if is_array else number_code(parameter, type(arg))
        if code is None:
            return None
        if origin is None:
            if is_array:
                memory.append(arg)
            constants.append(arg.ctypes.data if is_array else arg)
            origin = words + len(constants) - 1
        places.append(origin)
        layout += f"{offset - end}x{code}"
        end = offset + struct.calcsize(f"<{code}")
    launch.forget_arguments()
    return _Filled(launch, layout, constants, places, memory)
