"""`wg-spread-loops` keeps every bit where outputs of a work-item are at distances from arguments:
long ones, and those at which iterations write the same elements in turn. There is one work-item
then, as several would race."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

KERNELS = """
kernel void planes(global const int *in, global int *out, ARG n, ARG m) {
  TYPE id = get_global_id(0);
  for (int k = 0; k < 4; k++) {
    TYPE i = 4 * id + k;
    int a = in[i], b = in[64 + i];
    out[i] = a + b;
    out[n + i] = a - b;
    out[m + i] = a * b;
  }
}
kernel void in_place(global int *in, global int *out, ARG n, ARG m) {
  TYPE id = get_global_id(0);
  for (int k = 0; k < 4; k++) {
    TYPE i = 4 * id + k;
    int a = out[i] + in[i], b = out[n + i];
    out[i] = a + 3 * b;
    out[n + i] = a - b;
    out[2 * n + i] += b;
  }
}
"""
BEFORE = (
    "inline-functions,promote-private-memory,ocl-set-local-size{size=ITEMS,1,1},ocl-to-wg,"
    "ocl-expand-builtins,wg-lower-contexts,index-arithmetic"
)
SPREAD = "wg-spread-loops{distinct=true}"


LONG = [(64, 128), (512, 64), (700, 300)]
SHORT = [(3, 700), (1, 2), (700, 702), (0, 4), (4, 8), (2, 2)]


def run(
    kernel: polycl.Kernel, distances: tuple[int, int], device: str, pipeline: str | None
) -> np.ndarray:
    items = 16 if distances in LONG else 1
    values = np.random.default_rng(7).integers(-99, 99, 2048).astype(np.int32)
    out = values[::-1].copy()
    passes = None if pipeline is None else pipeline.replace("ITEMS", str(items))
    sizes = {"global_size": items, "local_size": items}
    kernel(values, out, *distances, **sizes, device=device, pipeline=passes)
    return out


@pytest.mark.parametrize("name", ["planes", "in_place"])
@pytest.mark.parametrize(
    ("distances", "type"), list(zip(LONG + SHORT, 3 * ["int", "long", "size_t"], strict=True))
)
def test_results_are_the_same(name: str, type: str, distances: tuple[int, int]):
    options = [f"-DTYPE={type}", f"-DARG={'ulong' if type == 'size_t' else type}"]
    kernel = polycl.load(KERNELS, options, language="cl").kernel(name)
    expected = run(kernel, distances, "interp", BEFORE)
    with collect_remarks() as remarks:
        np.testing.assert_array_equal(
            run(kernel, distances, "interp", f"{BEFORE},{SPREAD}"), expected
        )
    assert any("if they are apart" in r.message for r in remarks)
    pipeline = f"{BEFORE},{SPREAD},wg-vectorize"
    np.testing.assert_array_equal(run(kernel, distances, "interp", pipeline), expected)
    np.testing.assert_array_equal(run(kernel, distances, "cpu", None), expected)
