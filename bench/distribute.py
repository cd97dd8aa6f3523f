"""What launches move between machines: for simulated workers, and on processes of this one.

`python -m bench.distribute` prints for 10, 100 and 1,000 workers the bytes that a plan moves
against those that isl counts for the cut, and against the sizes of the buffers. Nothing runs, and
the arrays are memory that nothing touches. `--run N` measures on N processes of this machine: an
empty chunk, and a kernel that only computes, on one worker and on N, each by its least time.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import polycl
from polycl.runtime.figures.figure import Axis, Figure, Layer, Lines, Points
from polycl.runtime.figures.files import check_kind, save
from polycl.runtime.poly.distribute.cluster import connected
from polycl.runtime.poly.distribute.report import bytes_text

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "tests" / "poly" / "distributed" / "fifteen.cl"
N = 1 << 26
"""Elements of vectors."""
M = 1 << 13
"""Sides of matrices."""

Shape = tuple[int, ...]

LAUNCHES: Mapping[str, tuple[Mapping[str, Any], Shape, Shape]] = {
    "scale": ({"x": (N,), "y": (N,), "a": 1.0}, (N,), (64,)),
    "stencil1": ({"x": (N,), "y": (N,), "n": N}, (N,), (64,)),
    "stencil2": ({"x": (M, M), "y": (M, M), "w": M, "h": M}, (M, M), (16, 16)),
    "transpose": ({"x": (M, M), "y": (M, M), "w": M, "h": M}, (M, M), (16, 16)),
    "matmul": (
        {"a": (M, M), "b": (M, M), "c": (M, M), "m": M, "n": M, "k": M},
        (M, M),
        (16, 16),
    ),
    "matmul_tiled": (
        {"a": (M, M), "b": (M, M), "c": (M, M), "n": M, "tile": polycl.Local(1024)},
        (M, M),
        (16, 16),
    ),
    "sums": ({"x": (N,), "out": (N // 64,), "tile": polycl.Local(256), "n": N}, (N,), (64,)),
    "histogram": ({"x": (N,), "bins": (16,)}, (N,), (64,)),
    "extremes": ({"x": (N,), "least": (1,), "most": (1,)}, (N,), (64,)),
    "nbody": (
        {"pos": (1 << 18, 4), "vel": (1 << 18, 4), "out": (1 << 18, 4), "n": 1 << 18, "dt": 0.1},
        (1 << 18,),
        (64,),
    ),
    "kmeans": (
        {"points": (N, 2), "centres": (4, 2), "nearest": (N,), "sums": (4, 3)},
        (N,),
        (64,),
    ),
    "black_scholes": ({"price": (N,), "strike": (N,), "call": (N,), "put": (N,)}, (N,), (64,)),
    "fan1": ({"m": (M, M), "a": (M, M), "n": M, "t": 100}, (M,), (4,)),
    "fan2": ({"m": (M, M), "a": (M, M), "n": M, "t": 100}, (M, M), (16, 16)),
    "convolution": (
        {"x": (M, M), "factors": (5, 5), "y": (M, M), "w": M, "h": M, "r": 2},
        (M, M),
        (16, 16),
    ),
    "scan": ({"x": (N,), "y": (N,), "sums": (N // 32,)}, (N,), (32,)),
}
"""By kernel: the arguments (a tuple is the shape of an array), the global and the local size."""

COMPUTE = """
kernel void compute(global float *x, int n) {
  float v = x[get_global_id(0)];
  for (int i = 0; i < n; i++)
    v = v * 0.999f + 0.001f;
  x[get_global_id(0)] = v;
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.distribute", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="KERNEL", help="default: all")
    parser.add_argument("--workers", type=int, nargs="*", default=[10, 100, 1000])
    parser.add_argument("--plot", type=Path, help="a picture of the table, .svg or .png")
    parser.add_argument("--run", type=int, metavar="N", help="measure on N worker processes")
    args = parser.parse_args()
    if args.plot is not None:
        check_kind(args.plot)
    if args.run:
        measure(args.run)
        return
    found: dict[str, list[float]] = {}
    print(
        f"{'kernel':<14}{'workers':>8}{'cut':>12}{'moved':>12}{'moved/bound':>13}{'moved/buffers':>15}"
    )
    for name in args.names or LAUNCHES:
        found[name] = [simulate(name, workers) for workers in args.workers]
    if args.plot is not None:
        save(picture(found, args.workers), args.plot)


def simulate(name: str, workers: int) -> float:
    """Prints a row; what moves as a multiple of the buffers."""
    kernel = polycl.load(KERNELS).kernel(name)
    given, size, local = LAUNCHES[name]
    values = {
        key: np.empty(value, kernel.dtype(key).base) if isinstance(value, tuple) else value
        for key, value in given.items()
    }
    plan = polycl.distribute(kernel).plan(
        **values, global_size=size, local_size=local, workers=workers
    )
    buffers = sum(t.whole for t in plan.traffic)
    cut = "x".join(map(str, plan.cut[: len(size)]))
    print(
        f"{name:<14}{workers:>8}{cut:>12}{bytes_text(plan.moved):>12}"
        f"{plan.moved / plan.bound:>13.3f}{plan.moved / buffers:>15.3f}",
        flush=True,
    )
    return plan.moved / buffers


def picture(found: Mapping[str, Sequence[float]], workers: Sequence[int]) -> Figure:
    """For each kernel a line over the numbers of workers."""
    colours = ("#1b7f5f", "#2f5f9e", "#b5452c", "#8c6d5a", "#b486b8", "#b9b04f", "#444", "#e8a33d")
    layers: list[Layer] = []
    xs = [float(np.log10(n)) for n in workers]
    for number, (name, ratios) in enumerate(found.items()):
        colour = colours[number % len(colours)]
        places = list(zip(xs, (float(np.log10(r)) for r in ratios), strict=True))
        pairs = zip(places, places[1:], strict=False)
        layers.append(Lines(f"line-{name}", [(*a, *b) for a, b in pairs], colour))
        layers.append(Points(name, places, colour, legend=name, hollow=number >= len(colours)))
    high = max(float(np.log10(max(ratios))) for ratios in found.values())
    marks = tuple((float(k), f"{10**k}") for k in range(int(high) + 2))
    return Figure(
        title="Bytes moved by one launch, as a multiple of its buffers",
        x=Axis(
            "workers",
            xs[0] - 0.1,
            xs[-1] + 0.1,
            tuple((x, str(n)) for x, n in zip(xs, workers, strict=True)),
        ),
        y=Axis("moved / buffers", -0.2, high + 0.2, marks),
        layers=layers,
    )


def measure(workers: int) -> None:
    """The overhead of a chunk, and how much faster more workers are."""
    print(f"{os.cpu_count()} cores, {workers} worker processes of one thread")
    kernel = polycl.load(COMPUTE).kernel("compute")
    x = np.ones(1 << 12, np.float32)
    with connected(f"local:{workers}") as client:
        few = [polycl.distribute(kernel, client, workers=n) for n in (1, workers)]

        def least(step: Any, rounds: int, times: int) -> float:
            found: list[float] = []
            for _ in range(times):
                start = time.perf_counter()
                step(x, rounds, global_size=x.size, local_size=64)
                found.append(time.perf_counter() - start)
            return min(found)

        empty = least(few[0], 0, 2) and [least(step, 0, 5) for step in few]
        print(
            f"an empty launch: {empty[0] * 1e3:.1f} ms in 1 chunk, "
            f"{empty[1] * 1e3:.1f} ms in {workers}"
        )
        rounds = 1 << 20
        one, many = (least(step, rounds, 3) for step in few)
        print(
            f"computing: {one:.2f} s on 1 worker, {many:.2f} s on {workers}: {one / many:.2f} times"
        )


if __name__ == "__main__":
    main()
