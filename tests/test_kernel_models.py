"""The test kernels against numpy: a second implementation of each.

The judge and polycl could share a misunderstanding of a kernel; these models do not come from
its source. Each takes the arguments of a launch and returns the arrays that it must leave.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from judge.runtime import Judge
from launches import Launch, launches_of

KERNELS = Path(__file__).resolve().parent / "kernels"


@dataclass(frozen=True)
class Call:
    """A launch as a model sees it: `call.x` is an argument, arrays are as before the launch."""

    arguments: dict[str, Any]
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.arguments[name]
        except KeyError:
            raise AttributeError(name) from None

    def groups(self, array: np.ndarray) -> np.ndarray:
        """A one-dimensional launch's array as (group, work-item)."""
        return array.reshape(-1, self.local_size[0])


Model = Callable[[Call], dict[str, Any]]
MODELS: dict[str, Model] = {}


def model(function: Model) -> Model:
    """Registers the model of the kernel file with the function's name."""
    MODELS[function.__name__] = function
    return function


@model
def barrier_straight(c: Call):
    x = c.groups(c.x)
    reverse = x[:, ::-1]
    return {"y": (2 * np.roll(reverse, -1, 1) + reverse).ravel()}


@model
def aggregate_temporaries(c: Call):
    i = np.arange(8)
    last = np.where(i % 2 == 1, 8, 2 + 4 + 3 + 1)
    part = np.array([3, 6, 3])[i % 3]
    return {"out": (1 + i + 3 + 4) + (3 * i + 1) * 100 + last * 10000 + 127 + part * 1000000}


@model
def cpp_classes(c: Call):
    x, ids = getattr(c, "in"), np.arange(16)
    norm = (2 * (x + 1)) ** 2 + 100
    high, low = norm + x + 12, 0.5 * 5 * x * x + 1
    return {"out": 3 * high + low * ids}


@model
def barrier_counted_loop(c: Call):
    return {"sums": c.groups(c.x).sum(1)}


@model
def barrier_while(c: Call):
    v = c.groups(c.x).astype(np.float32)
    last = np.zeros_like(v)
    for _ in range(c.rounds):
        padded = np.pad(v, ((0, 0), (1, 1)), "edge")
        quarter, half = np.float32(0.25), np.float32(0.5)
        last, v = v, quarter * padded[:, :-2] + half * v + quarter * padded[:, 2:]
    return {"y": (v - np.float32(0.125) * last + np.float32(c.rounds)).ravel()}


@model
def barrier_do_while(c: Call):
    v, n = c.groups(c.x).astype(np.uint32), c.n
    while True:
        v = v * np.uint32(1664525) + np.roll(v, -(n + 1), 1)
        n //= 2
        if n == 0:
            return {"y": v.ravel()}


@model
def barrier_loop_bound_from_memory(c: Call):
    v = c.groups(c.x).copy()
    for group, trips in zip(v, c.trips, strict=True):
        for i in range(trips):
            group += group[(np.arange(16) * 3 + i) % 16]
    return {"y": v.ravel()}


@model
def barrier_uniform_from_memory(c: Call):
    n = c.local_size[0]
    weight = c.weight[: n * n].reshape(n, n)
    lengths = []
    for group in range(c.global_size[0] // n):
        d = np.full(n, 1000000)
        d[0] = group
        for _ in range(n):
            d = np.minimum(d, (d[:, None] + weight).min(0))
        lengths.append(d)
    return {"length": np.concatenate(lengths)}


@model
def barrier_partial_group(c: Call):
    n = c.local_size[0]
    x = np.zeros(c.global_size[0], np.int32)
    x[: c.n] = c.x
    sums = x.reshape(-1, n).cumsum(1)
    y = (x.reshape(-1, n) + 2 * sums).ravel()[: c.n]
    return {"y": y, "sums": [s[min(n, c.n - i * n) - 1] for i, s in enumerate(sums)]}


@model
def barrier_guarded_loop(c: Call):
    v, lengths = c.groups(c.x).copy(), c.groups(c.lengths)
    for group, own in zip(v, lengths, strict=True):
        for i in range(own.max()):
            other = np.roll(group, -1)
            for item, length in enumerate(own):
                for k in range(length - i):
                    group[item] += (other[item] + k) & 7
    return {"y": v.ravel()}


@model
def barrier_3d(c: Call):
    lx, ly, lz = c.local_size
    y = np.empty_like(c.x)
    for z0 in range(0, y.shape[0], lz):
        for y0 in range(0, y.shape[1], ly):
            for x0 in range(0, y.shape[2], lx):
                part = np.s_[z0 : z0 + lz, y0 : y0 + ly, x0 : x0 + lx]
                brick = c.x[part]
                group = z0 // lz * 100 + y0 // ly * 10
                y[part] = brick[::-1, ::-1, ::-1] * 1000 + brick.sum((0, 2))[None, :, None] + group
    return {"y": y}


@model
def barrier_transpose(c: Call):
    return {"out": getattr(c, "in").T}


@model
def barrier_divergent_loops(c: Call):
    def steps(v: int) -> int:
        count = 0
        while v != 1 and count <= 60:
            v, count = 3 * v + 1 if v & 1 else v // 2, count + 1
        return count

    counts = c.groups(np.array([steps(int(v)) for v in c.x]))
    rows = []
    for row in counts:
        larger = []
        for own in row:
            total = 0
            for other in row:
                if other > own:
                    total += other - own
                if total > 100:
                    break
            larger.append(total)
        rows.append(row * 1000 + np.roll(larger, -1))
    return {"y": np.concatenate(rows)}


@model
def scan_hillis_steele(c: Call):
    return {"y": c.groups(c.x).cumsum(1).ravel()}


@model
def scan_blelloch(c: Call):
    x = c.x.reshape(-1, 2 * c.local_size[0])
    sums = x.cumsum(1)
    return {"y": (sums - x).ravel(), "sums": sums[:, -1]}


@model
def histogram(c: Call):
    return {"bins": np.bincount(c.data >> 4, minlength=16)}


@model
def bitonic_sort(c: Call):
    data = np.sort(c.groups(c.data), 1)
    return {"data": (data[:, ::-1] if c.descending else data).ravel()}


@model
def odd_even_sort(c: Call):
    return {"keys": np.sort(c.groups(c.keys), 1).ravel()}


@model
def matmul_rect(c: Call):
    total = np.zeros_like(c.c)
    for k in range(c.k):
        total += c.a[:, k : k + 1] * c.b[k : k + 1]
    return {"c": total}


@model
def row_panels(c: Call):
    total = np.zeros_like(c.c)
    for k in range(256):
        total += c.a[:, k : k + 1] * c.b[k : k + 1]
    return {"c": np.float32(c.scale) * total + np.float32(c.n)}


@model
def stencil_jacobi(c: Call):
    grid = c.grid.copy()
    for _ in range(c.rounds):
        across = grid[1:-1, :-2] + grid[1:-1, 2:]
        grid[1:-1, 1:-1] = (across + (grid[:-2, 1:-1] + grid[2:, 1:-1])) * np.float32(0.25)
    return {"grid": grid}


@model
def game_of_life(c: Call):
    shifts = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
    alive = sum(np.roll(c.cells, s, (0, 1)).astype(int) for s in shifts)
    return {"next": (alive == 3) | ((alive == 2) & (c.cells == 1))}


@model
def mandelbrot_exact(c: Call):
    w, h = c.global_size
    f = np.float32
    counts = np.zeros((h, w), np.int32)
    for py in range(h):
        for px in range(w):
            cx, cy = f(-2) + f(3) * f(px) / f(w), f(-1) + f(2) * f(py) / f(h)
            x = y = f(0)
            n = 0
            while n < c.most and x * x + y * y <= f(4):
                x, y = x * x - y * y + cx, f(2) * x * y + cy
                n += 1
            counts[py, px] = n
    return {"out": counts}


@model
def sobel_bytes(c: Call):
    p = np.pad(getattr(c, "in").astype(int), 1, "edge")
    gx = np.zeros_like(getattr(c, "in"), int)
    gy = gx.copy()
    h, w = gx.shape
    for i, weight in enumerate((1, 2, 1)):
        gx += weight * (p[i : i + h, 2:] - p[i : i + h, :-2])
        gy += weight * (p[2:, i : i + w] - p[:-2, i : i + w])
    return {"out": np.minimum(abs(gx) + abs(gy), 255)}


@model
def floyd_warshall(c: Call):
    d = c.dist.copy()
    np.fill_diagonal(d, 0)
    for k in range(8):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1])
    return {"dist": d}


@model
def edit_distance(c: Call):
    table = np.zeros_like(c.table)
    table[:, 0] = np.arange(table.shape[0])
    table[0] = np.arange(table.shape[1])
    for i, a in enumerate(c.a, 1):
        for j, b in enumerate(c.b[: c.n], 1):
            gap = min(table[i - 1, j], table[i, j - 1]) + 1
            table[i, j] = min(gap, table[i - 1, j - 1] + (a != b))
    return {"table": table}


@model
def compaction(c: Call):
    rows = [row[row > 0] for row in c.groups(c.x)]
    return {
        "y": np.concatenate([np.pad(r, (0, c.local_size[0] - len(r))) for r in rows]),
        "kept": [len(r) for r in rows],
    }


@model
def crc32(c: Call):
    return {"crc": [zlib.crc32(row.tobytes()) for row in c.text]}


@model
def convolution_table(c: Call):
    source, r = getattr(c, "in"), c.r
    h, w = source.shape
    out = np.zeros_like(source)
    for y in range(h):
        for x in range(w):
            total = np.float32(0)
            for j in range(max(0, y - r), min(h - 1, y + r) + 1):
                for i in range(max(0, x - r), min(w - 1, x + r) + 1):
                    total += source[j, i] * c.mask[j - y + r, i - x + r]
            out[y, x] = total
    return {"out": out}


@model
def sharpen_table(c: Call):
    weights = np.zeros((5, 5), int)
    weights[1:4, 1:4] = [[-1, -2, -1], [-2, 24, -2], [-1, -2, -1]]
    weights[[0, 2, 2, 4], [2, 0, 4, 2]] = -1
    windows = np.lib.stride_tricks.sliding_window_view(getattr(c, "in").astype(int), (5, 5))
    out = np.zeros(getattr(c, "in").shape, np.uint8)
    out[2:-2, 2:-2] = np.clip((windows * weights).sum((2, 3)) >> 3, 0, 255)
    return {"out": out}


@model
def spmv_csr(c: Call):
    y = []
    for first, last in zip(c.start[:-1], c.start[1:], strict=True):
        total = np.float32(0)
        for i in range(first, last):
            total += c.val[i] * c.x[c.col[i]]
        y.append(total)
    return {"y": np.array(y)}


@model
def random_generator(c: Call):
    mask = 2**64 - 1

    def scramble(z: int) -> int:
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        return z ^ z >> 31

    out = []
    for seed in c.seed.tolist():
        a, carry, total = seed, 0, 0
        for _ in range(c.rounds):
            a ^= a << 13 & 0xFFFFFFFF
            a ^= a >> 17
            a ^= a << 5 & 0xFFFFFFFF
            carry = a * 4294957665 + (carry >> 32) & mask
            total += scramble(carry ^ a << 17)
        out.append(total & mask)
    return {"out": np.array(out, np.uint64)}


@model
def integer_builtins(c: Call):
    def signed(v: int, bits: int = 32) -> int:
        v &= (1 << bits) - 1
        return v - (1 << bits) if v >> bits - 1 else v

    def sat(v: int, bits: int = 32) -> int:
        return max(-(1 << bits - 1), min((1 << bits - 1) - 1, v))

    def usat(v: int) -> int:
        return max(0, min(2**32 - 1, v))

    def clz(v: int, bits: int) -> int:
        return bits - (v & (1 << bits) - 1).bit_length()

    def rotate(v: int, by: int, bits: int) -> int:
        by %= bits
        v &= (1 << bits) - 1
        return signed(v << by | v >> bits - by, bits)

    rows = []
    for a, b in zip(c.x.tolist(), c.y.tolist(), strict=True):
        ua, ub = a % 2**32, b % 2**32
        a8, b8 = signed(a, 8), signed(b, 8)
        row = [
            abs(a) ^ abs(a - b),
            sat(a + b),
            sat(a - b),
            (a + b) >> 1,
            ((a + b + 1) >> 1) ^ ((ua + ub + 1) >> 1),
            max(-1000, min(1000, a)) + max(-5, min(5, b8)),
            clz(a, 32) * 100 + clz(b, 8) + clz(a, 16) * 10000,
            (a * b >> 32) + 7,
            sat(a * 3 + b) ^ usat(ua * 3 + ub),
            (a * b >> 32) ^ (ua * ub >> 32),
            rotate(a, b, 32) ^ rotate(a8, 3, 8),
            (signed(a, 16) << 16) | b & 0xFFFF,
            (a >> 20) * (b >> 20) + (a >> 22) * (b >> 22) + a,
            ua.bit_count() * 100 + (b & 0xFFFF).bit_count(),
            max(ua, ub) ^ min(a, b),
            usat(ua + ub) ^ usat(ua - ub) ^ sat(a8 + b8, 8),
        ]
        rows.append([signed(v) for v in row])
    return {"out": np.array(rows)}


@model
def integer_division(c: Call):
    rows = []
    for g, (a, b) in enumerate(zip(c.x.tolist(), c.y.tolist(), strict=True)):
        b = b if g & 1 else -b
        small = int(math.fmod(a, 128))
        pairs = [(a, b), (a, 7), (small, b)]
        (q, r), (q7, _), (qs, rs) = [(int(p / q), int(math.fmod(p, q))) for p, q in pairs]
        r7, r16 = int(math.fmod(a, -7)), int(math.fmod(a, 16))
        rows.append([q, r, q7, r7, qs, rs, q, int(a / 8) + r16])
    return {"out": np.array(rows)}


@model
def unsigned_arithmetic(c: Call):
    rows = []
    for g, (a, b) in enumerate(zip(c.x.tolist(), c.y.tolist(), strict=True)):
        minus = -1 - (g & 3)
        most = int(a > b) + 2 * int(minus % 2**32 > a)
        last = a // (b & 0xFFFF | 1) + minus
        row = [a + b, a - b, a * b, a // b, a % b, -a, most, last]
        rows.append([v % 2**32 for v in row])
    return {"out": np.array(rows)}


@model
def half_storage(c: Call):
    exact = c.x.astype(np.float64)
    with np.errstate(over="ignore"):
        nearest = c.x.astype(np.float16)
    up, down = np.float16(np.inf), np.float16(-np.inf)
    wide = nearest.astype(np.float64)
    with np.errstate(over="ignore"):
        rtp = np.where(wide < exact, np.nextafter(nearest, up), nearest)
        rtn = np.where(wide > exact, np.nextafter(nearest, down), nearest)
    rtz = np.where(exact > 0, rtn, rtp)
    fours = c.h.reshape(-1, 4)[:, 0].repeat(4).astype(np.float32)
    return {
        "out": np.stack([nearest, rtz, rtp, rtn], 1).astype(np.float16).ravel(),
        "y": c.h.astype(np.float32) * np.float32(3) + fours,
    }


@model
def one_dimension_odd_sizes(c: Call):
    return {"y": np.float32(c.a) * c.x + c.y}


@model
def async_copy(c: Call):
    y, w = np.empty(64, np.float32), np.zeros_like(c.w)
    for group in range(2):
        tile = c.x[32 * group : 32 * group + 32].copy()
        for item in range(8):
            total = c.x[group + 4 * item]
            for i in range(4):
                total = total + c.x[32 * group + 4 * item + i]
            tile[31 - item], tile[item] = total, -total
            w[group + 2 * item] = c.v[8 * group + item] * 2 + item
        y[32 * group : 32 * group + 32] = tile
    return {"y": y, "w": w}


@model
def atomics(c: Call):
    x, unsigned = c.x, c.x.astype(np.uint32)
    per_group = sum(int(g.min()) * 1000 + int(g.sum()) for g in c.groups(x))
    bits = np.bitwise_xor.reduce(x)
    totals = [x.sum(), -2 * x.sum(), max(0, x.max()), -1, bits, -64, 64, per_group]
    sevens = sum(g & 7 for g in range(64))
    return {
        "totals": totals,
        "unsigned_totals": [min(500, unsigned.min()), max(500, unsigned.max()), 500 & ~15]
        + [500 + sevens],
        "tickets": np.ones(64),
        "f": [2.5],
    }


CASES = [
    launch for name in MODELS for launch in launches_of(KERNELS / f"{name}.cl") if launch.local_size
]


def check(launch: Launch, results: dict[str, np.ndarray]) -> None:
    assert launch.local_size is not None
    call = Call(launch.values(), launch.global_size, launch.local_size)
    for name, expected in MODELS[launch.path.stem](call).items():
        result = results[name]
        expected = np.asarray(expected).astype(result.dtype).reshape(result.shape)
        np.testing.assert_array_equal(result, expected, err_msg=name)


@pytest.mark.parametrize("launch", CASES, ids=str)
def test_cpu_computes_the_model(launch: Launch):
    arguments = launch.values()
    kernel = launch.load().kernel(launch.kernel)
    kernel(
        **arguments,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=polycl.device("cpu", contract=False),
    )
    check(launch, arguments)


@pytest.mark.parametrize("launch", CASES, ids=str)
def test_judge_computes_the_model(launch: Launch, judge: Judge | None):
    if judge is None:
        pytest.skip("--no-judge")
    arguments = launch.values()
    verdict = judge.run(
        launch.source,
        launch.kernel,
        list(arguments.values()),
        options=launch.build_options,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
    )
    names = list(arguments)
    check(launch, {names[i]: array for i, array in verdict.arrays.items()})
