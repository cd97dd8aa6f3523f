"""`python -m bench --costs`: what the cost models estimate, beside what is measured."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from xdsl.passes import ModulePass

from bench.ablate import LOSS, Launch, launches_of_cases, launches_of_everyday
from bench.case import Case, Tolerance
from bench.idioms.computations import COMPUTATIONS
from bench.idioms.forms import computations
from bench.machine import undisturbed
from bench.measure import first_line
from bench.polycl_runtime import PolyclRuntime
from bench.report import processor
from polycl import PolyclError
from polycl.backends.cpu import CpuDevice
from polycl.backends.device import NDRange
from polycl.lowering.wg.wg_vectorize import WgVectorizePass
from polycl.remarks import Remark, collect_remarks

ROUNDS = 7
ROUND_SECONDS = 0.01
SHOWN = 12
"""Wrong decisions in a table."""


class AlwaysVectors(CpuDevice):
    """Makes vectors even where the cost model does without."""

    def own_passes(self, ndrange: NDRange) -> tuple[ModulePass, ...]:
        return tuple(
            replace(step, always=True) if isinstance(step, WgVectorizePass) else step
            for step in super().own_passes(ndrange)
        )


@dataclass(frozen=True)
class Model:
    """A pass that estimates, the devices with it and without it, and where its remarks have both
    estimates, each a number of cycles."""

    name: str
    with_it: CpuDevice
    without: CpuDevice
    pattern: re.Pattern[str]

    def estimate(self, remarks: Iterable[Remark]) -> float | None:
        """How many times as fast the code is with it; None where there is nothing to decide."""
        found = [match for remark in remarks if (match := self.pattern.search(remark.message))]
        better = sum(float(match["with"]) for match in found)
        return sum(float(match["without"]) for match in found) / better if better else None


MODELS = (
    Model(
        WgVectorizePass.name,
        AlwaysVectors(threads=1),
        CpuDevice(threads=1, disable=(WgVectorizePass.name,)),
        re.compile(r"cycles of \d+ work-items: (?P<with>\d+) as vectors, (?P<without>\d+) one"),
    ),
    Model(
        "wg-jam",
        CpuDevice(threads=1),
        CpuDevice(threads=1, disable=("wg-jam",)),
        re.compile(r"cycles of a tile: (?P<with>\d+), alone (?P<without>\d+)"),
    ),
)


@dataclass(frozen=True)
class Figure:
    """How many times as fast a launch is with a pass."""

    launch: str
    estimated: float
    measured: float

    @property
    def cost(self) -> float:
        """How many times as long as the better choice the chosen one takes."""
        return max(1.0, 1 / self.measured if self.estimated >= 1 else self.measured)


def costs(cases: Sequence[Case], args: argparse.Namespace) -> None:
    """Measure and print."""
    print(f"this machine: {processor()}")
    figures: dict[str, list[Figure]] = {model.name: [] for model in MODELS}
    launches = [
        *launches_of_cases(cases),
        *(_launches_of_idioms() if args.idioms else ()),
        *(launches_of_everyday(args.everyday) if args.everyday is not None else ()),
    ]
    with undisturbed(args.realtime), without_caches():
        for launch in launches:
            for model in MODELS:
                try:
                    if figure := _measure(launch, model):
                        figures[model.name].append(figure)
                except PolyclError as error:
                    print(f"{launch.name}, {model.name}: left out: {first_line(error)}", flush=True)
    for name, some in figures.items():
        print_figures(name, some)


def _launches_of_idioms() -> Iterator[Launch]:
    for computation in computations():
        values, _ = COMPUTATIONS[computation.name]()
        for form, build in computation.builds.items():
            name = f"{computation.name} {form}"
            yield Launch(name, build, values, None, Tolerance(), computation.restore)


@contextmanager
def without_caches() -> Iterator[None]:
    """Remarks come from passes, which run only if a kernel is compiled."""
    before = dict(os.environ)
    os.environ |= {"POLYCL_CACHE_DIR": "", "POLYCL_SERVER": "0"}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ |= before


def _measure(launch: Launch, model: Model) -> Figure | None:
    runtime = PolyclRuntime("1")
    runtime.load(launch.args)
    with collect_remarks() as remarks:
        better = runtime.prepare_on(launch.build, model.with_it)
    estimated = model.estimate(remarks)
    code = runtime.code
    worse = runtime.prepare_on(launch.build, model.without)
    if estimated is None or runtime.code == code:
        return None
    least = [math.inf, math.inf]
    for _ in range(ROUNDS):
        for number, run in enumerate((better, worse)):
            least[number] = min(least[number], shortest(run, runtime, launch.restore))
    figure = Figure(launch.name, estimated, least[1] / least[0])
    print(f"{launch.name}, {model.name}: {estimated:.2f}, {figure.measured:.2f}", flush=True)
    return figure


def shortest(run: Callable[[], object], runtime: PolyclRuntime, restore: bool) -> float:
    """Of the launches of one round."""
    least, end = math.inf, perf_counter() + ROUND_SECONDS
    while least == math.inf or perf_counter() < end:
        if restore:
            runtime.restore()
        start = perf_counter()
        run()
        least = min(least, perf_counter() - start)
    return least


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Spearman's, from -1 to 1; the order of equal values is that of the list."""
    ranks = np.argsort(np.argsort(np.array(pairs), axis=0, kind="stable"), axis=0)
    return float(np.ravel(np.corrcoef(ranks.T))[1])


def print_figures(name: str, figures: Sequence[Figure]) -> None:
    if len(figures) < 2:
        return
    correlation = rank_correlation([(each.estimated, each.measured) for each in figures])
    wrong = sorted((each for each in figures if each.cost > LOSS), key=lambda each: -each.cost)
    mean = math.exp(sum(math.log(each.cost) for each in figures) / len(figures))
    print(f"\n`{name}`: {len(figures)} launches, rank correlation {correlation:.2f}, ", end="")
    print(f"{len(wrong)} wrong decisions; time over that of the best choice {mean:.3f}\n")
    print("| launch | estimated gain | measured gain | time over that of the better choice |")
    print("|---|---|---|---|")
    for each in wrong[:SHOWN]:
        print(f"| {each.launch} | {each.estimated:.2f} | {each.measured:.2f} | {each.cost:.2f} |")
