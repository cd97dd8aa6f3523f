"""Launches on several workers against one launch; the arrays are compared bit by bit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycl
from launches import Launch, launches_of

FIFTEEN = launches_of(Path(__file__).parent / "distributed" / "fifteen.cl")

pytestmark = pytest.mark.xdist_group("distribute")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Four workers of one thread, in this process."""
    from distributed import Client, LocalCluster

    cluster: Any = LocalCluster(
        n_workers=4, threads_per_worker=1, processes=False, dashboard_address=None
    )
    with cluster, Client(cluster) as client:
        yield client


def copies(values: dict[str, Any]) -> dict[str, Any]:
    return {n: v.copy() if isinstance(v, np.ndarray) else v for n, v in values.items()}


def kernel_of(launch: Launch) -> polycl.Kernel:
    return polycl.load(launch.path, launch.build_options).kernel(launch.kernel)


def sizes_of(launch: Launch) -> dict[str, Any]:
    return {
        "global_size": launch.global_size,
        "local_size": launch.local_size,
        "global_offset": launch.global_offset,
    }


@pytest.mark.parametrize("launch", FIFTEEN, ids=str)
def test_equal_to_one_launch(client: Any, launch: Launch) -> None:
    kernel, values, sizes = kernel_of(launch), launch.values(), sizes_of(launch)
    expected = copies(values)
    kernel(**expected, **sizes)
    for workers in (1, 2, 3, 4):
        given = copies(values)
        distributed = polycl.distribute(kernel, client, workers=workers)
        written = distributed(**given, **sizes)
        report = distributed.report
        assert report is not None
        assert len(report.plan.chunks) == workers
        for name, value in expected.items():
            if isinstance(value, np.ndarray):
                assert given[name].tobytes() == value.tobytes(), (name, workers)
        assert all(given[name] is array for name, array in written.items())
        # What was planned moved, and hardly more than isl counts.
        assert report.moved == report.plan.moved
        assert report.moved <= 1.1 * report.plan.bound
