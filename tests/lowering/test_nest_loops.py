"""Loops whose counter is divided, as nests of loops: as the interpreter runs them without."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.pipeline import run_pipeline
from polycl.frontends.opencl_c import import_source

BEFORE = "inline-functions,split-structs,promote-private-memory"
NESTED = f"{BEFORE},nest-loops"

LOOPS = {
    "row and column": ("for (int k = 0; k < 12; k++) s = s * 3 + x[k / 4 * 5 + k % 4];", 2),
    "counter, too": ("for (int k = 0; k < 12; k++) s = s * 3 + x[k / 4 + k % 4] * k;", 2),
    "three": ("for (int k = 0; k < 24; k++) s = s * 3 + x[k / 6 + k / 2 % 3 + k % 2];", 3),
    "products": ("for (int k = 0; k < 24; k++) s = s * 3 + x[k / 6 + k % 6 / 2 * k % 3];", 2),
    "remainders": ("for (int k = 0; k < 24; k++) s = s * 3 + x[k % 3 + k % 6 + k / 6];", 3),
    "unsigned": ("for (uint k = 0; k < 12; k++) s = s * 3 + x[k / 3 * k + k % 3];", 2),
    "long": ("for (long k = 0; k < 12; k++) s = s * 3 + x[k / 3 + k % 3];", 2),
    "short": ("for (short k = 0; k < 12; k++) s = s * 3 + x[k / 3 + k % 3];", 2),
    "masks": ("for (int k = 0; k < 16; k++) s = s * 3 + x[k / 4 + k % 4] * (k & 3);", 2),
    "branch": ("for (int k = 0; k < 9; k++) if (k % 3 + k / 3 < n) s = s * 3 + x[k];", 2),
    "inner loop": (
        "for (int k = 0; k < 9; k++) for (int j = k / 3; j < k % 3; j++) s = s * 3 + x[j + k];",
        3,
    ),
    "two variables": (
        "int t = 1; for (int k = 0; k < 9; k++) { s += x[k / 3] * t; t += s + k % 3; } s += t;",
        2,
    ),
    "no remainder": ("for (int k = 0; k < 12; k++) s = s * 3 + x[k / 4];", 1),
    "no quotient": ("for (int k = 0; k < 12; k++) s = s * 3 + x[k % 4];", 1),
    "a part at the end": ("for (int k = 0; k < 11; k++) s = s * 3 + x[k / 4 + k % 4];", 1),
    "other numbers": ("for (int k = 0; k < 12; k++) s = s * 3 + x[k / 4 + k % 3];", 1),
    "from one": ("for (int k = 1; k < 12; k++) s = s * 3 + x[k / 4 + k % 4];", 1),
    "in twos": ("for (int k = 0; k < 12; k += 2) s = s * 3 + x[k / 4 + k % 4];", 1),
    "of an argument": ("for (int k = 0; k < n; k++) s = s * 3 + x[k / 4 + k % 4];", 1),
    "by an argument": ("for (int k = 0; k < 12; k++) s = s * 3 + x[k / n + k % n];", 1),
    "a narrow number": (
        "for (int k = 0; k < 600; k++) { char c = k; s = s * 3 + x[c / 4 % 4 + 6 + c % 4]; }",
        1,
    ),
}
"""And how many loops there are then."""


def text_of(loop: str) -> str:
    return f"kernel void k(global int *x, int n) {{ int s = 1; {loop} x[39] = s; }}"


@pytest.mark.parametrize("name", LOOPS)
def test_nests_compute_the_same(name: str) -> None:
    kernel = polycl.load(text_of(LOOPS[name][0]), language="cl").kernel("k")
    results: list[np.ndarray] = []
    for pipeline in (BEFORE, NESTED):
        x = np.arange(40, dtype=np.int32)
        kernel(x, 3, global_size=1, device=polycl.device("interp"), pipeline=pipeline)
        results.append(x)
    np.testing.assert_array_equal(results[1], results[0])


def loops_of(text: str, pipeline: str) -> list[str]:
    """The operations of a kernel, if it has loops."""
    module = import_source(text.encode(), "k.cl")
    run_pipeline(module, pipeline)
    return [op.name for op in module.walk()]


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_nested(name: str) -> None:
    loop, number = LOOPS[name]
    assert loops_of(text_of(loop), NESTED).count("scf.for") == number


FILTERS = {
    "rows and columns": (
        "for (int j = 0; j < 3; j++)"
        " for (int i = 0; i < 3; i++) s += x[(g + j) * n + i] * w[j + i];"
    ),
    "one": "for (int k = 0; k < 9; k++) s += x[(g + k / 3) * n + k % 3] * w[k / 3 + k % 3];",
    "while": (
        "int k = 0; while (k < 9) {"
        " int a = k / 3, b = k++ % 3; s += x[(g + a) * n + b] * w[a + b]; }"
    ),
    "down to 0": (
        "for (int k = 0, m = 9; m; k++, m--) s += x[(g + k / 3) * n + k % 3] * w[k / 3 + k % 3];"
    ),
}


@pytest.mark.parametrize("name", FILTERS)
def test_windows_are_read_alike(name: str) -> None:
    """Two loops around two loads, without a division, however a window is gone through."""
    text = f"""
    kernel void k(global const float *x, global const float *w, global float *y, int n) {{
      int g = get_global_id(0);
      float s = 0;
      {FILTERS[name]}
      y[g] = s;
    }}"""
    pipeline = f"{BEFORE},remove-dead-values,count-loops,index-by-counter,nest-loops"
    found = loops_of(text, pipeline)
    assert (found.count("scf.for"), found.count("scf.while")) == (2, 0)
    assert found.count("ocl.load") == 2
    assert not [name for name in found if name.startswith(("arith.div", "arith.rem"))]
