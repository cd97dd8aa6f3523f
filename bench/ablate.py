"""`python -m bench --ablate`: each pass for speed left out in turn. One that loses is a defect.

Passes that do not change the module of a launch are known from one compilation, and not tried.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from bench.case import EXACT, Arg, Case, LocalBytes, Tolerance
from bench.check import Buffers, difference, expected_buffers
from bench.everyday import launches as everyday
from bench.idioms.computations import COMPUTATIONS, TOLERANCES
from bench.idioms.forms import computations
from bench.machine import undisturbed
from bench.measure import build_of, first_line
from bench.protocol import Build
from bench.report import processor
from bench.runtimes import RuntimeProcess, Spec
from polycl.backends.cpu.pipeline import FOR_SPEED
from polycl.backends.device import LocalMemory

LOSS = 1.03
"""A pass must not make a kernel slower by more than this factor."""

ROUND_SECONDS = 0.01
ROUNDS = 5
CONFIRMING_ROUNDS = 20
"""Turns of both kinds of code, again, where a pass seems to lose."""

PROCESSES = 3
"""Where it still does: processes that measure both kinds anew. A time changes by several percent
with where code and arrays lie in memory."""


@dataclass
class Launch:
    """One way to launch a kernel, and what its results must be."""

    name: str
    build: Build
    args: Sequence[Arg]
    expected: Buffers | None
    """None: what the whole pipeline computes."""
    tolerance: Tolerance
    restore: bool


Ratios: TypeAlias = dict[str, dict[str, float | None]]
"""By launch and pass: time without the pass over time with it; None where the code is the same."""


def ablate(cases: Sequence[Case], args: argparse.Namespace) -> None:
    """Measure and print. The JSON file has all ratios; a run that was stopped goes on from it."""
    from bench.runtimes import ROOT

    passes = [name for name in args.without if name != "each"] or list(FOR_SPEED)
    path: Path = args.json or ROOT / "build" / "ablation.json"
    ratios: Ratios = json.loads(path.read_text()) if path.exists() else {}
    print(f"this machine: {processor()}")
    with tempfile.TemporaryDirectory() as folder, undisturbed(args.realtime):
        line = _Line(Spec("polycl", "polycl", realtime=args.realtime), Path(folder))
        launches = [launches_of_cases(cases)]
        if args.idioms:
            launches.append(_launches_of_idioms(line))
        launches += [_launches_of_folder(folder) for folder in args.kernels]
        if args.everyday is not None:
            launches.append(launches_of_everyday(args.everyday))
        for launch in chain.from_iterable(launches):
            known = ratios.setdefault(launch.name, {})
            if missing := [name for name in passes if name not in known]:
                _measure(launch, missing, known, line)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(ratios, indent=1) + "\n")
        line.close()
    print_figures(passes, ratios)
    print(f"\nall figures: {path}")


class _Line:
    """The process that measures; a new one where it died."""

    def __init__(self, spec: Spec, folder: Path):
        self._spec = spec
        self._folder = folder
        self._process: RuntimeProcess | None = None

    def ask(self, name: str, *values: Any) -> Any:
        if self._process is None or not self._process.alive:
            self._process = self._spec.start(1, self._folder)
        return self._process.ask(name, *values)

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


def launches_of_cases(cases: Sequence[Case]) -> Iterator[Launch]:
    for case in cases:
        args = case.args()
        expected = expected_buffers(case, args) if case.expected is not None else None
        for variant in case.variants():
            name = f"{case.name} {variant}"
            build = build_of(case, variant)
            yield Launch(name, build, args, expected, case.tolerance, case.restore)


def _launches_of_idioms(line: _Line) -> Iterator[Launch]:
    """Of each computation its fastest and its slowest form."""
    for computation in computations():
        values, changed = COMPUTATIONS[computation.name]()
        buffers = {i: value for i, value in enumerate(values) if isinstance(value, np.ndarray)}
        tolerance = TOLERANCES.get(computation.name, Tolerance())
        line.ask("load", values)
        times: dict[str, float] = {}
        for form, build in computation.builds.items():
            line.ask("build", form, build)
            times[form] = line.ask("run", form, ROUND_SECONDS, computation.restore).minimum
        for form in dict.fromkeys(
            (min(times, key=times.__getitem__), max(times, key=times.__getitem__))
        ):
            yield Launch(
                f"{computation.name} {form}",
                computation.builds[form],
                values,
                {**buffers, **changed},
                tolerance,
                computation.restore,
            )


def _launches_of_folder(folder: Path) -> Iterator[Launch]:
    """Of its LAUNCH lines, those without images, pipes and offsets."""
    from bench.runtimes import ROOT

    sys.path.insert(0, str(ROOT / "tests"))
    from launches import all_launches

    for launch in all_launches(folder):
        values = list(launch.values().values())
        args = [LocalBytes(a.nbytes) if isinstance(a, LocalMemory) else a for a in values]
        if launch.global_offset or not all(
            isinstance(a, np.ndarray | np.generic | int | float | LocalBytes) for a in args
        ):
            continue
        space = launch.ndrange(launch.load().kernel(launch.kernel))
        sizes = space.global_size[: space.work_dim], space.local_size[: space.work_dim]
        build = Build(str(launch.path), tuple(launch.build_options), launch.kernel, *sizes)
        yield Launch(str(launch), build, args, None, EXACT, restore=True)


def launches_of_everyday(part: str) -> Iterator[Launch]:
    """Those of `bench.everyday` whose path contains `part`."""
    for launch in everyday.launches(name=part):
        name = str(launch.path.relative_to(everyday.KERNELS))
        yield Launch(name, launch.build(), launch.args(), None, Tolerance(), restore=True)


def _measure(
    launch: Launch, passes: Sequence[str], ratios: dict[str, float | None], line: _Line
) -> None:
    """Add the ratio of each pass."""
    try:
        line.ask("load", launch.args)
        changing = line.ask("build_noting", "", launch.build)
        code = line.ask("code")
        found = line.ask("check", "")
        expected = found if launch.expected is None else launch.expected
        if problem := difference(expected, found, launch.tolerance):
            raise RuntimeError(problem)
    except RuntimeError as error:
        print(f"{launch.name}: left out: {first_line(error)}", flush=True)
        return
    ratios |= dict.fromkeys(passes)
    suspects: list[str] = []
    for name in changing:
        if name not in passes:
            continue
        try:
            line.ask("build", name, replace(launch.build, without=(name,)))
            if line.ask("code") == code:
                continue
            if problem := difference(expected, line.ask("check", name), launch.tolerance):
                raise RuntimeError(problem)
            ratio = _ratio(launch, name, ROUNDS, line)
            if ratio * LOSS < 1:
                ratio = max(ratio, _ratio(launch, name, CONFIRMING_ROUNDS, line))
        except RuntimeError as error:
            print(f"{launch.name} without {name}: {first_line(error)}", flush=True)
            del ratios[name]
            continue
        ratios[name] = ratio
        if ratio * LOSS < 1:
            suspects.append(name)
    lost = [name for name in suspects if _still_loses(launch, name, ratios, line)]
    losses = [f"{name} {ratios[name]:.2f}" for name in lost]
    print(f"{launch.name}: {', '.join(losses) or 'no pass loses'}", flush=True)


def _still_loses(launch: Launch, name: str, ratios: dict[str, float | None], line: _Line) -> bool:
    """Whether a pass loses in new processes, too; the best ratio of them counts."""
    for number in range(PROCESSES):
        line.close()
        line.ask("load", launch.args)
        builds = [("", launch.build), (name, replace(launch.build, without=(name,)))]
        for key, build in builds if number % 2 else reversed(builds):
            line.ask("build", key, build)
        ratio = _ratio(launch, name, CONFIRMING_ROUNDS, line)
        ratios[name] = max(ratio, ratios[name] or 0.0)
        if ratio * LOSS >= 1:
            return False
    return True


def _ratio(launch: Launch, name: str, rounds: int, line: _Line) -> float:
    """The time without a pass over the time with it, each the minimum of all rounds."""
    least = {"": math.inf, name: math.inf}
    for _ in range(rounds):
        for key in least:
            turn = line.ask("run", key, ROUND_SECONDS, launch.restore)
            least[key] = min(least[key], turn.least(1))
    return least[name] / least[""]


def print_figures(passes: Sequence[str], ratios: Ratios) -> None:
    """Two tables: what each pass gains, and where one loses."""
    print("\nTime without a pass over time with it, where the code differs:\n")
    print("| pass | launches | geometric mean | largest gain | largest loss |")
    print("|---|---|---|---|---|")
    losses: list[tuple[str, str, float]] = []
    for name in passes:
        found = {launch: ratio for launch, some in ratios.items() if (ratio := some.get(name))}
        if not found:
            print(f"| `{name}` | 0 | | | |")
            continue
        mean = math.exp(sum(map(math.log, found.values())) / len(found))
        cells = [str(len(found)), f"{mean:.2f}"]
        cells += [f"{pick(found.values()):.2f}" for pick in (max, min)]
        print(f"| `{name}` | {' | '.join(cells)} |")
        ordered = sorted(found.items(), key=lambda pair: pair[1])
        losses += [(name, launch, ratio) for launch, ratio in ordered if ratio * LOSS < 1]
    print(f"\nFaster by more than {LOSS - 1:.0%} without a pass:\n\n| pass | launch | time |")
    print("|---|---|---|")
    for name, launch, ratio in losses:
        print(f"| `{name}` | {launch} | {ratio:.2f} |")
