"""Kernels as AMD's APP SDK has them, written for this study, with numpy's results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.case import EXACT, Arg, Case, LocalBytes, Tolerance
from bench.own_cases import cumulative_normal
from bench.suite_kernels import floats, integers, ints, uniform, zeros

KERNELS = Path(__file__).parent.parent / "kernels"
STUDY = KERNELS / "study"
FORMS = {"int": ("-DID=int",)}
PEER_FORMS = {"long": ("-DID=long",)}
"""Other runtimes may take this one: some take an `int` index for one that wraps."""

Buffers = dict[int, NDArray[Any]]


def study_case(name: str, kernel: str = "", file: str = "", **fields: Any) -> Case:
    path = STUDY / f"{file or kernel or name.replace('-', '_')}.cl"
    kernel = kernel or path.stem
    return Case(name, path, kernel, forms=FORMS, peer_forms=PEER_FORMS, **fields)


def convolution(width: int, height: int) -> Case:
    """[split16] Figure 2, with its mask of 7 x 7."""
    mask = 7

    def args() -> list[Arg]:
        image = integers(height, width, most=255)
        weights = np.full((mask, mask), 1 / mask**2, np.float32)
        return [np.zeros((height, width), np.int32), image, weights, *ints(width, height, 7, 7)]

    def expected(args: Sequence[Any]) -> Buffers:
        padded = np.pad(args[1], mask // 2).astype(np.float64)
        sums = np.zeros((height, width))
        for j in range(mask):
            for i in range(mask):
                sums += padded[j : j + height, i : i + width] * args[2][j, i]
        return {0: (sums + 0.5).astype(np.int32)}

    case = study_case(
        "convolution2d",
        "convolution",
        args=args,
        global_size=(width, height),
        local_sizes=((256, 1),),
        expected=expected,
        # The sum is rounded to an integer.
        tolerance=Tolerance(relative=0, absolute=1),
    )
    return replace(case, path=KERNELS / "convolution.cl")


def dct(n: int) -> Case:
    block = 8

    def args() -> list[Arg]:
        image, matrix = uniform(n, n), uniform(block, block, low=-1, seed=2)
        return [zeros(n, n), image, matrix, LocalBytes(4 * block * block), *ints(n, block, 0)]

    def expected(args: Sequence[Any]) -> Buffers:
        blocks = args[1].astype(np.float64).reshape(n // block, block, n // block, block)
        matrix = args[2].astype(np.float64)
        done = matrix.T @ blocks.transpose(0, 2, 1, 3) @ matrix
        return {0: done.transpose(0, 2, 1, 3).reshape(n, n)}

    return study_case(
        "dct",
        args=args,
        global_size=(n, n),
        local_sizes=((block, block),),
        expected=expected,
    )


def lu_decompose(n: int, pivot: int) -> Case:
    def args() -> list[Arg]:
        matrix = uniform(n, n)
        matrix[pivot, pivot] = n
        return [zeros(n, n), matrix, LocalBytes(4 * 16), *ints(n, pivot)]

    def expected(args: Sequence[Any]) -> Buffers:
        lower, a = args[0].astype(np.float64), args[1].astype(np.float64)
        ratios = a[pivot + 1 :, pivot] / a[pivot, pivot]
        lower[pivot + 1 :, pivot] = ratios
        a[pivot + 1 :, pivot + 1 :] -= np.outer(ratios, a[pivot, pivot + 1 :])
        return {0: lower, 1: a}

    return study_case(
        "lu-decompose",
        "decompose",
        "lu_decomposition",
        args=args,
        global_size=(n, n),
        local_sizes=((16, 16),),
        expected=expected,
    )


def lu_combine(n: int) -> Case:
    return study_case(
        "lu-combine",
        "combine",
        "lu_decomposition",
        args=lambda: [uniform(n, n), uniform(n, n, seed=2), *ints(n)],
        global_size=(n, n),
        local_sizes=((16, 16),),
        expected=lambda args: {1: np.tril(args[0], -1) + np.triu(args[1])},
        tolerance=EXACT,
    )


def floyd_warshall(n: int, through: int) -> Case:
    def args() -> list[Arg]:
        return [integers(n, n, most=200), np.full((n, n), -1, np.int32), *ints(n, through)]

    def expected(args: Sequence[Any]) -> Buffers:
        distance, path = args[:2]
        other = distance[:, through, None] + distance[None, through]
        shorter = other < distance
        return {0: np.where(shorter, other, distance), 1: np.where(shorter, through, path)}

    return study_case(
        "floyd-warshall",
        args=args,
        global_size=(n, n),
        local_sizes=((16, 16),),
        expected=expected,
        tolerance=EXACT,
    )


def fast_walsh(n: int, step: int) -> Case:
    def expected(args: Sequence[Any]) -> Buffers:
        pairs = args[0].reshape(-1, 2, step)
        one, other = pairs[:, 0], pairs[:, 1]
        return {0: np.stack([one + other, one - other], axis=1).reshape(-1)}

    return study_case(
        "fast-walsh",
        args=lambda: [uniform(n), *ints(step)],
        global_size=(n // 2,),
        local_sizes=((256,),),
        expected=expected,
        tolerance=EXACT,
        # It doubles the numbers in two launches: they would not stay finite.
        restore=True,
    )


def bitonic_sort(n: int, stage: int, step: int) -> Case:
    def expected(args: Sequence[Any]) -> Buffers:
        apart = 1 << (stage - step)
        pairs = args[0].reshape(-1, 2, apart)
        less, greater = pairs.min(axis=1), pairs.max(axis=1)
        first = np.arange(n // 2).reshape(-1, apart)
        up = (first >> stage) % 2 == 0
        return {0: np.stack([np.where(up, less, greater), np.where(up, greater, less)], axis=1)}

    return study_case(
        "bitonic-sort",
        args=lambda: [integers(n, most=1 << 30), *ints(stage, step, 1)],
        global_size=(n // 2,),
        local_sizes=((256,),),
        expected=expected,
        tolerance=EXACT,
    )


def binomial_option(options: int, steps: int) -> Case:
    def args() -> list[Arg]:
        levels = [LocalBytes(4 * (steps + 1)) for _ in range(2)]
        return [uniform(options), zeros(options), *levels, *ints(steps)]

    def expected(args: Sequence[Any]) -> Buffers:
        r = args[0].astype(np.float64)[:, None]
        start, strike, years = 5 + 25 * r, 1 + 99 * r, 0.25 + 9.75 * r
        dt = years / steps
        move, growth = 0.3 * np.sqrt(dt), np.exp(0.02 * dt)
        up = (growth - np.exp(-move)) / (np.exp(move) - np.exp(-move))
        worth = np.maximum(start * np.exp(move * (2 * np.arange(steps + 1) - steps)) - strike, 0)
        for _ in range(steps):
            worth = ((1 - up) * worth[:, :-1] + up * worth[:, 1:]) / growth
        return {1: worth[:, 0]}

    return study_case(
        "binomial-option",
        args=args,
        global_size=(options * (steps + 1),),
        local_sizes=((steps + 1,),),
        expected=expected,
        # The probability of a move is the quotient of two small differences.
        tolerance=Tolerance(relative=1e-3),
    )


def black_scholes(n: int) -> Case:
    rate, volatility = 0.02, 0.3

    def args() -> list[Arg]:
        prices = [uniform(n, low=10, high=100, seed=seed) for seed in (1, 2)]
        years = uniform(n, low=0.2, high=2, seed=3)
        return [zeros(n), zeros(n), *prices, years, *floats(rate, volatility)]

    def expected(args: Sequence[Any]) -> Buffers:
        s, x, t = (array.astype(np.float64) for array in args[2:5])
        root = volatility * np.sqrt(t)
        d1 = (np.log(s / x) + (rate + 0.5 * volatility**2) * t) / root
        c1, c2 = cumulative_normal(d1), cumulative_normal(d1 - root)
        present = x * np.exp(-rate * t)
        return {0: s * c1 - present * c2, 1: present * (1 - c2) - s * (1 - c1)}

    case = study_case(
        "black-scholes",
        args=args,
        global_size=(n,),
        local_sizes=((256,),),
        expected=expected,
    )
    return replace(case, path=KERNELS / "black_scholes.cl")
