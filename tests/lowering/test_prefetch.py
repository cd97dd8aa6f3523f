"""`wg-prefetch`: ranges that are read in front of a region have what it would have read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.remarks import collect_remarks

START = """
kernel void k(global T *in, global T *out, local T *s) {
  int l = get_local_id(0), g = get_group_id(0), n = get_local_size(0);
  int i = g * n * 2 + l;
"""
END = """
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g * n + l] = s[n - 1 - l];
}
"""
TWO = START + "s[l] = in[i] + in[i + n];" + END
MOVED = START + "s[l] = in[i + 3] * in[i + n + 3] + in[i + n + n + 3];" + END
# A barrier orders what an earlier region writes.
WRITTEN_BEFORE = (
    START
    + "in[i] += l; in[i + n] -= l; barrier(CLK_GLOBAL_MEM_FENCE); s[l] = in[i] + in[i + n];"
    + END
)
# A work-item reads what it has written itself.
WRITTEN_HERE = START + "in[i] += l; in[i + n] = in[i]; s[l] = in[i] + in[i + n];" + END
IN_A_LOOP = (
    START
    + """
  T sum = 0;
  for (int r = 0; r < 3; r++) {
    s[l] = in[i + r] + in[i + r + n];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += s[n - 1 - l] - r;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  s[l] = sum;
"""
    + END
)
TYPES = {"float": np.float32, "double": np.float64, "int": np.int32, "short": np.int16}


def run(source: str, type: str, local: int, device: str, **options: Any) -> list[NDArray[Any]]:
    values = np.random.default_rng(3).integers(-90, 90, 7 * local).astype(TYPES[type])
    out = np.zeros(2 * local, TYPES[type])
    polycl.load(source.replace("T ", type + " "), language="cl").kernel("k")(
        values,
        out,
        polycl.Local(local * out.itemsize),
        global_size=2 * local,
        local_size=local,
        device=polycl.device(device, **options),
    )
    return [values, out]


@pytest.mark.parametrize(
    ("source", "type", "local", "in_order"),
    [
        (TWO, "float", 256, True),
        (TWO, "double", 128, True),
        (TWO, "short", 512, True),
        (MOVED, "int", 192, True),
        (IN_A_LOOP, "float", 256, True),
        (WRITTEN_BEFORE, "float", 256, True),
        (WRITTEN_HERE, "float", 256, False),
        # The work-items of the last vector, which is not full, have a region of their own.
        (TWO, "float", 250, True),
    ],
)
def test_keeps_every_bit(source: str, type: str, local: int, in_order: bool):
    expected = run(source, type, local, "interp")
    with collect_remarks() as remarks:
        found = run(source, type, local, "cpu", contract=False)
    for one, right in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, right)
    said = any(r.pass_name == "wg-prefetch" and "in order" in r.message for r in remarks)
    assert said is in_order, remarks
