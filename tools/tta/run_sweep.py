"""`ocl-run --sweep KEY=VALUES`: a table of launches on many variants of the device tta."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from inspect import signature
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import numpy as np
from tqdm import tqdm

from polycl.backends.tta.cost import machine_cost
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.launch_bounds import launch_bounds
from polycl.backends.tta.machine_table import aligned
from polycl.backends.tta.pipeline import METHODS
from polycl.diagnostics import unknown_name
from polycl.dialects.tta import PRESETS
from polycl.errors import PolyclError
from polycl.runtime.figures.files import check_kind, save
from polycl.runtime.images import Image, array_of
from polycl.tools.driver import UsageError
from polycl.tools.run_devices import Launch, copies
from polycl.tools.tta.run_tta import launch_of
from polycl.tools.tta.sweep_plot import pareto_plot, sweep_plot

_NOT_SWEPT = ("stats", "schedule", "compare", "time", "out", "prints", "plot_kind", "pipeline")

_WORDS = ("machine", "wg_method", "pipeline_loops")
"""Keys whose values are not numbers."""

Point = Mapping[str, str]
"""A value for each key."""

MOST = 400
"""The most variants of one sweep."""

SERIAL = {"wg_method": "loops", "unroll": "1", "pipeline_loops": "no"}
"""The baseline of speed-ups: one work-item after another, on the same machine."""


@dataclass(frozen=True)
class Measured:
    """One launch on one variant."""

    cycles: int | None
    """None if it could not be compiled or run."""
    dispatch: int = 0
    error: str = ""
    cost: float = 0
    """The cost of the machine (cost.py)."""
    bounds: tuple[int, int] = (0, 0)
    """By resources and by dependences (launch_bounds.py)."""


@dataclass(frozen=True)
class Variant:
    """All launches on one variant, each with and without what makes it fast."""

    point: Point
    runs: tuple[Measured, ...]
    serial: tuple[Measured, ...]
    """The same launches as SERIAL has them."""

    @property
    def cycles(self) -> float | None:
        """The geometric mean of the launches; None if one of them does not run."""
        return _mean([run.cycles for run in self.runs])

    @property
    def speedup(self) -> float | None:
        """The geometric mean."""
        base, cycles = _mean([run.cycles for run in self.serial]), self.cycles
        return base / cycles if base and cycles else None

    @property
    def cost(self) -> float:
        return self.runs[0].cost


def _mean(cycles: Sequence[int | None]) -> float | None:
    """The geometric mean, which no launch dominates by its size."""
    found = [number for number in cycles if number]
    return None if len(found) < len(cycles) else geometric_mean(found)


def parse_sweep(texts: Sequence[str], machine: str) -> dict[str, list[str]]:
    """The keys of `--sweep` options with their values. Raises UsageError."""
    options = ["machine", "wg_method", "unroll", "pipeline_loops"]
    parameters = list(signature(PRESETS[machine]).parameters) if machine in PRESETS else []
    known = [*parameters, *options]
    found: dict[str, list[str]] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        key = key.replace("-", "_")
        if not equals or not values:
            raise UsageError(f"--sweep {text}: expected KEY=VALUES, such as buses=8..32")
        if key not in known:
            raise UsageError(
                f"--sweep {text}: {unknown_name('key', key, known)} (the keys: {', '.join(known)})"
            )
        if key in found:
            raise UsageError(f"--sweep {text}: '{key}' is swept twice")
        found[key] = values_of(text, values, numbers=key not in _WORDS)
        if key == "pipeline_loops" and not {*found[key]} <= {"yes", "no"}:
            raise UsageError(f"--sweep {text}: expected yes,no")
        if key == "wg_method":
            for value in found[key]:
                if value not in METHODS:
                    raise UsageError(f"--sweep {text}: {unknown_name('method', value, METHODS)}")
    count = len(list(product(*found.values())))
    if count > MOST:
        raise UsageError(f"--sweep: these are {count} variants, at most {MOST} can be run")
    return found


def values_of(text: str, values: str, numbers: bool) -> list[str]:
    """`8..32` doubles (8, 16, 32), `8..32:4` adds 4, `8,12,24` is a list."""
    match = re.fullmatch(r"(\d+)\.\.(\d+)(?::(\d+))?", values)
    if match is None:
        found = values.split(",")
        if numbers and not all(value.isdecimal() for value in found):
            raise UsageError(f"--sweep {text}: expected 8..32, 8..32:4 or 8,16,24")
        return found
    first, last, step = int(match[1]), int(match[2]), int(match[3] or 0)
    if not numbers or not 0 < first <= last or match[3] == "0":
        raise UsageError(f"--sweep {text}: expected a range that begins above 0 and grows")
    found: list[str] = []
    while first <= last:
        found.append(str(first))
        first = first + step if step else 2 * first
    if not step and found[-1] != str(last):
        found.append(str(last))
    return found


def sweep(
    args: argparse.Namespace,
    launches: Sequence[Launch],
) -> None:
    """Run all launches on all variants, print the table and write the plots.

    Raises:
        PolyclError: the command line is wrong, all variants fail, or results differ.
    """
    if args.device != "tta":
        raise UsageError(f"--sweep: expected --device tta, got {args.device}")
    for option in _NOT_SWEPT:
        if getattr(args, option) not in (None, False, []):
            raise UsageError(f"--sweep shows cycles only: --{_option(option)} does not go with it")
    if args.plot is not None:
        check_kind(Path(args.plot))
    keys = parse_sweep(args.sweep, args.machine or "paper")
    for key in keys:
        if key != "machine" and getattr(args, key, None) is not None:
            raise UsageError(f"--sweep {key}=...: --{key.replace('_', '-')} is given, too")
    fixed = {
        key: str(getattr(args, key))
        for key in ("machine", "buses", "wg_method", "unroll", "pipeline_loops", "memory")
        if getattr(args, key) is not None and key not in keys
    }

    def run(launch: Launch, point: Point) -> tuple[Measured, dict[str, Any]]:
        data = copies(launch.values)
        try:
            device = TtaDevice(**_options({**fixed, **point}))
            bound = launch.bind(device, data)
            bound.launch()
            done = launch_of(device, bound)
        except UsageError:
            raise
        except PolyclError as error:
            return Measured(None, error=str(error).splitlines()[0]), {}
        cost = machine_cost(device.machine)
        bounds = launch_bounds(done.schedule, done.result)
        return Measured(done.result.with_stalls, done.dispatch, cost=cost, bounds=bounds), data

    points = [dict(zip(keys, chosen, strict=True)) for chosen in product(*keys.values())]
    wanted: list[Point] = []
    for point in points:
        own = {**SERIAL, **fixed, **point}
        baseline = {**point, **SERIAL}
        wanted += [baseline, baseline if own == {**own, **SERIAL} else point]
    results = _all(run, launches, wanted)
    variants = [
        Variant(point, results[2 * i + 1], results[2 * i]) for i, point in enumerate(points)
    ]
    names = [launch.kernel for launch in launches]
    if all(variant.cycles is None for variant in variants):
        raise PolyclError(f"--sweep: no variant runs; the first: {_error(names, variants[0])}")
    print(table(list(keys), names, variants))
    if args.plot is not None:
        title = f"{', '.join(dict.fromkeys(names))} on tta"
        save(sweep_plot(keys, [(v.point, v.speedup) for v in variants], title), args.plot)
        print(f"wrote {args.plot}")
        found = [(v.cost, v.cycles) for v in variants if v.cycles]
        if len({cost for cost, _ in found}) > 1:
            path = Path(args.plot)
            path = path.with_name(f"{path.stem}-cost{path.suffix}")
            save(pareto_plot(found, title, len(launches)), str(path))
            print(f"wrote {path}")


Job = Callable[[Launch, Point], tuple[Measured, dict[str, Any]]]
_job: tuple[Job, Sequence[Launch]] | None = None
"""What the processes of a sweep run; they are copies of this one."""


def _attempt(launch: int, point: Point) -> tuple[Measured, dict[str, Any]]:
    assert _job is not None
    run, launches = _job
    return run(launches[launch], point)


def _all(
    run: Job, launches: Sequence[Launch], points: Sequence[Point]
) -> list[tuple[Measured, ...]]:
    """Runs all launches once for each different point, in as many processes as there are cores.

    Raises PolyclError if results differ.
    """
    global _job
    _job = run, launches
    different = {tuple(sorted(point.items())): point for point in points}
    pairs = list(product(range(len(launches)), different.values()))
    processes = min(len(pairs), len(os.sched_getaffinity(0)))
    found: list[Measured] = []
    expected: dict[int, dict[str, Any]] = {}
    # The arguments need not be pickled: the processes are forked.
    with ProcessPoolExecutor(processes, get_context("fork")) as pool:
        done = pool.map(_attempt, *zip(*pairs, strict=True))
        bar = tqdm(done, total=len(pairs), unit="launch", leave=False, disable=None)
        for (launch, point), (one, data) in zip(pairs, bar, strict=True):
            found.append(one)
            if one.cycles is None:
                continue
            if (name := _different(expected.setdefault(launch, data), data)) is not None:
                raise PolyclError(
                    f"--sweep: with {_text(point)}, kernel '{launches[launch].kernel}' leaves "
                    f"other values in '{name}'"
                )
    runs = {key: tuple(found[i :: len(different)]) for i, key in enumerate(different)}
    return [runs[tuple(sorted(point.items()))] for point in points]


def _option(name: str) -> str:
    return {"prints": "print"}.get(name, name).replace("_", "-")


def table(keys: Sequence[str], names: Sequence[str], variants: Sequence[Variant]) -> str:
    """A line for each variant: the cycles of each launch, or those of the only one with its bounds
    by resources and by dependences."""
    several = len(names) > 1
    single = ["cycles", "without dispatch", "resources", "dependences"]
    columns = [*names, "mean"] if several else single
    rows = [[*keys, *columns, "cost", "speed-up"]]
    for variant in variants:
        point = [variant.point[key] for key in keys]
        cycles = ["-" if run.cycles is None else str(run.cycles) for run in variant.runs]
        if variant.cycles is None:
            rest = ["-"] * (len(columns) - len(cycles))
            rows.append([*point, *cycles, *rest, "-", _error(names, variant)])
            continue
        first = variant.runs[0]
        rest = [f"{variant.cycles:.0f}"]
        if not several:
            rest = [str((first.cycles or 0) - first.dispatch), *map(str, first.bounds)]
        speedup = "-" if variant.speedup is None else f"{variant.speedup:.2f}"
        rows.append([*point, *cycles, *rest, f"{variant.cost:.0f}", speedup])
    return aligned(rows)


def _error(names: Sequence[str], variant: Variant) -> str:
    """Why the first launch that fails does, with its kernel if there are several."""
    name, error = next(
        (name, run.error)
        for name, run in zip(names, variant.runs, strict=True)
        if run.cycles is None
    )
    return f"{name}: {error}" if len(names) > 1 else error


def _options(point: Point) -> dict[str, Any]:
    """The options of the device; parameters of machines are part of the machine's name."""
    options: dict[str, Any] = {"machine": point.get("machine", "paper")}
    for key, value in point.items():
        if key in ("wg_method", "memory"):
            options[key] = value
        elif key == "unroll":
            options[key] = int(value)
        elif key == "pipeline_loops":
            options[key] = value == "yes"
        elif key != "machine":
            options["machine"] += f" {key}={value}"
    return options


def _different(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    for name, value in one.items():
        if isinstance(value, np.ndarray | Image):
            if array_of(value).tobytes() != array_of(other[name]).tobytes():
                return name
    return None


def _text(point: Point) -> str:
    return " ".join(f"{key}={value}" for key, value in point.items())
