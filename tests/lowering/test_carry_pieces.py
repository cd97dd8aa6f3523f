"""`carry-pieces` changes no result: vectors of three elements that loops carry, of each type, by
vectors of work-items and one by one."""

from __future__ import annotations

import numpy as np
import pytest

import polycl

SOURCE = """
kernel void sums(global const TYPE *x, global TYPE *y, int most) {
  int i = get_global_id(0);
  TYPE##3 v = vload3(i, x), sum = 0, last = v;
  for (int j = 0; j < most; j++) {
    TYPE##3 w = vload3((i + j) % get_global_size(0), x);
    for (int k = 0; k < (j & 3); k++) sum += w * v;
    if (w.y > v.y) last = w.zxy;
  }
  vstore3(sum - last, i, y);
}
kernel void leave(global const TYPE *x, global TYPE *y, int most) {
  int i = get_global_id(0), j = 0;
  TYPE##3 v = vload3(i, x), w = v.yzx;
  while (v.x + j < most) {
    TYPE##3 t = v;
    v = w + (TYPE)1;
    w = t;
    if (v.z > w.x) break;
    j += 2;
  }
  vstore3(v * (TYPE)2 - w, i, y);
}
"""
DTYPES = {
    "char": "i1",
    "ushort": "u2",
    "int": "i4",
    "ulong": "u8",
    "half": "f2",
    "float": "f4",
    "double": "f8",
}


@pytest.mark.parametrize("name", ["sums", "leave"])
@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize(("local_size", "disable"), [(64, []), (23, []), (4, ["wg-vectorize"])])
def test_results_are_those_of_the_interpreter(
    name: str, type: str, local_size: int, disable: list[str]
):
    text = SOURCE.replace("TYPE##", type).replace("TYPE", type)
    if type == "half":
        text = f"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n{text}"
    kernel = polycl.load(text, language="cl").kernel(name)
    x = np.random.default_rng(3).integers(0, 6, 6 * local_size).astype(DTYPES[type])
    results: list[np.ndarray] = []
    for device in ("interp", polycl.device("cpu", disable=disable)):
        y = np.zeros_like(x)
        kernel(x, y, 9, global_size=2 * local_size, local_size=local_size, device=device)
        results.append(y)
    assert len(np.unique(results[0])) > 3
    np.testing.assert_array_equal(results[0], results[1])
