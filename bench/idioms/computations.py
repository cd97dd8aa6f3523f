"""The data of each computation, and its results by numpy, in double precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.case import EXACT, Arg, Tolerance
from bench.own_cases import Buffers, uniform, zeros

W, H = 1024, 512
"""Of images, in pixels."""

Data = Callable[[], tuple[list[Arg], Buffers]]
"""The arguments before the launch, and the buffers that it changes."""


def numbers(*values: int) -> list[Arg]:
    return [np.int32(value) for value in values]


def stencil(mode: str, *shape: int) -> Data:
    """The weights of `kernels/stencil.cl`; `mode` is the border, of `numpy.pad`."""

    def data() -> tuple[list[Arg], Buffers]:
        image = uniform(int(np.prod(shape))).reshape(shape)
        border: Any = "constant" if mode == "skip" else mode
        margin = 2
        padded = np.pad(image.astype(np.float64), margin, border)

        def moved(axis: int, by: int) -> NDArray[np.float64]:
            at = [slice(margin, margin + size) for size in shape]
            at[axis] = slice(margin + by, margin + by + shape[axis])
            return padded[tuple(at)]

        result = 0.5 * moved(0, 0)
        if len(shape) == 1:
            taps = [(0, 1, 0.125), (0, 2, 0.25)]
        else:
            last = len(shape) - 1
            taps = [(last - i, 1, 0.125 * (i + 1)) for i in range(len(shape))]
        for axis, distance, weight in taps:
            result = result + weight * (moved(axis, -distance) + moved(axis, distance))
        if mode == "skip":
            inner = tuple(slice(1, -1) for _ in shape)
            result, whole = np.zeros(shape), result
            result[inner] = whole[inner]
        return [image, np.zeros(shape, np.float32), *numbers(*shape[::-1])], {1: result}

    return data


def matrix_product() -> tuple[list[Arg], Buffers]:
    n = 256
    a, b = uniform(n * n).reshape(n, n), uniform(n * n, seed=2).reshape(n, n)
    result = a.astype(np.float64) @ b
    return [a, b, np.zeros((n, n), np.float32), *numbers(n)], {2: result}


def transpose() -> tuple[list[Arg], Buffers]:
    image = uniform(512 * 512).reshape(512, 512)
    return [image, np.zeros_like(image), *numbers(512, 512)], {1: image.T.copy()}


def reduction() -> tuple[list[Arg], Buffers]:
    values = uniform(1 << 19)
    sums = values.astype(np.float64).reshape(-1, 512).sum(axis=1)
    return [values, zeros(1 << 10), *numbers(1 << 19)], {1: sums}


def scan() -> tuple[list[Arg], Buffers]:
    values = uniform(1 << 18)
    sums = values.astype(np.float64).reshape(-1, 256).cumsum(axis=1)
    return [values, zeros(1 << 18), *numbers(1 << 18)], {1: sums}


def histogram() -> tuple[list[Arg], Buffers]:
    values = np.random.default_rng(1).integers(0, 256, 1 << 20, np.uint8)
    counts = np.bincount(values, minlength=256).astype(np.uint32)
    return [values, np.zeros(256, np.uint32), *numbers(1 << 20)], {1: counts}


def sort_step() -> tuple[list[Arg], Buffers]:
    stage = 6
    values = uniform(1 << 18)
    pairs = values.reshape(-1, 2, 1 << stage)
    down = (np.arange(1 << 18).reshape(pairs.shape)[:, :1] & 32768) != 0
    low, high = pairs.min(axis=1, keepdims=True), pairs.max(axis=1, keepdims=True)
    result = np.concatenate([np.where(down, high, low), np.where(down, low, high)], axis=1)
    return [values, *numbers(1 << 18, stage)], {0: result}


def fft8() -> tuple[list[Arg], Buffers]:
    n = 1 << 14
    values = uniform(16 * n, -1, 1).reshape(8, n, 2)
    result = np.fft.fft(values[..., 0] + 1j * values[..., 1], axis=0)
    expected = np.stack([result.real, result.imag], axis=-1)
    return [values, np.zeros_like(values), *numbers(n)], {1: expected}


def sparse_product() -> tuple[list[Arg], Buffers]:
    n = 1 << 14
    generator = np.random.default_rng(1)
    rows = np.concatenate([[0], generator.integers(1, 32, n).cumsum()]).astype(np.int32)
    columns = generator.integers(0, n, rows[-1], np.int32)
    values, x = uniform(int(rows[-1])), uniform(n, seed=2)
    y = np.add.reduceat(values.astype(np.float64) * x[columns], rows[:-1])
    return [values, columns, rows, x, zeros(n), *numbers(n)], {4: y}


def nbody() -> tuple[list[Arg], Buffers]:
    n = 1024
    bodies = uniform(4 * n).reshape(n, 4)
    places, mass = bodies[:, :3].astype(np.float64), bodies[:, 3]
    d = places[None] - places[:, None]
    weight = mass * ((d * d).sum(axis=2) + 0.01) ** -1.5
    pull = np.pad((d * weight[..., None]).sum(axis=1), ((0, 0), (0, 1)))
    return [bodies, np.zeros_like(bodies), *numbers(n)], {1: pull}


def pricing() -> tuple[list[Arg], Buffers]:
    n = 1 << 16
    price, strike = uniform(n, 5, 30), uniform(n, 1, 100, seed=2)
    s, x = price.astype(np.float64), strike.astype(np.float64)

    def normal_cdf(d: NDArray[np.float64]) -> NDArray[np.float64]:
        k = 1 / (1 + 0.2316419 * np.abs(d))
        powers = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
        tail = 0.39894228 * np.exp(-0.5 * d * d) * k * np.polyval(powers[::-1], k)
        return np.where(d > 0, 1 - tail, tail)

    d1 = (np.log(s / x) + 0.065) / 0.3
    result = s * normal_cdf(d1) - x * np.exp(-0.02) * normal_cdf(d1 - 0.3)
    return [price, strike, zeros(n), *numbers(n)], {2: result}


def monte_carlo() -> tuple[list[Arg], Buffers]:
    n = 1 << 14
    state = np.arange(n, dtype=np.uint32) * np.uint32(2654435761) + np.uint32(1)

    def draw() -> NDArray[np.float32]:
        nonlocal state
        for shift, left in ((13, True), (17, False), (5, True)):
            state = state ^ (state << np.uint32(shift) if left else state >> np.uint32(shift))
        return (state >> np.uint32(8)).astype(np.float32) * np.float32(1 / 16777216)

    hits = np.zeros(n, np.uint32)
    for _ in range(64):
        x, y = draw(), draw()
        hits += x * x + y * y < 1
    return [np.zeros(n, np.uint32), *numbers(n)], {0: hits}


def string_hash() -> tuple[list[Arg], Buffers]:
    n = 1 << 16
    generator = np.random.default_rng(1)
    text = generator.integers(1, 256, (n, 16), np.uint8)
    lengths = generator.integers(0, 16, n)
    text[np.arange(16) >= lengths[:, None]] = 0
    value = np.full(n, 2166136261, np.uint32)
    for column in text.T:
        value = np.where(column != 0, (value ^ column) * np.uint32(16777619), value)
    return [text, np.zeros(n, np.uint32), *numbers(n)], {1: value}


def grey() -> tuple[list[Arg], Buffers]:
    n = 1 << 18
    image = np.random.default_rng(1).integers(0, 256, (n, 3), np.uint8)
    values = (image @ np.array([77, 150, 29])) >> 8
    return [image, np.zeros(n, np.uint8), *numbers(n)], {1: values.astype(np.uint8)}


def blur() -> tuple[list[Arg], Buffers]:
    image = np.random.default_rng(1).integers(0, 256, (H, W), np.uint8)
    padded = np.pad(image.astype(np.int32), 1, "edge")
    total = sum(padded[j : j + H, i : i + W] for j in range(3) for i in range(3))
    values = (np.asarray(total) * 57 >> 9).astype(np.uint8)
    return [image, np.zeros_like(image), *numbers(W, H)], {1: values}


def softmax() -> tuple[list[Arg], Buffers]:
    values = uniform(1024 * 256, -5, 5).reshape(1024, 256)
    powers = np.exp(values.astype(np.float64) - values.max(axis=1, keepdims=True))
    result = powers / powers.sum(axis=1, keepdims=True)
    return [values, np.zeros_like(values), *numbers(256, 1024)], {1: result}


def bilateral() -> tuple[list[Arg], Buffers]:
    width, height = 512, 256
    image = uniform(width * height).reshape(height, width)
    padded = np.pad(image.astype(np.float64), 2, "edge")
    middle, total, weights = padded[2:-2, 2:-2], np.zeros(image.shape), np.zeros(image.shape)
    for j in range(5):
        for i in range(5):
            values = padded[j : j + height, i : i + width]
            near = np.exp(-0.5 * ((i - 2) ** 2 + (j - 2) ** 2))
            weight = near * np.exp(-8 * (values - middle) ** 2)
            total, weights = total + weight * values, weights + weight
    return [image, np.zeros_like(image), *numbers(width, height)], {1: total / weights}


def inverse() -> tuple[list[Arg], Buffers]:
    n = 1 << 15
    matrices = uniform(9 * n, -0.2, 0.2).reshape(n, 3, 3) + np.eye(3, dtype=np.float32)
    result = np.linalg.inv(matrices.astype(np.float64))
    return [matrices, np.zeros_like(matrices), *numbers(n)], {1: result}


def layer() -> tuple[list[Arg], Buffers]:
    channels, filters, size = 8, 16, 64
    image = uniform(channels * size * size, -1, 1).reshape(channels, size, size)
    weights = uniform(filters * channels * 9, -1, 1, seed=2).reshape(filters, channels, 3, 3)
    padded = np.pad(image.astype(np.float64), ((0, 0), (1, 1), (1, 1)))
    sums = np.zeros((filters, size, size))
    for j in range(3):
        for i in range(3):
            part = padded[:, j : j + size, i : i + size]
            sums += np.einsum("fc,cyx->fyx", weights[:, :, j, i].astype(np.float64), part)
    out = np.zeros(sums.shape, np.float32)
    return [image, weights, out, *numbers(size, size, filters)], {2: np.maximum(sums, 0)}


COMPUTATIONS: dict[str, Data] = {
    "stencil1d-clamp": stencil("edge", 1 << 18),
    "stencil1d-wrap": stencil("wrap", 1 << 18),
    "stencil2d-clamp": stencil("edge", H, W),
    "stencil2d-mirror": stencil("reflect", H, W),
    "stencil2d-wrap": stencil("wrap", H, W),
    "stencil2d-zero": stencil("constant", H, W),
    "stencil2d-skip": stencil("skip", H, W),
    "stencil3d-clamp": stencil("edge", 32, 64, 64),
    "matrix-product": matrix_product,
    "transpose": transpose,
    "reduction": reduction,
    "scan": scan,
    "histogram": histogram,
    "sort-step": sort_step,
    "fft8": fft8,
    "sparse-product": sparse_product,
    "nbody": nbody,
    "pricing": pricing,
    "monte-carlo": monte_carlo,
    "string-hash": string_hash,
    "grey": grey,
    "blur": blur,
    "softmax": softmax,
    "bilateral": bilateral,
    "inverse": inverse,
    "layer": layer,
}

TOLERANCES = {
    # A product of floats may round up to the next integer.
    "grey": Tolerance(relative=0, absolute=1),
    "histogram": EXACT,
    "blur": EXACT,
    "string-hash": EXACT,
    "monte-carlo": Tolerance(relative=0, absolute=1, strays=0.01),
}
"""Others: the default of `Tolerance`. Points of `monte-carlo` are on the circle by one bit."""
