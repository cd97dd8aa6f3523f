"""`ocl-run --sweep KEY=VALUES`: a table of one launch on many variants of the device tta."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from inspect import signature
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from polycl.backends.tta.cost import machine_cost
from polycl.backends.tta.device import TtaDevice
from polycl.backends.tta.machine_table import aligned
from polycl.backends.tta.pipeline import METHODS
from polycl.diagnostics import unknown_name
from polycl.dialects.tta import PRESETS
from polycl.errors import PolyclError
from polycl.runtime.figures.files import check_kind, save
from polycl.runtime.images import Image, array_of
from polycl.runtime.kernel import BoundKernel
from polycl.tools.driver import UsageError
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
    """One variant."""

    point: Point
    cycles: int | None
    """None if it could not be compiled or run."""
    dispatch: int = 0
    error: str = ""
    cost: float = 0
    """The cost of the machine (cost.py)."""
    speedup: float | None = None


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
    values: Mapping[str, Any],
    bind: Callable[[TtaDevice, dict[str, Any]], BoundKernel],
    copies: Callable[[Mapping[str, Any]], dict[str, Any]],
) -> None:
    """Run all variants, print the table and write the plot.

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

    def run(point: Point) -> tuple[Measured, dict[str, Any]]:
        data = copies(values)
        try:
            device = TtaDevice(**_options({**fixed, **point}))
            bound = bind(device, data)
            bound.launch()
            launch = launch_of(device, bound)
        except UsageError:
            raise
        except PolyclError as error:
            return Measured(point, None, error=str(error).splitlines()[0]), {}
        cost = machine_cost(device.machine)
        return Measured(point, launch.result.with_stalls, launch.dispatch, cost=cost), data

    points = [dict(zip(keys, chosen, strict=True)) for chosen in product(*keys.values())]
    wanted: list[Point] = []
    for point in points:
        own = {**SERIAL, **fixed, **point}
        baseline = {**point, **SERIAL}
        wanted += [baseline, baseline if own == {**own, **SERIAL} else point]
    results = _all(run, wanted)
    measured: list[Measured] = []
    for i, point in enumerate(points):
        base, one = results[2 * i], results[2 * i + 1]
        speedup = base.cycles / one.cycles if base.cycles and one.cycles else None
        measured.append(replace(one, point=point, speedup=speedup))
    if all(one.cycles is None for one in measured):
        raise PolyclError(f"--sweep: no variant runs; the first: {measured[0].error}")
    print(table(list(keys), measured))
    if args.plot is not None:
        title = f"{args.kernel or Path(args.input_file).stem} on tta"
        save(sweep_plot(keys, [(m.point, m.speedup) for m in measured], title), args.plot)
        print(f"wrote {args.plot}")
        if len({m.cost for m in measured if m.cycles}) > 1:
            path = Path(args.plot)
            path = path.with_name(f"{path.stem}-cost{path.suffix}")
            found = [(m.point, m.cost, m.cycles) for m in measured if m.cycles]
            save(pareto_plot(found, title), str(path))
            print(f"wrote {path}")


Job = Callable[[Point], tuple[Measured, dict[str, Any]]]
_job: Job | None = None
"""What the processes of a sweep run; they are copies of this one."""


def _attempt(point: Point) -> tuple[Measured, dict[str, Any]]:
    assert _job is not None
    return _job(point)


def _all(run: Job, points: Sequence[Point]) -> list[Measured]:
    """Runs each different point once, in as many processes as there are cores.

    Raises PolyclError if results differ.
    """
    global _job
    _job = run
    different = {tuple(sorted(point.items())): point for point in points}
    processes = min(len(different), len(os.sched_getaffinity(0)))
    found: dict[tuple[tuple[str, str], ...], Measured] = {}
    expected: dict[str, Any] | None = None
    # The arguments need not be pickled: the processes are forked.
    with ProcessPoolExecutor(processes, get_context("fork")) as pool:
        done = pool.map(_attempt, different.values())
        bar = tqdm(done, total=len(different), unit="variant", leave=False, disable=None)
        for (key, point), (one, data) in zip(different.items(), bar, strict=True):
            found[key] = one
            if one.cycles is None:
                continue
            if expected is None:
                expected = data
            elif (name := _different(expected, data)) is not None:
                raise PolyclError(f"--sweep: with {_text(point)}, other values are in '{name}'")
    return [found[tuple(sorted(point.items()))] for point in points]


def _option(name: str) -> str:
    return {"prints": "print"}.get(name, name).replace("_", "-")


def table(keys: Sequence[str], measured: Sequence[Measured]) -> str:
    """A line for each variant."""
    rows = [[*keys, "cycles", "without dispatch", "cost", "speed-up"]]
    for one in measured:
        point = [one.point[key] for key in keys]
        if one.cycles is None:
            rows.append([*point, "-", "-", "-", one.error])
            continue
        speedup = "-" if one.speedup is None else f"{one.speedup:.2f}"
        own = str(one.cycles - one.dispatch)
        rows.append([*point, str(one.cycles), own, f"{one.cost:.0f}", speedup])
    return aligned(rows)


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
