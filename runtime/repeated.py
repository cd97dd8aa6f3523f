"""Calls that differ from an earlier one in values only: they skip its checks.

An array is of the same kind if it has the same type and, as the first one, is C-contiguous, aligned
and (where the kernel may write) writable. A number is packed by `struct`, which refuses a number
that does not fit. All other calls, and those with errors, take the slow path in `Kernel`.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType

from polycl.backends.device import (
    SMALL,
    ArgumentFacts,
    KernelArg,
    LocalMemory,
    facts_of,
    ranges_are_distinct,
)
from polycl.dialects.ocl.layout import size_of
from polycl.runtime.array_sizes import SizeLimits
from polycl.runtime.dtypes import signedness
from polycl.runtime.parameters import Parameter

# Bits of `array.flags.num`, from numpy's C interface.
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x001, 0x100, 0x400

DATA = object.__basicsize__
"""The offset of the data's address in an array object: the first field of numpy's C structure
`PyArrayObject`. `array.ctypes.data` is the same, and takes eight times as long."""

word_at = ctypes.c_uint64.from_address
"""`word_at(id(array) + DATA).value` is the address of an array's data, if `READS_ADDRESSES`."""

_INTEGERS = {1: "b", 2: "h", 4: "i", 8: "q"}
_INTEGER_TYPES = (int, np.int8, np.int16, np.int32, np.int64,
                  np.uint8, np.uint16, np.uint32, np.uint64)  # fmt: skip


def _reads_addresses() -> bool:
    probe = np.zeros(1)
    return word_at(id(probe) + DATA).value == probe.ctypes.data


READS_ADDRESSES = _reads_addresses()


class Refillable(Protocol):
    """A prepared launch whose arguments can be replaced."""

    arguments: memoryview
    """The block of bytes that the kernel reads its arguments from."""

    offsets: tuple[int, ...]
    """The offset of each argument in it."""

    def forget_arguments(self) -> None:
        """Release the arguments with which the launch was prepared."""
        ...

    def __call__(self) -> None: ...


class RepeatedCall:
    """Calls of one kernel with the same sizes, device and kinds of arguments."""

    def __init__(
        self,
        expected: Sequence[tuple[type, Any, int, Any]],
        layout: str,
        make: Callable[[], Refillable],
        facts: ArgumentFacts,
        limits: SizeLimits | None,
    ):
        self._expected = tuple(expected)
        self._pack_into = struct.Struct(layout).pack_into
        self._make = make
        self._facts = facts
        self._limits = limits
        self._free: list[Refillable] = []
        """Launches that no thread is using."""

    def __call__(self, args: Sequence[Any]) -> bool:
        """Launch with `args`. False, without a launch, where they are of another kind."""
        if len(args) != len(self._expected):
            return False
        data: list[Any] = []
        ranges: list[tuple[int, int]] = []
        for arg, (kind, what, needed, shape) in zip(args, self._expected, strict=True):
            if type(arg) is not kind:
                return False
            if kind is np.ndarray:
                if arg.dtype is not what and arg.dtype != what:
                    return False
                if arg.flags.num & needed != needed:
                    return False
                if shape is not None and arg.shape != shape:
                    return False
                address = word_at(id(arg) + DATA).value
                data.append(address)
                ranges.append((address, arg.nbytes))
            elif what is _NUMBER:
                data.append(arg)
            elif arg == what:
                data.append(needed)
            else:
                return False
        if self._limits is not None and not self._limits.hold(data, ranges):
            return False
        if self._facts.distinct_buffers and not ranges_are_distinct(ranges):
            return False
        if self._facts.small_buffers and any(nbytes > SMALL for _, nbytes in ranges):
            return False
        try:
            launch = self._free.pop()
        except IndexError:
            launch = self._make()
        try:
            self._pack_into(launch.arguments, 0, *data)
        except (struct.error, OverflowError):
            self._free.append(launch)
            return False
        launch()
        self._free.append(launch)
        return True

    def reuse(self, launch: Refillable) -> None:
        """Keep `launch`, which has run, for a later call."""
        launch.forget_arguments()
        self._free.append(launch)


_NUMBER = object()
"""Any value of a type."""


def repeated_call(
    parameters: Sequence[Parameter],
    args: Sequence[Any],
    values: Sequence[KernelArg],
    prepare: Callable[[Sequence[KernelArg]], Refillable],
    launch: Refillable,
    limits: SizeLimits | None = None,
) -> RepeatedCall | None:
    """The repetition of `launch`, which was prepared for `values`, the `args` of the call.

    None where one of them is of a kind that always takes the slow path.
    """
    expected: list[tuple[type, Any, int, Any]] = []
    layout = "<"
    end = 0
    for parameter, arg, offset in zip(parameters, args, launch.offsets, strict=True):
        held = int.from_bytes(launch.arguments[offset : offset + 8], "little")
        found = _expected(parameter, arg, held)
        if found is None:
            return None
        code, entry = found
        expected.append(entry)
        layout += f"{offset - end}x{code}"
        end = offset + struct.calcsize(f"<{code}")
    # An array among `values` would live as long as the kernel.
    alike = [None if isinstance(value, np.ndarray) else value for value in values]

    def make() -> Refillable:
        return prepare(alike)

    call = RepeatedCall(expected, layout, make, facts_of(values), limits)
    call.reuse(launch)
    return call


def _expected(
    parameter: Parameter, arg: Any, held: int
) -> tuple[str, tuple[type, Any, int, Any]] | None:
    """The code of `struct`, and type, value or dtype, required flags, and shape of an argument."""
    match arg:
        case np.ndarray() if type(arg) is np.ndarray and READS_ADDRESSES:
            if parameter.space is None:
                return None
            needed = C_CONTIGUOUS | ALIGNED | (0 if parameter.const else WRITEABLE)
            scalar = isinstance(parameter.pointee, IntegerType | Float32Type | Float64Type)
            shape = None if scalar and arg.dtype.names is None else arg.shape
            return "Q", (np.ndarray, arg.dtype, needed, shape)
        case None | LocalMemory():
            return "Q", (type(arg), arg, held, None)
        case _:
            code = number_code(parameter, type(arg))
            return None if code is None else (code, (type(arg), _NUMBER, 0, None))


def number_code(parameter: Parameter, kind: type) -> str | None:
    """The code with which `struct` packs a number of type `kind` as `encode` does, or None."""
    match parameter.type:
        case Float32Type() if kind is float:
            return "f"
        case Float64Type() if kind is float:
            return "d"
        case IntegerType() if kind in _INTEGER_TYPES:
            code = _INTEGERS.get(size_of(parameter.type))
            signed = signedness(parameter.spelling)
            if code is None or signed is None:
                return None
            return code if signed else code.upper()
        case _:
            return None
