"""Kernels without their dead values compute the same; what has an effect is not dead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from launches import Launch, all_launches, sampled

PIPELINE = "lift-cf-to-scf,inline-functions,promote-private-memory"
LAUNCHES = all_launches(Path(__file__).resolve().parent.parent / "kernels")


@pytest.mark.parametrize("launch", sampled(LAUNCHES, 8, 0))
def test_kernels_compute_the_same(launch: Launch) -> None:
    program = launch.load()
    results: list[dict[str, object]] = []
    for pipeline in (None, f"{PIPELINE},remove-dead-values"):
        values = launch.values()
        program.kernel(launch.kernel)(
            **values,
            global_size=launch.global_size,
            local_size=launch.local_size,
            global_offset=launch.global_offset,
            device=polycl.device("interp"),
            pipeline=pipeline,
        )
        results.append(values)
    for name, value in results[0].items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(results[1][name], value, name)
