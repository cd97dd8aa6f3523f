"""The workers of an exploration, as `concurrent.futures.Executor`s.

Tasks are functions of texts and numbers that return texts and numbers, so they run in this
process, in others of this machine, or, through dask's executor, on other machines.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import TypeVar

from polycl.errors import ArgumentError, PolyclError

Task = TypeVar("Task")
Result = TypeVar("Result")

_CONNECT_SECONDS = 10
DEVICE_RESOURCE = "device"
"""The resource of dask workers that may measure times: `dask worker --resources device=1`."""


@dataclass(frozen=True)
class Workers:
    """The executors of an exploration."""

    structures: Executor
    trials: Executor
    """Its workers have the device."""
    count: int
    """Of the workers for trials."""


@contextmanager
def local_workers(jobs: int) -> Generator[Workers]:
    """`jobs` processes of this machine."""
    with _processes(jobs) as pool:
        yield Workers(pool, pool, jobs)


@contextmanager
def _processes(jobs: int) -> Generator[Executor]:
    # Not forked: the parent may have threads, of LLVM or of the cpu device.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_end_with_parent)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """A worker would wait forever for tasks of a parent that was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def cluster_workers(scheduler: str) -> Generator[Workers]:
    """The workers of a dask cluster. Trials run on those with the resource `device`, one at a time
    on each; where there are none, in a process of this machine.

    Raises:
        ArgumentError: dask is not installed.
        PolyclError: there is no answer from `scheduler`.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ArgumentError("a scheduler needs dask: pip install 'polycl[explore]'") from error
    try:
        client = Client(scheduler, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise PolyclError(f"no dask scheduler answers at '{scheduler}': {error}") from error
    with client:
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        measuring = sum(bool(worker["resources"].get(DEVICE_RESOURCE)) for worker in workers)
        everyone = client.get_executor(pure=False)
        if not measuring:
            with _processes(1) as here:
                yield Workers(everyone, here, 1)
            return
        resources = {DEVICE_RESOURCE: 1}
        yield Workers(
            everyone,
            client.get_executor(resources=resources, retries=0, pure=False),
            measuring,
        )


def in_order(
    executor: Executor, function: Callable[[Task], Result], tasks: Iterable[Task], deadline: float
) -> list[Result]:
    """`function` of the tasks, in their order: the result does not depend on the number or the
    speed of workers, unless `deadline`, a time of `time.monotonic`, comes first."""
    futures = [executor.submit(function, task) for task in tasks]
    found: list[Result] = []
    try:
        for future in futures:
            left = None if math.isinf(deadline) else max(0.0, deadline - time.monotonic())
            found.append(future.result(left))
    except TimeoutError:
        for future in futures:
            future.cancel()
    return found
