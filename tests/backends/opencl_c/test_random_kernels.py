"""Random kernels, written as OpenCL C: read back, and on the judge, they have the same results."""

from __future__ import annotations

import os

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import polycl
from fuzz.kernels import GROUP, kernels
from judge.runtime import Judge
from polycl.backends.opencl_c.write_module import emit

FEW = int(os.environ.get("POLYCL_FUZZ_EXAMPLES", "30"))
CHECKS = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
DATA = np.random.default_rng(7).integers(0, 2**32, 64, np.uint32)


def results(text: str, n: int) -> np.ndarray:
    out = np.zeros(2 * GROUP, np.uint32)
    kernel = polycl.load(text, language="cl").kernel("k")
    local = polycl.Local(4 * GROUP)
    kernel(out, DATA, n, local, global_size=2 * GROUP, local_size=GROUP, device="interp")
    return out


@settings(max_examples=FEW, deadline=None, suppress_health_check=CHECKS)
@given(kernels(), st.integers(0, 9))
def test_random_kernels(judge: Judge | None, text: str, n: int):
    expected = results(text, n)
    written = emit(polycl.load(text, language="cl").module, contract=False).text
    np.testing.assert_array_equal(results(written, n), expected)
    if judge is None:
        return
    arguments = [np.zeros_like(expected), DATA, n, polycl.Local(4 * GROUP)]
    source = written.encode()
    verdict = judge.run(source, "k", arguments, global_size=(2 * GROUP,), local_size=(GROUP,))
    np.testing.assert_array_equal(verdict.arrays[0], expected)
