"""The loops that `bench.calibrate` measures: each way to read, with each type and more or less
arithmetic, each way to write, and each kind of control flow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

ITEMS = 4096
"""Work-items of a launch."""
ITERATIONS = 8
"""Of most loops, an argument: as often as loops of unknown length are taken to run."""
LONG = 64
"""Of loops that wait for what the iteration before computed or read: the processor starts a few
dozen operations early, and so the loops of the next work-items too, if these are short."""
ELEMENTS = 5 * ITEMS
"""Of the arrays, which stay in the second-level cache."""
FAR = 1 << 22
"""The same of loops that show what a cache miss costs."""

TYPES = ("uchar", "ushort", "int", "float", "double")

READS = {
    "row": "a[i + k]",
    "uniform": "a[k]",
    "reversed": f"a[{ITEMS} - i + k]",
    "every second": "a[2 * i + k]",
    "every third": "a[3 * i + k]",
    "every fourth": "a[4 * i + k]",
    "shared by two": "a[(i >> 1) + k]",
    "next row": "a[512 * k + i]",
    "own row": f"a[{ITERATIONS} * (i & 2047) + k]",
    "anywhere": "a[h >> 20]",
    "anywhere, four": "AT(0) + AT(1) + AT(2) + AT(3)",
    "vector anywhere": "SUM(vload4(h >> 20, a))",
    "table": "table[h >> 28]",
    "local, anywhere": "l[h >> 24]",
    "far": "a[h >> 10]",
    "far, four": "a[4 * (h >> 12)] + a[4 * (h >> 12) + 1] + a[4 * (h >> 12) + 2]",
    "far row": "a[4096 * k + i]",
}
FAR_READS = ("far", "far, four", "far row")
NEAR = tuple(read for read in READS if read not in FAR_READS)
"""An element, of `a` by the number of the work-item `i`, that of the iteration `k`, and a random
number `h`."""

ARITHMETIC = {
    "": "x",
    "two": "(x * 3 + s1) * 5",
    "eight": "((((x * 3 + s1) * 5 + s2) * 7 + x) * 3 + s3) * 5",
    "a division": "x / s1",
    "a division by 7": "x / 7",
    "a choice": "(x > s1 ? x : s2)",
}
"""A value, of an element `x` and numbers `s1` to `s3` that are arguments."""

BODIES = {
    "sum": "T x = READ; s += VALUE;",
    "recurrence": "T x = READ; s = s * (T)3 + VALUE;",
    "branch on data": "T x = READ; if ((h & 0x10000) != 0) s += VALUE * a[(i + 3 * k) + 1];",
    "rare branch": "T x = READ; if (((h >> 8) & 0xff) == 3) s += VALUE * a[(i + 3 * k) + 1];",
    "own count": "T x = READ; s += VALUE; if (k > (int)(h0 >> 29)) break;",
    "chase": "p = next[p]; s += (T)p;",
    "written in a row": "T x = READ; o[512 * k + i] = VALUE;",
    "written anywhere": f"T x = READ; o[(i * 1021u + 33 * k) & {ITEMS - 1}] = VALUE;",
    "written at 2": "T x = READ; o[2 * i + k] = VALUE;",
    "written at 4": "T x = READ; o[4 * i + k] = VALUE;",
    "written in own row": f"T x = READ; o[{ITERATIONS} * (i & 2047) + k] = VALUE;",
    "counted": "T x = READ; atomic_inc(&counts[h >> 26]); s += VALUE;",
    "search": "uint m = (low + high) >> 1; if (sorted[m] < h0) low = m; else high = m; s += (T)m;",
}
"""What an iteration does."""
NEAR_BODIES = tuple(body for body in BODIES if body not in ("sum", "search"))

_KERNEL = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef {type} T;
typedef {type}4 T4;
static inline T sum_of(T4 v) {{ return v.x + v.y + v.z + v.w; }}
#define SUM sum_of
#define AT(n) a[4 * (h >> 20) + n]
constant T table[16] = {{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3}};
kernel void loop(global const T *restrict a, global T *restrict o, global T *restrict out,
                 global const uint *restrict seeds, global const uint *restrict next,
                 global const uint *restrict sorted, uint high, int n, T s1, T s2, T s3) {{
  int i = get_global_id(0);
  {local}
  T s = 0;
  uint h = seeds[i], h0 = h, p = h0 % high, low = 0;
  for (int k = 0; k < n; k++) {{
    {hash}
    {body}
  }}
  out[i] = s;
}}
"""

_LOCALS = {
    "l[": "local T l[256]; l[get_local_id(0)] = a[get_local_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);",
    "counts[": "local int counts[64]; if (get_local_id(0) < 64) counts[get_local_id(0)] = 0;"
    " barrier(CLK_LOCAL_MEM_FENCE);",
}


@dataclass(frozen=True)
class Loop:
    name: str
    type: str
    source: str
    iterations: int = ITERATIONS
    elements: int = ELEMENTS


def loops() -> Iterator[Loop]:
    """All of them: reads with some arithmetic, arithmetic, and bodies, in each type."""
    for type in TYPES:
        for read in NEAR:
            yield _loop(type, read, "", "sum")
            yield _loop(type, read, "eight", "sum")
        for value in list(ARITHMETIC)[2:]:
            yield _loop(type, "row", value, "sum")
            yield _loop(type, "anywhere", value, "sum")
        for body in NEAR_BODIES:
            yield _loop(type, "row", "two", body)
            yield _loop(type, "anywhere", "two", body)
        yield from _waiting(type)


def _waiting(type: str) -> Iterator[Loop]:
    """Those that wait for the iteration before, or for memory."""
    for read in ("row", "anywhere"):
        yield _loop(type, read, "two", "sum", LONG)
        yield _loop(type, read, "two", "recurrence", LONG)
    for elements in (ELEMENTS, FAR):
        yield _loop(type, "row", "", "chase", LONG, elements)
        yield _loop(type, "row", "", "search", elements.bit_length(), elements)
    for read in FAR_READS:
        for value in ("", "eight"):
            yield _loop(type, read, value, "sum", LONG, FAR)


def _loop(
    type: str,
    read: str,
    value: str,
    body: str,
    iterations: int = ITERATIONS,
    elements: int = ELEMENTS,
) -> Loop:
    text = BODIES[body].replace("READ", READS[read]).replace("VALUE", ARITHMETIC[value])
    hashed = "h = h * 1664525u + 1013904223u;" if re.search(r"\bh\b|AT\(", text) else ""
    local = " ".join(line for name, line in _LOCALS.items() if name in text)
    kind = "long" if iterations == LONG else "", "far" if elements == FAR else ""
    name = ", ".join(part for part in (type, read, value, body, *kind) if part)
    source = _KERNEL.format(type=type, local=local, hash=hashed, body=text)
    return Loop(name, type, source, iterations, elements)
