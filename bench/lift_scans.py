"""Scans, sorts, sums by key and histograms as pattern programs, against numpy and numba.

`python -m bench.lift_scans` calls `function(x, device=..., out=...)` on ordinary numpy arrays, and
the same computation by numpy, and by a loop that numba compiles, in turns. A ratio above 1: ours is
faster than the faster one of both, each by its least time: on one thread that of the processor, so
that other programs have no part in it. Without numba its column is empty.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import add, mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

import polycl
import polycl.pattern as pattern
from bench.lift_sizes import ROOT, in_turns
from polycl.runtime.pattern.functions import Function

EXAMPLES = ROOT / "examples" / "pattern"
SIZES = (1000, 10_007, 65_536, 100_003, 1_000_003, 1 << 22, 1 << 24)
BINS = 256

Call = Callable[[], Any]


@dataclass
class Work:
    """One computation; each call returns its result."""

    name: str
    ours: Call
    numpy: Call
    numba: Call | None
    out: NDArray[Any] | None = None
    """Where all write their result: the same loop takes 5 to 8 ms with its place in memory."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.lift_scans", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="WORK", help="default: all")
    parser.add_argument("--size", type=int, nargs="+", default=SIZES, help="elements")
    parser.add_argument("--threads", type=int, default=1, help="of ours (default: 1)")
    parser.add_argument("--rounds", type=int, default=9, help="turns of each (default: 9)")
    args = parser.parse_args()
    device = polycl.device("cpu", threads=args.threads)
    clock = time.thread_time if args.threads == 1 else time.perf_counter
    print(f"{'':22} {'elements':>9} {'ours us':>10} {'numpy us':>10} {'numba us':>10}  ratio")
    for n in args.size:
        for work in works(n, device):
            if args.names and work.name not in args.names:
                continue
            calls = {"ours": work.ours, "numpy": work.numpy}
            if work.numba is not None:
                calls["numba"] = work.numba
            # Numbers are small integers: sums are exact in any order.
            right = [np.array(part) for part in as_parts(work.numpy())]
            for name, call in calls.items():
                if work.out is not None:
                    work.out.fill(0)
                for part, expected in zip(as_parts(call()), right, strict=True):
                    assert np.array_equal(part, expected), f"{work.name} of {n}: {name} is wrong"
            least = in_turns(calls, args.rounds, clock)
            times = {name: 1e6 * seconds for name, seconds in least.items()}
            peers = [time for name, time in times.items() if name != "ours"]
            columns = [f"{times[name]:10.1f}" if name in times else " " * 10 for name in _COLUMNS]
            ratio = min(peers) / times["ours"]
            print(f"{work.name:22} {n:>9} {' '.join(columns)} {ratio:6.2f}", flush=True)


_COLUMNS = ("ours", "numpy", "numba")


def as_parts(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def works(n: int, device: polycl.Device) -> Iterator[Work]:
    """All computations on n elements."""
    rng = np.random.default_rng(n)
    loops = numba_loops()

    def by_numba(name: str, *args: Any) -> Call | None:
        return (lambda: loops[name](*args)) if loops else None

    for dtype in (np.float32, np.int32):
        x = rng.integers(-3, 4, n).astype(dtype)
        out = np.empty_like(x)
        scan = program("scan", dtype)
        if device.threads > 1:
            scan = scan.derived(EXAMPLES / "scan.any.deriv")
        yield Work(
            f"scan {np.dtype(dtype)}",
            lambda f=scan, x=x, out=out: f(x, device=device, out=out),
            lambda x=x, out=out: np.cumsum(x, dtype=x.dtype, out=out),
            by_numba("scan", x, out),
            out,
        )
    for dtype, op in ((np.float64, "sum"), (np.float32, "product"), (np.int32, "product")):
        low, high = (-3, 4) if op == "sum" else (1, 2)
        x = rng.integers(low, high, n).astype(dtype)
        out = np.empty_like(x)
        scan, by_numpy, loop = SCANS[dtype, op]
        yield Work(
            f"{op} scan {np.dtype(dtype)}",
            lambda f=scan, x=x, out=out: f(x, device=device, out=out),
            lambda f=by_numpy, x=x, out=out: f(x, dtype=x.dtype, out=out),
            by_numba(loop, x, out),
            out,
        )
    x = rng.random(n, dtype=np.float32)
    yield Work(
        "filter",
        lambda: (lambda found, count: found[: count[0]])(*above_half(x, device=device)),
        lambda: x[x > 0.5],
        by_numba("above_half", x),
    )
    yield Work("sort", lambda: in_order(x, device=device), lambda: np.sort(x), None)
    keys = rng.integers(0, n, n).astype(np.int32)
    yield Work(
        "sort by key",
        lambda: in_order_of(keys, x, device=device),
        lambda: (lambda order: (keys[order], x[order]))(np.argsort(keys, kind="stable")),
        None,
    )
    largest = np.empty_like(x)
    yield Work(
        "prefix maximum",
        lambda: prefix_maximum(x, device=device, out=largest),
        lambda: np.maximum.accumulate(x, out=largest),
        by_numba("prefix_maximum", x, largest),
        largest,
    )
    yield Work(
        "argmax",
        lambda: first_largest(x, device=device)[1],
        lambda: np.array([x.argmax()]),
        by_numba("argmax", x),
    )
    whole = rng.integers(-(2**31), 2**31, n).astype(np.int32)
    for find, values in ((kept_float, x), (taken_float, x), (kept_integer, whole)):
        yield Work(
            f"argmax {find.name.replace('_', ' ')}",
            lambda find=find, values=values: find(values, device=device)[1],
            lambda values=values: np.array([values.argmax()]),
            by_numba("argmax", values),
        )
    keys = rng.integers(0, BINS, n).astype(np.int32)
    histogram = program("histogram")
    if device.threads > 1:
        histogram = histogram.derived(EXAMPLES / "histogram.any.deriv")
    yield Work(
        "histogram",
        lambda: histogram(keys, device=device),
        lambda: np.bincount(keys, minlength=BINS),
        by_numba("histogram", keys, BINS),
    )
    values = rng.integers(-3, 4, n).astype(np.float32)
    start = np.zeros(BINS, np.float32)
    by_key = program("sums_by_key")
    if device.threads > 1:
        by_key = by_key.derived(EXAMPLES / "sums_by_key.any.deriv")
    yield Work(
        "sums by key",
        lambda: by_key(keys, values, start, device=device),
        lambda: np.bincount(keys, weights=values, minlength=BINS),
        by_numba("sums_by_key", keys, values, BINS),
    )
    runs = np.sort(rng.integers(0, n // 8, n)).astype(np.int32)
    numbers = rng.integers(-3, 4, n).astype(np.int32)
    reduce_by_key = program("reduce_by_key")

    def numpy_runs() -> tuple[Any, ...]:
        starts = np.flatnonzero(np.concatenate([[True], runs[1:] != runs[:-1]]))
        return runs[starts], np.add.reduceat(numbers, starts)

    def our_runs() -> tuple[Any, ...]:
        found, sums, (count,) = reduce_by_key(runs, numbers, device=device)
        return found[:count], sums[:count]

    yield Work(
        "sums of runs",
        our_runs,
        numpy_runs,
        by_numba("runs", runs, numbers),
    )


@pattern.program
def sums_of_doubles(x: pattern.Array[pattern.f64, pattern.N]):
    return pattern.scan(add, 0.0, x)


@pattern.program
def products(x: pattern.Array[pattern.f32, pattern.N]):
    return pattern.scan(mul, 1.0, x)


@pattern.program
def products_of_integers(x: pattern.Array[pattern.i32, pattern.N]):
    return pattern.scan(mul, 1, x)


SCANS: dict[Any, tuple[Function, Callable[..., Any], str]] = {
    (np.float64, "sum"): (sums_of_doubles, np.cumsum, "scan"),
    (np.float32, "product"): (products, np.cumprod, "product_scan"),
    (np.int32, "product"): (products_of_integers, np.cumprod, "product_scan"),
}


@pattern.program
def above_half(x: pattern.Array[pattern.f32, pattern.N]):
    return pattern.filter(lambda e: e > 0.5, x)


@pattern.program
def in_order(x: pattern.Array[pattern.f32, pattern.N]):
    return pattern.sort(lambda a, b: a < b, x)


@pattern.program
def in_order_of(
    keys: pattern.Array[pattern.i32, pattern.N], x: pattern.Array[pattern.f32, pattern.N]
):
    pairs = pattern.zip(keys, x)
    return pattern.unzip @ pattern.sort(lambda a, b: a[0] < b[0]) @ pairs


@pattern.program
def prefix_maximum(x: pattern.Array[pattern.f32, pattern.N]):
    return pattern.scan(pattern.max, -np.inf, x)


@pattern.program
def first_largest(x: pattern.Array[pattern.f32, pattern.N]):
    """The largest element and the first index that it has, in any order of combining."""

    def better(a: pattern.Value, b: pattern.Value):
        takes = (b[0] > a[0]) | ((b[0] == a[0]) & (b[1] < a[1]))
        return pattern.where(takes, b[0], a[0]), pattern.where(takes, b[1], a[1])

    indices = pattern.generate(pattern.N, lambda i: pattern.i32(i))
    start = (-np.inf, 2**31 - 1)
    numbered = pattern.zip(x, indices)
    return pattern.unzip @ pattern.reduce(
        better, start, numbered, assoc=True, comm=True, neutral=True
    )


def kept(a: pattern.Value, b: pattern.Value):
    """As one writes it: the first of equal elements; what follows a NaN is kept."""
    return tuple(pattern.where(a[0] >= b[0], a[i], b[i]) for i in range(2))


def taken(a: pattern.Value, b: pattern.Value):
    """The first of equal elements; a NaN is never kept."""
    return tuple(pattern.where(b[0] > a[0], b[i], a[i]) for i in range(2))


@pattern.program
def kept_float(x: pattern.Array[pattern.f32, pattern.N]):
    indices = pattern.generate(pattern.N, lambda i: pattern.i32(i))
    return pattern.unzip @ pattern.reduce(kept, (-np.inf, -1)) @ pattern.zip(x, indices)


@pattern.program
def taken_float(x: pattern.Array[pattern.f32, pattern.N]):
    indices = pattern.generate(pattern.N, lambda i: pattern.i32(i))
    return pattern.unzip @ pattern.reduce(taken, (-np.inf, -1)) @ pattern.zip(x, indices)


@pattern.program
def kept_integer(x: pattern.Array[pattern.i32, pattern.N]):
    indices = pattern.generate(pattern.N, lambda i: pattern.i32(i))
    return pattern.unzip @ pattern.reduce(kept, (-(2**31), -1)) @ pattern.zip(x, indices)


def program(name: str, dtype: Any = np.float32) -> Function:
    """A program of examples/pattern, of floats or of integers."""
    text = (EXAMPLES / f"{name}.mlir").read_text()
    if dtype == np.int32:
        text = text.replace("f32", "i32").replace("addf", "addi").replace("0.0", "0")
    return polycl.load(text, language="mlir").function(name)


def numba_loops() -> dict[str, Callable[..., Any]]:
    """The loops that one would write, compiled; none without numba."""
    try:
        import numba  # pyright: ignore[reportMissingImports]
    except ImportError:
        return {}

    def scan(x: Any, out: Any) -> Any:
        total = x.dtype.type(0)
        for i in range(x.size):
            total += x[i]
            out[i] = total
        return out

    def prefix_maximum(x: Any, out: Any) -> Any:
        largest = x.dtype.type(-np.inf)
        for i in range(x.size):
            largest = max(largest, x[i])
            out[i] = largest
        return out

    def product_scan(x: Any, out: Any) -> Any:
        product = x.dtype.type(1)
        for i in range(x.size):
            product *= x[i]
            out[i] = product
        return out

    def above_half(x: Any) -> Any:
        found = np.empty_like(x)
        count = 0
        for i in range(x.size):
            if x[i] > 0.5:
                found[count] = x[i]
                count += 1
        return found[:count]

    def argmax(x: Any) -> Any:
        best = 0
        for i in range(x.size):
            if x[i] > x[best]:
                best = i
        return np.array([best])

    def histogram(keys: Any, bins: int) -> Any:
        counts = np.zeros(bins, np.int32)
        for i in range(keys.size):
            counts[keys[i]] += 1
        return counts

    def sums_by_key(keys: Any, values: Any, bins: int) -> Any:
        sums = np.zeros(bins, np.float32)
        for i in range(keys.size):
            sums[keys[i]] += values[i]
        return sums

    def runs(keys: Any, values: Any) -> Any:
        found, sums = np.empty_like(keys), np.empty_like(values)
        count = 0
        for i in range(keys.size):
            if i == 0 or keys[i] != keys[i - 1]:
                found[count], sums[count] = keys[i], 0
                count += 1
            sums[count - 1] += values[i]
        return found[:count], sums[:count]

    loops: tuple[Callable[..., Any], ...]
    loops = (scan, product_scan, above_half, prefix_maximum, argmax, histogram, sums_by_key, runs)
    compiled: Callable[..., Any] = numba.njit
    return {loop.__name__: compiled(loop) for loop in loops}


if __name__ == "__main__":
    # numpy's sums are not of several threads, but its other libraries may be.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
