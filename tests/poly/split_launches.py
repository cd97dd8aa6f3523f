"""Random launches of the kernels in tests/poly/kernels: sizes, offsets, groups and arguments.

They are drawn by hypothesis, so that a launch that fails is made smaller. Arrays are as large as
the kernel needs and hold numbers that depend on nothing but their size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import polycl
from launches import Size

FOLDER = Path(__file__).parent / "kernels"


@dataclass(frozen=True)
class Space:
    """The index space of a launch."""

    groups: Size
    local_size: Size
    offset: Size

    @property
    def global_size(self) -> Size:
        return tuple(n * size for n, size in zip(self.groups, self.local_size, strict=True))

    @property
    def ends(self) -> Size:
        """One more than the largest global id of each dimension."""
        return tuple(n + o for n, o in zip(self.global_size, self.offset, strict=True))


class Draw:
    """What a launch is made of: its space, and further numbers."""

    def __init__(self, draw: st.DrawFn, rank: int):
        self._draw = draw
        most = {1: (40,), 2: (20, 9), 3: (11, 4, 3)}[rank]
        self.space = Space(
            tuple(self.integer(1, 3 if d == 0 else 2) for d in range(rank)),
            tuple(self.integer(1, most[d]) for d in range(rank)),
            tuple(self.one_of(0, 0, self.integer(0, 11)) for _ in range(rank)),
        )
        self.end = self.space.ends[0]
        """Behind the last id of the first dimension."""
        self.near = self.integer(1, self.end + 5)
        """A number of elements: fewer than work-items, as many or more."""

    def integer(self, least: int, most: int) -> int:
        return self._draw(st.integers(least, most))

    def one_of(self, *values: Any) -> Any:
        return self._draw(st.sampled_from(values))


def integers(count: int, least: int = -99, most: int = 99, dtype: Any = np.int32) -> np.ndarray:
    return np.random.default_rng(count).integers(least, most + 1, count).astype(dtype)


def reals(count: int) -> np.ndarray:
    return (np.random.default_rng(count).integers(-999, 999, count) / 8).astype(np.float32)


Arguments = dict[str, Any]


def _convolution(d: Draw) -> Arguments:
    width, height = (end + d.integer(0, 3) for end in d.space.ends)
    w, h = d.integer(1, 9), d.integer(1, 5)
    return dict(
        output=integers(width * height),
        input=integers(width * height),
        mask=reals((w + 1) * (h + 1)),
        width=width,
        height=height,
        maskWidth=w,
        maskHeight=h,
    )


def _image(d: Draw) -> tuple[int, int]:
    """A width and a height, of which either can be smaller than the index space."""
    return d.near, d.integer(1, d.space.ends[1] + 3)


def _convolution_guarded(d: Draw) -> Arguments:
    width, height = _image(d)
    size = width * height
    return dict(
        out=reals(size), **{"in": reals(size)}, width=width, height=height, r=d.integer(0, 4)
    )


def _foo(d: Draw) -> Arguments:
    size = d.space.local_size[0]
    least = d.integer(0, size + 3)
    return dict(A=integers(d.end), B=integers(max(size, least, 5) + 1), least=least)


def _stencil(d: Draw) -> Arguments:
    return _in_out(d, reals)


def _in_out(d: Draw, make: Callable[[int], np.ndarray] = integers, **more: Any) -> Arguments:
    """n elements and at least as many as work-items."""
    size = max(d.end, d.near) + 4
    return {"out": make(size), "in": make(size + 1), "n": d.near, **more}


def _guard(d: Draw) -> Arguments:
    return dict(y=reals(d.near), x=reals(d.near), a=2.5, n=d.one_of(d.near, 0, -3))


def _two_guards(d: Draw) -> Arguments:
    both = dict(lo=d.integer(-2, d.end + 2), hi=d.integer(-2, d.end + 2))
    return {"out": integers(d.end), "in": integers(d.end + 1), **both}


def _transpose(d: Draw) -> Arguments:
    width, height = _image(d)
    size = width * height
    return {"out": integers(size), "in": integers(size + 1), "width": width, "height": height}


def _triangle(d: Draw) -> Arguments:
    n = d.near
    return {"out": integers(d.end), "in": integers(max(n, d.end) * (n + 1)), "n": n}


def _floyd_warshall(d: Draw) -> Arguments:
    n = d.near
    return dict(out=integers(n * n), d=integers(n * n + 1), n=n, k=d.integer(0, n - 1))


def _fan1(d: Draw) -> Arguments:
    size = d.near
    return dict(
        m=reals(size * size),
        a=np.abs(reals(size * size)) + np.float32(1),
        size=size,
        t=d.integer(0, size - 1),
    )


def _fan2(d: Draw) -> Arguments:
    size = d.near
    square = size * size
    return dict(
        a=reals(square),
        b=reals(size),
        m=reals(square + 1),
        size=size,
        t=d.integer(0, size - 1),
    )


def _matmul(d: Draw) -> Arguments:
    w, h = _image(d)
    k = d.integer(0, 6)
    sizes = dict(w=w, h=h, depth=k)
    return dict(c=reals(w * h), a=reals(h * k + 1), b=reals(w * k + 1), **sizes)


def _gather(d: Draw) -> Arguments:
    n = d.near
    return dict(out=integers(n), a=integers(64), b=integers(n, 0, 63), n=n)


def _quotients(d: Draw) -> Arguments:
    return dict(out=integers(d.end), a=integers(d.end + 9), n=d.near // 2)


def _unsigned_guard(d: Draw) -> Arguments:
    lo = d.one_of(0, 3, d.integer(0, d.end), 2**32 - 2)
    count = d.one_of(0, d.near, 2**32 - 1 - d.end)
    if lo > d.end:
        # Else the elements far behind would be read.
        count = min(count, d.near)
    return {"out": integers(d.end), "in": integers(2 * d.end + 8), "lo": lo, "count": count}


def _unsigned_stride(d: Draw) -> Arguments:
    start = d.one_of(0, 5, 2**32 - 3, 2**31 - 2)
    stride = d.one_of(0, 1, 2, 2**32 - 1, 2**31, 2**31 + 1)
    return {"out": integers(d.end), "in": integers(128), "start": start, "stride": stride}


def _unsigned_reverse(d: Draw) -> Arguments:
    return {"out": integers(d.end), "in": integers(d.end + 9), "start": d.near, "minus": 2**32 - 1}


def _size_t_wraps(d: Draw) -> Arguments:
    return {"out": integers(d.end), "in": integers(d.end + 9), "n": d.one_of(d.near, 0, 1)}


def _size_t_end(d: Draw) -> Arguments:
    ends = dict(n=d.one_of(d.near, 0, 1), m=d.one_of(d.integer(0, d.end), 0, 2**32 - 1))
    return {"out": integers(d.end), "in": integers(d.end + 9), **ends}


def _barrier(d: Draw) -> Arguments:
    size = d.space.local_size[0]
    r = d.integer(0, min(4, size))
    tile = polycl.Local(4 * (size + 2 * r))
    return _in_out(d, tile=tile, r=r)


def _barrier_loop(d: Draw) -> Arguments:
    tile = polycl.Local(4 * d.space.local_size[0])
    return {"out": integers(9), "in": integers(d.near), "tile": tile, "n": d.near}


def _float4s(d: Draw) -> Arguments:
    size = 4 * max(d.near, d.end)
    return dict(out=reals(size), a=reals(size + 4), n=d.near)


def _search(d: Draw) -> Arguments:
    size = max(d.near, d.end)
    return dict(out=integers(d.end), a=integers(size, 0, 6), n=d.near, what=d.integer(0, 7))


def _rows_of_csr(d: Draw) -> Arguments:
    start = np.cumsum(integers(d.near + 1, 0, 4), dtype=np.int32)
    return dict(out=integers(d.near), start=start, a=integers(int(start[-1]) + 1), n=d.near)


def _backwards(d: Draw) -> Arguments:
    return {"out": integers(d.near), "in": integers(2 * d.near), "n": d.near}


def _box(d: Draw) -> Arguments:
    w, h = _image(d)
    depth = d.integer(1, d.space.ends[2] + 1)
    size = w * h * depth
    return {"out": integers(size), "in": integers(size + 1), "w": w, "h": h, "d": depth}


def _small_elements(d: Draw) -> Arguments:
    arrays = dict(out=integers(d.end, dtype=np.int16), table=integers(16, 0, 9, np.uint8))
    return {**arrays, "in": integers(d.near, dtype=np.int8), "s": d.integer(-9, 9), "n": d.near}


def _narrow_ids(d: Draw) -> Arguments:
    return {"out": integers(d.end), "in": integers(300), "n": d.near}


def _group_ids(d: Draw) -> Arguments:
    size, n = prod(d.space.global_size), d.integer(0, 9)
    return {"out": integers(size), "in": integers(max(d.space.local_size[0], n) + 1), "n": n}


def _steps(d: Draw) -> Arguments:
    return _in_out(d, s=d.integer(1, 4))


def _uniform_branches(d: Draw) -> Arguments:
    return _in_out(d, mode=d.integer(-1, 8))


def _walk(d: Draw) -> Arguments:
    width, rows = d.integer(1, d.end + 5), d.integer(0, 4)
    size = d.end + width * (rows + 1)
    return {"out": integers(d.end), "in": integers(size), "width": width, "rows": rows}


def _atomics(d: Draw) -> Arguments:
    return {"count": integers(9), "in": integers(d.near), "n": d.near}


def _long_indices(d: Draw) -> Arguments:
    start = d.one_of(0, d.integer(-3, d.end), -(2**40))
    end = d.one_of(d.near, 2**40, -1)
    if start < -3:
        end = min(end, -1)
    un = d.one_of(0, d.near, 2**31, 2**32 - 1)
    return dict(start=start, end=end, un=un) | {"out": integers(d.end), "in": integers(d.end + 9)}


def _rows(d: Draw) -> Arguments:
    height, width = d.space.ends
    pitch = width + d.integer(0, 3)
    size = height * pitch + 1
    return {"out": integers(size), "in": integers(size), "width": width, "pitch": pitch}


def _unsigned_sums(d: Draw) -> Arguments:
    numbers = dict(n=_unsigned(d), m=_unsigned(d))
    return {"out": integers(d.end), "in": integers(64), **numbers}


def _unsigned(d: Draw) -> int:
    return d.one_of(0, 1, d.near, 2**31 - 1, 2**31, 2**32 - 1, 2**32 - d.near)


def _shifts(d: Draw) -> Arguments:
    return {"out": integers(d.end), "in": integers(2 * d.end + 16), "n": d.near - 6}


def _choices(d: Draw) -> Arguments:
    size = 2 * d.end + 16
    return {
        "out": integers(d.end),
        "in": integers(size),
        "n": d.near - 4,
        "m": d.integer(-4, d.end),
    }


def _loops_down(d: Draw) -> Arguments:
    size = d.end + 25
    return {"out": integers(d.end), "in": integers(size), "n": d.one_of(0, 1, d.near)}


def _powers(d: Draw) -> Arguments:
    s, n = d.integer(-2, 3), d.integer(0, 6)
    o = 2 * d.end if s < 0 else d.integer(0, 4)
    arrays = {"out": integers(d.end), "in": integers(8 * d.end + 99)}
    return arrays | dict(s=s, o=o, n=n)


def _uniform_loads(d: Draw) -> Arguments:
    p = integers(d.end + 4)
    p[:3] = d.near, d.integer(0, 4), d.integer(0, 2)
    return {"p": p, "out": integers(d.end), "in": integers(4 * d.end + 20)}


def _in_place(d: Draw) -> Arguments:
    a = integers(2 * d.end)
    return dict(a=a, b=d.one_of(a, integers(2 * d.end + 1)), n=d.near)


def _edges_of_range(d: Draw) -> Arguments:
    size = d.space.global_size[0]
    return {"out": integers(size), "in": integers(size + 1)}


def _vectors(d: Draw) -> Arguments:
    return {"out": integers(4 * d.end), "in": integers(4 * d.end + 1), "n": d.near}


def _nested(d: Draw) -> Arguments:
    (w, h), size = _image(d), max(d.space.ends)
    arrays = {"out": integers(d.end * d.space.ends[1]), "in": integers((w + size) * (h + size))}
    return arrays | dict(w=w, h=h, r=d.integer(0, 4))


def _returns(d: Draw) -> Arguments:
    return _in_out(d, m=d.integer(-1, d.end))


def _division_by_argument(d: Draw) -> Arguments:
    divisors = dict(width=d.near, pitch=d.one_of(d.near, 1, 8, 2**31 + 1))
    return {"out": integers(d.end), "in": integers(2 * d.end + 9), **divisors}


def _barrier_three_dims(d: Draw) -> Arguments:
    tile = polycl.Local(4 * prod(d.space.local_size))
    size = prod(d.space.groups) * prod(d.space.local_size[1:])
    return {"out": integers(size), "in": integers(d.near), "tile": tile, "n": d.near}


def _uniform_sums(d: Draw) -> Arguments:
    numbers = dict(n=_unsigned(d), m=_unsigned(d))
    return {"out": integers(d.end), "in": integers(64), **numbers}


def _large_numbers(d: Draw) -> Arguments:
    numbers = dict(n=d.one_of(0, d.near, 2**64 - 3), m=_unsigned(d))
    return {"out": integers(d.end), "in": integers(d.end), **numbers}


def _assumed(d: Draw) -> Arguments:
    size, r = d.end + d.integer(0, 9), d.integer(1, 4)
    sizes = dict(width=size, r=r, m=d.one_of(2**32 - 1, size + 2 * r), pitch=8 * d.integer(1, 3))
    return {"out": integers(size), "in": integers(size + 2 * r + 24), **sizes}


KERNELS: dict[str, tuple[int, Callable[[Draw], Arguments]]] = {
    "convolution": (2, _convolution),
    "convolution_guarded": (2, _convolution_guarded),
    "foo": (1, _foo),
    "stencil": (1, _stencil),
    "guard": (1, _guard),
    "two_guards": (1, _two_guards),
    "transpose": (2, _transpose),
    "triangle": (1, _triangle),
    "floyd_warshall": (2, _floyd_warshall),
    "fan1": (1, _fan1),
    "fan2": (2, _fan2),
    "matmul": (2, _matmul),
    "gather": (1, _gather),
    "quotients": (1, _quotients),
    "unsigned_guard": (1, _unsigned_guard),
    "unsigned_stride": (1, _unsigned_stride),
    "unsigned_reverse": (1, _unsigned_reverse),
    "size_t_wraps": (1, _size_t_wraps),
    "size_t_end": (1, _size_t_end),
    "barrier": (1, _barrier),
    "barrier_loop": (1, _barrier_loop),
    "float4s": (1, _float4s),
    "search": (1, _search),
    "rows_of_csr": (1, _rows_of_csr),
    "backwards": (1, _backwards),
    "box": (3, _box),
    "small_elements": (1, _small_elements),
    "narrow_ids": (1, _narrow_ids),
    "group_ids": (2, _group_ids),
    "steps": (1, _steps),
    "uniform_branches": (1, _uniform_branches),
    "walk": (1, _walk),
    "private_array": (1, _in_out),
    "atomics": (1, _atomics),
    "cases": (1, _in_out),
    "long_indices": (1, _long_indices),
    "rows": (2, _rows),
    "unsigned_sums": (1, _unsigned_sums),
    "uniform_sums": (1, _uniform_sums),
    "large_numbers": (1, _large_numbers),
    "assumed": (1, _assumed),
    "shifts": (1, _shifts),
    "choices": (1, _choices),
    "loops_down": (1, _loops_down),
    "powers": (1, _powers),
    "uniform_loads": (1, _uniform_loads),
    "in_place": (1, _in_place),
    "edges_of_range": (1, _edges_of_range),
    "vectors": (1, _vectors),
    "nested": (2, _nested),
    "returns": (1, _returns),
    "division_by_argument": (1, _division_by_argument),
    "barrier_three_dims": (3, _barrier_three_dims),
}
"""The kernels: the dimensions of their launches, and what draws their arguments."""


Launch = tuple[Space, Arguments]


@st.composite
def launches(draw: st.DrawFn, kernel: str) -> Launch:
    """A launch of a kernel: its space, and its arguments by name."""
    rank, arguments = KERNELS[kernel]
    found = Draw(draw, rank)
    return found.space, arguments(found)
