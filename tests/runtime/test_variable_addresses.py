"""Addresses in the initial values of program-scope variables, on Python's devices."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.errors import SourceError

STD = ["-cl-std=CL3.0"]
VARIABLES = """
struct s { int x; int y[3]; };
global int a[4] = {1, 2, 3, 4};
global struct s t = {1, {2, 3, 4}};
global int *p = &a[1], *p2 = a, *p3 = 2 + a, *p4 = &t.y[1], *p5 = a + 3 - 1;
global int *p6 = (global int *)((global char *)a + 4), *p7 = 0;
global struct s *ps = &t;
global int *table[2][2] = {{a, &a[3]}, {&t.x}};
int *anywhere = &a[2];
"""
KERNEL = """
kernel void k(global int *out) {
  out[0] = *p; out[1] = *p2; out[2] = *p3; out[3] = *p4; out[4] = *p5; out[5] = *p6;
  out[6] = p7 == 0; out[7] = ps->y[2]; out[8] = *table[0][1]; out[9] = *table[1][0];
  out[10] = table[1][1] == 0; out[11] = *anywhere;
  p++;
}
"""


@pytest.mark.parametrize("device", ["cpu", "interp"])
def test_pointers_keep_their_targets(device: str) -> None:
    program = polycl.load(VARIABLES + KERNEL, options=STD)
    for first in (2, 3, 4):
        out = np.zeros(12, np.int32)
        program.kernel("k")(out, global_size=1, device=device)
        assert list(out) == [first, 1, 3, 3, 3, 2, 1, 4, 4, 1, 1, 3]
    program.reset_variables()
    program.kernel("k")(out, global_size=1, device=device)
    assert out[0] == 2


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("constant int c = 1; constant int *global p = &c;", 46),
        ("constant int c[2] = {1, 2}; constant int *constant p = c + 1;", 56),
        ('constant char *global p = "text";', 27),
        ("global int n; global int *p = &n + 1.0f * 0;", 0),
        ("global int n; global int *global m; global int *p = m;", 0),
    ],
)
def test_other_addresses_are_refused(source: str, column: int) -> None:
    kernel = "\nkernel void k(global int *out) { out[0] = *p; }"
    with pytest.raises(SourceError) as error:
        polycl.load(source + kernel, options=STD)
    assert error.value.line == 1
    if column:
        assert error.value.col == column
        assert "this address is not supported in an initialiser" in str(error.value)


def test_other_devices_say_so() -> None:
    program = polycl.load(VARIABLES + KERNEL, options=STD)
    with pytest.raises(polycl.PolyclError, match="initialised with addresses are not supported"):
        program.kernel("k")(np.zeros(12, np.int32), global_size=1, device="tta")
