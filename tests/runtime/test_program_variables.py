"""Program-scope variables keep their values from launch to launch, on each device its own."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

SOURCE = """
global int count = 5;
kernel void add(int by) { count += by; }
kernel void read(global int *out) { static int reads; out[0] = count; out[1] = ++reads; }
"""


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_values_stay_until_they_are_reset(device: str) -> None:
    program = polycl.load(SOURCE, ["-cl-std=CL2.0"])
    out = np.zeros(2, np.int32)
    read = program.kernel("read").bind(out, global_size=1, device=device)
    read.launch()
    program.kernel("add")(3, global_size=1, device=device)
    read.launch()
    assert out.tolist() == [8, 2]
    program.reset_variables()
    program.kernel("read")(out, global_size=1, device=device)
    assert out.tolist() == [5, 1]


def test_each_device_has_its_own() -> None:
    program = polycl.load(SOURCE, ["-cl-std=CL2.0"])
    out = np.zeros(2, np.int32)
    program.kernel("add")(1, global_size=1, device="cpu")
    program.kernel("read")(out, global_size=1, device="interp")
    assert out[0] == 5


def test_callers_do_not_pass_them() -> None:
    kernel = polycl.load(SOURCE, ["-cl-std=CL2.0"]).kernel("add")
    assert [parameter.name for parameter in kernel.parameters] == ["by"]
    with pytest.raises(polycl.ArgumentError, match="takes 1 argument"):
        kernel(1, np.zeros(1, np.int32), global_size=1)
