"""`simplify-loops` keeps every bit: loops to the next number, from numbers that wrap around."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

LOOPS = [
    "for (T y = a, end = min(n, (T)(a + 1)); y < end; y++) STEP",
    "for (T y = a; y < min((T)(1 + a), n); y++) STEP",
    "if (a < MOST - 4) for (T y = a; y < a + 1; y += 3) STEP",
    "if (a < MOST - 4) for (T y = a; y < min(n, a + (T)2); y += 2) STEP",
    "{ T y = a; while (y < min(n, (T)(a + 1))) { STEP y++; } }",
    "{ T y = a; while (y < (T)(a + 1)) { STEP y += 1; } }",
    "{ T y = a; while (y < (T)(a + 1) && count < 9) { STEP y += 2; } }",
    "for (long y = a; y < (long)min(n, (T)(a + 1)); y++) STEP",
    "for (short y = (short)a, end = (short)a + 1; y < end; y++) STEP",
    "for (int y = (short)a, end = (ushort)((short)a + 1); y < end; y++) STEP",
    "for (int y = (short)a, end = min((ushort)((short)a + 1), (ushort)7); y < end; y++) STEP",
    "for (int y = (uchar)a, end = min((uchar)((uchar)a + 1), (uchar)9); y < end; y++) STEP",
    "for (uint y = get_global_id(0), end = min((uint)n, y + 1); y < end; y++) STEP",
]


@pytest.mark.parametrize("type", ["int", "uint", "ulong"])
def test_loops_to_the_next_number(type: str) -> None:
    dtype = {"int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64}[type]
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    loops = "\n".join(f"count = 0; {loop} out[k++] = sum; out[k++] = count;" for loop in LOOPS)
    source = (
        f"typedef {type} T;\n#define MOST ((T){most}{'u' * (least == 0)}l)\n"
        "#define STEP { sum = 3 * sum + y; count++; }\n"
        "kernel void f(global const T *in, global uint *out, T n) {\n"
        "  T a = in[get_global_id(0)]; uint sum = 1, count;\n"
        f"  int k = get_global_id(0) * {2 * len(LOOPS)};\n{loops}\n}}\n"
    )
    starts = [least, least + 1, 0, 1, 4, 5, 6, 7, 127, 255, 32767, most - 5, most - 4]
    # A signed sum that wraps around has no meaning.
    starts += [-1, -2] if least else [1 << 31, (1 << 31) - 1, most - 2, most - 1, most]
    values = np.array(starts, dtype)
    kernel = polycl.load(source).kernel("f")
    for n in (least, 6, most):
        found = []
        for device in ("interp", "cpu"):
            out = np.zeros(len(starts) * 2 * len(LOOPS), np.uint32)
            kernel(values, out, n, global_size=len(starts), device=device)
            found.append(out)
        assert (found[0] == found[1]).all()
