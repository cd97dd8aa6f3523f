"""The kernels of `kernels/shapes.cl`: accesses and branches of all costs, in everyday spellings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.case import EXACT, Arg, Case, Tolerance
from bench.own_cases import KERNELS, Buffers, uniform, zeros

SUMS = Tolerance(relative=1e-4)


def shape_cases() -> list[Case]:
    return [
        covariance(),
        *distances(),
        *nearest(),
        contrast(),
        sepia(),
        mono(),
        blend(),
        median(),
        *mode(),
        curve(),
        chain(),
        *ellpack(),
        *flow(),
    ]


def _case(
    name: str,
    args: Callable[[], list[Arg]],
    expected: Callable[[Sequence[Any]], Buffers],
    size: tuple[int, ...],
    forms: Sequence[int],
    tolerance: Tolerance = EXACT,
    local: tuple[int, ...] = (64,),
) -> Case:
    """One case of the given forms; `name` starts with that of the kernel."""
    kernel = name.split("-")[0]
    return Case(
        name=name,
        path=KERNELS / "shapes.cl",
        kernel=kernel,
        args=args,
        global_size=size,
        local_sizes=(local,),
        forms={f"form {form}": (f"-DFORM={form}",) for form in forms},
        expected=expected,
        tolerance=tolerance,
    )


def covariance() -> Case:
    n, m = 256, 256

    def expected(args: Sequence[Any]) -> Buffers:
        data = args[1].astype(np.float64)
        return {0: data.T @ data}

    def args() -> list[Arg]:
        return [zeros(m * m).reshape(m, m), uniform(n * m).reshape(n, m), np.int32(n), np.int32(m)]

    return _case("covariance", args, expected, (m,), (0, 1, 2, 3), SUMS)


def distances() -> list[Case]:
    n, dims = 1024, 3

    def args() -> list[Arg]:
        points = uniform(n * dims).reshape(n, dims)
        return [zeros(n * n).reshape(n, n), points, np.int32(n), np.int32(dims)]

    def expected(args: Sequence[Any]) -> Buffers:
        p = args[1].astype(np.float64)
        return {0: ((p[:, None] - p[None]) ** 2).sum(axis=2)}

    return [
        _case("distances", args, expected, (n,), (0, 1, 2), SUMS),
        _case("distances-2d", args, expected, (n, n), (3,), SUMS, (64, 4)),
    ]


def nearest() -> list[Case]:
    n, m, dims = 4096, 16, 16

    def data(transposed: bool) -> Callable[[], list[Arg]]:
        def args() -> list[Arg]:
            points = uniform(n * dims).reshape(n, dims)
            points = np.ascontiguousarray(points.T) if transposed else points
            centres = uniform(m * dims, seed=2).reshape(m, dims)
            return [np.zeros(n, np.int32), points, centres, np.int32(m), np.int32(dims)]

        return args

    def expected(args: Sequence[Any]) -> Buffers:
        points = args[1] if args[1].shape[0] == n else args[1].T
        apart = points[:, None].astype(np.float64) - args[2][None]
        return {0: (apart**2).sum(axis=2).argmin(axis=1).astype(np.int32)}

    tolerance = Tolerance(relative=0, strays=1e-3)
    return [
        _case("nearest", data(False), expected, (n,), (0,), tolerance),
        _case("nearest-transposed", data(True), expected, (n,), (1,), tolerance),
    ]


def _bytes(*shape: int) -> NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 256, shape, np.uint8)


def contrast() -> Case:
    n = 1 << 18

    def args() -> list[Arg]:
        return [np.zeros(n, np.uint8), _bytes(n), np.int32(0), np.int32(255)]

    def expected(args: Sequence[Any]) -> Buffers:
        # C rounds towards zero.
        v = np.trunc((args[1].astype(np.int32) - 128) * 3 / 2).astype(np.int32) + 140
        return {0: v.clip(0, 255).astype(np.uint8)}

    return _case("contrast", args, expected, (n,), range(8))


def sepia() -> Case:
    n = 1 << 17

    def expected(args: Sequence[Any]) -> Buffers:
        weights = np.array([[101, 197, 48], [89, 176, 43], [70, 137, 34]])
        return {0: ((args[1].astype(np.int32) @ weights.T) >> 8).clip(0, 255).astype(np.uint8)}

    def args() -> list[Arg]:
        return [np.zeros((n, 3), np.uint8), _bytes(n, 3)]

    return _case("sepia", args, expected, (n,), (0, 1, 2))


def mono() -> Case:
    n = 1 << 17

    def args() -> list[Arg]:
        # None is negative, so that division and shift agree.
        samples = np.random.default_rng(1).integers(0, 32767, (n, 2), np.int16)
        return [np.zeros(n, np.int16), samples]

    def expected(args: Sequence[Any]) -> Buffers:
        return {0: (args[1].astype(np.int32).sum(axis=1) // 2).astype(np.int16)}

    return _case("mono", args, expected, (n,), (0, 1, 2))


def blend() -> Case:
    n = 1 << 17

    def args() -> list[Arg]:
        return [np.zeros((n, 4), np.uint8), _bytes(n, 4), _bytes(n, 4)[::-1].copy()]

    def expected(args: Sequence[Any]) -> Buffers:
        a, b = args[1].astype(np.int32), args[2].astype(np.int32)
        return {0: ((a * a[:, 3:] + b * (255 - a[:, 3:])) >> 8).astype(np.uint8)}

    return _case("blend", args, expected, (n,), (0, 1))


def median() -> Case:
    w, h = 256, 128

    def args() -> list[Arg]:
        return [zeros(w * h).reshape(h, w), uniform((w + 2) * (h + 2)), np.int32(w)]

    def expected(args: Sequence[Any]) -> Buffers:
        image = args[1].reshape(h + 2, w + 2)
        parts = [image[j : j + h, i : i + w] for j in range(3) for i in range(3)]
        return {0: np.median(parts, axis=0)}

    return _case("median", args, expected, (w, h), (0, 1, 2), local=(64, 4))


def mode() -> list[Case]:
    n, count = 1 << 13, 64

    def data(transposed: bool) -> Callable[[], list[Arg]]:
        def args() -> list[Arg]:
            values = _bytes(n, count)
            values = np.ascontiguousarray(values.T) if transposed else values
            return [np.zeros(n, np.int32), values, np.int32(count)]

        return args

    def expected(args: Sequence[Any]) -> Buffers:
        values = args[1] if args[1].shape[0] == n else args[1].T
        counts = [((values & 15) == k).sum(axis=1) for k in range(16)]
        return {0: np.argmax(counts, axis=0).astype(np.int32)}

    return [
        _case("mode-rows", data(False), expected, (n,), (1,)),
        _case("mode-columns", data(True), expected, (n,), (0,)),
    ]


def curve() -> Case:
    n = 1 << 18

    def args() -> list[Arg]:
        return [zeros(n), uniform(n), np.float32(0.25), np.float32(0.75)]

    def expected(args: Sequence[Any]) -> Buffers:
        v, (low, high) = args[1].astype(np.float64), args[2:]
        middle = low * 0.5 + (v - low) * 1.5
        upper = 1 - (1 - v) * (1 - v)
        return {0: np.where(v < low, v * 0.5, np.where(v < high, middle, upper))}

    return _case("curve", args, expected, (n,), (0, 1, 2), Tolerance())


def chain() -> Case:
    rows, n = 2048, 128

    def args() -> list[Arg]:
        return [zeros(rows), uniform(rows * n).reshape(rows, n), np.int32(n)]

    def expected(args: Sequence[Any]) -> Buffers:
        best, current = np.zeros(rows), np.zeros(rows)
        for column in (args[1].astype(np.float64) - 0.5).T:
            current = np.maximum(current, 0) + column
            best = np.maximum(best, current)
        return {0: best}

    return _case("chain", args, expected, (rows,), (0, 1), Tolerance())


def ellpack() -> list[Case]:
    n, most = 1 << 14, 16

    def data(by_rows: bool) -> Callable[[], list[Arg]]:
        def args() -> list[Arg]:
            columns = np.random.default_rng(1).integers(0, n, (most, n), np.int32)
            values = uniform(most * n).reshape(most, n)
            if by_rows:
                columns, values = np.ascontiguousarray(columns.T), np.ascontiguousarray(values.T)
            return [zeros(n), values, columns, uniform(n, seed=2), np.int32(most)]

        return args

    def expected(args: Sequence[Any]) -> Buffers:
        _, values, columns, x, _ = args
        axis = 0 if values.shape[1] == n else 1
        return {0: (values.astype(np.float64) * x[columns]).sum(axis=axis)}

    return [
        _case("ellpack", data(False), expected, (n,), (0, 1), SUMS),
        _case("ellpack-rows", data(True), expected, (n,), (2,), SUMS),
    ]


def flow() -> list[Case]:
    n = 1 << 15

    def data(by_cells: bool) -> Callable[[], list[Arg]]:
        def args() -> list[Arg]:
            cells = np.arange(n) + np.array([[-1], [1], [-181], [181]])
            neighbours = np.where((cells >= 0) & (cells < n), cells, -1).astype(np.int32)
            weights = uniform(4 * n).reshape(4, n)
            if by_cells:
                neighbours, weights = neighbours.T.copy(), weights.T.copy()
            return [zeros(n), uniform(n, seed=2), neighbours, weights]

        return args

    def expected(args: Sequence[Any]) -> Buffers:
        _, u, neighbours, weights = args
        if neighbours.shape[1] != n:
            neighbours, weights = neighbours.T, weights.T
        others = np.where(neighbours >= 0, u.astype(np.float64)[neighbours], 0)
        return {0: u + 0.1 * (weights * (others - u)).sum(axis=0)}

    return [
        _case("flow", data(False), expected, (n,), (0,), Tolerance()),
        _case("flow-cells", data(True), expected, (n,), (1,), Tolerance()),
    ]
