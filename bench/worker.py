"""The process of one runtime: `python -m bench.worker KIND THREADS [OPTION=VALUE,...]`.

A runtime must not share a process with another one, and the variables that it reads must be set
when it starts. Requests are pickled tuples on the standard input: the name of a method of the
runtime and its arguments; answers are what it returns, or an exception. The first answer, without
a request, is `(title, time.monotonic() when the runtime could take its first request)`.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.case import Arg
from bench.protocol import Build, Round, Runtime

_PAUSE = 0.002
"""Seconds between the first contents of the buffers and a launch."""


class Worker:
    """What the other end may ask for."""

    def __init__(self, runtime: Runtime):
        self._runtime = runtime
        self._launches: dict[str, Callable[[], object]] = {}

    def load(self, args: Sequence[Arg]) -> None:
        self._launches.clear()
        self._runtime.load(args)

    def build(self, key: str, build: Build) -> None:
        self._launches[key] = self._runtime.prepare(build)

    def build_noting(self, key: str, build: Build) -> list[str]:
        """As `build`; the passes for speed that changed something. One of our own devices knows."""
        from bench.polycl_runtime import PolyclRuntime

        assert isinstance(self._runtime, PolyclRuntime)
        self._launches[key], changing = self._runtime.prepare_noting(build)
        return changing

    def code(self) -> bytes:
        """The machine code of what was built last; one of our own devices has it."""
        return getattr(self._runtime, "code", b"")

    def first(self, key: str, build: Build) -> float:
        """Build and launch; `time.monotonic()` at the end."""
        self.build(key, build)
        self._launches[key]()
        return time.monotonic()

    def drop(self, key: str) -> None:
        del self._launches[key]

    def check(self, key: str) -> dict[int, NDArray[Any]]:
        """The buffers after one launch on their first contents."""
        self._runtime.restore()
        self._launches[key]()
        return self._runtime.read()

    def run(self, key: str, budget: float, restore: bool) -> Round:
        """Launches for `budget` seconds, at least one.

        A process that has waited gets the processor for the next milliseconds. Runtimes that copy
        in a thread of their own have waited for it; without the pause, others would be interrupted
        in their launches, and find the caches filled by another program.
        """
        launch = self._launches[key]
        seconds: list[float] = []
        processor: list[float] = []
        end = time.perf_counter() + budget
        while not seconds or time.perf_counter() < end:
            if restore:
                self._runtime.restore()
                time.sleep(_PAUSE)
            start, used = time.perf_counter(), time.process_time()
            launch()
            processor.append(time.process_time() - used)
            seconds.append(time.perf_counter() - start)
        counted = seconds[1:] or seconds
        least = min(processor[1:] or processor)
        return Round(len(counted), min(counted), float(np.median(counted)), least)


def make_runtime(kind: str, options: dict[str, str]) -> Runtime:
    if kind == "polycl":
        from bench.polycl_runtime import PolyclRuntime

        return PolyclRuntime(**options)
    from bench.opencl_runtime import OpenCLRuntime

    return OpenCLRuntime()


def main() -> None:
    kind, threads, *rest = sys.argv[1:]
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(threads)])
    options = dict(text.split("=", 1) for text in rest)
    # Runtimes print to descriptor 1: keep the pipe elsewhere.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def answer(value: object) -> None:
        pickle.dump(value, answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()

    try:
        runtime = make_runtime(kind, {"threads": threads, **options})
    except Exception as error:
        answer(RuntimeError(str(error)))
        return
    answer((runtime.title, time.monotonic()))
    worker = Worker(runtime)
    while True:
        try:
            name, *values = pickle.load(requests)
        except EOFError:
            return
        try:
            answer(getattr(worker, name)(*values))
        # Whatever a runtime raises is one line of the comparison, not its end.
        except Exception as error:
            answer(RuntimeError(f"{type(error).__name__}: {error}"))


if __name__ == "__main__":
    main()
