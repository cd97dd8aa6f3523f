"""`wg-split-contexts` keeps every bit of pairs that are kept over barriers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from launches import launches_of
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.pipeline import run_pipeline

KERNELS = Path(__file__).resolve().parent.parent / "kernels"
BEFORE = "ocl-set-local-size{size=64,1,1},ocl-to-wg"
PAIRS = "!wg.context<vector<2xf32>>"
WHOLE = """
kernel void whole(global const float2 *in, global float2 *out, local float *part) {
  int me = get_local_id(0);
  float2 v = in[get_global_id(0)];
  part[me] = v.x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = v * part[me ^ 1];
}
"""


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_keeps_every_bit(device: str):
    (launch,) = (one for one in launches_of(KERNELS / "divided_ids.cl") if one.kernel == "pairs")
    found: list[np.ndarray] = []
    for passes in (BEFORE, f"{BEFORE},wg-split-contexts"):
        module = only_kernel(launch.load().module, launch.kernel)
        run_pipeline(module, passes)
        assert (PAIRS in str(module)) == (passes == BEFORE)
        run_pipeline(module, "wg-lower-contexts")
        if device == "cpu":
            # All passes of the device, which find the kernel as it was.
            module = launch.load().module
        arguments = launch.values()
        polycl.Program(module).kernel(launch.kernel)(
            **arguments,
            global_size=launch.global_size,
            local_size=launch.local_size,
            device=polycl.device(device, **_without(device, passes)),
        )
        found.append(arguments["out"])
    np.testing.assert_array_equal(*found)


def _without(device: str, passes: str) -> dict[str, list[str]]:
    return {"disable": ["wg-split-contexts"]} if device == "cpu" and passes == BEFORE else {}


def test_pairs_that_are_loaded_and_stored_whole_stay():
    module = polycl.load(WHOLE, language="cl").module
    run_pipeline(module, f"{BEFORE},wg-split-contexts")
    assert PAIRS in str(module)
