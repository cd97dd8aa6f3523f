"""A launch may be given a limit of operations, so that an endless loop ends."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.interp.state import StepLimit

ENDLESS = "kernel void k(global int *x) { while (x[0] == 0) x[1] = 2; x[1] = 1; }"
WAITING = """kernel void k(global int *x) {
  while (x[0] == 0) barrier(CLK_LOCAL_MEM_FENCE);
  x[1] = 1;
}"""


@pytest.mark.parametrize("text", [ENDLESS, WAITING])
@pytest.mark.parametrize("pipeline", [None, "scf-to-cf", "ocl-to-wg"])
def test_an_endless_loop_ends_at_the_limit(text: str, pipeline: str | None):
    kernel = polycl.load(text).kernel("k")
    device = polycl.device("interp", max_steps=2000)
    with pytest.raises(StepLimit, match="more than 2000 operations were executed, at"):
        kernel(np.zeros(2, np.int32), global_size=1, device=device, pipeline=pipeline)
    # The next launch starts from nothing.
    ones = np.ones(2, np.int32)
    kernel(ones, global_size=1, device=device, pipeline=pipeline)


def test_the_limit_is_positive():
    with pytest.raises(polycl.ArgumentError, match="max_steps must be at least 1, got 0"):
        polycl.device("interp", max_steps=0)
