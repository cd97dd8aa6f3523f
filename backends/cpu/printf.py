"""The buffer that kernels print into, and its content as text."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    StringAttr,
    VectorType,
)
from xdsl.ir import Attribute

from polycl.backends.printf import FormatError, PrintfValue, format_printf, string_positions
from polycl.dialects.ocl.layout import size_of
from polycl.errors import LaunchError
from polycl.lowering.wg.launch_abi import PRINTF_HEADER, printf_record

CAPACITY = 1 << 20
"""Bytes of records that one launch can print (CL_DEVICE_PRINTF_BUFFER_SIZE of OpenCL is 1 MiB)."""

_FLOAT_CODES = {2: "<e", 4: "<f", 8: "<d"}


@dataclass(frozen=True)
class PrintfFormat:
    """One `ocl.printf` of a kernel: its format and the types of its arguments."""

    text: str
    types: tuple[Attribute, ...]


def read_formats(attribute: Attribute | None) -> tuple[PrintfFormat, ...]:
    """The formats in the attribute that `wg-to-launch` adds to a function."""
    if not isinstance(attribute, ArrayAttr):
        return ()
    formats: list[PrintfFormat] = []
    for entry in attribute:
        assert isinstance(entry, ArrayAttr)
        text, types = entry.data
        assert isinstance(text, StringAttr) and isinstance(types, ArrayAttr)
        formats.append(PrintfFormat(text.data, types.data))
    return tuple(formats)


class PrintfBuffer:
    """The memory that one launch prints into. All bits after the last record are set."""

    def __init__(self, formats: Sequence[PrintfFormat], capacity: int = CAPACITY):
        self._formats = formats
        self._capacity = capacity
        self.memory = np.full(PRINTF_HEADER + capacity, 0xFF, np.uint8)
        self._header = self.memory[:PRINTF_HEADER].view(np.int64)
        self._header[:] = 0, capacity
        self.address = self.memory.ctypes.data

    def take_text(self, string_at: Callable[[int], bytes] = ctypes.string_at) -> str:
        """The printed text, with a line about lost records; empties the buffer.

        `string_at` reads what an argument for `%s` points to, where that is not in this process.

        Raises:
            LaunchError: the arguments do not match their format.
        """
        used = int(self._header[0])
        written = self.memory[PRINTF_HEADER : PRINTF_HEADER + min(used, self._capacity)]
        data = written.tobytes()
        written.fill(0xFF)
        self._header[0] = 0
        pieces: list[str] = []
        at = 0
        while at < len(data):
            number = struct.unpack_from("<q", data, at)[0]
            if number < 0:
                break
            format = self._formats[number]
            offsets, size = printf_record(format.types)
            pieces.append(_format(format, data, at, offsets, string_at))
            at += size
        if used > self._capacity:
            pieces.append(
                f"\nprintf: {used - at} bytes of arguments were lost: one launch can print "
                f"{self._capacity} bytes\n"
            )
        return "".join(pieces)


def _format(
    format: PrintfFormat,
    data: bytes,
    at: int,
    offsets: Sequence[int],
    string_at: Callable[[int], bytes],
) -> str:
    strings = string_positions(format.text)
    values: list[PrintfValue] = []
    for n, (type, offset) in enumerate(zip(format.types, offsets, strict=True)):
        value = _decode(type, data, at + offset)
        if n in strings:
            # It points to constant memory.
            value = string_at(value).decode("latin-1") if value else "(null)"
        values.append((type, value))
    try:
        return format_printf(format.text, values)
    except FormatError as error:
        raise LaunchError(str(error)) from error


def _decode(type: Attribute, data: bytes, at: int) -> Any:
    match type:
        case VectorType():
            step = size_of(type.element_type)
            count = type.element_count()
            return tuple(_decode(type.element_type, data, at + i * step) for i in range(count))
        case Float16Type() | Float32Type() | Float64Type():
            return struct.unpack_from(_FLOAT_CODES[size_of(type)], data, at)[0]
        case _:
            return int.from_bytes(data[at : at + size_of(type)], "little")
