"""An exploration from its first to its last step."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from tqdm import tqdm

from polycl.diagnostics import one_line
from polycl.dialects.pattern.types import nats_in
from polycl.errors import ArgumentError, PolyclError
from polycl.lowering.pattern.rules.derivation import Derivation
from polycl.runtime.pattern.explore.building import Candidate, build_baseline
from polycl.runtime.pattern.explore.data import check_specs
from polycl.runtime.pattern.explore.database import Database, Setting, Trial, digest
from polycl.runtime.pattern.explore.draft import Inapplicable
from polycl.runtime.pattern.explore.executors import Workers, cluster_workers, local_workers
from polycl.runtime.pattern.explore.machines import driver_of, machine_of
from polycl.runtime.pattern.explore.measuring import (
    FINAL_SECONDS,
    Measurement,
    Request,
    Target,
    measure_together,
)
from polycl.runtime.pattern.explore.plot import plot_trials
from polycl.runtime.pattern.explore.report import report, top_trials
from polycl.runtime.pattern.explore.structures import (
    Problem,
    Structure,
    parsed,
    search_structures,
)
from polycl.runtime.pattern.explore.trials import TIMEOUT, Outcome, Task, end_process, run_trial
from polycl.runtime.pattern.explore.tuning import Proposal, Tuner
from polycl.runtime.pattern.functions import Function
from polycl.runtime.program import load

DEPTH = 3
"""The default number of strategies in a derivation, without its lowering."""
_UNDER_WAY = 4
"""The number of trials under way for one or two workers."""
_IN_ORDER = 2
"""The most workers whose results are taken in the order of their trials."""
_FINALISTS, _OF_A_STRUCTURE = 12, 3
"""The number of trials that are timed again at the end, and of those with the same derivation."""
_STRUCTURE_SHARE = 0.25
"""The share of the time after which the structural search starts no new level."""
_FIRST_SHARE = 0.4
"""The share of the time of trials after which the best structures are tuned."""
_FINAL_SHARE = 0.15
"""The share of the time for the final runs."""
_ELEMENTS = 1 << 24
"""The elements of the largest argument, where no sizes are given."""
_MUCH_FASTER = 1.5
"""The speed-up over the rival with which a trial becomes the rival of the following trials."""
_LOADING = 8.0
"""The seconds that are kept for what comes before the final runs."""


@dataclass
class Exploration:
    """The result of an exploration."""

    name: str
    """The name of the function."""
    setting: Setting
    trials: list[Trial] = field(default_factory=list[Trial])
    """The trials in order, including those of the database."""
    finals: list[Trial] = field(default_factory=list[Trial])
    """The trials that were timed again at the end."""

    @property
    def ranked(self) -> list[Trial]:
        """The correct ones, the fastest first; those that were timed again before all others."""
        return [
            *top_trials(self.finals),
            *top_trials(t for t in self.trials if t not in self.finals),
        ]

    @property
    def best(self) -> Trial | None:
        """The fastest."""
        return next(iter(self.ranked), None)

    def script(self) -> str:
        """The best derivation, with the values of its parameters, for `pattern-derive`."""
        if self.best is None:
            raise PolyclError("no derivation was found that runs and gives the right result")
        lines = [f"tune {name} = {value}\n" for name, value in self.best.parameters.items()]
        return "".join(lines) + self.best.derivation

    def report(self) -> str:
        """A table of the ten best."""
        return report(self.trials, self.ranked)

    def plot(self, path: str | PathLike[str]) -> None:
        """A plot of time over trials, in a format of matplotlib such as .svg and .png."""
        plot_trials(self.trials, Path(path), f"{self.name} on {self.setting.device}")


def explore(
    program: str | PathLike[str],
    *,
    function: str | None = None,
    sizes: Mapping[str, int] | None = None,
    arguments: Mapping[str, str] | None = None,
    device: str = "cpu",
    device_options: Mapping[str, Any] | None = None,
    dry_run: bool = False,
    seconds: float = 600.0,
    trials: int = 200,
    depth: int = DEPTH,
    seed: int = 0,
    tolerance: float = 1e-4,
    jobs: int = 1,
    executor: Executor | None = None,
    scheduler: str | None = None,
    database: str | PathLike[str] | None = None,
    progress: bool = False,
) -> Exploration:
    """Search for a fast derivation of a high-level pattern program.

    Args:
        program: A file, or its text, with functions on arrays of the `pattern` dialect.
        function: The name of the function; it may be left out if there is only one.
        sizes: The values of the size variables for the timed runs.
        arguments: The data of arguments: see `polycl.runtime.pattern.explore.data`.
        device, device_options: As for `polycl.device`.
        dry_run: Run nothing; the cost model's estimates replace times.
        seconds, trials: The limits; those in the database count as trials.
        depth: The largest number of strategies in a derivation.
        seed: The seed of the order of trials.
        tolerance: The largest error, relative to the largest number in a result.
        jobs, executor, scheduler: The builders of candidates: the number of processes of this
            machine, an executor, or the workers of a dask cluster. The result does not depend on
            them.
        database: A file for the trials; those in it are not repeated.
        progress: Whether to show a bar on stderr.

    Raises:
        ArgumentError: an argument is invalid.
        PolyclError: the program is malformed, or cannot be run even without parallelism.
    """
    start = time.monotonic()
    text = _text(program)
    source = load(text, language="mlir")
    chosen = _function(source.functions, function)
    values = _sizes(chosen, sizes or {}, device)
    options = tuple(sorted((device_options or {}).items()))
    target = Target(device, options, tuple(sorted((arguments or {}).items())), seed, tolerance)
    check_specs(chosen, target.data)
    machine = machine_of(device, dict(options))
    setting = Setting(
        program=digest(str(source.module)),
        sizes=values,
        data=digest(target.data),
        device="model" if dry_run else _device_text(target),
        driver="model" if dry_run else driver_of(device, dict(options)),
    )
    problem = Problem(text, chosen.name, tuple(sorted(values.items())), machine, seed)
    found = Exploration(chosen.name, setting)
    database_file = Database(None if database is None else Path(database))
    with ExitStack() as stack:
        stack.callback(end_process)
        workers = stack.enter_context(_workers(jobs, executor, scheduler))
        bar = stack.enter_context(
            tqdm(total=trials, unit="trial", desc="structures", disable=not progress)
        )
        session = _Session(
            problem,
            target,
            setting,
            database_file,
            workers,
            not dry_run,
            start + seconds,
            found,
            bar,
        )
        session.run(trials, depth)
    return found


@dataclass
class _Session:
    problem: Problem
    target: Target
    setting: Setting
    database: Database
    workers: Workers
    measures: bool
    end: float
    """The time of `time.monotonic` at which all has ended."""
    found: Exploration
    bar: Any
    candidates: dict[str, str] = field(default_factory=dict[str, str])
    """The low-level programs, by the key of the trial."""

    def __post_init__(self) -> None:
        self.began = time.monotonic()
        known = list(self.database.of(self.setting))
        self.before = max((t.elapsed for t in known), default=0.0)
        self.found.trials += known
        try:
            self.baseline = build_baseline(self.problem)
        except Inapplicable as error:
            raise PolyclError(f"the program cannot be run without parallelism: {error}") from error

    def run(self, trials: int, depth: int) -> None:
        whole = self.end - self.began
        until = self.began + _STRUCTURE_SHARE * whole
        last = self.end - min(_FINAL_SHARE * whole, FINAL_SECONDS + _LOADING)
        structures = search_structures(self.problem, self.workers.structures, depth, until)
        tuner = Tuner(structures, self.problem.seed, first=max(4, trials // 5))
        self._learn(tuner, structures)
        self.bar.set_description("trials")
        self._show(len(self.found.trials))
        self._trials(tuner, trials, last)
        self._finals()

    def _learn(self, tuner: Tuner, structures: Sequence[Structure]) -> None:
        """Tells the tuner what is known from earlier explorations."""
        scripts = {structure.plan.script: structure for structure in structures}
        for trial in self.found.trials:
            structure = scripts.get(trial.derivation)
            if structure is not None and trial.parameters in structure.space:
                tuner.tell(Proposal(structure, dict(trial.parameters)), trial.time)

    def _trials(self, tuner: Tuner, trials: int, last: float) -> None:
        """Trials until `last`, several at a time."""
        width = max(_UNDER_WAY, 2 * self.workers.count)
        under_way: list[tuple[Proposal, Future[Outcome]]] = []
        first = time.monotonic() + _FIRST_SHARE * (last - time.monotonic())
        while True:
            if time.monotonic() > first:
                tuner.end_first()
            while (
                len(under_way) < width
                and len(self.found.trials) + len(under_way) < trials
                and time.monotonic() < last
                and (proposal := tuner.propose()) is not None
            ):
                task = self._task(proposal, last)
                under_way.append((proposal, self.workers.trials.submit(run_trial, task)))
            if not under_way:
                return
            number = self._next_trial([future for _, future in under_way], last)
            if time.monotonic() >= last:
                break
            self._take(tuner, *under_way.pop(number))
        for proposal, future in under_way:
            if not future.cancel() and _has_time(future):
                self._take(tuner, proposal, future)

    def _next_trial(self, under_way: Sequence[Future[Outcome]], last: float) -> int:
        """Wait for a trial; its number. It is the first one, so that what is proposed does not
        depend on the speed of workers. If there are many, the others would wait for a slow one
        after they have done what is under way: then it is any that has ended."""
        waits_for = under_way
        if self.workers.count <= _IN_ORDER or not self.measures:
            waits_for = under_way[:1]
        seconds = max(0.0, min(TIMEOUT, last - time.monotonic()))
        ended = wait(waits_for, seconds, FIRST_COMPLETED).done
        return next((i for i, future in enumerate(waits_for) if future in ended), 0)

    def _take(self, tuner: Tuner, proposal: Proposal, future: Future[Outcome]) -> None:
        """Note what a trial has found; one that has not ended took too long."""
        problem = "it took too long"
        try:
            outcome = future.result(0)
        except Exception as error:
            # The end of a worker has many exceptions.
            if future.done():
                problem = f"{type(error).__name__}: {one_line(error)}"
            outcome = Outcome(Candidate(), Measurement("failed", (), problem))
        tuner.tell(proposal, self._noted(proposal, outcome).time)
        self._show()

    def _task(self, proposal: Proposal, last: float) -> Task:
        plan, values = proposal.structure.plan, proposal.values
        end = time.time() + last - time.monotonic()
        request = self._request("") if self.measures else None
        rival = _rival(self.found.trials)
        if request is not None and rival is not None:
            best = min(trial.time for trial in self.found.trials) / rival.time
            request = replace(request, rival=self._text(rival), rival_time=rival.time, best=best)
        return Task(self.problem, plan, values, request, end)

    def _noted(self, proposal: Proposal, outcome: Outcome) -> Trial:
        built, measurement = outcome.candidate, outcome.measurement
        drift = 1.0
        if measurement.rival_time:
            drift = measurement.seconds[-1] / (measurement.relative * measurement.rival_time)
        trial = Trial(
            self.setting,
            proposal.structure.plan.script,
            proposal.values,
            measurement.status,
            measurement.seconds,
            float(f"{drift:.4g}"),
            built.estimate if built.text else 0.0,
            measurement.detail,
            round(self.before + time.monotonic() - self.began, 2),
        )
        self.candidates[trial.key] = built.text
        self.found.trials.append(trial)
        self.database.add(trial)
        return trial

    def _request(self, candidate: str) -> Request:
        problem = self.problem
        return Request(
            problem.program,
            problem.function,
            candidate,
            problem.sizes,
            self.target,
            self.baseline,
            None,
        )

    def _text(self, trial: Trial) -> str:
        """The low-level program of a trial, which may be one of the database."""
        if trial.key not in self.candidates:
            derivation = Derivation.parse(trial.derivation)
            module = derivation.replay(
                parsed(self.problem.program), self.problem.function, trial.parameters
            )
            self.candidates[trial.key] = str(module)
        return self.candidates[trial.key]

    def _finals(self) -> None:
        """Times the best again, in turns, so that they have the same conditions."""
        best = self._finalists()
        left = self.end - time.monotonic()
        if not self.measures or len(best) < 2:
            return
        self.bar.set_description("final runs")
        requests = [self._request(self._text(trial)) for trial in best]
        future = self.workers.trials.submit(measure_together, requests, time.time() + left)
        try:
            measurements = future.result(max(0.0, left))
        except TimeoutError:
            future.cancel()
            return
        if not measurements:
            return
        first = measurements[0].seconds[-1]
        for trial, measurement in zip(best, measurements, strict=False):
            drift = float(f"{measurement.seconds[-1] / (measurement.relative * first):.4g}")
            again = replace(trial, seconds=measurement.seconds, drift=drift)
            self.found.trials[self.found.trials.index(trial)] = again
            self.found.finals.append(again)
            self.database.add(again)
        self._show(0)

    def _finalists(self) -> list[Trial]:
        """The fastest, a few of each structure."""
        chosen: list[Trial] = []
        for trial in top_trials(self.found.trials):
            if sum(t.derivation == trial.derivation for t in chosen) < _OF_A_STRUCTURE:
                chosen.append(trial)
        return chosen[:_FINALISTS]

    def _show(self, more: int = 1) -> None:
        self.bar.update(more)
        if self.found.best is not None:
            self.bar.set_postfix_str(f"best {self.found.best.time * 1e3:.4g} ms")


def _workers(
    jobs: int, executor: Executor | None, scheduler: str | None
) -> AbstractContextManager[Workers]:
    if executor is not None:
        return nullcontext(Workers(executor, executor, 1))
    return local_workers(jobs) if scheduler is None else cluster_workers(scheduler)


def _has_time(future: Future[Outcome]) -> bool:
    """Whether a trial has ended, and not because the time was up."""
    return (
        future.done()
        and future.exception() is None
        and future.result().measurement.status != "failed"
    )


def _rival(trials: Sequence[Trial]) -> Trial | None:
    """The candidate with which the next trial runs in turns. It is replaced rarely: a lucky time
    must not count for all following trials."""
    rival: Trial | None = None
    for trial in trials:
        if trial.status == "ok" and (rival is None or trial.time * _MUCH_FASTER < rival.time):
            rival = trial
    return rival


# ---- the program and its sizes ----


def _text(program: str | PathLike[str]) -> str:
    if isinstance(program, str) and "\n" in program:
        return program
    try:
        return Path(fspath(program)).read_text(encoding="utf-8")
    except OSError as error:
        raise PolyclError(f"cannot open '{fspath(program)}': {error.strerror}") from error


def _function(functions: Mapping[str, Function], name: str | None) -> Function:
    if name is None and len(functions) == 1:
        return next(iter(functions.values()))
    if name is None or name not in functions:
        have = ", ".join(functions) or "none"
        wanted = "which function?" if name is None else f"there is no function '{name}';"
        raise ArgumentError(f"{wanted} the pattern programs: {have}")
    return functions[name]


def _sizes(function: Function, given: Mapping[str, int], device: str) -> dict[str, int]:
    """The values of the size variables; those that are not given are chosen."""
    types = [parameter.type for parameter in function.parameters]
    names = sorted({v for type in types for size in nats_in(type) for v in size.variables})
    for name in given:
        if name not in names:
            raise ArgumentError(
                f"function '{function.name}' has no size '{name}'; "
                f"its sizes: {', '.join(names) or 'none'}"
            )
    limit = 1 << 12 if device == "interp" else _ELEMENTS
    values = {name: given.get(name, 1) for name in names}

    def elements() -> int:
        return max((_elements(type, values) for type in types), default=0)

    open_names = [name for name in names if name not in given]
    while open_names and elements() * (1 << len(open_names)) <= limit:
        for name in open_names:
            values[name] *= 2
    return values


def _elements(type: Any, sizes: Mapping[str, int]) -> int:
    product = 1
    for size in nats_in(type):
        product *= size.evaluate(sizes)
    return product


def _device_text(target: Target) -> str:
    options = ", ".join(f"{name}={value}" for name, value in target.options)
    return target.device + (f"{{{options}}}" if options else "")
