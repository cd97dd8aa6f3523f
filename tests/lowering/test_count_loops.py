"""Loops whose bound is in memory, as counted loops: as the interpreter runs them without."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.pipeline import run_pipeline
from polycl.frontends.opencl_c import import_source

BEFORE = "inline-functions,split-structs,promote-private-memory"
COUNTED = f"{BEFORE},count-loops"

COUNTS = {
    "signed": "int i; for (i = x[1]; i < x[0]; i++) { a[i & 3] += i; } x[9] = i;",
    "unsigned": "uint i; for (i = x[1]; i < (uint)x[0]; i++) { a[i & 3] += i; } x[9] = i;",
    "long": "long i; for (i = x[1]; i < (long)x[0] * 2; i++) { a[i & 3] += i; } x[9] = i;",
    "carried": "int s = 1; for (int i = x[1]; i < x[0]; i++) a[i & 3] = s = s * 3 + i; x[9] = s;",
    "struct": "global S *p = (global S *)x; for (int i = 2; i < p->n; i++) a[i & 3] += i;",
    "nested": "for (int i = 0; i < x[2]; i++) for (int j = i; j < x[0]; j++) a[j & 3] ^= i * j;",
    "vector beside it": "int i = x[1]; while (vload2(0, x + 2), i < x[0]) a[i++ & 3] += i;",
    "exchanged": "int u = 7; for (int i = 0; i < x[0]; i++) { int v = u; u = a[1]; a[1] = v; }",
}
KEPT = {
    "its own bound": "for (int i = 0; i < x[0]; i++) { x[0] -= 1; a[i & 3] += i; }",
    "the bound of all": "for (int i = 0; i < x[i]; i++) a[i & 3] += i;",
    "volatile": "volatile global int *v = x; for (int i = 0; i < v[0]; i++) a[i & 3] += i;",
    "atomic": "for (int i = 0; i < x[0]; i++) { atomic_inc(x + 4); a[i & 3] += i; }",
    "two": "for (int i = 0; i < x[0]; i += 2) a[i & 3] += i;",
    "stores in its condition": "int i = 0; while (a[i & 3] += 1, i < x[0]) i++;",
    "volatile beside it": "volatile global int *v = x; int i = 0; while (v[1], i < x[0]) i++;",
    "inclusive": "for (int i = 0; i <= x[0]; i++) a[i & 3] += i;",
    "ulong": "for (ulong i = 0; i < (ulong)x[0]; i++) a[i & 3] += i;",
}


def text_of(loop: str) -> str:
    return f"""
    typedef struct {{ int m, n; }} S;
    kernel void k(global int *x) {{
      int a[4] = {{1, 2, 3, 4}};
      {loop}
      for (int i = 0; i < 4; i++) x[5 + i] = a[i];
    }}"""


def loops_after(loop: str, pipeline: str) -> int:
    module = import_source(text_of(loop).encode(), "k.cl")
    run_pipeline(module, pipeline)
    return sum(op.name == "scf.while" for op in module.walk())


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("start", [[9, 2, 3], [-3, 2, 1], [5, 5, 0], [3, -2, 4]])
def test_counted_loops_compute_the_same(name: str, start: list[int]) -> None:
    if name == "unsigned" and min(start) < 0:
        start = [abs(number) for number in start]
    assert loops_after(COUNTS[name], BEFORE) > loops_after(COUNTS[name], COUNTED) == 0
    kernel = polycl.load(text_of(COUNTS[name]), language="cl").kernel("k")
    results: list[np.ndarray] = []
    for pipeline in (BEFORE, COUNTED):
        x = np.zeros(10, np.int32)
        x[:3] = start
        kernel(x, global_size=1, device=polycl.device("interp"), pipeline=pipeline)
        results.append(x)
    np.testing.assert_array_equal(results[1], results[0])


@pytest.mark.parametrize("name", KEPT)
def test_loops_whose_bound_may_change_stay(name: str) -> None:
    assert loops_after(KEPT[name], COUNTED) == 1
