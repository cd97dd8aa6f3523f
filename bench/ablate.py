"""`python -m bench --ablate`: each pass for speed left out in turn. One that loses is a defect."""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.case import Arg, Case, Tolerance
from bench.check import Buffers, difference, expected_buffers
from bench.idioms.computations import COMPUTATIONS, TOLERANCES
from bench.idioms.forms import computations
from bench.machine import undisturbed
from bench.measure import build_of, first_line
from bench.protocol import Build
from bench.report import processor
from bench.runtimes import RuntimeProcess, Spec
from polycl.backends.cpu.pipeline import FOR_SPEED

LOSS = 1.03
"""A pass must not make a kernel slower by more than this factor."""

ROUND_SECONDS = 0.01
ROUNDS = 5
CONFIRMING_ROUNDS = 20
"""Turns of both kinds of code, again, where a pass seems to lose."""


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


@dataclass
class PassFigures:
    """What a pass does to the kernels whose code it changes: time without it over time with it."""

    ratios: dict[str, float] = field(default_factory=dict[str, float])

    def losses(self) -> dict[str, float]:
        return {name: ratio for name, ratio in self.ratios.items() if ratio * LOSS < 1}


def ablate(cases: Sequence[Case], args: argparse.Namespace) -> None:
    """Measure and print; the JSON file has all ratios."""
    from bench.__main__ import write_json
    from bench.runtimes import ROOT

    passes = [name for name in args.without if name != "each"] or list(FOR_SPEED)
    figures = {name: PassFigures() for name in passes}
    print(f"this machine: {processor()}")
    with tempfile.TemporaryDirectory() as folder, undisturbed(args.realtime):
        line = _Line(Spec("polycl", "polycl", realtime=args.realtime), Path(folder))
        launches = [_launches_of_cases(cases)]
        if args.idioms:
            launches.append(_launches_of_idioms(line))
        for some in launches:
            for launch in some:
                _measure(launch, passes, figures, line)
        line.close()
    print_figures(figures)
    ratios = {name: each.ratios for name, each in figures.items()}
    write_json(args.json or ROOT / "build" / "ablation.json", ratios)


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


def _launches_of_cases(cases: Sequence[Case]) -> Iterator[Launch]:
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


def _measure(
    launch: Launch, passes: Sequence[str], figures: Mapping[str, PassFigures], line: _Line
) -> None:
    """Add the ratio of each pass that changes the code of a kernel."""
    try:
        line.ask("load", launch.args)
        line.ask("build", "", launch.build)
        code = line.ask("code")
        found = line.ask("check", "")
        expected = found if launch.expected is None else launch.expected
        if problem := difference(expected, found, launch.tolerance):
            raise RuntimeError(problem)
    except RuntimeError as error:
        print(f"{launch.name}: left out: {first_line(error)}", flush=True)
        return
    lost: list[str] = []
    for name in passes:
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
            continue
        figures[name].ratios[launch.name] = ratio
        if ratio * LOSS < 1:
            lost.append(f"{name} {ratio:.2f}")
    print(f"{launch.name}: {', '.join(lost) or 'no pass loses'}", flush=True)


def _ratio(launch: Launch, name: str, rounds: int, line: _Line) -> float:
    """The time without a pass over the time with it, each the minimum of all rounds."""
    least = {"": math.inf, name: math.inf}
    for _ in range(rounds):
        for key in least:
            turn = line.ask("run", key, ROUND_SECONDS, launch.restore)
            least[key] = min(least[key], turn.minimum)
    return least[name] / least[""]


def print_figures(figures: Mapping[str, PassFigures]) -> None:
    """Two tables: what each pass gains, and where one loses."""
    print("\nTime without a pass over time with it, where the code differs:\n")
    print("| pass | launches | geometric mean | largest gain | largest loss |")
    print("|---|---|---|---|---|")
    for name, each in figures.items():
        if not each.ratios:
            print(f"| `{name}` | 0 | | | |")
            continue
        mean = math.exp(sum(map(math.log, each.ratios.values())) / len(each.ratios))
        cells = [str(len(each.ratios)), f"{mean:.2f}"]
        cells += [f"{pick(each.ratios.values()):.2f}" for pick in (max, min)]
        print(f"| `{name}` | {' | '.join(cells)} |")
    print(f"\nFaster by more than {LOSS - 1:.0%} without a pass:\n\n| pass | launch | time |")
    print("|---|---|---|")
    for name, each in figures.items():
        for launch, ratio in sorted(each.losses().items(), key=lambda pair: pair[1]):
            print(f"| `{name}` | {launch} | {ratio:.2f} |")
