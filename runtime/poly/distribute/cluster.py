"""Clusters of dask: one that runs already, or worker processes of this machine."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from polycl.errors import ArgumentError, PolyclError

_CONNECT_SECONDS = 10
_LOCAL = re.compile(r"local:(\d+)")


@contextmanager
def connected(address: str, worker_memory: str | int | None = None) -> Generator[Any]:
    """A `distributed.Client` of the scheduler at an address, or of `local:N`: N worker processes of
    one thread.

    `worker_memory` is the limit of each local worker, for example `"2GB"`.

    Raises:
        ArgumentError: dask is not installed, or the address is malformed.
        PolyclError: no scheduler answers.
    """
    try:
        from dask import config
        from dask.utils import parse_bytes
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ArgumentError("a cluster needs dask: pip install 'polycl[distribute]'") from error
    local = _LOCAL.fullmatch(address)
    if local is None:
        if worker_memory is not None:
            raise ArgumentError("a memory limit of workers is for local:N only")
        if address.startswith("local"):
            raise ArgumentError(f"cluster '{address}': expected local:N, say local:4")
        try:
            client = Client(address, timeout=_CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise PolyclError(f"no dask scheduler answers at '{address}': {error}") from error
        with client:
            yield client
        return
    if int(local[1]) < 1:
        raise ArgumentError(f"cluster '{address}': expected at least one worker")
    limit: Any = "auto"
    if worker_memory is not None:
        try:
            limit = parse_bytes(worker_memory)
        except ValueError:
            raise ArgumentError(
                f"memory '{worker_memory}': expected a number of bytes, say 2GB"
            ) from None
    # A worker that dies is started again, and what it had is computed again, however often and
    # however long it takes.
    settings = {
        "distributed.scheduler.allowed-failures": 100,
        "distributed.deploy.lost-worker-timeout": "1 hour",
    }
    with config.set(settings):
        options: dict[str, Any] = {"memory_limit": limit, "dashboard_address": ":0"}
        cluster: Any = LocalCluster(n_workers=int(local[1]), threads_per_worker=1, **options)
        with cluster, Client(cluster) as client:
            yield client


def let_new_workers_help(client: Any) -> None:
    """Makes the scheduler give tasks of a worker that died to one that comes later.

    Tasks that may run elsewhere do so, but where no worker is left, dask waits for their own, which
    does not come back under its address.
    """
    if getattr(client, _HELPED, False):
        return
    from distributed import SchedulerPlugin

    # Inside a function, so that it is sent by value: the scheduler needs no polycl.
    class Helped(SchedulerPlugin):
        idempotent = True

        def add_worker(self, scheduler: Any, worker: str) -> None:
            # The scheduler next asks which waiting tasks the worker may run.
            for task in scheduler.unrunnable:
                if task.loose_restrictions and not scheduler.valid_workers(task):
                    task.worker_restrictions = set()

    client.register_plugin(Helped(), name=_HELPED)
    setattr(client, _HELPED, True)


_HELPED = "polycl-new-workers-help"
