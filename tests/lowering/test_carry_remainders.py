"""`carry-remainders`: remainders around rings of any size, from any start, as the interpreter
computes them."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.cpu.device import CpuDevice
from polycl.remarks import collect_remarks

ITEMS = 32
LOOPS = (
    "for (int k = 0; k < m; k++) {{ {0} }}",
    "for (int k = m; k > 0; k--) {{ {0} }}",
    "for (uint k = 7; k < (uint)m + 7; k += 3) {{ {0} }}",
    "int k = 0; while (k < m) {{ {0} if (s == 12345) break; k++; }}",
    "for (int k = 0; k < m; k++) {{ {0} if (s % 5 == i % 5) break; }}",
    "int k = 0; while ((a + k) % n != 3 && k < m) {{ {0} k++; }}",
    "int k = 0; do {{ {0} k += 2; }} while (k < m);",
    "for (int k = 0; k < m; k++) {{ if (k % 3 == i % 3) continue; {0} }}",
)
SUMS = (
    "s = 31 * s + (a + k) % n;",
    "s = 31 * s + (a - k) % n;",
    "s = 31 * s + (a + 5 * k - 3) % n;",
    "s = 31 * s + (a + k) % n + (a + 2 * k) % n;",
    "s = 31 * s + (b - 2147483647 * k) % n;",
    "s = 31 * s + (a + k) % n + (a + k) / n;",
    "s = 31 * s + (a + k * i) % n;",
    "s = 31 * s + (i + k) % n;",
    "s = 31 * s + (a = (a + 1) % n);",
    "b = (b - 3) % n; s = 31 * s + b;",
)
TYPES = "int", "ulong"
EACH = 16
"""A type has one of so many pairs of both."""


@pytest.mark.parametrize("type", TYPES)
def test_rings(type: str) -> None:
    lines = [
        f"kernel void k(global const {type} *from, global const {type} *sizes, global {type} *out,"
        f" int m, {type} n) {{ int i = get_global_id(0); {type} a = from[i], b = sizes[i];"
    ]
    pairs = [(loop, sum) for loop in LOOPS for sum in SUMS]
    for number, (loop, sum) in enumerate(pairs):
        if (number + number // len(SUMS)) % EACH == 3 * TYPES.index(type):
            lines.append(f"{{ {type} s = 0; {loop.format(sum)} out[{number * ITEMS} + i] = s; }}")
    lines.append("}")
    kernel = polycl.load("\n".join(lines), language="cl").kernel("k")
    limits = np.iinfo({"int": "i4", "uint": "u4", "long": "i8", "ulong": "u8"}[type])
    starts = np.random.default_rng(1).integers(0, 40, ITEMS).astype(limits.dtype)
    # Sums that wrap, and that pass zero.
    starts[:8] = limits.max - np.arange(8, dtype=limits.dtype)
    starts[8:16] = limits.min + np.arange(8).astype(limits.dtype)
    starts[16:20] -= limits.dtype.type(41)
    carried = 0
    for m, size in (
        (0, 3),
        (9, 7),
        (11, 1),
        (6, 1 << 30),
        (5, limits.max),
        (9, -3),
        (4, limits.min),
    ):
        if limits.min == 0 and size <= 0:
            continue
        found: list[np.ndarray] = []
        for device in (polycl.device("interp"), CpuDevice(), CpuDevice(enable=["vectors"])):
            out = np.zeros(len(pairs) * ITEMS, limits.dtype)
            with collect_remarks() as remarks:
                kernel(
                    starts, starts[::-1].copy(), out, m, size,
                    global_size=ITEMS, local_size=ITEMS, device=device,
                )  # fmt: skip
            carried = max(carried, sum_of(remarks))
            found.append(out)
        for result in found[1:]:
            np.testing.assert_array_equal(result, found[0], f"{m} iterations, ring of {size}")
    assert carried >= 1, carried


def sum_of(remarks: polycl.remarks.Remarks) -> int:
    """How many remainders are carried."""
    return len({r.location for r in remarks if r.pass_name == "carry-remainders"})
