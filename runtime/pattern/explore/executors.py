"""The workers of an exploration, as `concurrent.futures.Executor`s.

Tasks are functions of texts and numbers that return texts and numbers, so they run in this
process, in others of this machine, or, through dask's executor, on other machines.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from polycl.errors import ArgumentError, PolyclError

Task = TypeVar("Task")
Result = TypeVar("Result")

_CONNECT_SECONDS = 10
DEVICE_RESOURCE = "device"
"""The resource of dask workers that may measure times: `dask worker --resources device=1`."""


@contextmanager
def local_workers(jobs: int) -> Generator[Executor]:
    """`jobs` processes of this machine."""
    # Not forked: the parent may have threads, of LLVM or of the cpu device.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        yield pool


@contextmanager
def cluster_workers(scheduler: str) -> Generator[tuple[Executor, Executor | None]]:
    """The workers of a dask cluster, and those that measure, one trial at a time; None where no
    worker has the resource `device`.

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
        measures = any(worker["resources"].get(DEVICE_RESOURCE) for worker in workers)
        resources = {DEVICE_RESOURCE: 1}
        yield (
            client.get_executor(pure=False),
            client.get_executor(resources=resources, retries=0, pure=False) if measures else None,
        )


def in_order(
    executor: Executor,
    function: Callable[[Sequence[Task]], list[Result]],
    tasks: Iterable[Task],
    batch: int,
) -> list[Result]:
    """`function` of all tasks, `batch` of them at once, in the order of the tasks: the result does
    not depend on the number or the speed of workers."""
    tasks = list(tasks)
    parts = [tasks[i : i + batch] for i in range(0, len(tasks), batch)]
    futures = [executor.submit(function, part) for part in parts]
    return [result for future in futures for result in future.result()]
