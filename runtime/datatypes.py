"""Element types as short text (`f32`, `f32x4`, `i32[8]`, `{pos:f32x4,id:i32}`) -> numpy types.

A structure after `packed` has no padding: `packed{tag:i8,id:i32}`.

Sizes and alignments are those of OpenCL C: a vector is aligned to its size, a 3-element vector
takes the space of 4, members of a structure lie as C lays them out.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polycl.errors import ArgumentError

SCALAR_TYPES = {
    f"{kind}{bits}": np.dtype(f"<{kind}{bits // 8}")
    for kind, widths in (("i", (8, 16, 32, 64)), ("u", (8, 16, 32, 64)), ("f", (16, 32, 64)))
    for bits in widths
}
VECTOR_SIZES = (2, 3, 4, 8, 16)


class DataType(ABC):
    """A type of a buffer's element, of a structure's member or of a value."""

    size: int
    """Bytes, padding included."""
    alignment: int

    @property
    @abstractmethod
    def field_dtype(self) -> np.dtype[Any]:
        """As a member of a structure: vectors and arrays are subarrays, without padding."""

    @property
    def value_dtype(self) -> np.dtype[Any]:
        """As a value of its own, a numpy scalar."""
        return self.field_dtype


@dataclass(frozen=True)
class ScalarType(DataType):
    """`f32`"""

    dtype: np.dtype[Any]

    def __post_init__(self) -> None:
        _set_layout(self, self.dtype.itemsize, self.dtype.itemsize)

    @property
    def field_dtype(self) -> np.dtype[Any]:
        return self.dtype


@dataclass(frozen=True)
class VectorType(DataType):
    """`f32x4`"""

    element: ScalarType
    count: int

    def __post_init__(self) -> None:
        size = self.stored_count * self.element.size
        _set_layout(self, size, size)

    @property
    def stored_count(self) -> int:
        """How many elements it has room for."""
        return 4 if self.count == 3 else self.count

    @property
    def field_dtype(self) -> np.dtype[Any]:
        return np.dtype((self.element.dtype, (self.count,)))

    @property
    def value_dtype(self) -> np.dtype[Any]:
        """A structure of the components x y z w, or s0 ... sf."""
        names = "xyzw"[: self.count] if self.count <= 4 else None
        return np.dtype(
            {
                "names": list(names) if names else [f"s{i:x}" for i in range(self.count)],
                "formats": [self.element.dtype] * self.count,
                "offsets": [i * self.element.size for i in range(self.count)],
                "itemsize": self.size,
            }
        )


@dataclass(frozen=True)
class ArrayType(DataType):
    """`i32[8]`"""

    element: DataType
    count: int

    def __post_init__(self) -> None:
        _set_layout(self, self.count * self.element.size, self.element.alignment)

    @property
    def field_dtype(self) -> np.dtype[Any]:
        element = self.element.field_dtype
        if isinstance(self.element, VectorType):
            # Elements of an array lie at multiples of the padded size.
            element = np.dtype((self.element.element.dtype, (self.element.stored_count,)))
        return np.dtype((element, (self.count,)))

    @property
    def value_dtype(self) -> np.dtype[Any]:
        raise ArgumentError("OpenCL C has no array values; put the array into a structure")


@dataclass(frozen=True)
class StructureType(DataType):
    """`{pos:f32x4,id:i32}`, or `packed{pos:f32x4,id:i32}`"""

    members: tuple[tuple[str, DataType], ...]
    packed: bool = False

    def __post_init__(self) -> None:
        end = max((o + t.size for o, (_, t) in zip(self.offsets, self.members, strict=True)))
        alignment = 1 if self.packed else max(t.alignment for _, t in self.members)
        _set_layout(self, _round_up(end, alignment), alignment)

    @property
    def offsets(self) -> list[int]:
        offsets: list[int] = []
        end = 0
        for _, member in self.members:
            offsets.append(end if self.packed else _round_up(end, member.alignment))
            end = offsets[-1] + member.size
        return offsets

    @property
    def field_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            {
                "names": [name for name, _ in self.members],
                "formats": [member.field_dtype for _, member in self.members],
                "offsets": self.offsets,
                "itemsize": self.size,
            }
        )


def _set_layout(type: DataType, size: int, alignment: int) -> None:
    # The classes are frozen; these two follow from their fields.
    object.__setattr__(type, "size", size)
    object.__setattr__(type, "alignment", alignment)


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def parse_type(text: str) -> DataType:
    """The type that `text` describes. Raises ArgumentError where it describes none."""
    if text.endswith("}"):
        for prefix in ("", "packed"):
            if text.startswith(f"{prefix}{{"):
                return _structure(text.removeprefix(prefix), packed=bool(prefix))
    if array := re.fullmatch(r"(.+?)((\[[1-9]\d*\])+)", text):
        type = parse_type(array[1])
        # The leftmost size is the outermost, as in C.
        for size in reversed(re.findall(r"\d+", array[2])):
            type = ArrayType(type, int(size))
        return type
    if vector := re.fullmatch(r"([iuf]\d+)x(\d+)", text):
        element = parse_type(vector[1])
        if not isinstance(element, ScalarType) or int(vector[2]) not in VECTOR_SIZES:
            raise ArgumentError(f"'{text}': a vector has 2, 3, 4, 8 or 16 elements")
        return VectorType(element, int(vector[2]))
    if text not in SCALAR_TYPES:
        raise ArgumentError(
            f"unknown type '{text}'; expected one of {', '.join(SCALAR_TYPES)}, "
            "a vector such as f32x4, an array such as f32[8], or {name:type,...}"
        )
    return ScalarType(SCALAR_TYPES[text])


def _structure(text: str, *, packed: bool) -> StructureType:
    members: list[tuple[str, DataType]] = []
    for member in split(text[1:-1], ","):
        name, colon, type_text = member.partition(":")
        if not colon or not name.isidentifier():
            raise ArgumentError(f"'{member}' is not a member; expected name:type")
        members.append((name, parse_type(type_text)))
    if len({name for name, _ in members}) != len(members):
        raise ArgumentError(f"'{text}' has two members of one name")
    return StructureType(tuple(members), packed)


def split(text: str, separator: str) -> Sequence[str]:
    """Split at `separator` outside of brackets. Raises ArgumentError where they do not match."""
    parts: list[str] = []
    open_brackets: list[str] = []
    start = 0
    for i, c in enumerate(text):
        if c in "({[":
            open_brackets.append(c)
        elif c in ")}]":
            if not open_brackets or open_brackets.pop() + c not in ("()", "{}", "[]"):
                raise ArgumentError("the brackets do not match")
        elif c == separator and not open_brackets:
            parts.append(text[start:i])
            start = i + 1
    if open_brackets:
        raise ArgumentError("the brackets do not match")
    return [*parts, text[start:]]
