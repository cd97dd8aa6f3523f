"""`wg-widen-shorts` keeps every bit: ids in 8 and 16 bits, groups on either side of their ends."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl

BEFORE = (
    "inline-functions,promote-private-memory,ocl-set-local-size{size=64,1,1},ocl-to-wg,"
    "select-values,ocl-expand-builtins,wg-lower-contexts,index-arithmetic"
)
FUNCTIONS = """
int wrap(int i, int n) { if (i < 0) i += n; if (i >= n) i -= n; return i; }
int around(int i, int n) { while (i < 0) i += n; while (i >= n) i -= n; return i; }
int mirror(int i, int n) { i = abs(i); return min(i, 2 * n - 2 - i); }
int rest(int i, int n) { i %= n; return i < 0 ? i + n : i; }
"""
ENDS = {"char": 1 << 7, "uchar": 1 << 8, "short": 1 << 15, "ushort": 1 << 16}


def expression(pick: random.Random, depth: int) -> str:
    """A random coordinate; sums are cut where they like."""
    if depth == 0 or pick.random() < 0.1:
        return pick.choice(["x", "x", "n", "x - k", "x + k", "x - j", "x + j", "n - 1 - x", "7"])
    a, b = (expression(pick, depth - 1) for _ in range(2))
    match pick.choice(["+", "cut", "cut", "?:", "?:", "min", "%", "&", "*", "()", "()"]):
        case "+":
            return f"({a} {pick.choice('+-')} {b})"
        case "cut":
            return f"(({pick.choice([*ENDS, 'ID', 'ID'])})({a}))"
        case "?:":
            return f"({a} {pick.choice(['<', '>=', '==', '!='])} {b} ? {a} : {b})"
        case "min":
            return f"{pick.choice(['min', 'max'])}((ID)({a}), (ID)({b}))"
        case "()":
            return f"{pick.choice(['wrap', 'around', 'mirror', 'rest'])}({a}, n1)"
        case "%":
            return f"({a} % {pick.choice(['n1', '17'])})"
        case "&":
            return f"({a} & {pick.choice(['(n - 1)', '15'])})"
        case _:
            return f"({a} * {pick.choice(['2', '3'])})"


def source(seed: int, type: str) -> str:
    pick = random.Random(seed)
    taps = "".join(
        f"  {loop} {{ ID t = {expression(pick, 3)}; sum = 3 * sum + in[(uint)t & 1023] + t; }}\n"
        for loop in ("", "for (j = 1; j <= k; j++)", "for (j = k; j > 0; j--)")
    )
    return (
        f"#define ID {type}\n{FUNCTIONS}"
        "kernel void k(global const uint *in, global uint *out, int size, int r) {\n"
        "  ID x = get_global_id(0), n = size, k = r, j = 1;\n  int n1 = max((int)n, 1);\n"
        f"  uint sum = 1;\n{taps}  out[get_global_id(0) - get_global_offset(0)] = sum;\n}}\n"
    )


SEEDS = [s if s < 6 else pytest.param(s, marks=pytest.mark.slow) for s in range(200)]


@pytest.mark.parametrize("type", ENDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_keeps_every_bit(seed: int, type: str):
    kernel = polycl.load(source(seed, type), language="cl").kernel("k")
    values = np.arange(1024, dtype=np.uint32) * np.uint32(2654435761)

    def run(device: str, pipeline: str | None, n: int, offset: int) -> NDArray[np.uint32]:
        out = np.zeros(128, np.uint32)
        kernel(
            values,
            out,
            n,
            2,
            global_size=(128,),
            local_size=(64,),
            global_offset=(offset,),
            device=device,
            pipeline=pipeline,
        )
        return out

    for n, offset in ((100, 0), (ENDS[type] - 20, 0), (90, ENDS[type] - 100)):
        expected = run("interp", BEFORE, n, offset)
        found = run("interp", f"{BEFORE},wg-widen-shorts", n, offset)
        np.testing.assert_array_equal(found, expected, source(seed, type))
        np.testing.assert_array_equal(run("cpu", None, n, offset), expected, source(seed, type))
