"""`wg-roll-elements`: sums over short vectors and over the scalars in them are the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

KERNEL = """
kernel void sums(global const TYPE *a, global const TYPE *b, global int *out, int n, int first) {
  int r = get_global_id(0), s = r, t = 7;
  TYPE w = b[r];
  for (int k = first; k < n; k++) {
    TYPE u = a[r * 11 + k], v = b[ROW];
    BODY
  }
  out[2 * r] = s; out[2 * r + 1] = t;
}
"""
EIGHT = " + ".join(f"u.s{i} * w.s{i}" for i in range(8))
FOUR = "u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w"
BODIES = {
    "char4": (FOUR.join(("s += ", ";")), "k"),
    "uchar4": (
        "TYPE d = abs_diff(u, v); s += d.x + d.y + d.z + d.w; t += d.x + d.w + d.y + d.z;",
        "k",
    ),
    "short2": (
        "s += max(u.x * v.x, 5) * r; s += r * max(u.y * v.y, 5); t += u.x ^ 3; t += 3 ^ u.y;",
        "k",
    ),
    "ushort4": ("TYPE d = u > v ? u - (TYPE)(9) : v; s += d.x + d.y + (d.z + d.w);", "r * 11 + k"),
    "int2": ("s += u.x >> 3; t += v.y + v.x; s += u.y >> 3;", "k"),
    "uint4": (
        "TYPE d = u ^ v; s += popcount(d.x) + popcount(d.y) + popcount(d.z) + popcount(d.w);",
        "k",
    ),
    # These stay.
    "int4": ("s += u.x + 2 * u.y + u.z + u.w + v.x;", "k"),
    "uchar2": ("s += u.x * v.y + u.y * v.x;", "k"),
    "short4": (FOUR.join(("s += k * (", ");")), "k"),
    "int3": ("s += u.x + u.y + u.z + v.x;", "k"),
    "char2": ("s += u.x + u.y; t += s + v.x;", "k"),
    "long2": ("s += u.x + u.y;", "11 - k"),
    "char8": (f"s += {EIGHT};", "k"),
    "uchar8": (f"TYPE d = u ^ w; s += {EIGHT.replace('u.', 'd.').replace('w.', 'v.')};", "k"),
}
STAY = ("int4", "uchar2", "short4", "int3", "char2", "long2", "char8", "uchar8")


@pytest.mark.parametrize("type", BODIES)
def test_results_are_those_of_the_interpreter(type: str):
    body, row = BODIES[type]
    source = KERNEL.replace("BODY", body).replace("TYPE", type).replace("ROW", row)
    kernel = polycl.load(source, language="cl").kernel("sums")
    rng = np.random.default_rng(5)
    dtype = kernel.parameters[0].dtype
    a, b = (
        np.frombuffer(rng.bytes(32 * 12 * dtype.itemsize), dtype.base).reshape(-1, *dtype.shape)
        for _ in range(2)
    )
    with collect_remarks() as remarks:
        for n, first in ((11, 0), (7, 2), (1, 0), (0, 3)):
            found, right = np.zeros(64, np.int32), np.zeros(64, np.int32)
            kernel(a, b, found, n, first, global_size=32, local_size=16)
            kernel(a, b, right, n, first, global_size=32, local_size=16, device="interp")
            assert np.array_equal(found, right)
    rolled = any(remark.pass_name == "wg-roll-elements" for remark in remarks)
    assert rolled == (type not in STAY)
