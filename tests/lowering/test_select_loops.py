"""`wg-select-loops` keeps every bit: reflections by loops, arrays smaller than their distance."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl

BEFORE = (
    "inline-functions,promote-private-memory,ocl-set-local-size{size=16,1,1},ocl-to-wg,"
    "select-values,ocl-expand-builtins,wg-lower-contexts,index-arithmetic"
)
LOOPS = [
    # Without the last element twice: an array of one element has no reflection.
    "while (i < 0 || i >= m) i = i < 0 ? -i : 2 * m - 2 - i;",
    "while (i < 0 || i > m - 1) { if (i > m - 1) i = 2 * (m - 1) - i; else i = -i; }",
    "while (i < 0) i = -i; while (i >= m) i = 2 * m - 2 - i; while (i < 0) i = -i;",
    "do { if (i < 0) i = -i; if (i >= m) i = 2 * m - 2 - i; } while (i < 0 || i >= m);",
    # With it twice.
    "while (i < 0 || i >= n) i = i < 0 ? -i - 1 : 2 * n - 1 - i;",
    "while ((uint)i >= (uint)n) i = i < 0 ? -1 - i : 2 * n - 1 - i;",
    "while (!(i >= 0 && i < n)) i = i < 0 ? ~i : 2 * n + ~i;",
    "while (i < 0 || n <= i) { i = i < 0 ? i + n : i - n; }",
    "for (; i < 0 || i >= n;) i += i < 0 ? n : -n;",
    # These hardly ever run once, may not end in time, or wrap around.
    "int c = 0; while ((i < 0 || i >= n) && c < 3) { i = i < 0 ? -i - 2 : i - 3; c++; }",
    "int c = 0; while (i < n && c < 2) { i = i + 1; c++; }",
    "uint u = i, w = n; while (u >= w) u = 2 * w - 1 - u < w ? 2 * w - 1 - u : u % w; i = u;",
    "short s = i, w = n; while (s < 0 || s >= w) s = s < 0 ? -1 - s : 2 * w - 1 - s; i = s;",
    "uchar s = i, w = n; while (s > 60 + w) s = s - w / 2 - 61; i = s;",
    "long l = 3L * i; while (l < 0 || l >= n) l = l < 0 ? -l - 1 : 2L * n - 1 - l; i = (int)l;",
]
STARTS = [
    *("x - 1", "x + 1", "x - k", "x + k", "x + j", "x - j", "2 * x - n", "n - x", "x - 3 + n"),
    *("x < 4 ? -x : x + k", "max((int)x - k, -2)", "min((int)x, n + 2)", "abs((int)x - 5) - 2"),
    *("x * x % 7 - 3", "(int)in[x & 63] % 9 - 3"),
]


def source(seed: int, type: str) -> str:
    pick = random.Random(seed)
    used = pick.sample(range(len(LOOPS)), 3)
    functions = "".join(
        f"int f{f}(int i, int n) {{ int m = n > 1 ? n : 2; {LOOPS[f]} return i; }}\n" for f in used
    )
    taps = "".join(
        f"  {loop} {{ ID t = f{f}({pick.choice(STARTS)}, n); sum = 3 * sum + in[t & 1023] + t; }}\n"
        for f in used
        for loop in ("", "for (j = 1; j <= k; j++)")
    )
    return (
        f"#define ID {type}\n{functions}"
        "kernel void f(global const uint *in, global uint *out, int n, int k) {\n"
        "  ID x = get_global_id(0), j = 1;\n"
        f"  uint sum = 1;\n{taps}  out[get_global_id(0) - get_global_offset(0)] = sum;\n}}\n"
    )


TYPES = ("int", "uint", "size_t", "short", "long")
SEEDS = [s if s < len(TYPES) else pytest.param(s, marks=pytest.mark.slow) for s in range(100)]


@pytest.mark.parametrize("seed", SEEDS)
def test_keeps_every_bit(seed: int):
    type = TYPES[seed % len(TYPES)]
    kernel = polycl.load(source(seed, type), language="cl").kernel("f")
    values = np.arange(1024, dtype=np.uint32) * np.uint32(2654435761)

    def run(device: str, pipeline: str | None, n: int, k: int, offset: int) -> NDArray[np.uint32]:
        out = np.zeros(32, np.uint32)
        kernel(
            values,
            out,
            n,
            k,
            global_size=(32,),
            local_size=(16,),
            global_offset=(offset,),
            device=device,
            pipeline=pipeline,
        )
        return out

    # Sizes below the distance, of one element, of a group; ids at the end of their type.
    for n, k, offset in ((1, 2, 0), (3, 2, 0), (40, 3, 0), (32700, 2, 32745)):
        expected = run("interp", BEFORE, n, k, offset)
        found = run("interp", f"{BEFORE},wg-select-loops", n, k, offset)
        np.testing.assert_array_equal(found, expected, f"{n}, {k}\n{source(seed, type)}")
        found = run("cpu", None, n, k, offset)
        np.testing.assert_array_equal(found, expected, f"{n}, {k}\n{source(seed, type)}")
