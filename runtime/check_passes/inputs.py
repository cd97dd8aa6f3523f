"""Arguments of a generated launch: each is a short text, and can be made smaller and simpler."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from polycl.runtime.dataspec import parse_data
from polycl.runtime.type_names import SCALAR_TYPES

FEW = 8
"""Arrays of at most so many elements are written out and simplified number by number."""


@dataclass(frozen=True)
class Array:
    """A buffer: `rand:i32:64:0:7:seed=1`. `values` are the numbers themselves, if not None."""

    name: str
    type: str
    count: int
    kind: str = "zeros"
    options: tuple[str, ...] = ()
    values: tuple[int | float, ...] | None = None

    @property
    def text(self) -> str:
        """The argument as `polycl.runtime.dataspec` reads it."""
        if self.values is not None:
            return f"values:{self.type}:{','.join(map(_number, self.values))}"
        return ":".join((self.kind, self.type, str(self.count), *self.options))

    def at_most(self, limit: int) -> Array:
        """With no more than `limit` elements."""
        values = None if self.values is None else self.values[:limit]
        return replace(self, count=min(self.count, limit), values=values)

    def smaller(self) -> Iterator[Array]:
        """With fewer elements, the fewest first."""
        counts = {1, self.count // 4, self.count // 2, self.count * 3 // 4, self.count - 1}
        for count in sorted(c for c in counts if 0 < c < self.count):
            yield self.at_most(count)

    def simpler(self) -> Iterator[Array]:
        """With simpler elements, the simplest first."""
        if self.values is not None:
            for i, value in enumerate(self.values):
                for other in _simpler_numbers(value):
                    yield replace(self, values=(*self.values[:i], other, *self.values[i + 1 :]))
            return
        for kind, options in (("zeros", ()), ("full", ("1",)), ("iota", ())):
            if self.kind == kind:
                break
            yield replace(self, kind=kind, options=options)
        # Zeros are as simple as they are short.
        if self.count <= FEW and self.kind != "zeros" and self.type in SCALAR_TYPES:
            array = parse_data(self.text, self.name)
            assert isinstance(array, np.ndarray)
            numbers: list[int | float] = array.tolist()
            # One element may be what matters, wherever it is.
            for number in dict.fromkeys(numbers):
                yield replace(self, values=(number,) * self.count)
            yield replace(self, values=tuple(numbers))


@dataclass(frozen=True)
class Number:
    """A scalar by value."""

    value: int | float

    @property
    def text(self) -> str:
        return _number(self.value)

    def at_most(self, limit: int) -> Number:
        """With an integer that is no larger than `limit`."""
        return Number(min(self.value, limit)) if isinstance(self.value, int) else self

    def smaller(self) -> Iterator[Number]:
        """There is nothing smaller than one number."""
        return iter(())

    def simpler(self) -> Iterator[Number]:
        """Numbers nearer to 0, the nearest first."""
        return (Number(value) for value in _simpler_numbers(self.value))


@dataclass(frozen=True)
class Fixed:
    """An argument that stays as it is: local memory, a sampler, a vector or structure by value."""

    text: str

    def at_most(self, limit: int) -> Fixed:
        """As it is."""
        return self

    def smaller(self) -> Iterator[Fixed]:
        """Nothing."""
        return iter(())

    def simpler(self) -> Iterator[Fixed]:
        """Nothing."""
        return iter(())


@dataclass(frozen=True)
class Picture:
    """An image: `image2d:rand:f32:8x16x4:seed=1`. `sizes` are those of the array."""

    kind: str
    type: str
    sizes: tuple[int, ...]
    fill: str
    options: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The argument as `polycl.runtime.dataspec` reads it."""
        shape = "x".join(map(str, (*self.sizes, 4)))
        return ":".join((self.kind, self.fill, self.type, shape, *self.options))

    def at_most(self, limit: int) -> Picture:
        """With no side longer than `limit`."""
        return replace(self, sizes=tuple(min(size, limit) for size in self.sizes))

    def smaller(self) -> Iterator[Picture]:
        """With shorter sides, the shortest first."""
        for i, size in enumerate(self.sizes):
            for cut in sorted({1, size // 2, size - 1}):
                if 0 < cut < size:
                    yield replace(self, sizes=(*self.sizes[:i], cut, *self.sizes[i + 1 :]))

    def simpler(self) -> Iterator[Picture]:
        """With simpler colours, the simplest first."""
        for fill, options in (("zeros", ()), ("full", ("1",)), ("iota", ())):
            if self.fill == fill:
                break
            yield replace(self, fill=fill, options=options)


Input: TypeAlias = Array | Number | Fixed | Picture


def _number(value: int | float) -> str:
    return repr(value)


def _simpler_numbers(value: int | float) -> Iterator[int | float]:
    """0, 1, integers nearer to 0 than `value`, and shorter floats near it."""
    zero, one = type(value)(0), type(value)(1)
    if value == 0 and str(value) == str(zero):
        return
    yield zero
    if value == 1:
        return
    yield one
    if isinstance(value, int):
        if abs(value) > 2:
            yield from (
                value // 2 if value > 0 else -(-value // 2),
                value - (1 if value > 0 else -1),
            )
    elif value == -math.inf:
        yield math.inf
    elif math.isfinite(value):
        for other in (float(f"{value:.1g}"), float(f"{value:.2g}")):
            if len(repr(other)) < len(repr(value)):
                yield other
