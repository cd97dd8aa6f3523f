"""Kernel arguments as short text: `rand:f32:1024`, `2.5f`, `local:4096`, `@picture.npy`.

One argument is one word without spaces:

    rand:T:SHAPE[:LO:HI]      pseudo-random; floats LO <= v < HI (default 0 and 1),
                              integers LO <= v <= HI (default 0 and 99)
    bits:T:SHAPE              pseudo-random bit patterns (any value, NaN and infinity too)
    edges:T:SHAPE             pseudo-random choice of values at the edges: zeros, ones, infinities,
                              NaN, the smallest and largest, and their neighbours
    perm:T:SHAPE              the numbers 0 .. n-1 in pseudo-random order
    iota:T:SHAPE[:START[:STEP]]   START, START+STEP, ... (default 0 and 1)
    zeros:T:SHAPE, ones:T:SHAPE   all zero, all one
    full:T:SHAPE:VALUE        all VALUE
    values:T:V,V,...          exactly these numbers (wrapped into T if T is an integer type)
    @FILE.npy                 a numpy file
    local:BYTES               local memory for a `local` pointer parameter
    image2d:ARRAY             an image of an array as above, of HEIGHTxWIDTH[xCHANNELS]; integers
                              of 8 and 16 bits are read as 0 to 1, or after image2d:raw: as they
                              are; also image1d, image3d and the other kinds of polycl.Image
    pipe:N:ARRAY              a pipe of at most N packets, which holds those of an array as above
    sampler[:WORD...]         a sampler; none, clamp_to_edge, clamp, repeat or mirrored_repeat,
                              nearest or linear, and normalized coordinates
    null                      a null pointer
    3  -7  0x10  2.5  1e-3    a number, converted to the parameter's type
    2.5f 3u 3l 3ul            float, uint, long, ulong, as in OpenCL C
    T(V,...)                  one value of type T, e.g. u8(200), f32x4(1,2,3,4)

T is one of i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64, a vector `f32x4` (2 3 4 8 16 elements,
3 take the space of 4), an array `f32[8]`, or a structure `{pos:f32x4,id:i32}` laid out as an
OpenCL C structure with these members, or `packed{...}` without padding. SHAPE is `64` or `8x16`;
elements are in C order, and a vector in a buffer may as well be written as a trailing dimension
(`rand:f32:64x4`).

A pseudo-random array depends on its text and on the argument's name only, not on numpy's
version: two arguments of one launch differ, and every run has the same data. `seed=N` as the
last field chooses another sequence.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from polycl.backends.device import LocalMemory
from polycl.dialects.ocl import ArrayType, StructType
from polycl.dialects.ocl.attributes import is_scalar
from polycl.errors import ArgumentError
from polycl.runtime.dtypes import dtype_of, element_of
from polycl.runtime.images import IMAGE_SHAPES, Image, Sampler
from polycl.runtime.pipes import Pipe
from polycl.runtime.type_names import SCALAR_TYPES, parse_type, parts_of, split

DataValue: TypeAlias = (
    "NDArray[Any] | np.generic | int | float | LocalMemory | Image | Pipe | Sampler | None"
)

SUFFIXES = {"f": "f32", "u": "u32", "l": "i64", "ul": "u64"}

_NUMBER = re.compile(
    r"(?P<hex>[+-]?0[xX][0-9a-fA-F]+)"
    r"|(?P<float>[+-]?((\d+\.\d*|\.\d+)([eE][+-]?\d+)?|\d+[eE][+-]?\d+|inf|nan))"
    r"|(?P<int>[+-]?\d+)"
)


def parse_data(text: str, name: str = "", folder: Path | None = None) -> DataValue:
    """The value that `text` describes (see the module's documentation).

    `name` is the argument's name: it is part of error messages and of the random seed.
    A relative `@FILE` is looked up in `folder` (default: the current directory).

    Raises:
        ArgumentError: the text is malformed.
    """
    try:
        return _parse(text.strip(), name, folder or Path())
    except ArgumentError as e:
        where = f"argument '{name}': " if name else ""
        raise ArgumentError(f"{where}cannot read '{text}': {e}") from None


def _parse(text: str, name: str, folder: Path) -> DataValue:
    if text.startswith("@"):
        return _load(folder / text[1:])
    if text == "null":
        return None
    fields = list(split(text, ":"))
    if fields[0] == "local":
        return _local(fields[1:])
    if fields[0] in IMAGE_SHAPES:
        return _image(fields, name, folder)
    if fields[0] == "pipe":
        return _pipe(fields[1:], name, folder)
    if fields[0] == "sampler":
        return _sampler(fields[1:])
    if fields[0] in GENERATORS:
        return _generate(fields, zlib.crc32(f"{name}={text}".encode()))
    if len(fields) > 1 and not text.startswith("{"):
        raise ArgumentError(_unknown_kind(fields[0]))
    if text.endswith(")"):
        return _typed_value(text)
    return _number(text)


def _load(path: Path) -> NDArray[Any]:
    if path.suffix != ".npy":
        raise ArgumentError(f"'{path.name}' is not a .npy file")
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as e:
        raise ArgumentError(f"no numpy array in '{path}' ({e})") from None
    return np.ascontiguousarray(array)


def _local(fields: Sequence[str]) -> LocalMemory:
    if len(fields) != 1 or not fields[0].isdecimal() or int(fields[0]) == 0:
        raise ArgumentError("expected local:BYTES with a positive number of bytes")
    return LocalMemory(int(fields[0]))


def _image(fields: Sequence[str], name: str, folder: Path) -> Image:
    kind, *array = fields
    raw = array[:1] == ["raw"]
    pixels = _parse(":".join(array[raw:]), name, folder) if array[raw:] else None
    if not isinstance(pixels, np.ndarray):
        raise ArgumentError(f"expected {kind}:ARRAY, say {kind}:@pixels.npy")
    return Image(pixels, normalized=not raw, kind=kind)


def _pipe(fields: Sequence[str], name: str, folder: Path) -> Pipe:
    packets = _parse(":".join(fields[1:]), name, folder) if fields[1:] else None
    if not isinstance(packets, np.ndarray) or not fields[0].isdecimal() or not packets.ndim:
        raise ArgumentError("expected pipe:N:ARRAY, say pipe:64:iota:i32:8")
    return Pipe(np.dtype((packets.dtype, packets.shape[1:])), int(fields[0]), packets)


def _sampler(words: Sequence[str]) -> Sampler:
    options: dict[str, Any] = {}
    for word in words:
        if word == "normalized":
            options["normalized"] = True
        else:
            options["filter" if word in ("nearest", "linear") else "address"] = word
    return Sampler(**options)


# Numbers and single values


def _number(text: str) -> int | float | np.generic:
    match = _NUMBER.match(text)
    if match is None:
        raise ArgumentError(
            f"expected a number, TYPE(...), @FILE.npy, or one of {', '.join(GENERATORS)}, local"
        )
    digits, suffix = match.group(), text[match.end() :].lower()
    value = _convert(digits)
    if suffix == "":
        return value
    if suffix not in SUFFIXES or (suffix != "f" and isinstance(value, float)):
        raise ArgumentError(f"the suffix '{suffix}' does not fit; expected one of f, u, l, ul")
    return _fit([value], dtype_of(SCALAR_TYPES[SUFFIXES[suffix]]))[0]


def _convert(digits: str) -> int | float:
    match = _NUMBER.fullmatch(digits)
    if match is None:
        raise ArgumentError(f"'{digits}' is not a number")
    if match["hex"]:
        return int(digits, 16)
    return int(digits) if match["int"] else float(digits)


def _typed_value(text: str) -> np.generic:
    opening = text.find("(")
    if opening < 1:
        raise ArgumentError("expected TYPE(VALUE,...)")
    type = parse_type(text[:opening])
    match type:
        case ArrayType():
            raise ArgumentError("OpenCL C has no array values; put the array into a structure")
        case VectorType():
            dtype = _vector_dtype(type)
        case _:
            dtype = dtype_of(type)
    return np.array([_element(type, text[opening:])], dtype)[0]


def _vector_dtype(type: VectorType) -> np.dtype[Any]:
    """A structure of the components x y z w, or s0 ... sf."""
    count = type.element_count()
    element = dtype_of(type.element_type)
    return np.dtype(
        {
            "names": list("xyzw"[:count]) if count <= 4 else [f"s{i:x}" for i in range(count)],
            "formats": [element] * count,
            "itemsize": dtype_of(type).itemsize,
        }
    )


def _element(type: Attribute, text: str) -> Any:
    """The nested tuples from which numpy makes one element of `type`."""
    in_parentheses = text.startswith("(") and text.endswith(")")
    types = parts_of(type)
    if types is None:
        return _fit([_convert(text[1:-1] if in_parentheses else text)], dtype_of(type))[0]
    if not in_parentheses:
        raise ArgumentError(f"expected a list in parentheses, got '{text}'")
    parts = split(text[1:-1], ",")
    if len(parts) != len(types):
        raise ArgumentError(f"'{text}' has {len(parts)} values, the type has {len(types)}")
    values = [_element(t, p) for t, p in zip(types, parts, strict=True)]
    if isinstance(type, ArrayType) and isinstance(type.element, VectorType):
        padding = (0,) * (element_of(type.element).count - type.element.element_count())
        values = [(*v, *padding) for v in values]
    return tuple(values)


def _fit(values: Sequence[int | float], dtype: np.dtype[Any]) -> NDArray[Any]:
    """`values` as an array of the scalar type `dtype`; integers wrap around as in C."""
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return np.array(values, np.float64).astype(dtype)
    for value in values:
        if isinstance(value, float):
            raise ArgumentError(f"{value} is not an integer")
    mask = (1 << (8 * dtype.itemsize)) - 1
    unsigned = np.array([int(v) & mask for v in values], np.uint64)
    return unsigned.astype(f"<u{dtype.itemsize}").view(dtype)


# Arrays


Fill: TypeAlias = "Callable[[int, np.dtype[Any]], NDArray[Any]]"
"""`fill(count, scalar type)` makes the numbers of an array or of one member of its elements."""


_TRIED = {
    "random": "rand", "uniform": "rand", "randint": "rand", "rnd": "rand", "noise": "rand",
    "range": "iota", "arange": "iota", "seq": "iota", "linspace": "iota", "index": "iota",
    "zero": "zeros", "0": "zeros", "empty": "zeros", "one": "ones", "1": "ones",
    "fill": "full", "const": "full", "constant": "full", "array": "values", "list": "values",
    "value": "values", "data": "values", "permutation": "perm", "shuffle": "perm",
    "file": "@FILE.npy", "npy": "@FILE.npy", "load": "@FILE.npy", "image": "image2d",
    "lmem": "local", "shared": "local", "scratch": "local",
}  # fmt: skip
"""Words that people try first, and what they mean."""


def _unknown_kind(kind: str) -> str:
    known = [*GENERATORS, "local", "image2d", "pipe", "sampler"]
    meant = _TRIED.get(kind.lower()) or next(iter(get_close_matches(kind, known, 1)), "")
    guess = f"did you mean '{meant}'? " if meant else ""
    return f"unknown kind '{kind}'; {guess}expected one of {', '.join(known)}"


def _generate(fields: list[str], seed: int) -> NDArray[Any]:
    kind = fields[0]
    options = fields[3:]
    if options and options[-1].startswith("seed="):
        seed = _integer(options.pop()[len("seed=") :])
        if seed < 0:
            raise ArgumentError(f"the seed {seed} is negative")
    if len(fields) < 3:
        raise ArgumentError(f"expected {kind}:TYPE:{'V,V,...' if kind == 'values' else 'SHAPE'}")
    type = parse_type(fields[1])
    make = GENERATORS[kind]
    if make is None:
        return _values(type, fields[2], options)
    random = np.random.PCG64(seed)
    return _assemble(type, _shape(fields[2]), lambda n, t: make(n, t, options, random))


def _assemble(type: Attribute, shape: tuple[int, ...], fill: Fill) -> NDArray[Any]:
    """An array of `type`, filled member by member; padding in structures stays zero."""
    element = element_of(type)
    shape = (*shape, *element.shape)
    if not isinstance(element.base, StructType):
        return fill(math.prod(shape), dtype_of(element.base)).reshape(shape)
    array = np.zeros(shape, dtype_of(element.base))
    for name, member in element.base.fields:
        if isinstance(member, VectorType):
            inner = (*shape, member.element_count())
            array[name] = _assemble(member.element_type, inner, fill)
        else:
            array[name] = _assemble(member, shape, fill)
    return array


def _values(type: Attribute, text: str, options: list[str]) -> NDArray[Any]:
    if not is_scalar(type):
        raise ArgumentError("values:TYPE:V,V,... needs a scalar type")
    if options:
        raise ArgumentError(f"'{options[0]}' is not understood after the values")
    return _fit([_convert(v) for v in text.split(",")], dtype_of(type))


def _rand(n: int, t: np.dtype[Any], options: list[str], random: np.random.PCG64) -> NDArray[Any]:
    if len(options) not in (0, 2):
        raise ArgumentError("expected rand:TYPE:SHAPE or rand:TYPE:SHAPE:LO:HI")
    raw = _raw(random, n)
    if t.kind == "f":
        low, high = (_real(options[0]), _real(options[1])) if options else (0.0, 1.0)
        # As many bits as the significand holds, so that the top value stays below 1.
        bits = {2: 11, 4: 24, 8: 53}[t.itemsize]
        unit = (raw >> np.uint64(64 - bits)).astype(np.float64) * 2.0**-bits
        return (low + unit * (high - low)).astype(t)
    first, last = (_integer(options[0]), _integer(options[1])) if options else (0, 99)
    limits = np.iinfo(t)
    if not limits.min <= first <= last <= limits.max:
        raise ArgumentError(f"the range {first}..{last} is empty or does not fit {t.name}")
    count = last - first + 1
    offset = raw if count == 1 << 64 else raw % np.uint64(count)
    wrapped = offset + np.uint64(first & ((1 << 64) - 1))
    return wrapped.astype(f"<u{t.itemsize}").view(t)


def _bits(n: int, t: np.dtype[Any], options: list[str], random: np.random.PCG64) -> NDArray[Any]:
    _no_options("bits", options)
    return (_raw(random, n) >> np.uint64(64 - 8 * t.itemsize)).astype(f"<u{t.itemsize}").view(t)


def _edges(n: int, t: np.dtype[Any], options: list[str], random: np.random.PCG64) -> NDArray[Any]:
    _no_options("edges", options)
    if t.kind == "f":
        info = np.finfo(t)
        ends = [info.smallest_subnormal, info.tiny, info.max, np.inf]
        positive = [0.0, 0.5, 1.0, 2.0, *ends, np.nan]
        choice = np.array([*positive, *(-v for v in positive[:-1])], t)
    else:
        low, high = np.iinfo(t).min, np.iinfo(t).max
        numbers = [0, 1, 2, 3, high - 1, high, low, low + 1, -1, -2]
        choice = _fit(numbers if low else numbers[:6], t)
    return choice[_raw(random, n) % np.uint64(len(choice))]


def _perm(n: int, t: np.dtype[Any], options: list[str], random: np.random.PCG64) -> NDArray[Any]:
    _no_options("perm", options)
    return np.argsort(_raw(random, n), kind="stable").astype(t)


def _iota(n: int, t: np.dtype[Any], options: list[str], random: np.random.PCG64) -> NDArray[Any]:
    if len(options) > 2:
        raise ArgumentError("expected iota:TYPE:SHAPE[:START[:STEP]]")
    start, step = ([_convert(o) for o in options] + [0, 1][len(options) :])[:2]
    return _fit([start + i * step for i in range(n)], t)


def _zeros(n: int, t: np.dtype[Any], options: list[str], random: np.random.PCG64) -> NDArray[Any]:
    _no_options("zeros", options)
    return np.zeros(n, t)


def _ones(n: int, t: np.dtype[Any], options: list[str], random: np.random.PCG64) -> NDArray[Any]:
    _no_options("ones", options)
    return np.ones(n, t)


def _full(n: int, t: np.dtype[Any], options: list[str], random: np.random.PCG64) -> NDArray[Any]:
    if len(options) != 1:
        raise ArgumentError("expected full:TYPE:SHAPE:VALUE")
    return np.repeat(_fit([_convert(options[0])], t), n)


Maker: TypeAlias = "Callable[[int, np.dtype[Any], list[str], np.random.PCG64], NDArray[Any]]"
GENERATORS: dict[str, Maker | None] = {
    "rand": _rand,
    "bits": _bits,
    "edges": _edges,
    "perm": _perm,
    "iota": _iota,
    "zeros": _zeros,
    "ones": _ones,
    "full": _full,
    "values": None,
}


def _raw(random: np.random.PCG64, n: int) -> NDArray[np.uint64]:
    # numpy guarantees the raw stream of a bit generator, but not its distributions.
    return np.asarray(random.random_raw(n), np.uint64).reshape(n)


def _no_options(kind: str, options: list[str]) -> None:
    if options:
        raise ArgumentError(f"'{options[0]}' is not understood after {kind}:TYPE:SHAPE")


def _integer(text: str) -> int:
    value = _convert(text)
    if isinstance(value, float):
        raise ArgumentError(f"'{text}' is not an integer")
    return value


def _real(text: str) -> float:
    return float(_convert(text))


def _shape(text: str) -> tuple[int, ...]:
    parts = text.split("x")
    if not all(p.isdecimal() and int(p) > 0 for p in parts):
        raise ArgumentError(f"'{text}' is not a shape; expected positive sizes as in 64 or 8x16")
    return tuple(int(p) for p in parts)
