"""Random kernels: interpreter on the ocl form = interpreter on the wg form = cpu, bit by bit.

`pytest -m slow tests/test_fuzz.py` runs thousands of them.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import polycl
from fuzz.kernels import GROUP, kernels

FEW = int(os.environ.get("POLYCL_FUZZ_EXAMPLES", "60"))
MANY = 3000
GROUPS = 2


def run(text: str, n: int, device: polycl.Device, pipeline: str | None = None) -> np.ndarray:
    out = np.zeros(GROUPS * GROUP, np.uint32)
    data = np.random.default_rng(7).integers(0, 2**32, 64, np.uint32)
    kernel = polycl.load(text).kernel("k")
    kernel(
        out,
        data,
        n,
        polycl.Local(4 * GROUP),
        global_size=out.size,
        local_size=GROUP,
        device=device,
        pipeline=pipeline,
    )
    return out


def check(text: str, n: int) -> None:
    interp = polycl.device("interp")
    expected = run(text, n, interp)
    for passes in ("ocl-to-wg", "ocl-tail-duplicate,ocl-to-wg"):
        grouped = run(text, n, interp, f"inline-functions,{passes}")
        np.testing.assert_array_equal(grouped, expected, f"{passes} changed the result")
    np.testing.assert_array_equal(
        run(text, n, polycl.device("cpu", threads=1, contract=False)), expected, "cpu"
    )


SETTINGS = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}


@settings(max_examples=FEW, derandomize=True, **SETTINGS)
@given(kernels(), st.integers(0, 5))
def test_random_kernels(text: str, n: int) -> None:
    check(text, n)


@pytest.mark.slow
@settings(max_examples=MANY, **SETTINGS)
@given(kernels(), st.integers(0, 5))
def test_many_random_kernels(text: str, n: int) -> None:
    check(text, n)
