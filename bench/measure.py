"""One case on all runtimes: check every way to launch it, find the best, time in turns."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.case import Arg, Case, Variant
from bench.check import Buffers, difference, expected_buffers, interpreted_buffers
from bench.protocol import Build, Round
from bench.runtimes import RuntimeProcess, Spec
from polycl import PolyclError

ROUND_SECONDS = 0.05
"""Of launches, before it is the next runtime's turn."""


@dataclass
class Timing:
    """One runtime's best way to launch a case, over all rounds; seconds."""

    runtime: str
    variant: Variant
    rounds: list[Round] = field(default_factory=list)

    @property
    def minimum(self) -> float:
        return min(each.minimum for each in self.rounds)

    @property
    def median(self) -> float:
        return statistics.median(each.median for each in self.rounds)


@dataclass
class Result:
    case: Case
    threads: int
    timings: list[Timing] = field(default_factory=list)
    """One for a peer; one for each form of the source for us."""
    failures: list[str] = field(default_factory=list)
    """What did not build, or was wrong: it is not in `timings`."""
    judge: str = ""
    """What the results were checked against."""

    def of(self, runtime: str) -> list[Timing]:
        return [timing for timing in self.timings if timing.runtime == runtime]


def build_of(case: Case, variant: Variant) -> Build:
    options = {**case.forms, **case.peer_forms}[variant.form]
    return Build(str(case.path), options, case.kernel, case.global_size, variant.local_size)


class Judge:
    """Knows the right results of a case; slow, and the same for any number of threads."""

    def __init__(self, case: Case):
        self.case = case
        self.args: list[Arg] = case.args()
        self._expected: Buffers | None = None
        self._name = "numpy"
        self.failures: list[str] = []
        """Why the interpreter cannot judge."""
        self._small: dict[Variant, Buffers] = {}
        if case.expected is not None:
            self._expected = expected_buffers(case, self.args)
        elif case.small is not None:
            self.small_args: list[Arg] = case.small.args()
            for variant in case.small.variants():
                try:
                    right = interpreted_buffers(case.small, variant, self.small_args)
                except PolyclError as error:
                    self.failures.append(f"interp {variant}: {first_line(error)}")
                else:
                    self._small[variant] = right

    @property
    def name(self) -> str:
        return f"interp (less data), {self._name}" if self._small else self._name

    def small_problem(self, variant: Variant, found: Buffers) -> str | None:
        if variant not in self._small:
            return None
        problem = difference(self._small[variant], found, self.case.tolerance)
        return problem and f"on less data: {problem}"

    def problem(self, runtime: str, found: Buffers) -> str | None:
        """Without numpy's results, the first runtime that is asked has the right ones."""
        if self._expected is None:
            self._expected, self._name = found, runtime
        problem = difference(self._expected, found, self.case.tolerance)
        return problem and f"{problem} (by {self._name})"


class Bench:
    """The processes of all runtimes for one number of threads."""

    def __init__(self, specs: Sequence[Spec], threads: int, rounds: int, folder: Path):
        self.specs = specs
        self.threads = threads
        self.rounds = rounds
        self._folder = folder
        self._processes: dict[str, RuntimeProcess] = {}

    def process(self, spec: Spec) -> RuntimeProcess:
        """The runtime's process; a new one where it died. Raises RuntimeError."""
        process = self._processes.get(spec.name)
        if process is None or not process.alive:
            process = self._processes[spec.name] = spec.start(self.threads, self._folder)
        return process

    def close(self) -> None:
        for process in self._processes.values():
            process.close()

    def measure(self, judge: Judge) -> Result:
        result = Result(judge.case, self.threads, failures=list(judge.failures))
        # Peers first: where there is no better judge, the first of them is the one.
        for spec in sorted(self.specs, key=lambda spec: spec.is_ours):
            self._find_best(spec, judge, result)
        for _ in range(self.rounds):
            for timing in list(result.timings):
                try:
                    timing.rounds.append(self._round(timing, judge.case))
                except RuntimeError as error:
                    self._fail(result, timing, error)
        self._check_again(judge, result)
        result.judge = judge.name
        return result

    def _find_best(self, spec: Spec, judge: Judge, result: Result) -> None:
        """Checks each variant, and leaves the fastest ones built."""
        case = judge.case
        wrong = self._check_small(spec, judge, result)
        tried: list[Timing] = []
        for variant in case.variants(peer=not spec.is_ours):
            if variant in wrong:
                continue
            try:
                process = self.process(spec)
                if not tried:
                    process.ask("load", judge.args)
                process.ask("build", str(variant), build_of(case, variant))
                problem = judge.problem(spec.name, process.ask("check", str(variant)))
                if problem is not None:
                    raise RuntimeError(problem)
                timing = Timing(spec.name, variant)
                timing.rounds.append(self._round(timing, case))
                tried.append(timing)
            except RuntimeError as error:
                result.failures.append(f"{spec.name} {variant}: {first_line(error)}")
                if not self._processes[spec.name].alive:
                    # What was built is gone with it.
                    tried = []
        best = _best_of_each_form(tried) if spec.is_ours else _best(tried)
        for timing in tried:
            if timing not in best:
                self.process(spec).ask("drop", str(timing.variant))
        result.timings += [Timing(timing.runtime, timing.variant) for timing in best]

    def _check_small(self, spec: Spec, judge: Judge, result: Result) -> set[Variant]:
        """The variants that are wrong on less data."""
        small = judge.case.small
        wrong: set[Variant] = set()
        for variant in small.variants() if small is not None else ():
            assert small is not None
            try:
                process = self.process(spec)
                process.ask("load", judge.small_args)
                process.ask("build", "small", build_of(small, variant))
                problem = judge.small_problem(variant, process.ask("check", "small"))
                if problem is not None:
                    raise RuntimeError(problem)
            except RuntimeError as error:
                result.failures.append(f"{spec.name} {variant}: {first_line(error)}")
                wrong.add(variant)
        return wrong

    def _round(self, timing: Timing, case: Case) -> Round:
        process = self._processes[timing.runtime]
        return process.ask("run", str(timing.variant), ROUND_SECONDS, case.restore)

    def _check_again(self, judge: Judge, result: Result) -> None:
        """A launch that was made often may run other code than the first one did."""
        for timing in list(result.timings):
            try:
                process = self._processes[timing.runtime]
                problem = judge.problem(timing.runtime, process.ask("check", str(timing.variant)))
                if problem is not None:
                    raise RuntimeError(f"after many launches: {problem}")
            except RuntimeError as error:
                self._fail(result, timing, error)

    def _fail(self, result: Result, timing: Timing, error: Exception) -> None:
        result.timings.remove(timing)
        result.failures.append(f"{timing.runtime} {timing.variant}: {first_line(error)}")


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _best(timings: Sequence[Timing]) -> list[Timing]:
    return [min(timings, key=lambda timing: timing.minimum)] if timings else []


def _best_of_each_form(timings: Sequence[Timing]) -> list[Timing]:
    forms: dict[str, list[Timing]] = {}
    for timing in timings:
        forms.setdefault(timing.variant.form, []).append(timing)
    return [best for some in forms.values() for best in _best(some)]
