"""`select-values` keeps every bit of flags that `&&` and `||` of vectors choose."""

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl

SOURCE = """
kernel void k(global const int *in, global int *out, int2 size, int n) {
  int2 p = (int2)(get_global_id(0), get_global_id(1)) - 2;
  int s = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int2 q = p + (int2)(i, j);
      if (any(q < 0) || any(q >= size)) continue;
      if (all(q == n) && q.x > 0) s += 1000;
      if (!(any(q > n) && all(q < 9))) s += 7;
      s += in[q.y * size.x + q.x];
    }
  bool f = any(p > n) || any(p < 3), g = f ? all(p == 4) : true, h = f ? false : all(p > 1);
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = s * 8 + f + 2 * g + 4 * h;
}
"""
SMALL = "inline-functions,promote-private-memory,ocl-set-local-size{size=64,1,1},ocl-to-wg"
BEFORE = "inline-functions,promote-private-memory,ocl-set-local-size{size=16,4,1},ocl-to-wg"


@pytest.mark.parametrize(("width", "height", "n"), [(20, 10, 4), (3, 2, 1), (17, 9, 0)])
def test_flags_keep_every_bit(width: int, height: int, n: int):
    kernel = polycl.load(SOURCE, language="cl").kernel("k")
    values = np.arange(400, dtype=np.int32) * 7919 % 1009
    found: list[NDArray[np.int32]] = []
    for device, pipeline in (
        ("interp", BEFORE),
        ("interp", f"{BEFORE},select-values"),
        ("cpu", None),
    ):
        out = np.zeros(32 * 12, np.int32)
        kernel(
            values,
            out,
            np.array([width, height], np.int32),
            np.int32(n),
            global_size=(32, 12),
            local_size=(16, 4),
            device=polycl.device(device),
            pipeline=pipeline,
        )
        found.append(out)
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])


RETURNS = """
int code(uchar c, int n) {
  switch (c) {
    case 'A': return 0;
    case 'C': if (n > 2) return 1; break;
    case 'G': return n;
    case 'T': if (n == 0) break; return c;
  }
  return -1;
}
int twice(uchar c) {
  if (c > 70) { if (c & 1) return 5; }
  else if (c < 68) return c;
  return 7;
}
kernel void k(global const uchar *in, global int *out, int n) {
  size_t i = get_global_id(0);
  int a = code(in[i], n), b = twice(in[i]), s = 0;
  for (int j = 0; j < 3; j++) {
    int d = code(in[i + j], j);
    if (d < 0) break;
    s = 10 * s + d;
  }
  out[i] = a + 100 * b + 10000 * s;
}
"""


@pytest.mark.parametrize("n", [0, 2, 3])
def test_results_that_follow_a_switch(n: int):
    kernel = polycl.load(RETURNS, language="cl").kernel("k")
    letters = np.random.default_rng(0).integers(64, 90, 130).astype(np.uint8)
    found: list[NDArray[np.int32]] = []
    for device, pipeline in (
        ("interp", SMALL),
        ("interp", f"{SMALL},select-values"),
        ("cpu", None),
    ):
        out = np.zeros(128, np.int32)
        kernel(
            letters,
            out,
            np.int32(n),
            global_size=(128,),
            local_size=(64,),
            device=polycl.device(device),
            pipeline=pipeline,
        )
        found.append(out)
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])
