"""`wg-carry-loads` keeps every bit: filters in both orders of their loops, of several types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from polycl.remarks import collect_remarks

WIDTH, HEIGHT = 128, 16

COLUMNS = """
  for (int i = x - r; i <= x + r; i++)
    for (int j = y - r; j <= y + r; j++)
      s += in[j * w + i] * mask[(j - y + r) * (2 * r + 1) + i - x + r];
"""
OFFSETS = """
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += (float)in[(y + j - r) * w + x + i - r] * mask[j * n + i];
"""
BY_TWO = """
  for (int j = 0; j < n; j += 2)
    s = fmax(s, in[(y + j - r) * w + x] * 3 + mask[j]);
"""
EVERY_OTHER_ROW = """
  for (int j = 0; j < n; j++)
    s += in[(2 * y + 2 * j) * w + x] * mask[j];
"""
CUBES = """
  for (int j = 0; j < n; j++) {
    float v = in[(y + j - r) * w + x];
    s += v * v * v - mask[j] * v;
  }
"""
TYPES = {"int": np.int32, "uchar": np.uint8, "short": np.int16, "float": np.float32}
KERNEL = """
kernel void k(global const TYPE *in, global const float *mask, global float *out, int w, int h,
              int r) {
  int x = get_global_id(0), y = get_global_id(1), n = 2 * r + 1;
  float s = 0;
  if (x >= r && x < w - r && y >= r && y < h - r) { LOOPS }
  out[y * w + x] = s;
}
"""


FOUR_ROWS, MORE_ROWS = (64, 4), (32, 8)


def run(
    loops: str, type: str, radius: int, local: tuple[int, int], device: str, **options: Any
) -> NDArray[np.float32]:
    random = np.random.default_rng(3)
    values = random.integers(0, 120, 3 * WIDTH * HEIGHT)
    size = (2 * radius + 1) ** 2
    out = np.zeros((HEIGHT, WIDTH), np.float32)
    source = KERNEL.replace("LOOPS", loops).replace("TYPE", type)
    polycl.load(source, language="cl").kernel("k")(
        values.astype(TYPES[type]),
        random.random(size, np.float32),
        out,
        WIDTH,
        HEIGHT,
        radius,
        global_size=(WIDTH, HEIGHT),
        local_size=local,
        device=polycl.device(device, **options),
    )
    return out


@pytest.mark.parametrize(
    ("loops", "type", "local", "carries"),
    [
        (COLUMNS, "int", FOUR_ROWS, True),
        (OFFSETS, "uchar", FOUR_ROWS, True),
        (EVERY_OTHER_ROW, "float", MORE_ROWS, True),
        (CUBES, "short", MORE_ROWS, True),
        # The next iteration reads what the row after the next one reads: two rows share nothing.
        (BY_TWO, "int", MORE_ROWS, False),
    ],
    ids=["columns", "offsets", "every other row", "cubes", "by two"],
)
def test_keeps_every_bit(loops: str, type: str, local: tuple[int, int], carries: bool):
    for radius in (0, 1, 3):
        expected = run(loops, type, radius, local, "interp")
        with collect_remarks() as remarks:
            found = run(loops, type, radius, local, "cpu", contract=False)
        np.testing.assert_array_equal(found, expected, loops)
        said = any(remark.pass_name == "wg-carry-loads" for remark in remarks)
        assert said is carries, remarks
