"""`carry-masks` changes no result: divergent loops on elements of each width, for a processor that
has no registers for masks, or is compiled for as if it had none."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.backends.cpu import pipeline
from polycl.backends.device import NDRange

SOURCE = """
kernel void steps(global const TYPE *x, global TYPE *y, int most) {
  int i = get_global_id(0);
  TYPE v = x[i], n = 0;
  while (n < most && v > 1) { v = v % 2 ? v - 1 : v / 2; n++; }
  y[i] = n;
}
kernel void nested(global const TYPE *x, global TYPE *y, int most) {
  int i = get_global_id(0);
  TYPE v = x[i], sum = 0;
  for (TYPE j = 0; j < v && j < most; j++) {
    if (j % 3 == 1) continue;
    TYPE k = v;
    do { sum += k & 3; k /= 2; } while (k > j && sum < 100);
    if (sum > 90) break;
  }
  y[i] = sum;
}
"""

FLOATS = """
kernel void escape(global const TYPE *x, global TYPE *y, int most) {
  int i = get_global_id(0), n = 0;
  TYPE a = x[i] / 16, b = a / 2;
  for (; n < most && a * a + b * b < 4; n++) {
    TYPE t = a * a - b * b + (TYPE)0.25;
    b = 2 * a * b - (TYPE)0.5;
    a = t;
  }
  y[i] = n;
}
"""

KERNELS = {
    "steps": (SOURCE, "char ushort int long"),
    "nested": (SOURCE, "char ushort int long"),
    "escape": (FLOATS, "float double"),
}
CASES = [(name, type) for name, (_, types) in KERNELS.items() for type in types.split()]

ROW = NDRange((64, 1, 1), (64, 1, 1))

DTYPES = {"char": "i1", "ushort": "u2", "int": "i4", "long": "i8", "float": "f4", "double": "f8"}


@pytest.mark.parametrize(("name", "type"), CASES)
@pytest.mark.parametrize("local_size", [64, 23])
def test_results_are_those_of_the_interpreter(
    monkeypatch: pytest.MonkeyPatch, name: str, type: str, local_size: int
):
    monkeypatch.setattr(pipeline, "has_masks", lambda: False)
    text = KERNELS[name][0].replace("TYPE", type)
    kernel = polycl.load(text, language="cl").kernel(name)
    x = np.random.default_rng(3).integers(0, 60, 4 * local_size).astype(DTYPES[type])
    results: list[np.ndarray] = []
    for device in ("interp", "cpu"):
        y = np.zeros_like(x)
        kernel(x, y, 40, global_size=(len(x),), local_size=(local_size,), device=device)
        results.append(y)
    assert len(np.unique(results[0])) > 3
    np.testing.assert_array_equal(results[0], results[1])


@pytest.mark.parametrize("has_masks", [False, True])
def test_pass_is_left_out_where_masks_have_registers(
    monkeypatch: pytest.MonkeyPatch, has_masks: bool
):
    monkeypatch.setattr(pipeline, "has_masks", lambda: has_masks)
    names = [
        step.name for step in pipeline.cpu_pipeline(NDRange((64, 1, 1), (64, 1, 1)), contract=True)
    ]
    assert ("carry-masks" in names) == (not has_masks)
