"""Known functions of `host.opaque`: sub-buffers, texts, clocks.

Each function takes the operation and values of the interpreter, and returns such values.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.ir import SSAValue

from polycl.backends.interp.buffers import Buffer as HostArray
from polycl.backends.interp.codec import codec_of
from polycl.backends.interp.state import located_error
from polycl.dialects.host import OpaqueOp
from polycl.errors import ArgumentError
from polycl.runtime.host.run.device_memory import Buffer
from polycl.runtime.host.run.queries import QUERIES

_CONVERSION = re.compile(r"%(?:%|[-+ #0-9.]*(?:hh|h|ll|l|z|j|t|L)?([a-zA-Z]))")
_LENGTHS = re.compile(r"(%[-+ #0-9.]*)(?:hh|h|ll|l|z|j|t|L)(?=[diouxXeEfFgGc])")


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
    text = op.texts[0] if op.texts else ""
    line_end = "\n" if op.function.data == "puts" else ""
    try:
        found = tuple(_printed(op, values, [c for c in _CONVERSION.findall(text) if c]))
        sys.stdout.write((_LENGTHS.sub(r"\1", text) % found if found else text) + line_end)
    except (TypeError, ValueError) as error:
        raise located_error(op, f"cannot print {text!r}: {error}") from None
    return _nothing(op, values)


def _printed(op: OpaqueOp, values: Sequence[Any], conversions: Sequence[str]) -> Iterable[Any]:
    """The values for Python's formatting: signed numbers, and texts of arrays."""
    given = zip(op.arguments, values, strict=True)
    letters = iter(conversions)
    for argument, value in given:
        if isinstance(argument.type, MemRefType):
            start = next(given)[1] if isinstance(_after(op, argument), IndexType) else 0
            yield _text(value, start)
            next(letters, "")
            continue
        is_unsigned = next(letters, "") in "uoxX"
        yield value if is_unsigned else _signed(value, argument.type)


def _text(array: HostArray, start: int = 0) -> str:
    """C's string in an array of characters from an element on."""
    return bytes(array.data)[start:].partition(b"\0")[0].decode(errors="replace")


def _after(op: OpaqueOp, argument: SSAValue) -> Any:
    """The type of an argument; that of an array's offset is index."""
    types = [a.type for a in op.arguments]
    behind = types[list(op.arguments).index(argument) + 1 :]
    return behind[0] if behind else None


def _signed(value: Any, type: Any) -> Any:
    if not isinstance(type, IntegerType | IndexType):
        return value
    bits = 8 * codec_of(type).size
    return value - (1 << bits) if value >> (bits - 1) else value


def _query(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    name = op.function.data
    question = values[0]
    answer = QUERIES[name].get(question)
    if answer is None:
        raise located_error(
            op,
            f"there is no answer to query {question:#x} of '{name}'; "
            f"pass functions={{'{name}': ...}}",
        )
    return [answer()]


def _profile(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    """Nanoseconds: every command has ended when its times are queried."""
    return [time.perf_counter_ns()]


def _nothing(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    return [codec_of(result.type).zero for result in op.results_]


def _compare(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    """`strcmp` of an array and a known text, in either order; only zero is meaningful."""
    held = [
        _text(value)
        for argument, value in zip(op.arguments, values, strict=True)
        if isinstance(argument.type, MemRefType)
    ]
    if len(op.arguments) != len(held) or len(held) + len(op.texts) != 2:
        raise located_error(op, "only two whole texts are compared here")
    a, b = [*held, *op.texts]
    return [(a > b) - (a < b)]


def _exit(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    arguments = ", ".join(str(value) for value in values)
    raise located_error(op, f"the program ended itself: {op.function.data}({arguments})")


def _time(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    return [int(time.time())]


def _clock(op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
    """Microseconds, the unit of CLOCKS_PER_SEC on POSIX systems."""
    return [time.perf_counter_ns() // 1000 for _ in op.results_]


KNOWN: dict[str, Callable[[OpaqueOp, Sequence[Any]], list[Any]]] = {
    "clCreateSubBuffer": _sub_buffer,
    **dict.fromkeys(("printf", "puts"), _print),
    **dict.fromkeys(("fprintf", "fflush", "perror", "gettimeofday", "clock_gettime"), _nothing),
    "clock": _clock,
    "time": _time,
    "strcmp": _compare,
    **dict.fromkeys(("exit", "abort"), _exit),
    "clGetEventProfilingInfo": _profile,
    **dict.fromkeys(QUERIES, _query),
}
