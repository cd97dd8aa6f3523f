"""The kernels in `kernels/`, written for this comparison, with numpy's results.

Each has a form with `int` indices and one with `size_t`: runtimes differ in what they make of
them. Sums run in double precision here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.case import EXACT, Arg, Case, LocalBytes, Tolerance

KERNELS = Path(__file__).parent / "kernels"
FORMS = {"int": ("-DID=int",), "size_t": ("-DID=size_t",)}

Buffers = dict[int, NDArray[Any]]


def own_cases() -> list[Case]:
    return [
        saxpy("saxpy-16M", 1 << 24),
        saxpy("saxpy-64K", 1 << 16),
        convolution(5),
        convolution(9),
        convolution(17),
        dct(),
        sgemm(),
        black_scholes(),
        nbody(),
        reduce(),
        mandelbrot(),
        empty("empty-1", 1),
        empty("empty-1024", 1024),
    ]


def uniform(n: int, low: float = 0, high: float = 1, seed: int = 1) -> NDArray[np.float32]:
    generator = np.random.default_rng(seed)
    return (generator.random(n, np.float32) * (high - low) + low).astype(np.float32)


def zeros(n: int) -> NDArray[np.float32]:
    return np.zeros(n, np.float32)


def saxpy(name: str, n: int) -> Case:
    def expected(args: Sequence[Any]) -> Buffers:
        y, x, a = args
        return {0: np.float64(a) * x + y}

    return Case(
        name=name,
        path=KERNELS / "saxpy.cl",
        kernel="saxpy",
        args=lambda: [uniform(n), uniform(n, seed=2), np.float32(1.5)],
        global_size=(n,),
        local_sizes=((64,), (256,), (1024,)),
        forms=FORMS,
        expected=expected,
        flops=2 * n,
        bytes=12 * n,
    )


def convolution(m: int) -> Case:
    w, h = 2048, 1024

    def args() -> list[Arg]:
        image = np.random.default_rng(1).integers(0, 255, (h, w), np.int32)
        mask = np.full((m, m), 1 / (m * m), np.float32)
        sizes = [np.int32(size) for size in (w, h, m, m)]
        return [np.zeros((h, w), np.int32), image, mask, *sizes]

    def expected(args: Sequence[Any]) -> Buffers:
        padded = np.pad(args[1], m // 2).astype(np.float64)
        sums = np.zeros((h, w))
        for j in range(m):
            for i in range(m):
                sums += padded[j : j + h, i : i + w] * args[2][j, i]
        return {0: (sums + 0.5).astype(np.int32)}

    return Case(
        name=f"convolution-{m}x{m}",
        path=KERNELS / "convolution.cl",
        kernel="convolution",
        args=args,
        global_size=(w, h),
        local_sizes=((64, 4), (16, 16)),
        forms={"int": ("-DID=int",), "size_t": ("-DID=long",)},
        expected=expected,
        # The sum is rounded to an integer.
        tolerance=Tolerance(relative=0, absolute=1),
        flops=2 * m * m * w * h,
        bytes=12 * w * h,
    )


def dct() -> Case:
    n, block = 2048, 8

    def args() -> list[Arg]:
        image, matrix = uniform(n * n).reshape(n, n), uniform(block * block, -1, 1, seed=2)
        sizes = [np.uint32(n), np.uint32(block), np.uint32(0)]
        tile = LocalBytes(4 * block * block)
        return [zeros(n * n).reshape(n, n), image, matrix.reshape(block, block), tile, *sizes]

    def expected(args: Sequence[Any]) -> Buffers:
        blocks = args[1].astype(np.float64).reshape(n // block, block, n // block, block)
        matrix = args[2].astype(np.float64)
        done = matrix.T @ blocks.transpose(0, 2, 1, 3) @ matrix
        return {0: done.transpose(0, 2, 1, 3).reshape(n, n)}

    return Case(
        name="dct",
        path=KERNELS / "dct.cl",
        kernel="dct",
        args=args,
        global_size=(n, n),
        local_sizes=((block, block),),
        forms={"int": ("-DID=uint",), "size_t": ("-DID=size_t",)},
        expected=expected,
        flops=4 * block * n * n,
        bytes=12 * n * n,
    )


def sgemm() -> Case:
    n = 768

    def args() -> list[Arg]:
        a, b, c = (uniform(n * n, seed=seed).reshape(n, n) for seed in (1, 2, 3))
        return [c, a, b, np.int32(n), np.int32(n), np.float32(1), np.float32(0.5)]

    def expected(args: Sequence[Any]) -> Buffers:
        c, a, b = (matrix.astype(np.float64) for matrix in args[:3])
        return {0: a @ b + 0.5 * c}

    return Case(
        name="sgemm",
        path=KERNELS / "sgemm.cl",
        kernel="sgemm",
        args=args,
        global_size=(n, n),
        local_sizes=((64, 4), (16, 16)),
        forms=FORMS,
        expected=expected,
        flops=2 * n**3,
        bytes=16 * n * n,
    )


def black_scholes() -> Case:
    n = 1 << 22
    rate, volatility = 0.02, 0.3

    def args() -> list[Arg]:
        prices = [uniform(n, 10, 100, seed) for seed in (1, 2)]
        values = [np.float32(rate), np.float32(volatility)]
        return [zeros(n), zeros(n), *prices, uniform(n, 0.2, 2, seed=3), *values]

    def expected(args: Sequence[Any]) -> Buffers:
        s, x, t = (array.astype(np.float64) for array in args[2:5])
        root = volatility * np.sqrt(t)
        d1 = (np.log(s / x) + (rate + 0.5 * volatility**2) * t) / root
        c1, c2 = cumulative_normal(d1), cumulative_normal(d1 - root)
        present = x * np.exp(-rate * t)
        return {0: s * c1 - present * c2, 1: present * (1 - c2) - s * (1 - c1)}

    return Case(
        name="black-scholes",
        path=KERNELS / "black_scholes.cl",
        kernel="black_scholes",
        args=args,
        global_size=(n,),
        local_sizes=((64,), (256,)),
        forms=FORMS,
        expected=expected,
        # A division, a logarithm and a square root may be off by 3 ulps (OpenCL 1.2, table 7.4).
        tolerance=Tolerance(relative=1e-5),
        flops=63 * n,
        bytes=28 * n,
    )


def cumulative_normal(d: NDArray[np.float64]) -> NDArray[np.float64]:
    k = 1 / (1 + 0.2316419 * np.abs(d))
    polynomial = np.polyval([1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530], k)
    p = 0.3989422804 * np.exp(-0.5 * d * d) * k * polynomial
    return np.where(d > 0, 1 - p, p)


def nbody() -> Case:
    n = 8192
    dt, eps = 0.01, 1e-3

    def args() -> list[Arg]:
        bodies = [uniform(4 * n, seed=seed).reshape(n, 4) for seed in (1, 2)]
        results = [zeros(4 * n).reshape(n, 4) for _ in range(2)]
        return [*results, *bodies, np.int32(n), np.float32(dt), np.float32(eps)]

    def expected(args: Sequence[Any]) -> Buffers:
        pos, vel = args[2].astype(np.float64), args[3].astype(np.float64)
        acceleration = np.zeros((n, 3))
        for some in np.array_split(np.arange(n), 32):
            apart = pos[None, :, :3] - pos[some, None, :3]
            d = np.einsum("ijk,ijk->ij", apart, apart) + eps
            acceleration[some] = np.einsum("ij,ijk->ik", pos[:, 3] * d**-1.5, apart)
        new_pos, new_vel = pos.copy(), vel.copy()
        new_pos[:, :3] += vel[:, :3] * dt + acceleration * (0.5 * dt * dt)
        new_vel[:, :3] += acceleration * dt
        return {0: new_pos, 1: new_vel}

    return Case(
        name="nbody",
        path=KERNELS / "nbody.cl",
        kernel="nbody",
        args=args,
        global_size=(n,),
        local_sizes=((64,), (256,)),
        forms=FORMS,
        expected=expected,
        tolerance=Tolerance(relative=1e-4),
        # 3 differences, 6 for the square, 2 for the root, 3 for the factor, 6 for the sum.
        flops=20 * n * n,
        bytes=96 * n,
    )


def reduce() -> Case:
    n, local = 1 << 24, 256

    def expected(args: Sequence[Any]) -> Buffers:
        return {1: args[0].reshape(-1, 2 * local).sum(axis=1, dtype=np.float64)}

    return Case(
        name="reduce",
        path=KERNELS / "reduce.cl",
        kernel="reduce",
        args=lambda: [uniform(n), zeros(n // 2 // local), LocalBytes(4 * local)],
        global_size=(n // 2,),
        local_sizes=((local,),),
        forms=FORMS,
        expected=expected,
        flops=n,
        bytes=4 * n,
        reads_only=True,
    )


def mandelbrot() -> Case:
    n, most = 1024, 256
    x0, y0, step = -2.0, -1.25, 2.5 / n

    def args() -> list[Arg]:
        values = [np.float32(value) for value in (x0, y0, step, step)]
        return [np.zeros((n, n), np.int32), np.int32(n), *values, np.int32(most)]

    def expected(args: Sequence[Any]) -> Buffers:
        ids = np.arange(n, dtype=np.float32) * np.float32(step)
        cx, cy = (c.reshape(-1) for c in np.meshgrid(ids + np.float32(x0), ids + np.float32(y0)))
        zx, zy = np.zeros_like(cx), np.zeros_like(cy)
        counts = np.zeros(n * n, np.int32)
        alive = np.arange(n * n)
        for _ in range(most):
            inside = zx * zx + zy * zy < 4
            alive = alive[inside]
            zx, zy, cx, cy = (array[inside] for array in (zx, zy, cx, cy))
            zx, zy = zx * zx - zy * zy + cx, 2 * zx * zy + cy
            counts[alive] += 1
        return {0: counts.reshape(n, n)}

    return Case(
        name="mandelbrot",
        path=KERNELS / "mandelbrot.cl",
        kernel="mandelbrot",
        args=args,
        global_size=(n, n),
        local_sizes=((64, 4), (16, 16)),
        forms=FORMS,
        expected=expected,
        # At the edge of the set one rounding, say by a contraction, changes the count.
        tolerance=Tolerance(relative=0, strays=5e-3),
        # The counts of this picture add up to 70.7 million; 3 squares, 4 sums and 1 more product.
        flops=8 * 70.7e6,
        bytes=8 * n * n,
    )


def empty(name: str, groups: int) -> Case:
    return Case(
        name=name,
        path=KERNELS / "empty.cl",
        kernel="empty",
        args=lambda: [np.zeros(16, np.int32)],
        global_size=(64 * groups,),
        local_sizes=((64,),),
        expected=lambda args: {},
        tolerance=EXACT,
    )
