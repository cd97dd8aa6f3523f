"""Calls that the IR has no operation for, but that can be made: part of a buffer, texts, clocks.

Each function gets the operation and the values of the interpreter, and gives such values.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerType, StringAttr

from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.state import located_error
from polycl.dialects.ocl import OpaqueOp
from polycl.errors import ArgumentError
from polycl.runtime.host_run.memory import Buffer

_LENGTHS = re.compile(r"(%[-+ #0-9.]*)(?:hh|h|ll|l|z|j|t|L)(?=[diouxXeEfgGc])")


def _sub_buffer(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    """OpenCL 1.2, section 5.2.1: the memory of a buffer from a byte on."""
    buffer, origin, size = values
    assert isinstance(buffer, Buffer)
    if not 0 <= origin <= origin + size <= buffer.nbytes:
        raise located_error(
            op, f"{size} bytes from {origin} on of a buffer that has {buffer.nbytes}"
        )
    try:
        return [buffer.part(origin, size)]
    except ArgumentError as error:
        raise located_error(op, str(error)) from None


def _print(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    texts = op.attributes.get("texts")
    text = ""
    if isinstance(texts, ArrayAttr) and texts.data and isinstance(texts.data[0], StringAttr):
        text = texts.data[0].data
    numbers = tuple(
        _signed(value, argument.type) for argument, value in zip(op.arguments, values, strict=True)
    )
    line_end = "\n" if op.function.data == "puts" else ""
    try:
        sys.stdout.write((_LENGTHS.sub(r"\1", text) % numbers if numbers else text) + line_end)
    except (TypeError, ValueError) as error:
        raise located_error(op, f"cannot print {text!r}: {error}") from None
    return _nothing(op, values)


def _signed(value: Any, type: Any) -> Any:
    if not isinstance(type, IntegerType | IndexType):
        return value
    bits = 8 * codec_of(type).size
    return value - (1 << bits) if value >> (bits - 1) else value


def _nothing(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    return [codec_of(result.type).zero for result in op.results_]


def _clock(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    """Microseconds, as CLOCKS_PER_SEC says on POSIX systems."""
    return [time.perf_counter_ns() // 1000 for _ in op.results_]


KNOWN: dict[str, Callable[[OpaqueOp, Sequence[Any]], list[Any]]] = {
    "clCreateSubBuffer": _sub_buffer,
    **dict.fromkeys(("printf", "puts"), _print),
    **dict.fromkeys(("fprintf", "fflush", "perror", "gettimeofday", "clock_gettime"), _nothing),
    "clock": _clock,
}
