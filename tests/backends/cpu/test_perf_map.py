"""POLYCL_PERF=1 names kernels for profilers."""

import os
from pathlib import Path

import numpy as np
import pytest

import polycl


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="perf is a tool of Linux")
def test_a_kernel_is_in_the_map(monkeypatch: pytest.MonkeyPatch):
    path = Path(f"/tmp/perf-{os.getpid()}.map")
    text = "kernel void named_for_perf(global int *x) { x[get_global_id(0)] = 3; }"
    x = np.zeros(8, np.int32)
    try:
        polycl.load(text).kernel("named_for_perf")(x, global_size=8, local_size=8)
        assert not path.exists()
        monkeypatch.setenv("POLYCL_PERF", "1")
        polycl.load(text).kernel("named_for_perf")(x, global_size=8, local_size=4)
        (line,) = [x for x in path.read_text().splitlines() if x.endswith("polycl:named_for_perf")]
    finally:
        path.unlink(missing_ok=True)
    start, size, _ = line.split()
    assert int(start, 16) > 0
    assert int(size, 16) > 0
