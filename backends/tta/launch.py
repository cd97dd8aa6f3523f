"""One launch: the initial memory of the device, and copying back."""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from polycl.backends.cpu.printf import PrintfBuffer, read_formats
from polycl.backends.device import (
    Executable,
    KernelArg,
    LocalMemory,
    NDRange,
    constants_of,
    facts_of,
    images_of,
)
from polycl.backends.tta.bufalloc import Region
from polycl.backends.tta.interpreter import Result
from polycl.dialects.ocl.layout import size_of
from polycl.errors import ArgumentError
from polycl.lowering.tta.memory_map import (
    ALIGNMENT,
    ARGS,
    BEGIN,
    DATA,
    END,
    FIRST_CONSTANT,
    SCRATCH,
)
from polycl.lowering.wg.launch_abi import (
    FIELDS,
    PRINTF_FORMATS,
    args_block,
    is_local_pointer,
)

MEMORY_LIMIT = 1 << 28
"""The bytes of the device's memory."""

MAX_CYCLES = 10**9
"""The most cycles of a launch."""


class TtaExecutable(Executable):
    """A legalised kernel; `execute` runs it on the device's memory."""

    def __init__(
        self,
        function: FuncOp,
        types: Sequence[Attribute],
        ndrange: NDRange,
        execute: Callable[[bytearray, int], Result],
    ):
        """`execute` takes the memory and the most cycles."""
        self.name = function.sym_name.data
        self.block = args_block(types)
        self.ndrange = ndrange
        self.execute = execute
        self.args_address = _integer(function, ARGS)
        self.scratch_address = _integer(function, SCRATCH)
        data = function.attributes[DATA]
        assert isinstance(data, DenseArrayBase)
        numbers = cast(Sequence[int], data.get_values())
        self.data = bytes(number & 0xFF for number in numbers)
        formats = read_formats(function.attributes.get(PRINTF_FORMATS))
        self.printf = PrintfBuffer(formats) if formats else None
        """The memory that the kernel prints into."""

    def run(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """Raises as `check`, and SimulationError if the program does something undefined."""
        self.check(args, ndrange)
        image = _Image(self, args, ndrange)
        self.execute(image.memory, MAX_CYCLES)
        image.copy_back()
        if self.printf is not None:
            sys.stdout.write(self.printf.take_text(image.string_at))

    def check(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """Raises ArgumentError if arguments or sizes differ from those at compile time."""
        if not ndrange.is_uniform:
            raise ArgumentError(
                f"kernel '{self.name}': the device 'tta' has groups of one size only; the local "
                f"size {ndrange.local_size} does not divide {ndrange.global_size}"
            )
        if ndrange.local_size != self.ndrange.local_size:
            raise ArgumentError(
                f"kernel '{self.name}' was compiled for the local size "
                f"{self.ndrange.local_size}, got {ndrange.local_size}"
            )
        facts = self.ndrange.facts
        positions = [position for position, _ in facts.constants]
        given = replace(
            facts_of(args),
            constants=constants_of(args, positions),
            images=images_of(args, [position for position, _ in facts.images]),
        )
        if not facts.hold_for(given):
            raise ArgumentError(
                f"kernel '{self.name}' was compiled for arguments with {facts}, got {given}"
            )
        if len(args) != len(self.block.types):
            raise ArgumentError(
                f"kernel '{self.name}' takes {len(self.block.types)} arguments, got {len(args)}"
            )

    def cycles(
        self, args: Sequence[KernelArg], ndrange: NDRange, groups: tuple[int, int], most: int
    ) -> int:
        """The cycles of these groups, the first and the one after the last, alone: no array
        changes. Raises SimulationError if there are more than `most`."""
        return self.execute(_Image(self, args, ndrange, groups).memory, most).with_stalls

    def dispatch(self, args: Sequence[KernelArg], ndrange: NDRange) -> None:
        """A launch without work-groups: it takes the cycles of dispatch."""
        self.execute(_Image(self, args, ndrange, groups=(0, 0)).memory, MAX_CYCLES)


class _Image:
    """The device's memory for one launch."""

    def __init__(
        self,
        kernel: TtaExecutable,
        args: Sequence[KernelArg],
        ndrange: NDRange,
        groups: tuple[int, int] | None = None,
    ):
        """`groups`: the first and the one after the last that is executed (default: all)."""
        self.kernel = kernel
        self.end = kernel.args_address + kernel.block.size
        self._region = Region(self.end, MEMORY_LIMIT - self.end, ALIGNMENT)
        self._copies: list[tuple[int, int, int]] = []
        """Address on the host, bytes, address on the device: ranges that do not overlap."""
        self._read_only = {
            arg.ctypes.data
            for arg in args
            if isinstance(arg, np.ndarray) and not arg.flags.writeable
        }
        printed = [] if kernel.printf is None else [kernel.printf.memory]
        self._place([*(arg for arg in args if isinstance(arg, np.ndarray)), *printed])
        block = bytearray(kernel.block.size)
        for i, (type, offset) in enumerate(
            zip(kernel.block.types, kernel.block.offsets, strict=True)
        ):
            data = self._argument(i, type, args[i])
            block[offset : offset + len(data)] = data
        begin, end = (0, math.prod(ndrange.num_groups)) if groups is None else groups
        fields = (
            *(*ndrange.global_size, *ndrange.local_size, *ndrange.num_groups),
            *(*ndrange.global_offset, ndrange.work_dim),
            0 if kernel.printf is None else self._address(kernel.printf.address),
            *(*ndrange.groups.first, *ndrange.groups.groups, *ndrange.local_size),
        )
        assert len(fields) == len(FIELDS)
        start = kernel.block.fields
        block[start:] = np.array(fields, np.int64).tobytes()
        self.memory = bytearray(self.end)
        self._write(BEGIN, begin.to_bytes(4, "little"))
        self._write(END, end.to_bytes(4, "little"))
        self._write(FIRST_CONSTANT, kernel.data)
        self._write(kernel.args_address, bytes(block))
        for host, nbytes, address in self._copies:
            self._write(address, ctypes.string_at(host, nbytes))

    def copy_back(self) -> None:
        """Copies the buffers back to the arrays."""
        for host, nbytes, address in self._copies:
            if host not in self._read_only:
                ctypes.memmove(host, bytes(self.memory[address : address + nbytes]), nbytes)

    def string_at(self, address: int) -> bytes:
        """The bytes at `address` up to a zero."""
        return bytes(self.memory[address : self.memory.index(0, address)])

    def _write(self, address: int, data: bytes) -> None:
        self.memory[address : address + len(data)] = data

    def _reserve(self, nbytes: int) -> int:
        address = self._region.allocate(max(nbytes, 1))
        self.end = max(self.end, address + nbytes)
        return address

    def _place(self, arrays: Sequence[np.ndarray[Any, Any]]) -> None:
        """Arrays that overlap on the host overlap here, too."""
        merged: list[list[int]] = []
        for start, size in sorted((a.ctypes.data, a.nbytes) for a in arrays):
            if merged and start < merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], start + size)
            else:
                merged.append([start, start + size])
        for start, end in merged:
            # An address has the same lowest bits here as there.
            address = self._reserve(end - start + start % ALIGNMENT) + start % ALIGNMENT
            self._copies.append((start, end - start, address))

    def _address(self, host: int) -> int:
        """The address on the device of an address in an array."""
        for start, nbytes, address in self._copies:
            if start <= host < start + max(nbytes, 1):
                return address + host - start
        raise AssertionError("the array has no place")

    def _argument(self, position: int, type: Attribute, arg: KernelArg) -> bytes:
        """The bytes of an argument in the args block."""
        match arg:
            case LocalMemory() if is_local_pointer(type):
                address = self._reserve(arg.nbytes) - self.kernel.scratch_address
                return address.to_bytes(8, "little")
            case None:
                return bytes(8)
            case np.ndarray():
                return self._address(arg.ctypes.data).to_bytes(8, "little")
            case bytes() if len(arg) == size_of(type):
                return arg
            case _:
                raise ArgumentError(
                    f"kernel '{self.kernel.name}': argument {position} is not a value of {type}: "
                    f"{arg!r:.60}"
                )


def _integer(function: FuncOp, name: str) -> int:
    value = function.attributes[name]
    assert isinstance(value, IntegerAttr)
    return value.value.data
