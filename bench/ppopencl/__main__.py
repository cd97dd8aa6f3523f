"""`python -m bench.ppopencl`: whole programs before and after the passes, on one runtime.

The original program runs its own kernels.cl. There are three times: of the kernels, by the events
of OpenCL; of kernels and copies; and of a whole call of the host function, with its loops and
copies, without compiling. The first two are of calls of their own, in which each command waits for
the one before; the cpu device has the last only. `--processor-time` measures whole calls by the
time of the process, which other programs of the machine change less.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.__main__ import write_json
from bench.ppopencl.settings import PROGRAMS, RUNTIMES, SETTINGS, SourceDevice, transformed
from bench.programs.inputs import INPUTS, SIZES, Arguments, inputs
from bench.report import print_columns, processor
from bench.runtimes import ROOT
from polycl.analysis.host.platforms import platforms
from polycl.backends.device import Device
from polycl.backends.opencl_c.device import OpenclDevice
from polycl.errors import PolyclError
from polycl.remarks import collect_remarks
from polycl.runtime.host.host_program import HostFunction

STEPS = {"iterations", "repetitions", "steps"}
DECIDED = {"membership": 1e-4}
"""Integers that comparisons of floats decide, and the share of them that may differ: of two centres
that are equally near, a runtime that rounds in another way finds the other one. All other integers
are equal."""

TOLERANCE = 1e-3
"""Of the largest value of an array: runtimes round the same operations in different ways."""


Statistic = Callable[[Sequence[float]], float]

PARTS = {"seconds": "Whole calls", "kernels": "Kernels", "moved": "Kernels and copies"}
"""The fields of a row with times, and their titles."""

COPIES = ("host.write", "host.read", "host.copy", "host.fill")


@dataclass
class Row:
    """One program: seconds of each round, by setting."""

    name: str
    seconds: dict[str, list[float]]
    kernels: dict[str, list[float]]
    moved: dict[str, list[float]]
    """Kernels and copies."""
    remarks: dict[str, list[str]]
    failures: dict[str, str]

    def median(self, setting: str) -> float | None:
        times = self.seconds.get(setting)
        return statistics.median(times) if times else None

    def speedup(
        self, times: Mapping[str, list[float]], setting: str, of: Statistic
    ) -> float | None:
        """Over the original, by medians or minima."""
        before, after = times.get("original"), times.get(setting)
        return of(before) / of(after) if before and after else None


def main() -> None:
    args = arguments().parse_args()
    runtime = RUNTIMES[args.runtime]
    device = runtime.device()
    print(f"{getattr(device, 'title', 'polycl, device cpu')}; platform {runtime.platform}")
    rows: list[Row] = []
    for name in args.programs or INPUTS:
        rows.append(measure(name, device, args))
        print(describe(rows[-1], args.settings), flush=True)
    for title, of in (("by medians", statistics.median), ("by minima", min)):
        for part in PARTS:
            if any(getattr(row, part) for row in rows):
                print(f"\n{PARTS[part]}, {title}:")
                print_table(rows, args.settings, part, of)
    write_json(args.json, as_json(rows, args.runtime))


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.ppopencl", description=__doc__)
    parser.add_argument("programs", nargs="*", choices=[*INPUTS, []], metavar="PROGRAM")
    parser.add_argument("--runtime", choices=RUNTIMES, default="intel")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--repeat", type=int, default=1, help="multiplies the steps of iterative programs"
    )
    parser.add_argument(
        "--size",
        choices=SIZES,
        default="full",
        help="of the inputs: small to try it, large for GPUs",
    )
    parser.add_argument("--processor-time", action="store_true", help="of whole calls only")
    parser.add_argument(
        "--settings", type=lambda text: text.split(","), default=list(SETTINGS), metavar="A,B"
    )
    parser.add_argument(
        "--written-for",
        choices=list(platforms()),
        metavar="PLATFORM",
        help="the original has the layouts of this platform, as if it had been written for it",
    )
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "ppopencl.json")
    return parser


def measure(name: str, device: Device, args: argparse.Namespace) -> Row:
    """All settings of a program, in turns; each result is compared with the original's."""
    row = Row(name, {}, {}, {}, {}, {})
    runtime = RUNTIMES[args.runtime]
    runs: dict[str, Callable[[], tuple[float, Arguments]]] = {}
    apart: dict[str, Callable[[], tuple[float, float]]] = {}
    profiling = None if args.processor_time else runtime.device(profile=True)
    for setting in args.settings:
        try:
            with collect_remarks() as remarks:
                function = transformed(name, setting, runtime.platform, args.written_for)
        except PolyclError as error:
            row.failures[setting] = str(error)
            continue
        row.remarks[setting] = [str(remark) for remark in remarks]
        target, watched = device, profiling
        is_source = setting == "original" and args.written_for is None
        if is_source and runtime.selection is not None:
            source = PROGRAMS / name / "kernels.cl"
            target = SourceDevice(runtime.selection, source)
            if profiling is not None:
                watched = SourceDevice(runtime.selection, source, profile=True)
        runs[setting] = partial(run, function, target, name, args)
        if isinstance(watched, OpenclDevice):
            apart[setting] = partial(run_apart, function, watched, name, args)
    right: Arguments = {}
    for setting, call in list(runs.items()):
        try:
            _, found = call()
        except PolyclError as error:
            row.failures[setting] = str(error)
            del runs[setting]
            continue
        right = right or found
        worst = difference(right, found)
        if worst is not None:
            row.failures[setting] = worst
            del runs[setting]
    for _ in range(args.rounds):
        for setting, call in runs.items():
            row.seconds.setdefault(setting, []).append(call()[0])
            if setting in apart:
                kernels, copies = apart[setting]()
                row.kernels.setdefault(setting, []).append(kernels)
                row.moved.setdefault(setting, []).append(kernels + copies)
    return row


def run(
    function: HostFunction, device: Device, name: str, args: argparse.Namespace
) -> tuple[float, Arguments]:
    """The seconds of a call, and its arguments with what it leaves in them."""
    # Copies: to make them takes longer than most calls.
    made = _inputs(name, args.size).items()
    given: Arguments = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in made}
    given |= {key: given[key] * args.repeat for key in STEPS & given.keys()}
    clock = time.process_time if args.processor_time else time.perf_counter
    begin = clock()
    function(**given, device=device)
    return clock() - begin, given


_inputs = lru_cache(maxsize=1)(inputs)


def run_apart(
    function: HostFunction, device: OpenclDevice, name: str, args: argparse.Namespace
) -> tuple[float, float]:
    """The seconds of the kernels and of the copies of a call on a device with `profile`."""
    device.times.clear()
    run(function, device, name, args)
    copies = (t.seconds for t in function.times if t.command.startswith(COPIES))
    return sum(t.seconds for t in device.times), sum(copies)


def difference(right: Arguments, found: Arguments) -> str | None:
    """Where the arrays that a program leaves differ."""
    for name, array in right.items():
        if not isinstance(array, np.ndarray):
            continue
        if array.dtype.kind == "f":
            scale = float(np.abs(array).max(initial=0)) or 1.0
            worst = float(np.abs(array - found[name]).max(initial=0)) / scale
            if not worst <= TOLERANCE:
                return f"{name} differs by {worst:.2g} of its largest value"
        elif (count := np.count_nonzero(array != found[name])) > DECIDED.get(name, 0) * array.size:
            return f"{name} differs in {count} elements"
    return None


def describe(row: Row, settings: Sequence[str]) -> str:
    parts = [row.name]
    for setting in settings:
        time = row.median(setting)
        parts.append(f"{setting} {'-' if time is None else f'{time * 1e3:.4g}'}")
        for part in ("kernels", "moved"):
            # A run that is cut off has shown what it measured.
            if times := getattr(row, part).get(setting):
                parts.append(f"({PARTS[part].lower()} {min(times) * 1e3:.4g})")
    lines = ["  ".join(parts)]
    lines += [f"    {setting}: {failure}" for setting, failure in row.failures.items()]
    return "\n".join(lines)


def mean_of(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.geometric_mean(known) if known else None


def print_table(rows: Sequence[Row], settings: Sequence[str], part: str, of: Statistic) -> None:
    """Speed-ups over the original in a part of PARTS, and their geometric mean."""
    others = [setting for setting in settings if setting != "original"]

    def cell(value: float | None) -> str:
        return "-" if value is None else f"{value:.2f}"

    lines = [["program", "original, ms", *others]]
    for row in rows:
        all_times: dict[str, list[float]] = getattr(row, part)
        times = all_times.get("original")
        cells = [cell(row.speedup(all_times, setting, of)) for setting in others]
        lines.append([row.name, f"{of(times) * 1e3:.4g}" if times else "-", *cells])
    means = [
        mean_of([row.speedup(getattr(row, part), setting, of) for row in rows])
        for setting in others
    ]
    lines.append(["geometric mean", "", *map(cell, means)])
    print_columns(lines)


def as_json(rows: Sequence[Row], runtime: str) -> dict[str, Any]:
    return {
        "machine": processor(),
        "runtime": runtime,
        "programs": [
            {
                "name": row.name,
                **{part: getattr(row, part) for part in PARTS},
                "remarks": row.remarks,
                "failures": row.failures,
            }
            for row in rows
        ],
    }


if __name__ == "__main__":
    main()
