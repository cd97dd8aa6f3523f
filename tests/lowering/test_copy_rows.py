"""`wg-copy-rows`: filters of pictures whose rows are a multiple of 4096 bytes apart, or not."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.remarks import collect_remarks

TYPES = {"int": np.int32, "uchar": np.uint8, "float": np.float32}
HEIGHT = 32
KERNEL = """
kernel void k(global const TYPE *in, global const float *mask, global float *out, int w, int h,
              int r, int s) {
  int x = get_global_id(0), y = get_global_id(1), m = 2 * r + 1;
  int left = max(0, x - r), right = min(w - 1, x + r);
  int top = max(0, y - s), bottom = min(h - 1, y + s);
  float sum = 0;
  for (int i = left; i <= right; i++)
    for (int j = top; j <= bottom; j++)
      sum += in[j * w + i] * mask[(j - y + s) * m + i - x + r];
  out[y * w + x] = sum;
}
"""


@pytest.mark.parametrize(
    ("type", "width", "local_size"),
    [
        ("int", 1024, (64, 4)),
        ("int", 1024, (16, 16)),
        ("uchar", 4096, (64, 8)),
        ("float", 1088, (64, 4)),
    ],
)
def test_keeps_the_results(type: str, width: int, local_size: tuple[int, int]):
    random = np.random.default_rng(5)
    picture = random.integers(0, 50, (HEIGHT, width)).astype(TYPES[type])
    # Few and many columns and rows: more of them than the copy holds, too.
    for r, s in ((2, 5), (1, 1), (17, 4), (1, 20), (0, 6), (16, 8)):
        # Whole numbers: their sums are exact in any order.
        mask = random.integers(-3, 4, (2 * s + 1, 2 * r + 1)).astype(np.float32)
        out = np.zeros((HEIGHT, width), np.float32)
        source = KERNEL.replace("TYPE", type)
        with collect_remarks() as remarks:
            polycl.load(source, language="cl").kernel("k")(
                picture,
                mask,
                out,
                width,
                HEIGHT,
                r,
                s,
                global_size=(width, HEIGHT),
                local_size=local_size,
            )
        assert any(remark.pass_name == "wg-copy-rows" for remark in remarks)
        padded = np.pad(picture.astype(np.float32), ((s, s), (r, r)))
        expected = np.zeros_like(out)
        for j in range(2 * s + 1):
            for i in range(2 * r + 1):
                expected += padded[j : j + HEIGHT, i : i + width] * mask[j, i]
        np.testing.assert_array_equal(out, expected, f"{r}, {s}")
