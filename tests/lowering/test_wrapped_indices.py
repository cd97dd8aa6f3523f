"""Indices whose sums may wrap (`int i = get_global_id(0) + u;` with `uint u`): neighbours access
neighbouring elements all the same, and lanes that are off have any index."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.device import CpuDevice
from polycl.remarks import collect_remarks

INDICES = {
    "int": "(int)(g + u)",
    "int plus long": "(long)(int)(g + u) + s",
    "int minus uint": "(int)(g + u) - u",
    "downwards": "(int)(u - g)",
    "each third": "(long)(int)(3 * g + u) + s",
    "each third downwards": "(long)(int)(u - 3 * g) + s",
    "scaled": "(long)(int)(g + u) * 2 + s",
    "uint plus long": "(long)(g + u) + s",
    "uint of int": "(uint)((uint)(int)(g + u) + s)",
    "narrow": "(short)(g + u) + (long)s",
    "bits of long": "(int)((long)(g + u) + s)",
    "int plus int": "(int)(g + u) + (s >> 25)",
    "difference of uints": "(long)u - (long)(g + u) + g + g",
}
NUMBERS = [
    (0, 0),
    (5, -12),
    (2**32 - 8, 0),
    (2**32 - 8, 20),
    (2**31 - 8, 0),
    (2**31 - 8, 2**31 - 1),
    (2**31 + 5, 2**31 - 1),
    (2**31 - 8, -(2**31 - 8)),
    (2**15 - 4, 4 - 2**15),
]
TYPES = {"uchar": np.uint8, "short": np.int16, "float": np.float32, "double": np.float64}
POINTERS = {"a": (0, 64), "(a + 16)": (-16, 48), "t": (0, 64)}
ITEMS = 48


def _kernel(index: str, type: str, pointer: str) -> str:
    low, high = POINTERS[pointer]
    target = pointer.replace("a", "to") if pointer != "t" else "to"
    return f"""
    kernel void k(
        global const {type} *a, global {type} *out, global {type} *to, uint u, int s) {{
      uint g = get_global_id(0);
      local {type} t[64];
      for (int k = get_local_id(0); k < 64; k += {ITEMS}) t[k] = a[k];
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((long)({index}) >= {low} && (long)({index}) < {high}) {{
        out[g] = {pointer}[{index}];
        {target}[{index}] = g;
      }}
    }}"""


@pytest.mark.parametrize("index", INDICES)
def test_lanes_that_are_off_have_any_index(index: str) -> None:
    # Each type and each pointer with other indices.
    number = list(INDICES).index(index)
    type, pointer = list(TYPES)[number % 4], list(POINTERS)[number % 3]
    kernel = polycl.load(_kernel(INDICES[index], type, pointer), language="cl").kernel("k")
    a = (np.arange(64) % 50 + 1).astype(TYPES[type])
    devices = [polycl.device("interp"), CpuDevice(threads=1, enable=["vectors"])]
    for u, s in NUMBERS:
        found: list[list[list[float]]] = []
        for device in devices:
            out, to = np.zeros(ITEMS, a.dtype), np.zeros(64, a.dtype)
            numbers = np.uint32(u), np.int32(s)
            kernel(a, out, to, *numbers, global_size=ITEMS, local_size=ITEMS, device=device)
            found.append([out.tolist(), to.tolist()])
        assert found[0] == found[1], (u, s)


@pytest.mark.parametrize(
    "index",
    [
        "(int)(y * w + x)",
        "(int)(y * w + x) + 1",
        "(int)(y * w + x) + w",
        "(int)(y * w + x) - s",
        "(long)(y * w + x) + s",
        "(uint)((int)(y * w + x) + s)",
        "(long)(get_global_id(0) + 1)",
        "(long)(get_global_id(1) * n + x)",
        "convert_int2((uint2)(x, y)).x + w",
    ],
)
def test_neighbours_are_adjacent(index: str) -> None:
    text = f"""
    kernel void k(global const float *a, global float *out, uint w, int s, ulong n) {{
      uint x = get_global_id(0), y = get_global_id(1);
      out[(int)(y * w + x)] = a[{index}];
    }}"""
    kernel = polycl.load(text, language="cl").kernel("k")
    a, out = np.arange(64 * 64, dtype=np.float32), np.zeros(64 * 32, np.float32)
    with collect_remarks() as remarks:
        numbers = np.uint32(64), np.int32(0), np.uint64(64)
        kernel.bind(a, out, *numbers, global_size=(64, 32), local_size=(64, 1))
    [estimate] = [str(r).split() for r in remarks if "one by one [wg-vectorize]" in str(r)]
    vectors = int(estimate[estimate.index("work-items:") + 1])
    assert vectors < 15
