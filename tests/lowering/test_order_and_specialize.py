"""`wg-order-groups` and `wg-specialize` keep every bit, on the interpreter and as native code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from launches import launches_of
from polycl.backends.cpu import CpuDevice
from polycl.backends.device import Device
from polycl.backends.pipeline import run_pipeline
from polycl.dialects import wg
from polycl.errors import PolyclError
from polycl.remarks import collect_remarks

PATH = Path(__file__).resolve().parent.parent / "kernels/row_panels.cl"
(LAUNCH,) = launches_of(PATH)
GROUP = "ocl-set-local-size{size=16,4,1},ocl-to-wg"


def run(device: Device, passes: str | None = None) -> NDArray[np.float32]:
    arguments = LAUNCH.values()
    polycl.load(PATH).kernel("panels")(
        **arguments,
        global_size=LAUNCH.global_size,
        local_size=LAUNCH.local_size,
        device=device,
        pipeline=passes,
    )
    return arguments["c"]


@pytest.mark.parametrize(
    "passes", ["wg-order-groups", "wg-specialize{positions=3,4 values=48,0.5}"]
)
def test_keeps_every_bit(passes: str):
    interpreter = polycl.device("interp")
    with collect_remarks() as remarks:
        found = run(interpreter, f"{GROUP},{passes}")
    assert remarks
    np.testing.assert_array_equal(found, run(interpreter, GROUP))
    lowered = f"{GROUP},{passes},wg-to-scf,wg-to-launch,scf-to-cf,convert-to-llvm{{contract=false}}"
    np.testing.assert_array_equal(run(CpuDevice(), lowered), found)


def test_bound_integers_are_constants_if_asked_for():
    device = CpuDevice(contract=False)
    kernel = polycl.load(PATH).kernel("panels")
    sizes: dict[str, Any] = {"global_size": LAUNCH.global_size, "local_size": LAUNCH.local_size}
    arguments = LAUNCH.values()
    with collect_remarks() as remarks:
        bound = kernel.bind(**arguments, **sizes, device=device, constants=True)
    bound.launch()
    np.testing.assert_array_equal(arguments["c"], run(device))
    said = [r.message for r in remarks if r.pass_name == "wg-specialize"]
    assert said == ["'n' is 48"], "the float is none"
    # What was compiled for one value is not launched with another.
    *buffers, _, scale = bound.args
    others = [*buffers, (47).to_bytes(4, "little"), scale]
    with pytest.raises(PolyclError, match="compiled for arguments with"):
        bound.executable.run(others, bound.ndrange)
    # Negative ones keep their sign.
    fill = polycl.load("kernel void fill(global int *x, int n) { x[get_global_id(0)] = n; }")
    with collect_remarks() as remarks:
        x = np.zeros(4, np.int32)
        fill.kernel("fill").bind(x, -1, global_size=4, device=device, constants=True).launch()
    assert x.tolist() == [-1] * 4
    assert "'n' is -1" in [r.message for r in remarks]


@pytest.mark.parametrize("threads", [1, 2])
def test_each_group_runs_once_in_either_order(threads: int):
    x_first = CpuDevice(threads, contract=False, disable=["wg-order-groups"])
    with collect_remarks() as remarks:
        found = run(CpuDevice(threads, contract=False))
    assert any(r.message.startswith("y runs fastest") for r in remarks)
    np.testing.assert_array_equal(found, run(x_first))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("positions=9 values=1", "none is at position 9"),
        ("positions=0 values=1", "no value for parameter 0"),
        ("positions=3 values=4294967296", "no value for parameter 3"),
        ("positions=3,4 values=1", "2 positions, but 1 values"),
    ],
)
def test_says_what_cannot_be_a_constant(arguments: str, message: str):
    module = polycl.load(PATH).module.clone()
    with pytest.raises(PolyclError, match=message):
        run_pipeline(module, f"{GROUP},wg-specialize{{{arguments}}}")


def test_the_constant_is_used_everywhere():
    module = polycl.load(PATH).module.clone()
    run_pipeline(module, f"{GROUP},wg-specialize{{positions=3 values=48}}")
    (function,) = [op for op in module.walk() if isinstance(op, wg.FuncOp)]
    assert function.args[3].first_use is None
    assert function.args[4].first_use is not None
