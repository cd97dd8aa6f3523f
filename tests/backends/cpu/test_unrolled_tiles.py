"""Loops that are unrolled for several tiles, and choices of vectors by one truth value: the same as
in the interpreter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl

_SOURCE = """
kernel void bits(global const uint *in, global uint *out, int n, uchar rule) {
  int i = get_global_id(0);
  if (i >= n) return;
  uint v = in[i], r = 0;
  for (int b = 0; b < 32; b++) { r = r << 1 | v & 1; v >>= 1; }
  out[i] = r;
}
kernel void choices(global const uint *in, global uint *out, int n, uchar rule) {
  int i = get_global_id(0);
  if (i >= n) return;
  uint c = in[i], l = in[(i + n - 1) % n], o = 0;
  for (int p = 0; p < 8; p++)
    if (rule >> p & 1) o |= ((p & 4) ? c : ~c) & ((p & 2) ? l : 0 - l);
  out[i] = o;
}
kernel void neighbours(global const uint *in, global uint *out, int n, uchar rule) {
  int x = get_global_id(0) % 64, y = get_global_id(0) / 64, i = get_global_id(0);
  if (i >= n) return;
  uint s[3] = {0, 0, 0};
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (x + dx >= 0 && x + dx < 64 && y + dy >= 0 && (y + dy) * 64 + x + dx < n)
        s[abs(dx) + abs(dy)] += in[(y + dy) * 64 + x + dx];
  out[i] = s[0] + rule * s[1] - s[2];
}
"""


@pytest.mark.parametrize("name", ["bits", "choices", "neighbours"])
def test_as_in_the_interpreter(name: str, tmp_path: Path) -> None:
    path = tmp_path / "unrolled.cl"
    path.write_text(_SOURCE)
    n = 2 * 64 - 7
    values = np.random.default_rng(110).integers(0, 1 << 32, n).astype(np.uint32)
    results = []
    for device in (polycl.device("interp"), polycl.device("cpu", threads=1)):
        out = np.zeros(n, np.uint32)
        kernel = polycl.load(str(path)).kernel(name)
        kernel.bind(
            values, out, np.int32(n), np.uint8(110), global_size=128, local_size=64, device=device
        ).launch()
        results.append(out)
    np.testing.assert_array_equal(*results)
