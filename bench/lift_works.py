"""The problems of `bench.lift` and `bench.lift_gpu`: data, right results, bytes to move.

The sizes are those of Steuwer, Fensch, Dubach: Patterns and Rewrite Rules for Systematic Code
Generation, section 7.2. Only numpy is needed here, since the machine of the GPU may lack the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

M = 1 << 20
_PIECE = 4 * M
"""Elements that are converted to double precision at once."""

Array = NDArray[Any]
Values = Mapping[str, Any]
"""By the names of the pattern function's arguments: arrays, and numpy scalars."""


@dataclass(frozen=True)
class Work:
    """One program at one size."""

    name: str
    """Of the program: examples/pattern/NAME.mlir has a function NAME."""
    size: str
    sizes: Mapping[str, int]
    """The free variables of the program's types."""
    inputs: Callable[[], dict[str, Any]]
    expected: Callable[[Values], Array]
    """In double precision."""
    scale: Callable[[Values, Array], float]
    """To which `tolerance` is relative."""
    bytes: int
    """That must go through memory."""
    flops: int = 0
    tolerance: float = 1e-5
    reads_only: bool = False
    """What it writes is next to nothing of `bytes`."""
    in_place: str = ""
    """The argument that the result may overwrite, as BLAS does."""
    script: str = ""
    """Of the derivation for numbers as sizes; without it that of the program and the target."""

    @property
    def label(self) -> str:
        return f"{self.name} {self.size}"

    def error(self, values: Values, right: Array, found: Array) -> float:
        """The largest error, relative to `scale`."""
        off = np.abs(np.asarray(found, np.float64).reshape(right.shape) - right).max()
        return float(off) / self.scale(values, right)


def works() -> list[Work]:
    """Smallest first."""
    linear: list[Work] = []
    for n, rows, columns in ((16 * M, 4096, 4096), (128 * M, 8192, 16384)):
        linear += [*_of_vectors(n, f"{n // M}M"), _matrix_times_vector(rows, columns)]
    return linear + [_matmul(1024), _stencil2d(4096), _black_scholes(4 * M), _md(12288, 128)]


def sized_works(
    vectors: Sequence[int], sides: Sequence[int], products: Sequence[tuple[int, int, int]]
) -> list[Work]:
    """Those of BLAS: vectors of these lengths, square matrices with these sides, and products of
    m x k and k x n matrices."""
    linear = [[*_of_vectors(n, str(n))] for n in vectors]
    of_each = [work for group in zip(*linear, strict=True) for work in group]
    return [
        *of_each,
        *(_matrix_times_vector(n, n) for n in sides),
        *(_product("matmul", *shape) for shape in products),
    ]


def _of_vectors(n: int, size: str) -> list[Work]:
    return [
        Work(
            "asum",
            size,
            {"N": n},
            lambda: {"x": _random(n, 1)},
            _asum,
            _largest,
            4 * n,
            reads_only=True,
        ),
        Work(
            "dot",
            size,
            {"N": n},
            lambda: {"x": _random(n, 1), "y": _random(n, 2)},
            _dot,
            _sum_of_products,
            8 * n,
            reads_only=True,
        ),
        Work(
            "scal",
            size,
            {"N": n},
            # BLAS does nothing for 1. After two calls the data is what it was.
            lambda: {"x": _random(n, 1), "a": np.float32(-1)},
            lambda values: -values["x"],
            _largest,
            8 * n,
            tolerance=0.0,
            in_place="x",
        ),
    ]


def _matrix_times_vector(rows: int, columns: int) -> Work:
    return Work(
        "gemv",
        f"{rows}x{columns}",
        {"M": rows, "K": columns},
        lambda: {
            "A": _random(rows * columns, 1).reshape(rows, columns),
            "x": _random(columns, 2),
            "y": _random(rows, 3),
            "a": np.float32(1.5),
            "b": np.float32(0.5),
        },
        _gemv,
        _largest,
        4 * rows * columns,
        reads_only=True,
    )


def gpu_works() -> list[Work]:
    """Those of `works`, and larger ones."""
    return [
        *works(),
        _matmul(4096),
        _stencil2d(8192),
        *(
            _product("matmul_half", size, size, size, script="matmul_half.wgmma")
            for size in (1024, 4096, 8192)
        ),
        _product("matmul", 1000, 777, 333, script="matmul.parts"),
        _product("matmul", 1000, 333, 777, script="matmul.any"),
        _product("matmul_batch", 1000, 777, 333, count=16, script="matmul_batch.gpu"),
        _product("matmul_batch", 256, 256, 256, count=32, script="matmul_batch.gpu"),
        _product("matmul_batch", 512, 512, 512, count=64, script="matmul_batch.gpu"),
    ]


def _random(n: int, seed: int) -> NDArray[np.float32]:
    """Uniform in [-0.5, 0.5)."""
    values = np.random.default_rng(seed).random(n, dtype=np.float32)
    values -= np.float32(0.5)
    return values


def _largest(_: Values, right: Array) -> float:
    return float(np.abs(right).max())


def _sum_of_products(values: Values, _: Array) -> float:
    """Of the absolute values: those of a few, for all."""
    x, y = values["x"], values["y"]
    return float(np.abs(x[:M] * y[:M]).mean()) * len(x)


def _in_pieces(of: Callable[..., Any], *arrays: Array) -> Array:
    """The sum of `of` applied to pieces in double precision."""
    starts = range(0, len(arrays[0]), _PIECE)
    pieces = ([a[s : s + _PIECE].astype(np.float64) for a in arrays] for s in starts)
    return np.array([sum(float(of(*piece)) for piece in pieces)])


def _asum(values: Values) -> Array:
    return _in_pieces(lambda x: np.abs(x).sum(), values["x"])


def _dot(values: Values) -> Array:
    return _in_pieces(np.dot, values["x"], values["y"])


def _gemv(values: Values) -> Array:
    x = values["x"].astype(np.float64)
    rows = np.concatenate([part.astype(np.float64) @ x for part in np.array_split(values["A"], 64)])
    return float(values["a"]) * rows + float(values["b"]) * values["y"].astype(np.float64)


def _product(name: str, m: int, k: int, n: int, *, count: int = 0, script: str = "") -> Work:
    """The product of an m x k and a k x n matrix, or of `count` pairs of them."""
    left, right = ("As", "Bs") if count else ("A", "B")
    type = np.float16 if name == "matmul_half" else np.float32
    pre = (count,) if count else ()

    def inputs() -> dict[str, Any]:
        a, b = (*pre, m, k), (*pre, k, n)
        return {
            left: _random(math.prod(a), 1).reshape(a).astype(type),
            right: _random(math.prod(b), 2).reshape(b).astype(type),
        }

    def expected(values: Values) -> Array:
        return values[left].astype(np.float64) @ values[right].astype(np.float64)

    all = max(count, 1)
    return Work(
        name,
        f"{f'{count} x ' if count else ''}{m}x{k}x{n}",
        {"M": m, "K": k, "N": n, **({"L": count} if count else {})},
        inputs,
        expected,
        _largest,
        bytes=all * (np.dtype(type).itemsize * (m * k + k * n) + 4 * m * n),
        flops=2 * all * m * k * n,
        # The sum of more products is less exact.
        tolerance=max(1e-5, 2.5e-9 * k),
        script=script,
    )


def _matmul(n: int) -> Work:
    def inputs() -> dict[str, Any]:
        return {"A": _random(n * n, 1).reshape(n, n), "B": _random(n * n, 2).reshape(n, n)}

    def expected(values: Values) -> Array:
        return values["A"].astype(np.float64) @ values["B"].astype(np.float64)

    sizes = {"M": n, "K": n, "N": n}
    return Work(
        "matmul",
        str(n),
        sizes,
        inputs,
        expected,
        _largest,
        bytes=12 * n * n,
        flops=2 * n**3,
    )


def _stencil2d(n: int) -> Work:
    """The weighted sum of an element and those around it; what is outside is as the border."""

    def expected(values: Values) -> Array:
        x = np.pad(values["grid"].astype(np.float64), 1, mode="edge")
        windows = [x[i : i + n, j : j + n] for i in range(3) for j in range(3)]
        total = np.zeros((n, n))
        for weight, window in zip(values["weights"].astype(np.float64), windows, strict=True):
            total += weight * window
        return total

    return Work(
        "stencil2d",
        f"{n}x{n}",
        {"M": n, "N": n},
        lambda: {"grid": _random(n * n, 1).reshape(n, n), "weights": _random(9, 2)},
        expected,
        _largest,
        bytes=8 * n * n,
    )


def _black_scholes(n: int) -> Work:
    """Call and put for each price of a stock."""

    def inputs() -> dict[str, Any]:
        rest = {"strike": 100, "years": 2, "rate": 0.02, "volatility": 0.3}
        prices = 20 + 200 * (_random(n, 1) + np.float32(0.5))
        return {"s": prices, **{name: np.float32(value) for name, value in rest.items()}}

    erf = np.frompyfunc(math.erf, 1, 1)

    def normal(d: Array) -> Array:
        return 0.5 * (1 + np.asarray(erf(d / math.sqrt(2)), np.float64))

    def expected(values: Values) -> Array:
        s = values["s"].astype(np.float64)
        strike, years, rate, volatility = (
            float(values[name]) for name in ("strike", "years", "rate", "volatility")
        )
        deviation = volatility * math.sqrt(years)
        d1 = (np.log(s / strike) + (rate + 0.5 * volatility**2) * years) / deviation
        now = strike * math.exp(-rate * years)
        call = s * normal(d1) - now * normal(d1 - deviation)
        return np.stack([call, call + now - s], axis=-1)

    return Work(
        "black_scholes",
        f"{n // M}M",
        {"N": n},
        inputs,
        expected,
        _largest,
        bytes=12 * n,
    )


def _md(n: int, neighbours: int) -> Work:
    """The force on each particle by those of its neighbours that are within a cutoff."""

    def inputs() -> dict[str, Any]:
        # Near the points of a lattice: no two are so close that their force is all there is.
        shape = (n // 512, 16, 32)
        p = np.zeros((n, 4), np.float32)
        p[:, :3] = np.argwhere(np.ones(shape))
        p[:, :3] += 0.4 * _random(3 * n, 1).reshape(n, 3)
        # The nearest points of the lattice. At its border some are far away: beyond the cutoff.
        around = np.argwhere(np.ones((9, 9, 9))) - 4
        nearest = np.argsort(np.square(around).sum(axis=1), kind="stable")[1 : neighbours + 1]
        offsets = around[nearest] @ np.array([512, 32, 1])
        ids = ((np.arange(n)[:, None] + offsets) % n).astype(np.int32)
        rest = {"cutoff2": np.float32(8), "lj1": np.float32(1.5), "lj2": np.float32(2)}
        return {"p": p, "neighbours": ids, **rest}

    def expected(values: Values) -> Array:
        p = values["p"].astype(np.float64)
        d = p[:, None, :] - p[values["neighbours"]]
        r2 = np.square(d).sum(axis=2)
        inverse = 1.0 / r2
        sixth = inverse**3
        force = inverse * sixth * (float(values["lj1"]) * sixth - float(values["lj2"]))
        force[r2 >= values["cutoff2"]] = 0
        return (d * force[:, :, None]).sum(axis=1)

    return Work(
        "md",
        f"{n}x{neighbours}",
        {"N": n, "J": neighbours},
        inputs,
        expected,
        _largest,
        bytes=4 * n * neighbours + 32 * n,
    )
