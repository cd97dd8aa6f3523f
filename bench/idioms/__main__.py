"""`python -m bench.idioms`: computations in many forms, each against the fastest form."""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from bench.case import Tolerance
from bench.check import difference
from bench.idioms.computations import COMPUTATIONS, TOLERANCES
from bench.idioms.forms import Computation, computations
from bench.idioms.heat_map import draw
from bench.machine import undisturbed
from bench.measure import first_line
from bench.report import processor
from bench.runtimes import ROOT, RuntimeProcess, Spec, peers

Times = dict[str, float]
"""Seconds of each form: the minimum of all iterations (`--rounds`)."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.idioms", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="COMPUTATION", help="default: all; see --list")
    parser.add_argument("--list", action="store_true", help="computations and their forms")
    parser.add_argument("--form", action="append", help="only forms of this name")
    parser.add_argument("--peer", action="store_true", help="other OpenCL runtimes, too")
    parser.add_argument("--icd", action="append", default=[], metavar="NAME=FILE.icd")
    parser.add_argument("--without", default="", metavar="PASS,PASS", help="leave out passes")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each form (default: 3)")
    parser.add_argument("--seconds", type=float, default=0.02, help="of a turn (default: 0.02)")
    parser.add_argument("--realtime", action="store_true", help="go before all other processes")
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "idioms.json")
    parser.add_argument("--plot", type=Path, default=ROOT / "build" / "idioms.png")
    args = parser.parse_args()
    chosen = [each for each in computations() if not args.names or each.name in args.names]
    if unknown := set(args.names) - {each.name for each in chosen}:
        parser.error(f"no such computation: {', '.join(sorted(unknown))}; see --list")
    if args.list:
        for each in chosen:
            print(f"{each.name}: {', '.join(each.builds)}")
        return
    results: dict[str, dict[str, Times]] = {}
    with tempfile.TemporaryDirectory() as folder, undisturbed(args.realtime):
        print(f"this machine: {processor()}")
        processes = start(args, Path(folder))
        for computation in chosen:
            results[computation.name] = measure(computation, processes, args)
            print_times(computation.name, results[computation.name])
        for process in processes.values():
            process.close()
    print_summary(results)
    args.json.parent.mkdir(parents=True, exist_ok=True)
    args.json.write_text(json.dumps(results, indent=1) + "\n")
    print(f"all figures: {args.json}")
    try:
        draw({n: times["polycl"] for n, times in results.items() if times["polycl"]}, args.plot)
        print(f"heat map: {args.plot}")
    except ImportError:
        print("heat map: left out: install matplotlib (the extra 'bench')")


def start(args: argparse.Namespace, folder: Path) -> dict[str, RuntimeProcess]:
    """One thread of each runtime; says which do not start, and why."""
    options = (f"without={args.without}",) if args.without else ()
    specs = [Spec("polycl", "polycl", options, realtime=args.realtime)]
    if args.peer:
        others, missing = peers(args.icd, folder)
        specs += [Spec(o.name, o.kind, o.options, o.environment, args.realtime) for o in others]
        for name, why in missing.items():
            print(f"{name}: left out: {why}")
    found: dict[str, RuntimeProcess] = {}
    for spec in specs:
        try:
            found[spec.name] = spec.start(1, folder)
        except RuntimeError as error:
            print(f"{spec.name}: left out: {error}")
        else:
            print(f"{spec.name}: {found[spec.name].title}")
    return found


def measure(
    computation: Computation, processes: Mapping[str, RuntimeProcess], args: argparse.Namespace
) -> dict[str, Times]:
    """The times of the forms whose results are right; says which are not."""
    values, changed = COMPUTATIONS[computation.name]()
    buffers = {i: value for i, value in enumerate(values) if isinstance(value, np.ndarray)}
    expected = {**buffers, **changed}
    tolerance = TOLERANCES.get(computation.name, Tolerance())
    times: dict[str, Times] = {name: {} for name in processes}
    for name, process in processes.items():
        process.ask("load", values)
        for form, build in computation.builds.items():
            if args.form and form not in args.form:
                continue
            try:
                process.ask("build", form, build)
                if problem := difference(expected, process.ask("check", form), tolerance):
                    raise RuntimeError(problem)
                times[name][form] = math.inf
            except RuntimeError as error:
                print(f"{computation.name}, {form}: {name}: {first_line(error)}")
    for _ in range(args.rounds):
        for name, process in processes.items():
            for form, least in times[name].items():
                turn = process.ask("run", form, args.seconds, computation.restore)
                times[name][form] = min(least, turn.minimum)
    return times


def print_times(name: str, times: Mapping[str, Times]) -> None:
    """A form's time in ms, and over that of the fastest form, for each runtime."""
    for runtime, each in times.items():
        if each:
            least = min(each.values())
            cells = [f"{form} {seconds / least:.2f}" for form, seconds in each.items()]
            print(f"{name} ({runtime}, fastest {least * 1e3:.4g} ms): {'; '.join(cells)}")
    print(flush=True)


def print_summary(results: Mapping[str, Mapping[str, Times]]) -> None:
    """The slowest form over the fastest one, and our times against the best peer's."""
    print("| computation | forms | fastest, ms | slowest / fastest | slowest form |", end="")
    print(" best peer / ours | worst form |\n|---|---|---|---|---|---|---|")
    spreads: list[float] = []
    for name, runtimes in results.items():
        ours = runtimes["polycl"]
        if not ours:
            continue
        slow, fast = max(ours, key=ours.__getitem__), min(ours.values())
        spreads.append(ours[slow] / fast)
        others = [times for runtime, times in runtimes.items() if runtime != "polycl" and times]
        ratios = "- | -"
        if others:
            best = min(min(times.values()) for times in others)
            worst = min(
                min(times.get(form, math.inf) for times in others) / seconds
                for form, seconds in ours.items()
            )
            ratios = f"{best / fast:.2f} | {worst:.2f}"
        print(
            f"| {name} | {len(ours)} | {fast * 1e3:.3g} | {spreads[-1]:.2f} | {slow} | {ratios} |"
        )
    mean = math.exp(sum(map(math.log, spreads)) / max(len(spreads), 1))
    print(f"slowest / fastest, geometric mean: {mean:.2f}")


if __name__ == "__main__":
    main()
