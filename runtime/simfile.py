"""Oclgrind's simulator files: a kernel, its index space and its arguments, in plain text.

```
# Words are separated by white space; a comment ends with its line.
vecadd.cl           the file with the kernel, as seen from this file's folder
vecadd              the kernel
1024 1 1            global size
16 1 1              work-group size

<size=4096 range=0:1:1023>      then the arguments, in order: a header and its data
<size=4096 fill=0 dump>
<size=4>
1024
```

The words of a header:

    size=N              bytes: of the buffer, of the local memory, or of the value
    char uchar short ushort int uint long ulong float double
                        the type of the data; by default the parameter's
    fill=V              every element is V
    range=A:STEP:B      A, A+STEP, ... B
    noinit              a buffer with no content
    null                a null pointer
    hex                 integers are read and printed in hexadecimal
    dump                print the buffer after the run
    ro wo               the kernel only reads, only writes the buffer

Without fill, range or noinit the data follow, as many as fit. Local memory has none. The format
is documented on Oclgrind's wiki, "Running Kernels in Isolation".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from polycl.backends.device import LocalMemory, Size3
from polycl.dialects.ocl import AddressSpace
from polycl.errors import PolyclError, SourceError
from polycl.runtime.dtypes import element_name, element_of
from polycl.runtime.parameters import Parameter

TYPES: dict[str, np.dtype[Any]] = {
    "char": np.dtype("<i1"),
    "uchar": np.dtype("<u1"),
    "short": np.dtype("<i2"),
    "ushort": np.dtype("<u2"),
    "int": np.dtype("<i4"),
    "uint": np.dtype("<u4"),
    "long": np.dtype("<i8"),
    "ulong": np.dtype("<u8"),
    "float": np.dtype("<f4"),
    "double": np.dtype("<f8"),
}
"""The type names of a header."""

_BUFFERS = (AddressSpace.GLOBAL, AddressSpace.CONSTANT)


@dataclass(frozen=True)
class Word:
    """A word of the file and its place: line and column from 1."""

    text: str
    line: int
    col: int


@dataclass(frozen=True)
class SimArgument:
    """One argument: its value for a device, and how to print it."""

    name: str
    value: NDArray[Any] | LocalMemory | bytes | None
    dtype: np.dtype[Any]
    """The type that data are read and printed as."""

    dump: bool = False
    hex: bool = False
    access: str | None = None
    """"ro", "wo" or "noinit": the accesses that the checks watch."""


class SimFile:
    """The head of a simulator file; `arguments` reads the rest when the kernel is known."""

    def __init__(self, path: Path):
        """Read the head of the file at `path`.

        Raises:
            PolyclError: the file cannot be read, or is malformed (located).
        """
        self.name = str(path)
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise PolyclError(f"cannot open '{path}': {error.strerror}") from error
        self._lines = text.splitlines()
        self._words = _Words(self.name, self._lines)
        self.program = path.parent / self._words.take("the name of a program file").text
        self.kernel = self._words.take("the name of a kernel").text
        self.global_size = self._sizes("global size")
        self.local_size = self._sizes("work-group size")

    def arguments(self, parameters: tuple[Parameter, ...]) -> list[SimArgument]:
        """The arguments for a kernel with `parameters`.

        Raises:
            SourceError: one is malformed, does not fit its parameter or is missing, or there
                are too many.
        """
        values = [_argument(self._words, parameter) for parameter in parameters]
        rest = self._words.peek()
        if rest is not None:
            self._words.error(
                rest,
                f"unexpected '{rest.text}'; kernel '{self.kernel}' has {len(parameters)} "
                f"argument{'s' * (len(parameters) != 1)}, which are read",
            )
        return values

    def _sizes(self, what: str) -> Size3:
        x, y, z = (self._words.take(f"the {what}: three numbers") for _ in range(3))
        return self._size(x, what), self._size(y, what), self._size(z, what)

    def _size(self, word: Word, what: str) -> int:
        if not word.text.isdecimal() or int(word.text) < 1:
            self._words.error(word, f"'{word.text}' is not a {what}; expected a positive number")
        return int(word.text)


class _Words:
    """The words of a file in order; a header is one word."""

    def __init__(self, name: str, lines: list[str]):
        self._name = name
        self._lines = lines
        self._all = list(self._split())
        self._next = 0

    def _split(self) -> Iterator[Word]:
        for number, line in enumerate(self._lines, 1):
            line = line.partition("#")[0]
            for match in re.finditer(r"<.*>|<.*|[^\s<]+", line):
                yield Word(match[0], number, match.start() + 1)

    def peek(self) -> Word | None:
        return self._all[self._next] if self._next < len(self._all) else None

    def take(self, what: str) -> Word:
        """The next word, which should be `what`."""
        word = self.peek()
        if word is None:
            end = Word("", max(len(self._lines), 1), 1)
            self.error(end, f"the file ends; expected {what}")
        self._next += 1
        return word

    def error(self, word: Word, message: str) -> NoReturn:
        line = self._lines[word.line - 1] if self._lines else ""
        raise SourceError(message, self._name, word.line, word.col, source_line=line)


@dataclass
class _Header:
    """The words between < and >."""

    size: int | None = None
    type: str | None = None
    fill: Word | None = None
    range: Word | None = None
    noinit: bool = False
    null: bool = False
    hex: bool = False
    dump: bool = False
    access: str | None = None


def _argument(words: _Words, parameter: Parameter) -> SimArgument:
    what = f"the argument header <size=...> of '{parameter.name}' ({parameter.type_text})"
    word = words.take(what)
    if not word.text.startswith("<"):
        words.error(word, f"expected {what}, got '{word.text}'")
    if not word.text.endswith(">"):
        words.error(word, "the header has no '>' at its end; expected <...> on one line")
    header = _header(words, word, parameter)
    if header.null:
        return SimArgument(parameter.name, None, TYPES["uchar"])
    if header.size is None:
        words.error(word, "the header has no size; expected <size=BYTES ...>")
    dtype = TYPES[header.type or _default_type(words, word, parameter)]
    if header.size % dtype.itemsize:
        words.error(
            word,
            f"{header.size} bytes are not a multiple of {dtype.itemsize}, the size of the type",
        )
    if parameter.space is AddressSpace.LOCAL:
        if header.size == 0:
            words.error(word, "local memory has at least 1 byte")
        return SimArgument(parameter.name, LocalMemory(header.size), dtype)
    data = _data(words, word, header, dtype)
    if parameter.space is None:
        expected = parameter.dtype.itemsize
        value = data.tobytes()
        if len(value) != expected:
            words.error(
                word,
                f"size={header.size}, but parameter '{parameter.name}' ({parameter.type_text}) "
                f"has {expected} bytes",
            )
        return SimArgument(parameter.name, value, dtype)
    access = header.access or ("noinit" if header.noinit else None)
    return SimArgument(parameter.name, data, dtype, header.dump, header.hex, access)


def _header(words: _Words, word: Word, parameter: Parameter) -> _Header:
    header = _Header()
    for match in re.finditer(r"[^\s<>]+", word.text):
        token = Word(match[0], word.line, word.col + match.start())
        name, equals, value = token.text.partition("=")
        inner = Word(value, token.line, token.col + len(name) + 1)
        if (name in ("size", "fill", "range")) != bool(equals and value):
            words.error(token, f"unknown word '{token.text}' in the header; {_KNOWN}")
        match name:
            case "size" if not value.isdecimal():
                words.error(inner, f"'{value}' is not a size; expected a number of bytes")
            case "size":
                header.size = int(value)
            case "fill":
                header.fill = inner
            case "range":
                header.range = inner
            case "hex" | "dump" | "noinit" | "null":
                setattr(header, name, True)
            case "ro" | "wo" if header.access not in (None, name):
                words.error(token, "'ro' and 'wo' exclude each other")
            case "ro" | "wo":
                header.access = name
            case _ if name in TYPES and header.type is not None:
                words.error(token, f"the type is given twice: '{header.type}' and '{name}'")
            case _ if name in TYPES:
                header.type = name
            case _:
                words.error(token, f"unknown word '{token.text}' in the header; {_KNOWN}")
        if name in ("dump", "noinit", "null", "ro", "wo") and parameter.space not in _BUFFERS:
            words.error(token, f"'{name}' is for buffers; '{parameter.name}' is not a buffer")
    _check_exclusive(words, word, header)
    return header


_KNOWN = "expected size=N, fill=V, range=A:STEP:B, noinit, null, hex, dump, ro, wo or a type"


def _check_exclusive(words: _Words, word: Word, header: _Header) -> None:
    given = [name for name in ("fill", "range", "noinit") if getattr(header, name)]
    if len(given) > 1:
        words.error(word, f"{' and '.join(given)} exclude each other")
    if header.null and (given or header.size is not None or header.dump):
        words.error(word, "'null' has no size, no data and no dump")


def _default_type(words: _Words, word: Word, parameter: Parameter) -> str:
    """The name of the type of a parameter's elements: that of the source, or one of its size."""
    name = element_name(parameter.spelling)
    if name == "void":
        return "uchar"
    if name in TYPES:
        return name
    base = element_of(parameter.pointee).base
    for name, dtype in TYPES.items():
        if str(base) == f"{'f' if dtype.kind == 'f' else 'i'}{8 * dtype.itemsize}":
            return name
    words.error(
        word,
        f"'{parameter.name}' ({parameter.type_text}) has no type that data are read as; "
        f"expected one of {', '.join(TYPES)} in the header",
    )


def _data(words: _Words, word: Word, header: _Header, dtype: np.dtype[Any]) -> NDArray[Any]:
    assert header.size is not None
    count = header.size // dtype.itemsize
    if header.noinit:
        return np.zeros(count, dtype)
    if header.fill is not None:
        return np.full(count, _number(words, header.fill, dtype, header.hex), dtype)
    if header.range is not None:
        return _range(words, header.range, dtype, header.hex, count)
    result = np.empty(count, dtype)
    for index in range(count):
        value = words.take(f"element {index} of {count}")
        result[index] = _number(words, value, dtype, header.hex)
    return result


def _range(
    words: _Words, word: Word, dtype: np.dtype[Any], is_hex: bool, count: int
) -> NDArray[Any]:
    parts = word.text.split(":")
    if len(parts) != 3:
        words.error(word, f"'{word.text}' is not a range; expected START:STEP:END")
    first, step, last = (
        _number(words, Word(part, word.line, word.col), dtype, is_hex).item() for part in parts
    )
    steps = (last - first) / step + 1 if step else math.inf
    if steps != count:
        have = f"has {steps:g} elements" if step else "never ends"
        words.error(word, f"the range {have}; the size is that of {count}")
    # Sums in the type of the data.
    return np.cumsum(np.array([first] + [step] * (count - 1), dtype), dtype=dtype)


def _number(words: _Words, word: Word, dtype: np.dtype[Any], is_hex: bool) -> Any:
    """The number in `word`; an unsigned number may be written as a negative one."""
    text = word.text
    if dtype.kind == "f":
        try:
            value = float(text)
        except ValueError:
            words.error(word, f"'{text}' is not a number")
        with np.errstate(over="ignore"):
            return dtype.type(value)
    try:
        number = int(text, 16 if is_hex else 10)
    except ValueError:
        kind = "a hexadecimal integer" if is_hex else "an integer"
        words.error(word, f"'{text}' is not {kind}")
    bits = 8 * dtype.itemsize
    is_signed = dtype.kind == "i"
    if not -(1 << (bits - 1)) <= number < 1 << (bits - is_signed):
        words.error(word, f"{number} does not fit into {bits} bits")
    return np.frombuffer((number % (1 << bits)).to_bytes(dtype.itemsize, "little"), dtype)[0]


def dump(argument: SimArgument) -> str:
    """The content of a buffer as Oclgrind prints it."""
    assert isinstance(argument.value, np.ndarray)
    lines = [f"\nArgument '{argument.name}': {argument.value.nbytes} bytes"]
    values = argument.value.reshape(-1).view(argument.dtype)
    lines += (f"  {argument.name}[{i}] = {_text(v, argument.hex)}" for i, v in enumerate(values))
    return "\n".join([*lines, ""])


def _text(value: Any, is_hex: bool) -> str:
    """As a C++ stream prints it: floats with 6 significant digits."""
    size = value.dtype.itemsize
    if value.dtype.kind == "f":
        sign = "-" if np.isnan(value) and np.signbit(value) else ""
        text = f"{sign}{float(value):g}"
    elif is_hex:
        # A char is printed as the int that it becomes.
        bits = 32 if size == 1 else 8 * size
        text = f"{int(value) & ((1 << bits) - 1):x}"
    else:
        text = str(int(value))
    return f"0x{text.rjust(2 * size, '0')}" if is_hex else text
