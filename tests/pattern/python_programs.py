"""Programs in Python with models in numpy; as a script it runs them on a device.

`python python_programs.py DEVICE SIZE...` prints what differs from the models.
"""

from __future__ import annotations

import builtins
import math
import runpy
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from operator import add, mul
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import polycl.pattern as p
from polycl.pattern import (
    Array,
    K,
    M,
    N,
    PythonProgram,
    Value,
    Vector,
    exp,
    f16,
    f32,
    f64,
    generate,
    i1,
    i32,
    i64,
    index,
    iterate,
    join,
    log1p,
    map,
    pad,
    part_red,
    program,
    reduce,
    reduce_seq,
    rsqrt,
    slide,
    split,
    sqrt,
    transpose,
    unzip,
    where,
    zip,
)

Numbers = NDArray[Any]
_RANDOM = np.random.default_rng(0)


@dataclass(frozen=True)
class Case:
    """A program, its arguments for a size, and its results for arguments."""

    program: PythonProgram
    arguments: Callable[[int], tuple[Any, ...]]
    model: Callable[..., Any]

    @property
    def name(self) -> str:
        return self.program.name


CASES: list[Case] = []


def floats(*shape: int) -> Numbers:
    return _RANDOM.standard_normal(shape).astype(np.float32)


def integers(low: int, high: int, *shape: int) -> Numbers:
    return _RANDOM.integers(low, high, shape).astype(np.int32)


def one(n: int) -> tuple[Any, ...]:
    return (floats(n),)


def case(
    arguments: Callable[[int], tuple[Any, ...]], model: Callable[..., Any]
) -> Callable[[Callable[..., Any]], PythonProgram]:
    def add_case(function: Callable[..., Any]) -> PythonProgram:
        CASES.append(Case(program(function), arguments, model))
        return CASES[-1].program

    return add_case


def nested(value: Any) -> list[Numbers]:
    """The arrays in a result."""
    if isinstance(value, tuple):
        return [array for part in value for array in nested(part)]
    return [np.asarray(value)]


def check(case: Case, n: int, device: Any) -> None:
    """Raises AssertionError where a result on the device is not that of the model."""
    arguments = case.arguments(n)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = nested(case.model(*arguments))
    found = nested(case.program(*arguments, device=device))
    assert len(found) == len(expected)
    for a, b in builtins.zip(found, expected, strict=True):
        assert a.shape == b.shape, (a.shape, b.shape)
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=1e-5 * max(1, np.abs(b).max(initial=1)))


# ---- elements ----


@case(one, lambda x: np.maximum(x, 0))
def relu(x: Array[f32, N]):
    return map(lambda e: p.max(e, 0.0), x)


@case(lambda n: (2.0, floats(n), floats(n)), lambda a, x, y: a * x + y)
def axpy(a: f32, x: Array[f32, N], y: Array[f32, N]):
    return map(lambda u, v: a * u + v) @ zip(x, y)


@case(one, lambda x: (np.abs(x), np.sin(x)))
def two_results(x: Array[f32, N]):
    return map(p.abs, x), map(p.sin, x)


@case(lambda n: (floats(n), floats(n)), lambda x, y: (x + y, x - y))
def pairs(x: Array[f32, N], y: Array[f32, N]):
    return map(lambda a, b: (a + b, a - b)) @ zip(x, y)


@case(lambda n: (integers(-50, 50, n),), lambda x: x // 7 + x % 7 - (x // -3) * (x % -3))
def rounded_down(x: Array[i32, N]):
    return map(lambda e: e // 7 + e % 7 - (e // -3) * (e % -3), x)


@case(
    lambda n: (20 * floats(n),),
    lambda x: np.where(x > 0, np.log1p(np.abs(x)), -x).astype(np.float16).astype(np.float32),
)
def conversions(x: Array[f32, N]):
    return map(lambda e: f32(f16(where(e > 0.0, log1p(abs(e)), -e))), x)


@case(
    lambda n: (_RANDOM.integers(0, 2, n).astype(bool), _RANDOM.integers(0, 2, n).astype(bool)),
    lambda a, b: (a & ~b) | (a ^ b),
)
def conditions(a: Array[i1, N], b: Array[i1, N]):
    return map(lambda u, v: (u & ~v) | (u ^ v)) @ zip(a, b)


@case(lambda n: (_RANDOM.integers(-(2**40), 2**40, n),), lambda x: (x << 3) ^ (x >> 5))
def bits(x: Array[i64, N]):
    return map(lambda e: (e << 3) ^ (e >> 5), x)


@case(lambda n: (_RANDOM.standard_normal(n),), lambda x: np.tanh(x) * 2.0)
def doubles(x: Array[f64, N]):
    return map(lambda e: p.tanh(e) * 2.0, x)


@case(lambda n: (floats(n, 4),), lambda x: x + x[:, :1])
def vectors(x: Array[Vector[f32, 4], N]):
    return map(lambda v: v + v[0], x)


@case(lambda n: (floats(4 * n),), np.abs)
def lanes(x: Array[f32, 4 * N]):
    return p.as_scalar @ map(p.vect(p.abs)) @ p.as_vector(4) @ x


# ---- reductions ----


@case(one, lambda x: [np.sqrt((x.astype(float) ** 2).sum())])
def norm(x: Array[f32, N]):
    return map(sqrt) @ reduce(add, 0.0) @ map(lambda e: e * e) @ x


@case(one, lambda x: [x.astype(float).mean()])
def mean(x: Array[f32, N]):
    return map(lambda s: s / N) @ reduce(add, 0.0) @ x


@case(lambda n: (integers(0, 100, n),), lambda x: [x.max(initial=-(2**31))])
def largest(x: Array[i32, N]):
    return reduce(p.max, -(2**31), x)


@case(one, lambda x: [(x > 0).sum(dtype=np.int32)])
def count(x: Array[f32, N]):
    return reduce(add, 0) @ map(lambda e: i32(e > 0.0)) @ x


@case(one, lambda x: ([x.min(initial=np.inf)], [x.max(initial=-np.inf)]))
def extremes(x: Array[f32, N]):
    def combine(a: Value, b: Value):
        return p.min(a[0], b[0]), p.max(a[1], b[1])

    return unzip @ reduce(combine, (np.inf, -np.inf)) @ map(lambda e: (e, e)) @ x


@case(one, lambda x: ([x.max(initial=-np.inf)], [x.argmax() if len(x) else -1]))
def position(x: Array[f32, N]):
    def better(a: Value, b: Value):
        return where(a[0] >= b[0], a[0], b[0]), where(a[0] >= b[0], a[1], b[1])

    return unzip @ reduce(better, (-np.inf, -1)) @ zip(x, generate(N, lambda i: i32(i)))


@case(lambda n: (floats(4 * n),), lambda x: x.reshape(-1, 4).sum(1))
def chunk_sums(x: Array[f32, 4 * N]):
    return part_red(add, 0.0, N, x)


@case(lambda n: (floats(8 * n),), lambda x: x.reshape(-1, 8).sum(1))
def tree(x: Array[f32, 8 * N]):
    return iterate(3, lambda v: join @ map(reduce(add, 0.0)) @ split(2) @ v, x)


@case(one, lambda x: 8 * x)
def doubled(x: Array[f32, N]):
    return iterate(3, map(lambda e: e + e), x)


@case(
    lambda n: (floats(n), floats(9)),
    lambda x, c: sum(c[k] * np.minimum(x, 1) ** k for k in range(9)),
)
def horner(x: Array[f32, N], c: Array[f32, 9]):
    def value(e: Value):
        step = reduce_seq(lambda acc, k: acc * p.min(e, 1.0) + k, 0.0)
        return (step @ generate(9, lambda i: c[8 - i]))[0]

    return map(value, x)


# ---- several passes over the data ----


def softmax_model(x: Numbers) -> Numbers:
    powers = np.exp(x - x.max(-1, keepdims=True, initial=-np.inf))
    return powers / powers.sum(-1, keepdims=True)


@case(one, softmax_model)
def softmax(x: Array[f32, N]):
    m = reduce(p.max, -np.inf, x)
    e = map(lambda v: exp(v - m[0]), x)
    s = reduce(add, 0.0, e)
    return map(lambda v: v / s[0], e)


@case(lambda n: (floats(n, 7),), softmax_model)
def softmax_rows(x: Array[f32, M, K]):
    return map(softmax, x)


@case(one, lambda x: (x - x.mean()) / np.sqrt(x.var() + 1e-5))
def layer_norm(x: Array[f32, N]):
    m = mean(x)
    v = mean(map(lambda e: (e - m[0]) * (e - m[0]), x))
    return map(lambda e: (e - m[0]) * rsqrt(v[0] + 1e-5), x)


# ---- windows and order ----


@case(
    one, lambda x: (np.pad(x, 1, "edge")[:-2] + x + np.pad(x, 1, "edge")[2:]) / 3 if len(x) else x
)
def blur(x: Array[f32, N]):
    return map(lambda w: reduce(add, 0.0, w)[0] / 3.0) @ slide(3) @ pad(1, 1) @ x


@case(one, lambda x: np.roll(x, 1) + np.roll(x, -1))
def ring(x: Array[f32, N]):
    return map(lambda w: w[0] + w[2]) @ slide(3) @ pad(1, 1, mode="wrap") @ x


@case(one, lambda x: np.pad(x, 2, "symmetric")[4:] - x if len(x) else x)
def mirrored(x: Array[f32, N]):
    return map(lambda w: w[4] - w[2]) @ slide(5) @ pad(2, 2, mode="mirror") @ x


@case(
    one,
    lambda x: np.pad(x, 1, constant_values=5)[2:] + np.pad(x, 1, constant_values=5)[:-2],
)
def framed(x: Array[f32, N]):
    return map(lambda w: w[0] + w[2]) @ slide(3) @ pad(1, 1, value=5.0) @ x


@case(lambda n: (floats(2 * n + 1),), lambda x: x[:-2:2] + x[1:-1:2] - x[2::2])
def steps(x: Array[f32, 2 * N + 1]):
    return map(lambda w: w[0] + w[1] - w[2]) @ slide(3, step=2) @ x


@case(lambda n: (floats(n + 3),), lambda x: x[2:-1])
def middle(x: Array[f32, N + 3]):
    return p.take(N) @ p.drop(2) @ x


@case(lambda n: (floats(n + 1), integers(0, n + 1, n)), lambda x, i: x[i])
def gathered(x: Array[f32, N + 1], ids: Array[i32, N]):
    return p.gather(x, ids)


@case(one, lambda x: x[::-1])
def backwards(x: Array[f32, N]):
    return map(lambda i: x[N - 1 - i]) @ generate(N, lambda i: i)


@case(one, lambda x: np.roll(x, 1) + np.roll(x, -2))
def rotated(x: Array[f32, N]):
    return generate(N, lambda i: x[(i - 1) % N] + x[(i + 2) % index(N)])


@case(lambda n: (floats(n + 3),), lambda x: 2 * x[3:])
def doubled_rest(x: Array[f32, N + 3]):
    return p.drop(3) @ map(lambda e: 2.0 * e) @ x


def three_smallest_model(x: Numbers) -> tuple[Numbers, ...]:
    ordered = np.sort(np.append(x, [np.inf] * 3).astype(np.float32))
    return ordered[:1], ordered[1:2], ordered[2:3]


@case(one, three_smallest_model)
def three_smallest(x: Array[f32, N]):
    def keep(best: Value, e: Value):
        a, b, c = best
        return p.min(a, e), p.max(a, p.min(b, e)), p.max(b, p.min(c, e))

    return unzip @ reduce_seq(keep, (np.inf, np.inf, np.inf), x)


@case(one, lambda x: x * np.arange(len(x)))
def ramp(x: Array[f32, N]):
    return map(lambda i, e: f32(i) * e) @ zip(generate(N, lambda i: i), x)


# ---- matrices ----


@case(lambda n: (floats(n, 5),), lambda x: x.T)
def transposed(x: Array[f32, M, K]):
    return transpose(x)


@case(lambda n: (floats(n, 5),), lambda x: x.sum(0))
def column_sums(x: Array[f32, M, K]):
    return join @ map(reduce(add, 0.0)) @ transpose @ x


@case(lambda n: (floats(n, 5), floats(5, 3)), lambda a, b: a @ b)
def matrix_product(a: Array[f32, M, K], b: Array[f32, K, N]):
    columns = transpose(b)

    def row_of(row: Value):
        return join @ map(lambda c: reduce(add, 0.0) @ map(mul) @ zip(row, c)) @ columns

    return map(row_of, a)


def conv2d_model(x: Numbers, w: Numbers) -> Numbers:
    if not len(x):
        return x
    around = np.pad(x, 1, "edge")
    height, width = x.shape
    windows = [around[i : i + height, j : j + width] * w[i, j] for i in range(3) for j in range(3)]
    return np.sum(windows, axis=0)


@case(lambda n: (floats(n, 6), floats(3, 3)), conv2d_model)
def conv2d(x: Array[f32, M, K], w: Array[f32, 3, 3]):
    rows = slide(3) @ pad(1, 1) @ map(pad(1, 1)) @ x
    windows = map(lambda r: transpose @ map(slide(3)) @ r, rows)
    return map(map(lambda win: (reduce(add, 0.0) @ map(mul) @ zip(join(win), join(w)))[0]), windows)


@case(
    lambda n: (floats(n, 2), floats(5, 2)),
    lambda x, c: ((x[:, None] - c[None]) ** 2).sum(2).min(1),
)
def nearest(x: Array[f32, N, 2], c: Array[f32, 5, 2]):
    def distance(a: Value, b: Value):
        return (reduce(add, 0.0) @ map(lambda u, v: (u - v) * (u - v)) @ zip(a, b))[0]

    return join @ map(lambda a: reduce(p.min, np.inf) @ map(lambda b: distance(a, b), c)) @ x


# ---- [lift15, Figures 5 to 7], which are an example ----


def black_scholes_model(
    s: Numbers, strike: float, years: float, rate: float, volatility: float
) -> tuple[Numbers, Numbers]:
    normal = np.vectorize(lambda d: 0.5 * math.erfc(-d / math.sqrt(2)), otypes=[float])
    deviation = volatility * math.sqrt(years)
    d1 = (np.log(s / strike) + (rate + 0.5 * volatility**2) * years) / deviation
    present = strike * math.exp(-rate * years)
    call = s * normal(d1) - present * normal(d1 - deviation)
    return call, call + present - s


def md_model(x: Numbers, ids: Numbers, cutoff2: float, lj1: float, lj2: float) -> Numbers:
    d = x[:, None] - x[ids]
    r2 = np.square(d[..., :3]).sum(2, keepdims=True)
    sixth = r2**-3.0
    return np.where(r2 < cutoff2, d * sixth / r2 * (lj1 * sixth - lj2), 0).sum(1)


def particles(n: int) -> tuple[Any, ...]:
    """Those of a line, each with three others near it."""
    x = np.arange(4 * n).reshape(n, 4) / 4 + 0.1 * floats(n, 4)
    # One or two particles have too few others: their neighbours are beyond the cutoff.
    others = (np.arange(n)[:, None] + [1, 2, 3]) % max(n, 1)
    return x.astype(np.float32), others.astype(np.int32), 9.0 if n > 3 else 0.0, 1.5, 2.0


_EXAMPLES = Path(__file__).parents[2] / "examples" / "pattern"
_FIGURES = runpy.run_path(str(_EXAMPLES / "figures.py"))
for _name, _arguments, _model in (
    ("scal", lambda n: (2.5, floats(n)), lambda a, x: a * x),
    ("asum", one, lambda x: np.abs(x).sum(keepdims=True)),
    ("dot", lambda n: (floats(n), floats(n)), lambda x, y: np.array([x @ y])),
    (
        "gemv",
        lambda n: (floats(n, 7), floats(7), floats(n), 1.5, -2.0),
        lambda A, x, y, a, b: a * (A @ x) + b * y,
    ),
    (
        "black_scholes",
        lambda n: (np.linspace(10, 100, n, dtype=np.float32), 40.0, 0.5, 0.03, 0.2),
        black_scholes_model,
    ),
    ("md", particles, md_model),
):
    CASES.append(Case(_FIGURES[_name], _arguments, _model))


# ---- scans, scatters, filters, sorts ----


@case(one, np.maximum.accumulate)
def prefix_maximum(x: Array[f32, N]):
    return p.scan(p.max, -np.inf, x)


@case(
    lambda n: (integers(0, 16, n), np.zeros(16, np.int32)),
    lambda keys, _: np.cumsum(np.bincount(keys, minlength=16)) - np.bincount(keys, minlength=16),
)
def places_of_keys(keys: Array[i32, N], none: Array[i32, M]):
    counts = p.scatter(add, keys, none) @ map(lambda key: i32(1)) @ keys
    return p.scan(add, 0, counts, exclusive=True)


@case(one, lambda x: (np.concatenate([x[x > 0], x[x <= 0]]), [(x > 0).sum()]))
def positive_first(x: Array[f32, N]):
    return p.filter(lambda e: e > 0.0, x)


@case(
    lambda n: (integers(0, 5, min(n, 99)), floats(min(n, 99))),
    lambda keys, x: (np.sort(keys), x[np.argsort(keys, kind="stable")]),
)
def sorted_by_key(keys: Array[i32, N], x: Array[f32, N]):
    return unzip @ p.sort(lambda a, b: a[0] < b[0]) @ zip(keys, x)


@case(lambda n: (floats(min(n, 99)),), lambda x: x + len(x) * (len(x) - 1) // 2)
def numbered_iterations(x: Array[f32, N]):
    return iterate(N, lambda v, i: map(lambda e: e + f32(i), v), x)


# ---- programs of a stranger ----


def log_sum_exp_model(x: Numbers) -> Numbers:
    m = x.max(initial=-np.inf)
    return np.array([np.log(np.exp(x - m).sum()) + m if len(x) else -np.inf])


@case(one, log_sum_exp_model)
def log_sum_exp(x: Array[f32, N]):
    m = reduce(p.max, -np.inf, x)
    s = reduce(add, 0.0) @ map(lambda e: p.exp(e - m[0])) @ x
    return map(lambda v: where(v > 0.0, p.log(v) + m[0], f32(-np.inf)), s)


@case(
    lambda n: (floats(n + 1), floats(n + 1)),
    lambda a, b: [(a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())],
)
def cosine(a: Array[f32, N + 1], b: Array[f32, N + 1]):
    def plus(s: Value, t: Value):
        return s[0] + t[0], s[1] + t[1], s[2] + t[2]

    products = map(lambda u, v: (u * v, u * u, v * v)) @ zip(a, b)
    return map(lambda ab, aa, bb: ab / p.sqrt(aa * bb)) @ reduce(plus, (0.0, 0.0, 0.0)) @ products


@case(lambda n: (floats(n, 7), floats(n + 6)), lambda a, x: banded_model(a, x))
def banded(a: Array[f32, N, 7], x: Array[f32, N + 6]):
    """A banded matrix times a vector that has a border of three elements."""
    rows = zip(a, slide(7, x))
    return map(lambda row, w: reduce(add, 0.0, map(mul, zip(row, w)))[0]) @ rows


def banded_model(a: Numbers, x: Numbers) -> Numbers:
    return np.array([a[i] @ x[i : i + 7] for i in range(len(a))], np.float32)


@case(lambda n: (floats(2 * n, 6),), lambda x: x.reshape(-1, 2, 3, 2).max((1, 3)))
def max_pool(x: Array[f32, 2 * M, 2 * N]):
    tiles = map(lambda rows: p.transpose @ map(split(2)) @ rows) @ split(2) @ x
    return map(map(lambda tile: reduce(p.max, -np.inf, join(tile))[0]), tiles)


@case(
    lambda n: (floats(n, 3), floats(8, 3)),
    lambda x, c: ((x[:, None] - c[None]) ** 2).sum(2).argmin(1),
)
def nearest_centre(x: Array[f32, N, 3], c: Array[f32, K, 3]):
    def nearer(a: Value, b: Value):
        return where(b[0] < a[0], b[0], a[0]), where(b[0] < a[0], b[1], a[1])

    def nearest_to(point: Value):
        def distance(centre: Value):
            squares = map(lambda u, v: (u - v) * (u - v), zip(point, centre))
            return reduce(add, 0.0, squares)[0]

        numbered = zip(map(distance, c), generate(K, lambda i: i32(i)))
        return reduce(nearer, (np.inf, -1), numbered)[0][1]

    return map(nearest_to, x)


if __name__ == "__main__":
    import polycl

    target = polycl.device(sys.argv[1])
    for each in CASES:
        for size in sys.argv[2:]:
            try:
                check(each, int(size), target)
            except (AssertionError, polycl.PolyclError) as error:
                print(f"{each.name}, {size} elements: {error}")
