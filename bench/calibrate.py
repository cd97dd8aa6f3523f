"""`python -m bench.calibrate`: what operations and accesses cost on this processor.

Measures generated loops, each as vectors and one work-item at a time, and fits the table of
`wg-vectorize` (`lowering/wg/wg_vectorize/cycles.py`) to how many times as fast the vectors are: by
least squares of the logarithms, which also keep each number near the one that it had, so that
numbers on which no loop depends stay. It takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from bench.ablate import LOSS
from bench.calibrate_loops import ITEMS, Loop, loops
from bench.case import Arg
from bench.costs import ROUNDS, Figure, print_figures, shortest, without_caches
from bench.polycl_runtime import PolyclRuntime
from bench.protocol import Build
from bench.report import processor
from polycl.analysis.ocl.uniformity import Uniformity
from polycl.backends.cpu import CpuDevice
from polycl.backends.cpu.codegen import processor_name
from polycl.backends.cpu.jit import has_masks, has_tables
from polycl.backends.device import NDRange
from polycl.dialects import wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.lowering.wg.wg_vectorize import WgVectorizePass
from polycl.lowering.wg.wg_vectorize.cycles import DEFAULT, TABLES, Cycles, cycles_of
from polycl.lowering.wg.wg_vectorize.profit import tile_costs
from polycl.lowering.wg.wg_vectorize.shape import best_dimension, largest_sizes, natural_width

STIFFNESS = 0.1
"""How much a number that changes by a factor counts beside a loop that is wrong by that factor."""

TOLERATED = 0.3
"""Errors beyond count by their size instead of its square: the models are not that good."""

STEP = 0.01
MOST = 2.0
"""No number changes by a larger factor than e to this power."""

Vector: TypeAlias = NDArray[np.float64]

NAMES = tuple(each.name for each in fields(Cycles))


@dataclass(frozen=True)
class _Kept(WgVectorizePass):
    """The pass, always with vectors, which keeps what it gets."""

    modules: list[ModuleOp] = field(default_factory=list[ModuleOp])

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.modules.append(op.clone())
        super().apply(ctx, op)


class _Vectors(CpuDevice):
    """Makes vectors even where they do not pay, and keeps the modules of which it makes them."""

    modules: list[ModuleOp]

    def own_passes(self, ndrange: NDRange) -> tuple[ModulePass, ...]:
        return tuple(
            _Kept(
                small_buffers=step.small_buffers,
                masks=step.masks,
                tables=step.tables,
                always=True,
                modules=self.modules,
            )
            if isinstance(step, WgVectorizePass)
            else step
            for step in super().own_passes(ndrange)
        )


@dataclass(frozen=True)
class Region:
    """A region of which vectors were made, as `tile_costs` takes it."""

    body: Block
    facts: Uniformity
    dimension: int
    width: int

    def both(self, cycles: Cycles) -> tuple[float, float]:
        """The cycles of a work-item one at a time, and in a vector."""
        costs = tile_costs(
            self.body,
            self.facts,
            self.dimension,
            self.width,
            cycles=cycles,
            masks=has_masks(),
            tables=has_tables(),
        )
        return costs.scalar / self.width, costs.vector / self.width


@dataclass(frozen=True)
class Measured:
    """A loop, and how many times as fast its vectors are."""

    name: str
    regions: tuple[Region, ...]
    gain: float

    def estimate(self, cycles: Cycles) -> float:
        both = [region.both(cycles) for region in self.regions]
        return sum(one for one, _ in both) / sum(vector for _, vector in both)


def measure(loop: Loop, path: Path, gain: float | None = None) -> Measured | None:
    """Compile a loop, and measure it if its `gain` is not known; None if there are no vectors.

    Raises:
        AssertionError: vectors compute something else.
    """
    path.write_text(loop.source)
    build = Build(str(path), (), "loop", (ITEMS,), (256,))
    runtime = PolyclRuntime("1")
    args = _arguments(loop)
    runtime.load(args)
    device = _Vectors(threads=1)
    device.modules = []
    vectors = runtime.prepare_on(build, device)
    regions = tuple(region for module in device.modules for region in _regions(module))
    if gain is not None:
        return Measured(loop.name, regions, gain) if regions else None
    code = runtime.code
    alone = runtime.prepare_on(build, CpuDevice(threads=1, disable=(WgVectorizePass.name,)))
    if not regions or runtime.code == code:
        return None
    least = [math.inf, math.inf]
    for _ in range(ROUNDS):
        for number, run in enumerate((vectors, alone)):
            least[number] = min(least[number], shortest(run, runtime, restore=False))
    return Measured(loop.name, regions, least[1] / least[0])


def _arguments(loop: Loop) -> list[Arg]:
    names = {"uchar": np.uint8, "ushort": np.uint16, "int": np.int32, "float": np.float32}
    dtype, count = np.dtype(names.get(loop.type, np.float64)), loop.elements
    rng = np.random.default_rng(0)
    a = rng.integers(1, 100, count).astype(dtype)
    seeds = rng.integers(0, 1 << 32, ITEMS, dtype=np.uint32)
    following = rng.permutation(count).astype(np.uint32)
    ascending = (np.arange(count) * (1 << 32) // count).astype(np.uint32)
    numbers = [dtype.type(number) for number in (3, 5, 7)]
    o, out = np.zeros(5 * ITEMS, dtype), np.zeros(ITEMS, dtype)
    sizes = [np.uint32(count), np.int32(loop.iterations)]
    return [a, o, out, seeds, following, ascending, *sizes, *numbers]


def _regions(module: ModuleOp) -> Iterator[Region]:
    for function in functions_of(module, wg.FuncOp):
        facts = Uniformity(function, small_buffers=True)
        for region in operations_of(function.body, wg.ParallelOp):
            if region.step is not None:
                continue
            sizes = largest_sizes(region)
            dimension = best_dimension(region, facts, sizes)
            if dimension is None or (sizes[dimension] or 1) == 1:
                continue
            width = natural_width(region, facts, dimension, sizes[dimension] or 1)
            yield Region(region.body.block, facts, dimension, width)


def fit(measured: Sequence[Measured], start: Cycles) -> Cycles:
    """The numbers whose estimates are nearest to what was measured, beginning at `start`."""
    from scipy.optimize import least_squares

    first = np.log(np.array([getattr(start, name) for name in NAMES]))
    gains = np.log(np.array([each.gain for each in measured]))
    stiffness = STIFFNESS * math.sqrt(len(measured)) * np.eye(len(NAMES))
    # Each number is an array: as it is, and larger by a step for each of the numbers in turn.
    steps = np.hstack([np.zeros((len(NAMES), 1)), STEP * np.eye(len(NAMES))])

    @lru_cache(maxsize=2)
    def estimates(changes: tuple[float, ...]) -> Vector:
        now = replace(start, **_named(np.exp((first + changes)[:, None] + steps)))
        return np.array([np.log(each.estimate(now)) for each in measured])

    def errors(changes: Vector) -> Vector:
        at = estimates(tuple(changes))[:, 0]
        return np.concatenate([at - gains, stiffness @ changes])

    def slopes(changes: Vector) -> Vector:
        found = estimates(tuple(changes))
        return np.concatenate([(found[:, 1:] - found[:, :1]) / STEP, stiffness])

    found = least_squares(
        errors,
        np.zeros(len(NAMES)),
        slopes,
        bounds=(-MOST, MOST),
        loss="soft_l1",
        f_scale=TOLERATED,
        ftol=1e-4,
    )
    return replace(start, **_named(np.exp(first + found.x).tolist()))


def _named(values: Iterable[Any]) -> dict[str, Any]:
    return dict(zip(NAMES, values, strict=True))


def table(cycles: Cycles, measured: Sequence[Measured]) -> str:
    """The text of `processors/NAME.toml`."""
    wrong = sum(each.cost > LOSS for each in _figures(measured, cycles))
    head = (
        f"# {processor()}, by `python -m bench.calibrate`: {len(measured)} loops, {wrong} of which"
    )
    rows = (f"{name} = {value:.3g}" for name, value in asdict(cycles).items())
    return f"{head} are decided wrongly.\n\n" + "\n".join(rows) + "\n"


def main(argv: Sequence[str] | None = None) -> None:
    own = TABLES / f"{processor_name()}.toml"
    parser = argparse.ArgumentParser(prog="python -m bench.calibrate", description=__doc__)
    text = f"file to write; without it, the table that the device `cpu` uses here ({own.name})"
    parser.add_argument("table", type=Path, nargs="?", default=own, help=text)
    parser.add_argument("--start", default=DEFAULT, help="processor whose table is the first guess")
    parser.add_argument("--gains", type=Path, help="file with what was measured: made, or read")
    args = parser.parse_args(argv)
    known: dict[str, float] = {}
    if args.gains and args.gains.is_file():
        known = json.loads(args.gains.read_text())
    measured: list[Measured] = []
    with TemporaryDirectory() as folder, without_caches():
        for loop in tqdm([loop for loop in loops() if not known or loop.name in known]):
            each = measure(loop, Path(folder) / "loop.cl", known.get(loop.name))
            if each is not None:
                measured.append(each)
    if args.gains and not known:
        args.gains.write_text(json.dumps({each.name: each.gain for each in measured}, indent=1))
    start = cycles_of(args.start)
    print_figures(args.start, _figures(measured, start))
    halves = measured[::2], measured[1::2]
    unseen = [_figures(halves[1 - number], fit(half, start)) for number, half in enumerate(halves)]
    print_figures("fitted to the other half of the loops", [*unseen[0], *unseen[1]])
    found = fit(measured, start)
    print_figures("fitted to all", _figures(measured, found))
    args.table.write_text(table(found, measured))


def _figures(measured: Sequence[Measured], cycles: Cycles) -> list[Figure]:
    return [Figure(each.name, each.estimate(cycles), each.gain) for each in measured]


if __name__ == "__main__":
    main()
