"""`wg-row-vectors`: short rows of one work-item are the same by vectors, and only those become some
whose iterations may run at once."""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks
from polycl.runtime.kernel import Kernel

TYPES = {"float": np.float32, "uchar": np.uint8, "short": np.int16, "double": np.float64}
COUNTS = (3, 4, 12, 16, 65)

ROWS = {
    "scaled": "y[k] = s * x[k] + (T)3;",
    "filled": "y[k] = s;",
    "two rows": "y[k] = x[k]; y[N + k] = x[k] - s;",
    "chosen": "T v = x[k]; y[k] = v > s ? v : s;",
    "in place": "x[k] = x[k] * s; y[k] = x[k];",
    "one ahead": "x[k] = x[k + 1] + s;",
    "at a product": "y[k] = x[n * n + k] + s;",
    "converted": "y[k] = (T)(int)(x[k] * 0.5f);",
}
OTHERS = {
    "one behind": "x[k + 1] = x[k] + s;",
    "written before": "x[k + 1] = s; y[k] = x[k];",
    "written twice": "y[k] = s; y[k + 2] = x[k];",
    "counter": "y[k] = x[k] + (T)k;",
    "backwards": "y[N - 1 - k] = x[k];",
    "every second": "y[2 * k] = x[k];",
    "gathered": "y[k] = x[(int)x[k] & 7];",
    "under a condition": "if (x[k] > s) y[k] = x[k];",
    "carried": "s += (T)2; y[k] = x[k] + s;",
}
"""What has other results by vectors, or has no form."""

KERNEL = """
kernel void rows(global T *a, global T *b, T s, int n) {
  int i = get_global_id(0);
  for (int g = 0; g < n; g++) {
    global T *x = a + (3 * i + g) * (2 * N + 9), *y = b + (3 * i + g) * (2 * N + 9);
    for (int k = 0; k < N; k++) { BODY }
  }
}
"""


def compiled(type: str, count: int, body: str) -> Kernel:
    text = KERNEL.replace("BODY", body).replace("(T)", f"({type})")
    text = text.replace("T ", f"{type} ").replace("N", str(count))
    return polycl.load(text, language="cl").kernel("rows")


def results(kernel: Kernel, type: str, count: int, device: str) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 100, (2, 48 * (2 * count + 9))).astype(TYPES[type])
    kernel(x, y, TYPES[type](7), 2, global_size=16, local_size=16, device=device)
    return [x, y]


def has_vectors(type: str, count: int, body: str) -> bool:
    """Whether rows become vectors; their results are those of the interpreter."""
    kernel = compiled(type, count, body)
    with collect_remarks() as remarks:
        found = results(kernel, type, count, "cpu")
    np.testing.assert_array_equal(found, results(kernel, type, count, "interp"))
    return any(remark.pass_name == "wg-row-vectors" for remark in remarks)


@pytest.mark.parametrize(
    ("name", "type"), [*zip(ROWS, cycle(TYPES)), *zip(reversed(ROWS), cycle(TYPES))]
)
def test_rows_of_all_sizes_have_the_same_results(name: str, type: str):
    done = {count: has_vectors(type, count, ROWS[name]) for count in COUNTS}
    assert not any(done[count] for count in (3, 65))
    assert any(done.values())


@pytest.mark.parametrize("name", OTHERS)
def test_iterations_that_depend_on_each_other_stay(name: str):
    assert not any(has_vectors("short", count, OTHERS[name]) for count in (8, 16))
