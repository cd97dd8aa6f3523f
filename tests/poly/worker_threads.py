"""Workers of distributed launches that are threads of the test's process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def worker_threads(count: int) -> Iterator[Any]:
    """The client of a dask cluster of that many workers of one thread."""
    from distributed import Client, LocalCluster

    options: dict[str, Any] = {"processes": False, "dashboard_address": None}
    cluster: Any = LocalCluster(n_workers=count, threads_per_worker=1, **options)
    with cluster, Client(cluster) as client:
        yield client
