"""Runs candidates: checks their results, and times them, in the process that owns the device.

Two checks. At a small size, with the smallest values of its parameters, a structure must give the
interpreter's result of the high-level program. At full size, with the values to be timed, it must
give the result of the program without parallelism on the device.
"""

from __future__ import annotations

import fcntl
import math
import os
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from polycl.backends.cpu.device import CpuDevice
from polycl.backends.device import Device
from polycl.backends.opencl_c.device import OpenclDevice
from polycl.diagnostics import one_line
from polycl.errors import PolyclError
from polycl.runtime.devices import device
from polycl.runtime.pattern.explore.data import arguments
from polycl.runtime.pattern.explore.database import Status
from polycl.runtime.pattern.functions import Function
from polycl.runtime.program import load

SECONDS = 0.25
"""The most seconds of runs for one trial."""
RUNS = 30
"""The most runs for one trial; the least are a sixth of them, or those of `LONG` seconds."""
LONG = 1.0
"""The seconds of runs after which none is needed to see how long they take."""
FINAL_RUNS, FINAL_SECONDS = 200, 10.0
"""The most runs of each candidate, and seconds of all, when the best are timed again."""
_FINAL_SHARE = 0.2
"""The share of them for which candidates are left out if there is not enough time."""
SLOW = 2.0
"""The multiple of the best time above which a candidate is not run again."""

Sizes = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Target:
    """The device and the data of a candidate's runs."""

    device: str
    options: tuple[tuple[str, Any], ...] = ()
    data: tuple[tuple[str, str], ...] = ()
    """The data of arguments by name; see `polycl.runtime.pattern.explore.data`."""
    seed: int = 0
    tolerance: float = 1e-4
    """The largest error, relative to the largest number in the result."""


@dataclass(frozen=True)
class Check:
    """The program that must give the high-level program's result at a small size."""

    candidate: str
    sizes: Sizes


@dataclass(frozen=True)
class Request:
    """A trial. Programs are texts of pattern programs; `candidate` is a low-level one."""

    high_level: str
    function: str
    candidate: str
    sizes: Sizes
    target: Target
    baseline: str
    """A low-level program that is known to be correct."""
    check: Check | None
    rival: str = ""
    """A fast candidate, which runs in turns with this one; empty without one."""
    rival_time: float = 0.0
    """The time of the rival's own trial."""
    best: float = 1.0
    """The best time until now, as a multiple of the rival's."""


@dataclass(frozen=True)
class Measurement:
    status: Status
    seconds: tuple[float, ...] = ()
    detail: str = ""
    relative: float = 1.0
    """The time as a multiple of the rival's, by the least times of all turns."""
    rival_time: float = 0.0
    """The time of the rival's own trial; 0 where there was none."""


def measure(request: Request) -> Measurement:
    """Check and time one candidate."""
    try:
        if request.check is not None:
            problem = _small_problem(
                request.high_level, request.function, request.check, request.target
            )
            if problem is not None:
                return Measurement("wrong", (), problem)
        run = _prepared(request, request.candidate)
        right = _baseline_result(_only(request, request.baseline))
        # What is checked is not in memory that had the right result before.
        _results_of(*_problem_of(request)).clear()
        problem = _difference(right, run(), request.target)
        if problem is not None:
            return Measurement("wrong", (), problem)
        rival = _prepared(request, request.rival) if request.rival else None
        with exclusive(request.target):
            found = _timed(run, rival, request.best, _device(request.target))
        return replace(found, rival_time=request.rival_time if rival is not None else 0.0)
    except PolyclError as error:
        return Measurement("failed", (), one_line(error))
    except Exception as error:
        # A bug of one candidate must not end the search.
        return Measurement("failed", (), f"{type(error).__name__}: {one_line(error)}")


def measure_together(requests: Sequence[Request], end: float) -> list[Measurement]:
    """Time several candidates in turns, so that they have the same disturbances.

    At `end`, a time of `time.time`, it ends, with the first of the candidates if there was no time
    for all, and without any if there was no time.
    """
    runs: list[Callable[[], Any]] = []
    on = _device(requests[0].target)
    for request in requests:
        if time.time() > end - _FINAL_SHARE * FINAL_SECONDS:
            break
        runs.append(_prepared(request, request.candidate))
        runs[-1]()
    seconds: list[list[float]] = [[] for _ in runs]
    with exclusive(requests[0].target, alone=True):
        end = min(end, time.time() + FINAL_SECONDS)
        for _ in range(FINAL_RUNS):
            if time.time() > end:
                break
            for run, times in zip(runs, seconds, strict=True):
                times.append(_seconds(run, on))
    return [
        Measurement("ok", _rounded(times), "", _relative(times, seconds[0]))
        for times in seconds
        if times
    ]


def _timed(
    run: Callable[[], Any], rival: Callable[[], Any] | None, best: float, on: Device
) -> Measurement:
    """Runs in turns with the rival; `best` is the best time until now, as in `Request`."""
    seconds: list[float] = []
    others: list[float] = []
    while len(seconds) < RUNS and (
        sum(seconds) < SECONDS or (len(seconds) < RUNS // 6 and sum(seconds) < LONG)
    ):
        if rival is not None:
            others.append(_seconds(rival, on))
        seconds.append(_seconds(run, on))
        slow = SLOW * best * min(others, default=math.inf)
        # One run may be slow by chance, but not so slow.
        if len(seconds) <= 2 and min(seconds) > slow * (4 if len(seconds) == 1 else 1):
            return Measurement("slow", _rounded(seconds), "", _relative(seconds, others))
    return Measurement("ok", _rounded(seconds), "", _relative(seconds, others or seconds))


def _relative(seconds: Sequence[float], others: Sequence[float]) -> float:
    """By the least times: on a busy machine most runs are disturbed, and so is their median."""
    return min(seconds) / min(others)


def _seconds(run: Callable[[], Any], on: Device) -> float:
    """The seconds of a run: those of its kernels where the device has them, without copies; on one
    thread those of the processor, without the time that the system gives to other programs."""
    if isinstance(on, OpenclDevice):
        on.times.clear()
        run()
        return sum(each.seconds for each in on.times)
    clock = time.thread_time if isinstance(on, CpuDevice) and on.threads == 1 else time.perf_counter
    start = clock()
    run()
    return clock() - start


def _rounded(seconds: Sequence[float]) -> tuple[float, ...]:
    """The shortest time and the median, rounded to their precision."""
    return tuple(float(f"{s:.4g}") for s in (min(seconds), statistics.median(seconds)))


@contextmanager
def exclusive(target: Target, *, alone: bool = False) -> Generator[None]:
    """Excludes other measurements on this machine: those on the device, or, on a CPU, those on the
    same core. With several threads, or `alone`, all cores are taken."""
    if target.device != "cpu":
        with _locked(f"{zlib.crc32(target.device.encode()):08x}"):
            yield
        return
    cores = sorted(os.sched_getaffinity(0))
    if alone or dict(target.options).get("threads") != 1:
        with ExitStack() as stack:
            # In order: nobody waits for one who waits.
            for core in cores:
                stack.enter_context(_locked(f"core-{core}"))
            yield
        return
    with _one_of(cores) as core:
        os.sched_setaffinity(0, {core})
        try:
            yield
        finally:
            os.sched_setaffinity(0, cores)


@contextmanager
def _locked(name: str) -> Generator[None]:
    with _lock_file(name).open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def _one_of(cores: Sequence[int]) -> Generator[int]:
    """The first core that is free; if none is, one of them as soon as it is."""
    chosen = cores[os.getpid() % len(cores)]
    for core in cores:
        with _lock_file(f"core-{core}").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield core
            return
    with _locked(f"core-{chosen}"):
        yield chosen


def _lock_file(name: str) -> Path:
    return Path(tempfile.gettempdir()) / f"polycl-measuring-{name}.lock"


# ---- results ----


@lru_cache(maxsize=2)
def _baseline_result(request: Request) -> Any:
    return _run_of(request)()


@lru_cache(maxsize=64)
def _small_problem(high_level: str, function: str, check: Check, target: Target) -> str | None:
    """The error of the check at the small size."""
    program = load(high_level, language="mlir").function(function)
    args = arguments(program, dict(check.sizes), dict(target.data), target.seed)
    expected = program(*args, device="interp")
    found = _lowered(check.candidate, function, args)(_device(target), [])
    problem = _difference(expected, found, target)
    where = ", ".join(f"{name}={size}" for name, size in check.sizes)
    return problem and f"with {where}: {problem}"


def _difference(expected: Any, found: Any, target: Target) -> str | None:
    if isinstance(expected, tuple | list):
        pairs = zip(expected, found, strict=True)
        return next((p for e, f in pairs if (p := _difference(e, f, target))), None)
    right, result = np.asarray(expected, np.float64), np.asarray(found, np.float64)
    if right.shape != result.shape:
        return f"the result has the shape {result.shape}, expected {right.shape}"
    finite = np.isfinite(right)
    scale = float(np.abs(right[finite]).max(initial=0.0)) or 1.0
    same = np.isclose(result, right, rtol=0.0, atol=target.tolerance * scale, equal_nan=True)
    if same.all():
        return None
    at = tuple(int(i) for i in np.argwhere(~same)[0])
    return f"element {list(at)} is {result[at]:.9g}, expected {right[at]:.9g}"


def _prepared(request: Request, program: str) -> Callable[[], Any]:
    """A call of a low-level program."""
    return _run_of(_only(request, program))


def _only(request: Request, program: str) -> Request:
    """The parts of a task on which a run of `program` depends: equal for all trials with it."""
    return replace(
        request, candidate=program, baseline="", check=None, rival="", rival_time=0.0, best=1.0
    )


@lru_cache(maxsize=16)
def _run_of(request: Request) -> Callable[[], Any]:
    args = _full_arguments(*_problem_of(request))
    results = _results_of(*_problem_of(request))
    run = _lowered(request.candidate, request.function, args)
    on = _device(request.target)
    return lambda: run(on, results)


def _problem_of(request: Request) -> tuple[str, str, Sizes, Target]:
    """On what arguments and results depend."""
    return request.high_level, request.function, request.sizes, request.target


@lru_cache(maxsize=1)
def _results_of(high_level: str, function: str, sizes: Sizes, target: Target) -> list[Any]:
    """The results of the latest run, into whose memory the next one writes, of whatever candidate:
    new memory may take longer than the kernels, and its place decides how fast they are."""
    return []


@lru_cache(maxsize=1)
def _full_arguments(high_level: str, function: str, sizes: Sizes, target: Target) -> list[Any]:
    program = load(high_level, language="mlir").function(function)
    return arguments(program, dict(sizes), dict(target.data), target.seed)


def _lowered(text: str, function: str, args: Sequence[Any]) -> Callable[[Device, list[Any]], Any]:
    """The call of a low-level program on a device, into the memory of the results before."""
    low: Function = load(text, language="mlir").function(function)

    def run(device: Device, results: list[Any]) -> Any:
        results[:] = [low(*args, device=device, out=results[0] if results else None)]
        return results[0]

    return run


@lru_cache(maxsize=2)
def _device(target: Target) -> Device:
    options = dict(target.options)
    if target.device.partition(":")[0] == "opencl":
        options["profile"] = True
    return device(target.device, **options)
