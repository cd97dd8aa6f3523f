"""One trial, from a derivation to its time, on a worker: a process of this machine, or of others.

It builds the low-level program, which is checked, compiled and timed in a process of its own: that
may crash, or take too long. Only the timed runs exclude those of other trials.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from dataclasses import dataclass, replace

from polycl.runtime.pattern.explore.building import Candidate, build
from polycl.runtime.pattern.explore.draft import Plan
from polycl.runtime.pattern.explore.isolated import Isolated, ProcessDied
from polycl.runtime.pattern.explore.measuring import Measurement, Request, measure
from polycl.runtime.pattern.explore.space import Configuration
from polycl.runtime.pattern.explore.structures import Problem

TIMEOUT = 120.0
"""The most seconds for a trial."""


@dataclass(frozen=True)
class Task:
    problem: Problem
    plan: Plan
    values: Configuration
    request: Request | None
    """The measurement, without its candidate; None where nothing is run."""
    end: float
    """The time of `time.time` by which it must have ended."""


@dataclass(frozen=True)
class Outcome:
    candidate: Candidate
    measurement: Measurement


def run_trial(task: Task) -> Outcome:
    built = build(task.problem, task.plan, task.values)
    if not built.text:
        return Outcome(built, Measurement("failed", (), built.problem))
    if task.request is None:
        return Outcome(built, Measurement("ok", (built.estimate,)))
    request = replace(task.request, candidate=built.text, check=built.check)
    return Outcome(built, _apart(request, min(TIMEOUT, task.end - time.time())))


_own = threading.local()


def _apart(request: Request, seconds: float) -> Measurement:
    if seconds <= 0:
        return Measurement("failed", (), "the time was up")
    if multiprocessing.current_process().daemon:
        # A worker of dask, which may have no children. Dask starts another one after a crash.
        return measure(request)
    if not hasattr(_own, "process"):
        _own.process = Isolated(measure, seconds)
    try:
        return _own.process(request, seconds)
    except ProcessDied as error:
        return Measurement("failed", (), str(error))


def end_process() -> None:
    """Ends the process in which this thread's trials ran."""
    if hasattr(_own, "process"):
        _own.process.close()
