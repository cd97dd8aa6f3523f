"""Arguments of a generated launch: each is a short text, and can be made smaller and simpler."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from polycl.runtime.dataspec import parse_data
from polycl.runtime.type_names import SCALAR_TYPES

FEW = 8
"""Arrays of at most so many elements are written out and simplified number by number."""


class Input:
    """An argument; one that is not an array, a number or an image stays as it is."""

    @property
    def text(self) -> str:
        """The argument as `polycl.runtime.dataspec` reads it."""
        raise NotImplementedError

    def at_most(self, limit: int) -> Input:
        """The argument with no size or integer larger than `limit`."""
        return self

    def smaller(self) -> Iterator[Input]:
        """Arguments with fewer elements, the fewest first."""
        return iter(())

    def simpler(self) -> Iterator[Input]:
        """Arguments with simpler values, the simplest first."""
        return iter(())


@dataclass(frozen=True)
class Fixed(Input):
    """Local memory, a sampler, a vector or structure by value."""

    spec: str

    @property
    def text(self) -> str:
        return self.spec


@dataclass(frozen=True)
class Number(Input):
    """A scalar by value."""

    value: int | float

    @property
    def text(self) -> str:
        return repr(self.value)

    def at_most(self, limit: int) -> Number:
        return Number(min(self.value, limit)) if isinstance(self.value, int) else self

    def simpler(self) -> Iterator[Number]:
        return (Number(value) for value in _simpler_numbers(self.value))


@dataclass(frozen=True)
class _Filled(Input):
    """Numbers of a `type`, filled by a `kind` of generator with its `options`."""

    type: str
    kind: str
    options: tuple[str, ...]

    def simpler(self) -> Iterator[Self]:
        for kind, options in (("zeros", ()), ("full", ("1",)), ("iota", ())):
            if self.kind == kind:
                break
            yield replace(self, kind=kind, options=options)


@dataclass(frozen=True)
class Array(_Filled):
    """A buffer: `rand:i32:64:0:7:seed=1`. `values` are the numbers themselves, if not None."""

    name: str
    count: int
    values: tuple[int | float, ...] | None = None

    @property
    def text(self) -> str:
        if self.values is not None:
            return f"values:{self.type}:{','.join(map(repr, self.values))}"
        return ":".join((self.kind, self.type, str(self.count), *self.options))

    def at_most(self, limit: int) -> Array:
        values = None if self.values is None else self.values[:limit]
        return replace(self, count=min(self.count, limit), values=values)

    def smaller(self) -> Iterator[Array]:
        counts = {1, self.count // 4, self.count // 2, self.count * 3 // 4, self.count - 1}
        for count in sorted(c for c in counts if 0 < c < self.count):
            yield self.at_most(count)

    def simpler(self) -> Iterator[Array]:
        if self.values is not None:
            for i, value in enumerate(self.values):
                for other in _simpler_numbers(value):
                    yield replace(self, values=(*self.values[:i], other, *self.values[i + 1 :]))
            return
        yield from super().simpler()
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
class Picture(_Filled):
    """An image: `image2d:rand:f32:8x16x4:seed=1`. `sizes` are those of the array."""

    image: str
    sizes: tuple[int, ...]

    @property
    def text(self) -> str:
        channels = () if self.image.endswith("_depth") else (4,)
        shape = "x".join(map(str, (*self.sizes, *channels)))
        return ":".join((self.image, self.kind, self.type, shape, *self.options))

    def at_most(self, limit: int) -> Picture:
        return replace(self, sizes=tuple(min(size, limit) for size in self.sizes))

    def smaller(self) -> Iterator[Picture]:
        for sizes in smaller_sizes(self.sizes):
            yield replace(self, sizes=sizes)


def smaller_sizes(sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Each dimension cut to 1, to its half, and by one."""
    for dim, size in enumerate(sizes):
        for cut in sorted({1, size // 2, size - 1}):
            if 0 < cut < size:
                yield (*sizes[:dim], cut, *sizes[dim + 1 :])


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
