"""What launches move between machines: for simulated workers, and on processes of this one.

`python -m bench.distribute` prints for 10, 100 and 1,000 workers the bytes that a plan moves
against those that isl counts for the cut, and against the sizes of the buffers. Nothing runs, and
the arrays are memory that nothing touches. `--run 1,2,4` measures on processes of one thread of
this machine: kernels that compute, on each of the numbers of workers in turns, each by its least
time; and what an empty chunk takes.
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
from bench.report import processor
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
kernel void polynomial(global float *x, int n) {
  float v = x[get_global_id(0)];
  for (int i = 0; i < n; i++)
    v = v * 0.999f + 0.001f;
  x[get_global_id(0)] = v;
}
"""
COMPUTING: Mapping[str, tuple[Mapping[str, Any], Shape, Shape]] = {
    "polynomial": ({"x": (1 << 14,), "n": 1 << 23}, (1 << 14,), (64,)),
    "nbody": (
        {"pos": (1 << 16, 4), "vel": (1 << 16, 4), "out": (1 << 16, 4), "n": 1 << 16, "dt": 0.1},
        (1 << 16,),
        (64,),
    ),
}
"""As LAUNCHES: kernels of COMPUTE, and of the file."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.distribute", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="KERNEL", help="default: all")
    parser.add_argument("--workers", type=numbers, default=[10, 100, 1000], metavar="N,...")
    parser.add_argument("--plot", type=Path, help="a picture of the table, .svg or .png")
    parser.add_argument(
        "--run", type=numbers, metavar="N,...", help="measure on N worker processes"
    )
    args = parser.parse_args()
    if args.plot is not None:
        check_kind(args.plot)
    if args.run:
        measure(args.run, args.names)
        return
    found: dict[str, list[float]] = {}
    print(
        f"{'kernel':<14}{'workers':>8}{'cut':>12}{'moved':>12}{'moved/bound':>13}{'moved/buffers':>15}"
    )
    for name in args.names or LAUNCHES:
        found[name] = [simulate(name, workers) for workers in args.workers]
    if args.plot is not None:
        save(picture(found, args.workers), args.plot)


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def simulate(name: str, workers: int) -> float:
    """Prints a row; what moves as a multiple of the buffers."""
    kernel = polycl.load(KERNELS).kernel(name)
    given, size, local = LAUNCHES[name]
    values: dict[str, Any] = {
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
    low = min(0.0, *(float(np.log10(min(ratios))) for ratios in found.values()))
    marks = tuple((float(k), f"{10.0**k:g}") for k in range(int(low), int(high) + 2))
    return Figure(
        title="Bytes moved by one launch, as a multiple of its buffers",
        x=Axis(
            "workers",
            xs[0] - 0.1,
            xs[-1] + 0.1,
            tuple((x, str(n)) for x, n in zip(xs, workers, strict=True)),
        ),
        y=Axis("moved / buffers", low - 0.2, high + 0.2, marks),
        layers=layers,
    )


def measure(counts: Sequence[int], names: Sequence[str]) -> None:
    """How much faster more workers are, and the overhead of a chunk."""
    most = max(counts)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"{cores} cores of {processor()}; worker processes of one thread")
    compute, program = polycl.load(COMPUTE), polycl.load(KERNELS)
    with connected(f"local:{most}") as client:
        print(f"{'kernel':<14}", *(f"{n:>3} worker{'s' * (n > 1):<1}" for n in counts), sep="  ")
        for name in names or COMPUTING:
            given, size, local = COMPUTING[name]
            kernel = (compute if name in compute.kernels else program).kernel(name)
            values = arrays(kernel, given)
            few = [polycl.distribute(kernel, client, workers=n) for n in counts]
            seconds = least(few, values, size, local, 4)
            cells = (
                f"{time:5.2f} s" + (f" {seconds[0] / time:4.2f}x" if place else "      ")
                for place, time in enumerate(seconds)
            )
            print(f"{name:<14}", *cells, sep="  ", flush=True)
        kernel = compute.kernel("polynomial")
        empty = {"x": np.ones(1 << 14, np.float32), "n": 0}
        few = [polycl.distribute(kernel, client, workers=n) for n in counts]
        # As many chunks as the memory of one asks for.
        small = polycl.distribute(kernel, client, memory=1 << 14)
        seconds = least([*few, small], empty, (1 << 14,), (64,), 8)
        for number, time in zip(counts, seconds, strict=False):
            print(f"an empty launch in {number} chunks: {time * 1e3:.1f} ms")
        assert small.report is not None
        count = len(small.report.plan.chunks)
        each = (seconds[-1] - seconds[-2]) / (count - most)
        inside = min(small.report.seconds)
        print(
            f"an empty chunk: {each * 1e3:.1f} ms of {count} chunks on {most} workers, "
            f"{inside * 1e3:.2f} ms of them in the worker"
        )


def least(
    kernels: Sequence[Any], values: Mapping[str, Any], size: Shape, local: Shape, times: int
) -> list[float]:
    """The least seconds of a launch of each, in turns."""
    found = [float("inf")] * len(kernels)
    for kernel in kernels:
        kernel(**values, global_size=size, local_size=local)
    for _ in range(times):
        for place, kernel in enumerate(kernels):
            start = time.perf_counter()
            kernel(**values, global_size=size, local_size=local)
            found[place] = min(found[place], time.perf_counter() - start)
    return found


def arrays(kernel: polycl.Kernel, given: Mapping[str, Any]) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    found: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, tuple):
            dtype = kernel.dtype(name).base
            value = (
                rng.random(value, np.float32) if dtype.kind == "f" else np.zeros(value)
            ).astype(dtype)
        found[name] = value
    return found


if __name__ == "__main__":
    main()
