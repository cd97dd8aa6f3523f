"""`select-truths` keeps every bit: addresses with truth values, in several integer types."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl

LENGTH = 1024
BEFORE = "inline-functions,promote-private-memory,ocl-set-local-size{size=64,1,1},ocl-to-wg"
TYPES = ("int", "uint", "size_t", "long", "short", "uchar")


def expression(pick: random.Random, depth: int) -> str:
    """A random sum or product with truth values; numbers wrap where they like."""
    if depth == 0:
        return pick.choice(["x", "x", "n", "x - k", "x + k", "1", "(ID)3"])
    a, b = (expression(pick, depth - 1) for _ in range(2))
    truth = f"({a} {pick.choice(['<', '<=', '>', '>=', '==', '!='])} {b})"
    match pick.choice(["+ truth", "* truth", "sign", "not", "cast", "both", "+"]):
        case "+ truth":
            return f"({a} {pick.choice('+-')} {truth})"
        case "* truth":
            return f"({a} {pick.choice('+-')} {truth} * {pick.choice(['n', 'k', '2', 'x'])})"
        case "sign":
            return f"({a} + ({pick.choice(['n', 'k'])} & ((int)({b}) >> 31)))"
        case "not":
            return f"({a} - (~-{truth} & {b}))"
        case "cast":
            return f"({a} - ({pick.choice(TYPES)}){truth})"
        case "both":
            return f"({a} * {truth} + {b} * !{truth})"
        case _:
            return f"({a} + {b})"


def source(seed: int) -> str:
    pick = random.Random(seed)
    taps = "".join(
        f"  sum = 3 * sum + in[(uint)({expression(pick, 2)}) & {LENGTH - 1}];\n" for _ in range(3)
    )
    return (
        f"#define ID {pick.choice(TYPES[:4])}\n"
        "kernel void k(global const uint *in, global uint *out, uint size, uint r) {\n"
        f"  ID x = get_global_id(0), n = size, k = r;\n  uint sum = 1;\n{taps}"
        "  out[get_global_id(0)] = sum;\n}\n"
    )


SEEDS = [s if s < 20 else pytest.param(s, marks=pytest.mark.slow) for s in range(400)]


@pytest.mark.parametrize("seed", SEEDS)
def test_keeps_every_bit(seed: int):
    kernel = polycl.load(source(seed), language="cl").kernel("k")
    values = np.arange(LENGTH, dtype=np.uint32) * np.uint32(2654435761)

    def run(device: str, pipeline: str | None, n: int, k: int) -> NDArray[np.uint32]:
        out = np.zeros(128, np.uint32)
        sizes = {"global_size": (128,), "local_size": (64,)}
        arguments = (values, out, np.uint32(n), np.uint32(k))
        kernel(*arguments, **sizes, device=device, pipeline=pipeline)
        return out

    for n, k in ((128, 1), (100, 3), (0xFFFFFFFF, 2)):
        expected = run("interp", BEFORE, n, k)
        found = run("interp", f"{BEFORE},select-truths", n, k)
        np.testing.assert_array_equal(found, expected, source(seed))
        np.testing.assert_array_equal(run("cpu", None, n, k), expected, source(seed))
