"""`wg-split-contexts` keeps every bit of pairs that are kept over barriers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

import polycl
from launches import Launch, launches_of
from polycl.analysis.ocl.module_parts import only_kernel
from polycl.backends.device import Device
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


def pairs() -> Launch:
    return next(one for one in launches_of(KERNELS / "divided_ids.cl") if one.kernel == "pairs")


def kept(module: ModuleOp, kernel: str, passes: str) -> ModuleOp:
    """A kernel as regions of the group."""
    module = only_kernel(module, kernel)
    run_pipeline(module, passes)
    return module


def result(module: ModuleOp, device: Device) -> NDArray[np.float32]:
    launch = pairs()
    arguments = launch.values()
    polycl.Program(module).kernel(launch.kernel)(
        **arguments,
        global_size=launch.global_size,
        local_size=launch.local_size,
        device=device,
    )
    return arguments["out"]


def test_keeps_every_bit_on_the_interpreter():
    before, after = (
        kept(pairs().load().module, "pairs", passes)
        for passes in (BEFORE, f"{BEFORE},wg-split-contexts")
    )
    assert PAIRS in str(before)
    assert PAIRS not in str(after)
    for module in (before, after):
        run_pipeline(module, "wg-lower-contexts")
    expected, found = (result(module, polycl.device("interp")) for module in (before, after))
    np.testing.assert_array_equal(found, expected)


def test_keeps_every_bit_in_native_code():
    expected, found = (
        result(pairs().load().module, polycl.device("cpu", disable=names))
        for names in (["wg-split-contexts"], [])
    )
    np.testing.assert_array_equal(found, expected)


def test_pairs_that_are_loaded_and_stored_whole_stay():
    module = polycl.load(WHOLE, language="cl").module
    assert PAIRS in str(kept(module, "whole", f"{BEFORE},wg-split-contexts"))
