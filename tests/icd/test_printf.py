"""The driver's printf prints the text of `polycl.backends.printf` and of `PrintfBuffer`."""

from __future__ import annotations

import ctypes
import itertools
import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from xdsl.dialects.builtin import VectorType, f16, f32, f64, i8, i16, i32, i64
from xdsl.ir import Attribute

import polycl.runtime.icd
from polycl.backends.cpu.printf import CAPACITY, PrintfBuffer, PrintfFormat
from polycl.backends.printf import format_printf, string_positions
from polycl.dialects.ocl import AddressSpace, PtrType
from polycl.dialects.ocl.layout import size_of
from polycl.lowering.wg.launch_abi import PRINTF_HEADER, printf_record

DRIVER = Path(polycl.runtime.icd.__file__).parent
COMPILER = which("cc")

TEXT_ADDRESS = 0x7000_0000
"""Where the program has the text that arguments for %s point to."""

MAIN = """
#define _GNU_SOURCE
#include "driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static char *contents(const char *path, char *to, size_t space) {
  FILE *file = fopen(path, "rb");
  to[fread(to, 1, space - 1, file)] = 0;
  fclose(file);
  return to;
}

int main(int count, char **arguments) {
  (void)count;
  char *text = mmap((void *)TEXT_ADDRESS, 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  strcpy(text, TEXT);
  size_t space = 1 << 22;
  char *meta = contents(arguments[1], malloc(space), space);
  struct printf_format *formats = printf_formats(meta);
  char *buffer = malloc(PRINTF_HEADER + PRINTF_BYTES);
  printf_start(buffer);
  char *records = malloc(space);
  contents(arguments[2], records, space);
  int64_t used = strtoll(arguments[3], NULL, 10), size = strtoll(arguments[4], NULL, 10);
  for (int launch = 0; launch < 2; ++launch) { // the buffer can be used again
    memcpy(buffer, &used, 8);
    memcpy(buffer + PRINTF_HEADER, records, (size_t)size);
    printf_flush(formats, buffer);
  }
  printf_flush(formats, buffer);
  for (size_t i = 0; i < PRINTF_BYTES; ++i)
    if (buffer[PRINTF_HEADER + i] != -1) return 1;
  printf_free(formats);
  return printf_formats("polycl 1\\n") != NULL;
}
"""
TEXT = "some text"

Print = tuple[str, Sequence[tuple[Attribute, Any]]]
"""A format, and the types and values of its arguments."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if COMPILER is None:
        pytest.skip("needs a C compiler: install gcc or clang")
    folder = tmp_path_factory.mktemp("printf")
    (folder / "main.c").write_text(MAIN)
    define = f'-DTEXT="{TEXT}"'
    subprocess.run(
        [
            *(COMPILER, "-std=c11", "-Wall", "-Wextra", "-Werror", define, "-I", str(DRIVER)),
            *(f"-DTEXT_ADDRESS={TEXT_ADDRESS}", "-o", str(folder / "main"), str(folder / "main.c")),
            str(DRIVER / "printf.c"),
        ],
        check=True,
    )
    return folder / "main"


def type_name(type: Attribute) -> str:
    match type:
        case PtrType():
            return "p"
        case VectorType():
            return f"{type.element_type}x{type.element_count()}"
        case _:
            return str(type)


def encode(type: Attribute, value: Any) -> bytes:
    if isinstance(type, VectorType):
        elements = b"".join(encode(type.element_type, element) for element in value)
        return elements.ljust(size_of(type), b"\xff")
    if type in (f16, f32, f64):
        return struct.pack({2: "<e", 4: "<f", 8: "<d"}[size_of(type)], value)
    return (value % (1 << 8 * size_of(type))).to_bytes(size_of(type), "little")


def record(number: int, values: Sequence[tuple[Attribute, Any]]) -> bytes:
    offsets, size = printf_record([type for type, _ in values])
    data = bytearray(struct.pack("<q", number).ljust(size, b"\xee"))
    for offset, (type, value) in zip(offsets, values, strict=True):
        encoded = encode(type, value)
        data[offset : offset + len(encoded)] = encoded
    return bytes(data)


def printed(
    program: Path, prints: Sequence[Print], records: bytes, used: int
) -> subprocess.CompletedProcess[bytes]:
    """What the driver prints for records that claim to be `used` bytes, twice."""
    lines = ["polycl 1", "type\tvariant", "scratch\t0"]
    for format, values in prints:
        text = format.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
        lines.append("\t".join(["printf", text, *(type_name(type) for type, _ in values)]))
    meta, data = program.with_name("meta"), program.with_name("records")
    meta.write_text("\n".join([*lines, ""]), encoding="utf-8")
    data.write_bytes(records)
    return subprocess.run(
        [program, meta, data, str(used), str(len(records))], capture_output=True, check=True
    )


def texts(program: Path, prints: Sequence[Print]) -> tuple[bytes, bytes]:
    """The texts of the driver and of `PrintfBuffer` for one launch with all these."""
    records = b"".join(record(n, values) for n, (_, values) in enumerate(prints))
    result = printed(program, prints, records, len(records)).stdout
    half = len(result) // 2
    assert result[:half] == result[half:]
    return result[:half], expected_text(prints, records, len(records)).encode("latin-1")


def expected_text(prints: Sequence[Print], records: bytes, used: int) -> str:
    formats = [PrintfFormat(text, tuple(type for type, _ in values)) for text, values in prints]
    buffer = PrintfBuffer(formats)
    ctypes.memmove(buffer.address, used.to_bytes(8, "little"), 8)
    ctypes.memmove(buffer.address + PRINTF_HEADER, records, len(records))
    return buffer.take_text()


FLAGS = ["", "-", "0", "+", " ", "#", "-+", "0+", "# 0", "-#", "00", "+ "]
SIZES = ["", "1", "9", "24", ".0", ".1", "9.3", "20.14", ".30"]


def test_integers(program: Path) -> None:
    values = [0, 1, -1, 5, 127, -128, 32767, 65535, 2**31, -(2**31), 2**63 - 1, -(2**63)]
    prints: list[Print] = [
        (f"<%{flags}{size}{length}{conversion}>\n", [(type, value)])
        for flags, size, length, conversion in itertools.product(
            FLAGS, SIZES, ["", "hh", "h", "l"], "dioxXu"
        )
        for type, value in zip([i8, i16, i32, i64] * 3, values, strict=True)
    ]
    got, expected = texts(program, prints)
    assert got == expected


def test_floats(program: Path) -> None:
    values = [
        *(0.0, -0.0, 1.0, -1.5, 0.1, 1 / 3, 65504.0, 6e-8, 6.1e-5, 2.5, 0.5, 9.9996, 123456.0),
        *(float("inf"), -float("inf"), float("nan"), -float("nan")),
    ]
    doubles = [5e-324, 1.7976931348623157e308, 1e-310, -1e100, 1.9999999999999998, 0.999999999]
    arguments = [
        *((f16, value) for value in values if abs(value) < 65505 or value * 0 != 0),
        *((f32, value) for value in [*values, 1e-45, 3.4e38, 16777217.0]),
        *((f64, value) for value in values + doubles),
    ]
    prints: list[Print] = [
        (f"<%{flags}{size}{conversion}>\n", [argument])
        for flags, size, conversion in itertools.product(FLAGS, SIZES, "fFeEgGaA")
        for argument in arguments
    ]
    for start in range(0, len(prints), 10000):  # as many as a buffer holds
        got, expected = texts(program, prints[start : start + 10000])
        assert got.split(b"\n") == expected.split(b"\n")


def test_every_half(program: Path) -> None:
    prints: list[Print] = [
        ("%a\n", [(f16, struct.unpack("<e", struct.pack("<H", bits))[0])])
        for bits in range(0, 1 << 16, 7)
    ]
    got, expected = texts(program, prints)
    assert got == expected


def test_vectors(program: Path) -> None:
    prints: list[Print] = []
    for count in (2, 3, 4, 8, 16):
        for type, length in ((i8, "hh"), (i16, "h"), (i32, "hl"), (i64, "l")):
            values = tuple((-1) ** n * 37 * n for n in range(count))
            for conversion in "dux":
                text = f"<%#5.2v{count}{length}{conversion}>\n"
                prints.append((text, [(VectorType(type, [count]), values)]))
                prints.append((f"%v{count}{conversion}\n", [(VectorType(type, [count]), values)]))
        for type, length in ((f16, "h"), (f32, "hl"), (f64, "l")):
            values = tuple((-1) ** n * 0.25 * n for n in range(count))
            for conversion in "fga":
                text = f"<%08.3v{count}{length}{conversion}|%d>\n"
                prints.append((text, [(VectorType(type, [count]), values), (i32, count)]))
    got, expected = texts(program, prints)
    assert got == expected


def test_text(program: Path) -> None:
    pointer = PtrType(i8, AddressSpace.CONSTANT)
    prints: list[Print] = [
        ("no arguments, 100%%, 5 %-3% tab\t, \\n backslash\n", []),
        ("more arguments than conversions %d\n", [(i32, 1), (i32, 2)]),
        ("bytes \xe4\xff\n", []),
        *((f"<%{flags}c>", [(i8, 65)]) for flags in ("", "5", "-5", "05")),
        ("<%c%3c>", [(i32, 0x141), (i8, 0)]),
        *(
            (f"<%{flags}s>\n", [(pointer, address)])
            for flags in ("", "12", "-12", ".4", "012.4", ".0", "-8.20")
            for address in (TEXT_ADDRESS, TEXT_ADDRESS + 5, 0)
        ),
        *(
            (f"<%{flags}p>\n", [(type, value)])
            for flags in ("", "20", "-20", "020")
            for type, value in ((pointer, 0), (pointer, 0xDEADBEEF), (i64, 2**64 - 1), (i32, 7))
        ),
        ("%s %s %d\n", [(pointer, TEXT_ADDRESS), (pointer, 0), (i32, 3)]),
    ]
    records = b"".join(record(n, values) for n, (_, values) in enumerate(prints))
    got = printed(program, prints, records, len(records)).stdout
    expected = "".join(
        format_printf(format, shown(format, values)) for format, values in prints
    ).encode("latin-1")
    assert got == expected * 2


def shown(format: str, values: Sequence[tuple[Attribute, Any]]) -> Sequence[tuple[Attribute, Any]]:
    """The arguments with the texts that those for %s point to."""
    strings = string_positions(format)
    return [
        (type, (TEXT[value - TEXT_ADDRESS :] if value else "(null)") if n in strings else value)
        for n, (type, value) in enumerate(values)
    ]


def test_lost_records(program: Path) -> None:
    prints: list[Print] = [("%d\n", [(i32, 1)])]
    records = record(0, [(i32, 7)]) * 3
    used = CAPACITY + 160
    got = printed(program, prints, records, used).stdout
    assert got.decode() == expected_text(prints, records, used) * 2


@pytest.mark.parametrize(
    ("format", "type", "message"),
    [
        ("%d", f32, "'%d' is for an integer, the argument is f32"),
        ("%f", i32, "'%f' is for a float, the argument is i32"),
        ("%s", i32, "'%s' is for a pointer to constant char, the argument is i32"),
        ("%p", f64, "'%p' is for a pointer, the argument is f64"),
        ("%v2d", i32, "'%v2d' is for a vector of 2, the argument is i32"),
        ("%d", VectorType(i32, [2]), "'%d' is for a scalar, the argument is i32x2"),
        ("%v5d", i32, "'%v5d' is not a vector conversion"),
        ("%hld", i32, "'%hld' has the length hl, which is of vectors"),
        ("%lld", i32, "'%ll' is not a conversion"),
        ("%d%d", i32, "'%d' has no argument"),
        ("%", i32, "'%' is not a conversion"),
    ],
)
def test_what_is_refused(program: Path, format: str, type: Attribute, message: str) -> None:
    value = (1, 2) if isinstance(type, VectorType) else 1
    data = record(0, [(type, value)])
    result = printed(program, [(format, [(type, value)])], data, len(data))
    assert f"polycl: printf: {message}" in result.stderr.decode()


def test_kernels_that_print(run_host: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    before, after = run_host("printing.py").stdout.split("between\n")
    line = "ä \\ \t{n} 1.00,2.50,-3.00,nan|constant me|x|(nil)\n"
    first, second = line.format(n=1) + "0,100%\n", line.format(n=3) + "0,1,2,100%\n"
    assert before == first + second
    numbers, message = after.split("\n\n")
    printed = [line.split() for line in numbers.splitlines()]
    record_bytes = 24  # the number of the format, and two arguments
    assert len(printed) == CAPACITY // record_bytes
    assert all(zero == "0" for zero, _ in printed)
    assert len({item for _, item in printed}) == len(printed)
    lost = 50000 * record_bytes - len(printed) * record_bytes
    assert message == (
        f"printf: {lost} bytes of arguments were lost: one launch can print {CAPACITY} bytes\n"
    )
