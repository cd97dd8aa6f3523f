"""The table of `polycl icd features`: what the OpenCL driver answers about its device."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from pathlib import Path

from polycl.errors import PolyclError

_DISPATCH = {"clGetDeviceIDs": 2, "clGetDeviceInfo": 3}
"""The places of functions in the table that every object begins with (cl_icd.h)."""
_NAME_VERSION = struct.Struct("<I64s")

Query = Callable[[int], bytes]


def features(driver: Path) -> str:
    """A table in Markdown of the versions, features, extensions and limits of `driver`.

    It has what is the same on every machine. Raises PolyclError if the driver does not answer.
    """
    query = _open(driver)
    rows = [("", ""), *((title, answer(query)) for title, answer in _ROWS)]
    lines = [f"| {title} | {text} |" for title, text in rows]
    return "\n".join([lines[0], "|---|---|", *lines[1:]]) + "\n"


def _open(driver: Path) -> Query:
    """The device's answers, by the number of a query."""
    try:
        library = ctypes.CDLL(str(driver))
    except OSError as error:
        raise PolyclError(f"cannot load the driver: {error}") from error
    platform, device = ctypes.c_void_p(), ctypes.c_void_p()
    if library.clIcdGetPlatformIDsKHR(1, ctypes.byref(platform), None) or not platform.value:
        raise PolyclError(f"'{driver}' has no platform")
    table = ctypes.c_void_p.from_address(platform.value).value
    assert table is not None

    def function(name: str, *types: type) -> Callable[..., int]:
        address = ctypes.c_void_p.from_address(table + 8 * _DISPATCH[name]).value
        assert address is not None
        return ctypes.CFUNCTYPE(ctypes.c_int, *types)(address)

    pointer = ctypes.c_void_p
    ids = function("clGetDeviceIDs", pointer, ctypes.c_uint64, ctypes.c_uint, pointer, pointer)
    info = function("clGetDeviceInfo", pointer, ctypes.c_uint, ctypes.c_size_t, pointer, pointer)
    ids(platform, 0xFFFFFFFF, 1, ctypes.addressof(device), None)

    def query(number: int) -> bytes:
        size = ctypes.c_size_t()
        error = info(device, number, 0, None, ctypes.addressof(size))
        data = ctypes.create_string_buffer(size.value)
        error = error or info(device, number, size.value, ctypes.addressof(data), None)
        if error:
            raise PolyclError(f"clGetDeviceInfo({number:#x}) returned the error {error}")
        return data.raw

    return query


def _text(number: int) -> Callable[[Query], str]:
    return lambda query: query(number).rstrip(b"\0").decode() or "no"


def _number(number: int, unit: str = "") -> Callable[[Query], str]:
    return lambda query: f"{int.from_bytes(query(number), 'little'):,}{unit}"


def _yes(number: int) -> Callable[[Query], str]:
    return lambda query: "yes" if any(query(number)) else "no"


def _bits(number: int, *names: str) -> Callable[[Query], str]:
    """The names of the bits that are set, from the lowest; a bit without a name is not shown."""

    def answer(query: Query) -> str:
        found = int.from_bytes(query(number), "little")
        return ", ".join(name for i, name in enumerate(names) if name and found >> i & 1) or "no"

    return answer


def _named(number: int) -> Callable[[Query], str]:
    """Names, without their versions."""
    return lambda query: ", ".join(f"`{name}`" for _, name in _versions(query(number))) or "no"


def _languages(query: Query) -> str:
    versions = [f"{v >> 22}.{v >> 12 & 0x3FF}" for v, _ in _versions(query(0x1066))]
    return ", ".join(versions)


def _versions(data: bytes) -> list[tuple[int, str]]:
    return [
        (version, name.rstrip(b"\0").decode()) for version, name in _NAME_VERSION.iter_unpack(data)
    ]


_FLOATS = (
    *("denormals", "infinities and NaN", "round to nearest", "round to zero"),
    *("round to infinity", "fma", "", "correctly rounded division and square root"),
)
_ROWS: tuple[tuple[str, Callable[[Query], str]], ...] = (
    ("version", _text(0x102F)),
    ("OpenCL C", _languages),
    ("features of OpenCL C 3.0", _named(0x106F)),
    ("extensions", _named(0x1060)),
    (
        "shared virtual memory",
        _bits(0x1053, "coarse grain buffers", "fine grain buffers", "fine grain system", "atomics"),
    ),
    (
        "atomics: orders and scopes",
        _bits(
            0x1063,
            *("relaxed", "acquire and release", "sequentially consistent", "work-item"),
            *("work-group", "device", "all devices"),
        ),
    ),
    ("generic address space", _yes(0x1069)),
    ("non-uniform work-groups", _yes(0x1065)),
    ("work-group collective functions", _yes(0x1068)),
    ("sub-groups in a work-group", _number(0x105C)),
    ("queues", _bits(0x102A, "out of order", "profiling")),
    ("kernels", _bits(0x1029, "compiled", "native")),
    ("pipes", _yes(0x1071)),
    ("queues on the device", _yes(0x1070)),
    ("intermediate languages", _text(0x105B)),
    ("`half`", _bits(0x1033, *_FLOATS)),
    ("`float`", _bits(0x101B, *_FLOATS)),
    ("`double`", _bits(0x1032, *_FLOATS)),
    ("work-items in a work-group", _number(0x1004)),
    ("local memory", _number(0x1023, " bytes")),
    ("constant buffer", _number(0x1020, " bytes")),
    ("program-scope variables", _number(0x104D, " bytes")),
    ("arguments of a kernel", _number(0x1017, " bytes")),
    ("output of `printf` in a launch", _number(0x1049, " bytes")),
    ("width and height of images", _number(0x1011)),
    ("width, height and depth of 3D images", _number(0x1013)),
    ("images of an array", _number(0x1041)),
    ("pixels of a buffer image", _number(0x1040)),
    ("images of a kernel", _number(0x100E)),
    ("samplers of a kernel", _number(0x1018)),
)
