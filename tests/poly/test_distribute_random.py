"""Random kernels, cut at random, are equal to one launch or refused."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from worker_threads import worker_threads

import polycl
from fuzz.cuts import N, cut_kernels
from fuzz.kernels import GROUP, kernels
from polycl.runtime.poly.distribute import plan

MANY = os.environ.get("POLYCL_FUZZ_EXAMPLES")
"""`--hypothesis-show-statistics` tells how many were refused."""


def examples(few: int) -> settings:
    return settings(
        max_examples=int(MANY or few),
        deadline=None,
        derandomize=MANY is None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with worker_threads(3) as client:
        yield client


def outcome(
    client: Any, source: str, values: dict[str, Any], cut: tuple[int, int, int], **sizes: Any
) -> str:
    """`equal` or `refused`; the launch is cut as it is told to."""
    kernel = polycl.load(source).kernel("k")
    expected = {n: v.copy() if isinstance(v, np.ndarray) else v for n, v in values.items()}
    kernel(**expected, **sizes)
    found = {n: v.copy() if isinstance(v, np.ndarray) else v for n, v in values.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "cuts_of", lambda groups, count: [cut])
        try:
            polycl.distribute(kernel, client)(**found, **sizes)
        except polycl.PolyclError as error:
            if "cannot be cut" not in str(error):
                raise
            return "refused"
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            assert found[name].tobytes() == value.tobytes(), name
    return "equal"


@examples(8)
@given(
    source=cut_kernels(),
    cut=st.tuples(st.integers(1, 4), st.integers(1, 3)),
    offset=st.tuples(st.integers(0, 9), st.integers(0, 5)),
    numbers=st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(-9, 9)),
    seed=st.integers(0, 99),
)
def test_addresses(
    client: Any,
    source: str,
    cut: tuple[int, int],
    offset: tuple[int, int],
    numbers: tuple[int, int, int],
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    values: dict[str, Any] = {
        "in": rng.integers(-99, 999, N).astype(np.int32),
        "out": rng.integers(0, 99, N).astype(np.int32),
        "sums": rng.integers(0, 99, 12 * 6).astype(np.int32),
        **dict(zip("nmw", numbers, strict=True)),
    }
    found = outcome(
        client,
        source,
        values,
        (*cut, 1),
        global_size=(12, 6),
        local_size=(3, 2),
        global_offset=offset,
    )
    event(f"{math.prod(cut)} chunks: {found}")


@examples(3)
@given(source=kernels(), chunks=st.integers(1, 6), seed=st.integers(0, 99))
def test_control_flow(client: Any, source: str, chunks: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values: dict[str, Any] = {
        "out": rng.integers(0, 1 << 32, 6 * GROUP, dtype=np.uint32),
        "in": rng.integers(0, 1 << 32, 64, dtype=np.uint32),
        "n": int(rng.integers(0, 9)),
        "tile": polycl.Local(4 * GROUP),
    }
    found = outcome(client, source, values, (chunks, 1, 1), global_size=6 * GROUP, local_size=GROUP)
    # Each work-item writes its own element.
    assert found == "equal"
