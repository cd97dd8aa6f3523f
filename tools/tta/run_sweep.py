"""`ocl-run --sweep KEY=VALUES`: one launch on many variants of the device tta, as a table."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

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
from polycl.tools.tta.sweep_plot import sweep_plot

_NOT_SWEPT = ("stats", "schedule", "compare", "time", "out", "prints", "plot_kind", "pipeline")

_WORDS = ("machine", "wg_method", "pipeline_loops")
"""Keys whose values are no numbers."""

Point = Mapping[str, str]
"""A value for each key."""

MOST = 400
"""Variants of one sweep."""

SERIAL = {"wg_method": "loops", "unroll": "1", "pipeline_loops": "no"}
"""What speed-ups are measured against: one work-item after another, on the same machine."""


@dataclass(frozen=True)
class Measured:
    """One variant."""

    point: Point
    cycles: int | None
    """None where it could not be compiled or run."""
    dispatch: int = 0
    error: str = ""
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
            raise UsageError(f"--sweep {text}: expected KEY=VALUES, say buses=8..32")
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
        PolyclError: the command line is wrong, no variant runs, or results differ.
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
        for key in ("machine", "buses", "wg_method", "unroll", "pipeline_loops")
        if getattr(args, key) is not None and key not in keys
    }
    expected: dict[str, Any] | None = None
    serial: dict[tuple[tuple[str, str], ...], Measured] = {}

    def run(point: Point) -> Measured:
        nonlocal expected
        data = copies(values)
        try:
            device = TtaDevice(**_options({**fixed, **point}))
            bound = bind(device, data)
            bound.launch()
            launch = launch_of(device, bound)
        except UsageError:
            raise
        except PolyclError as error:
            return Measured(point, None, error=str(error).splitlines()[0])
        if expected is None:
            expected = data
        elif (name := _different(expected, data)) is not None:
            raise PolyclError(f"--sweep: with {_text(point)}, other values are in '{name}'")
        return Measured(point, launch.result.cycles, launch.dispatch)

    def baseline(point: Point) -> Measured:
        same = {**point, **SERIAL}
        key = tuple(sorted(same.items()))
        if key not in serial:
            serial[key] = run(same)
        return serial[key]

    measured: list[Measured] = []
    for chosen in product(*keys.values()):
        point = dict(zip(keys, chosen, strict=True))
        base, own = baseline(point), {**SERIAL, **fixed, **point}
        one = base if all(own[key] == value for key, value in SERIAL.items()) else run(point)
        speedup = base.cycles / one.cycles if base.cycles and one.cycles else None
        measured.append(Measured(point, one.cycles, one.dispatch, one.error, speedup))
    if all(one.cycles is None for one in measured):
        raise PolyclError(f"--sweep: no variant runs; the first: {measured[0].error}")
    print(table(list(keys), measured))
    if args.plot is not None:
        title = f"{args.kernel or Path(args.input_file).stem} on tta"
        save(sweep_plot(keys, [(m.point, m.speedup) for m in measured], title), args.plot)
        print(f"wrote {args.plot}")


def _option(name: str) -> str:
    return {"prints": "print"}.get(name, name).replace("_", "-")


def table(keys: Sequence[str], measured: Sequence[Measured]) -> str:
    """A line for each variant."""
    rows = [[*keys, "cycles", "without dispatch", "speed-up"]]
    for one in measured:
        point = [one.point[key] for key in keys]
        if one.cycles is None:
            rows.append([*point, "-", "-", one.error])
            continue
        speedup = "-" if one.speedup is None else f"{one.speedup:.2f}"
        rows.append([*point, str(one.cycles), str(one.cycles - one.dispatch), speedup])
    return aligned(rows)


def _options(point: Point) -> dict[str, Any]:
    """As the device takes them: parameters of machines are in the machine's name."""
    options: dict[str, Any] = {"machine": point.get("machine", "paper")}
    for key, value in point.items():
        if key == "wg_method":
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
