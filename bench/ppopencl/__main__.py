"""`python -m bench.ppopencl`: whole programs before and after the passes, on one runtime.

The original program runs its own kernels.cl; the time is that of a whole call of the host
function, transfers and loops of the host included, compilation not.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
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
from polycl.errors import PolyclError
from polycl.remarks import collect_remarks
from polycl.runtime.host.host_program import HostFunction

STEPS = {"iterations", "repetitions", "steps"}
TOLERANCE = 1e-3
"""Of the largest value of an array: runtimes round the same operations in different ways."""


Statistic = Callable[[Sequence[float]], float]


@dataclass
class Row:
    """One program: seconds of each round, by setting."""

    name: str
    seconds: dict[str, list[float]]
    remarks: dict[str, list[str]]
    failures: dict[str, str]

    def median(self, setting: str) -> float | None:
        times = self.seconds.get(setting)
        return statistics.median(times) if times else None

    def speedup(self, setting: str, of: Statistic) -> float | None:
        """Over the original, by medians or minima."""
        before, after = self.seconds.get("original"), self.seconds.get(setting)
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
    for title, of in (("By medians:", statistics.median), ("By minima:", min)):
        print(f"\n{title}")
        print_table(rows, args.settings, of)
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
    row = Row(name, {}, {}, {})
    runtime = RUNTIMES[args.runtime]
    runs: dict[str, Callable[[], tuple[float, Arguments]]] = {}
    for setting in args.settings:
        try:
            with collect_remarks() as remarks:
                function = transformed(name, setting, runtime.platform, args.written_for)
        except PolyclError as error:
            row.failures[setting] = str(error)
            continue
        row.remarks[setting] = [str(remark) for remark in remarks]
        target = device
        is_source = setting == "original" and args.written_for is None
        if is_source and runtime.selection is not None:
            target = SourceDevice(runtime.selection, PROGRAMS / name / "kernels.cl")
        runs[setting] = partial(run, function, target, name, args)
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
    return row


def run(
    function: HostFunction, device: Device, name: str, args: argparse.Namespace
) -> tuple[float, Arguments]:
    """The seconds of a call, and its arguments with what it leaves in them."""
    given = inputs(name, args.size)
    given |= {key: given[key] * args.repeat for key in STEPS & given.keys()}
    begin = time.perf_counter()
    function(**given, device=device)
    return time.perf_counter() - begin, given


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
        elif not np.array_equal(array, found[name]):
            return f"{name} differs in {np.count_nonzero(array != found[name])} elements"
    return None


def describe(row: Row, settings: Sequence[str]) -> str:
    parts = [row.name]
    for setting in settings:
        time = row.median(setting)
        parts.append(f"{setting} {'-' if time is None else f'{time * 1e3:.4g}'}")
    lines = ["  ".join(parts)]
    lines += [f"    {setting}: {failure}" for setting, failure in row.failures.items()]
    return "\n".join(lines)


def mean_of(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.geometric_mean(known) if known else None


def print_table(rows: Sequence[Row], settings: Sequence[str], of: Statistic) -> None:
    """Speed-ups over the original, and their geometric mean."""
    others = [setting for setting in settings if setting != "original"]

    def cell(value: float | None) -> str:
        return "-" if value is None else f"{value:.2f}"

    lines = [["program", "original, ms", *others]]
    for row in rows:
        times = row.seconds.get("original")
        cells = [cell(row.speedup(setting, of)) for setting in others]
        lines.append([row.name, f"{of(times) * 1e3:.4g}" if times else "-", *cells])
    means = [mean_of([row.speedup(setting, of) for row in rows]) for setting in others]
    lines.append(["geometric mean", "", *map(cell, means)])
    print_columns(lines)


def as_json(rows: Sequence[Row], runtime: str) -> dict[str, Any]:
    return {
        "machine": processor(),
        "runtime": runtime,
        "programs": [
            {
                "name": row.name,
                "seconds": row.seconds,
                "remarks": row.remarks,
                "failures": row.failures,
            }
            for row in rows
        ],
    }


if __name__ == "__main__":
    main()
